"""What a place on the board is worth to a frenador: passengers delivered, less the turns it takes.

A plan is a few stops, perhaps the workshop, and the terminus. Everything is counted in points: a turn
costs what one usually earns in a turn, so a passenger is worth a detour of two or three of them.
"""

from __future__ import annotations

from typing import NamedTuple

from capolinea.games.tachite_al_tram.rules.board import Board
from capolinea.games.tachite_al_tram.rules.roads import FAR, SQUARE, Leg, Roads
from capolinea.games.tachite_al_tram.rules.seats import too_many
from capolinea.games.tachite_al_tram.rules.steps import OBERDAN, WRECKED, Futiz
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.rules.ways import Way, ways

#: What a turn is worth, in points: about what a good driver earns, when many wait and when few do.
TURN = 0.4
LEAST_TURN = 0.1
MANY = 10
#: The mean of the die, and by how much a roll goes too far on average: there a move may end early.
DIE, OVERSHOOT = 3.5, 1.67
ZELANTE_DIE, ZELANTE_OVERSHOOT = 4.5, 2.07
#: Stops that are planned ahead.
AHEAD = 3
#: What a misfortune costs, more or less, and how much worse it is for who could be wrecked by it.
BAD_LUCK = 0.15
WRECKING_LUCK = 0.12
#: What standing with 0, 1 or 2 damage costs, and for each passenger aboard.
DAMAGE = (0.0, 0.3, 0.8)
DAMAGE_EACH = (0.0, 0.05, 0.25)
#: What a rival's damage is worth to us, by what they had.
RIVAL_DAMAGE = (0.05, 0.1, 0.5)
#: What a Futiz is worth for each point that is still to be made.
FUTIZ_WORTH = {
    Futiz.NONE: 0.0,
    Futiz.COCOLO: 0.08,
    Futiz.SBONFO: 0.12,
    Futiz.ZELANTE: 0.16,
    Futiz.BULOTO: 0.1,
}
LEG_WEIGHTS = (8, 4, 2, 1, 1)


#: Boards that were surveyed lately: several questions are asked of each.
_SURVEYED: dict[tuple[Board, int, tuple[int, ...]], Roads] = {}
_MOST_SURVEYED = 32


def roads_of(trams: Trams, goal: int) -> Roads:
    key = trams.board, goal, tuple(trams.laid)
    found = _SURVEYED.get(key)
    if found is None:
        if len(_SURVEYED) == _MOST_SURVEYED:
            _SURVEYED.clear()
        found = _SURVEYED[key] = Roads().survey(trams, goal)
    return found


class Plan(NamedTuple):
    """What is best from a place on: its worth, and where to go, one after the other."""

    worth: float
    places: tuple[int, ...]


