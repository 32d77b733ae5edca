"""What a passenger makes of the line ahead: speeds, distances, what stands where."""

from __future__ import annotations

from capolinea.games.stop_the_train.rules.cards import EFFECT_NAMES, SPEED_CHANGE, TO
from capolinea.games.stop_the_train.rules.turn import DRAWN, RECORD_SPEED, SPACE
from capolinea.games.stop_the_train.views import TrainView


def speed_after(view: TrainView, effect: str, side: str = "", speed: int = 0) -> int:
    """The speed that a card would come to, from the speed now or from another one."""
    change = SPEED_CHANGE[EFFECT_NAMES.index(effect)][1 if side == "second" else 0]
    new = change - TO if change >= TO else (speed or view.speed) + change
    return min(max(new, view.slowest), view.fastest)


def speed_before(view: TrainView, turn: int) -> int:
    """The speed when this turn's card was played, turns counted from 0."""
    return view.turns[turn - 1].speed if turn else view.table.start_speed


def accelerates(effect: str) -> bool:
    change = SPEED_CHANGE[EFFECT_NAMES.index(effect)][0]
    return change > 0 and change != TO + SPACE


class Outlook:
    """The run so far and what is left of it."""

    def __init__(self, view: TrainView) -> None:
        self.view = view
        self.spaces = {section.id: section.spaces for section in view.table.sections}
        #: Turns whose train has not moved yet, this one included.
        moved = bool(view.turns) and view.turns[-1].effect != "" and "run" not in view.beneath
        self.turns_left = view.deck // DRAWN + (0 if moved else 1)

    def left(self, route: str) -> int:
        """How many spaces to the last one before Paris."""
        line = self.spaces["line"] + self.spaces[route] + self.spaces["paris"]
        return line - self.view.at

    def pace(self, route: str) -> float:
        """Spaces a turn that would just do."""
        return self.left(route) / max(1, self.turns_left)

    def hill_at(self, spaces: int) -> bool:
        """Whether the front would stand on a downhill space after so many."""
        return "hill" in self._kinds(self.view.at + spaces)

    def meeting_near(self, within: int = 14) -> bool:
        """Whether a bridge or a viaduct comes soon."""
        ahead = range(self.view.at + 1, self.view.at + within)
        return any({"bridge", "viaduct"} & self._kinds(place) for place in ahead)

    def _kinds(self, place: int) -> set[str]:
        first = 0
        route = self.view.route or "fast-track"
        for section in self.view.table.sections:
            if section.id not in ("line", route, "paris"):
                continue
            here = place - first
            if 0 < here <= section.spaces:
                return {p.kind for p in section.places if p.first <= here <= p.last}
            first += section.spaces
        return set()

    def breaks_record(self, effect: str, side: str = "") -> bool:
        speed = speed_after(self.view, effect, side)
        return speed == RECORD_SPEED and self.hill_at(speed // SPACE)
