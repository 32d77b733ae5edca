"""How it ended for whom (ST-6): for every player which conditions held and which failed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.engine import Outcome, Reason, Result
from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.cards import (
    CHARACTER_NAMES,
    ROUTE_NAMES,
    Character,
    Route,
)
from capolinea.games.stop_the_train.rules.steps import ENDING_NAMES, Ending
from capolinea.games.stop_the_train.rules.turn import hills_with_record

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train

#: ST-6.1: whose mission is a route.
ROUTES = {
    Character.PRISONER_OF_WAR: Route.FAST_TRACK,
    Character.CHANTEUSE: Route.FAST_TRACK,
    Character.ENGINEER: Route.VIADUCT,
    Character.PHOTOGRAPHER: Route.SCENIC_ROUTE,
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
        """ST-6.1, the table line by line."""
        train, character = self.train, self.train.characters[seat]
        match character:
            case Character.SABOTEUR:
                return [self.crashing()]
            case Character.ROGUE:
                return [self.wrecked(), _reason("reason.everyone-aboard", self.all_aboard)]
            case Character.STUNTMAN:
                off = train.status[seat] == where.OFF
                return [self.stopping(), _reason("reason.thrown-off", off)]
            case Character.TICKET_INSPECTOR:
                others = sum(train.permits) - train.permits[seat]
                alone = _reason("reason.no-other-permit", not others)
                return [self.stopping(), self.aboard(seat), alone]
            case Character.MAYOR_OF_PARIS:
                return [self.stopping(), _reason("reason.everyone-aboard", self.all_aboard)]
            case Character.SPEEDSTER:
                return self.speedster(seat)
        if train.status[seat] == where.DEAD:
            # ST-6.4: the dead lose, except a Saboteur whose train crashes.
            return [self.stopping(), Reason("reason.alive", False, {}, "ST-6.4")]
        conditions = [self.stopping()]
        if character not in (Character.PRISONER_OF_WAR, Character.RESISTANCE_CONSPIRATOR):
            conditions.append(self.aboard(seat))
        return conditions + self.alternatives(seat, character)

    def alternatives(self, seat: int, character: int) -> list[Reason]:
        """The mission, or a permit instead of it."""
        train = self.train
        missions = []
        if character in ROUTES:
            route = ROUTES[character]
            taken = self.route == route
            missions.append(_reason("reason.either.route", taken, route=ROUTE_NAMES[route]))
        match character:
            case Character.PRISONER_OF_WAR:
                off = train.status[seat] == where.OFF
                missions.append(_reason("reason.either.thrown-off", off))
            case Character.MI6_AGENT:
                there = train.on_board(self.saboteur)
                if train.strict_agent:
                    return [_reason("reason.saboteur-aboard", there)]
                missions.append(_reason("reason.either.saboteur-aboard", there))
            case Character.RESISTANCE_CONSPIRATOR:
                gone = not train.on_board(self.saboteur)
                missions.append(_reason("reason.either.saboteur-gone", gone))
        return missions + self.permit(seat)

    def speedster(self, seat: int) -> list[Reason]:
        train = self.train
        if train.status[seat] == where.DEAD:
            return [self.stopping(), Reason("reason.alive", False, {}, "ST-6.4")]
        if train.two_hills and self.hills > 1:
            # The option: more than one hill wins whether the train stopped or crashed.
            arrived = _reason("reason.not-collided", self.stopped or self.crashed)
            return [arrived, _reason("reason.two-hills", True, count=self.hills)]
        record = _reason("reason.either.record", self.hills > 0)
        return [self.stopping(), record, *self.permit(seat)]

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

    def aboard(self, seat: int) -> Reason:
        return _reason("reason.aboard", self.train.on_board(seat))


def _reason(key: str, held: bool, **args: object) -> Reason:
    return Reason(key, held, dict(args), "ST-6.1")
