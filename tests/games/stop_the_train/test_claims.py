"""Stop the Train!, rule by rule: what may be claimed of a turn (ST-4.7)."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.engine import Refused
from tests.games.stop_the_train.lines import (
    rail,
    status,
)
from tests.games.stop_the_train.tables import Staged
from tests.games.stop_the_train.turns import FOUR, THREE, look, to_play


def played(t: Staged) -> Staged:
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    t.lay("apply-the-brakes")
    return t


def say(t: Staged, seat: int, said: dict[str, Any]) -> dict[str, Any]:
    """What everybody hears."""
    line = t.match.say(seat, said)[0]
    return {"key": line.key, **line.args}


def not_said(t: Staged, seat: int, said: object) -> Refused:
    with pytest.raises(Refused) as caught:
        t.match.say(seat, said)
    return caught.value


def test_st_4_7_the_drawer_may_claim_what_was_drawn_and_discarded_true_or_not() -> None:
    t = played(rail(*FOUR))
    cards = ["hard-brake", "maintain-speed", "theft"]
    claim = {"turn": 1, "drew": cards, "discarded": ["theft"]}
    assert say(t, 0, {"claim": claim}) == {
        "key": "saying.drew-discarded",
        "seat": 0,
        "turn": 1,
        "drew": cards,
        "discarded": ["theft"],
    }
    say(t, 0, {"claim": {"turn": 1, "passed": ["accelerate", "accelerate"]}})


def test_st_4_7_the_current_player_may_claim_what_was_received() -> None:
    t = played(rail(*FOUR))
    cards = ["accelerate", "speed-up"]
    assert say(t, 1, {"claim": {"turn": 1, "received": cards}}) == {
        "key": "saying.received",
        "seat": 1,
        "turn": 1,
        "received": cards,
    }


def test_st_4_7_nobody_claims_for_another_place_in_the_turn() -> None:
    t = played(rail(*FOUR))
    pair = ["accelerate", "speed-up"]
    for seat, part in [(0, "received"), (1, "passed"), (2, "passed"), (2, "received")]:
        assert not_said(t, seat, {"claim": {"turn": 1, part: pair}}).rule == "ST-4.7"


def test_st_4_7_claims_begin_when_the_card_of_the_turn_has_been_played() -> None:
    t = rail(*FOUR)
    drew = {"claim": {"turn": 1, "drew": list(THREE)}}
    assert not_said(t, 0, drew).rule == "ST-4.7"
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    assert not_said(t, 0, drew).rule == "ST-4.7"
    t.lay("apply-the-brakes")
    say(t, 0, drew)
    t.quiet()
    # Later too, but of no turn that has not been.
    say(t, 0, drew)
    assert not_said(t, 1, {"claim": {"turn": 2, "drew": list(THREE)}}).rule == "ST-4.7"
    assert not_said(t, 0, {"claim": {"turn": 0, "drew": list(THREE)}}).rule == "ST-4.7"
    assert not_said(t, 0, {"claim": {"turn": 3, "drew": list(THREE)}}).rule == "ST-4.7"


@pytest.mark.parametrize(
    "claim",
    [
        {"turn": 1},
        {"turn": 1, "drew": ["accelerate", "accelerate"]},
        {"turn": 1, "discarded": ["accelerate", "accelerate"]},
        {"turn": 1, "passed": ["accelerate"]},
        {"turn": 1, "passed": ["accelerate", "rocket"]},
        {"turn": 1, "passed": ["hard-brake", "hard-brake"]},
        {"turn": 1, "drew": ["theft", "accelerate", "speed-up"], "discarded": ["hard-brake"]},
        {"turn": 1, "character": "saboteur"},
    ],
)
def test_st_4_7_a_claim_may_be_false_but_must_make_sense(claim: dict[str, Any]) -> None:
    assert not_said(played(rail(*FOUR)), 0, {"claim": claim}).rule == "ST-4.7"


@pytest.mark.parametrize("step", ["draw", "play", "window"])
def test_st_4_7_anybody_on_board_may_say_whom_they_suspect(step: str) -> None:
    t = rail(*FOUR)
    if step != "draw":
        to_play(t, "accelerate", "hard-brake")
    if step == "window":
        t.lay("accelerate")
    assert say(t, 2, {"accuse": 0}) == {"key": "saying.accuse", "seat": 2, "other": 0}
    status(t, 3, "hanging")
    say(t, 3, {"accuse": 2})


def test_st_4_7_who_has_left_says_nothing_and_is_not_suspected() -> None:
    t = played(rail(*FOUR))
    status(t, 1, "off")
    status(t, 3, "dead")
    for seat in (1, 3):
        assert not_said(t, seat, {"accuse": 0}).rule == "ST-5.6"
        assert not_said(t, 0, {"accuse": seat}).rule == "ST-5.6"
    claim = {"claim": {"turn": 1, "received": ["accelerate", "speed-up"]}}
    assert not_said(t, 1, claim).rule == "ST-5.6"


@pytest.mark.parametrize(
    "said",
    [
        {"i-am": "saboteur"},
        {"character": "engineer"},
        {"saw": [2, "saboteur"]},
        {"accuse": 1},
        {"accuse": 4},
        {"accuse": "saboteur"},
        "I am the Saboteur",
    ],
)
def test_st_4_7_nobody_can_say_who_they_are_or_whom_they_saw(said: object) -> None:
    t = rail(*FOUR)
    t.turn("id-check", "second")
    t.do(1, look(2))
    assert not_said(t, 1, said).rule == "ST-4.7"
