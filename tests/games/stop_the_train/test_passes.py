"""Stop the Train!: who is asked in a window, and when it closes or never opens (ST-7.5, ST-7.6)."""

from __future__ import annotations

import pytest

from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES
from capolinea.games.stop_the_train.title import GAME
from tests.games.stop_the_train.scenes import (
    FAST,
    IN_THE_LAST_TUNNEL,
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
    everything,
    four,
    give,
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
    side,
    statuses,
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
