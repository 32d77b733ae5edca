"""A frenador: builds, rolls, picks up and sets down so as to make twelve points in the fewest turns."""

from __future__ import annotations

from capolinea.bots.bot import Bot, Seen
from capolinea.bots.frenador.mind import FUTIZ_WORTH, Mind
from capolinea.engine import Rng
from capolinea.games.tachite_al_tram.rules import fit
from capolinea.games.tachite_al_tram.rules.roads import Laying, layings
from capolinea.games.tachite_al_tram.rules.steps import (
    FIRST_KEPT,
    OPCINA_STEPS,
    WRECKED,
    Card,
    Do,
    Phase,
)
from capolinea.games.tachite_al_tram.rules.trams import Trams

#: So many tiles are tried out in thought.
TRIED = 3
#: A tile must make the turn better by so much, or another one is drawn instead.
WORTH_LAYING = 0.02
#: A tile for later must shorten the ways between stops and termini by so many half squares.
WORTH_HAVING = 4
#: Who stays has lost a turn, and hopes for better rails.
STAYING = 0.2
#: A kept card is used when it helps by so much.
WORTH_A_CARD = 0.25
#: Who carries so many is afraid of a misfortune that would be the third damage.
PRECIOUS = 2

NERO = Do.USE + Card.NERO_IN_B - FIRST_KEPT
OPCINA = Do.USE + Card.TRAM_DE_OPCINA - FIRST_KEPT
CROWDED = Do.USE + Card.CROWDED_STOP - FIRST_KEPT


class Frenador(Bot):
    """Sees its view alone: it thinks on a board imagined from it, and looks at what lies open."""

    def __init__(self) -> None:
        #: The steps of the choice that is being made; found again if they are lost.
        self.steps: list[int] = []

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        begun = list(seen.begun)
        if begun and self.steps[: len(begun)] == begun and len(self.steps) > len(begun):
            return self.steps[len(begun)]
        if len(legal) == 1:
            return legal[0]
        trams: Trams = seen.game.imagine(seen.view, rng)
        first = legal if not begun else trams.legal(seen.seat)
        self.steps = steps(trams, seen.seat, first)
        return self.steps[len(begun)]


def steps(trams: Trams, seat: int, legal: list[int]) -> list[int]:
    """All steps of the choice that seems best."""
    match trams.phase:
        case Phase.START:
            return [Do.DRAW]
        case Phase.BUILD:
            return build(trams, seat, legal)
        case Phase.MOVE:
            return [move(trams, seat, legal)]
        case Phase.GO:
            return go(trams, seat, legal)
        case Phase.WORKSHOP:
            return service(trams, seat, legal)
        case Phase.PICK_UP:
            return [pick_up(trams, seat, legal)]
        case Phase.BOARS:
            return [send_boars(trams, seat, legal)]
    return [Do.SET_DOWN]


# --- build -----------------------------------------------------------------------------------------


def build(trams: Trams, seat: int, legal: list[int]) -> list[int]:
    mind = Mind(trams, seat)
    found = layings(trams, seat, mind.legs())
    if found:
        worth = [_after(trams, seat, laying) for laying in _tried(found)]
        if max(worth) > mind.rolling() + WORTH_LAYING:
            return _lay(trams, _tried(found)[worth.index(max(worth))])
    # Nothing helps now: build for later, or try for a tile that will.
    found = layings(trams, seat, mind.links())
    if found and found[0].gain >= WORTH_HAVING:
        return _lay(trams, found[0])
    swaps = [action for action in legal if Do.SWAP <= action < Do.NO_BUILD]
    use = {laying.tile: laying.gain for laying in reversed(found)}
    return [min(swaps, key=lambda action: use.get(action - Do.SWAP, 0), default=Do.NO_BUILD)]


def _tried(found: list[Laying]) -> list[Laying]:
    """The best ones, each on a square of its own."""
    best: dict[int, Laying] = {}
    for laying in found:
        best.setdefault(laying.square, laying)
    return list(best.values())[:TRIED]


def _lay(trams: Trams, laying: Laying) -> list[int]:
    turns = fit.fitting_turns(trams, laying.tile, laying.square)
    turn = [Do.TURN + laying.quarters] if turns.bit_count() > 1 else []
    return [Do.LAY + laying.tile, Do.ON + laying.square, *turn]


def _after(trams: Trams, seat: int, laying: Laying) -> float:
    """What the roll is worth once this tile lies there."""
    thought = trams.copy()
    if thought.laid[laying.square] >= 0:
        fit.take_up(thought, laying.square)
    fit.put_down(thought, laying.square, 4 * laying.tile + laying.quarters)
    return Mind(thought, seat).rolling()


# --- move ------------------------------------------------------------------------------------------


def move(trams: Trams, seat: int, legal: list[int]) -> int:
    here = trams.at[seat]
    if not trams.damage[seat] and not trams.board.haven[here] and OPCINA not in legal:
        return Do.ROLL
    mind = Mind(trams, seat)
    rolling = mind.rolling()
    if OPCINA in legal and mind.best_way(OPCINA_STEPS)[0] > rolling + WORTH_A_CARD:
        return OPCINA
    return Do.ROLL if rolling > mind.standing(here) - STAYING else Do.STAY


def go(trams: Trams, seat: int, legal: list[int]) -> list[int]:
    mind = Mind(trams, seat)
    again = NERO in legal
    worth, way = mind.best_way(trams.steps, again)
    if again and mind.rolling() > worth + WORTH_A_CARD:
        return [NERO]
    return way.steps


# --- workshop --------------------------------------------------------------------------------------


def service(trams: Trams, seat: int, legal: list[int]) -> list[int]:
    mind = Mind(trams, seat)
    if Do.REPAIR in legal and mind.worth_of_repair() >= mind.worth_of_futiz():
        return [Do.REPAIR]
    best = max(FUTIZ_WORTH, key=lambda futiz: FUTIZ_WORTH[futiz])
    if mind.worth_of_futiz() > 0 and Do.FUTIZ + best in legal:
        return [Do.FUTIZ + best, *_put_off(trams, seat, Do.FUTIZ + best)]
    return [Do.NO_SERVICE]


def _put_off(trams: Trams, seat: int, action: int) -> list[int]:
    """Who has to leave for another Futiz: the first who may, until all fit."""
    thought = trams.copy()
    thought.play(seat, action)
    found = []
    while thought.midway() == seat:
        found.append(thought.legal(seat)[0])
        thought.play(seat, found[-1])
    return found


# --- pick up ---------------------------------------------------------------------------------------


def pick_up(trams: Trams, seat: int, legal: list[int]) -> int:
    mind = Mind(trams, seat)
    stop = trams.board.stop_at[trams.at[seat]]
    kind = trams.waiting_at[stop][-1]
    carried = len(mind.aboard)
    unlucky = mind.luck(kind, carried) > 0
    afraid = unlucky and mind.damage == WRECKED - 1 and carried >= PRECIOUS
    if carried >= mind.need or afraid:
        return Do.LEAVE
    return legal[0]


# --- misfortunes -----------------------------------------------------------------------------------


def send_boars(trams: Trams, seat: int, legal: list[int]) -> int:
    """Away with the tile that rivals need most and we least."""

    def harm(action: int) -> float:
        thought = trams.copy()
        fit.take_up(thought, action - Do.ON)
        found = 0.0
        for other in range(trams.seats):
            mind = Mind(thought, other)
            turns = mind.turns(thought.at[other], mind.goal)
            found += turns if other != seat else -2 * turns
        return found

    return max(legal, key=harm)
