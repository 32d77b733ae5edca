"""Checks that what is hidden stays hidden.

Non-interference: a match and its twin differ only in what one viewer may not know, so every byte that
this viewer ever receives must be the same in both: views, events, what is awaited, what they may do
and say, previews, refusals, and the number, size and order of all of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec

from capolinea.engine import Game, Match, Problem, Record, Refused, Rng, Viewer
from capolinea.engine.playout import Playout
from capolinea.engine.record import Say, Undo, altered
from capolinea.lab.conform.fault import (
    Case,
    Fault,
    Position,
    encoded,
    number_of,
    place,
    positions,
    viewers,
)


def check_imagine(case: Case) -> None:
    """An imagined state looks, to the one who imagined it, like the one it came from."""
    for position in positions(case):
        if case.sampled(6):
            for viewer in viewers(position.state.seats):
                _imagined(case, position, viewer)


def _imagined(case: Case, position: Position, viewer: Viewer) -> None:
    state, number = position.state, position.number
    view = state.view(viewer)
    other = case.game.imagine(view, case.rng)
    if encoded(other.view(viewer)) != encoded(view):
        path, _, _ = difference(_json(view), _json(other.view(viewer)))
        raise Fault("fault.imagine.view", entry=number, viewer=number_of(viewer), path=path)
    same_question = other.window() == state.window() and (
        state.window() != "" or other.waiting() == state.waiting()
    )
    if not same_question:
        raise Fault("fault.imagine.awaited", entry=number, viewer=number_of(viewer))
    if viewer is not None and other.legal(viewer) != state.legal(viewer):
        raise Fault("fault.imagine.legal", entry=number, viewer=number_of(viewer))
    if not case.sampled(3):
        return
    try:
        Playout().run(other, Rng(b"imagine"), case.game.longest)
    except Exception as error:
        raise Fault(
            "fault.imagine.unplayable",
            entry=number,
            viewer=number_of(viewer),
            error=repr(error),
            where=place(error, case.game),
        ) from error


@dataclass
class TwinCount:
    """How many pairs of a match and a viewer had a twin, and how many twins truly differed."""

    pairs: int = 0
    differ: int = 0

    @property
    def share(self) -> float:
        return self.differ / self.pairs if self.pairs else 1.0


def check_secrets(case: Case, count: TwinCount | None = None) -> None:
    """For every viewer, play the match and its twin and compare all that they receive."""
    seats = len(case.record.seats)
    for viewer in viewers(seats):
        if case.only not in (None, number_of(viewer)):
            continue
        # The end often reveals all: half of the time, look at a match that is still going on.
        record = case.record
        if not case.thorough and case.rng.below(2):
            kept = case.rng.below(len(record.entries) + 1)
            record = altered(record, entries=record.entries[:kept])
        for _ in range(12 if case.thorough else 1):
            differs = _compare(case, record, viewer)
            if count is not None:
                count.pairs += 1
                count.differ += differs


def _compare(case: Case, record: Record, viewer: Viewer) -> bool:
    """Raise a Fault if the viewer can tell the record from its twin; say whether the twin differs."""
    own = Received(case.game, record, viewer)
    twin = altered(case.game.twin(record, viewer, Rng(case.rng.bytes(16))))
    other = Received(case.game, twin, viewer)
    fault = _fault(viewer, own, other, twin)
    if fault is not None:
        fault.twin = twin
        raise fault
    return own.keys != other.keys


def _fault(viewer: Viewer, own: Received, other: Received, twin: Record) -> Fault | None:
    """The first thing that tells the one from the other."""
    for number, (one, two) in enumerate(zip(own.frames, other.frames, strict=False)):
        if one != two:
            return _leak(viewer, number, one, two)
    if other.problem is not None:
        return _no_twin(viewer, twin, other.problem)
    counts = len(own.frames), len(other.frames)
    if counts[0] != counts[1]:
        return Fault("fault.secrets.count", viewer=number_of(viewer), one=counts[0], two=counts[1])
    return None


def _no_twin(viewer: Viewer, twin: Record, problem: Problem) -> Fault:
    """The twin cannot be played: it is wrong or, if an undo or a saying is refused there, that tells."""
    number = problem.args_.get("entry")
    entry = twin.entries[number] if isinstance(number, int) else None
    if not isinstance(entry, (Undo, Say)):
        return Fault("fault.secrets.twin", viewer=number_of(viewer), why=problem)
    path = "undo" if isinstance(entry, Undo) else "said"
    return Fault(
        f"fault.secrets.{path}",
        viewer=number_of(viewer),
        frame=number,
        path=path,
        one="allowed",
        two="refused",
    )


class Received:
    """Everything that one viewer receives of a match, and the true states behind it."""

    def __init__(self, game: Game, record: Record, viewer: Viewer) -> None:
        self.game = game
        self.viewer = viewer
        self.keys: list[bytes] = []
        #: The frames as bytes, each with what the viewer could ask for while it was the newest.
        self.frames: list[bytes] = []
        #: Why the record could be followed no further, if it could not.
        self.problem: Problem | None = None
        try:
            self._follow(record)
        except Problem as problem:
            self.problem = problem

    def _follow(self, record: Record) -> None:
        match = Match.begin(self.game, record, [self.viewer])
        self._note(match)
        for number, entry in enumerate(record.entries):
            match.follow(entry, number)
            self._note(match)

    def _note(self, match: Match) -> None:
        self.keys.append(match.state.key())
        frame = match.frames(self.viewer)[-1]
        asked, said = self._asked(match, frame.n), self._said(match, frame.n)
        received = encoded({"frame": frame, "asked": asked, "said": said})
        if frame.n > len(self.frames):
            self.frames.append(received)
        elif received != self.frames[-1]:
            # Something changed of which the viewer was told nothing, but which they can find out.
            self.frames[-1] = encoded([msgspec.Raw(self.frames[-1]), msgspec.Raw(received)])

    def _asked(self, match: Match, n: int) -> dict[str, Any]:
        """Answers to what this viewer may ask: refusals, previews, further steps, the default."""
        if self.viewer is None:
            return {}
        rng = Rng(b"asked %d" % n)
        legal = match.legal(self.viewer)
        answers: dict[str, Any] = {}
        for action in [*legal[:6], *(rng.below(self.game.space.size) for _ in range(4))]:
            answers[str(action)] = self._answer(match, action)
        if self.viewer in match.state.waiting():
            answers["default"] = match.state.default(self.viewer)
        return answers

    def _said(self, match: Match, n: int) -> list[Any]:
        """What becomes of what this viewer might say, and of what somebody said last in their mouth."""
        if self.viewer is None:
            return []
        rng = Rng(b"said %d" % n)
        said = [self.game.babble(match.view(self.viewer), rng) for _ in range(2)]
        said += [saying.said for saying in match.said[-1:]]
        return [[one, self._line(match, one)] for one in said if one is not None]

    def _line(self, match: Match, said: Any) -> Any:
        assert self.viewer is not None
        try:
            return self.game.say(match.view(None), self.viewer, said)
        except Refused as refused:
            return [refused.key, refused.args_, refused.rule]

    def _answer(self, match: Match, action: int) -> Any:
        assert self.viewer is not None
        try:
            preview: Any = match.preview(self.viewer, [action])
        except Refused as refused:
            preview = [refused.key, refused.args_, refused.rule]
        if action in match.legal(self.viewer):
            # Only a compound choice has further steps; to try another would be to make the move.
            state = match.state.copy()
            state.play(self.viewer, action)
            return [preview, state.legal(self.viewer) if state.midway() == self.viewer else []]
        try:
            match.state.copy().play(self.viewer, action)
        except Refused as refused:
            return [preview, [refused.key, refused.args_, refused.rule]]
        return [preview, []]


def _leak(viewer: Viewer, number: int, one: bytes, two: bytes) -> Fault:
    """The first difference between two frames, by the way in which it tells."""
    path, a, b = difference(msgspec.json.decode(one), msgspec.json.decode(two))
    args = {
        "viewer": number_of(viewer),
        "frame": number + 1,
        "path": path,
        "one": repr(a),
        "two": repr(b),
    }
    if path.startswith("frame.question.undo"):
        return Fault("fault.secrets.undo", **args)
    if path.startswith("frame.awaited"):
        return Fault("fault.secrets.awaited", **args)
    if path.startswith("frame.events"):
        return Fault("fault.secrets.size" if _longer(a, b) else "fault.secrets.event", **args)
    if path.startswith("said"):
        return Fault("fault.secrets.said", **args)
    if not path.startswith("frame.view"):
        return Fault("fault.secrets.asked", **args)
    if isinstance(a, list) and isinstance(b, list) and _sorted(a) == _sorted(b):
        return Fault("fault.secrets.order", **args)
    if number == 0:
        return Fault("fault.secrets.first", **args)
    return Fault("fault.secrets.view", **args)


def difference(one: Any, two: Any, path: str = "") -> tuple[str, Any, Any]:
    """Where two JSON values first differ, and the values there.

    Lists differ as a whole when they hold the same things in another order, or one goes on where the
    other ends."""
    if isinstance(one, dict) and isinstance(two, dict):
        for key in [*one, *(k for k in two if k not in one)]:
            if key not in one or key not in two:
                return f"{path}{key}", one.get(key), two.get(key)
            if one[key] != two[key]:
                return difference(one[key], two[key], f"{path}{key}.")
    lists = isinstance(one, list) and isinstance(two, list)
    if lists and (len(one) != len(two) or _sorted(one) != _sorted(two)):
        for index, pair in enumerate(zip(one, two, strict=False)):
            if pair[0] != pair[1]:
                return difference(*pair, f"{path}{index}.")
    return path.rstrip("."), one, two


def _sorted(values: list[Any]) -> list[str]:
    return sorted(repr(value) for value in values)


def _longer(one: Any, two: Any) -> bool:
    """Whether one goes on where the other ends: then it is the size that tells."""
    if not isinstance(one, (str, list)) or type(one) is not type(two):
        return False
    short, long = sorted((one, two), key=len)
    return len(short) < len(long) and long[: len(short)] == short


def _json(value: Any) -> Any:
    return msgspec.to_builtins(value)
