"""The route vote at the signal box (ST-5.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.engine.native import i64
from capolinea.games.stop_the_train.rules import do, steps, where
from capolinea.games.stop_the_train.rules.cards import ROUTE_NAMES, ROUTES
from capolinea.games.stop_the_train.rules.notes import Vote

if TYPE_CHECKING:
    from capolinea.games.stop_the_train.rules.train import Train


def votes_here(train: Train, seat: int) -> bool:
    """Everybody on board, but not who was arrested or hangs on (ST-7.8)."""
    return train.status[seat] == where.ABOARD and seat not in train.arrested


def voters_missing(train: Train) -> int:
    """As bits."""
    missing: i64 = 0
    for seat in range(train.seats):
        if train.votes[seat] < 0 and votes_here(train, seat):
            missing |= 1 << seat
    return missing


def open_routes(train: Train) -> list[int]:
    return [route for route in range(ROUTES) if route != train.closed]


def usable(train: Train, seat: int) -> int:
    """The voting cards that this player still has, as bits; none is of use for a closed route."""
    left = train.ballots_left[seat]
    return left & ~(1 << train.closed) if train.closed >= 0 else left


def choices(train: Train, seat: int) -> list[int]:
    cards = usable(train, seat)
    return [do.VOTE + route for route in range(ROUTES) if cards >> route & 1]


def vote(train: Train, seat: int, route: int) -> bool:
    """Face down, and open to change until the last one lies."""
    if train.stack[-1] != steps.VOTE or not usable(train, seat) >> route & 1:
        return False
    if not train.asked >> seat & 1 and train.votes[seat] < 0:
        return False
    train.votes[seat] = route
    return True


def count(train: Train) -> None:
    """Most votes win; a tie goes to the shortest of the tied; no votes: all open routes tie."""
    tally = [0, 0, 0]
    for route in train.votes:
        if route >= 0:
            tally[route] += 1
    train.tally = tally
    most = max(tally)
    train.tied = [route for route in open_routes(train) if tally[route] == most]
    train.decided = shortest(train, train.tied)
    train.past_votes.append(Vote(train.votes, train.open_vote))
    if train.loud:
        event = train.tell(
            "event.votes",
            fast=tally[0],
            viaduct=tally[1],
            scenic=tally[2],
            route=ROUTE_NAMES[train.decided],
        )
        event.setting({"vote.tally": tally})
        if train.open_vote:
            for seat in range(train.seats):
                if train.votes[seat] >= 0:
                    route_name = ROUTE_NAMES[train.votes[seat]]
                    train.tell("event.vote-shown", seat=seat, route=route_name)
        if len(train.tied) > 1:
            train.tell("event.tie", routes=[ROUTE_NAMES[route] for route in train.tied])


def shortest(train: Train, routes: list[int]) -> int:
    for route in train.track.shortest:
        if route in routes:
            return route
    raise AssertionError(routes)


def annul(train: Train) -> None:
    """Second Choice: the voting cards used leave the game, and all vote again."""
    for seat in range(train.seats):
        if train.votes[seat] >= 0:
            train.ballots_left[seat] &= ~(1 << train.votes[seat])
    train.votes = [-1] * train.seats
    train.tally = []
    train.tied = []
    train.decided = -1


def decide(train: Train) -> None:
    """The next move leaves on this route."""
    train.route = train.decided
    if train.loud:
        event = train.tell("event.route", route=ROUTE_NAMES[train.route])
        event.setting({"route": ROUTE_NAMES[train.route]})
