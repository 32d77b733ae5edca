"""Night Mail: exactly what each viewer sees."""

from __future__ import annotations

from typing import Any

import msgspec

from capolinea.engine import Match, Viewer
from tests.games.night_mail.tables import deliver, do, load, table, telegram, vote

ADA, BRUNO, CARLA = 0, 1, 2


def seen(match: Match, viewer: Viewer) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(match.view(viewer))
    return shown


def told(match: Match, viewer: Viewer) -> list[tuple[str, dict[str, Any]]]:
    """The events of a viewer's newest message."""
    return [(event.key, event.args) for event in match.frames(viewer)[-1].events]


def hands() -> Match:
    return table(
        ["postcard", "letter", "parcel"],
        ["bandit", "guard", "telegram"],
        ["letter", "letter", "guard"],
        employers=["north", "south", "north"],
        die=[2, 2],
        viewers=[ADA, BRUNO, CARLA, None],
    )


def test_a_player_sees_their_own_hand_bag_and_employer() -> None:
    match = hands()
    do(match, ADA, load("letter"))
    assert seen(match, ADA)["own"] == {
        "hand": ["postcard", "parcel"],
        "bag": ["letter"],
        "employer": "north",
        "peeks": [],
    }


def test_the_others_see_only_how_many() -> None:
    match = hands()
    do(match, ADA, load("letter"))
    assert seen(match, BRUNO)["players"][ADA] == {"hand": 2, "bag": 1, "points": 0}
    assert told(match, BRUNO) == [("event.loaded", {"seat": ADA, "count": 1})]
    assert told(match, ADA) == [("event.loaded.own", {"seat": ADA, "count": 1, "mail": "letter"})]


def test_a_spectator_sees_what_is_public_and_has_no_own() -> None:
    match = hands()
    shown = seen(match, None)
    assert set(shown) == {
        "viewer",
        "table",
        "phase",
        "turn",
        "current",
        "station",
        "branch",
        "stations_left",
        "pips",
        "deck",
        "discard",
        "players",
        "voted",
        "tally",
        "votes",
    }


def test_players_differ_only_in_viewer_and_own() -> None:
    match = hands()
    do(match, ADA, load("parcel"))
    do(match, ADA, "depart")
    do(match, ADA, *deliver("parcel", CARLA))
    do(match, BRUNO, "pass")
    public = [
        {
            name: value
            for name, value in seen(match, viewer).items()
            if name not in ("viewer", "own")
        }
        for viewer in (ADA, BRUNO, CARLA, None)
    ]
    assert all(shown == public[0] for shown in public)


def test_a_telegram_is_public_but_its_answer_is_not() -> None:
    match = hands()
    do(match, ADA, load("parcel"))
    do(match, BRUNO, telegram(ADA))
    public = ("event.telegram", {"seat": BRUNO, "other": ADA})
    assert told(match, ADA) == told(match, CARLA) == told(match, None) == [public]
    answer = {"seat": BRUNO, "other": ADA, "bag": ["parcel"]}
    assert told(match, BRUNO) == [("event.telegram.own", answer)]


def test_drawn_cards_are_told_to_who_drew_them() -> None:
    match = hands()
    do(match, ADA, load("parcel"))
    do(match, ADA, "depart")
    do(match, ADA, "keep")
    assert ("event.drew", {"seat": ADA, "count": 1}) in told(match, BRUNO)
    own = dict(told(match, ADA))["event.drew.own"]
    assert own["count"] == len(own["cards"]) == 1


def test_own_vote_is_seen_by_oneself_alone() -> None:
    junction = table(["letter"] * 2, ["letter"] * 2, die=[6], line="shuttle")
    do(junction, ADA, "depart")
    do(junction, ADA, vote("south"))
    assert seen(junction, ADA)["own"]["vote"] == "south"
    assert "vote" not in seen(junction, BRUNO)["own"]
    assert seen(junction, BRUNO)["voted"] == [ADA]
