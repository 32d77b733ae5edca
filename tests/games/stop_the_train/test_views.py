"""Stop the Train!: exactly what each viewer sees, and when.

What is hidden is told in two ways here. Who may know it sees just this in the view and hears just that
in the log. And of everybody else the whole stream is compared: two matches that differ in the secret
alone must send them the same bytes (`only`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
import pytest

from capolinea.engine import Match, Rng, Viewer
from capolinea.engine.playout import Rota
from capolinea.games.stop_the_train.rules.cards import EFFECT_NAMES
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES, CARDS
from capolinea.games.stop_the_train.rules.track import LAST_TUNNEL
from capolinea.games.stop_the_train.title import GAME, TrainOptions
from capolinea.games.stop_the_train.views import TrainView
from tests.games.stop_the_train.tables import NAMES, Staged, table

ADA, BRUNO, CARLA, DORA = range(4)
EVERYBODY: list[Viewer] = [ADA, BRUNO, CARLA, DORA, None]
CAST = ["saboteur", "chanteuse", "engineer", "photographer"]
#: In the order in which they are drawn, turn by turn.
DECK = [
    *("full-speed-ahead", "accelerate", "apply-the-brakes"),
    *("full-speed-ahead", "accelerate", "maintain-speed"),
    *("full-speed-ahead", "accelerate", "speed-up"),
    *("full-speed-ahead", "full-speed-ahead", "accelerate"),
    *("accelerate", "accelerate", "accelerate"),
]
#: What of a turn only its drawer, or its drawer and its current player, may see.
PRIVATE = ("drew", "discarded", "passed", "set_aside")


def scene(
    *hands: Sequence[str],
    deck: Sequence[str] = DECK,
    characters: Sequence[str] = CAST,
    **options: Any,
) -> Staged:
    """Ada, Bruno, Carla and Dora, with everybody and a spectator watching; Ada has drawn."""
    four = [*hands, *([] for _ in range(4 - len(hands)))]
    return table(*four, deck=deck, characters=characters, viewers=EVERYBODY, **options)


def seen(t: Staged, viewer: Viewer) -> dict[str, Any]:
    shown: dict[str, Any] = msgspec.to_builtins(t.view(viewer))
    return shown


def own(t: Staged, seat: int) -> dict[str, Any]:
    mine: dict[str, Any] = seen(t, seat)["own"]
    return mine


def looks(t: Staged, seat: int) -> list[dict[str, Any]]:
    """What a seat alone has learned."""
    found: list[dict[str, Any]] = own(t, seat).get("seen", [])
    return found


def told(t: Staged, viewer: Viewer) -> list[tuple[str, dict[str, Any]]]:
    """The events of a viewer's newest message."""
    return [(event.key, event.args) for event in t.match.frames(viewer)[-1].events]


def count_frames(t: Staged) -> list[int]:
    return [len(t.match.frames(viewer)) for viewer in EVERYBODY]


def received(t: Staged, viewer: Viewer) -> bytes:
    """All that a viewer was ever sent."""
    return msgspec.json.encode(t.match.frames(viewer))


def only(who: Collection[Viewer], one: Staged, two: Staged) -> None:
    """What these two matches differ in shows to these viewers, and to nobody else in any byte."""
    for viewer in EVERYBODY:
        differs = received(one, viewer) != received(two, viewer)
        assert differs == (viewer in who), f"viewer {viewer}"


def public(t: Staged, viewer: Viewer) -> dict[str, Any]:
    """A view without what is this viewer's own."""
    shown = seen(t, viewer)
    del shown["viewer"]
    shown.pop("own", None)
    for turn in shown["turns"]:
        for part in PRIVATE:
            turn.pop(part, None)
    return shown


def turn(t: Staged, discard: str, play: str, side: str = "") -> None:
    """A turn with the cards that were dealt, in which nobody intervenes."""
    t.discard(discard)
    t.lay(play, side)
    t.quiet()


def to_bridge(t: Staged) -> None:
    """A turn that ends on the first bridge: a meeting is called."""
    t.at(t.train.track.bridges[0][0] - 1, speed=30)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    assert t.step == "meeting"


