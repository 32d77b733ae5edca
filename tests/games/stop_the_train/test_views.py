"""Stop the Train!: exactly what each viewer sees, and when.

What is hidden is told in two ways here. Who may know it sees just this in the view and hears just that
in the log. And of everybody else the whole stream is compared: two matches that differ in the secret
alone must send them the same bytes (`only`).
"""

from __future__ import annotations

from typing import Any

from capolinea.engine import Viewer
from capolinea.games.stop_the_train.rules.cards import EFFECT_NAMES
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES
from capolinea.games.stop_the_train.rules.track import LAST_TUNNEL
from tests.games.stop_the_train.sight import (
    ADA,
    BRUNO,
    CARLA,
    CAST,
    DECK,
    DORA,
    EVERYBODY,
    PRIVATE,
    by_kind,
    choose_coal,
    count_frames,
    looks,
    only,
    own,
    scene,
    seen,
    to_bridge,
    told,
    turn,
)
from tests.games.stop_the_train.tables import Staged


def public(t: Staged, viewer: Viewer) -> dict[str, Any]:
    """A view without what is this viewer's own."""
    shown = seen(t, viewer)
    del shown["viewer"]
    shown.pop("own", None)
    for past in shown["turns"]:
        for part in PRIVATE:
            past.pop(part, None)
    return shown


def throw_off_dora(t: Staged) -> None:
    """A meeting after the first turn, which goes against Dora."""
    to_bridge(t)
    t.passes()
    t.throw_off(DORA, ADA, DORA, DORA)
    t.quiet()
    assert seen(t, None)["players"][DORA]["status"] == "off"


# --- what everybody sees ---------------------------------------------------------------------------


def test_a_spectator_sees_what_is_public_and_has_no_own() -> None:
    t = scene()
    assert set(seen(t, None)) == {
        "viewer",
        "table",
        "step",
        "turn",
        "drawer",
        "current",
        "speed",
        "slowest",
        "fastest",
        "at",
        "route",
        "freight",
        "records",
        "organiser",
        "players",
        "deck",
        "discards",
        "pile",
        "turns",
        "spent",
        "thefts",
        "vote",
        "meetings",
        "beneath",
    }


def test_there_is_no_meeting_to_see_before_the_first_one_is_called() -> None:
    t = scene()
    assert "meeting" not in seen(t, None)


def test_everybody_sees_of_a_player_where_they_are_their_permits_and_how_many_cards() -> None:
    t = scene()
    for viewer in EVERYBODY:
        assert (
            seen(t, viewer)["players"]
            == [{"status": "aboard", "permits": 0, "interventions": 2}] * 4
        )


def test_a_spectator_sees_of_a_turn_who_played_what_and_how_it_ended() -> None:
    t = scene()
    turn(t, "full-speed-ahead", "accelerate")
    assert seen(t, None)["turns"][0] == {
        "drawer": ADA,
        "current": BRUNO,
        "effect": "accelerate",
        "speed": 150,
        "at": 5,
    }
    assert seen(t, None)["pile"] == ["accelerate"]
    assert (seen(t, None)["deck"], seen(t, None)["discards"]) == (66 - 6, 2)


def test_viewers_differ_only_in_what_is_their_own() -> None:
    t = scene(["passenger-list"], ["secret-ballot"])
    t.works(ADA, "passenger-list")
    turn(t, "full-speed-ahead", "accelerate")
    to_bridge(t)
    t.works(BRUNO, "secret-ballot")
    t.passes()
    t.throw_off(BRUNO, CARLA, ADA)
    for viewer in EVERYBODY:
        assert public(t, viewer) == public(t, None)


def test_what_is_awaited_is_the_same_for_all() -> None:
    t = scene()
    t.discard("full-speed-ahead")
    t.lay("accelerate")
    t.do(CARLA, "pass")
    awaited = [t.match.frames(viewer)[-1].awaited for viewer in EVERYBODY]
    assert awaited == [awaited[0]] * 5


# --- characters (ST-2.1) ---------------------------------------------------------------------------


