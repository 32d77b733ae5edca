"""Stop the Train!: an action as a menu has it, looking at the view."""

from __future__ import annotations

from capolinea.engine import Line
from capolinea.games.stop_the_train.rules.cards import OR_NAMES
from capolinea.games.stop_the_train.views import TrainView


def describe(view: TrainView, line: Line) -> Line:
    """A side is named by what it does, a pass by what it means."""
    if line.key == "action.side" and view.own is not None:
        held = {name for name in view.own.effects if name in OR_NAMES}
        if len(held) == 1:
            return Line("action.side.card", {"side": f"{held.pop()}.{line.args['side']}"})
    if line.key == "action.pass" and view.step == "meeting":
        return Line("action.pass.meeting")
    return line
