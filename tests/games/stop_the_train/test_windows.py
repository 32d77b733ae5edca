"""Stop the Train!: when interventions can be played, who is asked, and answers (ST-7.1 to ST-7.6)."""

from __future__ import annotations

import pytest

from capolinea.engine import Refused
from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES, CARDS
from capolinea.games.stop_the_train.title import GAME
from tests.games.stop_the_train.scenes import (
    ANY_TIME,
    BOX,
    FAST,
    IN_THE_LAST_TUNNEL,
    ON_THE_VIADUCT,
    OPEN,
    SCENIC,
    VIADUCT,
    Scene,
    aftermath,
    answer,
    arrive,
    ballot,
    coal,
    draw,
    effect_played,
    four,
    give,
    heard,
    last_tunnel,
    lose,
    meeting,
    named,
    peace,
    permits,
    play,
    refused,
    refused_card,
    rescue,
    shown,
    side,
    statuses,
    stop,
    targets,
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

#: Every kind of card but those on trial.
KINDS = [row.name for row in CARDS if row.count]
#: Every window but answers, with the name that it goes by.
WINDOWS: list[tuple[Scene, str]] = [
    (effect_played, "effect-played"),
    (last_tunnel, "last-tunnel"),
    (vote_called, "vote-called"),
    (vote_decided, "vote-decided"),
    (tied_vote, "vote-decided"),
    (meeting, "meeting"),
    (aftermath, "aftermath"),
    (peace, "aftermath"),
]


def everything(t: Staged, *seats: int) -> None:
    """These seats hold one card of every kind."""
    for seat in seats:
        give(t, seat, *KINDS)


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


# --- 7.5 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scene", "name"), WINDOWS)
def test_st_7_5_a_window_asks_everybody_whatever_they_hold(scene: Scene, name: str) -> None:
    for holders in ((), (0,), (1, 3), (0, 1, 2, 3)):
        t = four()
        everything(t, *holders)
        scene(t)
        assert t.step == name
        assert t.train.waiting() == [0, 1, 2, 3]
        awaited = t.match.awaited()
        assert (awaited.window, awaited.seats) == (name, [])
        for seat in range(4):
            assert t.legal(seat)[0] == {"do": "pass"}


def test_st_7_5_an_answer_too_is_asked_of_everybody_whatever_they_hold() -> None:
    for holders in ((), (1,), (1, 2, 3)):
        t = four()
        everything(t, *holders)
        answer(t)
        assert t.train.waiting() == [1, 2, 3]
        assert t.match.awaited().seats == []


@pytest.mark.parametrize(("scene", "name"), WINDOWS)
def test_st_7_5_a_window_closes_when_all_have_passed(scene: Scene, name: str) -> None:
    t = four()
    scene(t)
    beneath = t.view().beneath
    for seat in (2, 0, 3, 1):
        assert t.view().beneath == beneath
        t.do(seat, "pass")
    assert t.view().beneath != beneath


@pytest.mark.parametrize(("scene", "name"), [*WINDOWS, (answer, "answer")])
def test_st_7_5_a_pass_is_told_to_nobody(scene: Scene, name: str) -> None:
    t = four()
    scene(t)
    viewers = (None, 1, 2)
    before = [len(t.match.frames(viewer)) for viewer in viewers]
    t.do(3, "pass")
    assert [len(t.match.frames(viewer)) for viewer in viewers] == before
    own = t.view(3).own
    assert own is not None
    assert own.passed
    assert t.match.awaited().seats == []
    assert t.match.awaited().window == name


@pytest.mark.parametrize(
    ("scene", "card"),
    [
        (effect_played, "jam-the-controls"),
        (vote_called, "open-vote"),
        (vote_decided, "second-choice"),
        (meeting, "occupied"),
        (aftermath, "second-meeting"),
        (answer, "conductor"),
        (meeting, "passenger-list"),
    ],
)
def test_st_7_5_who_has_passed_may_change_their_mind_until_the_window_closes(
    scene: Scene, card: str
) -> None:
    t = four()
    scene(t)
    give(t, 3, card)
    t.do(3, "pass")
    assert t.legal(3) == [{"do": "intervene", "card": card}]
    assert refused(t, 3, "pass") == ("refused.pass", "ST-7.5")
    t.play(3, card)
    assert [played.card for played in t.view().waiting_cards][-1] == card


@pytest.mark.parametrize(
    ("scene", "card", "seat"),
    [
        (effect_played, "jam-the-controls", 0),
        (effect_played, "passenger-list", 0),
        (last_tunnel, "passenger-list", 1),
        (vote_called, "open-vote", 2),
        (vote_called, "passenger-list", 2),
        (vote_decided, "passenger-list", 2),
        (meeting, "secret-ballot", 1),
        (meeting, "lock-the-doors", 1),
        (meeting, "passenger-list", 1),
        (aftermath, "second-meeting", 1),
        (peace, "passenger-list", 1),
    ],
)
def test_st_7_5_each_card_that_takes_effect_opens_the_window_again(
    scene: Scene, card: str, seat: int
) -> None:
    t = four()
    scene(t)
    step = t.step
    give(t, seat, card)
    passed = [other for other in range(4) if other != seat]
    for other in passed:
        t.do(other, "pass")
    assert t.train.waiting() == [seat]
    t.works(seat, card)
    assert t.step == step
    assert t.train.waiting() == [0, 1, 2, 3]


def test_st_7_5_cards_count_in_the_order_in_which_they_arrive() -> None:
    t = watched(["swing-vote"], ["swing-vote"], [], [])
    tied_vote(t)
    t.works(1, "swing-vote", route=SCENIC)
    assert t.view().vote.decided == SCENIC
    t.works(0, "swing-vote", route=VIADUCT)
    t.quiet()
    assert t.view().route == VIADUCT


def test_st_7_5_any_time_asks_nobody_and_is_open_to_whoever_wants() -> None:
    t = watched([], [], ["burn"], ["tailwind"])
    assert t.train.waiting() == [0]
    assert (t.match.awaited().window, t.match.awaited().seats) == ("", [0])
    assert t.cards(2) == ["burn"]
    t.works(3, "tailwind")
    t.works(2, "burn", organiser=True)
    assert t.train.waiting() == [0]


def test_st_7_5_when_the_time_is_up_a_window_passes_and_no_card_is_played() -> None:
    for scene, _ in [*WINDOWS, (answer, "answer")]:
        t = four()
        scene(t)
        everything(t, 3)
        assert t.match.default(3) == [0]
        t.do(3, "pass")


@pytest.mark.parametrize(
    "scene",
    [draw, play, tunnel, vote, ballot, rescue, aftermath, answer, side, upgrade, coal],
)
def test_st_7_5_when_the_time_is_up_something_is_done_that_is_no_intervention(scene: Scene) -> None:
    t = four()
    scene(t)
    seat = t.train.waiting()[-1]
    everything(t, seat)
    steps = t.match.default(seat)
    assert all(GAME.space.json(step)["do"] != "intervene" for step in steps)
    t.match.move(seat, steps)


def test_st_7_9_when_the_time_is_up_a_hand_is_accepted() -> None:
    t = four()
    rescue(t)
    t.match.move(2, t.match.default(2))
    assert t.train.falling == []


# Windows that nobody can use any more are not opened, on public grounds only.


def test_st_7_5_without_jam_and_seize_no_window_opens_when_a_card_is_played() -> None:
    t = watched(["jam-the-controls"], ["seize-control"], [], [])
    t.at(OPEN, 30, FAST)
    t.turn("accelerate", quiet=False)
    t.works(0, "jam-the-controls")
    assert t.step == "effect-played"  # Seize Control may still come
    t.works(1, "seize-control")
    assert t.step == "play"
    t.lay("maintain-speed")
    assert t.step == "draw"  # neither is left
    t.turn("accelerate", quiet=False)
    assert t.step == "draw"


def test_st_7_5_after_gun_to_the_head_only_jam_can_open_the_window() -> None:
    t = watched(["jam-the-controls", "gun-to-the-head"], [], ["gun-to-the-head"], [])
    t.at(OPEN, 30, FAST)
    t.works(0, "gun-to-the-head")
    t.hand("accelerate", "accelerate", "accelerate")
    t.discard("accelerate", "accelerate")
    t.lay("accelerate")
    assert t.step == "effect-played"
    t.works(0, "jam-the-controls")
    assert t.step == "draw"  # Seize Control cannot count
    t.turn("accelerate", quiet=False)
    assert t.step == "effect-played"
    t.passes()
    t.works(2, "gun-to-the-head")
    t.hand("accelerate", "accelerate", "accelerate")
    t.discard("accelerate", "accelerate")
    t.lay("accelerate")
    assert t.step == "draw"


def test_st_7_5_when_every_card_for_it_is_used_up_a_vote_is_no_longer_called() -> None:
    """A card that was cancelled is used up too."""
    t = four()
    give(t, 0, "broken-track", "citizens-arrest", "citizens-arrest", "open-vote", "open-vote")
    give(t, 3, "conductor")
    vote_called(t)
    t.play(0, "open-vote")
    t.play(3, "conductor")
    t.passes()
    t.works(0, "open-vote")
    t.works(0, "broken-track", route=FAST)
    t.works(0, "citizens-arrest", 1)
    assert (t.step, t.train.waiting()) == ("vote-called", [0, 1, 2, 3])
    t.works(0, "citizens-arrest", 2)
    assert (t.step, t.train.waiting()) == ("vote", [0, 3])


def test_st_7_5_of_a_kind_with_two_copies_one_keeps_the_window_open() -> None:
    t = watched(["conductor"], ["passenger-list"], ["passenger-list"], [])
    t.play(1, "passenger-list")
    t.play(0, "conductor")
    t.passes()
    t.play(2, "passenger-list")
    assert t.step == "answer"


def test_st_7_5_a_lone_player_has_nobody_to_wait_for() -> None:
    t = four()
    lose(t, 1, 2, 3)
    give(t, 0, "passenger-list")
    t.play(0, "passenger-list")
    assert t.step == "draw"
    assert t.view().spent[0].card == "passenger-list"


def test_st_7_5_without_murder_in_the_dark_the_last_tunnel_has_no_window() -> None:
    t = four(classic_30=True)
    arrive(t, IN_THE_LAST_TUNNEL, FAST)
    assert (t.step, t.train.waiting()) == ("tunnel", [1])
    other = watched(["murder-in-the-dark"], [], [], [])
    last_tunnel(other)
    other.works(0, "murder-in-the-dark", 3)
    assert other.step == "tunnel"
    other.do(1, "decline")
    arrive(other, IN_THE_LAST_TUNNEL, FAST)
    assert other.step == "tunnel"


def test_st_7_5_a_vote_without_a_tie_leaves_no_window_once_two_cards_are_gone() -> None:
    t = watched(["second-choice"], ["run-the-red"], ["conductor"], ["swing-vote"])
    vote_decided(t)
    t.play(1, "run-the-red", route=FAST)
    t.play(2, "conductor")
    t.passes()
    assert t.step == "vote-decided"
    t.works(0, "second-choice")
    t.vote(SCENIC, SCENIC, SCENIC, SCENIC)
    assert (t.step, t.view().route) == ("draw", SCENIC)


def test_st_7_5_in_a_tie_swing_vote_alone_keeps_the_window_open() -> None:
    t = watched(["second-choice"], ["run-the-red"], ["conductor"], ["swing-vote"])
    vote_decided(t)
    t.play(1, "run-the-red", route=FAST)
    t.play(2, "conductor")
    t.passes()
    t.works(0, "second-choice")
    t.vote(SCENIC, SCENIC, FAST, FAST)
    assert (t.step, t.train.waiting()) == ("vote-decided", [0, 1, 2, 3])


def test_st_7_5_an_aftermath_in_which_nothing_can_come_is_not_opened() -> None:
    t = watched(["second-meeting"], [], [], [])
    peace(t)
    t.works(0, "second-meeting")
    assert t.step == "meeting"
    t.passes()
    t.throw_off(3, 2, 3, 2)
    assert t.step == "draw"
    meeting(t)
    t.passes()
    throw(t, 3)
    assert t.step == "aftermath"  # somebody falls and might hang on


def test_st_7_5_a_meeting_is_opened_even_without_cards_for_it() -> None:
    t = four()
    give(t, 0, "occupied", "first-class-passenger", "secret-ballot")
    give(t, 1, "occupied", "first-class-passenger", "lock-the-doors")
    meeting(t)
    for seat in (0, 1):
        for card in t.cards(seat):
            t.works(seat, card)
    assert t.step == "meeting"
    assert t.train.waiting() == [0, 1, 2, 3]
    t.passes()
    t.quiet()
    meeting(t)
    assert t.step == "meeting"
    assert t.train.waiting() == [0, 1, 2, 3]


def test_st_7_5_cards_that_left_unseen_do_not_close_a_window() -> None:
    """Jam and Seize were in the hand of somebody who was thrown off: nobody knows."""
    t = watched([], [], ["jam-the-controls", "seize-control"], [])
    aftermath(t)
    t.quiet()
    t.at(OPEN, 30, FAST)
    t.turn("accelerate", quiet=False)
    assert (t.step, t.train.waiting()) == ("effect-played", [0, 1, 3])


def test_st_7_5_a_lone_player_is_not_asked_for_a_murder() -> None:
    t = four()
    lose(t, 1, 2, 3)
    t.train.now.drawer = 0
    arrive(t, IN_THE_LAST_TUNNEL, FAST)
    assert (t.step, t.train.waiting()) == ("tunnel", [0])


def test_st_7_5_a_second_open_vote_alone_opens_no_window() -> None:
    t = four()
    give(t, 0, "broken-track", "citizens-arrest", "citizens-arrest", "open-vote")
    vote_called(t)
    t.works(0, "broken-track", route=FAST)
    t.works(0, "citizens-arrest", 1)
    t.works(0, "citizens-arrest", 2)
    assert t.step == "vote-called"
    t.works(0, "open-vote")
    assert t.step == "vote"


def test_st_7_5_hang_on_alone_opens_no_aftermath_for_who_dragged_somebody() -> None:
    t = four()
    give(t, 0, "second-meeting", "extend-your-hand")
    give(t, 2, "youre-coming-with-me")
    aftermath(t)
    t.play(0, "second-meeting")
    give(t, 3, "conductor")
    t.play(3, "conductor")
    t.passes()
    t.works(2, "youre-coming-with-me", 1)
    assert t.step == "aftermath"  # seat 1 might hang on
    t.works(0, "extend-your-hand", 1)
    assert statuses(t)[2] == "off"
    assert t.step == "draw"


def test_st_7_5_who_falls_can_be_named_by_aftermath_cards_only() -> None:
    t = four()
    aftermath(t)
    permits(t, 0, 1, 1, 0)
    give(t, 0, "burn", "rooftop-showdown", "extend-your-hand")
    assert targets(t, 0, "burn") == [*named(1), {"do": "name-organiser"}]
    assert targets(t, 0, "rooftop-showdown") == named(1)
    assert targets(t, 0, "extend-your-hand") == named(2)
    permits(t, 0, 0, 1, 0, organiser=0)
    assert "burn" not in t.cards(0)
    assert refused_card(t, 0, "burn") == ("refused.no-use", "ST-7.5")


@pytest.mark.parametrize(
    ("scene", "waiting"),
    [
        (effect_played, [0, 1, 3, 4]),
        (last_tunnel, [0, 1, 3, 4]),
        (vote_called, [0, 1, 3, 4]),
        (meeting, [0, 1, 3, 4]),
    ],
)
def test_st_7_5_only_players_on_board_are_asked(scene: Scene, waiting: list[int]) -> None:
    t = watched([], [], [], [], [], [])
    lose(t, 2)
    t.train.status[5] = where.DEAD
    scene(t)
    assert t.train.waiting() == waiting


# --- 7.6 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("card", "scenes"),
    [
        ("gun-to-the-head", {"draw"}),
        ("jam-the-controls", {"effect-played"}),
        ("conductor", {"answer"}),
        ("lock-the-doors", {"meeting"}),
        (
            "ticket-upgrade",
            {"draw", "play", "effect-played", "vote", "meeting", "ballot", "aftermath"},
        ),
        ("burn", {"draw", "play", "effect-played", "vote", "meeting", "ballot", "aftermath"}),
    ],
)
def test_st_7_6_where_the_boxes_disagree_the_table_stands(card: str, scenes: set[str]) -> None:
    found = set()
    for scene in (draw, play, effect_played, vote, meeting, ballot, aftermath, answer):
        t = four()
        scene(t)
        everything(t, 0, 1)
        if any(card in t.cards(seat) for seat in (0, 1)):
            found.add(t.step)
    assert found == scenes


