"""Stop the Train!: who learns what of votes (ST-5.4), ballots (ST-5.5) and passes (ST-7.5), and when."""

from __future__ import annotations

from tests.games.stop_the_train.sight import (
    ADA,
    BRUNO,
    CARLA,
    DORA,
    EVERYBODY,
    count_frames,
    only,
    own,
    scene,
    seen,
    to_box,
    to_bridge,
    told,
    turn,
)
from tests.games.stop_the_train.tables import Staged

# --- votes at the signal box (ST-5.4) --------------------------------------------------------------


def test_a_vote_that_lies_on_the_table_is_known_to_its_voter_alone() -> None:
    tables = []
    for route in ("fast-track", "scenic-route"):
        t = scene()
        to_box(t)
        t.passes()
        t.do(ADA, {"do": "vote", "route": route})
        assert own(t, ADA)["votes"] == [route]
        assert own(t, BRUNO)["votes"] == [""]
        for viewer in EVERYBODY:
            assert seen(t, viewer)["vote"] == {"voted": [ADA]}
            assert told(t, viewer) == []
        tables.append(t)
    only([ADA], *tables)


def test_a_changed_vote_is_noticed_by_nobody() -> None:
    t = scene()
    to_box(t)
    t.passes()
    t.do(ADA, {"do": "vote", "route": "fast-track"})
    before = count_frames(t)
    t.do(ADA, {"do": "vote", "route": "viaduct"})
    assert own(t, ADA)["votes"] == ["viaduct"]
    assert count_frames(t) == [before[0] + 1, *before[1:]]


def voted(*routes: str) -> Staged:
    t = scene()
    to_box(t)
    t.passes()
    t.vote(*routes)
    return t


def test_the_votes_are_shown_without_names() -> None:
    t = voted("fast-track", "viaduct", "viaduct", "scenic-route")
    for viewer in EVERYBODY:
        shown = seen(t, viewer)["vote"]
        assert shown["tally"] == [1, 2, 1]
        assert shown["decided"] == "viaduct"
        assert shown["counted"] == [{"voters": [ADA, BRUNO, CARLA, DORA], "tally": [1, 2, 1]}]
        args = {"fast": 1, "viaduct": 2, "scenic": 1, "route": "viaduct"}
        assert told(t, viewer) == [("event.votes", args)]
    assert [own(t, seat)["votes"] for seat in range(4)] == [
        ["fast-track"],
        ["viaduct"],
        ["viaduct"],
        ["scenic-route"],
    ]


def test_whose_vote_was_which_is_known_to_the_voters_alone() -> None:
    tables = [
        voted("fast-track", "viaduct", "viaduct", "scenic-route"),
        voted("viaduct", "fast-track", "viaduct", "scenic-route"),
    ]
    for t in tables:
        t.quiet()
        t.discard("full-speed-ahead")
    only([ADA, BRUNO], *tables)


def test_the_voting_cards_left_after_a_second_choice_are_known_to_their_owner_alone() -> None:
    tables = []
    for routes in (("fast-track", "viaduct"), ("viaduct", "fast-track")):
        t = scene(["second-choice"])
        to_box(t)
        t.passes()
        t.vote(*routes, "viaduct", "scenic-route")
        t.works(ADA, "second-choice")
        left = [route for route in ("fast-track", "viaduct", "scenic-route") if route != routes[1]]
        assert own(t, BRUNO)["ballots_left"] == left
        assert own(t, BRUNO)["votes"] == [routes[1], ""]
        t.vote("scenic-route", "scenic-route", "scenic-route", "viaduct")
        tables.append(t)
    only([ADA, BRUNO], *tables)


def open_vote() -> Staged:
    t = scene(["open-vote"])
    to_box(t)
    t.works(ADA, "open-vote")
    t.quiet()
    return t


def test_an_open_vote_is_shown_with_names_once_all_have_voted() -> None:
    t = open_vote()
    routes = ["fast-track", "viaduct", "viaduct", "scenic-route"]
    t.vote(*routes)
    for viewer in EVERYBODY:
        assert seen(t, viewer)["vote"]["counted"] == [
            {"voters": [ADA, BRUNO, CARLA, DORA], "tally": [1, 2, 1], "routes": routes}
        ]
        names = [args for key, args in told(t, viewer) if key == "event.vote-shown"]
        assert names == [{"seat": seat, "route": routes[seat]} for seat in range(4)]


def test_an_open_vote_too_is_secret_until_all_have_voted() -> None:
    tables = []
    for route in ("fast-track", "scenic-route"):
        t = open_vote()
        t.do(ADA, {"do": "vote", "route": route})
        for seat in (BRUNO, CARLA):
            t.do(seat, {"do": "vote", "route": "viaduct"})
        tables.append(t)
    only([ADA], *tables)


# --- ballots at meetings (ST-5.5) ------------------------------------------------------------------


def test_ballots_are_open_and_seen_at_once() -> None:
    t = scene()
    to_bridge(t)
    t.passes()
    t.throw_off(DORA)
    for viewer in EVERYBODY:
        assert seen(t, viewer)["meeting"]["ballots"] == [-1, -1, DORA, -1]
        assert told(t, viewer) == [("event.ballot", {"seat": CARLA, "other": DORA})]
        assert "secret_ballots" not in seen(t, viewer).get("own", {})