def test_a_player_knows_their_own_character() -> None:
    t = scene()
    assert [own(t, seat)["character"] for seat in range(4)] == CAST
    for seat in range(4):
        opening = t.match.frames(seat)[0].events
        roles = [event.args for event in opening if event.key == "event.character"]
        assert roles == [{"role": CAST[seat]}]


def test_a_spectator_is_told_of_no_character_and_of_no_cards() -> None:
    t = scene()
    assert [event.key for event in t.match.frames(None)[0].events] == ["event.departure"]


def test_nobody_else_knows_a_character() -> None:
    ones, others = scene(), scene(characters=["saboteur", "chanteuse", "photographer", "engineer"])
    for t in (ones, others):
        turn(t, "full-speed-ahead", "accelerate")
    only([CARLA, DORA], ones, others)


def test_not_even_the_saboteur_is_known_to_anybody() -> None:
    ones, others = scene(), scene(characters=["engineer", "chanteuse", "saboteur", "photographer"])
    for t in (ones, others):
        turn(t, "full-speed-ahead", "accelerate")
    only([ADA, CARLA], ones, others)


def test_a_character_stays_secret_when_its_player_is_thrown_off() -> None:
    ones, others = scene(), scene(characters=["engineer", "chanteuse", "photographer", "saboteur"])
    for t in (ones, others):
        throw_off_dora(t)
    only([ADA, CARLA, DORA], ones, others)
    assert "characters" not in seen(ones, None)


def test_all_characters_are_revealed_at_the_end() -> None:
    t = scene()
    t.train.deck = []
    turn(t, "full-speed-ahead", "accelerate")
    for viewer in EVERYBODY:
        assert seen(t, viewer)["characters"] == CAST
        assert seen(t, viewer)["ending"] == "stopped"
        revealed = [args for key, args in told(t, viewer) if key == "event.revealed"]
        assert revealed == [{"seat": seat, "role": CAST[seat]} for seat in range(4)]


def test_the_end_reveals_nothing_but_the_characters() -> None:
    ones, others = (scene(characters=CAST, keep=False) for _ in range(2))
    for t, returned in ((ones, 0), (others, 1)):
        t.do(ADA, {"do": "return", "card": own(t, ADA)["dealt"][returned]})
        for seat in (BRUNO, CARLA, DORA):
            t.do(seat, {"do": "return", "card": own(t, seat)["dealt"][0]})
        t.train.deck = []
        turn(t, "full-speed-ahead", "accelerate")
        assert t.step == "over"
        assert set(seen(t, None)) >= {"characters", "ending"}
        assert "own" not in seen(t, None)
    only([ADA], ones, others)


# --- interventions (ST-2.4, ST-7.1) ----------------------------------------------------------------


def test_three_interventions_are_dealt_to_each_and_only_they_know_which() -> None:
    t = scene(["burn", "spy", "forgery"], keep=False)
    assert own(t, ADA)["dealt"] == own(t, ADA)["cards"] == ["burn", "forgery", "spy"]
    dealt = [e.args for e in t.match.frames(ADA)[0].events if e.key == "event.dealt"]
    assert dealt == [{"cards": ["burn", "forgery", "spy"]}]
    other = scene(["burn", "spy", "tailwind"], keep=False)
    only([ADA], t, other)


def test_who_has_chosen_is_seen_but_not_what_they_gave_back() -> None:
    tables = []
    for card in ("burn", "spy"):
        t = scene(["burn", "spy", "forgery"], keep=False)
        t.do(ADA, {"do": "return", "card": card})
        assert own(t, ADA)["returned"] == card
        assert seen(t, BRUNO)["kept"] == seen(t, None)["kept"] == [ADA]
        tables.append(t)
    only([ADA], *tables)


def test_a_changed_mind_about_what_to_give_back_is_noticed_by_nobody() -> None:
    t = scene(["burn", "spy", "forgery"], keep=False)
    t.do(ADA, {"do": "return", "card": "burn"})
    before = count_frames(t)
    t.do(ADA, {"do": "return", "card": "spy"})
    assert own(t, ADA)["returned"] == "spy"
    assert count_frames(t) == [before[0] + 1, *before[1:]]


