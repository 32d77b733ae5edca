"""Writes web/src/generated/tutorial-<title>.json: lessons as the learner's browser plays them.

A lesson (src/capolinea/games/*/tutorial/*.json) is a whole match with an explicit deal, and stops on
the way: at each one something is said, and where the next entry is the learner's own, they make it.
The browser knows no rules, so all that it shows is made here: scenes as deltas, and at the learner's
moves what they could do and what it would come to. Run by the build of the browser's side, as
tools/webtypes.py is.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "src"))

from capolinea import games  # noqa: E402
from capolinea.engine.events import Told  # noqa: E402
from capolinea.engine.match import Match, Tree  # noqa: E402
from capolinea.engine.problems import Problem, Refused  # noqa: E402
from capolinea.engine.record import Move, Record, Say  # noqa: E402
from capolinea.server.delta import delta  # noqa: E402
from capolinea.server.protocol import Asked, Choice, Why  # noqa: E402
from capolinea.words import languages  # noqa: E402

LESSONS = ROOT / "src" / "capolinea" / "games"
GENERATED = ROOT / "web" / "src" / "generated"
#: Previews are asked for a choice as it is made, step by step; no title looks further than this.
DEEPEST = 3
NO_STEP = "[]"


class Worded(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The lines that sayings make: free text, and ready-made ones about cards."""

    text: str
    #: What such a line calls its cards.
    cards: list[str]


class Stop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the lesson halts: before this entry, which is the learner's if they are to move."""

    entry: int
    #: What is said, by its key; with ".other" after it, what is said to another choice.
    say: str
    #: What it is about, so that nothing lies over it: "map", "hand", "players", "end", or the id of one
    #: of the board's drawers.
    point: str
    args: dict[str, Any] = {}
    #: Where something is to be said: whatever of its kind will do.
    any: bool = False
    #: How to show what the learner says instead of what the record has.
    worded: Worded | None = None
    #: One may go on without doing it.
    optional: bool = False
    #: From this entry on nothing is shown on the way here: a few turns later.
    skip_from: int | None = None


