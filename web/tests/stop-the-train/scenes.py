"""Writes scenes/*.json: moments of kept games as a seat's browser gets them, with all previews.

Run from the repository with what ./play installs: python web/tests/stop-the-train/scenes.py
"""

from __future__ import annotations

import sys
from collections.abc import Callable
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

FIXTURES = ROOT / "tests" / "fixtures" / "stop-the-train"
OUT = Path(__file__).parent / "scenes"
GAME = games.load("stop-the-train")


class Moment:
    """A game up to an entry."""

    def __init__(self, match: Match, seat: int | None) -> None:
        self.match, self.seat = match, seat
        self.view: Any = match.view(seat)
        self.question = match.newest(seat).question

    def has(self, *dos: str) -> bool:
        """The seat is waited for and could do one of these."""
        if self.question is None:
            return False
        found = {GAME.space.json(action)["do"] for action in self.question.legal}
        return bool(found & set(dos))

    def must(self, *dos: str) -> bool:
        return self.question is not None and self.question.must and self.has(*dos)


Wanted = Callable[[Moment], bool]


def play_or(moment: Moment) -> bool:
    own = moment.view.own
    names = ("sleight-of-hand-a", "sleight-of-hand-b", "sleight-of-hand-c", "theft", "id-check")
    return moment.must("play") and any(card in names for card in own.effects)


def play(moment: Moment) -> bool:
    """A card that would lead to a meeting: the scene of the mockup."""
    if not moment.must("play") or play_or(moment) or len(moment.view.own.effects) < 2:
        return False
    actions = [a for a in moment.question.legal if GAME.space.json(a)["do"] == "play"]
    previews = [moment.match.preview(moment.seat, [a]) for a in actions]
    return any("meeting" in p.happens for p in previews)


def ballot(moment: Moment) -> bool:
    return moment.must("throw-off") and sum(b >= 0 for b in moment.view.meeting.ballots) >= 2


def target(moment: Moment) -> bool:
    wide = {"burn", "forgery", "citizens-arrest", "rooftop-showdown"}
    return moment.has("intervene") and bool(wide & set(moment.view.own.cards))


SCENES: dict[str, tuple[str, Wanted]] = {
    "keep": ("stopped-standard", lambda m: m.must("return")),
    "draw": ("stopped-standard", lambda m: m.must("discard") and m.view.turn > 4),
    "play": ("wins-chanteuse", play),
    "or": ("stopped-standard", play_or),
    "permit": ("wins-ticket-inspector", lambda m: m.must("take-organiser", "take")),
    "window": ("stopped-standard", lambda m: m.view.step == "effect-played" and m.has("pass")),
    "answer": ("stopped-standard", lambda m: m.view.step == "answer" and m.has("pass")),
    "target": ("wins-rogue", target),
    "vote": ("stopped-standard", lambda m: m.must("vote")),
    "talk": ("wins-rogue", lambda m: m.view.step == "meeting" and m.has("pass")),
    "ballot": ("wins-mayor-of-paris", ballot),
    "wait": (
        "stopped-standard",
        lambda m: m.view.turn > 8 and not m.must("play", "discard", "pass"),
    ),
    "off": ("wins-engineer", lambda m: m.view.players[m.seat].status == "off"),
    "freight": ("random-freight", lambda m: m.view.freight > 3 and m.must("play")),
}
ENDS = {"end": "stopped-standard", "end-crashed": "crashed-standard", "end-off": "wins-rogue"}


def main() -> None:
    OUT.mkdir(exist_ok=True)
    for name, (file, wanted) in SCENES.items():
        write(name, *find(file, wanted))
    for name, file in ENDS.items():
        match = read(file)
        write(name, match, 0)
    write("watch", *find("stopped-standard", lambda m: m.view.turn > 12, [None]))


def read(file: str, entries: int | None = None) -> Match:
    record = msgspec.json.decode((FIXTURES / f"{file}.json").read_bytes(), type=Record)
    kept = record.entries if entries is None else record.entries[:entries]
    viewers: list[int | None] = [None, *range(len(record.seats))]
    record = msgspec.structs.replace(record, entries=kept)
    return Match.fold(GAME, record, viewers)


def find(first: str, wanted: Wanted, seats: list[int | None] | None = None) -> Any:
    """The first such moment, in this game or else in any."""
    for file in [first, *sorted(path.stem for path in FIXTURES.glob("*.json"))]:
        found = look(file, wanted, seats)
        if found is not None:
            return found
    raise LookupError(first)


def look(file: str, wanted: Wanted, seats: list[int | None] | None) -> Any:
    record = msgspec.json.decode((FIXTURES / f"{file}.json").read_bytes(), type=Record)
    viewers: list[int | None] = [None, *range(len(record.seats))]
    match = Match.begin(GAME, record, viewers)
    for entry in record.entries:
        match.follow(entry)
        for seat in seats or range(len(record.seats)):
            if wanted(Moment(match, seat)):
                return match, seat
    return None


def write(name: str, match: Match, seat: int | None) -> None:
    frame = match.newest(seat)
    # The kept games are played by bots; whose browser this is, is a person.
    players = ["person" if other in (seat, 0) else by for other, by in enumerate(frame.players)]
    asked, previews = None, {}
    if seat is not None and frame.question is not None:
        tree = match.tree(seat)
        question = frame.question
        asked = Asked(question.id, question.must, _choices(GAME, frame.view, tree), question.undo)
        previews = dict(previewed(match, seat, tree, []))
    sight = {
        "title": GAME.id,
        "names": match.names,
        "number": seat,
        "scene": Scene(frame.view, frame.awaited, frame.said, players, asked, match.result()),
        "happened": [{"n": f.n, "events": f.events} for f in match.frames(seat)][-60:],
        "own": None if seat is None else {"notes": "", "passes": []},
        "previews": previews,
    }
    if name.startswith("end"):
        sight["happened"] = [{"n": f.n, "events": f.events} for f in match.frames(seat)]
    (OUT / f"{name}.json").write_bytes(msgspec.json.encode(sight) + b"\n")


def previewed(match: Match, seat: int, tree: Any, begun: list[int]) -> Any:
    """Every beginning of a choice with what it would do, by its steps as JSON."""
    for action, then in tree.items():
        steps = [*begun, action]
        try:
            key = msgspec.json.encode([GAME.space.json(step) for step in steps]).decode()
            yield key, match.preview(seat, steps)
        except Problem:
            pass
        if len(steps) < 2:
            yield from previewed(match, seat, then, steps)


if __name__ == "__main__":
    main()
