"""Stop the Train!: what one alone sees, by drawing and passing (ST-4.1, ST-4.2) or by a look."""

from __future__ import annotations

from collections import Counter

from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES, CARDS
from tests.games.stop_the_train.sight import (
    ADA,
    BRUNO,
    CARLA,
    CAST,
    DECK,
    DORA,
    EVERYBODY,
    by_kind,
    choose_coal,
    looks,
    only,
    own,
    scene,
    seen,
    told,
    turn,
)
from tests.games.stop_the_train.tables import Staged

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
