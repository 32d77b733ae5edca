"""Small things that figures are shown with."""

from __future__ import annotations

import doctest
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

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


#: Stands in for OpenSpiel: each of its games is a forced move, then a choice of two.
PYSPIEL = """
class State:
    moves = 0
    def is_terminal(self): return self.moves == 2
    def is_chance_node(self): return False
    def legal_actions(self): return [0, 1][:self.moves + 1]
    def apply_action(self, action): self.moves += 1

class Game:
    new_initial_state = State
    def num_players(self): return 1

def load_game(name): return Game()
def make_uniform_random_bot(player, seed): return None
def evaluate_bots(state, bots, seed): pass
"""


def bench(games: int, **environ: str) -> dict[str, Any]:
    words = [sys.executable, str(BENCH), "--json", "--games", str(games), "--rounds", "1"]
    env = environment() | environ
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_the_bench_reports_ours_and_says_what_is_missing() -> None:
    found = bench(2)
    for figures in found["ours"]["night-mail"].values():
        assert figures["games"] == 2
        assert 0 < figures["decisions"] < figures["moves"]
        assert figures["decisions_per_second"] > 0
    assert set(found["peers"]) == {"hearts", "social_deduction", "backgammon"}
    for loops in found["peers"].values():
        assert loops["python"] is not None or "open_spiel" in loops["reason"]


def test_the_bench_compares_loops_that_walk_forced_moves_and_names_those_that_skip_them(
    tmp_path: Path,
) -> None:
    (tmp_path / "pyspiel.py").write_text(PYSPIEL)
    found = bench(2, PYTHONPATH=os.pathsep.join((str(tmp_path), environment()["PYTHONPATH"])))
    ours, theirs = found["ours"]["stop-the-train"], found["peers"]["hearts"]
    for loop in ("python", "own"):
        # Theirs walks: it asks for the forced move as well.
        assert (theirs[loop]["moves"], theirs[loop]["decisions"]) == (4, 2)
        assert ours[loop]["moves"] > 2 * ours[loop]["decisions"]
        skipping = ours[f"{loop}-skipping"]
        assert skipping["moves"] < 1.2 * skipping["decisions"]
        for name in (loop, f"{loop}-skipping"):
            ratio = ours[name]["decisions_per_second"] / theirs[loop]["decisions_per_second"]
            assert found["ratios"]["stop-the-train/hearts"][name] == pytest.approx(ratio)