def to_box(t: Staged) -> None:
    """A turn that ends at the signal box: a vote is called."""
    t.at(t.train.track.box - 1, speed=30)
    t.turn("maintain-speed", quiet=False)
    t.passes()
    assert t.step == "vote-called"


def throw_off_dora(t: Staged) -> None:
    """A meeting after the first turn, which goes against Dora."""
    to_bridge(t)
    t.passes()
    t.throw_off(DORA, ADA, DORA, DORA)
    t.quiet()
    assert seen(t, None)["players"][DORA]["status"] == "off"


def by_kind(names: Sequence[str], kinds: Sequence[str]) -> list[str]:
    return sorted(names, key=list(kinds).index)


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


# --- effect cards drawn, discarded, passed, set aside (ST-4.1, ST-4.2) -----------------------------


def test_the_three_cards_drawn_are_known_to_the_drawer() -> None:
    t = scene()
    drawn = ["full-speed-ahead", "accelerate", "apply-the-brakes"]
    assert own(t, ADA)["effects"] == drawn
    assert seen(t, ADA)["turns"][0]["drew"] == drawn
    assert dict(told(t, ADA))["event.drew.own"] == {
        "seat": ADA,
        "turn": 1,
        "left": 21,
        "cards": drawn,
    }
    for viewer in (BRUNO, CARLA, DORA, None):
        assert seen(t, viewer)["turns"][0] == {"drawer": ADA}
        assert dict(told(t, viewer))["event.drew"] == {"seat": ADA, "turn": 1, "left": 21}


def test_what_was_drawn_is_known_to_nobody_else() -> None:
    only([ADA], scene(), scene(deck=["hard-brake", "theft", "id-check", *DECK[3:]]))


def test_a_card_that_the_drawer_discards_is_known_to_the_drawer_alone() -> None:
    tables = []
    for card in ("full-speed-ahead", "speed-up"):
        t = scene(deck=[card, "accelerate", "apply-the-brakes", *DECK[3:]])
        t.discard(card)
        assert seen(t, ADA)["turns"][0]["discarded"] == [card]
        assert told(t, ADA)[0] == (
            "event.discarded.own",
            {"seat": ADA, "count": 1, "cards": [card]},
        )
        assert told(t, BRUNO)[0] == ("event.discarded", {"seat": ADA, "count": 1})
        t.lay("accelerate")
        t.quiet()
        turn(t, "full-speed-ahead", "accelerate")
        tables.append(t)
    only([ADA], *tables)


def test_with_gun_to_the_head_both_discarded_cards_are_known_to_the_drawer_alone() -> None:
    tables = []
    for card in ("apply-the-brakes", "speed-up"):
        t = scene(["gun-to-the-head"], deck=["accelerate", "full-speed-ahead", card, *DECK[3:]])
        t.works(ADA, "gun-to-the-head")
        t.discard("full-speed-ahead", card)
        assert sorted(seen(t, ADA)["turns"][0]["discarded"]) == sorted(["full-speed-ahead", card])
        for viewer in (BRUNO, CARLA, DORA, None):
            assert told(t, viewer)[0] == ("event.discarded", {"seat": ADA, "count": 2})
            assert seen(t, viewer)["discards"] == 2
        assert own(t, BRUNO)["effects"] == ["accelerate"]
        t.lay("accelerate")
        t.quiet()
        tables.append(t)
    only([ADA], *tables)


def test_the_card_passed_with_gun_to_the_head_is_known_to_two_until_it_is_played() -> None:
    tables = []
    for card in ("apply-the-brakes", "speed-up"):
        t = scene(["gun-to-the-head"], deck=["accelerate", "full-speed-ahead", card, *DECK[3:]])
        t.works(ADA, "gun-to-the-head")
        t.discard("accelerate", "full-speed-ahead")
        assert seen(t, ADA)["turns"][0]["passed"] == seen(t, BRUNO)["turns"][0]["passed"] == [card]
        tables.append(t)
    only([ADA, BRUNO], *tables)


def test_the_two_cards_passed_are_known_to_who_gave_and_who_got_them() -> None:
    t = scene()
    t.discard("full-speed-ahead")
    passed = ["accelerate", "apply-the-brakes"]
    args = {"seat": ADA, "other": BRUNO, "count": 2}
    for seat in (ADA, BRUNO):
        assert seen(t, seat)["turns"][0]["passed"] == passed
        assert told(t, seat)[1] == ("event.passed.own", {**args, "cards": passed})
    assert own(t, BRUNO)["effects"] == passed
    assert "effects" not in own(t, ADA)
    for viewer in (CARLA, DORA, None):
        assert "passed" not in seen(t, viewer)["turns"][0]
        assert told(t, viewer)[1] == ("event.passed", args)