def test_the_two_cards_that_are_kept_are_known_to_who_holds_them() -> None:
    t = scene(["burn", "spy", "forgery"], keep=False)
    t.do(ADA, {"do": "return", "card": "spy"})
    for seat in (BRUNO, CARLA, DORA):
        t.do(seat, {"do": "return", "card": own(t, seat)["dealt"][0]})
    assert own(t, ADA)["cards"] == ["burn", "forgery"]
    assert own(t, ADA)["dealt"] == ["burn", "forgery", "spy"]
    assert own(t, ADA)["returned"] == "spy"
    for viewer in EVERYBODY:
        assert seen(t, viewer)["players"][ADA]["interventions"] == 2
        assert "kept" not in seen(t, viewer)
        assert ("event.kept", {}) in told(t, viewer)


def test_which_cards_are_held_is_never_seen_by_others() -> None:
    ones, others = scene(["burn", "spy"]), scene(["tailwind", "conductor"])
    for t in (ones, others):
        turn(t, "full-speed-ahead", "accelerate")
        t.discard("full-speed-ahead")
    only([ADA], ones, others)


def test_a_card_that_is_played_is_seen_by_all_with_its_target() -> None:
    t = scene(["burn"])
    t.play(ADA, "burn", organiser=True)
    for viewer in EVERYBODY:
        assert seen(t, viewer)["waiting_cards"] == [
            {"turn": 1, "seat": ADA, "card": "burn", "organiser": True}
        ]
        assert told(t, viewer) == [("event.intervened.organiser", {"seat": ADA, "card": "burn"})]
    t.passes()
    for viewer in EVERYBODY:
        assert seen(t, viewer)["spent"] == [
            {"turn": 1, "seat": ADA, "card": "burn", "organiser": True}
        ]


def test_what_a_cancelled_card_would_have_shown_is_shown_to_nobody() -> None:
    # ST-7.2
    tables = []
    for third in ("apply-the-brakes", "speed-up"):
        t = scene([], [], ["conductor"], ["spy"], deck=["accelerate", "accelerate", third])
        t.discard(third)
        t.play(DORA, "spy")
        t.play(CARLA, "conductor")
        t.passes()
        assert not looks(t, DORA)
        assert seen(t, None)["spent"][-1]["cancelled"]
        tables.append(t)
    only([ADA], *tables)


# --- who has left (ST-5.6, ST-6.4) -----------------------------------------------------------------


def test_a_thrown_off_player_sees_what_a_spectator_sees_and_what_they_knew() -> None:
    t = scene([], [], [], ["passenger-list"])
    t.works(DORA, "passenger-list")
    knew = looks(t, DORA)
    throw_off_dora(t)
    turn(t, "full-speed-ahead", "accelerate")
    assert public(t, DORA) == public(t, None)
    assert seen(t, DORA)["turns"] == seen(t, None)["turns"]
    mine = own(t, DORA)
    assert (mine["character"], mine["seen"]) == ("photographer", knew)
    assert mine["cards"] == []
    assert "effects" not in mine


def test_a_thrown_off_player_learns_nothing_of_what_is_hidden_later() -> None:
    tables = []
    for card in ("hard-brake", "speed-up"):
        # Bruno draws next, discards, and passes to Carla, who sets one aside.
        t = scene([], ["spy"], deck=[*DECK[:3], card, "accelerate", "maintain-speed", *DECK[6:]])
        throw_off_dora(t)
        t.discard("maintain-speed")
        t.lay("accelerate")
        t.works(BRUNO, "spy")
        t.quiet()
        tables.append(t)
    only([BRUNO, CARLA], *tables)


def test_what_a_thrown_off_player_held_is_shown_to_nobody() -> None:
    tables = []
    for held in ("burn", "tailwind"):
        t = scene([], [], [], [held])
        throw_off_dora(t)
        turn(t, "full-speed-ahead", "accelerate")
        for viewer in EVERYBODY:
            assert seen(t, viewer)["players"][DORA]["interventions"] == 0
        tables.append(t)
    only([DORA], *tables)


