"""Stop the Train!: what a choice would do, from public facts and the seat's own cards alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from capolinea.engine import Line, Preview, Refused
from capolinea.games.stop_the_train.rules import do, steps
from capolinea.games.stop_the_train.rules.cards import ROUTE_NAMES, Side
from capolinea.games.stop_the_train.rules.steps import Ending
from capolinea.games.stop_the_train.rules.turn import hills_with_record, run

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train


class TrainPreview(Preview, omit_defaults=True):
    """Where the train would be if nobody intervened. `happens` are events that would come due:
    meeting, tunnel, last-tunnel, signal-box, record, crashed, collided."""

    speed: int = 0
    at: int = 0
    spaces: int = 0
    happens: list[str] = []
    #: The feature under the front of the train, as `<section>.<number>`.
    place: str = ""
    #: For a route: how far it is to the last space before Paris.
    left: int = 0


def preview_of(train: Train, seat: int, actions: Sequence[int]) -> TrainPreview:
    if not actions or actions[0] not in train.legal(seat):
        raise Refused("refused.not-now", "ST-4.1")
    first = actions[0]
    if len(actions) > 1:
        begun = train.copy()
        begun.play(seat, first)
        if begun.midway() != seat or actions[1] not in begun.legal(seat):
            raise Refused("refused.not-now", "ST-4.1")
    if do.PLAY <= first < do.SIDE:
        side = actions[1] - do.SIDE if len(actions) > 1 else Side.FIRST
        return _after_card(train, first - do.PLAY, side)
    if do.VOTE <= first < do.THROW_OFF:
        return _on_route(train, first - do.VOTE)
    if len(actions) > 1 and do.ROUTE <= actions[1] < do.KEEP_SPEED:
        return _on_route(train, actions[1] - do.ROUTE)
    return TrainPreview()


def _after_card(train: Train, effect: int, side: int) -> TrainPreview:
    """The run of the train on a copy; whose character or hand is whose does not matter to it."""
    after = train.copy()
    after.now.played, after.now.side = effect, side
    known = len(after.stack)
    run(after)
    if after.ending >= 0:
        happens = ["crashed" if after.ending == Ending.CRASHED else "collided"]
    else:
        due = after.stack[known:]
        happens = [name for step, name in _HAPPENS.items() if step in due]
        if steps.MEETING in due and after.aboard() <= 2:
            happens.remove("meeting")
        if hills_with_record(after) != hills_with_record(train):
            happens.append("record")
    place = after.track.features[after.route][after.at]
    args: dict[str, Any] = {"speed": after.speed, "spaces": after.at - train.at}
    lines = [Line("preview.runs", args)]
    if place:
        lines.append(Line("preview.place", {"feature": place}))
    lines += [Line(_LINES[name]) for name in happens]
    return TrainPreview(
        lines=lines,
        speed=after.speed,
        at=after.at,
        spaces=after.at - train.at,
        happens=happens,
        place=place,
    )


_HAPPENS = {
    steps.TUNNEL: "tunnel",
    steps.LAST_TUNNEL: "last-tunnel",
    steps.VOTE_CALLED: "signal-box",
    steps.MEETING: "meeting",
}
_LINES = {
    "tunnel": "preview.tunnel",
    "last-tunnel": "preview.last-tunnel",
    "signal-box": "preview.signal-box",
    "meeting": "preview.meeting",
    "record": "preview.record",
    "crashed": "preview.crashed",
    "collided": "preview.collided",
}


def _on_route(train: Train, route: int) -> TrainPreview:
    left = len(train.track.spaces[route]) - 1 - train.track.box
    line = Line("preview.route", {"route": ROUTE_NAMES[route], "left": left})
    return TrainPreview(lines=[line], left=left)
