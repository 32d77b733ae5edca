"""A turn (TA-3): build, move, pick up, set down, in this order; what leaves no choice is passed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.games.tachite_al_tram.rules import fit, stops
from capolinea.games.tachite_al_tram.rules.board import SQUARE_NAMES, WORKSHOP
from capolinea.games.tachite_al_tram.rules.steps import (
    FIRST_KEPT,
    HAND,
    OBERDAN,
    Card,
    Do,
    Ending,
    Phase,
)
from capolinea.games.tachite_al_tram.rules.tiles import TILE_NAMES

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams


def begin(trams: Trams) -> None:
    seat = trams.current
    trams.turn += 1
    trams.die = 0
    trams.steps = 0
    trams.boarded_at = -1
    trams.laid_now = -1
    trams.drew = -1
    trams.wrecked = False
    trams.path = []
    if trams.closed_by == seat:
        trams.closed_by = -1
    trams.stuck = trams.halted[seat] == 1
    if trams.stuck:
        trams.halted = trams.halted[:]
        trams.halted[seat] = 0
    if trams.loud:
        event = trams.tell("event.turn", seat=seat, round=trams.round)
        event.setting({"current": seat, "turn": trams.turn, "die": 0, "steps": 0})
    # TA-3.4
    if len(trams.hands[seat]) < HAND and trams.face_down:
        trams.phase = Phase.START
    else:
        to_build(trams)


# --- build (TA-3.1 to TA-3.4) ----------------------------------------------------------------------


def draw(trams: Trams) -> None:
    tell_drawn(trams, trams.draw_tile(trams.current))
    to_build(trams)


def tell_drawn(trams: Trams, tile: int) -> None:
    if trams.loud:
        trams.tell("event.drew", seat=trams.current, tile=TILE_NAMES[tile])


def to_build(trams: Trams) -> None:
    trams.phase = Phase.BUILD
    if len(build_choices(trams)) == 1:
        to_move(trams)


def build_choices(trams: Trams) -> list[int]:
    """Tiles that fit somewhere, tiles to swap (not when none lie face down), and nothing."""
    tiles = 0
    for tile in trams.hands[trams.current]:
        tiles |= 1 << tile
    found: list[int] = []
    for tile in range(len(TILE_NAMES)):
        if tiles >> tile & 1 and fit.fits_somewhere(trams, tile):
            found.append(Do.LAY + tile)
    if trams.face_down:
        for tile in range(len(TILE_NAMES)):
            if tiles >> tile & 1:
                found.append(Do.SWAP + tile)
    found.append(Do.NO_BUILD)
    return found


def turn_choices(trams: Trams) -> list[int]:
    """How the tile may be turned on the square that was chosen."""
    turns = fit.fitting_turns(trams, trams.lay_tile, trams.lay_square)
    found: list[int] = []
    for quarters in range(4):
        if turns >> quarters & 1:
            found.append(Do.TURN + quarters)
    return found


def choose_square(trams: Trams, square: int) -> None:
    """The turn is only asked for when there are two or more."""
    trams.lay_square = square
    turns = turn_choices(trams)
    if len(turns) == 1:
        lay(trams, turns[0] - Do.TURN)


def lay(trams: Trams, quarters: int) -> None:
    """TA-3.1, TA-3.2: on free grass a new tile is drawn, else the old one is taken in hand."""
    seat, tile, square = trams.current, trams.lay_tile, trams.lay_square
    trams.lay_tile = -1
    trams.lay_square = -1
    hand = trams.hands[seat][:]
    hand.remove(tile)
    trams.hands[seat] = hand
    old = trams.laid[square] >> 2
    if old >= 0:
        trams.hands[seat] = [*hand, old]
        trams.drew = old
    fit.put_down(trams, square, 4 * tile + quarters)
    trams.laid_now = square
    if trams.loud:
        key = "event.laid" if old < 0 else "event.replaced"
        names = {"tile": TILE_NAMES[tile], "square": SQUARE_NAMES[square]}
        event = trams.tell(key, seat=seat, **names)
        if old >= 0:
            event.args["old"] = TILE_NAMES[old]
    if old < 0 and trams.face_down:
        trams.drew = trams.draw_tile(seat)
        tell_drawn(trams, trams.drew)
    to_move(trams)


def swap(trams: Trams, tile: int) -> None:
    """TA-3.3: draw first, then put back and mix."""
    seat = trams.current
    trams.drew = trams.draw_tile(seat)
    hand = trams.hands[seat][:]
    hand.remove(tile)
    trams.hands[seat] = hand
    trams.mix_in([tile])
    if trams.loud:
        trams.tell("event.swapped", seat=seat, tile=TILE_NAMES[tile], drawn=TILE_NAMES[trams.drew])
    to_move(trams)


# --- move (TA-4): drive.py has it ------------------------------------------------------------------


def to_move(trams: Trams) -> None:
    trams.phase = Phase.MOVE
    if trams.stuck:
        if trams.loud:
            trams.tell("event.halted", seat=trams.current)
        stand(trams)


def move_choices(trams: Trams) -> list[int]:
    found = [Do.ROLL, Do.STAY]
    if Card.TRAM_DE_OPCINA in trams.kept[trams.current]:
        found.append(Do.USE + Card.TRAM_DE_OPCINA - FIRST_KEPT)
    return found


def stay(trams: Trams) -> None:
    if trams.loud:
        trams.tell("event.stayed", seat=trams.current, at=SQUARE_NAMES[trams.at[trams.current]])
    stand(trams)


def stand(trams: Trams) -> None:
    """The move is over, or there was none: what the place offers (TA-5.2, TA-7.2, TA-7.4)."""
    if trams.wrecked:
        end(trams)
    elif trams.board.kind[trams.at[trams.current]] == WORKSHOP:
        trams.phase = Phase.WORKSHOP
    elif stops.may_board(trams, trams.current):
        trams.phase = Phase.PICK_UP
    else:
        to_set_down(trams)


# --- pick up and set down (TA-5, TA-6) -------------------------------------------------------------


def pick_up_choices(trams: Trams) -> list[int]:
    if trams.boarded_at < 0:
        return [Do.BOARD, Do.LEAVE]
    return [Do.USE + Card.CROWDED_STOP - FIRST_KEPT, Do.LEAVE]


def board(trams: Trams) -> None:
    trams.phase = Phase.PICK_UP
    stops.board(trams, trams.current)
    if trams.phase == Phase.PICK_UP:
        after_boarding(trams)


def board_second(trams: Trams) -> None:
    trams.spend(trams.current, Card.CROWDED_STOP)
    board(trams)


def after_boarding(trams: Trams) -> None:
    """When a misfortune, if there was one, is done (TA-6.2)."""
    stops.refill(trams)
    seat = trams.current
    if Card.CROWDED_STOP in trams.kept[seat] and stops.may_board_second(trams, seat):
        trams.phase = Phase.PICK_UP
    else:
        to_set_down(trams)


def to_set_down(trams: Trams) -> None:
    seat = trams.current
    board = trams.board
    if trams.at[seat] != (board.oberdan if trams.to[seat] == OBERDAN else board.opicina):
        end(trams)
    elif trams.aboard[seat]:
        trams.phase = Phase.SET_DOWN
    else:
        set_down(trams)


def set_down(trams: Trams) -> None:
    """TA-6.1: at 12 points the game ends at once."""
    stops.set_down(trams)
    if trams.points[trams.current] >= trams.goal:
        trams.finish(Ending.FRENADOR)
    else:
        end(trams)


def end(trams: Trams) -> None:
    """The next player is on; after the last round the service ends."""
    stops.refill(trams)
    following = (trams.current + 1) % trams.seats
    if following == trams.first:
        if trams.round == trams.rounds:
            trams.finish(Ending.END_OF_SERVICE)
            return
        trams.round += 1
    trams.protected = trams.laid_now
    trams.current = following
    begin(trams)