def test_a_dead_player_sees_what_a_spectator_sees_and_what_they_knew() -> None:
    t = scene(["murder-in-the-dark"])
    tunnel = next(p for p, mark in enumerate(t.train.track.marks[0]) if mark & LAST_TUNNEL)
    t.at(tunnel - 1, speed=30, route="fast-track")
    t.turn("maintain-speed", quiet=False)
    t.passes()
    t.works(ADA, "murder-in-the-dark", DORA)
    assert seen(t, None)["players"][DORA] == {"status": "dead", "permits": 0, "interventions": 0}
    assert public(t, DORA) == public(t, None)
    assert own(t, DORA)["character"] == "photographer"
    assert "characters" not in seen(t, DORA)
    question = t.match.frames(DORA)[-1].question
    assert question is not None
    assert (question.must, question.legal) == (False, [])


# --- order and size tell nothing -------------------------------------------------------------------


def test_the_order_in_which_cards_were_drawn_shows_nowhere() -> None:
    tables = [
        scene(),
        scene(deck=["apply-the-brakes", "full-speed-ahead", "accelerate", *DECK[3:]]),
    ]
    for t in tables:
        turn(t, "full-speed-ahead", "accelerate")
    only([], *tables)


def test_the_order_in_which_interventions_were_dealt_shows_nowhere() -> None:
    tables = [scene(["burn", "spy"], ["tailwind"]), scene(["spy", "burn"], ["tailwind"])]
    for t in tables:
        turn(t, "full-speed-ahead", "accelerate")
    only([], *tables)


def test_who_gave_back_which_card_does_not_show_among_the_undealt() -> None:
    tables = []
    for one, two in (("burn", "forgery"), ("forgery", "burn")):
        t = scene(["ticket-upgrade"], [one, "spy"], [two, "tailwind"], keep=False)
        for seat in range(4):
            gives = {BRUNO: one, CARLA: two}
            spare = next(c for c in own(t, seat)["dealt"] if c != "ticket-upgrade")
            t.do(seat, {"do": "return", "card": gives.get(seat, spare)})
        t.works(ADA, "ticket-upgrade")
        assert {"burn", "forgery"} <= set(looks(t, ADA)[0]["cards"])
        tables.append(t)
    only([BRUNO, CARLA], *tables)


def test_who_discarded_which_card_does_not_show_when_one_looks_through_them() -> None:
    tables = []
    for one, two in (("speed-up", "hard-brake"), ("hard-brake", "speed-up")):
        deck = [one, "accelerate", "accelerate", two, "accelerate", "accelerate"]
        deck += DECK[6:]
        t = scene([], [], [], ["more-coal"], deck=deck)
        turn(t, one, "accelerate")
        turn(t, two, "accelerate")
        t.works(DORA, "more-coal")
        tables.append(t)
    only([ADA, BRUNO], *tables)


def test_lists_of_cards_are_in_the_order_of_their_kinds() -> None:
    t = scene(
        ["ticket-upgrade"],
        ["tailwind", "burn"],
        ["passenger-list"],
        ["more-coal"],
        deck=["apply-the-brakes", "accelerate", "full-speed-ahead", *DECK[3:]],
    )
    for seat in range(4):
        assert own(t, seat)["dealt"] == by_kind(own(t, seat)["dealt"], CARD_NAMES)
        assert own(t, seat)["cards"] == by_kind(own(t, seat)["cards"], CARD_NAMES)
    assert own(t, ADA)["effects"] == by_kind(own(t, ADA)["effects"], EFFECT_NAMES)
    t.works(CARLA, "passenger-list")
    cast = seen(t, None)["table"]["cast"]
    assert looks(t, CARLA)[0]["roles"] == by_kind(looks(t, CARLA)[0]["roles"], cast)
    turn(t, "full-speed-ahead", "accelerate")
    passed = seen(t, ADA)["turns"][0]["passed"]
    assert passed == by_kind(passed, EFFECT_NAMES)
    turn(t, "full-speed-ahead", "maintain-speed")
    t.works(DORA, "more-coal")
    assert looks(t, DORA)[0]["effects"] == by_kind(looks(t, DORA)[0]["effects"], EFFECT_NAMES)
    choose_coal(t, "full-speed-ahead", "full-speed-ahead", "accelerate")
    t.works(ADA, "ticket-upgrade")
    assert looks(t, ADA)[0]["cards"] == by_kind(looks(t, ADA)[0]["cards"], CARD_NAMES)
