"""Stop the Train!: what a player imagines could be so, for all that they know.

Programs search in states that they imagine from their view. Such a state must look to them like the
one they are in, and must not contradict anything that they know: a card that they have seen discarded
is not in the deck, whom they have looked at is who they are.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest

from capolinea.engine import Match, Rng, Viewer
from capolinea.engine.playout import Playout, Rota
from capolinea.games.stop_the_train.rules import steps, where
from capolinea.games.stop_the_train.rules.cards import CHARACTER_NAMES, EFFECT_NAMES
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES
from capolinea.games.stop_the_train.rules.train import Train
from capolinea.games.stop_the_train.title import GAME, TrainOptions
from capolinea.games.stop_the_train.views import TrainView
from tests.games.stop_the_train.tables import NAMES, Staged, table

ADA, BRUNO, CARLA, DORA = range(4)
CAST = ["saboteur", "chanteuse", "engineer", "photographer"]
#: How often something is imagined where one time might be right by luck.
OFTEN = 60
LONG = bool(os.environ.get("CAPOLINEA_LONG"))


def scene(*hands: Sequence[str], deck: Sequence[str] = (), **options: Any) -> Staged:
    """Ada, Bruno, Carla and Dora; Ada has drawn the first three of this deck."""
    four = [*hands, *([] for _ in range(4 - len(hands)))]
    return table(*four, deck=deck, characters=options.pop("characters", CAST), **options)


def turn(t: Staged, discard: str, play: str, side: str = "") -> None:
    """A turn with the cards that were dealt, in which nobody intervenes."""
    t.discard(discard)
    t.lay(play, side)
    t.quiet()


def crawl(t: Staged, place: int) -> None:
    """A turn with two of the cards that were dealt, whatever they are, that ends at this space."""
    t.at(place - 1, speed=30)
    discarded, played, _ = effects(t.train.now.drawn)
    t.discard(discarded)
    t.lay(played)
    t.train.now.jammed = True  # the train moves at the speed it had
    t.passes()


def imagined(t: Staged, viewer: Viewer) -> Iterator[Train]:
    """Many states that this viewer could imagine; each of them looks like the true one."""
    view = t.view(viewer)
    rng = Rng(b"imagined")
    for _ in range(OFTEN):
        state = GAME.imagine(view, rng)
        assert isinstance(state, Train)
        assert_alike(t.train, state, viewer)
        yield state


def assert_alike(train: Train, other: Train, viewer: Viewer) -> None:
    """To this viewer both look the same, ask the same, and allow the same."""
    assert msgspec.json.encode(other.view(viewer)) == msgspec.json.encode(train.view(viewer))
    assert other.window() == train.window()
    if not train.window():
        assert other.waiting() == train.waiting()
    if viewer is not None:
        assert other.legal(viewer) == train.legal(viewer)
        assert (viewer in other.waiting()) == (viewer in train.waiting())


def effects(kinds: Sequence[int]) -> list[str]:
    return [EFFECT_NAMES[kind] for kind in kinds]


def cards(kinds: Sequence[int]) -> list[str]:
    return [CARD_NAMES[kind] for kind in kinds]


def characters(train: Train) -> list[str]:
    return [CHARACTER_NAMES[character] for character in train.characters]


def face_down(train: Train) -> list[str]:
    """The discards, with the card that was just set aside."""
    aside = steps.EFFECT_PLAYED in train.stack and train.now.set_aside >= 0
    return effects([*train.discards, train.now.set_aside] if aside else train.discards)


def bottom(train: Train) -> list[str]:
    """The last three that will be drawn, the very last one first."""
    return effects(train.deck[:3])


# --- whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(240 if LONG else 24))
def test_at_any_point_of_a_game_everybody_imagines_what_agrees_with_their_view(number: int) -> None:
    rng = Rng(b"imagine %d" % number)
    seats = 3 + number % 4
    options = list(GAME.presets.values())[number % len(GAME.presets)]
    chosen = TrainOptions(**{"start_speed": "30", **options})
    train = GAME.new(seats, chosen, rng.bytes(32))
    assert isinstance(train, Train)
    rota = Rota()
    while (seat := rota.next(train, rng)) >= 0:
        legal = train.legal(seat)
        train.play(seat, legal[rng.below(len(legal))])
        if train.midway() < 0 and rng.below(6) == 0:
            for viewer in (*range(seats), None):
                agrees(train, viewer, rng)
    for viewer in (*range(seats), None):
        agrees(train, viewer, rng)


def agrees(train: Train, viewer: Viewer, rng: Rng) -> None:
    view = train.view(viewer)
    before = msgspec.json.encode(view)
    other = GAME.imagine(view, rng)
    assert isinstance(other, Train)
    assert msgspec.json.encode(view) == before, "imagining leaves the view as it is"
    assert_alike(train, other, viewer)
    nothing_is_made_up(train, other)
    if viewer is not None:
        what_is_own_stays(train, other, viewer)
    if rng.below(4) == 0:
        Playout().run(other, Rng(b"on"), GAME.longest)
        assert other.result() is not None


def nothing_is_made_up(train: Train, other: Train) -> None:
    """The same cards and characters, in places of the same size."""
    assert every_effect(other) == every_effect(train) == Counter(total(train.effect_counts))
    for places in ("deck", "discards", "pile", "undealt"):
        assert len(getattr(other, places)) == len(getattr(train, places)), places
    assert [len(hand) for hand in other.hands] == [len(hand) for hand in train.hands]
    there = Counter(every_card(other))
    assert there <= Counter(total(train.card_counts))
    assert sorted([*other.characters, *other.left_over]) == sorted(train.cast)
    assert CHARACTER_NAMES.index("saboteur") in other.characters


def every_effect(train: Train) -> Counter[int]:
    found = Counter(train.deck + train.discards + train.pile + train.hand)
    if train.turns and train.now.current < 0:
        found.update(train.now.drawn)
    if train.now.set_aside >= 0 and steps.EFFECT_PLAYED in train.stack:
        found[train.now.set_aside] += 1
    return found


def every_card(train: Train) -> list[int]:
    lying = [spent.card for spent in train.spent] + train.waiting_cards
    return lying + train.undealt + [card for hand in train.hands for card in hand]


def total(counts: list[int]) -> dict[int, int]:
    return {kind: count for kind, count in enumerate(counts) if count}


def what_is_own_stays(train: Train, other: Train, viewer: int) -> None:
    """Own cards and character, whom one has looked at, and what one knows of the discards."""
    view = train.view(viewer)
    assert isinstance(view, TrainView)
    assert view.own is not None
    assert other.characters[viewer] == train.characters[viewer]
    assert other.hands[viewer] == train.hands[viewer]
    if train.turns and train.now.drawer == viewer and train.now.current < 0:
        assert other.now.drawn == train.now.drawn
    if train.now.current == viewer:
        assert other.hand == train.hand
    for look in view.own.seen:
        if look.look == "identity":
            assert other.characters[look.seat] == train.characters[look.seat]
        if look.look == "passenger-list":
            assert other.left_over == train.left_over
    if not any(spent.card == "more-coal" for spent in view.spent):
        known: Counter[str] = Counter()
        for shown in view.turns:
            known.update(shown.discarded)
            known.update([shown.set_aside] if shown.set_aside else [])
            known.update([shown.seized] if shown.seized else [])
        assert known <= Counter(face_down(other))


# --- who is who ------------------------------------------------------------------------------------


def test_a_player_stays_who_they_are_and_the_others_could_be_anybody() -> None:
    t = scene()
    states = list(imagined(t, BRUNO))
    assert {characters(state)[BRUNO] for state in states} == {"chanteuse"}
    assert {characters(state).index("saboteur") for state in states} == {ADA, CARLA, DORA}


def test_a_spectator_can_imagine_anybody_anywhere() -> None:
    t = scene()
    saboteurs = {characters(state).index("saboteur") for state in imagined(t, None)}
    assert saboteurs == {ADA, BRUNO, CARLA, DORA}


def test_whom_one_has_looked_at_stays_who_they_are() -> None:
    t = scene(deck=["id-check", "accelerate", "accelerate"])
    turn(t, "accelerate", "id-check", "second")
    t.do(BRUNO, {"do": "look", "seat": ADA})
    for state in imagined(t, BRUNO):
        assert characters(state)[ADA] == "saboteur"
    assert {characters(state)[ADA] for state in imagined(t, CARLA)} != {"saboteur"}


def test_who_has_seen_the_passenger_list_imagines_nobody_else_aboard() -> None:
    t = scene(["passenger-list"])
    t.works(ADA, "passenger-list")
    for state in imagined(t, ADA):
        assert sorted(characters(state)) == sorted(CAST)
    assert any(sorted(characters(state)) != sorted(CAST) for state in imagined(t, BRUNO))


@pytest.mark.parametrize(
    "options", [{"cast": "balanced"}, {"forced": ["rogue", "stuntman"]}, {"excluded": ["stuntman"]}]
)
def test_only_such_casts_are_imagined_as_the_options_allow(options: dict[str, Any]) -> None:
    # ST-2.2, ST-2.5
    match = Match(GAME, NAMES[:5], TrainOptions(**options), seed=bytes(32))
    rng = Rng(b"casts")
    for viewer in (*range(5), None):
        for _ in range(OFTEN):
            state = match.game.imagine(match.view(viewer), rng)
            assert isinstance(state, Train)
            aboard = set(characters(state))
            assert aboard >= {"saboteur", *options.get("forced", [])}
            assert not aboard & set(options.get("excluded", []))
            if "cast" in options:
                assert "rogue" not in aboard
                assert aboard & {"stuntman", "speedster"}


def test_when_all_is_revealed_everybody_imagines_the_truth() -> None:
    t = scene(deck=["accelerate"] * 3)
    t.at(len(t.train.track.spaces[0]) - 1, speed=180, route="fast-track")
    turn(t, "accelerate", "accelerate")
    assert t.step == "over"
    for viewer in (ADA, BRUNO, CARLA, DORA, None):
        view = t.view(viewer)
        other = GAME.imagine(view, Rng(b"over"))
        assert isinstance(other, Train)
        assert characters(other) == CAST
        assert other.result() == t.train.result()


# --- interventions ---------------------------------------------------------------------------------


def test_own_interventions_stay_and_the_others_could_hold_anything_else() -> None:
    t = scene(["burn", "spy"])
    others = set()
    for state in imagined(t, ADA):
        assert cards(state.hands[ADA]) == ["burn", "spy"]
        others.update(cards(state.hands[BRUNO]))
    assert not others & {"burn", "spy"}
    assert len(others) > 10


def test_the_card_that_one_gave_back_is_among_the_undealt() -> None:
    t = scene(["burn", "spy"])
    view = t.view(ADA)
    assert view.own is not None
    for state in imagined(t, ADA):
        assert view.own.returned in cards(state.undealt)


def test_while_all_choose_one_knows_ones_own_three() -> None:
    t = scene(["burn", "spy", "forgery"], keep=False)
    t.do(ADA, {"do": "return", "card": "spy"})
    t.do(BRUNO, {"do": "return", "card": cards(t.train.dealt[BRUNO])[0]})
    for state in imagined(t, ADA):
        assert cards(state.dealt[ADA]) == ["burn", "forgery", "spy"]
        assert CARD_NAMES[state.returned[ADA]] == "spy"
        assert state.waiting() == [CARLA, DORA]


def test_who_has_looked_through_the_undealt_cards_knows_them() -> None:
    t = scene(["ticket-upgrade"])
    t.works(ADA, "ticket-upgrade")
    for state in imagined(t, ADA):
        assert state.undealt == t.train.undealt
    t.do(ADA, {"do": "upgrade", "card": "burn"})
    for state in imagined(t, ADA):
        assert state.undealt == t.train.undealt
        assert "burn" in cards(state.hands[ADA])


def test_a_card_that_was_played_is_nobodys_any_more() -> None:
    t = scene(["burn"])
    t.works(ADA, "burn", organiser=True)
    for viewer in (BRUNO, None):
        for state in imagined(t, viewer):
            assert "burn" not in cards(state.undealt + [c for hand in state.hands for c in hand])


def theft(*hands: Sequence[str], deck: Sequence[str] = ()) -> Staged:
    """Bruno has stolen the first of Carla's cards."""
    first = deck or ["theft", "accelerate", "accelerate"]
    t = scene(*hands, deck=first, deal={"theft": [0]})
    turn(t, "accelerate", "theft", "second")
    t.do(BRUNO, {"do": "rob", "seat": CARLA})
    return t