def test_who_gets_two_cards_does_not_see_the_third() -> None:
    t = scene()
    t.discard("full-speed-ahead")
    assert not {"drew", "discarded"} & set(seen(t, BRUNO)["turns"][0])


def test_the_card_set_aside_is_known_to_the_drawer_and_the_current_player() -> None:
    tables = []
    for card in ("apply-the-brakes", "speed-up"):
        t = scene(deck=["full-speed-ahead", "accelerate", card, *DECK[3:]])
        t.discard("full-speed-ahead")
        t.lay("accelerate")
        for seat in (ADA, BRUNO):
            assert seen(t, seat)["turns"][0]["set_aside"] == card
            assert told(t, seat)[1] == ("event.set-aside.own", {"seat": BRUNO, "effect": card})
        for viewer in (CARLA, DORA, None):
            assert "set_aside" not in seen(t, viewer)["turns"][0]
            assert told(t, viewer)[1] == ("event.set-aside", {"seat": BRUNO})
        t.quiet()
        turn(t, "full-speed-ahead", "accelerate")
        tables.append(t)
    only([ADA, BRUNO], *tables)


def test_a_card_that_is_played_is_seen_by_all_with_its_side() -> None:
    t = scene(deck=["sleight-of-hand-a", "accelerate", "accelerate"])
    t.discard("accelerate")
    t.lay("sleight-of-hand-a", "second")
    for viewer in EVERYBODY:
        assert seen(t, viewer)["turns"][0]["effect"] == "sleight-of-hand-a"
        assert seen(t, viewer)["turns"][0]["side"] == "second"
        side = {"seat": BRUNO, "effect": "sleight-of-hand-a", "side": "sleight-of-hand-a.second"}
        assert told(t, viewer)[0] == ("event.played.side", side)


def test_a_seized_card_is_seen_by_all_and_the_other_one_when_it_is_played() -> None:
    tables = []
    for card in ("apply-the-brakes", "speed-up"):
        t = scene([], [], ["seize-control"], deck=["full-speed-ahead", "accelerate", card])
        t.discard("full-speed-ahead")
        t.lay("accelerate")
        t.works(CARLA, "seize-control")
        for viewer in EVERYBODY:
            assert seen(t, viewer)["turns"][0]["seized"] == "accelerate"
            assert ("event.seized", {"seat": BRUNO, "effect": "accelerate"}) in told(t, viewer)
            assert seen(t, viewer)["pile"] == []
        assert own(t, BRUNO)["effects"] == [card]
        tables.append(t)
    only([ADA, BRUNO], *tables)
    for t, card in zip(tables, ("apply-the-brakes", "speed-up"), strict=True):
        t.lay(card)
        for viewer in EVERYBODY:
            assert seen(t, viewer)["turns"][0]["effect"] == card
            assert seen(t, viewer)["turns"][0]["seized"] == "accelerate"
            assert "set_aside" not in seen(t, viewer)["turns"][0]


def test_a_lone_player_sees_all_cards_of_their_turn() -> None:
    t = scene()
    t.train.status = [0, 2, 2, 2]
    t.discard("full-speed-ahead")
    assert own(t, ADA)["effects"] == ["accelerate", "apply-the-brakes"]
    t.lay("accelerate")
    own_turn = seen(t, ADA)["turns"][0]
    assert own_turn["drew"] == ["full-speed-ahead", "accelerate", "apply-the-brakes"]
    assert own_turn["discarded"] == ["full-speed-ahead"]
    assert own_turn["passed"] == ["accelerate", "apply-the-brakes"]
    assert own_turn["set_aside"] == "apply-the-brakes"


# --- looks -----------------------------------------------------------------------------------------


