"""Who is the Saboteur? A simple belief from what was played, what was claimed, and what one knows.

Every turn weighs for or against its drawer and its current player: who had a slower card and played
the faster one is suspect, who braked is less so. What somebody saw counts in full; what others claim
counts if the two claims agree; two claims that cannot both be true weigh against both.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from capolinea.bots.passenger.outlook import accelerates, speed_after, speed_before
from capolinea.engine.match import Said
from capolinea.games.stop_the_train.rules.turn import SPACE
from capolinea.games.stop_the_train.views import PastTurn, TrainView

#: What each kind of evidence weighs, in log odds.
CHOSE_FASTER = 0.9  # for each space of difference
CHOSE_SLOWER = -0.7
PASSED_FAST = 0.9  # two accelerating cards passed on
PASSED_SLOW = -0.5
PLAYED_FAST = 0.55  # nobody knows what else there was
PLAYED_SLOW = -0.6
CLASHED = 1.2  # two claims that cannot both be true
LIED = 3.5  # and one knows which
ACCUSED = 0.15
SHARPNESS = 1.0


class Claims:
    """What drawers and current players have stated, by turn (counted from 0); the last word counts."""

    def __init__(self, said: Sequence[Said]) -> None:
        self.passed: dict[int, list[str]] = {}
        self.received: dict[int, list[str]] = {}
        self.drew: dict[int, list[str]] = {}
        self.by: set[tuple[int, int]] = set()
        self.accused: dict[int, int] = {}
        for one in said:
            claim = one.said.get("claim")
            if claim is None:
                self.accused[one.seat] = one.said["accuse"]
                continue
            turn = claim["turn"] - 1
            self.by.add((turn, one.seat))
            if "received" in claim:
                self.received[turn] = sorted(claim["received"])
            if "drew" in claim:
                self.drew[turn] = sorted(claim["drew"])
            if "passed" in claim:
                self.passed[turn] = sorted(claim["passed"])
            elif "drew" in claim and "discarded" in claim:
                left = list(claim["drew"])
                for card in claim["discarded"]:
                    left.remove(card)
                self.passed[turn] = sorted(left)


def suspicion(view: TrainView, said: Sequence[Said], viewer: int | None) -> list[float]:
    """For each seat how likely it is the Saboteur's, in the eyes of a viewer (None: anybody's)."""
    claims = Claims(said)
    weights = [0.0] * len(view.players)
    for number, turn in enumerate(view.turns):
        if turn.effect and turn.current >= 0:
            _weigh(view, claims, number, turn, viewer, weights)
    for accuser, accused in claims.accused.items():
        if accuser != viewer:
            weights[accused] += ACCUSED
    shares = [exp(SHARPNESS * weight) for weight in weights]
    if viewer is not None and view.own is not None:
        shares[viewer] = 0.0
        for seen in view.own.seen:
            if seen.look == "identity":
                if seen.roles == ["saboteur"]:
                    return [float(seat == seen.seat) for seat in range(len(shares))]
                shares[seen.seat] = 0.0
    total = sum(shares) or 1.0
    return [share / total for share in shares]


def _weigh(
    view: TrainView,
    claims: Claims,
    number: int,
    turn: PastTurn,
    viewer: int | None,
    weights: list[float],
) -> None:
    drawer, current = turn.drawer, turn.current
    known = sorted(turn.passed) if viewer in (drawer, current) else []
    if not known and viewer is not None:
        known = _spied(view, number, turn)
    told, heard = claims.passed.get(number), claims.received.get(number)
    if known:
        # Whoever says otherwise lies.
        if viewer != drawer and told is not None and told != known:
            weights[drawer] += LIED
        if viewer != current and heard is not None and heard != known:
            weights[current] += LIED
        _weigh_known(view, number, turn, known, weights)
    elif told is not None and heard is not None:
        if told == heard:
            _weigh_known(view, number, turn, told, weights)
        else:
            weights[drawer] += CLASHED
            weights[current] += CLASHED
    elif told or heard:
        _weigh_known(view, number, turn, told or heard or [], weights, 0.5)
    else:
        weight = PLAYED_FAST if accelerates(turn.effect) else PLAYED_SLOW
        weights[drawer] += weight
        weights[current] += weight


def _spied(view: TrainView, number: int, turn: PastTurn) -> list[str]:
    """Spy shows what the current player set aside, if it was played when the card had been."""
    assert view.own is not None
    for seen in view.own.seen:
        if seen.look == "spy" and seen.turn == number + 1 and not turn.gun and not turn.seized:
            return sorted([turn.effect, seen.effects[0]])
    return []


def _weigh_known(
    view: TrainView,
    number: int,
    turn: PastTurn,
    cards: list[str],
    weights: list[float],
    share: float = 1.0,
) -> None:
    """Both cards are known: the choice between them, and that they were passed at all."""
    speed = speed_before(view, number)
    results = sorted(speed_after(view, card, "", speed) for card in cards)
    first = turn.seized or turn.effect
    played = speed_after(view, first, turn.side if first == turn.effect else "", speed)
    if len(cards) > 1 and first in cards:
        if played > results[0]:
            weights[turn.current] += share * CHOSE_FASTER * (played - results[0]) / SPACE
        elif results[1] > results[0]:
            weights[turn.current] += share * CHOSE_SLOWER
    fast = all(accelerates(card) for card in cards)
    weights[turn.drawer] += share * (PASSED_FAST if fast else PASSED_SLOW)