def test_a_stolen_card_is_with_the_thief_as_thief_and_victim_know() -> None:
    t = theft([], [], ["burn", "spy"])
    for seat in (BRUNO, CARLA):
        for state in imagined(t, seat):
            assert "burn" in cards(state.hands[BRUNO])
    assert any("burn" not in cards(state.hands[BRUNO]) for state in imagined(t, ADA))


def test_a_stolen_card_that_the_thief_has_played_is_with_nobody() -> None:
    t = theft([], [], ["burn", "spy"])
    t.works(BRUNO, "burn", organiser=True)
    for state in imagined(t, CARLA):
        assert "burn" not in cards(state.hands[BRUNO])


@pytest.mark.parametrize("used_up", [1, 2])
def test_a_stolen_card_is_with_the_thief_even_if_they_had_used_up_one_like_it(used_up: int) -> None:
    # Carla uses up her Conductor in the first or second turn, and in the second she steals Dora's.
    deck = ["accelerate", "accelerate", "accelerate", "theft", "accelerate", "accelerate"]
    hands: list[list[str]] = [["burn"], [], ["conductor"], ["conductor", "spy"]]
    t = scene(*hands, deck=deck, deal={"theft": [1]})
    for number in (1, 2):
        if number == used_up:
            t.play(ADA, "burn", organiser=True)
            t.play(CARLA, "conductor")
            t.passes()
        turn(
            t,
            "accelerate",
            "accelerate" if number == 1 else "theft",
            "" if number == 1 else "second",
        )
    t.do(CARLA, {"do": "rob", "seat": DORA})
    view = t.view(DORA)
    assert view.own is not None
    assert view.own.seen[-1].cards == ["conductor"]
    for state in imagined(t, DORA):
        assert "conductor" in cards(state.hands[CARLA])