def test_st_7_6_gun_to_the_head_is_for_the_drawer_alone() -> None:
    t = watched(["gun-to-the-head"], ["gun-to-the-head"], [], [])
    assert t.cards(0) == ["gun-to-the-head"]
    assert t.cards(1) == []
    assert refused_card(t, 1, "gun-to-the-head") == ("refused.other-window", "ST-7.4")


def test_st_7_6_the_doors_cannot_be_locked_once_somebody_falls() -> None:
    t = watched([], [], [], ["lock-the-doors"])
    aftermath(t)
    assert refused_card(t, 3, "lock-the-doors") == ("refused.other-window", "ST-7.4")
    t.passes()
    assert statuses(t)[2] == "off"


# What the audit of questions found ----------------------------------------------------------------


def test_st_7_2_an_answer_to_one_card_never_counts_as_an_answer_to_another() -> None:
    t = watched(["burn"], ["conductor"], ["conductor"], [])
    t.play(0, "burn", organiser=True)
    before = t.match.frames(2)[-1].question
    t.play(1, "conductor")
    after = t.match.frames(2)[-1].question
    assert before is not None
    assert after is not None
    assert before.legal == after.legal
    assert before.id != after.id


def test_st_7_5_a_pass_before_a_card_does_not_count_after_it() -> None:
    t = watched([], ["tailwind"], [], [])
    t.turn("maintain-speed", quiet=False)
    assert t.step == "effect-played"
    t.train.gone |= 1 << CARD_NAMES.index("conductor")  # so that cards take effect at once
    before = t.match.frames(3)[-1].question
    t.play(1, "tailwind")
    assert t.step == "effect-played"
    after = t.match.frames(3)[-1].question
    assert before is not None
    assert after is not None
    assert before.id != after.id