def test_id_check_shows_a_character_to_who_looks_and_to_nobody_else() -> None:
    tables = []
    for characters in (CAST, ["saboteur", "chanteuse", "photographer", "engineer"]):
        deck = ["id-check", "accelerate", "accelerate", *DECK[3:]]
        t = scene(deck=deck, characters=characters)
        turn(t, "accelerate", "id-check", "second")
        t.do(BRUNO, {"do": "look", "seat": CARLA})
        role = characters[CARLA]
        assert looks(t, BRUNO) == [{"look": "identity", "turn": 1, "seat": CARLA, "roles": [role]}]
        looked = {"seat": BRUNO, "other": CARLA}
        assert told(t, BRUNO)[0] == ("event.looked.own", {**looked, "role": role})
        for viewer in (ADA, CARLA, DORA, None):
            assert told(t, viewer)[0] == ("event.looked", looked)
        for seat in (ADA, CARLA, DORA):
            assert not looks(t, seat)
        turn(t, "full-speed-ahead", "accelerate")
        tables.append(t)
    # Carla and Dora know themselves.
    only([BRUNO, CARLA, DORA], *tables)


def test_passenger_list_shows_the_characters_not_in_play_to_its_player_alone() -> None:
    tables = []
    for fourth in ("photographer", "speedster"):
        t = scene(["passenger-list"], characters=[*CAST[:3], fourth])
        t.works(ADA, "passenger-list")
        aboard = {*CAST[:3], fourth}
        absent = [role for role in seen(t, None)["table"]["cast"] if role not in aboard]
        assert looks(t, ADA) == [{"look": "passenger-list", "turn": 1, "roles": absent}]
        assert told(t, ADA) == [("event.passenger-list.own", {"seat": ADA, "roles": absent})]
        for viewer in (BRUNO, CARLA, DORA, None):
            assert told(t, viewer) == [("event.passenger-list", {"seat": ADA})]
        turn(t, "full-speed-ahead", "accelerate")
        tables.append(t)
    only([ADA, DORA], *tables)


def test_spy_shows_the_last_discarded_card_to_its_player_alone() -> None:
    tables = []
    for card in ("apply-the-brakes", "speed-up"):
        deck = ["full-speed-ahead", "accelerate", card, *DECK[3:]]
        t = scene([], [], [], ["spy"], deck=deck)
        turn(t, "full-speed-ahead", "accelerate")
        t.works(DORA, "spy")
        # How many lie below it, all can see.
        assert looks(t, DORA) == [{"look": "spy", "turn": 2, "effects": [card], "place": 1}]
        assert told(t, DORA) == [("event.spy.own", {"seat": DORA, "effect": card})]
        for viewer in (ADA, BRUNO, CARLA, None):
            assert told(t, viewer) == [("event.spy", {"seat": DORA})]
        turn(t, "full-speed-ahead", "accelerate")
        tables.append(t)
    only([ADA, BRUNO, DORA], *tables)


def test_spy_shows_the_card_just_set_aside_while_the_window_is_open() -> None:
    # ST-4.3
    t = scene([], [], [], ["spy"])
    t.discard("full-speed-ahead")
    t.lay("accelerate")
    t.works(DORA, "spy")
    assert looks(t, DORA)[0]["effects"] == ["apply-the-brakes"]
    assert not looks(t, CARLA)


def coal() -> Staged:
    """Two turns are over, four cards are discarded, and Dora looks through them."""
    t = scene([], [], [], ["more-coal"])
    turn(t, "full-speed-ahead", "accelerate")
    turn(t, "full-speed-ahead", "accelerate")
    t.works(DORA, "more-coal")
    return t


def choose_coal(t: Staged, *effects: str) -> None:
    t.do(DORA, *({"do": "coal", "effect": effect} for effect in effects))


DISCARDED = ["full-speed-ahead", "full-speed-ahead", "apply-the-brakes", "maintain-speed"]


def test_more_coal_shows_the_discards_to_its_player_alone() -> None:
    t = coal()
    assert looks(t, DORA) == [{"look": "coal", "turn": 3, "effects": DISCARDED}]
    assert told(t, DORA) == [("event.coal.own", {"seat": DORA, "cards": DISCARDED})]
    for viewer in (ADA, BRUNO, CARLA, None):
        assert told(t, viewer) == [("event.coal", {"seat": DORA})]
        assert seen(t, viewer)["choosers"] == [DORA]


