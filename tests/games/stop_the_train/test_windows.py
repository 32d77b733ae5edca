"""Stop the Train!: when interventions can be played, and what answers them (ST-7.1 to ST-7.4)."""

from __future__ import annotations

import pytest

from capolinea.engine import Refused
from tests.games.stop_the_train.scenes import (
    ANY_TIME,
    BOX,
    FAST,
    IN_THE_LAST_TUNNEL,
    KINDS,
    ON_THE_VIADUCT,
    OPEN,
    SCENIC,
    VIADUCT,
    Scene,
    aftermath,
    answer,
    ballot,
    coal,
    draw,
    effect_played,
    everything,
    four,
    give,
    heard,
    last_tunnel,
    meeting,
    peace,
    permits,
    play,
    refused,
    refused_card,
    rescue,
    shown,
    side,
    stop,
    throw,
    tied_vote,
    tunnel,
    upgrade,
    vote,
    vote_called,
    vote_decided,
    watched,
)
from tests.games.stop_the_train.tables import Staged, table

# --- 7.1 ------------------------------------------------------------------------------------------


def test_st_7_1_each_player_holds_two() -> None:
    t = table([], [], [], [], [], [])
    for seat in range(6):
        view = t.view(seat)
        assert [player.interventions for player in view.players] == [2] * 6
        assert view.own is not None
        assert len(view.own.cards) == 2


def test_st_7_1_a_card_is_played_openly_and_then_used_up() -> None:
    t = watched([], [], ["tailwind", "spy"], [])
    told = heard(t, lambda: t.play(2, "tailwind"))
    for viewer in (None, 0, 1, 2, 3):
        assert told[viewer] == [("event.intervened", {"seat": 2, "card": "tailwind"})]
        assert [card.card for card in t.view(viewer).waiting_cards] == ["tailwind"]
    assert t.view().players[2].interventions == 1
    t.passes()
    spent = t.view().spent
    assert [(card.seat, card.card, card.turn) for card in spent] == [(2, "tailwind", 1)]
    assert t.view().waiting_cards == []
    own = t.view(2).own
    assert own is not None
    assert own.cards == ["spy"]
    assert refused_card(t, 2, "tailwind") == ("refused.no-card", "ST-7.1")


def test_st_7_1_the_number_of_cards_is_told_with_each() -> None:
    t = watched([], [], ["tailwind", "passenger-list"], [])
    assert shown(t, lambda: t.play(2, "tailwind")) == {"players.2.interventions": 1}
    t.passes()
    assert shown(t, lambda: t.play(2, "passenger-list")) == {"players.2.interventions": 0}


def test_st_7_1_of_two_alike_one_is_left() -> None:
    t = watched([], [], ["passenger-list", "passenger-list"], [])
    t.works(2, "passenger-list")
    assert t.cards(2) == ["passenger-list"]
    t.works(2, "passenger-list")
    assert t.cards(2) == []


def test_st_7_1_one_cannot_play_what_one_does_not_hold() -> None:
    t = four()
    give(t, 1, "burn")
    assert refused_card(t, 0, "burn") == ("refused.no-card", "ST-7.1")
    assert refused_card(t, 0, "jam-the-controls") == ("refused.no-card", "ST-7.1")


def test_st_7_1_theft_and_ticket_upgrade_change_how_many_one_holds() -> None:
    t = watched([], ["burn", "spy"], ["ticket-upgrade", "tailwind"], [])
    draw(t)
    t.works(2, "ticket-upgrade")
    assert t.view().players[2].interventions == 1
    t.do(2, {"do": "upgrade", "card": "conductor"})
    assert t.view().players[2].interventions == 2
    t.turn("theft", "second")
    t.do(1, {"do": "rob", "seat": 2})
    assert [player.interventions for player in t.view().players] == [2, 3, 1, 2]


# --- 7.2 ------------------------------------------------------------------------------------------


def test_st_7_2_a_card_waits_for_an_answer_before_it_takes_effect() -> None:
    t = watched(["burn"], [], [], [])
    t.play(0, "burn", organiser=True)
    for seat in (1, 2, 3):
        assert t.step == "answer"
        assert t.match.awaited().window == "answer"
        assert t.view().organiser == 2
        t.do(seat, "pass")
    assert t.view().organiser == 1
    assert t.step == "draw"


@pytest.mark.parametrize("player", [0, 1, 2, 3])
def test_st_7_2_everybody_on_board_but_its_player_is_asked_for_an_answer(player: int) -> None:
    t = four()
    give(t, player, "passenger-list", "conductor")
    t.play(player, "passenger-list")
    assert t.train.waiting() == [seat for seat in range(4) if seat != player]
    assert t.legal(player) == []
    assert refused(t, player, "pass") == ("refused.pass", "ST-7.5")
    assert refused_card(t, player, "conductor") == ("refused.own-card", "ST-7.2")


