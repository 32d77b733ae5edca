"""Writes scenes/*.json: moments of kept games as a seat's browser gets them, with their previews.

Run from the repository with what ./play installs: python web/tests/tachite-al-tram/scenes.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "src"))

import msgspec  # noqa: E402

from capolinea import games  # noqa: E402
from capolinea.engine.match import Match  # noqa: E402
from capolinea.engine.problems import Problem  # noqa: E402
from capolinea.engine.record import Record  # noqa: E402
from capolinea.server.protocol import Asked, Scene  # noqa: E402
from capolinea.server.table import _choices  # noqa: E402

FIXTURES = ROOT / "tests" / "fixtures" / "tachite-al-tram"
OUT = Path(__file__).parent / "scenes"
GAME = games.load("tachite-al-tram")
#: A scene for each thing that can be asked: the action that only it has.
SCENES = {
    "draw": "draw",
    "build": "lay",
    "move": "roll",
    "go": "go",
    "workshop": "futiz",
    "board": "board",
    "set-down": "set-down",
    "boars": "on",
    "card": "use",
}


class Moment:
    """A game up to an entry, seen by who is asked."""

    def __init__(self, match: Match) -> None:
        seats = match.awaited().seats
        self.match, self.seat = match, seats[0] if seats else 0
        self.question = match.newest(self.seat).question

    def has(self, what: str) -> bool:
        if self.question is None or not self.question.must:
            return False
        return any(GAME.space.json(action)["do"] == what for action in self.question.legal)


def main() -> None:
    OUT.mkdir(exist_ok=True)
    for name, what in SCENES.items():
        moment = find(what, 20) or find(what, 0)
        if moment is None:
            print(f"nobody is asked about this in the kept games: {name}")
        else:
            write(name, moment.match, moment.seat)
    waits = find("roll", 30)
    assert waits is not None
    write("wait", waits.match, (waits.seat + 1) % len(waits.match.names))
    write("watch", waits.match, None)
    for ending in GAME.endings:
        for match in whole():
            result = match.result()
            if result is not None and result.ending == ending:
                write(f"end-{ending}", match, 0)
                break


def records() -> Iterator[Record]:
    for path in sorted(FIXTURES.glob("*.json")):
        yield msgspec.json.decode(path.read_bytes(), type=Record)


def whole() -> Iterator[Match]:
    for record in records():
        yield Match.fold(GAME, record, [None, *range(len(record.seats))])


def find(what: str, turn: int) -> Moment | None:
    """The first moment after a turn at which this may be done, in any of the games."""
    for record in records():
        match = Match.begin(GAME, record, [None, *range(len(record.seats))])
        for entry in record.entries:
            match.follow(entry)
            if match.result() is None and match.view(None).turn > turn:  # type: ignore[attr-defined]
                moment = Moment(match)
                if moment.has(what):
                    return moment
    return None


def write(name: str, match: Match, seat: int | None) -> None:
    frame = match.newest(seat)
    # The kept games are played by bots; whose browser this is, is a person.
    players = ["person" if other == seat else by for other, by in enumerate(frame.players)]
    asked, previews = None, {}
    if seat is not None and frame.question is not None:
        tree = match.tree(seat)
        question = frame.question
        asked = Asked(question.id, question.must, _choices(GAME, frame.view, tree), question.undo)
        previews = dict(previewed(match, seat, tree))
    happened = [{"n": f.n, "events": f.events} for f in match.frames(seat)]
    sight = {
        "title": GAME.id,
        "names": match.names,
        "number": seat,
        "scene": Scene(frame.view, frame.awaited, frame.said, players, asked, match.result()),
        "happened": happened if name.startswith("end") else happened[-20:],
        "own": None if seat is None else {"notes": "", "passes": []},
        "previews": previews,
        #: The board as it was then: kept games bring theirs along.
        "board": GAME.content("board", match.options),
    }
    (OUT / f"{name}.json").write_bytes(msgspec.json.encode(sight) + b"\n")


def previewed(match: Match, seat: int, tree: Any) -> Iterator[tuple[str, Any]]:
    """From here, and for the first tile on a few squares, what would be reached."""
    yield "[]", match.preview(seat, [])
    lays = [action for action in tree if GAME.space.json(action)["do"] == "lay"][:1]
    for lay in lays:
        for square, turns in list(tree[lay].items())[:4]:
            for steps in [[lay, square, turn] for turn in turns] or [[lay, square]]:
                try:
                    key = msgspec.json.encode([GAME.space.json(step) for step in steps]).decode()
                    yield key, match.preview(seat, steps)
                except Problem:
                    continue


if __name__ == "__main__":
    main()