def test_what_more_coal_puts_under_the_deck_is_known_to_its_player_alone() -> None:
    t = coal()
    chosen = ["maintain-speed", "full-speed-ahead", "apply-the-brakes"]
    choose_coal(t, *chosen)
    assert looks(t, DORA)[1] == {"look": "coal-chosen", "turn": 3, "effects": chosen}
    assert told(t, DORA) == [("event.coaled.own", {"seat": DORA, "cards": chosen})]
    for viewer in (ADA, BRUNO, CARLA, None):
        assert told(t, viewer) == [("event.coaled", {"seat": DORA})]
        assert (seen(t, viewer)["deck"], seen(t, viewer)["discards"]) == (66 - 9 + 3, 1)


def test_nobody_can_tell_which_cards_more_coal_took_not_even_who_had_discarded_them() -> None:
    # Ada and Bruno know all four that lay there; each turn that follows tells them nothing new.
    tables = [coal(), coal()]
    choose_coal(tables[0], "full-speed-ahead", "full-speed-ahead", "apply-the-brakes")
    choose_coal(tables[1], "full-speed-ahead", "apply-the-brakes", "maintain-speed")
    for t in tables:
        turn(t, "full-speed-ahead", "accelerate")
        turn(t, "full-speed-ahead", "accelerate")
    only([DORA], *tables)


def test_who_had_discarded_a_card_still_remembers_it_after_more_coal() -> None:
    t = coal()
    before = [seen(t, seat)["turns"] for seat in (ADA, BRUNO, CARLA)]
    choose_coal(t, "full-speed-ahead", "full-speed-ahead", "apply-the-brakes")
    assert [seen(t, seat)["turns"] for seat in (ADA, BRUNO, CARLA)] == before


def upgrade() -> Staged:
    """Ada looks through the undealt interventions."""
    t = scene(["ticket-upgrade"])
    t.works(ADA, "ticket-upgrade")
    return t


def test_ticket_upgrade_shows_the_undealt_cards_to_its_player_alone() -> None:
    t = upgrade()
    undealt = Counter({row.name: row.count for row in CARDS})
    undealt -= Counter(["ticket-upgrade"])
    for seat in range(4):
        undealt -= Counter(own(t, seat)["cards"])
    cards = by_kind(list(undealt.elements()), CARD_NAMES)
    assert looks(t, ADA) == [{"look": "upgrade", "turn": 1, "cards": cards}]
    assert told(t, ADA) == [("event.upgrade.own", {"seat": ADA, "cards": cards})]
    for viewer in (BRUNO, CARLA, DORA, None):
        assert told(t, viewer) == [("event.upgrade", {"seat": ADA})]
        assert seen(t, viewer)["choosers"] == [ADA]
    for seat in (BRUNO, CARLA, DORA):
        assert not looks(t, seat)


def test_what_was_chosen_with_ticket_upgrade_is_known_to_its_player_alone() -> None:
    tables = []
    for card in ("burn", "murder-in-the-dark"):
        t = upgrade()
        t.do(ADA, {"do": "upgrade", "card": card})
        assert looks(t, ADA)[1] == {"look": "upgrade-chosen", "turn": 1, "cards": [card]}
        assert card in own(t, ADA)["cards"]
        assert told(t, ADA) == [("event.upgraded.own", {"seat": ADA, "card": card})]
        for viewer in (BRUNO, CARLA, DORA, None):
            assert told(t, viewer) == [("event.upgraded", {"seat": ADA})]
            assert seen(t, viewer)["players"][ADA]["interventions"] == 2
        turn(t, "full-speed-ahead", "accelerate")
        tables.append(t)
    only([ADA], *tables)


def test_while_one_chooses_a_ticket_another_may_look_at_the_coal_and_each_sees_their_own() -> None:
    t = scene(["ticket-upgrade"], [], [], ["more-coal"])
    turn(t, "full-speed-ahead", "accelerate")
    turn(t, "full-speed-ahead", "accelerate")
    t.works(ADA, "ticket-upgrade")
    t.works(DORA, "more-coal")
    choose_coal(t, "full-speed-ahead", "full-speed-ahead", "apply-the-brakes")
    assert [look["look"] for look in looks(t, DORA)] == ["coal", "coal-chosen"]
    # Ada has still to choose; the undealt cards are none of Dora's business.
    assert t.train.waiting() == [ADA]
    assert all(action["do"] != "upgrade" for action in t.legal(DORA))
    t.do(ADA, {"do": "upgrade", "card": "burn"})
    assert own(t, ADA)["cards"].count("burn") == 1


