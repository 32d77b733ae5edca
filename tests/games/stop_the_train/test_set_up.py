"""Stop the Train!, rule by rule: the box, set-up and speed (ST-1, ST-2, ST-3)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from capolinea.engine import Match, Problem, Refused
from capolinea.engine.chance import Deal
from capolinea.engine.options import convert
from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.cards import (
    CHARACTER_NAMES,
    EFFECT_NAMES,
    OR_NAMES,
    ROUTE_NAMES,
    SIDE_NAMES,
    SPEED_CHANGE,
    Character,
    Effect,
    Route,
    Side,
)
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES, Card
from capolinea.games.stop_the_train.rules.notes import LOOK_NAMES, Look
from capolinea.games.stop_the_train.rules.steps import ENDING_NAMES, Ending
from capolinea.games.stop_the_train.rules.train import Train
from capolinea.games.stop_the_train.title import GAME, TrainOptions, cast_of
from tests.games.stop_the_train.lines import (
    keys,
    latest,
    line_file,
    own,
    place,
    rail,
    refused,
    told,
)
from tests.games.stop_the_train.tables import NAMES, table

FOUR: list[list[str]] = [[], [], [], []]
SIX: list[list[str]] = [[], [], [], [], [], []]

EFFECTS = {
    "full-speed-ahead": 17,
    "accelerate": 16,
    "apply-the-brakes": 9,
    "speed-up": 7,
    "maintain-speed": 5,
    "hit-the-brakes": 2,
    "hard-brake": 1,
    "sleight-of-hand-a": 2,
    "sleight-of-hand-b": 2,
    "sleight-of-hand-c": 2,
    "theft": 2,
    "id-check": 1,
}
INTERVENTIONS = {
    "broken-track": 1,
    "open-vote": 2,
    "citizens-arrest": 2,
    "run-the-red": 1,
    "second-choice": 1,
    "swing-vote": 2,
    "occupied": 2,
    "first-class-passenger": 2,
    "secret-ballot": 1,
    "lock-the-doors": 1,
    "extend-your-hand": 1,
    "hang-on": 1,
    "youre-coming-with-me": 1,
    "second-meeting": 1,
    "gun-to-the-head": 2,
    "jam-the-controls": 1,
    "seize-control": 1,
    "burn": 1,
    "forgery": 1,
    "passenger-list": 2,
    "spy": 1,
    "tailwind": 1,
    "ticket-upgrade": 1,
    "more-coal": 1,
    "train-fault": 1,
    "rooftop-showdown": 1,
    "murder-in-the-dark": 1,
    "conductor": 2,
}
NOT_CLASSIC = {
    "forgery",
    "more-coal",
    "murder-in-the-dark",
    "tailwind",
    "train-fault",
    "rooftop-showdown",
}
ELEVEN = {
    "saboteur",
    "prisoner-of-war",
    "chanteuse",
    "engineer",
    "photographer",
    "speedster",
    "mi6-agent",
    "resistance-conspirator",
    "stuntman",
    "rogue",
    "ticket-inspector",
}


def trains(players: int, count: int = 60, **options: Any) -> list[Train]:
    """So many matches, just dealt."""
    found = []
    for number in range(count):
        state = GAME.new(players, TrainOptions(**options), number.to_bytes(32, "big"))
        assert isinstance(state, Train)
        found.append(state)
    return found


def aboard(train: Train) -> set[str]:
    return {CHARACTER_NAMES[character] for character in train.characters}


def left_over(train: Train) -> set[str]:
    return {CHARACTER_NAMES[character] for character in train.left_over}


def casts(players: int, count: int = 60, **options: Any) -> list[set[str]]:
    return [aboard(train) for train in trains(players, count, **options)]


def drawn_cast(*casts: list[str], **options: Any) -> set[str]:
    """Who is aboard if these are drawn besides the Saboteur, one cast after the other."""
    players = len(casts[0]) + 1
    chosen = TrainOptions(**options)
    pool = [CHARACTER_NAMES[character] for character in cast_of(players, chosen)]
    pool.remove("saboteur")
    orders: Deal = {"characters": [[pool.index(name) for name in cast] for cast in casts]}
    state = GAME.new(players, chosen, b"", orders)
    assert isinstance(state, Train)
    return aboard(state) - {"saboteur"}


def kinds(names: list[str], cards: list[int]) -> dict[str, int]:
    return {name: cards.count(kind) for kind, name in enumerate(names) if kind in cards}


# --- 1 -------------------------------------------------------------------------------------------


def test_st_1_1_four_to_six_play_and_three_may() -> None:
    assert list(GAME.seats) == [3, 4, 5, 6]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_st_1_1_three_are_told_that_they_are_too_few_for_the_box(players: int) -> None:
    t = table(*SIX[:players], viewers=[None, 0])
    for viewer in (None, 0):
        assert ("event.unofficial" in keys(t, viewer)) is (players == 3)


@pytest.mark.parametrize("players", [1, 2, 7])
def test_st_1_1_fewer_and_more_cannot_play(players: int) -> None:
    with pytest.raises(Refused):
        GAME.new(players, TrainOptions(), bytes(32))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_st_1_1_there_is_one_train_and_a_second_one_only_as_an_option(players: int) -> None:
    view = table(*SIX[:players]).view()
    assert len(view.players) == players
    assert view.table.freight is False
    assert view.freight == -1
    assert table(*SIX[:players], freight=True).view().table.freight is True


def test_st_1_2_there_are_66_effect_cards_of_12_kinds() -> None:
    for train in trains(5, 3):
        assert kinds(EFFECT_NAMES, train.deck) == EFFECTS
        assert len(train.deck) == 66
    assert table(*FOUR).view().table.effects == EFFECTS


@pytest.mark.parametrize(
    ("effect", "side", "speed"),
    [
        ("full-speed-ahead", "", 180),
        ("accelerate", "", 120),
        ("apply-the-brakes", "", 60),
        ("speed-up", "", 150),
        ("maintain-speed", "", 90),
        ("hit-the-brakes", "", 30),
        ("hard-brake", "", 30),
        ("sleight-of-hand-a", "first", 90),
        ("sleight-of-hand-b", "first", 120),
        ("sleight-of-hand-c", "first", 60),
        ("theft", "first", 90),
        ("id-check", "first", 90),
    ],
)
def test_st_1_2_what_a_card_or_its_first_side_does_at_90(
    effect: str, side: str, speed: int
) -> None:
    t = rail(*FOUR)
    t.at(0, 90)
    before = [own(t, seat).cards for seat in range(4)]
    t.turn(effect, side)
    assert (t.train.speed, t.train.at) == (speed, speed // 30)
    # And nothing else: no permit, no card and no secret changes hands.
    assert (t.train.organiser, t.train.permits) == (2, [0, 0, 0, 0])
    assert [own(t, seat).cards for seat in range(4)] == before
    assert [own(t, seat).seen for seat in range(4)] == [[], [], [], []]


@pytest.mark.parametrize(
    ("effect", "steps", "speed"),
    [
        ("sleight-of-hand-a", [{"do": "take-organiser"}], 120),
        ("sleight-of-hand-b", [{"do": "take-organiser"}, {"do": "take-organiser"}], 180),
        ("sleight-of-hand-c", [{"do": "take-organiser"}], 90),
        ("theft", [{"do": "rob", "seat": 3}], 150),
        ("id-check", [{"do": "look", "seat": 3}], 150),
    ],
)
def test_st_1_2_what_a_second_side_does_at_90(
    effect: str, steps: list[dict[str, Any]], speed: int
) -> None:
    t = rail(*FOUR, characters=["saboteur", "engineer", "chanteuse", "speedster"])
    t.at(0, 90)
    t.turn(effect, "second")
    t.do(1, *steps)
    assert (t.train.speed, t.train.at) == (speed, speed // 30)
    taken = len(steps) if effect.startswith("sleight") else 0
    assert t.train.permits == [0, taken, 0, 0]
    assert t.train.organiser == 2 - taken
    stolen = 1 if effect == "theft" else 0
    assert [len(own(t, seat).cards) for seat in (1, 3)] == [2 + stolen, 2 - stolen]
    looked = [seen.roles for seen in own(t, 1).seen if seen.look == "identity"]
    assert looked == ([["speedster"]] if effect == "id-check" else [])


def test_st_1_3_there_are_36_interventions_of_28_kinds() -> None:
    assert sum(INTERVENTIONS.values()) == 36
    assert len(INTERVENTIONS) == 28
    for train in trains(6, 3):
        cards = [card for hand in train.dealt for card in hand] + train.undealt
        assert kinds(CARD_NAMES, cards) == INTERVENTIONS
    assert table(*FOUR).view().table.interventions == INTERVENTIONS


def test_st_1_3_classic_30_leaves_six_of_them_out() -> None:
    left = {name: count for name, count in INTERVENTIONS.items() if name not in NOT_CLASSIC}
    assert sum(left.values()) == 30
    for train in trains(6, 3, classic_30=True):
        cards = [card for hand in train.dealt for card in hand] + train.undealt
        assert kinds(CARD_NAMES, cards) == left


def test_st_1_3_classic_30_asks_for_none_of_those_and_all_others_are_as_usual() -> None:
    for classic in (False, True):
        t = rail(["burn"], [], [], [], classic_30=classic)
        t.at(place("paris", 9), 30, "fast-track")
        t.turn("maintain-speed", quiet=False)
        t.passes()
        # Nobody can hold Murder in the Dark.
        assert t.step == ("tunnel" if classic else "last-tunnel")
        t.play(0, "burn", organiser=True)
        assert t.step == "answer"
        assert t.train.waiting() == [1, 2, 3]


def test_st_1_4_eleven_characters_and_the_mayor_as_an_option() -> None:
    for train in trains(6, 3):
        assert aboard(train) | left_over(train) == ELEVEN
    for train in trains(6, 3, mayor=True):
        assert aboard(train) | left_over(train) == ELEVEN | {"mayor-of-paris"}


def test_st_1_4_the_mayor_and_the_other_ten_can_all_be_dealt() -> None:
    assert set.union(*casts(6)) == ELEVEN
    assert set.union(*casts(6, mayor=True)) == ELEVEN | {"mayor-of-paris"}


def test_st_1_5_permits_the_record_and_three_voting_cards_each() -> None:
    t = table(*SIX)
    view = t.view()
    assert view.organiser == 2
    assert [player.permits for player in view.players] == [0] * 6
    assert view.records == []
    for seat in range(6):
        assert sorted(own(t, seat).ballots_left) == sorted(
            ["fast-track", "scenic-route", "viaduct"]
        )


def test_st_1_5_a_token_marks_the_current_player() -> None:
    t = rail(*FOUR)
    assert t.view().current == -1
    t.hand("accelerate", "maintain-speed", "maintain-speed")
    t.discard("accelerate")
    assert t.view().current == 1


def test_st_1_5_everybody_can_look_up_what_each_character_needs() -> None:
    named = {name.split(".")[0] for name in GAME.names["role-text"]}
    assert named == ELEVEN | {"mayor-of-paris"} == set(GAME.roles)


def test_st_1_6_the_track_comes_from_a_file_and_is_seen_by_all() -> None:
    for name, content in GAME.data()["track"].items():
        for viewer in (None, 0, 3):
            shown = {s.id: s for s in table(*FOUR, track=name).view(viewer).table.sections}
            assert set(shown) == {"line", *ROUTE_NAMES, "paris"}
            for section, written in content["sections"].items():
                assert shown[section].spaces == written["spaces"]
                places = [(f["kind"], f["from"], f["to"]) for f in written["features"]]
                assert [(p.kind, p.first, p.last) for p in shown[section].places] == places


@pytest.mark.parametrize(
    ("numbers", "names"),
    [
        (Effect, EFFECT_NAMES),
        (Card, CARD_NAMES),
        (Character, CHARACTER_NAMES),
        (Route, ROUTE_NAMES),
        (Side, SIDE_NAMES),
        (where, where.NAMES),
        (Ending, ENDING_NAMES),
        (Look, LOOK_NAMES),
    ],
)
def test_every_number_has_the_name_that_goes_with_it(numbers: Any, names: list[str]) -> None:
    found = [getattr(numbers, name.replace("-", "_").upper()) for name in names]
    assert found == list(range(len(names)))
    assert getattr(numbers, "END", len(names)) == len(names)


def test_cards_that_are_no_or_cards_have_one_side() -> None:
    for effect, (first, second) in enumerate(SPEED_CHANGE):
        assert (first != second) is (EFFECT_NAMES[effect] in OR_NAMES)


# --- 2.1, 2.2 ------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_st_2_1_everybody_gets_one_character_and_somebody_is_the_saboteur(players: int) -> None:
    seats = set()
    for train in trains(players):
        assert len(train.characters) == players
        assert len(aboard(train)) == players
        seats.add(train.characters.index(0))
        assert CHARACTER_NAMES[0] == "saboteur"
        # Who is not aboard is left over.
        assert not aboard(train) & left_over(train)
        assert len(train.left_over) == (11 if players == 6 else 10) - players
    assert seats == set(range(players))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_st_2_1_with_fewer_than_six_the_rogue_is_out(players: int) -> None:
    for train in trains(players):
        assert "rogue" not in aboard(train) | left_over(train)
    assert set.union(*casts(players, 100)) == ELEVEN - {"rogue"}


def test_st_2_1_with_six_the_rogue_may_be_in() -> None:
    assert {"rogue" in cast for cast in casts(6)} == {True, False}


@pytest.mark.parametrize("players", [4, 6])
def test_st_2_1_a_first_game_is_without_rogue_inspector_and_stuntman(players: int) -> None:
    known = ELEVEN - {"rogue", "ticket-inspector", "stuntman"}
    for train in trains(players, cast="first-game"):
        assert aboard(train) | left_over(train) == known
    assert set.union(*casts(players, 100, cast="first-game")) == known


def test_st_2_1_who_is_drawn_says_the_draw_and_who_gets_whom_another_one() -> None:
    assert drawn_cast(["chanteuse", "rogue", "engineer", "stuntman", "speedster"]) == {
        "chanteuse",
        "rogue",
        "engineer",
        "stuntman",
        "speedster",
    }
    t = table(*FOUR, characters=["engineer", "stuntman", "saboteur", "chanteuse"])
    dealt = [own(t, seat).character for seat in range(4)]
    assert dealt == ["engineer", "stuntman", "saboteur", "chanteuse"]


def test_st_2_1_characters_are_secret_and_so_are_those_left_over() -> None:
    t = rail(*SIX, viewers=[None, *range(6)])
    t.turn("hard-brake")
    for viewer in (None, *range(6)):
        seen = msgspec.to_builtins(t.view(viewer))
        del seen["table"]  # which says who may be aboard at all
        text = repr(seen) + repr(told(t, viewer))
        known = {name for name in CHARACTER_NAMES if f"'{name}'" in text}
        assert known == (set() if viewer is None else {own(t, viewer).character})


def test_st_2_1_everybody_is_told_their_own_character_and_cards() -> None:
    t = rail(*FOUR, characters=["engineer", "saboteur"], viewers=[None, 0, 1], keep=False)
    for seat, role in enumerate(["engineer", "saboteur"]):
        assert latest(t, "event.character", seat)["role"] == role
        assert latest(t, "event.dealt", seat)["cards"] == own(t, seat).dealt
        assert keys(t, seat) == ["event.departure", "event.character", "event.dealt"]
    assert keys(t) == ["event.departure"]


@pytest.mark.parametrize(
    ("cast", "balanced"),
    [
        (["stuntman", "chanteuse", "engineer"], True),
        (["photographer", "chanteuse", "engineer"], True),
        (["speedster", "stuntman"], True),
        (["photographer", "chanteuse"], True),
        (["photographer", "chanteuse", "engineer", "mi6-agent"], False),
        (["stuntman", "chanteuse", "engineer", "mi6-agent"], True),
        (["speedster", "chanteuse", "engineer", "mi6-agent"], True),
        (["speedster", "stuntman", "engineer", "mi6-agent"], True),
        (["photographer", "chanteuse", "engineer", "mi6-agent", "ticket-inspector"], False),
        (["stuntman", "chanteuse", "engineer", "mi6-agent", "ticket-inspector"], False),
        (["speedster", "chanteuse", "engineer", "mi6-agent", "ticket-inspector"], False),
        (["speedster", "stuntman", "engineer", "mi6-agent", "ticket-inspector"], True),
        (["rogue", "chanteuse", "engineer", "mi6-agent", "ticket-inspector"], True),
        (["rogue", "stuntman", "engineer", "mi6-agent", "ticket-inspector"], True),
        (["rogue", "stuntman", "speedster", "mi6-agent", "ticket-inspector"], True),
    ],
)
def test_st_2_2_a_cast_that_is_not_balanced_is_drawn_again(cast: list[str], balanced: bool) -> None:
    unfit = ["photographer", "chanteuse", "engineer", "mi6-agent", "resistance-conspirator"]
    fit = ["speedster", "stuntman", "prisoner-of-war", "photographer", "resistance-conspirator"]
    again = [fit[: len(cast)], unfit[: len(cast)]]
    aboard = drawn_cast(cast, *again, cast="balanced")
    assert aboard == set(cast if balanced else again[0])
    # Without the option anything goes.
    assert drawn_cast(cast, *again) == set(cast)


def test_st_2_2_a_cast_is_drawn_again_as_often_as_it_takes() -> None:
    one = ["photographer", "chanteuse", "engineer", "mi6-agent"]
    two = ["photographer", "chanteuse", "engineer", "ticket-inspector"]
    three = ["photographer", "chanteuse", "engineer", "stuntman"]
    assert drawn_cast(one, two, three, one, cast="balanced") == set(three)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_st_2_2_a_balanced_cast_of_fewer_than_six_has_no_rogue(players: int) -> None:
    for cast in casts(players, 100, cast="balanced"):
        assert "rogue" not in cast
        assert len(cast) == players


def test_st_2_2_balanced_casts_of_six_have_the_rogue_or_the_two_others() -> None:
    found = {
        ("rogue" in cast, {"stuntman", "speedster"} <= cast)
        for cast in casts(6, 100, cast="balanced")
    }
    assert found == {(True, False), (False, True), (True, True)}


# --- 2.3, 2.4 ------------------------------------------------------------------------------------


def test_st_2_3_the_train_stands_on_start_at_120() -> None:
    view = table(*FOUR).view()
    assert (view.at, view.speed, view.route) == (0, 120, "")
    assert view.records == []
    assert view.organiser == 2
    assert [(p.status, p.permits) for p in view.players] == [("aboard", 0)] * 4


@pytest.mark.parametrize("first", [1, 2, 3, 4])
def test_st_2_3_the_host_may_name_who_starts(first: int) -> None:
    assert table(*FOUR, first=first).view().drawer == first - 1
    for train in trains(4, 5, first=first):
        assert train.now.drawer == first - 1


def test_st_2_3_otherwise_chance_says_who_starts() -> None:
    assert {train.now.drawer for train in trains(4)} == {0, 1, 2, 3}
    t = table(*FOUR, first=0, deal={"start": [2]}, viewers=[None])
    assert t.view().drawer == 2
    assert latest(t, "event.departure") == {"seat": 2, "speed": 120}


def test_st_2_3_who_starts_must_sit_at_the_table() -> None:
    with pytest.raises(Refused) as caught:
        GAME.new(4, TrainOptions(first=5), bytes(32))
    assert caught.value.rule == "ST-2.3"


def test_st_2_4_the_effect_deck_is_shuffled() -> None:
    decks = [train.deck for train in trains(4, 5)]
    for one, other in pairwise(decks):
        assert one != other
        assert sorted(one) == sorted(other)
        assert one != sorted(one)


@pytest.mark.parametrize("players", [3, 4, 6])
def test_st_2_4_three_interventions_each_of_which_one_goes_back(players: int) -> None:
    t = table(*SIX[:players], keep=False)
    dealt = [own(t, seat).dealt for seat in range(players)]
    assert [len(hand) for hand in dealt] == [3] * players
    assert len(t.train.undealt) == 36 - 3 * players
    for seat in range(players):
        t.do(seat, {"do": "return", "card": dealt[seat][1]})
    for seat in range(players):
        assert own(t, seat).cards == [dealt[seat][0], dealt[seat][2]]
        assert own(t, seat).returned == dealt[seat][1]
    assert len(t.train.undealt) == 36 - 2 * players
    cards = [card for hand in t.train.hands for card in hand] + t.train.undealt
    assert kinds(CARD_NAMES, cards) == INTERVENTIONS


def test_st_2_4_only_one_of_ones_own_three_can_be_returned() -> None:
    t = table(["burn", "spy", "conductor"], [], [], keep=False)
    assert [action["card"] for action in t.legal(0)] == ["burn", "spy", "conductor"]
    with pytest.raises(Refused):
        t.do(1, {"do": "return", "card": "burn"})


def test_st_2_4_all_choose_at_the_same_time() -> None:
    t = table(*FOUR, keep=False)
    assert t.step == "keep"
    assert t.train.waiting() == [0, 1, 2, 3]
    for seat in (2, 0, 3):
        t.do(seat, {"do": "return", "card": own(t, seat).dealt[0]})
    assert t.train.waiting() == [1]
    assert t.step == "keep"
    t.do(1, {"do": "return", "card": own(t, 1).dealt[0]})
    assert t.step == "draw"


def test_st_2_4_one_may_think_again_until_the_last_one_has_chosen() -> None:
    t = table(["burn", "spy", "conductor"], [], [], keep=False)
    t.do(0, {"do": "return", "card": "burn"})
    assert [action["card"] for action in t.legal(0)] == ["burn", "spy", "conductor"]
    t.do(0, {"do": "return", "card": "spy"})
    assert t.train.waiting() == [1, 2]
    t.do(1, {"do": "return", "card": own(t, 1).dealt[0]})
    t.do(2, {"do": "return", "card": own(t, 2).dealt[0]})
    assert t.step == "draw"
    assert own(t, 0).cards == ["burn", "conductor"]


def test_st_2_4_what_one_keeps_is_secret() -> None:
    t = table(["burn", "spy"], ["forgery", "tailwind"], [], keep=False, viewers=[None, 2])
    before = [keys(t, viewer) for viewer in (None, 2)]
    t.do(0, {"do": "return", "card": "spy"})
    assert [keys(t, viewer) for viewer in (None, 2)] == before
    t.do(1, {"do": "return", "card": "forgery"})
    t.do(2, {"do": "return", "card": own(t, 2).dealt[0]})
    for viewer in (None, 2):
        text = repr(told(t, viewer)) + repr(t.view(viewer).players) + repr(t.view(viewer).own)
        assert not [name for name in ("burn", "spy", "forgery", "tailwind") if name in text]
    assert [player.interventions for player in t.view().players] == [2, 2, 2]
    assert "event.kept" in keys(t)


def test_st_2_4_any_time_begins_when_everybody_has_chosen() -> None:
    t = table(["burn"], ["spy"], [], keep=False)
    cards = [own(t, seat).dealt for seat in range(3)]
    t.do(0, {"do": "return", "card": next(card for card in cards[0] if card != "burn")})
    burn: list[dict[str, Any]] = [{"do": "intervene", "card": "burn"}, {"do": "name-organiser"}]
    assert t.cards(0) == []
    refused(t, 0, *burn)
    t.do(1, {"do": "return", "card": next(card for card in cards[1] if card != "spy")})
    refused(t, 0, *burn)
    t.do(2, {"do": "return", "card": cards[2][0]})
    assert t.cards(0) == ["burn"]
    t.do(0, *burn)
    assert t.step == "answer"


# --- 2.5 -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("speed", [30, 60, 90, 120, 150, 180])
def test_st_2_5_the_train_may_start_faster_or_slower(speed: int) -> None:
    t = rail(*FOUR, start_speed=str(speed), viewers=[None])
    assert t.view().speed == t.view().table.start_speed == speed
    assert latest(t, "event.departure")["speed"] == speed
    t.turn("maintain-speed")
    assert t.train.at == speed // 30


@pytest.mark.parametrize("speed", ["0", "15", "45", "210"])
def test_st_2_5_but_only_at_speeds_that_there_are(speed: str) -> None:
    with pytest.raises(Problem):
        convert(TrainOptions, {"start_speed": speed})


@pytest.mark.parametrize("players", [3, 4, 6])
@pytest.mark.parametrize("name", ["rogue", "stuntman", "speedster", "ticket-inspector"])
def test_st_2_5_a_character_can_be_made_certain_even_the_rogue(name: str, players: int) -> None:
    found = casts(players, 30, forced=[name])
    for cast in found:
        assert {name, "saboteur"} <= cast
        assert len(cast) == players
    # All else is as it was.
    others = ELEVEN if players == 6 else ELEVEN - {"rogue"} | {name}
    assert set.union(*casts(players, 120, forced=[name])) == others


def test_st_2_5_several_characters_can_be_made_certain() -> None:
    for cast in casts(3, 20, forced=["rogue", "stuntman"]):
        assert cast == {"saboteur", "rogue", "stuntman"}
    for cast in casts(5, 20, forced=["rogue", "stuntman", "speedster", "ticket-inspector"]):
        assert cast == {"saboteur", "rogue", "stuntman", "speedster", "ticket-inspector"}


@pytest.mark.parametrize("players", [3, 4])
def test_st_2_5_at_most_players_less_one_can_be_made_certain(players: int) -> None:
    names = ["rogue", "stuntman", "speedster", "ticket-inspector"]
    GAME.new(players, TrainOptions(forced=names[: players - 1]), bytes(32))  # type: ignore[arg-type]
    with pytest.raises(Refused) as caught:
        GAME.new(players, TrainOptions(forced=names[:players]), bytes(32))  # type: ignore[arg-type]
    assert caught.value.rule == "ST-2.5"


@pytest.mark.parametrize("excluded", [["rogue"], ["stuntman"], ["rogue", "stuntman"]])
def test_st_2_5_rogue_and_stuntman_can_be_left_out(excluded: list[str]) -> None:
    for train in trains(6, 20, excluded=excluded):
        assert aboard(train) | left_over(train) == ELEVEN - set(excluded)


@pytest.mark.parametrize("spaces", [0, 1, 12])
def test_st_2_5_the_train_may_start_up_to_12_spaces_closer_to_paris(spaces: int) -> None:
    t = rail(*FOUR, head_start=spaces)
    assert t.view().at == t.view().table.start == spaces
    t.turn("hard-brake")
    assert t.train.at == spaces + 1


def test_st_2_5_but_not_13_spaces_closer() -> None:
    convert(TrainOptions, {"head_start": 12})
    with pytest.raises(Problem):
        convert(TrainOptions, {"head_start": 13})


@pytest.mark.parametrize("fewer", [0, 3, 6])
def test_st_2_5_cards_that_accelerate_can_be_taken_out(fewer: int) -> None:
    each = fewer // 3
    counts = EFFECTS | {
        "full-speed-ahead": 17 - each,
        "accelerate": 16 - each,
        "speed-up": 7 - each,
    }
    t = table(*FOUR, fewer_accelerating=str(fewer))
    assert t.view().table.effects == counts
    for train in trains(4, 3, fewer_accelerating=str(fewer)):
        assert kinds(EFFECT_NAMES, train.deck) == counts
        assert len(train.deck) == 66 - fewer


@pytest.mark.parametrize(
    ("fewer", "deck", "left"),
    [
        # Full Speed Ahead!, Accelerate, Speed Up!; Accelerate, Speed Up!; Speed Up!
        (
            "6",
            {"full-speed-ahead": 1, "accelerate": 2, "speed-up": 30, "maintain-speed": 30},
            {"speed-up": 27, "maintain-speed": 30},
        ),
        # Full Speed Ahead!, Accelerate; Full Speed Ahead!
        (
            "3",
            {"full-speed-ahead": 20, "accelerate": 20, "maintain-speed": 23},
            {"full-speed-ahead": 18, "accelerate": 19, "maintain-speed": 23},
        ),
    ],
)
def test_st_2_5_they_are_taken_out_in_their_order_round_and_round(
    fewer: str, deck: dict[str, int], left: dict[str, int]
) -> None:
    t = table(*FOUR, data={"track": line_file(deck=deck)}, fewer_accelerating=fewer)
    assert {name: count for name, count in t.view().table.effects.items() if count} == left


@pytest.mark.parametrize("cast", ["first-game", "balanced"])
@pytest.mark.parametrize("chosen", [{"forced": ["speedster"]}, {"excluded": ["stuntman"]}])
def test_st_2_5_a_special_cast_and_chosen_characters_do_not_go_together(
    cast: str, chosen: dict[str, list[str]]
) -> None:
    options: dict[str, Any] = {"cast": cast, **chosen}
    with pytest.raises(Refused) as caught:
        GAME.new(6, TrainOptions(**options), bytes(32))
    assert caught.value.rule == "ST-2.5"


def test_st_2_5_nobody_is_both_certain_and_left_out() -> None:
    with pytest.raises(Refused) as caught:
        GAME.new(6, TrainOptions(forced=["rogue"], excluded=["stuntman", "rogue"]), bytes(32))
    assert caught.value.rule == "ST-2.5"
    for cast in casts(6, 20, forced=["rogue"], excluded=["stuntman"]):
        assert "rogue" in cast
        assert "stuntman" not in cast


@pytest.mark.parametrize("preset", list(GAME.presets))
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_st_2_5_every_preset_can_be_played_by_every_number_of_players(
    preset: str, players: int
) -> None:
    Match(GAME, NAMES[:players], GAME.preset(preset), seed=bytes(32))


# --- 3 -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speed", "spaces"), [(30, 1), (60, 2), (90, 3), (120, 4), (150, 5), (180, 6)]
)
def test_st_3_1_a_space_for_every_30(speed: int, spaces: int) -> None:
    t = rail(*FOUR, viewers=[None])
    t.at(23, speed)
    t.turn("maintain-speed")
    assert (t.train.speed, t.train.at) == (speed, 23 + spaces)
    assert latest(t, "event.moved") == {"speed": speed, "spaces": spaces}


@pytest.mark.parametrize(
    ("before", "effect", "after"),
    [
        (30, "apply-the-brakes", 30),
        (60, "apply-the-brakes", 30),
        (30, "hit-the-brakes", 30),
        (60, "hit-the-brakes", 30),
        (90, "hit-the-brakes", 30),
        (120, "hit-the-brakes", 60),
        (30, "hard-brake", 30),
        (180, "hard-brake", 30),
        (180, "accelerate", 180),
        (150, "accelerate", 180),
        (180, "speed-up", 180),
        (150, "speed-up", 180),
        (120, "speed-up", 180),
        (90, "speed-up", 150),
        (30, "full-speed-ahead", 180),
        (180, "full-speed-ahead", 180),
        (30, "sleight-of-hand-c", 30),
        (180, "sleight-of-hand-b", 180),
    ],
)
def test_st_3_1_speed_never_leaves_30_to_180(before: int, effect: str, after: int) -> None:
    t = rail(*FOUR)
    t.at(23, before)
    t.turn(effect)
    assert (t.train.speed, t.train.at) == (after, 23 + after // 30)


@pytest.mark.parametrize(("before", "at_once"), [(30, 60), (60, 60), (90, 90), (180, 180)])
def test_st_3_1_tailwind_makes_60_the_lowest_speed_at_once(before: int, at_once: int) -> None:
    t = rail(["tailwind"], [], [], [])
    t.at(23, before)
    t.works(0, "tailwind")
    assert t.view().speed == at_once
    assert (t.view().slowest, t.view().fastest) == (60, 180)


@pytest.mark.parametrize(
    ("before", "effect", "after"),
    [
        (90, "apply-the-brakes", 60),
        (90, "hit-the-brakes", 60),
        (60, "apply-the-brakes", 60),
        (180, "hard-brake", 60),
        (150, "hit-the-brakes", 90),
        (60, "accelerate", 90),
        (60, "full-speed-ahead", 180),
    ],
)
def test_st_3_1_with_tailwind_no_card_leads_below_60(before: int, effect: str, after: int) -> None:
    t = rail(["tailwind"], [], [], [])
    t.at(23, before)
    t.works(0, "tailwind")
    t.turn(effect)
    assert (t.train.speed, t.train.at) == (after, 23 + after // 30)


@pytest.mark.parametrize(("before", "at_once"), [(180, 150), (150, 150), (120, 120), (30, 30)])
def test_st_3_1_train_fault_makes_150_the_highest_speed_at_once(before: int, at_once: int) -> None:
    t = rail(["train-fault"], [], [], [])
    t.at(23, before)
    t.works(0, "train-fault")
    assert t.view().speed == at_once
    assert (t.view().slowest, t.view().fastest) == (30, 150)


@pytest.mark.parametrize(
    ("before", "effect", "after"),
    [
        (120, "full-speed-ahead", 150),
        (150, "accelerate", 150),
        (120, "speed-up", 150),
        (90, "speed-up", 150),
        (60, "speed-up", 120),
        (60, "hit-the-brakes", 30),
    ],
)
def test_st_3_1_with_a_train_fault_no_card_leads_above_150(
    before: int, effect: str, after: int
) -> None:
    t = rail(["train-fault"], [], [], [])
    t.at(23, before)
    t.works(0, "train-fault")
    t.turn(effect)
    assert (t.train.speed, t.train.at) == (after, 23 + after // 30)


def test_st_3_1_tailwind_and_train_fault_last_for_the_rest_of_the_game() -> None:
    t = rail(["tailwind"], ["train-fault"], [], [])
    t.at(place("scenic-route", 13), 120, "scenic-route")
    t.works(0, "tailwind")
    t.works(1, "train-fault")
    for effect, speed in [("hard-brake", 60), ("full-speed-ahead", 150)] * 2:
        t.turn(effect)
        assert t.train.speed == speed
    assert t.train.at == place("scenic-route", 13) + 2 + 5 + 2 + 5
