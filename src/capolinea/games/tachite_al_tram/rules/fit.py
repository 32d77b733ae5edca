"""Where a tile fits (TA-3.1, TA-3.2, TA-3.5), and the rails of the board as tiles come and go.

Every square of grass has two masks of sides, kept up to date: `needed`, where a rail of a neighbour
ends, and `barred`, where there is nothing for a rail to meet: the edge of the board, an obstacle, or a
neighbour's side without one. A tile fits when it reaches all that is needed and nothing barred.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.games.tachite_al_tram.rules.board import GRASS, SQUARES

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams


def fitting_turns(trams: Trams, tile: int, square: int) -> int:
    """The quarter turns in which this tile may be laid there now, as bits."""
    if trams.board.kind[square] != GRASS:
        return 0
    turns = trams.tiles.fitting[tile << 8 | trams.edges[square]]
    if turns and trams.laid[square] >= 0:
        if not replaceable(trams, square):
            return 0
        # TA-3.2: the rails must change.
        look = trams.tiles.look[trams.laid[square]]
        for quarters in range(4):
            if trams.tiles.look[4 * tile + quarters] == look:
                turns &= ~(1 << quarters)
    return turns


def replaceable(trams: Trams, square: int) -> bool:
    """TA-3.2: not what the player just before laid, and not under a tram."""
    return square != trams.protected and square not in trams.at


def places(trams: Trams, tile: int, most: int = SQUARES) -> list[int]:
    """All squares where this tile may be laid, or the first so many."""
    found: list[int] = []
    first = tile << 8
    fitting, edges, laid = trams.tiles.fitting, trams.edges, trams.laid
    for square in trams.board.grass:
        if fitting[first | edges[square]] and (
            laid[square] < 0 or fitting_turns(trams, tile, square)
        ):
            found.append(square)
            if len(found) == most:
                break
    return found


def fits_somewhere(trams: Trams, tile: int) -> bool:
    return bool(places(trams, tile, 1))


def blind_sides(trams: Trams, tile: int, quarters: int, square: int) -> tuple[int, int]:
    """TA-3.5: the sides where this tile would lead nowhere, and those where a rail would meet none."""
    ends = trams.tiles.ends[trams.tiles.look[4 * tile + quarters]]
    edges = trams.edges[square]
    return ends & edges & 15, ~ends & edges >> 4


def put_down(trams: Trams, square: int, lying: int) -> None:
    """The tile `lying` = tile*4 + quarter turns is on the square from now on."""
    look = trams.tiles.look[lying]
    trams.laid[square] = lying
    trams.when[square] = trams.turn
    trams.tracks[square] = trams.tiles.tracks[look]
    trams.ends[square] = trams.tiles.ends[look]
    _meet(trams, square, True)


def take_up(trams: Trams, square: int) -> int:
    """Take a tile off its square, and say which it is."""
    tile = trams.laid[square] >> 2
    trams.laid[square] = -1
    trams.when[square] = 0
    trams.tracks[square] = 0
    trams.ends[square] = 0
    _meet(trams, square, False)
    return tile


def _meet(trams: Trams, square: int, rails: bool) -> None:
    """Bring the four neighbours and the joints between up to date."""
    ends = trams.ends[square]
    joined = 0
    for side in range(4):
        near = trams.board.near[square * 4 + side]
        if near < 0:
            continue
        bit = 1 << (side ^ 2)
        if trams.board.kind[near] == GRASS:
            edges = trams.edges[near] & ~(bit << 4 | bit)
            if rails:
                edges |= bit << 4 if ends >> side & 1 else bit
            trams.edges[near] = edges
        if ends >> side & 1 and trams.ends[near] & bit:
            joined |= 1 << side
            trams.joined[near] |= bit
        else:
            trams.joined[near] &= ~bit
    trams.joined[square] = joined
