"""Stop the Train!: what can be said at the table and kept in the record (ST-4.7)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from capolinea.engine import Match, Refused, Rng, Viewer
from capolinea.engine.playout import Rota
from capolinea.games.stop_the_train.title import GAME, TrainOptions
from tests.games.stop_the_train.tables import NAMES, Staged, table

ADA, BRUNO, CARLA, DORA = range(4)
EVERYBODY: list[Viewer] = [ADA, BRUNO, CARLA, DORA, None]
CAST = ["saboteur", "chanteuse", "engineer", "photographer"]
DREW = ["full-speed-ahead", "accelerate", "apply-the-brakes"]


def scene(*hands: list[str], **options: Any) -> Staged:
    """Ada has drawn full-speed-ahead, accelerate and apply-the-brakes."""
    four = [*hands, *([] for _ in range(4 - len(hands)))]
    deck = [*DREW, "accelerate", "accelerate", "accelerate"]
    dealt: dict[str, Any] = {"deck": deck, "characters": CAST} | options
    return table(*four, viewers=EVERYBODY, **dealt)


def played(*hands: list[str], **options: Any) -> Staged:
    """Ada has passed two cards to Bruno, and Bruno has played Accelerate: now one may claim."""
    t = scene(*hands, **options)
    t.discard("full-speed-ahead")
    t.lay("accelerate")
    return t


def claim(t: Staged, seat: int, turn: Any = 1, **parts: Any) -> tuple[str, dict[str, Any]]:
    """Claim something of a turn; the line that it makes."""
    return say(t, seat, {"claim": {"turn": turn, **parts}})


def accuse(t: Staged, seat: int, other: Any) -> tuple[str, dict[str, Any]]:
    return say(t, seat, {"accuse": other})


def say(t: Staged, seat: int, said: Any) -> tuple[str, dict[str, Any]]:
    t.match.say(seat, said)
    line = t.match.said[-1].line
    return line.key, dict(line.args)


def refused(t: Staged, seat: int, said: Any) -> tuple[str, str]:
    """Why something cannot be said: key and rule. It leaves no trace."""
    before = len(t.match.entries), len(t.match.said)
    with pytest.raises(Refused) as why:
        t.match.say(seat, said)
    assert (len(t.match.entries), len(t.match.said)) == before
    return why.value.key, why.value.rule


def refused_claim(t: Staged, seat: int, turn: Any = 1, **parts: Any) -> str:
    key, rule = refused(t, seat, {"claim": {"turn": turn, **parts}})
    assert rule == "ST-4.7"
    return key


def throw_off(t: Staged, seat: int) -> None:
    """Vote somebody off in a meeting at the end of this turn."""
    t.at(t.train.track.bridges[0][0] - 1, speed=30)
    t.turn("maintain-speed")
    while t.step == "ballot":
        voter = t.train.waiting()[0]
        t.throw_off(seat if voter != seat else (seat + 1) % t.train.seats)
    t.quiet()
    assert t.view().players[seat].status == "off"


# --- claims: who, what, when -----------------------------------------------------------------------


def test_st_4_7_the_drawer_may_state_what_they_drew_discarded_and_passed() -> None:
    t = played()
    whole = {"drew": DREW, "discarded": ["full-speed-ahead"], "passed": DREW[1:]}
    key, args = claim(t, ADA, **whole)
    assert key == "saying.drew-discarded"
    assert args == {
        "seat": ADA,
        "turn": 1,
        "drew": sorted(DREW),
        "discarded": ["full-speed-ahead"],
    }


def test_st_4_7_the_current_player_may_state_what_they_received() -> None:
    t = played()
    assert claim(t, BRUNO, received=["accelerate", "apply-the-brakes"]) == (
        "saying.received",
        {"seat": BRUNO, "turn": 1, "received": ["accelerate", "apply-the-brakes"]},
    )


def test_st_4_7_a_claim_may_be_false() -> None:
    t = played()
    claim(t, ADA, drew=["theft", "theft", "id-check"], discarded=["theft"])
    claim(t, BRUNO, received=["full-speed-ahead", "full-speed-ahead"])
    assert [said.line.key for said in t.match.said] == ["saying.drew-discarded", "saying.received"]


def test_st_4_7_any_part_of_a_claim_can_be_left_out() -> None:
    t = played()
    assert claim(t, ADA, drew=DREW)[0] == "saying.drew"
    assert claim(t, ADA, discarded=DREW[:1])[0] == "saying.discarded"
    assert claim(t, ADA, passed=DREW[1:])[0] == "saying.passed"
    assert claim(t, ADA, drew=DREW, discarded=DREW[:1])[0] == "saying.drew-discarded"
    assert claim(t, ADA, drew=DREW, passed=DREW[1:])[0] == "saying.drew-passed"


def test_a_line_names_the_cards_in_a_fixed_order_whatever_order_they_were_said_in() -> None:
    t = played()
    one = claim(t, ADA, drew=DREW)
    two = claim(t, ADA, drew=DREW[::-1])
    assert one == two == ("saying.drew", {"seat": ADA, "turn": 1, "drew": sorted(DREW)})


PARTS = {"drew": DREW, "discarded": DREW[:1], "passed": DREW[1:]}


@pytest.mark.parametrize(
    "said",
    [
        ["drew"],
        ["discarded"],
        ["passed"],
        ["drew", "discarded"],
        ["drew", "passed"],
        ["drew", "discarded", "passed"],
        ["discarded", "passed"],
    ],
)
def test_a_line_says_all_that_was_claimed(said: list[str]) -> None:
    # Of three cards, one and the other two, any two make the third plain.
    _, args = claim(played(), ADA, **{part: PARTS[part] for part in said})
    lines = [part for part in PARTS if part in args]
    if len(said) < 2:
        assert lines == said
    else:
        assert len(lines) >= 2
    assert all(args[part] == sorted(PARTS[part]) for part in lines)


def test_what_is_said_is_heard_by_all_alike() -> None:
    t = played()
    claim(t, ADA, discarded=["hard-brake"])
    for viewer in EVERYBODY:
        frame = t.match.frames(viewer)[-1]
        heard = [(event.key, event.args) for event in frame.events]
        args = {"seat": ADA, "turn": 1, "discarded": ["hard-brake"]}
        assert heard == [("saying.discarded", args)]
        assert frame.said[-1].said == {"claim": {"turn": 1, "discarded": ["hard-brake"]}}


def test_nobody_can_tell_from_what_is_heard_whether_it_is_true() -> None:
    heard = []
    for third in ("apply-the-brakes", "speed-up"):
        t = played(deck=["full-speed-ahead", "accelerate", third])
        claim(t, BRUNO, received=["accelerate", "apply-the-brakes"])
        heard.append([msgspec.json.encode(t.match.frames(v)) for v in (CARLA, DORA, None)])
    assert heard[0] == heard[1]


def test_what_is_said_changes_nothing_in_the_game() -> None:
    t = played()
    before = t.train.key()
    claim(t, ADA, drew=DREW)
    accuse(t, CARLA, BRUNO)
    assert t.train.key() == before


def test_one_may_claim_as_soon_as_the_card_lies_on_the_table() -> None:
    t = scene()
    assert refused_claim(t, ADA, drew=DREW) == "refused.claim-early"
    t.discard("full-speed-ahead")
    assert refused_claim(t, ADA, drew=DREW) == "refused.claim-early"
    assert refused_claim(t, BRUNO, received=DREW[1:]) == "refused.claim-early"
    t.lay("accelerate")
    claim(t, ADA, drew=DREW)
    claim(t, BRUNO, received=DREW[1:])


def test_nobody_may_claim_while_the_current_player_has_to_play_another_card() -> None:
    t = played([], [], ["seize-control"])
    t.works(CARLA, "seize-control")
    assert t.step == "play"
    assert refused_claim(t, ADA, drew=DREW) == "refused.claim-early"
    assert refused_claim(t, BRUNO, received=DREW[1:]) == "refused.claim-early"
    t.lay("apply-the-brakes")
    claim(t, ADA, drew=DREW)
    claim(t, BRUNO, received=DREW[1:])


def test_a_card_played_out_of_turn_does_not_make_a_claim_come_early() -> None:
    t = scene(["gun-to-the-head"])
    t.play(ADA, "gun-to-the-head")
    assert refused_claim(t, ADA, drew=DREW) == "refused.claim-early"
    t.passes()
    assert refused_claim(t, ADA, drew=DREW) == "refused.claim-early"


def test_claims_of_earlier_turns_can_be_made_at_any_time() -> None:
    t = played()
    t.quiet()
    t.discard("accelerate")
    claim(t, ADA, 1, drew=DREW)
    claim(t, BRUNO, 1, received=DREW[1:])
    t.lay("accelerate")
    claim(t, BRUNO, 2, drew=["accelerate"] * 3)
    claim(t, CARLA, 2, received=["accelerate"] * 2)


def test_only_the_drawer_and_the_current_player_of_a_turn_may_claim_something_of_it() -> None:
    t = played()
    for seat in (CARLA, DORA):
        with pytest.raises(Refused) as why:
            claim(t, seat, received=DREW[1:])
        assert why.value.key == "refused.claim-who"
        assert why.value.rule == "ST-4.7"
        assert why.value.args_ == {"turn": 1}


def test_each_may_claim_only_what_was_theirs_to_see() -> None:
    t = played()
    assert refused_claim(t, BRUNO, drew=DREW) == "refused.saying"
    assert refused_claim(t, BRUNO, passed=DREW[1:]) == "refused.saying"
    assert refused_claim(t, ADA, received=DREW[1:]) == "refused.saying"


@pytest.mark.parametrize("turn", [0, -1, 2, 99, "1", 1.0, True, None, [1]])
def test_a_claim_is_about_a_turn_that_there_was(turn: Any) -> None:
    assert refused_claim(played(), ADA, turn, drew=DREW) == "refused.claim-turn"


def test_a_claim_without_a_turn_is_refused() -> None:
    t = played()
    assert refused(t, ADA, {"claim": {"drew": DREW}}) == ("refused.claim-turn", "ST-4.7")


def test_before_the_first_turn_there_is_nothing_to_claim() -> None:
    t = table([], [], [], [], keep=False)
    assert refused_claim(t, ADA, drew=DREW) == "refused.claim-turn"


# --- claims: which cards ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cards",
    [
        [],
        DREW[:2],
        [*DREW, "accelerate"],
        ["accelerate", "accelerate", "no-such-card"],
        ["accelerate", "accelerate", "burn"],
        ["accelerate", "accelerate", 1],
        ["accelerate", "accelerate", ["accelerate"]],
        "accelerate",
        3,
        None,
        {"accelerate": 3},
    ],
)
def test_three_effect_cards_are_drawn(cards: Any) -> None:
    assert refused_claim(played(), ADA, drew=cards) == "refused.claim-cards"


def test_a_refusal_says_how_many_cards_there_must_have_been() -> None:
    t = played()
    sizes = {}
    for seat, part in ((ADA, "drew"), (ADA, "discarded"), (ADA, "passed"), (BRUNO, "received")):
        with pytest.raises(Refused) as why:
            claim(t, seat, **{part: []})
        assert why.value.key == "refused.claim-cards"
        sizes[part] = why.value.args_
    assert sizes == {
        "drew": {"count": 3},
        "discarded": {"count": 1},
        "passed": {"count": 2},
        "received": {"count": 2},
    }


def test_nobody_can_have_had_more_of_a_card_than_there_are() -> None:
    t = played()
    assert refused_claim(t, ADA, passed=["hard-brake"] * 2) == "refused.claim-cards"
    assert refused_claim(t, ADA, drew=["theft"] * 3) == "refused.claim-cards"
    claim(t, ADA, drew=["theft", "theft", "hard-brake"])


@pytest.mark.parametrize(
    "parts",
    [
        {"drew": DREW, "discarded": ["speed-up"]},
        {"drew": DREW, "passed": ["accelerate", "accelerate"]},
        {"drew": DREW, "passed": ["accelerate", "speed-up"]},
        {"drew": DREW, "discarded": ["accelerate"], "passed": ["accelerate", "apply-the-brakes"]},
        {"drew": DREW, "discarded": ["speed-up"], "passed": ["accelerate", "apply-the-brakes"]},
    ],
)
def test_a_claim_does_not_contradict_itself(parts: dict[str, list[str]]) -> None:
    assert refused_claim(played(), ADA, **parts) == "refused.claim-whole"


def test_two_claims_may_contradict_each_other() -> None:
    t = played()
    claim(t, ADA, passed=["accelerate", "accelerate"])
    claim(t, ADA, passed=["apply-the-brakes", "apply-the-brakes"])
    claim(t, BRUNO, received=["full-speed-ahead", "full-speed-ahead"])
    assert len(t.match.said) == 3


def test_with_gun_to_the_head_two_are_discarded_and_one_is_passed() -> None:
    t = scene(["gun-to-the-head"])
    t.works(ADA, "gun-to-the-head")
    t.discard("full-speed-ahead", "apply-the-brakes")
    t.lay("accelerate")
    assert refused_claim(t, ADA, discarded=["full-speed-ahead"]) == "refused.claim-cards"
    assert refused_claim(t, ADA, passed=DREW[1:]) == "refused.claim-cards"
    assert refused_claim(t, BRUNO, received=DREW[1:]) == "refused.claim-cards"
    two = ["full-speed-ahead", "apply-the-brakes"]
    assert claim(t, ADA, drew=DREW, discarded=two, passed=["accelerate"]) == (
        "saying.drew-discarded",
        {"seat": ADA, "turn": 1, "drew": sorted(DREW), "discarded": sorted(two)},
    )
    claim(t, BRUNO, received=["accelerate"])


# --- a lone player (ST-4.4) ------------------------------------------------------------------------


def alone() -> Staged:
    """Ada alone is on board, and has played Accelerate."""
    t = scene()
    t.train.status = [0, 2, 2, 2]
    t.discard("full-speed-ahead")
    t.lay("accelerate")
    return t


def test_a_lone_player_may_claim_as_drawer_and_as_current_player() -> None:
    t = alone()
    assert claim(t, ADA, drew=DREW, discarded=DREW[:1])[0] == "saying.drew-discarded"
    assert claim(t, ADA, received=DREW[1:])[0] == "saying.received"
    claim(t, ADA, passed=DREW[1:], received=DREW[1:])


def test_a_lone_player_received_what_they_passed() -> None:
    received = ["accelerate", "speed-up"]
    assert refused_claim(alone(), ADA, passed=DREW[1:], received=received) == "refused.claim-whole"


@pytest.mark.parametrize(
    "parts",
    [
        {"drew": DREW, "received": ["accelerate", "speed-up"]},
        {"drew": DREW, "discarded": ["accelerate"], "received": ["accelerate", "apply-the-brakes"]},
    ],
)
def test_a_lone_player_does_not_contradict_themselves_either(parts: dict[str, list[str]]) -> None:
    assert refused_claim(alone(), ADA, **parts) == "refused.claim-whole"


def test_the_line_of_a_lone_player_says_all_that_was_claimed() -> None:
    _, args = claim(alone(), ADA, drew=DREW, received=DREW[1:])
    assert args["drew"] == sorted(DREW)
    assert sorted(DREW[1:]) in (args.get("passed"), args.get("received"))


# --- accusations -----------------------------------------------------------------------------------


def test_st_4_7_anybody_on_board_may_say_whom_they_suspect() -> None:
    t = scene()
    assert accuse(t, CARLA, BRUNO) == ("saying.accuse", {"seat": CARLA, "other": BRUNO})
    t.discard("full-speed-ahead")
    assert accuse(t, BRUNO, ADA) == ("saying.accuse", {"seat": BRUNO, "other": ADA})


@pytest.mark.parametrize("other", [4, -1, "1", True, 1.0, None, [1], {"seat": 1}])
def test_whom_one_suspects_is_a_player(other: Any) -> None:
    t = scene()
    assert refused(t, CARLA, {"accuse": other}) == ("refused.saying", "ST-4.7")


def test_nobody_accuses_themselves() -> None:
    t = scene()
    assert refused(t, CARLA, {"accuse": CARLA}) == ("refused.saying", "ST-4.7")


def test_nobody_is_suspected_before_the_train_has_left_or_when_it_is_over() -> None:
    t = table([], [], [], [], keep=False)
    assert refused(t, CARLA, {"accuse": BRUNO}) == ("refused.accuse-now", "ST-4.7")
    t = scene()
    t.train.deck = []
    t.turn("accelerate")
    assert t.step == "over"
    assert refused(t, CARLA, {"accuse": BRUNO}) == ("refused.over", "ST-4.5")
    assert refused(t, BRUNO, {"claim": {"turn": 1, "received": DREW[1:]}}) == (
        "refused.over",
        "ST-4.5",
    )


def test_st_4_7_a_current_player_may_say_which_of_the_two_was_discarded() -> None:
    t = played()
    key, args = claim(t, BRUNO, received=["theft", "accelerate"], discarded=["theft"])
    assert key == "saying.received-discarded"
    assert args["discarded"] == ["theft"]
    key, _ = claim(t, BRUNO, discarded=["theft"])
    assert key == "saying.discarded"
    wrong = {"claim": {"turn": 1, "received": ["theft", "accelerate"], "discarded": ["id-check"]}}
    assert refused(t, BRUNO, wrong) == ("refused.claim-whole", "ST-4.7")


def test_st_4_7_nobody_has_had_more_of_a_kind_than_there_are() -> None:
    twice = {"turn": 1, "discarded": ["hard-brake"], "passed": ["hard-brake", "accelerate"]}
    assert refused(played(), ADA, {"claim": twice}) == ("refused.claim-whole", "ST-4.7")


def test_a_player_who_has_left_is_suspected_no_more() -> None:
    t = scene()
    throw_off(t, DORA)
    assert refused(t, CARLA, {"accuse": DORA}) == ("refused.accuse", "ST-5.6")
    accuse(t, CARLA, BRUNO)


# --- who has left (ST-5.6), who hangs on (ST-7.8) --------------------------------------------------


def test_a_player_who_has_been_thrown_off_says_nothing_more() -> None:
    t = scene()
    throw_off(t, ADA)
    assert refused(t, ADA, {"accuse": BRUNO}) == ("refused.left", "ST-5.6")
    own = {"claim": {"turn": 1, "drew": ["maintain-speed"] * 3}}
    assert refused(t, ADA, own) == ("refused.left", "ST-5.6")


def test_the_dead_say_nothing_more() -> None:
    t = played()
    t.train.status = [3, 0, 0, 0]
    assert refused(t, ADA, {"accuse": BRUNO}) == ("refused.left", "ST-5.6")


def test_who_stays_may_still_claim_something_of_a_turn_with_who_has_left() -> None:
    t = scene()
    throw_off(t, ADA)
    claim(t, BRUNO, received=["maintain-speed", "maintain-speed"])


def test_a_player_who_hangs_on_counts_as_on_board_and_may_talk() -> None:
    t = played()
    t.quiet()
    t.train.status = [1, 0, 0, 0]
    claim(t, ADA, drew=DREW)
    accuse(t, ADA, BRUNO)


# --- form ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        None,
        3,
        "I am the Saboteur",
        [],
        ["claim"],
        {},
        {"role": "saboteur"},
        {"claim": {"turn": 1, "drew": DREW}, "accuse": 2},
        {"claim": "hard-brake"},
        {"claim": None},
        {"claim": {"turn": 1}},
        {"claim": {"turn": 1, "role": "saboteur"}},
        {"claim": {"turn": 1, "drew": DREW, "role": "saboteur"}},
        {"claim": {"turn": 1, "drew": DREW, "text": "honestly"}},
    ],
)
def test_st_4_7_nothing_else_can_be_said_least_of_all_who_one_is(said: Any) -> None:
    assert refused(played(), ADA, said) == ("refused.saying", "ST-4.7")


def test_what_is_not_json_cannot_be_said() -> None:
    assert refused(played(), ADA, {"claim": {"turn": 1, "drew": object()}})[0] == "refused.not-json"


def test_what_was_said_is_in_the_record() -> None:
    t = table([], [], [], [])
    t.discard(t.view(ADA).turns[0].drew[0])
    accuse(t, CARLA, BRUNO)
    again = Match.fold(GAME, t.match.record(reveal=True))
    assert [(said.seat, said.said) for said in again.said] == [(CARLA, {"accuse": BRUNO})]


@pytest.mark.parametrize("number", range(4))
def test_what_programs_babble_can_be_said(number: int) -> None:
    rng = Rng(b"babble %d" % number)
    seats = 3 + number
    match = Match(GAME, NAMES[:seats], TrainOptions(), seed=rng.bytes(32))
    rota = Rota()
    while (seat := rota.next(match.state, rng)) >= 0:
        speaker = rng.below(seats)
        said = match.game.babble(match.view(speaker), rng)
        if said is not None:
            match.say(speaker, said)
        steps: list[int] = []
        while legal := match.legal(seat, steps):
            steps.append(legal[rng.below(len(legal))])
        match.move(seat, steps)
    assert match.said