class Mind:
    """One seat's view of the board as it is. What it reads of the state is open to everybody."""

    def __init__(self, trams: Trams, seat: int) -> None:
        self.trams = trams
        self.seat = seat
        board = trams.board
        self.aboard = trams.aboard[seat]
        self.futiz = trams.futiz[seat]
        self.damage = trams.damage[seat]
        self.last_stop = trams.last_stop[seat]
        self.need = trams.goal - trams.points[seat]
        self.goal = board.oberdan if trams.to[seat] == OBERDAN else board.opicina
        fast = self.futiz == Futiz.ZELANTE
        self.die = ZELANTE_DIE if fast else DIE
        self.overshoot = ZELANTE_OVERSHOOT if fast else OVERSHOOT
        waiting = sum(len(pile) for pile in trams.waiting_at)
        self.turn = max(LEAST_TURN, TURN * min(waiting, MANY) / MANY)
        self.roads = roads_of(trams, self.goal)
        self._turns: dict[tuple[int, int], float] = {}
        self._plans: dict[tuple[int, tuple[int, ...], int, int], Plan] = {}
        #: The stops where nothing can be had: nobody waits, or one has just been there.
        self.useless = sum(1 << stop for stop, pile in enumerate(trams.waiting_at) if not pile)
        if self.last_stop >= 0:
            self.useless |= 1 << self.last_stop
        #: What a turn in the workshop is worth: a Futiz or a repair, whichever is more.
        self.service = max(self.worth_of_futiz(), self.worth_of_repair())

    # --- distances -------------------------------------------------------------------------------

    def turns(self, start: int, end: int) -> float:
        """The turns from a stand on one square to a stand on another, where one may end early."""
        known = self._turns.get((start, end))
        if known is None:
            cost = 0 if start == end else self.roads.distance(start, end)
            known = max(1.0, (cost / SQUARE + self.overshoot) / self.die)
            if cost >= FAR:
                known = 60.0
            self._turns[start, end] = known
        return known

    # --- plans -----------------------------------------------------------------------------------

    def plan(self, square: int, aboard: list[int], useless: int, ahead: int = AHEAD) -> Plan:
        """The best that can be done from a stand on a square; some stops are no longer of use."""
        known = (square, tuple(sorted(aboard)), useless, ahead)
        found = self._plans.get(known)
        if found is None:
            found = self._plans[known] = self._plan(square, aboard, useless, ahead)
        return found

    def _plan(self, square: int, aboard: list[int], useless: int, ahead: int) -> Plan:
        trams = self.trams
        carried = min(len(aboard), self.need)
        best = carried - self.turn * self.turns(square, self.goal)
        places: tuple[int, ...] = (self.goal,)
        if ahead == 0 or carried == self.need:
            return Plan(best, places)
        for stop, place in enumerate(trams.board.stops):
            if useless >> stop & 1 or place == square:
                continue
            kind = trams.waiting_at[stop][-1]
            if not self.fits(aboard, kind):
                continue
            worth = -self.turn * self.turns(square, place)
            if worth + ahead + carried < best:
                continue
            worth -= self.luck(kind, carried)
            on = self.plan(place, [*aboard, kind], useless | 1 << stop, ahead - 1)
            if worth + on.worth > best:
                best = worth + on.worth
                places = (place, *on.places)
        workshop = trams.board.workshop
        if ahead == AHEAD and self.service > 0.0 and square != workshop:
            worth = self.service - self.turn * self.turns(square, workshop)
            on = self.plan(workshop, aboard, useless, 1)
            if worth + on.worth > best:
                best = worth + on.worth
                places = (workshop, *on.places)
        return Plan(best, places)

    def fits(self, aboard: list[int], kind: int) -> bool:
        return too_many(self.trams.board.colour, [*aboard, kind], self.futiz) == 0

    def luck(self, kind: int, carried: int) -> float:
        if not self.trams.board.unlucky[kind] >> self.trams.seats & 1:
            return 0.0
        return BAD_LUCK + (WRECKING_LUCK * carried if self.damage == WRECKED - 1 else 0.0)

    def worth_of_futiz(self) -> float:
        best = max(FUTIZ_WORTH.values())
        return (best - FUTIZ_WORTH[self.futiz]) * self.need

    def worth_of_repair(self) -> float:
        if not self.damage:
            return 0.0
        carried = len(self.aboard)
        return self.scar(self.damage, carried) - self.scar(self.damage - 1, carried)

    def scar(self, damage: int, carried: int) -> float:
        """What it costs to stand there with this damage."""
        return DAMAGE[damage] + DAMAGE_EACH[damage] * carried

    # --- standing somewhere ----------------------------------------------------------------------

    def standing(self, square: int, hits: int = 0) -> float:
        """The worth of ending the move on a square, having taken so much damage."""
        trams = self.trams
        damage = self.damage
        if hits and self.futiz != Futiz.BULOTO:
            damage += hits
        if damage >= WRECKED:
            return self._wrecked()
        worth = -self.scar(damage, len(self.aboard))
        stop = trams.board.stop_at[square]
        if square == self.goal:
            return worth + self._arrived()
        if square == trams.board.workshop:
            return worth + self.service + self.plan(square, self.aboard, self.useless, 2).worth
        if stop >= 0 and not self.useless >> stop & 1:
            kind = trams.waiting_at[stop][-1]
            carried = len(self.aboard)
            if carried < self.need and self.fits(self.aboard, kind):
                on = self.plan(square, [*self.aboard, kind], self.useless | 1 << stop, AHEAD - 1)
                return worth + on.worth - self.luck(kind, carried)
        return worth + self.plan(square, self.aboard, self.useless).worth

    def _arrived(self) -> float:
        """Delivered: the points, and nothing more to pay for this trip."""
        return float(min(len(self.aboard), self.need))

    def _wrecked(self) -> float:
        workshop = self.trams.board.workshop
        lost = FUTIZ_WORTH[self.futiz] * self.need
        return self.plan(workshop, [], self.useless).worth - lost

    # --- moving ----------------------------------------------------------------------------------

    def best_way(self, steps: int, asks_first: bool = False) -> tuple[float, Way]:
        """Of all ways to go so far, the best one and its worth."""
        trams = self.trams
        found = ways(trams, trams.at[self.seat], steps, asks_first)
        scored = [(self.worth_of(way), -number, way) for number, way in enumerate(found)]
        worth, _, way = max(scored, key=lambda one: one[:2])
        return worth, way

    def worth_of(self, way: Way) -> float:
        trams = self.trams
        hits = int(way.ran_off)
        gloating = 0.0
        if len(way.path) > 1 and not trams.board.haven[way.square]:
            met = [
                other
                for other in range(trams.seats)
                if other != self.seat and trams.at[other] == way.square
            ]
            hits += bool(met)
            gloating = sum(RIVAL_DAMAGE[trams.damage[other]] for other in met)
        return self.standing(way.square, hits) + gloating

    def rolling(self) -> float:
        """What it is worth to roll: the mean of what the six rolls allow."""
        more = int(self.futiz == Futiz.ZELANTE)
        return sum(self.best_way(die + more)[0] for die in range(1, 7)) / 6

    # --- building --------------------------------------------------------------------------------

    def legs(self) -> list[Leg]:
        """The parts of the best plan, from where the tram stands, and the way back."""
        board = self.trams.board
        here = self.trams.at[self.seat]
        places = self.plan(here, self.aboard, self.useless).places
        back = board.opicina if self.goal == board.oberdan else board.oberdan
        found = []
        for place, weight in zip((*places, back), LEG_WEIGHTS, strict=False):
            if place != here:
                found.append(self.leg(here, place, weight))
            here = place
        return found

    def leg(self, start: int, end: int, weight: int) -> Leg:
        roads = self.roads
        return Leg(roads.since(start), roads.to(end), roads.distance(start, end), weight)

    def links(self) -> list[Leg]:
        """What is good to have some day: the stops joined with both termini."""
        board = self.trams.board
        ends = (board.oberdan, board.opicina)
        return [self.leg(end, stop, 1) for stop in (*board.stops, board.workshop) for end in ends]