def test_a_stolen_card_is_still_with_the_thief_when_somebody_else_is_robbed() -> None:
    t = theft([], [], ["burn", "spy"], deck=["theft", "accelerate", "accelerate"] * 2)
    turn(t, "accelerate", "theft", "second")
    t.do(CARLA, {"do": "rob", "seat": DORA})
    for state in imagined(t, CARLA):
        assert "burn" in cards(state.hands[BRUNO])


def test_who_was_thrown_off_knows_that_their_cards_have_left_the_game() -> None:
    # ST-5.6
    t = scene([], [], [], ["burn", "spy"])
    crawl(t, t.train.track.bridges[0][0])
    t.quiet()
    t.throw_off(DORA, ADA, DORA, DORA)
    t.quiet()
    assert t.view().players[DORA].status == "off"
    for state in imagined(t, DORA):
        there = cards(state.undealt + [c for hand in state.hands for c in hand])
        assert not {"burn", "spy"} & set(there)


# --- effect cards ----------------------------------------------------------------------------------

FIRST = ["hard-brake", "accelerate", "id-check"]
SECOND = ["full-speed-ahead", "accelerate", "maintain-speed"]
THIRD = ["full-speed-ahead", "accelerate", "speed-up"]


def test_the_drawer_knows_their_three_cards_and_nobody_else_does() -> None:
    t = scene(deck=FIRST)
    for state in imagined(t, ADA):
        assert sorted(effects(state.now.drawn)) == sorted(FIRST)
    assert len({tuple(state.now.drawn) for state in imagined(t, BRUNO)}) > 10


