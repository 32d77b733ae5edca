"""The trace that proves that two builds agree: always the same, and different when rules differ."""

from __future__ import annotations

import re
import subprocess
import sys
from hashlib import sha256

import pytest

from capolinea import games
from capolinea.lab.trace import lines, main, trace
from tests.cli.stranger import GAME as TALLY
from tests.cli.stranger import Tally
from tests.cli.test_main import environment


def test_every_title_has_a_line_for_the_fewest_the_most_and_some_players() -> None:
    found = [line.split() for line in lines(list(games.TITLES), 1)]
    for title in games.TITLES:
        seats = games.load(title).seats
        counts = [int(players) for name, players, _ in found if name == title]
        assert counts == sorted(set(counts))
        assert counts[0] == seats[0]
        assert counts[-1] == seats[-1]
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for _, _, digest in found)


def test_it_is_the_same_in_another_process(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "2"]) == 0
    here = capsys.readouterr().out
    there = subprocess.run(
        [sys.executable, "-m", "capolinea.lab.trace", "--games", "2"],
        env=environment(PYTHONHASHSEED="77"),
        capture_output=True,
        text=True,
        check=True,
    )
    assert there.stdout == here
    assert there.stderr == ""


def test_more_games_are_another_trace() -> None:
    game = games.load("night-mail")
    assert trace(game, 2, 1) != trace(game, 2, 2)
    assert trace(game, 2, 1) != trace(game, 3, 1)


def test_a_difference_in_one_move_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    before = trace(TALLY, 2, 2)
    usual = Tally.key
    monkeypatch.setattr(Tally, "key", lambda s: usual(s) if s.total != 2 else b"!")
    assert trace(TALLY, 2, 2) != before


def test_a_difference_in_what_is_seen_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    before = trace(TALLY, 2, 2)
    usual = Tally.view
    monkeypatch.setattr(Tally, "view", lambda s, seat: usual(s, None if seat == 1 else seat))
    assert trace(TALLY, 2, 2) != before


def test_a_difference_in_what_is_told_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    before = trace(TALLY, 2, 2)
    usual = Tally.tell
    monkeypatch.setattr(Tally, "tell", lambda s, key, **args: usual(s, key, **args, more=1))
    assert trace(TALLY, 2, 2) != before


def test_the_last_line_is_of_all_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--games", "1", "night-mail"])
    *each, last = capsys.readouterr().out.splitlines()
    assert last == "all " + sha256("".join(each).encode()).hexdigest()
    main(["--games", "2", "night-mail"])
    assert last != capsys.readouterr().out.splitlines()[-1]


def test_it_never_says_which_build_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--games", "1"])
    out = capsys.readouterr().out
    assert "pure" not in out
    assert "compiled" not in out
    assert sha256(out.encode()).hexdigest()  # text, and nothing else


def test_where_a_compiled_build_is_expected_a_pure_one_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CAPOLINEA_EXPECT_COMPILED", "1")
    monkeypatch.setattr("capolinea.lab.trace.compiled", lambda: False)
    assert main(["--games", "1"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "CAPOLINEA_EXPECT_COMPILED" in err
    monkeypatch.setattr("capolinea.lab.trace.compiled", lambda: True)
    assert main(["--games", "1"]) == 0
