"""Stop the Train!, rule by rule: special events (ST-5.1 to ST-5.4)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.stop_the_train.lines import (
    BOX,
    F,
    Features,
    S,
    V,
    events,
    keys,
    last,
    latest,
    own,
    place,
    rail,
    refused,
    status,
    told,
)
from tests.games.stop_the_train.tables import Staged
from tests.games.stop_the_train.turns import FOUR

TAKE = {"do": "take-organiser"}


def take(seat: int) -> dict[str, Any]:
    return {"do": "take", "seat": seat}


def vote(route: str) -> dict[str, str]:
    return {"do": "vote", "route": route}


def arrive(t: Staged, at: int, speed: int = 30, route: str = "") -> None:
    """The train comes to this place at this speed."""
    t.at(at - speed // 30, speed, route)
    t.turn("maintain-speed")


# --- 5: their order ------------------------------------------------------------------------------


def test_st_5_1_freight_moves_first_then_the_record_then_the_tunnel() -> None:
    features: Features = {
        "line": [("bridge", 10, 11), ("tunnel", 15, 17), ("hill", 18, 20), ("hill", 22, 23)]
    }
    t = rail(*FOUR, features=features, freight=True, viewers=[None])
    t.train.freight = 3
    arrive(t, 19, 180)
    assert events(t) == ["event.moved.place", "event.freight", "event.record"]
    assert t.step == "tunnel"
    assert latest(t, "event.moved.place") == {"speed": 180, "spaces": 6, "feature": "line.2"}


def test_st_5_1_a_freight_train_is_in_play_only_as_an_option() -> None:
    t = rail(*FOUR, viewers=[None])
    for _ in range(5):
        t.at(24, 30)
        t.turn("hard-brake")
    assert t.view().freight == -1
    assert not [key for key in keys(t) if "freight" in key]


@pytest.mark.parametrize("place_of_front", ["bridge", "box"])
def test_st_5_3_the_tunnel_comes_before_the_signal_box_and_before_the_meeting(
    place_of_front: str,
) -> None:
    features: Features = {
        "line": [("tunnel", 8, 9), ("bridge", 10, 11), ("hill", 15, 16), ("tunnel", 28, 29)]
    }
    t = rail(*FOUR, features=features)
    arrive(t, 10 if place_of_front == "bridge" else BOX)
    assert t.step == "tunnel"
    t.do(1, TAKE)
    assert t.step == ("meeting" if place_of_front == "bridge" else "vote-called")


# --- 5.2 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("front", "hill"),
    [(20, False), (21, True), (22, True), (23, True), (24, False), (25, False)],
)
def test_st_5_2_the_front_must_be_on_a_downhill_space(front: int, hill: bool) -> None:
    t = rail(*FOUR, viewers=[None])
    arrive(t, front, 180)
    assert len(t.view().records) == hill
    assert ("event.record" in keys(t)) is hill


@pytest.mark.parametrize("speed", [30, 60, 90, 120, 150])
def test_st_5_2_the_speed_must_be_180(speed: int) -> None:
    t = rail(*FOUR)
    arrive(t, 22, speed)
    assert t.view().records == []


def test_st_5_2_it_is_the_speed_after_the_card_that_counts() -> None:
    t = rail(*FOUR)
    t.at(16, 90)
    t.turn("full-speed-ahead")
    assert len(t.view().records) == 1
    t = rail(*FOUR)
    t.at(19, 180)
    t.turn("hit-the-brakes")
    assert t.train.at == 23
    assert t.view().records == []


def test_st_5_2_running_over_a_hill_breaks_no_record() -> None:
    t = rail(*FOUR)
    arrive(t, 7, 180)
    assert t.view().records == []


@pytest.mark.parametrize(
    ("section", "number", "route"),
    [("line", 6, ""), ("fast-track", 6, "fast-track"), ("paris", 20, "viaduct")],
)
def test_st_5_2_there_are_hills_on_every_part_of_the_line(
    section: str, number: int, route: str
) -> None:
    t = rail(*FOUR)
    arrive(t, place(section, number, route), 180, route)
    assert len(t.view().records) == 1


def test_st_5_2_a_hill_of_another_route_does_not_count() -> None:
    t = rail(*FOUR)
    arrive(t, place("viaduct", 6), 180, "viaduct")
    assert t.view().records == []


def test_st_5_2_different_hills_are_counted_and_the_same_one_once() -> None:
    t = rail(*FOUR, viewers=[None])
    arrive(t, 6, 180)
    assert latest(t, "event.record") == {"count": 1}
    arrive(t, 21, 180)
    assert latest(t, "event.record") == {"count": 2}
    arrive(t, 22, 180)
    assert len(t.view().records) == 2
    assert keys(t).count("event.record") == 2
    arrive(t, place("paris", 20), 180, "fast-track")
    assert latest(t, "event.record") == {"count": 3}
    arrive(t, place("paris", 20, "scenic-route"), 180, "scenic-route")
    assert len(t.view().records) == 3


def test_st_5_2_all_are_told_which_hills_have_seen_the_record() -> None:
    t = rail(*FOUR, viewers=[None])
    arrive(t, 22, 180)
    record = next(event for event in told(t) if event.key == "event.record")
    assert record.sets == {"records": t.view().records}


# --- 5.3 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("front", "inside"),
    [(14, False), (15, True), (16, True), (17, True), (18, True), (19, True), (20, False)],
)
def test_st_5_3_any_part_of_the_train_in_a_tunnel_will_do(front: int, inside: bool) -> None:
    t = rail(*FOUR)
    arrive(t, front)
    assert t.step == ("tunnel" if inside else "draw")


@pytest.mark.parametrize(
    ("length", "front", "inside"),
    [(1, 17, True), (1, 18, False), (2, 18, True), (2, 19, False), (5, 21, True), (5, 22, False)],
)
def test_st_5_3_a_longer_train_is_in_a_tunnel_for_longer(
    length: int, front: int, inside: bool
) -> None:
    t = rail(*FOUR, length=length)
    arrive(t, front)
    assert t.step == ("tunnel" if inside else "draw")


def test_st_5_3_a_tunnel_that_was_run_through_gives_no_permit() -> None:
    t = rail(*FOUR, length=1)
    arrive(t, 18, 180)
    assert t.step == "draw"


def test_st_5_3_the_current_player_alone_may_take_a_permit() -> None:
    t = rail([], [], [], [], [], [])
    t.train.organiser = 1
    t.train.permits = [1, 1, 0, 1, 1, 1]
    status(t, 4, "hanging")
    status(t, 5, "off")
    arrive(t, 16)
    assert t.train.waiting() == [1]
    assert t.legal(1) == [{"do": "decline"}, take(0), take(3), TAKE]
    for other in (1, 2, 4, 5):
        problem = refused(t, 1, take(other))
        assert (problem.key, problem.rule) == ("refused.take", "ST-5.3")
    assert refused(t, 0, TAKE).rule == "ST-5.3"
    assert refused(t, 2, take(0)).rule == "ST-5.3"
    refused(t, 1, TAKE, TAKE)


@pytest.mark.parametrize(
    ("choice", "organiser", "permits"),
    [
        (TAKE, 0, [1, 2, 0, 1]),
        (take(0), 1, [0, 2, 0, 1]),
        (take(3), 1, [1, 2, 0, 0]),
        ({"do": "decline"}, 1, [1, 1, 0, 1]),
    ],
)
def test_st_5_3_one_permit_from_the_organiser_or_another_player_or_none(
    choice: dict[str, Any], organiser: int, permits: list[int]
) -> None:
    t = rail(*FOUR)
    t.train.organiser = 1
    t.train.permits = [1, 1, 0, 1]
    arrive(t, 16)
    t.do(1, choice)
    assert (t.train.organiser, t.train.permits) == (organiser, permits)
    assert (t.step, t.view().drawer) == ("draw", 1)


def test_st_5_3_declining_is_told_to_all() -> None:
    t = rail(*FOUR, viewers=[None])
    arrive(t, 16)
    t.do(1, "decline")
    assert latest(t, "event.declined") == {"seat": 1}
    assert "event.permit" not in keys(t)


def test_st_5_3_without_a_permit_to_take_nobody_is_asked() -> None:
    t = rail(*FOUR)
    t.train.organiser = 0
    t.train.permits = [0, 2, 0, 0]
    arrive(t, 16)
    assert t.step == "draw"


def test_st_5_3_every_turn_in_the_tunnel_offers_a_permit() -> None:
    t = rail(*FOUR)
    arrive(t, 15)
    t.do(1, TAKE)
    arrive(t, 16)
    assert t.train.waiting() == [2]
    t.do(2, TAKE)
    arrive(t, 17)
    assert t.legal(3) == [{"do": "decline"}, take(1), take(2)]


@pytest.mark.parametrize(("front", "opened"), [(9, False), (10, True), (14, True), (15, False)])
def test_st_5_3_in_the_last_tunnel_a_window_opens_before_the_permit(
    front: int, opened: bool
) -> None:
    t = rail(*FOUR)
    t.at(place("paris", front - 1, "viaduct"), 30, "viaduct")
    t.turn("maintain-speed", quiet=False)
    t.passes()
    assert t.step == ("last-tunnel" if opened else "draw")
    t.quiet()
    assert t.step == ("tunnel" if opened else "draw")


@pytest.mark.parametrize(
    ("section", "number", "route"),
    [("line", 16, ""), ("fast-track", 12, "fast-track"), ("scenic-route", 4, "scenic-route")],
)
def test_st_5_3_in_no_other_tunnel_does_it_open(section: str, number: int, route: str) -> None:
    t = rail(*FOUR)
    t.at(place(section, number) - 1, 30, route)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    assert t.step == "tunnel"


def test_st_5_3_a_murdered_player_takes_no_permit_and_the_turn_ends() -> None:
    t = rail(["murder-in-the-dark"], [], [], [])
    t.at(place("paris", 10), 30, "fast-track")
    t.turn("maintain-speed", quiet=False)
    t.passes()
    t.works(0, "murder-in-the-dark", 1)
    t.quiet()
    assert t.step == "draw"
    assert t.view().drawer == 2
    assert t.train.organiser == 2


# --- 5.4 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "speed", "halts"),
    [
        (1, 30, True),
        (1, 180, True),
        (5, 180, True),
        (6, 180, True),
        (7, 180, False),
        (2, 30, False),
    ],
)
def test_st_5_4_the_train_halts_at_the_signal_box_whatever_its_speed(
    before: int, speed: int, halts: bool
) -> None:
    t = rail(*FOUR, viewers=[None])
    t.at(BOX - before, speed)
    t.turn("maintain-speed")
    assert t.train.speed == speed
    if halts:
        assert t.view().at == BOX
        assert t.step == "vote"
        assert latest(t, "event.moved") == {"speed": speed, "spaces": before}
        assert "event.vote-called" in keys(t)
    else:
        assert t.step == "draw"


def test_st_5_4_everybody_on_board_votes_with_one_of_three_cards() -> None:
    t = rail([], [], [], [], [])
    status(t, 3, "off")
    status(t, 4, "dead")
    arrive(t, BOX)
    assert t.train.waiting() == [0, 1, 2]
    for seat in (0, 1, 2):
        assert t.legal(seat) == [vote("fast-track"), vote("viaduct"), vote("scenic-route")]
    for seat, rule in ((3, "ST-5.6"), (4, "ST-6.4")):
        assert t.legal(seat) == []
        problem = refused(t, seat, vote("viaduct"))
        assert (problem.key, problem.rule) == ("refused.left", rule)
    t.do(2, vote("viaduct"))
    assert t.train.waiting() == [0, 1]


def test_st_5_4_there_is_nothing_to_vote_on_anywhere_else() -> None:
    t = rail(*FOUR)
    problem = refused(t, 0, vote("viaduct"))
    assert (problem.key, problem.rule) == ("refused.vote", "ST-5.4")


def test_st_5_4_votes_are_secret_and_shown_without_names() -> None:
    t = rail([], [], [], [], [], [], viewers=[None, 0, 1, 2, 3])
    arrive(t, BOX)
    t.do(3, vote("scenic-route"))
    for viewer in (None, 0, 1, 2):
        view = t.view(viewer)
        assert view.vote.tally == []
        assert view.vote.voted == [3]
        assert "scenic" not in repr(view.vote)
    assert own(t, 3).votes == ["scenic-route"]
    t.vote("fast-track", "scenic-route", "viaduct", "viaduct", "scenic-route")
    for viewer in (None, 0, 1, 2, 3):
        assert t.view(viewer).vote.tally == [1, 2, 3]
        assert t.view(viewer).vote.counted[0].routes == []
        assert latest(t, "event.votes", viewer) == {
            "fast": 1,
            "viaduct": 2,
            "scenic": 3,
            "route": "scenic-route",
        }
        assert "event.vote-shown" not in keys(t, viewer)
    assert told(t)[-1].sets == {"vote.tally": [1, 2, 3]}
    t.quiet()
    assert next(e.sets for e in told(t) if e.key == "event.route") == {"route": "scenic-route"}


@pytest.mark.parametrize(
    ("votes", "route"),
    [
        ([F, F, F, F, F], F),
        ([V, V, V, V, V], V),
        ([S, S, S, S, S], S),
        ([F, F, V, V, V], V),
        ([F, F, S, S, S], S),
        ([V, V, S, S, S], S),
        ([F, F, F, S, S], F),
        # More than all others, though not more than half.
        ([S, S, F, V, V], V),
        ([S, S, F, V], S),
        ([V, V, F, S], V),
        # A tie goes to the shortest of the tied: the single vote for the Fast Track is not.
        ([V, V, S, S, F], V),
        ([F, F, V, V, S], F),
        ([F, F, S, S, V], F),
        ([V, V, S, S], V),
        ([S, V, S, V], V),
        ([F, S, F, S], F),
        ([V, F, V, F], F),
        ([F, V, S], F),
        ([S, V, F], F),
    ],
)
def test_st_5_4_most_votes_win_and_a_tie_goes_to_the_shortest_of_the_tied(
    votes: list[str], route: str
) -> None:
    t = rail(*[[] for _ in votes], viewers=[None])
    arrive(t, BOX)
    t.vote(*votes)
    assert t.view().vote.decided == route
    t.quiet()
    assert t.view().route == route
    assert latest(t, "event.route") == {"route": route}


@pytest.mark.parametrize(
    ("votes", "tied"),
    [([F, V, S, S], []), ([S, V, V, S], [V, S]), ([F, V, F, V], [F, V]), ([S, F, F, S], [F, S])],
)
def test_st_5_4_a_tie_is_told(votes: list[str], tied: list[str]) -> None:
    t = rail(*FOUR, viewers=[None])
    arrive(t, BOX)
    t.vote(*votes)
    if tied:
        assert t.view().vote.tied == tied
        assert latest(t, "event.tie") == {"routes": tied}
    else:
        assert "event.tie" not in keys(t)


def nobody_votes(*more: str) -> Staged:
    """Two are left, and have arrested each other."""
    t = rail(["citizens-arrest", *more], ["citizens-arrest"], [], viewers=[None])
    status(t, 2, "off")
    t.at(BOX - 1, 30)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    t.works(0, "citizens-arrest", 1)
    t.works(1, "citizens-arrest", 0)
    return t


def test_st_5_4_if_nobody_votes_all_open_routes_are_tied() -> None:
    t = nobody_votes()
    t.passes()
    assert t.view().vote.tied == [F, V, S]
    t.quiet()
    assert t.view().route == F


def test_st_5_4_of_the_open_routes_the_shortest() -> None:
    t = nobody_votes("broken-track")
    t.works(0, "broken-track", route=F)
    t.passes()
    assert t.view().vote.tied == [V, S]
    t.quiet()
    assert t.view().route == V


def test_st_5_4_after_the_vote_the_turn_ends_where_the_train_stands() -> None:
    t = rail(*FOUR)
    t.at(BOX - 2, 150)
    t.turn("maintain-speed")
    t.vote(S, S, S, S)
    t.quiet()
    assert t.step == "draw"
    assert (t.view().drawer, t.view().turn) == (1, 2)
    assert (t.view().at, t.view().speed) == (BOX, 150)


@pytest.mark.parametrize("route", [F, V, S])
def test_st_5_4_the_next_move_leaves_on_the_chosen_route(route: str) -> None:
    t = rail(*FOUR)
    arrive(t, BOX)
    t.vote(route, route, route, route)
    t.quiet()
    t.turn("maintain-speed")
    assert (t.view().at, t.view().route) == (BOX + 1, route)
    # It is not asked again, and each route has its own way to Paris.
    assert t.step == "draw"
    t.at(last(route) - 1, 30)
    t.turn("maintain-speed")
    assert t.match.result() is None
    t.turn("maintain-speed")
    assert t.view().ending == "crashed"


def test_st_5_4_a_fast_train_leaves_the_signal_box_at_its_speed() -> None:
    t = rail(*FOUR)
    t.at(BOX - 1, 180)
    t.turn("maintain-speed")
    t.vote(V, V, V, V)
    t.quiet()
    t.turn("maintain-speed")
    assert t.view().at == BOX + 6


def test_st_5_4_an_open_vote_is_shown_with_names_but_laid_like_any_other() -> None:
    t = rail(["open-vote"], [], [], [], [], viewers=[None, 1])
    status(t, 4, "off")
    t.at(BOX - 1, 30)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    t.works(0, "open-vote")
    t.quiet()
    assert t.train.waiting() == [0, 1, 2, 3]
    t.do(2, vote(V))
    assert V not in repr(t.view(1).vote)
    for seat, route in [(0, F), (1, V), (3, S)]:
        t.do(seat, vote(route))
    shown = [event.args for event in told(t) if event.key == "event.vote-shown"]
    assert shown == [{"seat": seat, "route": route} for seat, route in enumerate([F, V, V, S])]
