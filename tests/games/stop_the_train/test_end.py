"""Stop the Train!, rule by rule: the end (ST-6)."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.engine import Outcome, Reason
from capolinea.games.stop_the_train.rules.steps import ENDING_NAMES
from tests.games.stop_the_train.lines import (
    BOX,
    F,
    S,
    V,
    keys,
    last,
    own,
    place,
    rail,
    status,
    told,
)
from tests.games.stop_the_train.tables import Staged

FOUR: list[list[str]] = [[], [], [], []]
SIX: list[list[str]] = [[], [], [], [], [], []]
#: Seats: whom the test is about, the Saboteur, and somebody else.
ME, SABOTEUR, OTHER = 0, 1, 2


def end(
    character: str,
    ending: str = "stopped",
    *,
    route: str = "",
    permits: int = 0,
    theirs: int = 0,
    me: str = "aboard",
    saboteur: str = "aboard",
    other: str = "aboard",
    hills: int = 0,
    cast: tuple[str, ...] = (),
    **options: Any,
) -> Staged:
    """Six players, the first of whom is this character, and how it ended: the route taken, permits (of
    oneself, of another player), who is where, and hills with a record."""
    first = [character] if character == "saboteur" else [character, "saboteur"]
    t = rail(*SIX, characters=[*first, *cast], freight=ending == "collided", **options)
    t.train.permits = [permits, 0, theirs, 0, 0, 0]
    t.train.organiser = 0
    for seat, where in [(ME, me), (SABOTEUR, saboteur), (OTHER, other)]:
        if character != "saboteur" or seat != SABOTEUR:
            status(t, seat, where)
    if route:
        t.at(BOX + 1, route=route)
    t.train.records = (1 << hills) - 1
    t.train.finish(ENDING_NAMES.index(ending))
    return t


def outcome(t: Staged, seat: int = ME) -> Outcome:
    result = t.match.result()
    assert result is not None
    return result.outcomes[seat]


def won(character: str, ending: str = "stopped", **facts: Any) -> bool:
    return outcome(end(character, ending, **facts)).won


def reasons(t: Staged, seat: int = ME) -> dict[str, bool]:
    return {reason.key: reason.held for reason in outcome(t, seat).reasons}


# --- 6.1 -----------------------------------------------------------------------------------------


def test_st_6_1_at_the_end_all_characters_are_revealed_and_not_before() -> None:
    t = rail(*FOUR, characters=["engineer", "saboteur", "stuntman", "chanteuse"], viewers=[None, 2])
    t.train.deck = []
    t.at(24, 30)
    assert t.view().characters == []
    t.turn("hard-brake")
    dealt = ["engineer", "saboteur", "stuntman", "chanteuse"]
    for viewer in (None, 2):
        assert t.view(viewer).characters == dealt
        revealed = [e.args for e in told(t, viewer) if e.key == "event.revealed"]
        assert revealed == [{"seat": seat, "role": role} for seat, role in enumerate(dealt)]
    result = t.match.result()
    assert result is not None
    assert [found.role for found in result.outcomes] == dealt


def test_st_6_1_there_is_no_result_before_the_end() -> None:
    t = rail(*FOUR)
    assert t.match.result() is None
    assert t.view().ending == ""


def test_st_6_1_several_may_win_and_all_may_lose() -> None:
    t = end("chanteuse", route=F, cast=("prisoner-of-war", "photographer", "stuntman"))
    result = t.match.result()
    assert result is not None
    assert result.winners[:2] == [0, 2]
    assert not result.outcomes[1].won
    assert not result.outcomes[3].won


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("crashed", {}, True),
        ("crashed", {"me": "off"}, True),
        ("crashed", {"other": "off"}, True),
        ("crashed", {"me": "dead"}, True),
        ("stopped", {}, False),
        ("stopped", {"permits": 2}, False),
        ("stopped", {"me": "off"}, False),
        ("collided", {}, False),
        ("collided", {"permits": 2}, False),
    ],
)
def test_st_6_1_the_saboteur_wins_if_the_train_crashes(
    ending: str, facts: dict[str, Any], expected: bool
) -> None:
    assert won("saboteur", ending, **facts) is expected


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("stopped", {"route": F}, True),
        ("stopped", {"permits": 1}, True),
        ("stopped", {"me": "off"}, True),
        ("stopped", {"me": "off", "route": F}, True),
        ("stopped", {"me": "off", "route": S}, True),
        ("stopped", {}, False),
        ("stopped", {"route": V}, False),
        ("stopped", {"route": S}, False),
        ("stopped", {"theirs": 2}, False),
        ("stopped", {"other": "off", "saboteur": "off"}, False),
        ("stopped", {"me": "hanging"}, False),
        ("stopped", {"me": "dead"}, False),
        ("stopped", {"me": "dead", "route": F}, False),
        ("crashed", {"route": F, "permits": 2}, False),
        ("crashed", {"route": F, "me": "off"}, False),
        ("collided", {"route": F, "permits": 2}, False),
        ("collided", {"route": F, "me": "off"}, False),
    ],
)
def test_st_6_1_the_prisoner_of_war(ending: str, facts: dict[str, Any], expected: bool) -> None:
    assert won("prisoner-of-war", ending, **facts) is expected


@pytest.mark.parametrize(
    ("character", "route"), [("chanteuse", F), ("engineer", V), ("photographer", S)]
)
@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("stopped", {"route": "theirs"}, True),
        ("stopped", {"route": "theirs", "me": "hanging"}, True),
        ("stopped", {"route": "theirs", "other": "off", "saboteur": "dead"}, True),
        ("stopped", {"permits": 1}, True),
        ("stopped", {"permits": 2, "route": "another"}, True),
        ("stopped", {"permits": 1, "me": "hanging"}, True),
        ("stopped", {}, False),
        ("stopped", {"route": "another"}, False),
        ("stopped", {"route": "a third"}, False),
        ("stopped", {"route": "another", "theirs": 2}, False),
        ("stopped", {"route": "theirs", "me": "off"}, False),
        ("stopped", {"route": "theirs", "me": "dead"}, False),
        ("crashed", {"route": "theirs", "permits": 2}, False),
        ("collided", {"route": "theirs", "permits": 2}, False),
    ],
)
def test_st_6_1_chanteuse_engineer_and_photographer(
    character: str, route: str, ending: str, facts: dict[str, Any], expected: bool
) -> None:
    others = [other for other in (F, V, S) if other != route]
    routes = {"theirs": route, "another": others[0], "a third": others[1]}
    facts = {name: routes.get(fact, fact) for name, fact in facts.items()}
    assert won(character, ending, **facts) is expected


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("stopped", {"hills": 1}, True),
        ("stopped", {"hills": 2}, True),
        ("stopped", {"hills": 1, "me": "off"}, True),
        ("stopped", {"permits": 1}, True),
        ("stopped", {}, False),
        ("stopped", {"me": "off"}, False),
        ("stopped", {"route": F, "theirs": 1}, False),
        ("stopped", {"hills": 1, "me": "dead"}, False),
        ("crashed", {"hills": 1}, False),
        ("crashed", {"hills": 3, "permits": 2}, False),
        ("collided", {"hills": 3, "permits": 2}, False),
    ],
)
def test_st_6_1_the_speedster(ending: str, facts: dict[str, Any], expected: bool) -> None:
    assert won("speedster", ending, **facts) is expected


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("stopped", {"hills": 1}, True),
        ("stopped", {"hills": 2}, True),
        ("stopped", {"permits": 1}, True),
        ("stopped", {}, False),
        ("crashed", {"hills": 2}, True),
        ("crashed", {"hills": 3}, True),
        ("crashed", {"hills": 2, "me": "off"}, True),
        ("crashed", {"hills": 1}, False),
        ("crashed", {"hills": 1, "permits": 1}, False),
        ("crashed", {"permits": 1}, False),
        ("crashed", {"hills": 2, "me": "dead"}, False),
        ("stopped", {"hills": 2, "me": "dead"}, False),
        ("collided", {"hills": 2}, False),
        ("collided", {"hills": 2, "permits": 2}, False),
    ],
)
def test_st_6_1_the_speedster_if_more_than_one_hill_is_an_option(
    ending: str, facts: dict[str, Any], expected: bool
) -> None:
    assert won("speedster", ending, two_hills=True, **facts) is expected


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("stopped", {}, True),
        ("stopped", {"saboteur": "hanging"}, True),
        ("stopped", {"other": "off"}, True),
        ("stopped", {"me": "hanging"}, True),
        ("stopped", {"saboteur": "off", "permits": 1}, True),
        ("stopped", {"saboteur": "dead", "permits": 1}, True),
        ("stopped", {"saboteur": "off"}, False),
        ("stopped", {"saboteur": "off", "theirs": 1}, False),
        ("stopped", {"saboteur": "dead"}, False),
        ("stopped", {"me": "off"}, False),
        ("stopped", {"me": "dead"}, False),
        ("crashed", {"permits": 1}, False),
        ("collided", {"permits": 1}, False),
    ],
)
def test_st_6_1_the_mi6_agent(ending: str, facts: dict[str, Any], expected: bool) -> None:
    assert won("mi6-agent", ending, **facts) is expected


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("stopped", {}, True),
        ("stopped", {"permits": 2}, True),
        ("stopped", {"saboteur": "off", "permits": 2}, False),
        ("stopped", {"saboteur": "dead", "permits": 1}, False),
        ("stopped", {"me": "off"}, False),
        ("crashed", {}, False),
    ],
)
def test_st_6_1_the_strict_mi6_agent(ending: str, facts: dict[str, Any], expected: bool) -> None:
    assert won("mi6-agent", ending, strict_agent=True, **facts) is expected


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("stopped", {"saboteur": "off"}, True),
        ("stopped", {"saboteur": "dead"}, True),
        ("stopped", {"saboteur": "off", "me": "off"}, True),
        ("stopped", {"permits": 1}, True),
        ("stopped", {}, False),
        ("stopped", {"saboteur": "hanging"}, False),
        ("stopped", {"me": "off"}, False),
        ("stopped", {"other": "off"}, False),
        ("stopped", {"theirs": 1}, False),
        ("stopped", {"saboteur": "off", "me": "dead"}, False),
        ("crashed", {"saboteur": "off", "permits": 1}, False),
        ("collided", {"saboteur": "off", "permits": 1}, False),
    ],
)
def test_st_6_1_the_resistance_conspirator(
    ending: str, facts: dict[str, Any], expected: bool
) -> None:
    assert won("resistance-conspirator", ending, **facts) is expected


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("stopped", {"me": "off"}, True),
        ("stopped", {"me": "off", "other": "off"}, True),
        ("stopped", {}, False),
        ("stopped", {"permits": 2}, False),
        ("stopped", {"other": "off"}, False),
        ("stopped", {"me": "hanging"}, False),
        ("stopped", {"me": "dead"}, False),
        ("crashed", {"me": "off"}, False),
        ("collided", {"me": "off"}, False),
    ],
)
def test_st_6_1_the_stuntman(ending: str, facts: dict[str, Any], expected: bool) -> None:
    assert won("stuntman", ending, **facts) is expected


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("crashed", {}, True),
        ("crashed", {"other": "hanging"}, True),
        ("collided", {}, True),
        ("crashed", {"other": "off"}, False),
        ("crashed", {"other": "dead"}, False),
        ("crashed", {"saboteur": "off"}, False),
        ("crashed", {"me": "off"}, False),
        ("crashed", {"me": "dead", "permits": 1}, False),
        ("collided", {"other": "off"}, False),
        ("collided", {"other": "dead"}, False),
        ("collided", {"me": "off"}, False),
        ("stopped", {}, False),
        ("stopped", {"permits": 2}, False),
    ],
)
def test_st_6_1_the_rogue(ending: str, facts: dict[str, Any], expected: bool) -> None:
    assert won("rogue", ending, **facts) is expected


@pytest.mark.parametrize("freight", [True, False])
def test_st_6_1_the_rogue_needs_a_crash_with_or_without_a_freight_train(freight: bool) -> None:
    for ending, expected in [("crashed", True), ("stopped", False)]:
        t = rail(*SIX, characters=["rogue", "saboteur"], freight=freight)
        t.train.finish(ENDING_NAMES.index(ending))
        assert outcome(t).won is expected


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("stopped", {}, True),
        ("stopped", {"permits": 2}, True),
        ("stopped", {"other": "off"}, True),
        ("stopped", {"saboteur": "dead"}, True),
        ("stopped", {"me": "hanging"}, True),
        ("stopped", {"theirs": 1}, False),
        ("stopped", {"theirs": 1, "permits": 1}, False),
        ("stopped", {"theirs": 1, "permits": 2}, False),
        ("stopped", {"theirs": 1, "other": "hanging"}, False),
        ("stopped", {"me": "off"}, False),
        ("stopped", {"me": "dead"}, False),
        ("crashed", {}, False),
        ("collided", {}, False),
    ],
)
def test_st_6_1_the_ticket_inspector(ending: str, facts: dict[str, Any], expected: bool) -> None:
    assert won("ticket-inspector", ending, **facts) is expected


def test_st_6_1_permits_on_the_organiser_do_not_trouble_the_inspector() -> None:
    t = end("ticket-inspector")
    t.train.organiser = 2
    assert outcome(t).won


@pytest.mark.parametrize(
    ("ending", "facts", "expected"),
    [
        ("stopped", {}, True),
        ("stopped", {"theirs": 2}, True),
        ("stopped", {"other": "hanging"}, True),
        ("stopped", {"other": "off"}, False),
        ("stopped", {"other": "dead"}, False),
        ("stopped", {"saboteur": "off"}, False),
        ("stopped", {"other": "off", "permits": 2}, False),
        ("stopped", {"me": "off"}, False),
        ("stopped", {"me": "dead"}, False),
        ("crashed", {"permits": 2}, False),
        ("collided", {"permits": 2}, False),
    ],
)
def test_st_6_1_the_mayor_of_paris(ending: str, facts: dict[str, Any], expected: bool) -> None:
    assert won("mayor-of-paris", ending, mayor=True, **facts) is expected


SAVED_BY_A_PERMIT = [
    "prisoner-of-war",
    "chanteuse",
    "engineer",
    "photographer",
    "speedster",
    "resistance-conspirator",
]


@pytest.mark.parametrize("character", SAVED_BY_A_PERMIT)
def test_st_6_1_with_the_mayor_aboard_and_nobody_gone_no_permit_is_needed(character: str) -> None:
    mayor: dict[str, Any] = {"mayor": True, "cast": ("mayor-of-paris",)}
    assert won(character, **mayor)
    assert won(character, other="hanging", **mayor)
    assert not won(character, "crashed", **mayor)
    assert not won(character, "collided", **mayor)
    # Somebody has left the train; or he might have been dealt and was not.
    t = end(character, **mayor)
    status(t, 4, "off")
    assert not outcome(t).won
    status(t, 4, "dead")
    assert not outcome(t).won
    assert not won(character, mayor=True)
    assert not won(character)


@pytest.mark.parametrize("character", ["stuntman", "rogue"])
def test_st_6_1_whom_a_permit_would_not_have_saved_the_mayor_does_not_either(
    character: str,
) -> None:
    assert not won(character, mayor=True, cast=("mayor-of-paris",))


def test_st_6_1_with_the_mayor_aboard_the_inspector_still_wants_no_other_permits() -> None:
    assert not won("ticket-inspector", theirs=1, mayor=True, cast=("mayor-of-paris",))


def test_st_6_1_with_the_mayor_aboard_the_saboteur_still_needs_a_crash() -> None:
    t = end("mayor-of-paris", mayor=True)
    assert not outcome(t, SABOTEUR).won


# --- 6.1: why ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("character", "ending", "facts", "expected"),
    [
        ("saboteur", "crashed", {}, {"reason.crashed": True}),
        ("saboteur", "stopped", {}, {"reason.crashed": False}),
        (
            "prisoner-of-war",
            "stopped",
            {"route": F},
            {
                "reason.stopped": True,
                "reason.either.route": True,
                "reason.either.thrown-off": False,
                "reason.either.permit": False,
            },
        ),
        (
            "prisoner-of-war",
            "crashed",
            {"me": "off"},
            {
                "reason.stopped": False,
                "reason.either.route": False,
                "reason.either.thrown-off": True,
                "reason.either.permit": False,
            },
        ),
        (
            "engineer",
            "stopped",
            {"permits": 1, "me": "hanging"},
            {
                "reason.stopped": True,
                "reason.aboard": True,
                "reason.either.route": False,
                "reason.either.permit": True,
            },
        ),
        (
            "engineer",
            "stopped",
            {"me": "off", "route": V},
            {
                "reason.stopped": True,
                "reason.aboard": False,
                "reason.either.route": True,
                "reason.either.permit": False,
            },
        ),
        (
            "speedster",
            "stopped",
            {"hills": 1},
            {
                "reason.stopped": True,
                "reason.either.record": True,
                "reason.either.permit": False,
            },
        ),
        (
            "speedster",
            "crashed",
            {"hills": 2, "two_hills": True},
            {"reason.not-collided": True, "reason.two-hills": True},
        ),
        (
            "speedster",
            "collided",
            {"hills": 2, "two_hills": True},
            {"reason.not-collided": False, "reason.two-hills": True},
        ),
        (
            "mi6-agent",
            "stopped",
            {"saboteur": "off", "permits": 1},
            {
                "reason.stopped": True,
                "reason.aboard": True,
                "reason.either.saboteur-aboard": False,
                "reason.either.permit": True,
            },
        ),
        (
            "mi6-agent",
            "stopped",
            {"saboteur": "off", "permits": 1, "strict_agent": True},
            {"reason.stopped": True, "reason.aboard": True, "reason.saboteur-aboard": False},
        ),
        (
            "resistance-conspirator",
            "stopped",
            {"saboteur": "off"},
            {
                "reason.stopped": True,
                "reason.either.saboteur-gone": True,
                "reason.either.permit": False,
            },
        ),
        (
            "stuntman",
            "stopped",
            {"me": "off"},
            {"reason.stopped": True, "reason.thrown-off": True},
        ),
        (
            "rogue",
            "crashed",
            {"other": "off"},
            {"reason.crashed": True, "reason.everyone-aboard": False},
        ),
        (
            "rogue",
            "collided",
            {},
            {"reason.wrecked": True, "reason.everyone-aboard": True},
        ),
        (
            "ticket-inspector",
            "stopped",
            {"theirs": 1, "permits": 1},
            {"reason.stopped": True, "reason.aboard": True, "reason.no-other-permit": False},
        ),
        (
            "mayor-of-paris",
            "crashed",
            {"mayor": True},
            {"reason.stopped": False, "reason.everyone-aboard": True},
        ),
        (
            "chanteuse",
            "stopped",
            {"mayor": True, "cast": ("mayor-of-paris",)},
            {
                "reason.stopped": True,
                "reason.aboard": True,
                "reason.either.route": False,
                "reason.either.permit": False,
                "reason.either.mayor": True,
            },
        ),
    ],
)
def test_st_6_1_everybody_learns_which_conditions_held_and_which_failed(
    character: str, ending: str, facts: dict[str, Any], expected: dict[str, bool]
) -> None:
    assert reasons(end(character, ending, **facts)) == expected


@pytest.mark.parametrize(
    ("character", "route"),
    [("prisoner-of-war", F), ("chanteuse", F), ("engineer", V), ("photographer", S)],
)
def test_st_6_1_a_reason_names_the_route_it_asks_for(character: str, route: str) -> None:
    found = next(r for r in outcome(end(character)).reasons if r.key == "reason.either.route")
    assert found == Reason("reason.either.route", False, {"route": route}, "ST-6.1")


def test_st_6_1_a_reason_counts_the_hills() -> None:
    t = end("speedster", "crashed", hills=3, two_hills=True)
    assert outcome(t).reasons[1] == Reason("reason.two-hills", True, {"count": 3}, "ST-6.1")


@pytest.mark.parametrize("ending", ["stopped", "crashed", "collided"])
def test_st_6_1_every_reason_has_its_rule(ending: str) -> None:
    for character in ["saboteur", *SAVED_BY_A_PERMIT, "rogue", "mi6-agent", "ticket-inspector"]:
        result = end(character, ending).match.result()
        assert result is not None
        for seat in result.outcomes:
            assert seat.reasons
            for reason in seat.reasons:
                wrecked = reason.key == "reason.wrecked"
                assert reason.rule == ("ST-6.3" if wrecked else "ST-6.1")


# --- 6.2 -----------------------------------------------------------------------------------------


def stop_at(at: int, route: str, character: str) -> Outcome:
    t = rail(*FOUR, characters=[character, "saboteur"])
    t.at(at - 1, 30, route)
    t.train.organiser = 0
    t.train.deck = []
    t.turn("hard-brake")
    t.quiet()
    if t.step == "ballot":
        t.throw_off(3, 2, 1, 2)
        t.quiet()
    return outcome(t)


@pytest.mark.parametrize("character", ["prisoner-of-war", "chanteuse", "engineer", "photographer"])
def test_st_6_2_before_the_signal_box_no_route_was_taken(character: str) -> None:
    assert not stop_at(BOX - 1, "", character).won


@pytest.mark.parametrize(
    ("character", "route"), [("chanteuse", F), ("engineer", V), ("photographer", S)]
)
def test_st_6_2_a_vote_on_the_last_turn_takes_no_route(character: str, route: str) -> None:
    t = rail(*FOUR, characters=[character, "saboteur"])
    t.train.deck = []
    t.at(BOX - 1, 180)
    t.turn("maintain-speed")
    t.vote(route, route, route, route)
    t.quiet()
    assert t.view().ending == "stopped"
    assert t.view().route == route
    assert not outcome(t).won
    assert reasons(t)["reason.either.route"] is False


@pytest.mark.parametrize(
    ("character", "route"), [("chanteuse", F), ("engineer", V), ("photographer", S)]
)
def test_st_6_2_a_route_is_taken_once_the_front_stands_on_it(character: str, route: str) -> None:
    assert stop_at(BOX + 1, route, character).won
    # And it was taken when the routes have joined again.
    assert stop_at(place("paris", 3, route), route, character).won
    assert stop_at(last(route), route, character).won
    for other in {F, V, S} - {route}:
        assert not stop_at(BOX + 1, other, character).won


# --- 6.3 -----------------------------------------------------------------------------------------

EVERYBODY = [
    "saboteur",
    "prisoner-of-war",
    "chanteuse",
    "engineer",
    "photographer",
    "speedster",
    "mi6-agent",
    "resistance-conspirator",
    "stuntman",
    "ticket-inspector",
    "mayor-of-paris",
]


@pytest.mark.parametrize("character", EVERYBODY)
@pytest.mark.parametrize("two_hills", [True, False])
def test_st_6_3_collided_everybody_loses(character: str, two_hills: bool) -> None:
    for facts in [
        {"route": F, "permits": 2, "hills": 3},
        {"route": V, "permits": 1, "hills": 2},
        {"route": S, "permits": 1, "hills": 2, "me": "off"},
        {"route": F, "permits": 1, "saboteur": "off"},
        {},
    ]:
        assert not won(character, "collided", mayor=True, two_hills=two_hills, **facts)


@pytest.mark.parametrize(
    ("other", "expected"), [("aboard", True), ("hanging", True), ("off", False), ("dead", False)]
)
def test_st_6_3_but_the_rogue_wins_if_everybody_is_on_board(other: str, expected: bool) -> None:
    t = end("rogue", "collided", other=other)
    assert outcome(t).won is expected
    assert outcome(t).reasons[0] == Reason("reason.wrecked", True, {}, "ST-6.3")


def test_st_6_3_a_collision_in_play() -> None:
    t = rail(*SIX, characters=["rogue", "saboteur"], freight=True)
    t.at(24, 30)
    t.train.freight = 20
    t.turn("maintain-speed")
    result = t.match.result()
    assert result is not None
    assert result.ending == "collided"
    assert result.winners == [0]


# --- 6.4 -----------------------------------------------------------------------------------------


def test_st_6_4_who_is_murdered_is_out_of_play_and_permits_are_gone() -> None:
    t = rail(["murder-in-the-dark"], [], ["burn"], [], viewers=[None])
    t.train.permits = [0, 0, 2, 0]
    t.at(place("paris", 9, V), 30, V)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    t.works(0, "murder-in-the-dark", 2)
    assert t.view().players[2].status == "dead"
    assert t.view().players[2].permits == 0
    assert t.view().organiser == 2
    assert own(t, 2).cards == []
    assert "event.murdered" in keys(t)
    t.quiet()
    assert t.legal(1) == [{"do": "decline"}, {"do": "take-organiser"}]
    t.do(1, "decline")
    # Seat 1 draws, and the cards go past the dead.
    t.hand("hard-brake", "hard-brake", "hard-brake")
    t.discard("hard-brake")
    assert t.view().current == 3
    t.lay("hard-brake")
    assert t.train.waiting() == [0, 1, 3]
    assert t.legal(2) == []


@pytest.mark.parametrize(
    ("character", "facts"),
    [
        ("prisoner-of-war", {"route": F}),
        ("chanteuse", {"route": F}),
        ("engineer", {"route": V}),
        ("photographer", {"route": S}),
        ("speedster", {"hills": 2}),
        ("speedster", {"hills": 2, "two_hills": True}),
        ("mi6-agent", {}),
        ("mi6-agent", {"strict_agent": True}),
        ("resistance-conspirator", {"saboteur": "off"}),
        ("stuntman", {}),
        ("ticket-inspector", {}),
        ("mayor-of-paris", {"mayor": True}),
    ],
)
def test_st_6_4_the_dead_lose(character: str, facts: dict[str, Any]) -> None:
    t = end(character, me="dead", **facts)
    assert not outcome(t).won
    assert reasons(t)["reason.stopped"] is True
    # Alive, though perhaps off the train, they would have won.
    assert won(character, me="off" if character == "stuntman" else "aboard", **facts)


@pytest.mark.parametrize(
    "character", [*SAVED_BY_A_PERMIT[:4], "speedster", "mi6-agent", "resistance-conspirator"]
)
def test_st_6_4_the_dead_learn_that_they_lost_for_being_dead(character: str) -> None:
    t = end(character, me="dead", route=F, hills=2, saboteur="off")
    assert Reason("reason.alive", False, {}, "ST-6.4") in outcome(t).reasons


def test_st_6_4_except_a_saboteur_whose_train_crashes() -> None:
    assert won("saboteur", "crashed", me="dead")
    assert not won("saboteur", "stopped", me="dead")
    assert not won("saboteur", "collided", me="dead")


@pytest.mark.parametrize("character", ["stuntman", "prisoner-of-war"])
def test_st_6_4_dead_is_not_thrown_off(character: str) -> None:
    assert not won(character, me="dead")
    assert won(character, me="off")


@pytest.mark.parametrize(
    ("character", "ending"),
    [("rogue", "crashed"), ("rogue", "collided"), ("mayor-of-paris", "stopped")],
)
def test_st_6_4_whoever_died_it_spoils_it_for_rogue_and_mayor(character: str, ending: str) -> None:
    for dead in ({"other": "dead"}, {"saboteur": "dead"}, {"me": "dead"}):
        assert not won(character, ending, mayor=True, **dead)
    assert won(character, ending, mayor=True)


def test_st_6_4_a_dead_saboteur_is_not_on_board() -> None:
    assert not won("mi6-agent", saboteur="dead")
    assert won("resistance-conspirator", saboteur="dead")
    # Another dead player makes no difference to them.
    assert won("mi6-agent", other="dead")
    assert not won("resistance-conspirator", other="dead")


# --- 6.5 -----------------------------------------------------------------------------------------


def test_st_6_5_speedster_and_conspirator_may_win_though_thrown_off() -> None:
    assert won("speedster", me="off", hills=1)
    assert won("resistance-conspirator", me="off", saboteur="off")


def test_st_6_5_the_inspector_does_not_mind_who_is_thrown_off_and_loses_on_a_collision() -> None:
    for gone in ({"other": "off"}, {"saboteur": "off"}, {"other": "off", "saboteur": "off"}):
        assert won("ticket-inspector", **gone)
    assert not won("ticket-inspector", "collided")


def test_st_6_5_the_mayor_does_not_lose_when_the_train_stops() -> None:
    assert won("mayor-of-paris", mayor=True)