def theft(taken: int) -> Staged:
    """Bruno steals one of Carla's cards, the first or the second."""
    deck = ["theft", "accelerate", "accelerate", *DECK[3:]]
    t = scene([], [], ["burn", "spy"], deck=deck, deal={"theft": [taken]})
    turn(t, "accelerate", "theft", "second")
    t.do(BRUNO, {"do": "rob", "seat": CARLA})
    return t


def test_a_stolen_card_is_known_to_thief_and_victim() -> None:
    t = theft(0)
    assert looks(t, BRUNO) == [{"look": "took", "turn": 1, "seat": CARLA, "cards": ["burn"]}]
    assert looks(t, CARLA) == [{"look": "lost", "turn": 1, "seat": BRUNO, "cards": ["burn"]}]
    assert own(t, CARLA)["cards"] == ["spy"]
    assert "burn" in own(t, BRUNO)["cards"]
    for seat in (BRUNO, CARLA):
        robbed = {"seat": BRUNO, "other": CARLA, "card": "burn"}
        assert told(t, seat)[0] == ("event.robbed.own", robbed)


def test_a_stolen_card_is_known_to_nobody_else() -> None:
    tables = [theft(0), theft(1)]
    for t in tables:
        for viewer in (ADA, DORA, None):
            assert told(t, viewer)[0] == ("event.robbed", {"seat": BRUNO, "other": CARLA})
            cards = [player["interventions"] for player in seen(t, viewer)["players"]]
            assert cards == [2, 3, 1, 2]
            robbed = {"turn": 1, "thief": BRUNO, "victim": CARLA}
            assert seen(t, viewer)["thefts"][0].items() >= robbed.items()
        assert not looks(t, ADA)
        assert not looks(t, DORA)
        turn(t, "full-speed-ahead", "accelerate")
    only([BRUNO, CARLA], *tables)


def test_a_theft_tells_the_victim_nothing_of_the_thiefs_other_cards() -> None:
    tables = []
    for held in ("conductor", "tailwind"):
        deck = ["theft", "accelerate", "accelerate", *DECK[3:]]
        t = scene([], [held], ["burn", "spy"], deck=deck, deal={"theft": [0]})
        turn(t, "accelerate", "theft", "second")
        t.do(BRUNO, {"do": "rob", "seat": CARLA})
        tables.append(t)
    only([BRUNO], *tables)


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


# --- perfect recall --------------------------------------------------------------------------------


def test_after_many_turns_a_player_still_has_all_that_they_once_knew() -> None:
    deck = ["id-check", "accelerate", "hard-brake", *DECK[3:]]
    t = scene(["passenger-list", "secret-ballot"], [], [], ["spy"], deck=deck)
    t.works(ADA, "passenger-list")
    t.discard("hard-brake")
    t.lay("id-check", "second")
    t.works(DORA, "spy")
    t.quiet()
    t.do(BRUNO, {"do": "look", "seat": DORA})
    to_bridge(t)
    t.works(ADA, "secret-ballot")
    t.passes()
    t.throw_off(CARLA, DORA, DORA, CARLA)
    t.quiet()
    to_box(t)
    t.passes()
    t.vote("fast-track", "viaduct", "viaduct", "scenic-route")
    t.quiet()
    for _ in range(8):
        t.at(t.train.track.box + 1, speed=30)
        t.turn("hard-brake")
    first = seen(t, ADA)["turns"][0]
    assert first["drew"] == ["accelerate", "hard-brake", "id-check"]
    assert first["discarded"] == ["hard-brake"]
    assert first["passed"] == seen(t, BRUNO)["turns"][0]["passed"] == ["accelerate", "id-check"]
    assert first["set_aside"] == seen(t, BRUNO)["turns"][0]["set_aside"] == "accelerate"
    assert [look["look"] for look in looks(t, ADA)] == ["passenger-list"]
    assert looks(t, BRUNO) == [
        {"look": "identity", "turn": 1, "seat": DORA, "roles": ["photographer"]}
    ]
    assert [look["effects"] for look in looks(t, DORA)] == [["accelerate"]]
    assert own(t, ADA)["secret_ballots"] == {"1": CARLA}
    assert own(t, ADA)["votes"] == ["fast-track"]
    assert len(own(t, ADA)["dealt"]) == 3
    assert own(t, ADA)["returned"] in own(t, ADA)["dealt"]


