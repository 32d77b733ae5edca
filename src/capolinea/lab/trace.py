"""Seeded random games as one line a title and number of players: proof that two builds agree, and that
a change of the code was none of the rules.

    python -m capolinea.lab.trace [--games N] [TITLE …]

A line holds a SHA-256 over every move, the state's key after it, and all that everybody is told and sees;
the last line one over the lines before it. They are the same on every platform, Python version and
build; which build made them is not in them.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec

from capolinea import games
from capolinea.engine.events import Event
from capolinea.engine.game import Game
from capolinea.engine.options import Options, draw
from capolinea.engine.playout import Playout
from capolinea.engine.problems import Problem
from capolinea.engine.rng import Rng
from capolinea.engine.state import State
from capolinea.lab.build import compiled

#: The games of one line: a few when everything is tested, many in `./test --long`.
FEW, MANY = 20, 300


def trace(game: Game, players: int, count: int) -> str:
    """The hash of so many games; the first have the title's presets, the others any options."""
    digest = sha256()
    for number in range(count):
        seed = sha256(f"capolinea trace {game.id} {players} {number}".encode()).digest()
        for part in _game(game, players, _options(game, players, number, seed), seed):
            # With lengths, so that no two different games add up to the same bytes.
            digest.update(len(part).to_bytes(4, "big") + part)
    return digest.hexdigest()


def _game(game: Game, players: int, options: Options, seed: bytes) -> Iterator[bytes]:
    """Played quietly in the fast loop, then once more aloud, move by move: both are under test."""
    playout = Playout()
    playout.trace = []
    finished = game.new(players, options, seed)
    playout.run(finished, Rng(seed), game.longest)
    state = game.new(players, options, seed)
    yield from _moment(state, state.opening())
    for seat, action in zip(playout.trace[::2], playout.trace[1::2], strict=True):
        yield f"{seat} {action}".encode()
        yield from _moment(state, state.apply(seat, action))
    assert state.key() == finished.key()
    yield msgspec.json.encode(state.result())


def _moment(state: State, told: list[Event]) -> Iterator[bytes]:
    """The key, and for each viewer what they were told and what they see."""
    yield state.key()
    viewers = [*range(state.seats), None]
    for viewer, view in zip(viewers, state.views(viewers), strict=True):
        yield msgspec.json.encode([event.seen_by(viewer) for event in told])
        yield msgspec.json.encode(view)


def _options(game: Game, players: int, number: int, seed: bytes) -> Options:
    """A preset, or any options that go together; titles may refuse some."""
    presets = list(game.presets)
    options: Options
    if number < len(presets):
        options = game.preset(presets[number])
        return options
    rng = Rng(seed)
    for _ in range(20):
        options = draw(game.options, rng, {kind: list(sets) for kind, sets in game.data().items()})
        try:
            game.check(players, options)
        except Problem:
            continue
        return options
    return game.options()


def lines(titles: Sequence[str], count: int) -> Iterator[str]:
    for title in titles:
        game = games.load(title)
        # The fewest, the most and one between: rules seldom change anywhere else.
        for players in sorted({game.seats[0], game.seats[len(game.seats) // 2], game.seats[-1]}):
            yield f"{game.id} {players} {trace(game, players, count)}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m capolinea.lab.trace")
    parser.add_argument("--games", type=int, metavar="N")
    parser.add_argument("titles", nargs="*", metavar="TITLE")
    asked = parser.parse_args(arguments)
    if os.environ.get("CAPOLINEA_EXPECT_COMPILED") == "1" and not compiled():
        # Else two runs of the same build would agree, and prove nothing.
        print("CAPOLINEA_EXPECT_COMPILED=1, but this is the pure build", file=sys.stderr)
        return 1
    usual = MANY if os.environ.get("CAPOLINEA_LONG") == "1" else FEW
    digest = sha256()
    for line in lines(asked.titles or list(games.TITLES), asked.games or usual):
        digest.update(line.encode())
        print(line, flush=True)
    print(f"all {digest.hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
