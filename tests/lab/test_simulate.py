"""Many games: the same whatever the number of jobs, rightly counted, and kept as records."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from capolinea import games
from capolinea.engine import Event, Match, Problem, Result
from capolinea.engine.record import Move, loads
from capolinea.lab.simulate import GameFailed, Plan, Summary, play_one, seed_of, simulate
from tests.cli.stranger import GAME as TALLY
from tests.cli.stranger import STUCK

GAME = games.load("night-mail")
FIRST = "tests.bots.strangers:First"

KEYS = [
    "title",
    "players",
    "games",
    "moves",
    "decisions",
    "seconds",
    "moves_per_second",
    "decisions_per_second",
    "games_per_second",
    "compiled",
    "endings",
    "wins",
    "events",
    "seed",
    "bots",
    "options",
]


def counted(summary: Summary) -> dict[str, object]:
    """All but what the clock says."""
    plain: dict[str, object] = msgspec.to_builtins(summary)
    return {key: value for key, value in plain.items() if "second" not in key}


def kept(folder: Path) -> dict[str, str]:
    return {file.name: file.read_text("utf-8") for file in sorted(folder.iterdir())}


def results(folder: Path) -> list[Result]:
    found = [loads(text).result for text in kept(folder).values()]
    return [result for result in found if result is not None]


@pytest.mark.parametrize("bots", [["random"], ["random", FIRST]])
def test_the_same_seed_gives_the_same_games_whatever_the_jobs(
    tmp_path: Path, bots: list[str]
) -> None:
    one = simulate(GAME, 3, 60, 7, bots, records_dir=tmp_path / "one", jobs=1)
    two = simulate(GAME, 3, 60, 7, bots, records_dir=tmp_path / "two", jobs=2)
    assert counted(one) == counted(two)
    assert kept(tmp_path / "one") == kept(tmp_path / "two")
    assert len(kept(tmp_path / "one")) == 60


def test_another_seed_gives_other_games(tmp_path: Path) -> None:
    simulate(GAME, 3, 3, 1, records_dir=tmp_path / "one")
    simulate(GAME, 3, 3, 2, records_dir=tmp_path / "two")
    one, two = kept(tmp_path / "one"), kept(tmp_path / "two")
    assert not set(one.values()) & set(two.values())


def test_a_game_does_not_depend_on_how_many_come_after_it(tmp_path: Path) -> None:
    simulate(GAME, 2, 3, 1, records_dir=tmp_path / "few")
    simulate(GAME, 2, 9, 1, records_dir=tmp_path / "more")
    few, more = kept(tmp_path / "few"), kept(tmp_path / "more")
    assert list(few) == ["0001.json", "0002.json", "0003.json"]
    assert all(more[name] == text for name, text in few.items())


def test_seeds_are_a_promise() -> None:
    """Other tools may derive them too: seed, number of the game from 0, purpose."""
    assert seed_of(1, 0, "deal").hex().startswith("93333dc54a284d90")
    assert len({seed_of(s, n, p) for s in (1, 2) for n in (1, 11) for p in ("deal", "bots")}) == 8


def test_the_keys_of_the_summary() -> None:
    plain = json.loads(msgspec.json.encode(simulate(GAME, 4, 5, 3)))
    assert list(plain) == KEYS
    assert plain["title"] == "night-mail"
    assert (plain["players"], plain["games"], plain["seed"]) == (4, 5, 3)
    assert plain["bots"] == ["random"] * 4
    assert plain["options"]["line"] == "coast"
    assert type(plain["compiled"]) is bool
    assert set(plain["endings"]) == set(GAME.endings)
    assert len(plain["wins"]["seats"]) == 4
    assert set(plain["wins"]["roles"]) == {"north", "south"}
    for rate, what in (("moves", "moves"), ("decisions", "decisions"), ("games", "games")):
        assert plain[f"{rate}_per_second"] == pytest.approx(plain[what] / plain["seconds"])


def test_what_happened_is_counted_by_the_keys_of_events() -> None:
    plain = simulate(GAME, 3, 4, bots=[FIRST]).events
    assert all(key.startswith("event.") for key in plain)
    # Every game ends once, and much else happens.
    assert len(plain) > 1
    assert sum(plain.values()) > 4


def test_who_plays_single_games_counts_events_as_they_like() -> None:
    def initial(event: Event) -> str:
        return "" if event.key == "event.loaded" else event.key[6]

    plan = Plan(GAME, GAME.options(), 1, [FIRST] * 3, count=initial)
    events = play_one(plan, 0).events
    assert events
    assert all(len(name) == 1 for name in events)


def test_games_of_random_bots_alone_are_not_watched() -> None:
    assert simulate(GAME, 3, 4).events == {}


def test_roles_only_where_there_are_roles() -> None:
    plain = msgspec.to_builtins(simulate(TALLY, 2, 5))
    assert set(plain["wins"]) == {"seats"}


@pytest.mark.parametrize("bots", [["random"], [FIRST, "random"]])
def test_what_is_counted_is_what_the_records_say(tmp_path: Path, bots: list[str]) -> None:
    summary = simulate(GAME, 3, 40, 5, bots, records_dir=tmp_path)
    ends = results(tmp_path)
    assert len(ends) == summary.games == 40
    assert summary.endings == {e: sum(r.ending == e for r in ends) for e in GAME.endings}
    assert summary.wins.seats == [sum(r.outcomes[seat].won for r in ends) for seat in range(3)]
    for role, count in summary.wins.roles.items():
        having = [seat for r in ends for seat in r.outcomes if seat.role == role]
        assert (count.wins, count.games) == (sum(seat.won for seat in having), len(having))
    steps = sum(
        len(entry.do)
        for text in kept(tmp_path).values()
        for entry in loads(text).entries
        if isinstance(entry, Move)
    )
    assert summary.moves == steps
    assert 0 < summary.decisions < summary.moves


@pytest.mark.parametrize("bots", [["random"], [FIRST, "random"]])
def test_records_fold_to_their_result_and_carry_no_time(tmp_path: Path, bots: list[str]) -> None:
    simulate(GAME, 4, 10, 5, bots, records_dir=tmp_path)
    compound = 0
    for text in kept(tmp_path).values():
        record = loads(text)
        assert Match.fold(GAME, record).result() == record.result
        assert not any(entry.at for entry in record.entries)
        assert '"at"' not in text
        compound += sum(isinstance(entry, Move) and len(entry.do) > 1 for entry in record.entries)
    assert compound


def test_bots_go_round_the_seats(tmp_path: Path) -> None:
    summary = simulate(GAME, 5, 1, 1, ["random", FIRST], records_dir=tmp_path)
    assert summary.bots == ["random", FIRST, "random", FIRST, "random"]
    record = loads(kept(tmp_path)["0001.json"])
    assert record.seats == ["random 1", f"{FIRST} 2", "random 3", f"{FIRST} 4", "random 5"]


def test_options_count(tmp_path: Path) -> None:
    short = simulate(GAME, 2, 30, 1, options=GAME.preset("short"), records_dir=tmp_path)
    assert short.options["line"] == "shuttle"
    assert short.moves < simulate(GAME, 2, 30, 1).moves
    assert loads(kept(tmp_path)["0001.json"]).options["line"] == "shuttle"


def test_with_or_without_records_the_games_are_the_same(tmp_path: Path) -> None:
    with_records = simulate(GAME, 3, 20, 9, records_dir=tmp_path)
    assert counted(simulate(GAME, 3, 20, 9)) == counted(with_records)


@pytest.mark.parametrize("jobs", [1, 2])
def test_progress_is_told_up_to_the_last_game(jobs: int) -> None:
    told: list[int] = []
    simulate(GAME, 2, 55, jobs=jobs, progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 55
    assert len(told) > 5


def test_what_is_wrong_with_the_plan_is_told_before_any_game(tmp_path: Path) -> None:
    for players, bots in ((9, ["random"]), (3, ["nobody"])):
        with pytest.raises(Problem) as raised:
            simulate(GAME, players, 5, bots=bots, records_dir=tmp_path / "none")
        assert not isinstance(raised.value, GameFailed)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("bots", [["random"], [FIRST]])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_game_that_cannot_be_played_is_named(jobs: int, bots: list[str]) -> None:
    with pytest.raises(GameFailed) as raised:
        simulate(STUCK, 2, 4, bots=bots, jobs=jobs)
    assert raised.value.key == "simulate.failed"
    why = raised.value.args_["why"]
    assert isinstance(why, Problem)
    assert why.key == "playout.dead-end"
    if jobs == 1:
        assert raised.value.args_["game"] == 1


def test_a_record_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_disk(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full_disk)
    with pytest.raises(GameFailed) as raised:
        simulate(GAME, 2, 1, records_dir=tmp_path)
    assert raised.value.args_["why"] == "No space left on device"
    assert list(tmp_path.iterdir()) == []


def test_random_games_win_about_as_often_in_every_seat() -> None:
    """A sanity check of the whole chain: nobody is favoured by more than chance allows."""
    summary = simulate(GAME, 4, 2000)
    shares = Counter(dict(enumerate(summary.wins.seats)))
    assert max(shares.values()) - min(shares.values()) < 2000 * 0.08