class Memory:
    """What one seat was told for itself alone, kept as a player with pencil and paper would."""

    def __init__(self) -> None:
        self.turn = 0
        #: Turn → what was told of its cards.
        self.cards: dict[int, dict[str, Any]] = {}
        self.seen: list[tuple[str, list[str]]] = []

    def hear(self, key: str, args: dict[str, Any]) -> None:
        if key.startswith("event.drew"):
            self.turn = args["turn"]
            self.cards[self.turn] = {}
        now = self.cards.get(self.turn, {})
        match key:
            case "event.drew.own":
                now["drew"] = args["cards"]
            case "event.discarded.own":
                now["discarded"] = args["cards"]
            case "event.passed.own":
                now["passed"] = args["cards"]
            case "event.set-aside.own":
                now["set_aside"] = args["effect"]
            case "event.seized":
                now.pop("set_aside", None)  # it is played now, for all to see
            case "event.looked.own":
                self.seen.append(("identity", [args["role"]]))
            case "event.passenger-list.own":
                self.seen.append(("passenger-list", args["roles"]))
            case "event.spy.own":
                self.seen.append(("spy", [args["effect"]]))
            case "event.coal.own":
                self.seen.append(("coal", args["cards"]))
            case "event.coaled.own":
                self.seen.append(("coal-chosen", args["cards"]))
            case "event.upgrade.own":
                self.seen.append(("upgrade", args["cards"]))
            case "event.upgraded.own":
                self.seen.append(("upgrade-chosen", [args["card"]]))

    def robbed(self, seat: int, args: dict[str, Any]) -> None:
        self.seen.append(("took" if args["seat"] == seat else "lost", [args["card"]]))


@pytest.mark.parametrize("number", range(12))
def test_the_last_view_has_all_that_a_player_was_ever_told(number: int) -> None:
    seats = 3 + number % 4
    rng = Rng(b"recall %d" % number)
    match = Match(
        GAME,
        NAMES[:seats],
        TrainOptions(start_speed="30"),
        seed=rng.bytes(32),
        viewers=range(seats),
    )
    votes: list[list[str]] = [[] for _ in range(seats)]
    ballots: list[dict[str, int]] = [{} for _ in range(seats)]
    play_out(match, rng, votes, ballots)
    for seat in range(seats):
        memory = Memory()
        for frame in match.frames(seat):
            for event in frame.events:
                if event.key == "event.robbed.own":
                    memory.robbed(seat, event.args)
                memory.hear(event.key, event.args)
        view = match.view(seat)
        assert isinstance(view, TrainView)
        assert view.own is not None
        for told_turn, cards in memory.cards.items():
            shown = msgspec.to_builtins(view.turns[told_turn - 1])
            assert {part: shown[part] for part in PRIVATE if part in shown} == cards
        things = [(look.look, look.roles + look.effects + look.cards) for look in view.own.seen]
        assert things == memory.seen
        assert view.own.votes == votes[seat]
        assert view.own.secret_ballots == ballots[seat]


def play_out(match: Match, rng: Rng, votes: list[list[str]], ballots: list[dict[str, int]]) -> None:
    """A random match to its end; writes down each seat's route votes and secret ballots."""
    rota = Rota()
    while (seat := rota.next(match.state, rng)) >= 0:
        steps: list[int] = []
        while legal := match.legal(seat, steps):
            steps.append(legal[rng.below(len(legal))])
        before = match.view(None)
        assert isinstance(before, TrainView)
        match.move(seat, steps)
        done = GAME.space.json(steps[0])
        if done["do"] == "vote":
            number = len(before.vote.counted)
            for mine in votes:
                mine += [""] * (number + 1 - len(mine))
            votes[seat][number] = str(done["route"])
        if done["do"] == "throw-off" and before.meeting is not None and before.meeting.secret:
            ballots[seat][str(len(before.meetings) + 1)] = int(done["seat"])