class Lesson(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: int
    stops: list[Stop]
    record: Record
    #: Kinds of texts that are taken along only for what turns up: of hundreds of cards a few are seen.
    only_seen: list[str] = []


def lessons() -> list[Path]:
    return sorted(LESSONS.glob("*/tutorial/*.json"))


def read(file: Path) -> Lesson:
    return msgspec.json.decode(file.read_bytes(), type=Lesson)


def played(lesson: Lesson) -> dict[str, Any]:
    """The lesson as its learner sees it."""
    record, seat = lesson.record, lesson.seat
    match = Match.begin(games.load(record.title), record, [seat])
    by_entry: dict[int, list[Stop]] = {}
    for stop in lesson.stops:
        by_entry.setdefault(stop.entry, []).append(stop)
    frames: list[dict[str, Any]] = []
    stops: list[dict[str, Any]] = []
    scene: dict[str, Any] = {}
    told: list[Told] = list(match.newest(seat).events)
    seen = match.newest(seat).n
    turns: dict[int, int] = {}
    for number in range(len(record.entries) + 1):
        turns[number] = _clock(match)
        here = by_entry.get(number, [])
        if here or (scene and told and not _skipped(lesson, number)):
            now = _scene(match, seat)
            frames.append({"events": told, "delta": delta(scene, now)})
            scene, told = now, []
        stops += [_stop(match, lesson, stop, len(frames) - 1, turns) for stop in here]
        if number < len(record.entries):
            match.follow(record.entries[number], number)
            newest = match.newest(seat)
            if newest.n > seen:  # else the learner heard nothing of it
                seen = newest.n
                told += newest.events
    heard = set(_strings(msgspec.to_builtins([[f["events"] for f in frames], stops])))
    return {
        "title": record.title,
        "seat": seat,
        "names": record.seats,
        "frames": frames,
        "stops": stops,
        # What comes with the table and not with the title: the names of places, the texts of cards.
        "texts": {lang: _texts(match, lesson, lang, heard) for lang in languages()},
    }


def _clock(match: Match) -> int:
    """How many turns or rounds are over."""
    view = match.view(None)
    return int(getattr(view, "turn", getattr(view, "round", 0)))


def _texts(match: Match, lesson: Lesson, lang: str, heard: set[str]) -> dict[str, Any]:
    """A card has its things with it: "thing.mime.0" is needed where "mime" turns up."""

    def needed(key: str) -> bool:
        kind, *id = key.split(".")
        return kind not in lesson.only_seen or not heard.isdisjoint({".".join(id), *id})

    texts = match.game.texts(match.options, lang)
    return {key: text for key, text in texts.items() if needed(key)}


def _strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _strings(inner)


def _skipped(lesson: Lesson, entry: int) -> bool:
    return any(s.skip_from is not None and s.skip_from < entry < s.entry for s in lesson.stops)


def _scene(match: Match, seat: int) -> dict[str, Any]:
    """As the server makes it, but without the question: that belongs to the stops."""
    scene = {
        "view": match.view(seat),
        "awaited": match.awaited(),
        "said": match.said,
        "players": match.players,
        "result": match.result(),
    }
    found: dict[str, Any] = msgspec.to_builtins(scene)
    return found


def _stop(
    match: Match, lesson: Lesson, stop: Stop, frame: int, turns: dict[int, int]
) -> dict[str, Any]:
    made: dict[str, Any] = {"frame": frame, "say": {"key": stop.say, "args": stop.args}}
    made["point"] = stop.point
    if stop.skip_from is not None:
        made["later"] = turns[stop.entry] - turns[stop.skip_from]
        made["counts"] = "turns" if hasattr(match.view(None), "turn") else "rounds"
    entries = lesson.record.entries
    entry = entries[stop.entry] if stop.entry < len(entries) else None
    if isinstance(entry, Say) and entry.seat == lesson.seat:
        line = match.game.say(match.view(None), lesson.seat, entry.said)
        more = {"any": stop.any, "optional": stop.optional, "worded": stop.worded}
        return made | {"said": entry.said, "line": line} | {k: v for k, v in more.items() if v}
    if not isinstance(entry, Move) or entry.seat != lesson.seat or _told_twice(lesson, stop):
        return made
    question = match.newest(lesson.seat).question
    assert question is not None
    tree = match.tree(lesson.seat)
    asked = Asked(question.id, question.must, _choices(match, lesson.seat, tree), 0)
    previews = dict(_previews(match, lesson.seat, tree, []))
    made |= {"do": entry.do, "question": asked, "previews": _changes(previews)}
    refusals = list(_refusals(match, lesson.seat, tree))
    return made | ({"refusals": refusals} if refusals else {})


def _told_twice(lesson: Lesson, stop: Stop) -> bool:
    """Of several stops before one move only the last one asks for it."""
    return stop is not [one for one in lesson.stops if one.entry == stop.entry][-1]


def _choices(match: Match, seat: int, tree: Tree) -> list[Choice]:
    """As the server words them."""
    game, view = match.game, match.view(seat)
    return [
        Choice(game.space.json(step), game.describe(view, step), _choices(match, seat, then))
        for step, then in tree.items()
    ]


def _previews(
    match: Match, seat: int, tree: Tree, begun: list[int]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each beginning of a choice would do, by its steps as JSON, and what could be done with none
    taken; what tells nothing is left out."""
    try:
        found = msgspec.to_builtins(match.preview(seat, begun))
    except Problem:
        found = {}
    if any(found.values()):
        written = [match.game.space.json(step) for step in begun]
        yield msgspec.json.encode(written).decode(), found
    if len(begun) < DEEPEST:
        for action, then in tree.items():
            yield from _previews(match, seat, then, [*begun, action])


def _refusals(match: Match, seat: int, tree: Tree) -> Iterator[dict[str, Any]]:
    """What of the same kind cannot come after a step, and why: what a reason has from the step itself is
    left out, so that many share one."""
    space = match.game.space
    for begun, then in tree.items():
        shared: dict[bytes, dict[str, Any]] = {}
        for do in {space.json(step)["do"]: None for step in then}:
            first = space.first[str(do)]
            for step in range(first, first + space.families[str(do)].size):
                if step in then:
                    continue
                try:
                    match.preview(seat, [begun, step])
                except Refused as refused:
                    written = space.json(step)
                    why = Why.of(refused)
                    args = {k: v for k, v in why.args.items() if written.get(k) != v}
                    why = msgspec.structs.replace(why, args=args)
                    fresh = {"after": space.json(begun), "why": why, "steps": []}
                    shared.setdefault(msgspec.json.encode(why), fresh)["steps"].append(written)
        yield from shared.values()


def _changes(previews: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Of each preview only what is not the same with no step taken: most tiles change no way."""
    before = previews.get(NO_STEP, {})
    return {
        steps: found if steps == NO_STEP else {k: v for k, v in found.items() if v != before.get(k)}
        for steps, found in previews.items()
    }


def main() -> None:
    GENERATED.mkdir(parents=True, exist_ok=True)
    for file in lessons():
        made = played(read(file))
        text = msgspec.json.encode(made) + b"\n"
        target = GENERATED / f"tutorial-{made['title']}.json"
        # Only if it changed: who watches the file should not build again for nothing.
        if not target.exists() or target.read_bytes() != text:
            target.write_bytes(text)


if __name__ == "__main__":
    main()
