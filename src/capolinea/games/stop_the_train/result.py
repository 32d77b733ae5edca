"""How it ended for whom (ST-6): for every player which conditions held and which failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.engine import Outcome, Reason, Result
from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.cards import (
    CHARACTER_NAMES,
    MISSIONS,
    NEEDS,
    ROUTE_NAMES,
    Character,
    Goal,
    Route,
)
from capolinea.games.stop_the_train.rules.steps import ENDING_NAMES, Ending
from capolinea.games.stop_the_train.rules.turn import hills_with_record

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train

#: ST-6.1: the missions that are a route.
ROUTES = {
    Goal.FAST_TRACK: Route.FAST_TRACK,
    Goal.VIADUCT: Route.VIADUCT,
    Goal.SCENIC_ROUTE: Route.SCENIC_ROUTE,
}


def result_of(train: Train) -> Result:
    facts = _Facts(train)
    outcomes = []
    for seat in range(train.seats):
        conditions = facts.conditions(seat)
        outcomes.append(
            Outcome(
                won=_holds(conditions),
                role=CHARACTER_NAMES[train.characters[seat]],
                reasons=conditions,
            )
        )
    return Result(ENDING_NAMES[train.ending], outcomes)


def _holds(conditions: list[Reason]) -> bool:
    """All must hold, and of the alternatives one."""
    alternatives = [reason.held for reason in conditions if _is_alternative(reason)]
    others = [reason.held for reason in conditions if not _is_alternative(reason)]
    return all(others) and (any(alternatives) or not alternatives)


def _is_alternative(reason: Reason) -> bool:
    return reason.key.split(".")[1] == "either"


class _Facts:
    """What is known when all is revealed."""

    def __init__(self, train: Train) -> None:
        self.train = train
        self.stopped = train.ending == Ending.STOPPED
        self.crashed = train.ending == Ending.CRASHED
        self.saboteur = train.characters.index(Character.SABOTEUR)
        self.all_aboard = all(train.on_board(seat) for seat in range(train.seats))
        # ST-6.2: a route is taken once the front stands on it.
        self.route = train.route if train.at > train.track.box else Route.NONE
        self.hills = len(hills_with_record(train))

    def conditions(self, seat: int) -> list[Reason]:
        """ST-6.1: what the character needs and, if it has a mission, that or a permit."""
        train, character = self.train, self.train.characters[seat]
        needs = [self.need(goal, seat) for goal in NEEDS[character]]
        missions = MISSIONS[character]
        if not missions:
            return needs
        if train.status[seat] == where.DEAD:
            # ST-6.4: the dead lose, except a Saboteur whose train crashes.
            return [self.stopping(), Reason("reason.alive", False, {}, "ST-6.4")]
        if train.two_hills and self.hills > 1 and Goal.RECORD in missions:
            # The option: more than one hill wins whether the train stopped or crashed.
            arrived = _reason("reason.not-collided", self.stopped or self.crashed)
            return [arrived, _reason("reason.two-hills", True, count=self.hills)]
        if train.strict_agent and Goal.SABOTEUR_ABOARD in missions:
            # The option: no permit will do instead.
            there = train.on_board(self.saboteur)
            return [*needs, _reason("reason.saboteur-aboard", there)]
        return [*needs, *(self.mission(goal, seat) for goal in missions), *self.permit(seat)]

    def need(self, goal: int, seat: int) -> Reason:
        train = self.train
        match goal:
            case Goal.CRASH:
                return self.crashing()
            case Goal.WRECK:
                return self.wrecked()
            case Goal.ABOARD:
                return _reason("reason.aboard", train.on_board(seat))
            case Goal.THROWN_OFF:
                return _reason("reason.thrown-off", train.status[seat] == where.OFF)
            case Goal.EVERYONE_ABOARD:
                return _reason("reason.everyone-aboard", self.all_aboard)
            case Goal.NO_OTHER_PERMIT:
                others = sum(train.permits) - train.permits[seat]
                return _reason("reason.no-other-permit", not others)
        return self.stopping()

    def mission(self, goal: int, seat: int) -> Reason:
        """One of several that will do."""
        train = self.train
        match goal:
            case Goal.THROWN_OFF:
                return _reason("reason.either.thrown-off", train.status[seat] == where.OFF)
            case Goal.SABOTEUR_ABOARD:
                there = train.on_board(self.saboteur)
                return _reason("reason.either.saboteur-aboard", there)
            case Goal.SABOTEUR_GONE:
                gone = not train.on_board(self.saboteur)
                return _reason("reason.either.saboteur-gone", gone)
            case Goal.RECORD:
                return _reason("reason.either.record", self.hills > 0)
        route = ROUTES[goal]
        return _reason("reason.either.route", self.route == route, route=ROUTE_NAMES[route])

    def permit(self, seat: int) -> list[Reason]:
        """A permit saves; with the Mayor aboard and nobody gone, nobody needs one."""
        held = [_reason("reason.either.permit", self.train.permits[seat] > 0)]
        if Character.MAYOR_OF_PARIS in self.train.characters:
            held.append(_reason("reason.either.mayor", self.stopped and self.all_aboard))
        return held

    def stopping(self) -> Reason:
        return _reason("reason.stopped", self.stopped)

    def crashing(self) -> Reason:
        return _reason("reason.crashed", self.crashed)

    def wrecked(self) -> Reason:
        """ST-6.3: with the freight train a collision will do."""
        if self.train.with_freight:
            held = self.crashed or self.train.ending == Ending.COLLIDED
            return Reason("reason.wrecked", held, {}, "ST-6.3")
        return self.crashing()


def _reason(key: str, held: bool, **args: object) -> Reason:
    return Reason(key, held, dict(args), "ST-6.1")