def test_st_7_2_targets_are_named_on_playing() -> None:
    t = watched(["burn", "rooftop-showdown"], [], [], [])
    draw(t)
    with_permit = {"do": "intervene", "card": "burn"}
    assert refused(t, 0, with_permit)[0] == "refused.unfinished"
    assert refused(t, 0, with_permit, {"do": "name", "seat": 2}) == ("refused.compound", "ST-7.2")
    assert refused(t, 0, with_permit, {"do": "name", "seat": 0}) == ("refused.compound", "ST-7.2")
    told = heard(t, lambda: t.play(0, "burn", 3))
    assert told[None] == [("event.intervened.seat", {"seat": 0, "card": "burn", "other": 3})]
    assert t.view().waiting_cards[0].other == 3


def test_st_7_2_a_target_that_was_named_stays_the_target() -> None:
    """The permit of seat 3 is burned, although others have one when the card takes effect."""
    t = watched(["burn"], [], [], [])
    draw(t)
    t.play(0, "burn", 3)
    permits(t, 1, 1, 1, 1)
    t.passes()
    assert [player.permits for player in t.view().players] == [1, 1, 1, 0]
    assert t.view().organiser == 2


@pytest.mark.parametrize("scene", [draw, effect_played, vote_called, meeting, aftermath])
def test_st_7_2_nothing_but_a_conductor_may_be_played_meanwhile(scene: Scene) -> None:
    t = four()
    scene(t)
    everything(t, 0, 1, 3)
    t.play(0, "passenger-list")
    assert t.cards(1) == ["conductor"]
    assert t.cards(3) == ["conductor"]
    assert t.cards(0) == []
    for card in ("burn", "jam-the-controls", "occupied", "second-meeting", "open-vote"):
        assert refused_card(t, 1, card) == ("refused.answering", "ST-7.2")
        assert refused_card(t, 0, card) == ("refused.answering", "ST-7.2")


@pytest.mark.parametrize("scene", [play, side, tunnel, vote, ballot])
def test_st_7_2_nothing_else_is_done_while_a_card_waits(scene: Scene) -> None:
    t = four()
    scene(t)
    seat = t.train.waiting()[0]
    choice = t.legal(seat)[-1]
    give(t, 0, "passenger-list")
    t.play(0, "passenger-list")
    assert choice not in t.legal(seat)
    assert refused(t, seat, choice)[0] in ("refused.window", "refused.play")
    t.passes()
    assert choice in t.legal(seat)


def test_st_7_2_a_conductor_cancels_the_card() -> None:
    t = watched(["tailwind"], [], ["conductor"], [])
    t.at(0, 30)
    t.play(0, "tailwind")
    told = heard(t, lambda: t.play(2, "conductor"))
    assert told[None] == [("event.conductor", {"seat": 2, "card": "tailwind"})]
    assert t.step == "answer"
    told = heard(t, t.passes)
    cancelled = ("event.cancelled", {"seat": 2, "other": 0, "card": "tailwind"})
    assert told[None] == [cancelled]
    assert (t.view().speed, t.view().slowest) == (30, 30)
    assert t.step == "draw"
    spent = [(card.seat, card.card, card.cancelled) for card in t.view().spent]
    assert spent == [(2, "conductor", False), (0, "tailwind", True)]
    assert refused_card(t, 0, "tailwind") == ("refused.no-card", "ST-7.1")


def test_st_7_2_everybody_but_its_player_may_answer_a_conductor_even_the_first_player() -> None:
    t = watched(["tailwind", "conductor"], [], ["conductor"], [])
    t.play(0, "tailwind")
    t.play(2, "conductor")
    assert t.train.waiting() == [0, 1, 3]
    assert t.cards(0) == ["conductor"]
    t.play(0, "conductor")
    assert t.view().slowest == 60  # no third Conductor exists


def test_st_7_2_nobody_answers_their_own_card() -> None:
    t = watched(["tailwind", "conductor"], [], ["conductor"], [])
    t.play(0, "tailwind")
    assert t.cards(0) == []
    assert refused_card(t, 0, "conductor") == ("refused.own-card", "ST-7.2")
    give(t, 2, "conductor", "conductor")
    t.play(2, "conductor")
    assert t.cards(2) == []
    assert refused_card(t, 2, "conductor") == ("refused.own-card", "ST-7.2")


