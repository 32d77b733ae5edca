"""The misfortunes (TA-5.4, TA-8.4). A card is turned over and carried out at once, or kept.

Those that hit all trams go by turn order from who drew the card. Damage is added up first and told
by workshop.py; stops are refilled when the card is done (TA-6.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.games.tachite_al_tram.rules import fit, stops, workshop
from capolinea.games.tachite_al_tram.rules.board import (
    MISFORTUNE_NAMES,
    PASSENGER_NAMES,
    SQUARE_NAMES,
)
from capolinea.games.tachite_al_tram.rules.seats import too_many
from capolinea.games.tachite_al_tram.rules.steps import FIRST_KEPT, Card, Do, Phase
from capolinea.games.tachite_al_tram.rules.tiles import TILE_NAMES

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams

NORTH: Final = 0
SOUTH: Final = 2


def draw(trams: Trams) -> None:
    """TA-5.4: turn over the next card; used ones are shuffled when the deck is empty."""
    if not trams.deck:
        if not trams.used:
            return
        trams.deck = sorted(trams.used)
        trams.used = []
        trams.shuffle_deck()
    card = trams.deck.pop()
    seat = trams.current
    trams.fixed = True
    trams.misfortune = card
    trams.misfortune_seat = seat
    if trams.loud:
        event = trams.tell("event.misfortune", seat=seat, card=MISFORTUNE_NAMES[card])
        event.setting({"misfortune": {"id": MISFORTUNE_NAMES[card], "seat": seat}})
    if card >= FIRST_KEPT:
        trams.kept[seat] = [*trams.kept[seat], card]
    else:
        trams.used.append(card)
        carry_out(trams, seat, card)


def carry_out(trams: Trams, seat: int, card: int) -> None:
    match card:
        case Card.BLACK_OUT:
            workshop.hurt(trams, [1] * trams.seats, False)
        case Card.GRAFFITI:
            clean = [1 if damage == 0 else 0 for damage in trams.damage]
            workshop.hurt(trams, clean, True)
        case Card.WET_LEAVES:
            workshop.hurt(trams, [1 - trams.board.haven[at] for at in trams.at], False)
        case Card.FLAT_WHEEL:
            workshop.hurt(trams, [1 if s == seat else 0 for s in range(trams.seats)], True)
        case Card.BORA:
            blow(trams, SOUTH)
        case Card.SCIROCCO:
            blow(trams, NORTH)
        case Card.STRIKE:
            trams.halted = [1] * trams.seats
        case Card.CABLE_CAR:
            trams.closed_by = seat
        case Card.SPRITZ:
            for other in in_turn(trams, seat):
                workshop.repair(trams, other)
        case Card.MECHANIC:
            workshop.repair(trams, seat)
        case Card.TOWED:
            move_to(trams, seat, trams.board.workshop)
            # TA-5.1: sent to the workshop, whatever by.
            trams.last_stop[seat] = -1
        case Card.WRONG_POINTS:
            swap_places(trams, seat, (seat + 1) % trams.seats)
        case Card.BOARS:
            if boars_choices(trams):
                trams.phase = Phase.BOARS
        case Card.LANDSLIDE:
            landslide(trams)
        case Card.BUREAUCRACY:
            bureaucracy(trams, seat)
        case _:
            passengers_move(trams, seat, card)


def passengers_move(trams: Trams, seat: int, card: int) -> None:
    """The cards about passengers."""
    match card:
        case Card.SEAGULLS:
            lose_last(trams, seat)
        case Card.INSPECTOR:
            for other in in_turn(trams, seat):
                lose_last(trams, other)
        case Card.CONCERT:
            for other in in_turn(trams, seat):
                gain(trams, other)
        case Card.WRONG_TRAM:
            wrong_tram(trams)
        case Card.SAN_NICOLO:
            fewest = min(trams.points)
            for other in in_turn(trams, seat):
                if trams.points[other] == fewest:
                    workshop.repair(trams, other)
                    gain(trams, other)


def in_turn(trams: Trams, first: int) -> list[int]:
    return [(first + step) % trams.seats for step in range(trams.seats)]


# --- trams that are moved --------------------------------------------------------------------------


def blow(trams: Trams, side: int) -> None:
    """One square down or up the hill where rails lead, but not over the funicular nor against a
    one-way; nobody collides (TA-4.5, TA-4.7)."""
    for seat in range(trams.seats):
        at = trams.at[seat]
        sides = trams.joined[at] & trams.outs(at) & ~trams.board.mouths[at]
        if sides >> side & 1:
            move_to(trams, seat, trams.board.beyond[at * 4 + side] >> 2)


def move_to(trams: Trams, seat: int, square: int) -> None:
    trams.at[seat] = square
    if trams.loud:
        event = trams.tell("event.carried", seat=seat, at=SQUARE_NAMES[square])
        event.setting({f"trams.{seat}.square": SQUARE_NAMES[square]})


def swap_places(trams: Trams, seat: int, other: int) -> None:
    there = trams.at[other]
    move_to(trams, other, trams.at[seat])
    move_to(trams, seat, there)


# --- passengers who come and go --------------------------------------------------------------------


def lose_last(trams: Trams, seat: int) -> None:
    """Who boarded last is out."""
    if not trams.aboard[seat]:
        return
    kind = trams.aboard[seat][-1]
    trams.aboard[seat] = trams.aboard[seat][:-1]
    stops.discard(trams, kind)
    if trams.loud:
        event = trams.tell("event.lost", seat=seat, passenger=PASSENGER_NAMES[kind])
        event.setting({f"trams.{seat}.aboard": [PASSENGER_NAMES[k] for k in trams.aboard[seat]]})


def gain(trams: Trams, seat: int) -> None:
    """The top passenger of the fullest stop gets on if there is a seat, without bad luck."""
    stop = stops.fullest(trams)
    if stop >= 0 and stops.finds_seat(trams, seat, stop):
        kind = stops.take_top(trams, seat, stop)
        if trams.loud:
            stops.told_aboard(trams, seat, kind, stop, "event.gained")


def wrong_tram(trams: Trams) -> None:
    """All at once, who boarded last changes to the next tram; who finds no seat there stays.

    Who stays keeps their seat, so that another may have to stay too: tried until all have a place.
    """
    handed = [1 if aboard else 0 for aboard in trams.aboard]
    after = _handed_on(trams, handed)
    seat = 0
    while seat < trams.seats:
        giver = (seat - 1) % trams.seats
        if handed[giver] and too_many(trams.board.colour, after[seat], trams.futiz[seat]):
            handed[giver] = 0
            after = _handed_on(trams, handed)
            seat = 0
        else:
            seat += 1
    if trams.loud:
        for giver in range(trams.seats):
            if handed[giver]:
                other = (giver + 1) % trams.seats
                name = PASSENGER_NAMES[trams.aboard[giver][-1]]
                event = trams.tell("event.handed", seat=giver, other=other, passenger=name)
                event.setting(
                    {
                        f"trams.{giver}.aboard": [PASSENGER_NAMES[k] for k in after[giver]],
                        f"trams.{other}.aboard": [PASSENGER_NAMES[k] for k in after[other]],
                    }
                )
    trams.aboard = after


def _handed_on(trams: Trams, handed: list[int]) -> list[list[int]]:
    """Who is aboard each tram when these seats hand on their last passenger."""
    after: list[list[int]] = []
    for seat in range(trams.seats):
        aboard = trams.aboard[seat]
        giver = (seat - 1) % trams.seats
        rest = aboard[:-1] if handed[seat] else aboard[:]
        if handed[giver]:
            rest.append(trams.aboard[giver][-1])
        after.append(rest)
    return after


# --- tiles that come off ---------------------------------------------------------------------------


def boars_choices(trams: Trams) -> list[int]:
    """Placed tiles without a tram."""
    return [
        Do.ON + square
        for square in trams.board.grass
        if trams.laid[square] >= 0 and square not in trams.at
    ]


def remove_tile(trams: Trams, square: int) -> None:
    """Off the board, face down among the others."""
    tile = fit.take_up(trams, square)
    if square == trams.laid_now:
        trams.laid_now = -1
    if square == trams.protected:
        trams.protected = -1
    trams.mix_in([tile])
    if trams.loud:
        at = SQUARE_NAMES[square]
        trams.tell("event.tile-gone", square=at, tile=TILE_NAMES[tile])


def landslide(trams: Trams) -> None:
    """The tile laid last that no tram stands on."""
    last = -1
    for square in trams.board.grass:
        free = trams.laid[square] >= 0 and square not in trams.at
        if free and (last < 0 or trams.when[square] > trams.when[last]):
            last = square
    if last >= 0:
        remove_tile(trams, last)


def bureaucracy(trams: Trams, seat: int) -> None:
    """Everybody gives back the tile held longest; these are mixed in, and everybody draws one."""
    given: list[int] = []
    drawing: list[int] = []
    for other in in_turn(trams, seat):
        if trams.hands[other]:
            hand = trams.hands[other]
            given.append(hand[0])
            drawing.append(other)
            trams.hands[other] = hand[1:]
            # What came by building is held shortest: it goes only if there is nothing else.
            if other == trams.current and len(hand) == 1:
                trams.drew = -1
    if not given:
        return
    trams.mix_in(given)
    for number in range(len(drawing)):
        other = drawing[number]
        tile = trams.draw_tile(other)
        if trams.loud:
            names = {"given": TILE_NAMES[given[number]], "tile": TILE_NAMES[tile]}
            trams.tell("event.exchanged", seat=other, **names)