def test_drawer_and_current_player_know_the_two_cards_that_were_passed() -> None:
    t = scene(deck=FIRST)
    t.discard("hard-brake")
    for seat in (ADA, BRUNO):
        for state in imagined(t, seat):
            assert effects(state.hand) == ["accelerate", "id-check"]
    assert len({tuple(state.hand) for state in imagined(t, CARLA)}) > 10


def test_the_drawer_knows_their_discard_and_nobody_else_does() -> None:
    t = scene(deck=FIRST)
    t.discard("hard-brake")
    for state in imagined(t, ADA):
        assert effects(state.discards) == ["hard-brake"]
    assert any(effects(state.discards) != ["hard-brake"] for state in imagined(t, BRUNO))


def test_drawer_and_current_player_know_the_card_set_aside() -> None:
    t = scene(deck=FIRST)
    t.discard("hard-brake")
    t.lay("accelerate")
    for seat in (ADA, BRUNO):
        for state in imagined(t, seat):
            assert EFFECT_NAMES[state.now.set_aside] == "id-check"
    assert any(EFFECT_NAMES[state.now.set_aside] != "id-check" for state in imagined(t, CARLA))
    t.quiet()
    for state in imagined(t, ADA):
        assert effects(state.discards) == ["hard-brake", "id-check"]
    for state in imagined(t, BRUNO):
        assert effects(state.discards)[1] == "id-check"