def test_st_7_2_a_refusal_says_which_card_waits() -> None:
    t = watched(["tailwind"], ["conductor"], ["burn"], [])
    t.play(0, "tailwind")
    with pytest.raises(Refused) as caught:
        t.play(2, "burn", organiser=True)
    assert caught.value.args_ == {"card": "tailwind"}
    t.play(1, "conductor")
    with pytest.raises(Refused) as caught:
        t.play(2, "burn", organiser=True)
    assert caught.value.args_ == {"card": "conductor"}


@pytest.mark.parametrize("card", ["jam-the-controls", "burn"])
def test_st_7_4_a_refusal_says_which_card_has_no_moment_or_no_use(card: str) -> None:
    t = four()
    permits(t, 1, 0, 0, 0, organiser=0)
    give(t, 0, card)
    with pytest.raises(Refused) as caught:
        t.do(0, {"do": "intervene", "card": card})
    assert caught.value.args_ == {"card": card}
    with pytest.raises(Refused) as caught:
        t.do(1, {"do": "intervene", "card": card})
    assert (caught.value.key, caught.value.args_) == ("refused.no-card", {"card": card})


def test_st_7_2_a_cancelled_conductor_leaves_the_first_card_in_force() -> None:
    t = watched(["tailwind"], ["conductor"], ["conductor"], [])
    t.play(0, "tailwind")
    t.play(1, "conductor")
    told = heard(t, lambda: t.play(2, "conductor"))
    assert told[None] == [
        ("event.conductor", {"seat": 2, "card": "conductor"}),
        ("event.cancelled", {"seat": 2, "other": 1, "card": "conductor"}),
        ("event.tailwind", {"speed": 60}),
    ]
    spent = [(card.seat, card.card, card.cancelled) for card in t.view().spent]
    assert spent == [(2, "conductor", False), (1, "conductor", True), (0, "tailwind", False)]
    assert t.view().slowest == 60
    assert [player.interventions for player in t.view().players] == [1, 1, 1, 2]


def test_st_7_2_a_conductor_cancels_only_the_card_that_it_answers() -> None:
    t = watched(["tailwind"], ["passenger-list"], ["conductor"], [])
    t.works(0, "tailwind")
    t.play(1, "passenger-list")
    t.play(2, "conductor")
    t.passes()
    assert t.view().slowest == 60
    own = t.view(1).own
    assert own is not None
    assert own.seen == []
    # And it is over: the next card waits for its own answer and then takes effect.
    give(t, 3, "burn")
    t.works(3, "burn", organiser=True)
    assert t.view().organiser == 1


def test_st_7_2_a_conductor_answers_an_intervention_and_nothing_else() -> None:
    t = watched(["conductor"], [], ["conductor"], [])
    assert t.cards(0) == []
    assert refused_card(t, 0, "conductor") == ("refused.conductor", "ST-7.2")
    effect_played(t)
    assert t.cards(2) == []
    assert refused_card(t, 2, "conductor") == ("refused.conductor", "ST-7.2")


def test_st_7_2_a_card_that_nobody_can_answer_any_more_takes_effect_at_once() -> None:
    t = watched(["tailwind", "passenger-list"], ["conductor"], ["conductor"], [])
    t.play(0, "tailwind")
    t.play(1, "conductor")
    assert t.step == "answer"
    t.play(2, "conductor")
    assert t.step == "draw"
    t.play(0, "passenger-list")
    assert t.step == "draw"
    own = t.view(0).own
    assert own is not None
    assert [seen.look for seen in own.seen] == ["passenger-list"]


def test_st_7_2_while_one_conductor_is_left_everybody_is_asked() -> None:
    t = watched(["tailwind", "passenger-list"], ["conductor"], [], [])
    t.play(0, "tailwind")
    t.play(1, "conductor")
    assert (t.step, t.train.waiting()) == ("answer", [0, 2, 3])
    t.passes()
    t.play(0, "passenger-list")
    assert (t.step, t.train.waiting()) == ("answer", [1, 2, 3])


@pytest.mark.parametrize("emmas", [["conductor"], []])
def test_st_7_2_the_example_of_the_page(emmas: list[str]) -> None:
    """Emma (4) plays Run the Red, Ada (0) answers, and Emma perhaps answers that."""
    t = table(["conductor"], [], [], [], ["run-the-red", *emmas])
    vote(t)
    t.vote(*[FAST] * 5)
    t.play(4, "run-the-red", route=SCENIC)
    assert t.train.waiting() == [0, 1, 2, 3]
    t.play(0, "conductor")
    assert t.train.waiting() == [1, 2, 3, 4]
    if emmas:
        t.play(4, "conductor")
        assert (t.step, t.view().route) == ("draw", SCENIC)
    else:
        t.passes()
        assert t.view().vote.decided == FAST
        t.quiet()
        assert (t.step, t.view().route) == ("draw", FAST)


