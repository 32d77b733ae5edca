"""Tachite al Tram: what a tile would connect, and what each roll could reach. All of it is public."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from capolinea.engine import Line, Preview, Refused, Shown
from capolinea.games.tachite_al_tram.rules import fit
from capolinea.games.tachite_al_tram.rules.board import SIDE_NAMES, SQUARE_NAMES
from capolinea.games.tachite_al_tram.rules.drive import asks_first
from capolinea.games.tachite_al_tram.rules.refusals import refuse
from capolinea.games.tachite_al_tram.rules.steps import (
    OPCINA_STEPS,
    PIPS,
    Card,
    Do,
    Futiz,
    Phase,
)
from capolinea.games.tachite_al_tram.rules.ways import Way, ways

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams


class End(Shown):
    """One way a move can end, with the choices that lead there."""

    square: str
    path: list[str]
    steps: list[dict[str, str]]
    #: What the tram itself would take, and whom it would run into.
    damage: int
    hits: list[int]
    early: bool


class Reach(Shown):
    """What a roll (with Zelante's extra square) can come to; 0: a card instead of the die."""

    roll: int
    ends: list[End]


class TramPreview(Preview, omit_defaults=True):
    """`connects` are the sides on which a tile would join a rail, `fits` the turns in which it fits, and
    `turn` how it would lie, in quarters."""

    connects: list[str] = []
    fits: int = 0
    turn: int | None = None
    reach: list[Reach] = []


def preview_of(trams: Trams, seat: int, actions: Sequence[int]) -> TramPreview:
    """With no action: what this seat's tram could reach from where it stands."""
    if not actions:
        return TramPreview(reach=_reach(trams, seat))
    first = actions[0]
    if first not in trams.legal(seat):
        refuse(trams, seat, first)
    if Do.LAY <= first < Do.ON:
        return _laying(trams, seat, actions)
    if first == Do.ROLL:
        return TramPreview(reach=_reach(trams, seat))
    if first == Do.USE + Card.TRAM_DE_OPCINA - Card.NERO_IN_B:
        found = ways(trams, trams.at[seat], OPCINA_STEPS)
        return TramPreview(reach=[Reach(0, _ends(trams, seat, found))])
    return TramPreview()


def _laying(trams: Trams, seat: int, actions: Sequence[int]) -> TramPreview:
    """Laid on a copy, without drawing the next tile."""
    begun = trams.copy()
    begun.play(seat, actions[0])
    if len(actions) == 1:
        squares = len(fit.places(begun, begun.lay_tile))
        return TramPreview(lines=[Line("preview.squares", {"count": squares})])
    if actions[1] not in begun.legal(seat):
        refuse(begun, seat, actions[1])
    if len(actions) > 3:
        raise Refused("refused.not-now", "TA-3.5")
    square = actions[1] - Do.ON
    turns = [q for q in range(4) if fit.fitting_turns(begun, begun.lay_tile, square) >> q & 1]
    if len(actions) == 3:
        quarters = actions[2] - Do.TURN
        if quarters not in turns or len(turns) == 1:
            raise Refused("refused.not-now", "TA-3.5")
    elif len(turns) == 1:
        quarters = turns[0]
    else:
        line = Line("preview.turns", {"count": len(turns)})
        return TramPreview(lines=[line], fits=len(turns))
    fit.put_down(begun, square, 4 * begun.lay_tile + quarters)
    joined = [SIDE_NAMES[side] for side in range(4) if begun.joined[square] >> side & 1]
    key = "preview.connects" if joined else "preview.alone"
    return TramPreview(
        lines=[Line(key, {"sides": joined} if joined else {})],
        connects=joined,
        fits=len(turns),
        turn=quarters,
        reach=_reach(begun, seat),
    )


def _reach(trams: Trams, seat: int) -> list[Reach]:
    """Of this turn's roll, or of every one that the next can be: none in a strike."""
    if trams.stuck if seat == trams.current else trams.halted[seat]:
        return []
    at = trams.at[seat]
    if trams.phase == Phase.GO and seat == trams.current:
        found = ways(trams, at, trams.steps, asks_first(trams))
        return [Reach(trams.die, _ends(trams, seat, found))]
    more = 1 if trams.futiz[seat] == Futiz.ZELANTE else 0
    asks = Card.NERO_IN_B in trams.kept[seat]
    return [
        Reach(roll, _ends(trams, seat, ways(trams, at, roll + more, asks)))
        for roll in range(1, PIPS + 1)
    ]


def _ends(trams: Trams, seat: int, found: list[Way]) -> list[End]:
    ends = []
    shields = trams.kept[seat].count(Card.SAN_GIUSTO)
    for way in found:
        moved = len(way.path) > 1 and not trams.board.haven[way.square]
        hits = [
            other
            for other in range(trams.seats)
            if moved and other != seat and trams.at[other] == way.square
        ]
        damage = int(way.ran_off) + (1 if hits else 0)
        ends.append(
            End(
                square=SQUARE_NAMES[way.square],
                path=[SQUARE_NAMES[square] for square in way.path],
                steps=[_step(action) for action in way.steps],
                damage=0 if trams.futiz[seat] == Futiz.BULOTO else max(0, damage - shields),
                hits=hits,
                early=way.early,
            )
        )
    return ends


def _step(action: int) -> dict[str, str]:
    if action == Do.STOP:
        return {"do": "stop"}
    if action == Do.RUN_OFF:
        return {"do": "run-off"}
    return {"do": "go", "side": SIDE_NAMES[action - Do.GO]}
