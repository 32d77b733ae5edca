"""Stop the Train!, rule by rule: a turn (ST-4)."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.engine import Refused
from capolinea.games.stop_the_train.rules.cards import EFFECT_NAMES
from capolinea.games.stop_the_train.title import GAME
from tests.games.stop_the_train.lines import (
    BOX,
    keys,
    last,
    latest,
    own,
    rail,
    refused,
    status,
    told,
)
from tests.games.stop_the_train.tables import Staged
from tests.games.stop_the_train.turns import FOUR, TAKE, THREE, play, side, take, to_play


def discard(effect: str) -> dict[str, str]:
    return {"do": "discard", "effect": effect}


def names(effects: list[int]) -> list[str]:
    return [EFFECT_NAMES[effect] for effect in effects]


# --- 4.1 -----------------------------------------------------------------------------------------


def test_st_4_1_the_starting_player_draws_the_first_three_cards() -> None:
    deck = ["hard-brake", "theft", "accelerate", "speed-up", "speed-up", "hit-the-brakes"]
    t = rail(*FOUR, deck=deck, first=3)
    assert t.view().drawer == 2
    assert t.train.waiting() == [2]
    assert sorted(own(t, 2).effects) == ["accelerate", "hard-brake", "theft"]
    assert t.view().deck == 63


def test_st_4_1_the_next_drawer_draws_the_next_three() -> None:
    deck = ["hard-brake", "theft", "accelerate", "speed-up", "speed-up", "hit-the-brakes"]
    t = rail(*FOUR, deck=deck)
    t.turn("hard-brake")
    assert sorted(own(t, 1).effects) == ["hit-the-brakes", "speed-up", "speed-up"]
    assert t.view().deck == 60


def test_st_4_1_the_drawer_discards_one_of_three_and_nobody_else_does() -> None:
    t = rail(*FOUR)
    t.hand(*THREE)
    assert [a for a in t.legal(0) if a["do"] == "discard"] == [
        discard("full-speed-ahead"),
        discard("apply-the-brakes"),
        discard("hard-brake"),
    ]
    for seat in (1, 2, 3):
        assert not [a for a in t.legal(seat) if a["do"] != "intervene"]
        problem = refused(t, seat, discard("hard-brake"))
        assert (problem.key, problem.rule) == ("refused.discard", "ST-4.1")
        assert problem.args_ == {"drawer": 0}
    problem = refused(t, 0, discard("theft"))
    assert (problem.key, problem.rule) == ("refused.not-held", "ST-4.1")
    assert problem.args_ == {"effect": "theft"}
    problem = refused(t, 0, play("hard-brake"))
    assert (problem.key, problem.rule) == ("refused.play", "ST-4.2")
    with pytest.raises(Refused):
        t.do(0, discard("hard-brake"), discard("full-speed-ahead"))


def test_st_4_1_two_cards_of_a_kind_are_one_choice() -> None:
    t = rail(*FOUR)
    t.hand("accelerate", "accelerate", "hard-brake")
    assert [a for a in t.legal(0) if a["do"] == "discard"] == [
        discard("accelerate"),
        discard("hard-brake"),
    ]
    t.discard("accelerate")
    assert own(t, 1).effects == ["accelerate", "hard-brake"]


def test_st_4_1_the_other_two_go_to_the_left_and_that_neighbour_is_current() -> None:
    t = rail(*FOUR)
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    assert t.step == "play"
    assert (t.view().drawer, t.view().current) == (0, 1)
    assert t.train.waiting() == [1]
    assert own(t, 1).effects == ["apply-the-brakes", "hard-brake"]
    assert own(t, 0).effects == []
    assert names(t.train.discards) == ["full-speed-ahead"]


def test_st_4_1_after_the_last_seat_comes_the_first() -> None:
    t = rail(*FOUR, first=4)
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    assert t.view().current == 0


@pytest.mark.parametrize(
    ("gone", "current"), [([1], 2), ([1, 2], 3), ([2], 1), ([1, 2, 3], 4), ([5], 1)]
)
@pytest.mark.parametrize("how", ["off", "dead"])
def test_st_4_1_who_is_not_on_board_is_skipped(gone: list[int], current: int, how: str) -> None:
    t = rail([], [], [], [], [], [])
    for seat in gone:
        status(t, seat, how)
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    assert t.view().current == current


def test_st_4_1_others_see_neither_what_was_drawn_nor_discarded_nor_passed() -> None:
    t = rail(*FOUR, viewers=[None, 0, 1, 2])
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    for viewer in (None, 2):
        text = repr(t.view(viewer).turns) + repr(t.view(viewer).own) + repr(told(t, viewer))
        assert not [name for name in EFFECT_NAMES if f"'{name}'" in text]
    assert t.view(2).discards == 1
    neighbour = t.view(1).turns[0]
    assert sorted(neighbour.passed) == ["apply-the-brakes", "hard-brake"]
    assert (neighbour.drew, neighbour.discarded) == ([], [])
    drawer = t.view(0).turns[0]
    assert sorted(drawer.drew) == sorted(THREE)
    assert drawer.discarded == ["full-speed-ahead"]
    assert sorted(drawer.passed) == ["apply-the-brakes", "hard-brake"]


def test_st_4_1_everybody_is_told_that_cards_go_round_and_two_which_ones() -> None:
    t = rail(*FOUR, deck=THREE, viewers=[None, 0, 1, 2])
    for viewer in (None, 1, 2):
        assert latest(t, "event.drew", viewer) == {"seat": 0, "turn": 1, "left": 21}
    assert sorted(latest(t, "event.drew.own", 0)["cards"]) == sorted(THREE)
    t.discard("full-speed-ahead")
    for viewer in (None, 1, 2):
        assert latest(t, "event.discarded", viewer) == {"seat": 0, "count": 1}
    assert latest(t, "event.discarded.own", 0)["cards"] == ["full-speed-ahead"]
    for viewer in (None, 2):
        assert latest(t, "event.passed", viewer) == {"seat": 0, "other": 1, "count": 2}
    assert [event.sets for event in told(t)[-3:]] == [
        {"turn": 1, "deck": 63},
        {},
        {"current": 1},
    ]
    for viewer in (0, 1):
        passed = latest(t, "event.passed.own", viewer)["cards"]
        assert passed == ["apply-the-brakes", "hard-brake"]


# --- 4.2 -----------------------------------------------------------------------------------------


def test_st_4_2_the_current_player_plays_one_face_up_and_the_other_face_down() -> None:
    t = to_play(rail(*FOUR, viewers=[None, 0, 1, 2]), "apply-the-brakes", "full-speed-ahead")
    assert [a for a in t.legal(1) if a["do"] == "play"] == [
        play("full-speed-ahead"),
        play("apply-the-brakes"),
    ]
    t.do(1, play("full-speed-ahead"))
    assert t.view().pile == ["full-speed-ahead"]
    assert t.view().turns[0].effect == "full-speed-ahead"
    assert t.view().discards == 2
    assert latest(t, "event.played") == {"seat": 1, "effect": "full-speed-ahead"}
    t.quiet()
    assert names(t.train.discards) == ["maintain-speed", "apply-the-brakes"]


def test_st_4_2_who_had_the_other_card_in_hand_knows_it_and_nobody_else() -> None:
    t = to_play(rail(*FOUR, viewers=[None, 0, 1, 2]), "apply-the-brakes", "full-speed-ahead")
    t.do(1, play("full-speed-ahead"))
    for viewer in (None, 2):
        assert t.view(viewer).turns[0].set_aside == ""
        assert latest(t, "event.set-aside", viewer) == {"seat": 1}
        assert "apply-the-brakes" not in repr(told(t, viewer))
    for seat in (0, 1):
        assert t.view(seat).turns[0].set_aside == "apply-the-brakes"
        assert latest(t, "event.set-aside.own", seat)["effect"] == "apply-the-brakes"


@pytest.mark.parametrize("other", ["full-speed-ahead", "accelerate", "id-check"])
def test_st_4_2_whatever_it_is_the_other_card_is_discarded(other: str) -> None:
    t = to_play(rail(*FOUR, viewers=[None]), "hard-brake", other)
    t.do(1, play("hard-brake"))
    assert t.view().discards == 2
    assert latest(t, "event.set-aside") == {"seat": 1}
    assert t.view(0).turns[0].set_aside == other
    t.quiet()
    assert t.view().discards == 2
    assert names(t.train.discards) == ["maintain-speed", other]


def test_st_4_2_only_the_current_player_plays_and_only_what_was_passed() -> None:
    t = to_play(rail(*FOUR), "apply-the-brakes", "full-speed-ahead")
    for seat in (0, 2, 3):
        assert not [a for a in t.legal(seat) if a["do"] != "intervene"]
        problem = refused(t, seat, play("full-speed-ahead"))
        assert (problem.key, problem.rule) == ("refused.play", "ST-4.2")
    problem = refused(t, 1, play("maintain-speed"))
    assert (problem.key, problem.rule) == ("refused.not-held", "ST-4.2")
    assert problem.args_ == {"effect": "maintain-speed"}
    problem = refused(t, 1, discard("full-speed-ahead"))
    assert (problem.key, problem.rule) == ("refused.discard", "ST-4.1")
    t.do(1, play("full-speed-ahead"))
    problem = refused(t, 1, play("apply-the-brakes"))
    assert (problem.key, problem.rule) == ("refused.play", "ST-4.2")


@pytest.mark.parametrize(
    "effect", ["sleight-of-hand-a", "sleight-of-hand-b", "sleight-of-hand-c", "theft", "id-check"]
)
def test_st_4_2_on_an_or_card_one_chooses_the_side(effect: str) -> None:
    t = to_play(rail(*FOUR, viewers=[None]), effect, "accelerate")
    assert t.legal(1, play(effect)) == [side("first"), side("second")]
    key = t.train.key()
    with pytest.raises(Refused):
        t.do(1, play(effect))
    assert t.train.key() == key
    t.do(1, play(effect), side("second"))
    assert (t.view().turns[0].effect, t.view().turns[0].side) == (effect, "second")
    told_side = {"seat": 1, "effect": effect, "side": f"{effect}.second"}
    assert latest(t, "event.played.side") == told_side


def test_st_4_2_other_cards_have_no_sides() -> None:
    t = to_play(rail(*FOUR), "hard-brake", "accelerate")
    with pytest.raises(Refused):
        t.do(1, play("hard-brake"), side("first"))
    t.do(1, play("hard-brake"))
    assert t.view().turns[0].side == ""


@pytest.mark.parametrize("card", ["sleight-of-hand-a", "sleight-of-hand-b", "sleight-of-hand-c"])
@pytest.mark.parametrize(
    ("organiser", "permits", "can"),
    [
        (2, [0, 0, 0, 0], True),
        (1, [0, 1, 0, 0], True),
        (0, [1, 1, 0, 0], True),
        (0, [0, 0, 0, 2], True),
        # One's own permit is not there to be taken, and some may have been burned.
        (0, [0, 2, 0, 0], False),
        (0, [0, 0, 0, 0], False),
    ],
)
def test_st_4_2_without_a_permit_to_take_the_second_side_cannot_be_chosen(
    card: str, organiser: int, permits: list[int], can: bool
) -> None:
    t = to_play(rail(*FOUR), card, "accelerate")
    t.train.organiser = organiser
    t.train.permits = permits
    assert t.legal(1, play(card)) == [side("first"), side("second")][: 1 + can]
    if not can:
        with pytest.raises(Refused):
            t.do(1, play(card), side("second"))


def test_st_4_2_without_anybody_to_rob_theft_has_one_side() -> None:
    t = to_play(rail(*FOUR), "theft", "accelerate")
    for seat in (0, 2, 3):
        t.train.hold(seat, [])
    assert t.legal(1, play("theft")) == [side("first")]
    t.train.hold(3, [0])
    assert t.legal(1, play("theft")) == [side("first"), side("second")]


@pytest.mark.parametrize("effect", ["theft", "id-check"])
@pytest.mark.parametrize("where", ["off", "dead", "hanging"])
def test_st_4_2_whoever_is_not_inside_can_be_neither_robbed_nor_looked_at(
    effect: str, where: str
) -> None:
    t = to_play(rail(*FOUR), effect, "accelerate")
    for seat in (0, 2, 3):
        status(t, seat, where)
    assert t.legal(1, play(effect)) == [side("first")]
    status(t, 2, "aboard")
    assert t.legal(1, play(effect)) == [side("first"), side("second")]


def test_st_4_2_a_permit_on_somebody_who_hangs_outside_is_out_of_reach() -> None:
    t = to_play(rail(*FOUR), "sleight-of-hand-a", "accelerate")
    t.train.organiser = 0
    t.train.permits = [0, 0, 2, 0]
    status(t, 2, "hanging")
    assert t.legal(1, play("sleight-of-hand-a")) == [side("first")]


@pytest.mark.parametrize("effect", ["sleight-of-hand-a", "sleight-of-hand-b", "theft", "id-check"])
def test_st_4_2_from_whom_or_at_whom_is_not_chosen_yet(effect: str) -> None:
    t = to_play(rail(*FOUR), effect, "accelerate")
    t.do(1, play(effect), side("second"))
    assert t.step == "effect-played"
    assert (t.train.organiser, t.train.permits) == (2, [0, 0, 0, 0])
    assert [player.interventions for player in t.view().players] == [2, 2, 2, 2]
    assert own(t, 1).seen == []


# --- 4.4 -----------------------------------------------------------------------------------------


def test_st_4_4_the_current_player_is_the_next_drawer() -> None:
    t = rail(*FOUR)
    turns = []
    for _ in range(5):
        t.at(24, 30)
        t.hand(*THREE)
        drawer = t.view().drawer
        t.discard("full-speed-ahead")
        turns.append((drawer, t.view().current))
        t.lay("hard-brake")
        t.quiet()
    assert turns == [(0, 1), (1, 2), (2, 3), (3, 0), (0, 1)]
    assert t.view().turn == 6


@pytest.mark.parametrize(
    ("first", "gone", "leaves", "drawer"),
    [
        (0, [], 1, 2),
        (0, [3], 1, 2),
        (0, [2], 1, 3),
        (0, [2, 3], 1, 4),
        (3, [0], 4, 1),
        (3, [], 4, 0),
    ],
)
def test_st_4_4_if_the_current_player_has_left_the_next_on_board_draws(
    first: int, gone: list[int], leaves: int, drawer: int
) -> None:
    t = rail([], [], [], [], [], first=first + 1)
    for seat in gone:
        status(t, seat, "off")
    t.at(9, 30)
    t.turn("hard-brake")
    while t.step == "ballot":
        voter = t.train.waiting()[0]
        t.throw_off(first if voter == leaves else leaves)
    t.quiet()
    assert t.view().players[leaves].status == "off"
    assert t.view().drawer == drawer


def test_st_4_4_thrown_off_by_the_meeting_the_current_player_does_not_draw() -> None:
    t = rail(*FOUR)
    t.at(9, 30)
    t.turn("hard-brake")
    t.throw_off(1, 1, 1, 0)
    t.quiet()
    assert t.view().players[1].status == "off"
    assert t.view().drawer == 2
    t.at(24, 30)
    t.turn("hard-brake")
    t.turn("hard-brake")
    assert t.view().drawer == 0
    t.hand(*THREE)
    t.discard("hard-brake")
    assert t.view().current == 2


def test_st_4_4_a_lone_player_is_drawer_and_current_player() -> None:
    t = rail(*FOUR, viewers=[None, 1])
    for seat in (1, 2, 3):
        status(t, seat, "off")
    t.at(24, 30)
    t.hand(*THREE)
    t.discard("hard-brake")
    assert (t.view().drawer, t.view().current) == (0, 0)
    assert latest(t, "event.alone") == {"seat": 0, "count": 2}
    assert t.view(0).turns[0].set_aside == ""
    t.lay("apply-the-brakes")
    t.quiet()
    assert (t.view().drawer, t.view().turn) == (0, 2)
    assert t.view(0).turns[0].set_aside == "full-speed-ahead"


def test_st_4_4_somebody_who_hangs_on_is_not_skipped() -> None:
    t = rail(*FOUR, viewers=[None])
    status(t, 1, "hanging")
    t.hand(*THREE)
    t.discard("full-speed-ahead")
    assert t.view().current == 1
    assert t.view().players[1].status == "aboard"
    assert latest(t, "event.back") == {"seat": 1}
    assert told(t)[-1].sets == {"players.1.status": "aboard"}


# --- 4.5 -----------------------------------------------------------------------------------------


def slow_turn(t: Staged) -> None:
    """A turn on a stretch where nothing happens."""
    t.at(24, 30)
    t.turn("hard-brake")


def test_st_4_5_after_22_turns_the_train_stops() -> None:
    t = rail([], [], [])
    for turn in range(22):
        assert t.match.result() is None
        assert t.view().turn == turn + 1
        slow_turn(t)
    result = t.match.result()
    assert result is not None
    assert result.ending == t.view().ending == "stopped"
    assert (t.view().deck, t.view().discards, len(t.view().pile)) == (0, 44, 22)
    assert t.train.waiting() == []


@pytest.mark.parametrize(("left", "stopped"), [(4, False), (3, False), (2, True), (1, True)])
def test_st_4_5_fewer_than_three_cards_are_none(left: int, stopped: bool) -> None:
    t = rail(*FOUR, viewers=[None])
    t.train.deck = t.train.deck[:left]
    slow_turn(t)
    assert (t.match.result() is not None) is stopped
    assert ("event.stopped" in keys(t)) is stopped


def test_st_4_5_the_deck_is_looked_at_only_when_the_turn_ends() -> None:
    t = rail(*FOUR)
    t.train.deck = []
    t.at(BOX - 1, 30)
    t.turn("hard-brake")
    assert t.match.result() is None
    t.vote("viaduct", "viaduct", "viaduct", "viaduct")
    assert t.match.result() is None
    t.quiet()
    assert t.match.result() is not None


def test_st_4_5_more_coal_in_time_makes_another_turn() -> None:
    t = rail(["more-coal"], [], [], [])
    slow_turn(t)
    slow_turn(t)
    t.train.deck = []
    t.at(24, 30)
    t.works(0, "more-coal")
    coal = {"do": "coal", "effect": "maintain-speed"}
    t.do(0, coal, coal, coal)
    t.turn("hard-brake")
    assert t.match.result() is None
    assert t.view().deck == 0
    assert own(t, 3).effects == ["maintain-speed"] * 3
    slow_turn(t)
    assert t.match.result() is not None


def test_st_4_5_after_the_stop_nothing_can_be_done_any_more() -> None:
    t = rail(["burn"], [], [], [])
    t.train.deck = []
    slow_turn(t)
    for seat in range(4):
        assert t.legal(seat) == []
        problem = refused(t, seat, discard("hard-brake"))
        assert (problem.key, problem.rule) == ("refused.over", "ST-4.5")
    refused(t, 0, {"do": "intervene", "card": "burn"}, {"do": "name-organiser"})


# --- 4.6 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("route", ["fast-track", "viaduct", "scenic-route"])
@pytest.mark.parametrize(
    ("behind", "speed", "crashed"),
    [
        (1, 30, False),
        (0, 30, True),
        (1, 60, True),
        (6, 180, False),
        (5, 180, True),
        (4, 120, False),
        (3, 120, True),
    ],
)
def test_st_4_6_the_last_space_is_not_a_crash_but_one_further_is(
    route: str, behind: int, speed: int, crashed: bool
) -> None:
    t = rail(*FOUR, viewers=[None])
    t.at(last(route) - behind, speed, route)
    t.turn("maintain-speed")
    result = t.match.result()
    assert t.view().at == last(route)
    if crashed:
        assert result is not None
        assert result.ending == "crashed"
        assert keys(t)[-5:] == ["event.crashed", *["event.revealed"] * 4]
        assert "event.moved" not in keys(t)
    else:
        assert result is None


def test_st_4_6_a_train_that_stops_on_the_last_space_has_stopped() -> None:
    t = rail(*FOUR)
    t.train.deck = []
    t.at(last() - 1, 30, "fast-track")
    t.turn("hard-brake")
    assert t.view().ending == "stopped"


def test_st_4_6_the_crash_comes_before_the_deck_runs_out() -> None:
    t = rail(*FOUR)
    t.train.deck = []
    t.at(last(), 30, "fast-track")
    t.turn("hard-brake")
    assert t.view().ending == "crashed"


def test_st_4_6_after_a_crash_there_are_no_special_events() -> None:
    features = {"paris": [("tunnel", 10, 12), ("bridge", 28, 28), ("tunnel", 29, 31)]}
    t = rail(*FOUR, features=features)
    t.at(last() - 1, 180, "fast-track")
    t.turn("maintain-speed")
    assert t.step == "over"


# --- the clock -----------------------------------------------------------------------------------


def by_the_clock(t: Staged, seat: int) -> list[dict[str, Any]]:
    return [GAME.space.json(step) for step in t.match.default(seat)]


def test_the_clock_plays_the_card_that_leaves_the_train_slowest() -> None:
    t = rail(*FOUR)
    assert by_the_clock(to_play(t, "speed-up", "hit-the-brakes"), 1) == [play("hit-the-brakes")]
    t = rail(*FOUR)
    t.at(0, 90)
    assert by_the_clock(to_play(t, "accelerate", "sleight-of-hand-c"), 1) == [
        play("sleight-of-hand-c"),
        side("first"),
    ]


def test_the_clock_plays_the_first_of_two_cards_that_come_to_the_same() -> None:
    t = to_play(rail(*FOUR), "accelerate", "speed-up")
    t.at(0, 180)
    assert by_the_clock(t, 1) == [play("accelerate")]


def test_every_turn_and_every_vote_is_a_moment_to_offer_programs_a_move() -> None:
    t = rail(*FOUR)
    before = t.train.moment()
    t.at(BOX - 2, 30)
    t.turn("hard-brake")
    assert t.train.moment() == before + 1
    t.turn("hard-brake")
    assert t.step == "vote"
    assert t.train.moment() == before + 2


def test_the_clock_passes_in_windows_and_takes_from_the_organiser_first() -> None:
    t = rail(*FOUR)
    t.train.permits = [1, 0, 0, 0]
    t.turn("sleight-of-hand-a", "second", quiet=False)
    assert by_the_clock(t, 2) == [{"do": "pass"}]
    t.quiet()
    assert by_the_clock(t, 1) == [TAKE]
    t.train.organiser = 0
    assert by_the_clock(t, 1) == [take(0)]


def test_st_4_6_the_last_turn_tells_where_the_train_ended() -> None:
    t = rail(*FOUR)
    last = len(t.train.track.spaces[0]) - 1
    t.at(last - 1, 90, "fast-track")
    t.turn("maintain-speed")
    assert t.step == "over"
    assert (t.view().turns[-1].speed, t.view().turns[-1].at) == (90, last)


def test_st_4_2_a_side_that_cannot_be_carried_out_is_refused_with_the_reason() -> None:
    t = rail(*FOUR)
    t.train.organiser = 0
    t.hand("sleight-of-hand-a", "maintain-speed", "maintain-speed")
    t.discard("maintain-speed")
    problem = refused(
        t, 1, {"do": "play", "effect": "sleight-of-hand-a"}, {"do": "side", "side": "second"}
    )
    assert (problem.key, problem.rule) == ("refused.side", "ST-4.2")