# --- 7.3 ------------------------------------------------------------------------------------------


def test_st_7_3_who_is_thrown_off_may_play_three_cards_in_the_aftermath() -> None:
    t = four()
    aftermath(t)
    everything(t, 2)
    assert t.cards(2) == ["hang-on", "youre-coming-with-me"]
    assert 2 in t.train.waiting()
    for card in ("burn", "extend-your-hand", "second-meeting", "tailwind"):
        assert refused_card(t, 2, card) == ("refused.falling", "ST-7.3")
    give(t, 0, "second-meeting")
    t.play(0, "second-meeting")
    assert 2 in t.train.waiting()
    assert t.cards(2) == ["conductor"]
    t.play(2, "conductor")
    t.passes()
    assert t.view().spent[-1].cancelled


def test_st_7_3_only_who_is_thrown_off_may_play_two_of_them() -> None:
    t = four()
    aftermath(t)
    everything(t, 0, 1, 3)
    for seat in (0, 1, 3):
        assert "hang-on" not in t.cards(seat)
        assert "youre-coming-with-me" not in t.cards(seat)
    for card in ("hang-on", "youre-coming-with-me"):
        assert refused_card(t, 0, card) == ("refused.not-falling", "ST-7.3")


def test_st_7_3_nothing_can_be_played_later() -> None:
    t = four()
    aftermath(t)
    t.quiet()
    everything(t, 2)
    assert t.cards(2) == []
    give(t, 0, "passenger-list")
    t.play(0, "passenger-list")
    assert t.train.waiting() == [1, 3]
    assert t.cards(2) == []
    assert refused_card(t, 2, "conductor") == ("refused.left", "ST-5.6")
    t.passes()
    meeting(t)
    t.passes()
    throw(t, 3)
    assert t.step == "aftermath"
    assert t.cards(2) == []
    assert 2 not in t.train.waiting()


def test_st_7_3_before_the_vote_is_counted_nobody_can_hang_on() -> None:
    t = four()
    meeting(t)
    everything(t, 2)
    assert "hang-on" not in t.cards(2)
    assert refused_card(t, 2, "hang-on") == ("refused.other-window", "ST-7.4")
    t.passes()
    t.throw_off(1, 2, 2)
    assert "hang-on" not in t.cards(2)
    assert "youre-coming-with-me" not in t.cards(2)


# --- 7.4 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "step", "seat", "others"),
    [
        (draw, "draw", 0, {"gun-to-the-head"}),
        (draw, "draw", 1, set()),
        (draw, "draw", 3, set()),
        (play, "play", 0, set()),
        (play, "play", 1, set()),
        (effect_played, "effect-played", 1, {"jam-the-controls", "seize-control"}),
        (effect_played, "effect-played", 3, {"jam-the-controls", "seize-control"}),
        (side, "side", 0, set()),
        (last_tunnel, "last-tunnel", 3, {"murder-in-the-dark"}),
        (last_tunnel, "last-tunnel", 1, {"murder-in-the-dark"}),
        (tunnel, "tunnel", 3, set()),
        (vote_called, "vote-called", 2, {"broken-track", "open-vote", "citizens-arrest"}),
        (vote, "vote", 2, set()),
        (vote_decided, "vote-decided", 2, {"run-the-red", "second-choice"}),
        (tied_vote, "vote-decided", 2, {"run-the-red", "second-choice", "swing-vote"}),
        (
            meeting,
            "meeting",
            3,
            {"occupied", "first-class-passenger", "secret-ballot", "lock-the-doors"},
        ),
        (ballot, "ballot", 2, set()),
        (aftermath, "aftermath", 0, {"extend-your-hand", "second-meeting"}),
        (peace, "aftermath", 0, {"second-meeting"}),
        (rescue, "rescue", 3, set()),
        (upgrade, "upgrade", 3, set()),
        (upgrade, "upgrade", 2, set()),
        (coal, "coal", 3, set()),
    ],
)
def test_st_7_4_each_window_has_its_cards_and_any_time_is_whenever_the_game_waits(
    scene: Scene, step: str, seat: int, others: set[str]
) -> None:
    t = four()
    scene(t)
    everything(t, seat)
    permits(t, *[1] * 4, organiser=1)
    t.train.discards = [*t.train.discards, 0, 0, 0]
    assert t.step == step
    assert set(t.cards(seat)) == ANY_TIME | others
    for card in set(KINDS) - ANY_TIME - others:
        assert refused_card(t, seat, card) == _no_moment(t, card)