def test_with_gun_to_the_head_the_drawer_knows_both_discards() -> None:
    t = scene(["gun-to-the-head"], deck=FIRST)
    t.works(ADA, "gun-to-the-head")
    t.discard("hard-brake", "id-check")
    for state in imagined(t, ADA):
        assert effects(state.discards) == ["hard-brake", "id-check"]
    for state in imagined(t, BRUNO):
        assert effects(state.hand) == ["accelerate"]
        assert len(state.discards) == 2


def test_after_seize_control_all_know_the_seized_card_and_two_know_the_other() -> None:
    t = scene([], [], ["seize-control"], deck=FIRST)
    t.discard("hard-brake")
    t.lay("accelerate")
    t.works(CARLA, "seize-control")
    for viewer in (ADA, BRUNO, CARLA, None):
        for state in imagined(t, viewer):
            assert effects(state.discards)[-1] == "accelerate"
            assert len(state.hand) == 1
            if viewer in (ADA, BRUNO):
                assert effects(state.hand) == ["id-check"]


def test_who_has_spied_knows_the_last_discard() -> None:
    t = scene([], [], [], ["spy"], deck=[*FIRST, *SECOND])
    turn(t, "accelerate", "id-check")
    t.works(DORA, "spy")
    for state in imagined(t, DORA):
        assert effects(state.discards)[-1] == "hard-brake"


def test_who_has_spied_knows_the_card_just_set_aside() -> None:
    t = scene([], [], [], ["spy"], deck=[*FIRST, *SECOND])
    t.discard("accelerate")
    t.lay("id-check")
    t.works(DORA, "spy")
    for state in imagined(t, DORA):
        assert EFFECT_NAMES[state.now.set_aside] == "hard-brake"


def test_who_has_spied_the_card_set_aside_knows_what_seize_control_calls_for() -> None:
    t = scene([], [], ["seize-control"], ["spy"], deck=[*FIRST, *SECOND])
    t.discard("accelerate")
    t.lay("id-check")
    t.works(DORA, "spy")
    t.works(CARLA, "seize-control")
    for state in imagined(t, DORA):
        assert effects(state.hand) == ["hard-brake"]


# --- More Coal -------------------------------------------------------------------------------------


def coal(*hands: Sequence[str]) -> Staged:
    """After two turns, with four discards, Dora looks through them."""
    t = scene(*hands, deck=[*FIRST, *SECOND, *THIRD])
    turn(t, "hard-brake", "accelerate")
    turn(t, "full-speed-ahead", "accelerate")
    t.works(DORA, "more-coal")
    return t


def choose_coal(t: Staged, *chosen: str) -> None:
    t.do(DORA, *({"do": "coal", "effect": effect} for effect in chosen))


def test_who_looks_through_the_discards_knows_them_all() -> None:
    t = coal([], [], [], ["more-coal"])
    for state in imagined(t, DORA):
        assert sorted(state.discards) == sorted(t.train.discards)


def test_who_put_three_cards_under_the_deck_knows_them_and_their_order() -> None:
    t = coal([], [], [], ["more-coal"])
    choose_coal(t, "hard-brake", "id-check", "full-speed-ahead")
    for state in imagined(t, DORA):
        assert bottom(state) == bottom(t.train) == ["full-speed-ahead", "id-check", "hard-brake"]
        assert effects(state.discards) == ["maintain-speed"]
    turn(t, "full-speed-ahead", "accelerate")
    for state in imagined(t, DORA):
        assert bottom(state) == ["full-speed-ahead", "id-check", "hard-brake"]
        assert effects(state.discards)[0] == "maintain-speed"
        assert effects(state.discards)[2] == "speed-up"