def secret_ballot(*others: int) -> Staged:
    """A meeting with a secret ballot; whom each one votes for, in seat order."""
    t = scene(["secret-ballot"])
    to_bridge(t)
    t.works(ADA, "secret-ballot")
    t.passes()
    t.throw_off(*others)
    return t


def test_a_secret_ballot_is_known_to_its_voter_alone() -> None:
    t = secret_ballot(CARLA)
    assert own(t, ADA)["secret_ballots"] == {"1": CARLA}
    for viewer in EVERYBODY:
        assert seen(t, viewer)["meeting"] == {"ballots": [], "secret": True, "voted": [ADA]}
        assert told(t, viewer) == []
    for seat in (BRUNO, CARLA, DORA):
        assert "secret_ballots" not in own(t, seat)
    only([ADA], t, secret_ballot(DORA))


def test_a_changed_secret_ballot_is_noticed_by_nobody() -> None:
    t = secret_ballot(CARLA)
    before = count_frames(t)
    t.do(ADA, {"do": "throw-off", "seat": DORA})
    assert own(t, ADA)["secret_ballots"] == {"1": DORA}
    assert count_frames(t) == [before[0] + 1, *before[1:]]


def test_of_a_secret_ballot_only_totals_are_shown() -> None:
    t = secret_ballot(CARLA, DORA, DORA, CARLA)
    for viewer in EVERYBODY:
        assert seen(t, viewer)["meeting"]["tally"] == [0, 0, 2, 2]
        assert seen(t, viewer)["meeting"]["ballots"] == []
        assert [e for e in told(t, viewer) if e[0] == "event.ballots"] == [
            ("event.ballots", {"seat": CARLA, "count": 2}),
            ("event.ballots", {"seat": DORA, "count": 2}),
        ]


def test_who_voted_for_whom_in_a_secret_ballot_is_known_to_the_voters_alone() -> None:
    tables = [
        secret_ballot(CARLA, DORA, DORA, CARLA),
        secret_ballot(DORA, CARLA, DORA, CARLA),
    ]
    for t in tables:
        t.quiet()
        assert seen(t, None)["meetings"] == [{"turn": 1, "secret": True, "ballots": [], "off": []}]
        turn(t, "full-speed-ahead", "accelerate")
    only([ADA, BRUNO], *tables)
    assert own(tables[0], ADA)["secret_ballots"] == {"1": CARLA}
    assert own(tables[1], ADA)["secret_ballots"] == {"1": DORA}


# --- passes (ST-7.5) -------------------------------------------------------------------------------


def test_a_pass_is_told_to_nobody_and_known_to_who_passed() -> None:
    t = scene()
    t.discard("full-speed-ahead")
    t.lay("accelerate")
    before = count_frames(t)
    t.do(CARLA, "pass")
    assert own(t, CARLA)["passed"] is True
    assert told(t, CARLA) == []
    for seat in (ADA, BRUNO, DORA):
        assert "passed" not in own(t, seat)
    # Only Carla's stream goes on: in the others there is not even a gap.
    assert count_frames(t) == [before[0], before[1], before[2] + 1, *before[3:]]


def test_what_a_window_waits_for_is_its_name_and_no_person() -> None:
    t = scene()
    t.discard("full-speed-ahead")
    t.lay("accelerate")
    t.do(CARLA, "pass")
    for viewer in EVERYBODY:
        awaited = t.match.frames(viewer)[-1].awaited
        assert (awaited.window, awaited.seats) == ("effect-played", [])


def test_in_which_order_the_others_passed_is_noticed_by_nobody() -> None:
    tables = []
    for order in ((ADA, BRUNO, CARLA, DORA), (DORA, CARLA, BRUNO, ADA)):
        t = scene()
        t.discard("full-speed-ahead")
        t.lay("accelerate")
        for seat in order:
            t.do(seat, "pass")
        tables.append(t)
    only([ADA, DORA], *tables)  # whoever was last saw it close at once


def test_a_pass_is_forgotten_when_the_window_opens_anew() -> None:
    t = scene([], [], ["jam-the-controls"])
    t.discard("full-speed-ahead")
    t.lay("accelerate")
    t.do(ADA, "pass")
    t.works(CARLA, "jam-the-controls")
    assert t.step == "effect-played"
    assert "passed" not in own(t, ADA)


def test_who_could_answer_is_asked_whatever_they_hold() -> None:
    # Carla holds a Conductor or does not: nobody else can tell, whatever is played.
    tables = []
    for held in ("conductor", "tailwind"):
        t = scene(["burn"], [], [held])
        t.play(ADA, "burn", organiser=True)
        t.passes()
        turn(t, "full-speed-ahead", "accelerate")
        tables.append(t)
    only([CARLA], *tables)


def test_who_cannot_play_in_a_window_is_asked_all_the_same() -> None:
    # Jam the Controls is in Dora's hand or still undealt.
    tables = []
    for held in ("jam-the-controls", "tailwind"):
        t = scene([], [], [], [held])
        turn(t, "full-speed-ahead", "accelerate")
        tables.append(t)
    only([DORA], *tables)