def _no_moment(t: Staged, card: str) -> tuple[str, str]:
    """Why this card cannot be played now, although its player holds it."""
    if card == "conductor":
        return "refused.conductor", "ST-7.2"
    last_resort = card in ("hang-on", "youre-coming-with-me")
    if t.train.falling and t.step == "aftermath" and last_resort:
        return "refused.not-falling", "ST-7.3"
    return "refused.other-window", "ST-7.4"


@pytest.mark.parametrize(
    ("scene", "seat", "cards"),
    [
        (aftermath, 2, ["hang-on", "youre-coming-with-me"]),
        (rescue, 2, []),
        (rescue, 1, []),
        (answer, 0, []),
        (answer, 1, ["conductor"]),
    ],
)
def test_st_7_4_while_one_falls_or_a_card_waits_there_is_no_any_time(
    scene: Scene, seat: int, cards: list[str]
) -> None:
    t = four()
    scene(t)
    everything(t, seat)
    assert t.cards(seat) == cards


def test_st_7_4_any_time_begins_when_all_have_chosen_their_interventions() -> None:
    t = table([], [], [], keep=False)
    everything(t, 0)
    assert t.step == "keep"
    assert t.cards(0) == []
    assert refused_card(t, 0, "burn") == ("refused.keep-first", "ST-2.4")
    for seat in range(3):
        assert t.cards(seat) == []
        t.do(seat, t.legal(seat)[-1])
    assert t.step == "draw"
    give(t, 2, "burn")
    assert t.cards(2) == ["burn"]


def test_st_7_4_nothing_is_played_when_it_is_over() -> None:
    t = four()
    stop(t)
    everything(t, 0)
    assert t.legal(0) == []
    assert refused_card(t, 0, "burn") == ("refused.over", "ST-4.5")


def test_st_7_4_any_time_cards_are_played_out_of_turn_while_others_vote() -> None:
    t = watched([], [], [], ["burn"])
    vote(t)
    t.do(0, {"do": "vote", "route": FAST})
    t.works(3, "burn", organiser=True)
    assert (t.step, t.train.waiting()) == ("vote", [1, 2, 3])
    assert t.view().organiser == 0
    assert t.view().vote.voted == [0]


def test_st_7_4_the_windows_of_a_turn_come_one_after_the_other() -> None:
    """On the way every window is opened, and each one closes when all have passed."""
    assert _steps_of(BOX, "") == ["effect-played", "vote-called", "vote", "vote-decided", "draw"]
    assert _steps_of(ON_THE_VIADUCT, VIADUCT) == [
        "effect-played",
        "meeting",
        "ballot",
        "aftermath",
        "draw",
    ]
    assert _steps_of(IN_THE_LAST_TUNNEL, FAST) == ["effect-played", "last-tunnel", "tunnel", "draw"]
    assert _steps_of(OPEN, FAST) == ["effect-played", "draw"]


def _steps_of(place: int, route: str) -> list[str]:
    t = four()
    t.at(place - 1, 30, route)
    t.turn("maintain-speed", quiet=False)
    steps = [t.step]
    while t.step != "draw":
        if t.train.window():
            assert t.match.awaited().window == t.step
            t.passes()
        else:
            seat = t.train.waiting()[0]
            t.do(seat, t.legal(seat)[0])
        if t.step != steps[-1]:
            steps.append(t.step)
    return steps


def test_st_7_4_effect_played_is_before_the_train_moves() -> None:
    t = four()
    effect_played(t)
    assert (t.view().speed, t.view().at) == (120, OPEN)
    assert t.view().turns[-1].effect == "accelerate"
    t.passes()
    assert t.view().turns[-2].speed == 150


def test_st_7_4_vote_called_is_before_any_vote_and_vote_decided_when_the_result_is_shown() -> None:
    t = four()
    vote_called(t)
    assert refused(t, 0, {"do": "vote", "route": FAST}) == ("refused.window", "ST-7.5")
    t.passes()
    t.vote(FAST, FAST, SCENIC, FAST)
    assert t.step == "vote-decided"
    assert t.view().vote.tally == [3, 0, 1]
    assert t.view().vote.decided == FAST
    assert t.view().route == ""


def test_st_7_4_murder_comes_before_the_permit() -> None:
    t = four()
    last_tunnel(t)
    assert refused(t, 1, "take-organiser") == ("refused.window", "ST-7.5")
    t.passes()
    assert t.step == "tunnel"
    assert {"do": "take-organiser"} in t.legal(1)