def test_who_put_three_cards_under_the_deck_knows_them_when_they_are_drawn() -> None:
    t = coal([], [], [], ["more-coal"])
    choose_coal(t, "hard-brake", "id-check", "full-speed-ahead")
    while t.train.deck:
        crawl(t, 1)
    for state in imagined(t, DORA):
        assert effects(state.now.drawn) == ["full-speed-ahead", "hard-brake", "id-check"]


def test_who_put_three_cards_under_the_deck_knows_which_are_passed_on_or_discarded() -> None:
    t = scene(["more-coal"], deck=[*FIRST, *SECOND, *THIRD])
    turn(t, "hard-brake", "accelerate")
    turn(t, "full-speed-ahead", "accelerate")
    t.works(ADA, "more-coal")
    chosen = ["full-speed-ahead", "hard-brake", "id-check"]
    t.do(ADA, *({"do": "coal", "effect": effect} for effect in chosen))
    while t.train.deck:
        crawl(t, 1)
    assert t.train.now.drawer == CARLA
    t.discard("id-check")
    for state in imagined(t, ADA):
        assert sorted([*effects(state.hand), effects(state.discards)[-1]]) == chosen


def test_a_known_discard_is_among_the_discards_or_under_the_deck_after_another_ones_coal() -> None:
    t = coal([], [], [], ["more-coal"])
    choose_coal(t, "full-speed-ahead", "id-check", "maintain-speed")
    for state in imagined(t, ADA):
        assert "hard-brake" in effects(state.discards) + bottom(state)
        assert "id-check" in effects(state.discards) + bottom(state)


def test_a_card_discarded_after_another_ones_coal_in_the_same_turn_is_among_the_discards() -> None:
    deck = [*SECOND, *THIRD, *FIRST]
    t = scene([], [], [], ["more-coal"], deck=deck)
    turn(t, "full-speed-ahead", "accelerate")
    turn(t, "full-speed-ahead", "accelerate")
    t.works(DORA, "more-coal")
    choose_coal(t, "full-speed-ahead", "maintain-speed", "speed-up")
    t.discard("hard-brake")
    for state in imagined(t, CARLA):
        assert effects(state.discards)[-1] == "hard-brake"


def test_a_card_that_came_back_from_under_the_deck_is_not_among_the_discards() -> None:
    # Carla sets the Hard Brake aside, Dora puts it under the deck, and Carla draws it at the end.
    t = scene([], [], [], ["more-coal"], deck=[*SECOND, *FIRST, *THIRD])
    turn(t, "full-speed-ahead", "accelerate")
    turn(t, "id-check", "accelerate")
    t.works(DORA, "more-coal")
    choose_coal(t, "hard-brake", "full-speed-ahead", "maintain-speed")
    while t.train.deck:
        crawl(t, 1)
    assert t.train.now.drawer == CARLA
    for state in imagined(t, CARLA):
        assert "hard-brake" in effects(state.now.drawn)
        assert "hard-brake" not in effects(state.discards)


def spied_after_coal(spy: int) -> Staged:
    """After her More Coal, Dora sets aside the Hard Brake that Carla passed; somebody else spies."""
    hands: list[list[str]] = [[], [], [], ["more-coal"]]
    hands[spy].append("spy")
    t = scene(*hands, deck=[*SECOND, *THIRD, *FIRST, *SECOND])
    turn(t, "full-speed-ahead", "accelerate")
    turn(t, "full-speed-ahead", "accelerate")
    t.works(DORA, "more-coal")
    choose_coal(t, "full-speed-ahead", "maintain-speed", "speed-up")
    turn(t, "id-check", "accelerate")
    t.works(spy, "spy")
    view = t.view(spy)
    assert view.own is not None
    assert view.own.seen[-1].effects == ["hard-brake"]
    return t


