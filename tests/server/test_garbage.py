"""What would hold everybody up once in a while: loading a title, putting a description together, and
the garbage collector. (How long each takes is for bench/bystander.py.)"""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from capolinea import games
from capolinea.server import garbage
from capolinea.server.garbage import DAY, Garbage
from capolinea.server.openapi import described

#: Starts a server, says what it has loaded when people can come, and stops.
START = """
import os, signal, sys
from pathlib import Path
from capolinea.server.run import run
from capolinea.server.settings import Settings
from capolinea.server.sqlite import SqliteStore

def ready(settings):
    print(*sys.modules, flush=True)
    os.kill(os.getpid(), signal.SIGTERM)

run(Settings(port=0), SqliteStore(Path(sys.argv[1])), ready)
"""


def test_all_titles_are_loaded_before_anybody_comes(tmp_path: Path) -> None:
    started = subprocess.run(
        [sys.executable, "-c", START, str(tmp_path / "store.db")],
        capture_output=True,
        text=True,
        check=False,  # it ends by the signal
    )
    wanted = {where.partition(":")[0] for where in games.TITLES.values()}
    assert wanted <= set(started.stdout.split())


def test_the_description_for_programs_is_put_together_once() -> None:
    assert described() is described()


class Collector:
    """What the garbage collector is asked to do."""

    def __init__(self) -> None:
        self.did: list[str] = []

    def set_threshold(self, *_numbers: int) -> None: ...

    def collect(self, generation: int = 2) -> None:
        self.did.append("collect" if generation == 2 else "collect the young")

    def freeze(self) -> None:
        self.did.append("freeze")

    def unfreeze(self) -> None:
        self.did.append("unfreeze")


ALL = ["unfreeze", "collect", "freeze"]
NEW = ["collect the young", "freeze"]


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Collector:
    collector = Collector()
    monkeypatch.setattr(garbage, "gc", collector)
    return collector


def after(collector: Collector, minutes: list[bool]) -> list[str]:
    """What it is asked in the last of these minutes."""
    watch = Garbage()
    for busy in minutes:
        collector.did.clear()
        watch.minute(busy)
    return collector.did


def test_while_somebody_is_here_what_has_been_here_is_put_aside(collector: Collector) -> None:
    assert after(collector, [True, True]) == NEW


def test_when_everybody_left_all_is_looked_at_once(collector: Collector) -> None:
    assert after(collector, [True, False]) == ALL
    assert after(collector, [True, False, False]) == NEW


def test_with_somebody_here_day_and_night_all_is_looked_at_once_a_day(collector: Collector) -> None:
    assert after(collector, [True] * DAY) == ALL
    assert after(collector, [True] * (DAY + 1)) == NEW


def test_the_collector_looks_at_everything_only_when_it_is_told_to() -> None:
    before = gc.get_threshold()
    try:
        Garbage()
        assert gc.get_threshold() == (garbage.NEW, garbage.LOOKS, garbage.NEVER)
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
