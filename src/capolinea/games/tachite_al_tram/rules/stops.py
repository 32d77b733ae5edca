"""Stops and passengers (TA-5, TA-6): who waits, boards, is set down, and comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.games.tachite_al_tram.rules import misfortunes
from capolinea.games.tachite_al_tram.rules.board import PASSENGER_NAMES, SQUARE_NAMES
from capolinea.games.tachite_al_tram.rules.seats import fits

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams


def may_board(trams: Trams, seat: int) -> bool:
    """TA-5.1: a passenger waits, a seat is free, and it is not the stop of the last boarding."""
    stop = trams.board.stop_at[trams.at[seat]]
    return stop >= 0 and stop != trams.last_stop[seat] and finds_seat(trams, seat, stop)


def may_board_second(trams: Trams, seat: int) -> bool:
    """With the card for a crowded stop: from the same stop as the first, if still there."""
    stop = trams.board.stop_at[trams.at[seat]]
    return stop >= 0 and stop == trams.boarded_at and finds_seat(trams, seat, stop)


def finds_seat(trams: Trams, seat: int, stop: int) -> bool:
    waiting = trams.waiting_at[stop]
    return bool(waiting) and fits(trams, seat, waiting[-1])


def board(trams: Trams, seat: int) -> None:
    """TA-5.1, TA-5.4: the top one gets on, and may bring bad luck."""
    stop = trams.board.stop_at[trams.at[seat]]
    trams.boarded_at = stop
    trams.last_stop[seat] = stop
    kind = take_top(trams, seat, stop)
    if trams.loud:
        told_aboard(trams, seat, kind, stop, "event.boarded")
    if trams.board.unlucky[kind] >> trams.seats & 1:
        misfortunes.draw(trams)


def take_top(trams: Trams, seat: int, stop: int) -> int:
    """The top passenger of a stop is aboard; the next one shows."""
    waiting = trams.waiting_at[stop][:]
    kind = waiting.pop()
    trams.waiting_at[stop] = waiting
    trams.aboard[seat] = [*trams.aboard[seat], kind]
    trams.fixed = True
    return kind


def told_aboard(trams: Trams, seat: int, kind: int, stop: int, key: str) -> None:
    event = trams.tell(
        key,
        seat=seat,
        passenger=PASSENGER_NAMES[kind],
        at=SQUARE_NAMES[trams.board.stops[stop]],
    )
    event.setting({f"trams.{seat}.aboard": [PASSENGER_NAMES[k] for k in trams.aboard[seat]]})


def fullest(trams: Trams) -> int:
    """The stop where most wait, the first of those; -1 when nobody waits anywhere."""
    best = -1
    most = 0
    for stop in range(len(trams.waiting_at)):
        if len(trams.waiting_at[stop]) > most:
            best = stop
            most = len(trams.waiting_at[stop])
    return best


def discard(trams: Trams, kind: int) -> None:
    """Set down, lost or put off."""
    trams.out = trams.out[:]
    trams.out[kind] += 1


def refill(trams: Trams) -> None:
    """TA-6.2: when nobody waits anywhere, those who are out come back."""
    for waiting in trams.waiting_at:
        if waiting:
            return
    back = [kind for kind in range(len(trams.out)) for _ in range(trams.out[kind])]
    if not back:
        return
    stops = len(trams.waiting_at)
    trams.shuffle("passengers", trams.refills, back)
    size = [len(back) // stops] * stops
    for stop in extra_stops(trams, len(back) % stops):
        size[stop] += 1
    trams.waiting_at = piles(back, size)
    trams.refills += 1
    trams.out = [0] * len(trams.out)
    trams.fixed = True
    if trams.loud:
        trams.tell("event.refilled", count=len(back))


def extra_stops(trams: Trams, extra: int) -> list[int]:
    """Who gets one more: the central stops first, then others at random."""
    central = trams.board.central
    if extra <= len(central):
        return central[:extra]
    others = [stop for stop in range(len(trams.waiting_at)) if stop not in central]
    trams.shuffle("extra", trams.refills, others)
    return central + others[: extra - len(central)]


def piles(order: list[int], size: list[int]) -> list[list[int]]:
    """The stops' piles, the top one last; the first in order lies on top of the first pile."""
    found: list[list[int]] = []
    first = 0
    for count in size:
        found.append(order[first : first + count][::-1])
        first += count
    return found


def set_down(trams: Trams) -> None:
    """TA-6.1: all of them, a point each; with nobody aboard the trip is made all the same."""
    seat = trams.current
    leaving = trams.aboard[seat]
    trams.aboard[seat] = []
    for kind in leaving:
        discard(trams, kind)
    trams.points[seat] += len(leaving)
    trams.trips[seat] = [*trams.trips[seat], trams.turn, len(leaving)]
    trams.to[seat] = 1 - trams.to[seat]
    trams.last_stop[seat] = -1
    if trams.loud:
        event = trams.tell(
            "event.set-down",
            seat=seat,
            count=len(leaving),
            points=trams.points[seat],
            at=SQUARE_NAMES[trams.at[seat]],
        )
        event.setting({f"trams.{seat}.points": trams.points[seat], f"trams.{seat}.aboard": []})
