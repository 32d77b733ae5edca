"""Small things that figures are shown with."""

from __future__ import annotations

import doctest
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from capolinea.lab import wilson as module
from capolinea.lab.progress import Progress
from capolinea.lab.wilson import wilson
from tests.cli.test_main import environment

BENCH = Path(__file__).parents[2] / "bench" / "playouts.py"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_manual_tells_the_truth() -> None:
    assert doctest.testmod(module).failed == 0


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [
        # From Wilson's formula worked by hand with z = 1.96.
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
        (1, 3, 0.0615, 0.7923),
    ],
)
def test_wilson(wins: int, games: int, low: float, high: float) -> None:
    assert wilson(wins, games) == pytest.approx((low, high), abs=0.0002)


def test_of_no_games_nothing_is_known() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_terminal_gets_a_bar_that_is_gone_at_the_end() -> None:
    stream = Terminal()
    with Progress(4, "Playing", stream) as progress:
        progress.drawn_at = -1.0
        progress(2)
    text = stream.getvalue()
    assert "Playing" in text
    assert "2/4" in text
    assert text.endswith("\r\x1b[K")


def test_a_bar_is_not_drawn_for_every_step() -> None:
    stream = Terminal()
    with Progress(1000, "x", stream) as progress:
        for done in range(1000):
            progress(done)
    assert stream.getvalue().count("\r") < 50


def test_a_file_gets_nothing() -> None:
    stream = io.StringIO()
    with Progress(4, "Playing", stream) as progress:
        progress(4)
    assert stream.getvalue() == ""


def test_the_bench_reports_ours_and_says_what_is_missing() -> None:
    words = [sys.executable, str(BENCH), "--json", "--games", "2", "--rounds", "1"]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    for loop in ("interpreted", "compiled"):
        figures = found["ours"]["night-mail"][loop]
        assert figures["games"] == 2
        assert 0 < figures["decisions"] < figures["moves"]
        assert figures["decisions_per_second"] > 0
    assert set(found["peers"]) == {"hearts", "social_deduction", "backgammon"}
    for peer, loops in found["peers"].items():
        if loops["interpreted"] is None:
            assert "open_spiel" in loops["reason"]
        else:
            assert found["ratios"][f"night-mail/{peer}"] > 0