@pytest.mark.parametrize("spy", [ADA, CARLA])
def test_who_spies_after_another_ones_coal_knows_the_last_discard(spy: int) -> None:
    for state in imagined(spied_after_coal(spy), spy):
        assert effects(state.discards)[-1] == "hard-brake"


# --- votes -----------------------------------------------------------------------------------------


def test_own_votes_and_ballots_stay_and_the_others_add_up() -> None:
    t = scene()
    crawl(t, t.train.track.box)
    t.quiet()
    t.vote("fast-track", "viaduct", "viaduct", "scenic-route")
    seen = set()
    for state in imagined(t, ADA):
        votes = state.past_votes[-1].votes
        assert votes[ADA] == 0
        assert sorted(votes) == [0, 1, 1, 2]
        seen.add(tuple(votes))
    assert len(seen) == 3


def test_a_vote_that_lies_on_the_table_stays_and_the_others_could_be_any() -> None:
    t = scene()
    crawl(t, t.train.track.box)
    t.quiet()
    t.do(ADA, {"do": "vote", "route": "viaduct"})
    t.do(BRUNO, {"do": "vote", "route": "viaduct"})
    states = list(imagined(t, ADA))
    assert {state.votes[ADA] for state in states} == {1}
    assert {state.votes[BRUNO] for state in states} == {0, 1, 2}
    assert {tuple(state.votes[CARLA:]) for state in states} == {(-1, -1)}


def secret_ballot(*others: int) -> Staged:
    """A secret ballot at the first bridge; whom each votes for, in seat order."""
    t = scene(["secret-ballot"])
    crawl(t, t.train.track.bridges[0][0])
    t.works(ADA, "secret-ballot")
    t.passes()
    t.throw_off(*others)
    return t


def test_secret_ballots_are_imagined_so_that_they_come_to_the_totals() -> None:
    t = secret_ballot(CARLA, DORA, DORA, CARLA)
    seen = set()
    for state in imagined(t, ADA):
        assert state.ballots[ADA] == CARLA
        assert sorted(state.ballots) == [CARLA, CARLA, DORA, DORA]
        assert all(other != seat for seat, other in enumerate(state.ballots))
        seen.add(tuple(state.ballots))
    assert seen == {(CARLA, DORA, DORA, CARLA)}  # Carla cannot have voted for herself, nor Dora


def test_secret_ballots_that_lie_there_could_be_any() -> None:
    t = secret_ballot(CARLA, DORA)
    states = list(imagined(t, ADA))
    assert {state.ballots[ADA] for state in states} == {CARLA}
    assert {state.ballots[BRUNO] for state in states} == {ADA, CARLA, DORA}


@pytest.mark.parametrize("status", [where.OFF, where.DEAD, where.HANGING])
def test_nobody_is_voted_for_who_takes_no_part_in_a_secret_ballot(status: int) -> None:
    t = scene(["secret-ballot"])
    if status == where.HANGING:
        t.train.status = [0, 0, 0, status]
    else:
        t.train.leave(DORA, status)
    crawl(t, t.train.track.bridges[0][0])
    t.works(ADA, "secret-ballot")
    t.passes()
    t.throw_off(BRUNO, CARLA)
    states = list(imagined(t, CARLA))
    assert {state.ballots[ADA] for state in states} == {BRUNO, CARLA}
    assert {state.ballots[BRUNO] for state in states} == {ADA, CARLA}


def test_who_dies_after_a_secret_ballot_was_voted_for_all_the_same() -> None:
    t = secret_ballot(CARLA, DORA, DORA, CARLA)
    t.quiet()
    assert t.step == "draw"
    t.train.leave(DORA, where.DEAD)
    for viewer in (ADA, CARLA, DORA, None):
        for state in imagined(t, viewer):
            assert sorted(state.ballots) == [CARLA, CARLA, DORA, DORA]


# --- who has passed --------------------------------------------------------------------------------


def test_who_has_passed_knows_that_they_have_and_not_who_else() -> None:
    t = scene(deck=FIRST)
    t.discard("hard-brake")
    t.lay("accelerate")
    t.do(CARLA, "pass")
    for state in imagined(t, CARLA):
        assert CARLA not in state.waiting()
    for state in imagined(t, DORA):
        assert DORA in state.waiting()
