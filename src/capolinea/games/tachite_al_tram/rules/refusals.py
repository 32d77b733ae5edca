"""Why something cannot be done now, with the rule's number."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from capolinea.engine.problems import Refused
from capolinea.games.tachite_al_tram.rules import fit, stops
from capolinea.games.tachite_al_tram.rules.board import (
    GRASS,
    MISFORTUNE_NAMES,
    PASSENGER_NAMES,
    SIDE_NAMES,
    SQUARE_NAMES,
)
from capolinea.games.tachite_al_tram.rules.steps import (
    FIRST_KEPT,
    FUTIZ_NAMES,
    Do,
    Phase,
)
from capolinea.games.tachite_al_tram.rules.tiles import TILE_NAMES

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams


def refuse(trams: Trams, seat: int, action: int) -> NoReturn:
    """Raise Refused. Everything is public here, so that anything may be said."""
    if trams.phase == Phase.OVER:
        raise Refused("refused.over", "TA-1.1")
    if seat != trams.current:
        raise Refused("refused.not-your-turn", "TA-2.3", current=trams.current)
    if trams.lay_tile >= 0:
        refuse_place(trams, action)
    if trams.chosen_futiz >= 0:
        raise Refused("refused.put-off", "TA-7.3", futiz=FUTIZ_NAMES[trams.chosen_futiz])
    if trams.phase == Phase.BOARS:
        refuse_boars(trams, action)
    if trams.phase == Phase.GO:
        refuse_way(trams, action)
    if action < Do.ROLL:
        refuse_build(trams, action)
    if action < Do.USE:
        raise Refused("refused.roll-now", "TA-4.1")
    if action < Do.GO:
        refuse_card(trams, action - Do.USE + FIRST_KEPT)
    if action < Do.REPAIR:
        raise Refused("refused.roll-first", "TA-4.1")
    if action < Do.PUT_OFF:
        refuse_service(trams, action)
    if action < Do.BOARD:
        raise Refused("refused.nobody-leaves", "TA-5.3")
    if action < Do.SET_DOWN:
        refuse_boarding(trams)
    raise Refused("refused.set-down", "TA-6.1")


def refuse_place(trams: Trams, action: int) -> NoReturn:
    """TA-3: a square or a turn for the tile in hand that cannot be."""
    tile = trams.lay_tile
    if Do.ON <= action < Do.TURN and trams.lay_square < 0:
        refuse_square(trams, tile, action - Do.ON)
    if Do.TURN <= action < Do.SWAP and trams.lay_square >= 0:
        quarters = action - Do.TURN
        if trams.laid[trams.lay_square] >= 0:
            old = trams.tiles.look[trams.laid[trams.lay_square]]
            if trams.tiles.look[4 * tile + quarters] == old:
                raise Refused("refused.no-change", "TA-3.2", square=SQUARE_NAMES[trams.lay_square])
        blind, unmet = fit.blind_sides(trams, tile, quarters, trams.lay_square)
        if blind | unmet:
            refuse_fit(trams.lay_square, blind, unmet)
        raise Refused("refused.same-turn", "TA-3.1")
    raise Refused("refused.place-first", "TA-3.1", tile=TILE_NAMES[tile])


def refuse_square(trams: Trams, tile: int, square: int) -> NoReturn:
    name = SQUARE_NAMES[square]
    if trams.board.kind[square] != GRASS:
        raise Refused("refused.no-grass", "TA-3.1", square=name)
    if trams.laid[square] >= 0:
        if square in trams.at:
            raise Refused("refused.tram-on-it", "TA-3.2", square=name)
        if square == trams.protected:
            raise Refused("refused.just-laid", "TA-3.2", square=name)
        if trams.tiles.fitting[tile << 8 | trams.edges[square]]:
            raise Refused("refused.no-change", "TA-3.2", square=name)
    # The turn that comes nearest says what is in the way.
    best, best_count = 0, 9
    for quarters in range(4):
        blind, unmet = fit.blind_sides(trams, tile, quarters, square)
        count = len(sides(blind | unmet))
        if count < best_count:
            best, best_count = quarters, count
    blind, unmet = fit.blind_sides(trams, tile, best, square)
    refuse_fit(square, blind, unmet)


def refuse_fit(square: int, blind: int, unmet: int) -> NoReturn:
    name = SQUARE_NAMES[square]
    if blind:
        raise Refused("refused.blind", "TA-3.5", square=name, sides=sides(blind))
    raise Refused("refused.unmet", "TA-3.5", square=name, sides=sides(unmet))


def sides(mask: int) -> list[str]:
    return [SIDE_NAMES[side] for side in range(4) if mask >> side & 1]


def refuse_build(trams: Trams, action: int) -> NoReturn:
    if action <= Do.NO_DRAW:
        raise Refused("refused.draw", "TA-3.4")
    if trams.phase == Phase.START:
        raise Refused("refused.draw-first", "TA-3.4")
    if trams.phase != Phase.BUILD:
        raise Refused("refused.build-now", "TA-3.1")
    if Do.ON <= action < Do.SWAP:
        raise Refused("refused.tile-first", "TA-3.1")
    tile = action - Do.LAY if action < Do.ON else action - Do.SWAP
    if tile not in trams.hands[trams.current]:
        raise Refused("refused.not-held", "TA-3.1", tile=TILE_NAMES[tile])
    if action >= Do.SWAP:
        raise Refused("refused.none-face-down", "TA-3.3")
    raise Refused("refused.fits-nowhere", "TA-3.5", tile=TILE_NAMES[tile])


def refuse_way(trams: Trams, action: int) -> NoReturn:
    """TA-4: having rolled, one must go."""
    if action == Do.STOP:
        raise Refused("refused.stop", "TA-4.4")
    if action == Do.RUN_OFF:
        raise Refused("refused.run-off", "TA-4.3")
    if Do.GO <= action < Do.STOP:
        raise Refused(
            "refused.no-way",
            "TA-4.2",
            side=SIDE_NAMES[action - Do.GO],
            at=SQUARE_NAMES[trams.path[-1]],
        )
    if Do.USE <= action < Do.GO:
        refuse_card(trams, action - Do.USE + FIRST_KEPT)
    raise Refused("refused.must-go", "TA-4.1", steps=trams.steps)


def refuse_card(trams: Trams, card: int) -> NoReturn:
    name = MISFORTUNE_NAMES[card]
    if card not in trams.kept[trams.current]:
        raise Refused("refused.no-card", "TA-8.4", card=name)
    raise Refused("refused.card-now", "TA-8.4", card=name)


def refuse_service(trams: Trams, action: int) -> NoReturn:
    if trams.phase != Phase.WORKSHOP:
        raise Refused("refused.workshop", "TA-7.2")
    if action == Do.REPAIR:
        raise Refused("refused.no-damage", "TA-7.2")
    raise Refused("refused.same-futiz", "TA-7.2", futiz=FUTIZ_NAMES[action - Do.FUTIZ])


def refuse_boarding(trams: Trams) -> NoReturn:
    seat = trams.current
    stop = trams.board.stop_at[trams.at[seat]]
    if stop < 0:
        raise Refused("refused.no-stop", "TA-5.1")
    if not trams.waiting_at[stop]:
        raise Refused("refused.nobody-waits", "TA-5.1")
    top = PASSENGER_NAMES[trams.waiting_at[stop][-1]]
    if stop == trams.last_stop[seat]:
        raise Refused("refused.same-stop", "TA-5.1", at=SQUARE_NAMES[trams.at[seat]])
    if not stops.finds_seat(trams, seat, stop):
        raise Refused("refused.no-seat-free", "TA-5.3", passenger=top)
    raise Refused("refused.board-now", "TA-5.1")


def refuse_boars(trams: Trams, action: int) -> NoReturn:
    if Do.ON <= action < Do.TURN:
        square = action - Do.ON
        key = "refused.boars-tram" if square in trams.at else "refused.boars-tile"
        raise Refused(key, "TA-8.4", square=SQUARE_NAMES[square])
    raise Refused("refused.boars", "TA-8.4")
