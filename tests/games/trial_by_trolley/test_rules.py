"""Trial by Trolley, rule by rule (docs/rules/en/trial-by-trolley.md)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from capolinea.engine import Line, Match, Problem, Refused
from capolinea.games.trial_by_trolley.title import GAME, TrolleyOptions
from tests.games.trial_by_trolley.tables import (
    CLOSE,
    DECLINE,
    EXTEND,
    NAMES,
    do,
    guilty,
    hand,
    innocent,
    modifier,
    pack,
    play_round,
    play_until,
    state,
    table,
    teams,
    tracks,
    verdict,
    view,
)


def refused(match: Match, seat: int, *steps: dict[str, Any]) -> Refused:
    with pytest.raises(Refused) as caught:
        do(match, seat, *steps)
    return caught.value


def refused_say(match: Match, seat: int, said: Any) -> Refused:
    with pytest.raises(Refused) as caught:
        match.say(seat, said)
    return caught.value


# --- 1 Table -------------------------------------------------------------------------------------


def test_tt_1_1_three_to_thirteen_players() -> None:
    assert list(GAME.seats) == list(range(3, 14))


@pytest.mark.parametrize(
    ("players", "conductor", "north", "south"),
    [
        (3, 0, [1], [2]),
        (4, 0, [1, 2], [3]),
        (5, 3, [4, 0], [1, 2]),
        (8, 6, [7, 0, 1, 2], [3, 4, 5]),
        (13, 12, [0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]),
    ],
)
def test_tt_1_1_north_sits_on_the_conductors_left_and_an_odd_player_joins_it(
    players: int, conductor: int, north: list[int], south: list[int]
) -> None:
    assert teams(table(players, conductor=conductor)) == [north, south]


def test_tt_1_2_an_empty_deck_is_refilled_from_its_discards_in_the_middle_of_a_draw() -> None:
    """With 8 Guilty, six go in the first round; of the six of the second, four come back."""
    match = table(3, own=pack(guilty=8))
    play_round(match, "north")
    shown = view(match, None)
    assert shown.decks[1].shuffles == 2
    assert (shown.decks[1].left, shown.decks[1].discarded) == (2, 0)
    # What was left was taken first: the first hand begins with the last two of the old deck.
    holder = state(match).guilty_jobs[0]
    assert hand(match, holder, "guilty")[:2] == ["g7", "g8"]


@pytest.mark.parametrize(
    ("own", "deck", "need", "options"),
    [
        (pack(innocent=7), "innocent", 8, {}),
        (pack(guilty=5), "guilty", 6, {}),
        (pack(modifier=5), "modifier", 6, {}),
        (pack(modifier=8), "modifier", 9, {"tom_trolley": True}),
    ],
)
def test_tt_1_2_a_table_does_not_start_with_a_deck_too_small(
    own: dict[str, Any], deck: str, need: int, options: dict[str, Any]
) -> None:
    with pytest.raises(Refused) as caught:
        table(3, own=own, **options)
    assert caught.value.rule == "TT-1.2"
    assert caught.value.args_ == {"deck": deck, "have": need - 1, "need": need}


def test_tt_1_2_more_players_need_more_modifiers() -> None:
    with pytest.raises(Refused) as caught:
        table(13, own=pack(modifier=35), accomplices=True)
    assert caught.value.args_["need"] == 36


def test_tt_1_3_the_host_names_the_first_conductor_or_chance_does() -> None:
    assert view(table(5, first=4), None).conductor == 3
    first = {view(Match(GAME, NAMES[:3], seed=bytes([n]) * 32), None).conductor for n in range(30)}
    assert first == {0, 1, 2}
    with pytest.raises(Refused) as caught:
        table(5, first=6)
    assert caught.value.rule == "TT-1.3"


def test_tt_1_3_the_next_conductor_sits_on_the_left_and_teams_form_anew() -> None:
    match = table(5, conductor=4)
    play_round(match, "north")
    assert view(match, None).conductor == 0
    assert teams(match) == [[1, 2], [3, 4]]


@pytest.mark.parametrize(("players", "times"), [(3, 2), (4, 2), (5, 1), (8, 1), (13, 1)])
def test_tt_1_4_everybody_is_conductor_once_or_twice_among_three_or_four(
    players: int, times: int
) -> None:
    match = table(players)
    conductors: Counter[int] = Counter()
    while match.result() is None:
        conductors[view(match, None).conductor] += 1
        play_round(match, "north")
    assert conductors == dict.fromkeys(range(players), times)


def test_tt_1_4_fewest_tokens_win_and_a_tie_is_shared() -> None:
    match = table(3)
    while match.result() is None:
        play_round(match, "north")
    result = match.result()
    assert result is not None
    # Always North: everybody was on the Conductor's left as often as the others.
    assert view(match, None).tokens == [2, 2, 2]
    assert result.winners == [0, 1, 2]

    match = table(3)
    while match.result() is None:
        seats = teams(match)
        play_round(match, "south" if 1 in seats[0] else "north")
    result = match.result()
    assert result is not None
    assert result.winners == [1]
    reasons = [outcome.reasons[0] for outcome in result.outcomes]
    assert [reason.args["tokens"] for reason in reasons] == view(match, None).tokens
    assert [reason.held for reason in reasons] == [False, True, False]


# --- 2 A round -----------------------------------------------------------------------------------


def test_tt_2_1_three_players_have_a_job_each() -> None:
    match = table(7)  # teams of three
    north, south = teams(match)
    assert hand(match, north[0], "innocent") == ["i1", "i2", "i3"]
    assert hand(match, north[1], "guilty") == ["g1", "g2", "g3"]
    assert hand(match, north[2], "modifier") == ["m1", "m2", "m3"]
    assert hand(match, south[0], "innocent") == ["i4", "i5", "i6"]


@pytest.mark.parametrize(
    ("players", "jobs"),
    [
        (3, [["innocent", "guilty", "modifier"]]),
        (5, [["innocent", "modifier"], ["guilty"]]),
        (9, [["innocent"], ["guilty"], ["modifier"], ["modifier"]]),
    ],
)
def test_tt_2_1_fewer_share_the_jobs_and_more_draw_modifiers(
    players: int, jobs: list[list[str]]
) -> None:
    match = table(players)
    north = teams(match)[0]
    decks = ("innocent", "guilty", "modifier")
    found = [[deck for deck in decks if hand(match, seat, deck)] for seat in north]
    assert found == jobs


def test_tt_2_1_jobs_start_one_seat_further_each_round() -> None:
    match = table(7)
    first = [team.innocent for team in view(match, None).teams]
    assert first == [team[0] for team in teams(match)]
    play_round(match, "north")
    second = [team.innocent for team in view(match, None).teams]
    assert second == [team[1] for team in teams(match)]


def test_tt_2_1_hands_are_hidden_from_the_other_team_and_the_conductor() -> None:
    match = table(5)
    north, south = teams(match)
    mates = view(match, north[1]).own
    assert mates is not None
    assert [one.seat for one in mates.hands] == north
    assert mates.hands[0].innocent == ["i1", "i2", "i3"]
    others = view(match, south[0]).own
    assert others is not None
    assert [one.seat for one in others.hands] == south
    assert view(match, view(match, None).conductor).own is None
    assert view(match, None).own is None


def test_tt_2_2_each_track_begins_with_a_random_innocent() -> None:
    match = table(3)
    assert tracks(match) == [["i7"], ["i8"]]


def test_tt_2_3_each_team_adds_an_innocent_to_its_own_track_and_both_are_shown_together() -> None:
    match = table(3)
    do(match, 1, innocent(1))
    assert tracks(match) == [["i7"], ["i8"]]
    assert view(match, None).teams[0].ready
    assert view(match, 2).own.choice == -1  # type: ignore[union-attr]
    do(match, 1, innocent(2))  # open to change until both are in
    do(match, 2, innocent(0))
    assert tracks(match) == [["i7", "i3"], ["i8", "i4"]]
    assert view(match, None).decks[0].discarded == 4


def test_tt_2_3_only_the_holder_of_the_job_decides() -> None:
    match = table(5)
    holder, mate = teams(match)[0]
    assert refused(match, mate, innocent(0)).rule == "TT-2.3"
    do(match, holder, innocent(0))


def test_tt_2_4_each_team_adds_a_guilty_to_the_end_of_the_other_track() -> None:
    match = table(3)
    play_until(match, "guilty")
    do(match, 2, guilty(0))
    assert len(tracks(match)[0]) == 2
    do(match, 1, guilty(1))
    assert tracks(match) == [["i7", "i1", "g4"], ["i8", "i4", "g2"]]
    assert view(match, None).decks[1].discarded == 4
    assert refused(match, 1, guilty(0)).rule == "TT-2.5"


def test_tt_2_5_modifiers_go_on_any_card_of_either_track_as_many_as_one_likes() -> None:
    match = table(3)
    play_until(match, "modifier")
    do(match, 1, *modifier(2, "south", 0))
    do(match, 2, *modifier(0, "south", 0))
    laid = view(match, None).teams[1].track[0].modifiers
    assert [(one.card, one.by) for one in laid] == [("m3", 1), ("m4", 2)]
    assert view(match, None).decks[2].discarded == 4


@pytest.mark.parametrize(
    ("players", "order"),
    [(3, [1, 2]), (9, [3, 7, 4, 8]), (10, [3, 8, 4, 9, 5])],
)
def test_tt_2_5_one_at_a_time_the_teams_alternating_from_the_conductors_left(
    players: int, order: list[int]
) -> None:
    match = table(players)
    play_until(match, "modifier")
    assert view(match, None).queue == order
    assert match.state.waiting() == order[:1]
    assert refused(match, order[1], *modifier(0, "north", 0)).rule == "TT-2.5"


def test_tt_2_5_the_card_and_where_it_goes_are_one_choice() -> None:
    match = table(3)
    play_until(match, "modifier")
    assert refused(match, 1, {"do": "modifier", "place": 0}).key == "refused.unfinished"
    assert view(match, None).queue == [1, 2]


def test_tt_2_5_who_laid_a_modifier_may_point_at_a_person_or_thing() -> None:
    match = table(3)
    play_until(match, "modifier")
    do(match, 1, *modifier(0, "south", 0))
    point = {"track": "south", "place": 0, "modifier": 0, "thing": "the door"}
    assert refused_say(match, 2, {"point": point}).key == "refused.point"
    match.say(1, {"point": point})
    assert match.said[0].line.args == {
        "seat": 1,
        "modifier": "m1",
        "card": "i8",
        "thing": "the door",
    }
    for wrong in ({**point, "place": 3}, {**point, "modifier": 1}, {**point, "thing": ""}):
        assert refused_say(match, 1, {"point": wrong}).rule == "TT-2.5"


def test_tt_2_5_who_laid_a_modifier_may_point_at_what_the_card_itself_names() -> None:
    cards = [{**card, "things": [{"en": "the door"}]} for card in pack()["cards"]]
    match = table(3, own={"cards": cards})
    play_until(match, "modifier")
    do(match, 1, *modifier(0, "south", 0))
    assert view(match, None).things["i8"] == 1
    point = {"track": "south", "place": 0, "modifier": 0, "thing": 0}
    match.say(1, {"point": point})
    assert match.said[0].line == Line(
        "saying.point.thing", {"seat": 1, "modifier": "m1", "card": "i8", "thing": "i8.0"}
    )
    assert refused_say(match, 1, {"point": {**point, "thing": 1}}).rule == "TT-2.5"


def test_tt_2_6_the_teams_plead_until_the_conductor_closes() -> None:
    match = table(3)
    assert refused_say(match, 1, {"plea": "Spare us!"}).key == "refused.plea-closed"
    play_until(match, "plea")
    match.say(1, {"plea": " Spare us! "})
    match.say(2, {"plea": {"line": "plea.save", "cards": [tracks(match)[1][0]]}})
    assert refused_say(match, 0, {"plea": "Hm."}).key == "refused.plea-conductor"
    assert [said.line.args.get("text") for said in match.said] == ["Spare us!", None]
    do(match, 0, CLOSE)
    assert refused_say(match, 1, {"plea": "Wait!"}).key == "refused.plea-closed"


def test_tt_2_6_the_conductor_may_extend_the_talk_and_then_must_choose() -> None:
    match = table(3)
    play_until(match, "plea")
    assert refused(match, 0, verdict("north")).rule == "TT-2.6"
    for _ in range(3):
        do(match, 0, EXTEND)
    assert refused(match, 0, EXTEND).rule == "TT-2.6"
    assert match.default(0) == [GAME.space.number("close")]  # when the clock runs out
    do(match, 0, CLOSE)
    assert refused(match, 1, verdict("north")).rule == "TT-2.6"
    assert [GAME.space.json(action)["do"] for action in match.legal(0)] == ["verdict"] * 2


def test_tt_2_6_everybody_on_the_chosen_track_takes_a_token() -> None:
    match = table(5)
    north = teams(match)[0]
    play_round(match, "north")
    assert [seat for seat in range(5) if view(match, None).tokens[seat]] == north
    assert sum(view(match, None).tokens) == len(north)


def test_tt_2_6_the_talk_has_a_clock_of_three_minutes_unless_the_table_says_otherwise() -> None:
    assert view(table(3), None).talk_minutes == 3
    assert view(table(3, talk_minutes=7), None).talk_minutes == 7


def test_tt_2_6_while_the_pleas_are_open_the_clock_is_theirs() -> None:
    match = table(3, talk_minutes=2)
    assert match.state.talk() == -1
    play_until(match, "plea")
    assert match.state.talk() == 120
    do(match, 0, CLOSE)
    assert match.state.talk() == -1
    unhurried = table(3, talk_minutes=0)
    play_until(unhurried, "plea")
    assert unhurried.state.talk() == 0


def test_tt_2_6_who_has_no_more_to_plead_may_say_so() -> None:
    match = table(3)
    assert refused_say(match, 1, {"rest": True}).key == "refused.plea-closed"
    play_until(match, "plea")
    match.say(1, {"rest": True})
    assert match.said[-1].line.key == "saying.rest"
    assert refused_say(match, 0, {"rest": True}).key == "refused.plea-conductor"
    assert refused_say(match, 1, {"rest": 1}).key == "refused.saying"


@pytest.mark.parametrize(
    "said", [{"plea": ""}, {"plea": "x" * 501}, {"plea": 3}, {"shout": "!"}, "Mercy", {}]
)
def test_tt_2_6_a_plea_is_a_short_text_or_a_line_about_cards(said: Any) -> None:
    match = table(3)
    play_until(match, "plea")
    refused_say(match, 1, said)


def test_tt_2_6_a_line_is_about_cards_on_the_tracks() -> None:
    match = table(3)
    play_until(match, "plea")
    said = {"plea": {"line": "plea.save", "cards": ["i30"]}}
    assert refused_say(match, 1, said).key == "refused.not-on-table"


def test_tt_2_7_all_cards_played_go_to_their_discards() -> None:
    match = table(3, own=pack(innocent=30, guilty=24, modifier=60))
    play_round(match, "north")
    decks = view(match, None).decks
    # Of 30 Innocents 8 were used, and 8 are out again; likewise with the others.
    assert [(deck.left, deck.discarded) for deck in decks] == [(14, 8), (12, 6), (48, 6)]


# --- 3 Variants ----------------------------------------------------------------------------------


def test_tt_3_1_nobody_holds_tom_trolley_while_all_have_equally_many() -> None:
    assert view(table(3, tom_trolley=True), None).tom == -1


def test_tt_3_1_who_has_most_tokens_draws_three_more_and_may_play_one_more() -> None:
    match = table(5, tom_trolley=True)
    play_round(match, "south")  # 3 and 4 take a token; 1 is Conductor now
    shown = view(match, None)
    assert shown.tokens == [0, 0, 0, 1, 1]
    assert shown.tom == 3
    play_until(match, "modifier")
    # Player 3 has the Modifier job too: three cards and one play of their own, and as many again.
    assert view(match, None).queue == [3, 3, 0]
    assert len(hand(match, 3, "modifier")) == 6


def test_tt_3_1_a_holder_without_the_modifier_job_has_the_extra_play_alone_and_last() -> None:
    match = table(7, tom_trolley=True)
    play_round(
        match, "south"
    )  # 4, 5 and 6 take a token; 1 is Conductor, and 4 the first on the left
    assert (view(match, None).tom, view(match, None).teams[0].guilty) == (4, 4)
    play_until(match, "modifier")
    assert view(match, None).queue == [2, 5, 4]
    assert len(hand(match, 4, "modifier")) == 3
    for seat in (2, 5):
        match.move(seat, match.default(seat))
    do(match, 4, DECLINE)
    assert view(match, None).phase == "plea"


def test_tt_3_1_the_extra_play_comes_right_after_the_holders_own_and_may_be_left_out() -> None:
    match = table(3, tom_trolley=True)
    play_round(match, "north")  # player 1 takes a token and is Conductor
    assert view(match, None).tom in (0, 2)
    play_round(match, "north")
    shown = view(match, None)
    tom = shown.tom
    play_until(match, "modifier")
    queue = view(match, None).queue
    at = queue.index(tom)
    assert queue[at : at + 2] == [tom, tom]
    while view(match, None).queue[0] != tom:
        seat = view(match, None).queue[0]
        match.move(seat, match.default(seat))
    assert refused(match, tom, DECLINE).rule == "TT-2.5"
    do(match, tom, *modifier(5, "north", 0))
    assert len(hand(match, tom, "modifier")) == 5
    do(match, tom, DECLINE)
    assert tom not in view(match, None).queue


def test_tt_3_1_a_conductor_cannot_use_it_and_it_passes_to_the_next_in_line() -> None:
    match = table(3, tom_trolley=True)
    play_round(match, "north")
    shown = view(match, None)
    assert (shown.conductor, shown.tokens) == (1, [0, 1, 0])
    assert shown.tom == 2  # the first on the Conductor's left of those who have most after that


def test_tt_3_2_accomplices_draw_and_play_a_modifier_each_but_not_the_conductor() -> None:
    match = table(5, accomplices=True)
    play_until(match, "modifier")
    assert view(match, None).queue == [1, 3, 2, 4]
    assert all(len(hand(match, seat, "modifier")) == 3 for seat in (1, 2, 3, 4))


# --- 4 Playing it on screens ---------------------------------------------------------------------


def test_tt_4_1_the_conductor_sees_both_tracks_and_a_shared_screen_the_tracks_alone() -> None:
    match = table(3)
    play_until(match, "plea")
    for viewer in (0, None):
        shown = view(match, viewer)
        assert [len(team.track) for team in shown.teams] == [3, 3]
        assert shown.own is None


def test_tt_4_2_bots_can_take_any_seat_plead_and_say_why() -> None:
    from capolinea import bots
    from capolinea.bots.match import BotMatch

    match = Match(GAME, NAMES[:4], seed=bytes(32))
    BotMatch(match, [bots.load("advocate", GAME) for _ in range(4)], b"bots").play()
    assert match.result() is not None
    kinds = Counter(next(iter(said.said)) for said in match.said)
    assert kinds["plea"] == 8 * 3
    assert kinds["reason"] >= 7


# --- 5 Cards -------------------------------------------------------------------------------------

STARTER = GAME.data()["pack"]["starter"]["cards"]


@pytest.mark.parametrize(("deck", "count", "family"), [("innocent", 60, 40), ("guilty", 50, 33)])
def test_tt_5_1_the_starter_pack_is_large_enough_and_mostly_for_families(
    deck: str, count: int, family: int
) -> None:
    cards = [card for card in STARTER if card["deck"] == deck]
    assert len(cards) == count
    assert sum(card["tag"] == "family" for card in cards) >= family
    assert all(set(card["text"]) == {"en", "it", "de"} for card in cards)


def test_tt_5_1_a_family_table_has_no_dark_cards() -> None:
    dark = {card["id"] for card in STARTER if card["tag"] == "dark"}
    options = TrolleyOptions(family=True)
    assert not dark & {card["id"] for card in GAME.cards(options)}
    assert dark <= {card["id"] for card in GAME.cards(TrolleyOptions())}


def test_tt_5_2_there_are_sixty_modifiers_that_name_nobody_themselves() -> None:
    cards = [card for card in STARTER if card["deck"] == "modifier"]
    assert len(cards) == 60
    assert sum(card["tag"] == "family" for card in cards) >= 40
    for card in cards:
        for text in card["text"].values():
            assert text[0].islower() or text[0] in "“„«", text
            assert not text.endswith("."), text


def test_tt_5_3_faults_are_named_and_nothing_is_half_loaded() -> None:
    own = pack()
    own["cards"][2] = {"deck": "angel", "text": {}}
    with pytest.raises(Problem) as caught:
        table(3, own=own)
    assert caught.value.key == "data.faults"
    assert caught.value.args_["count"] == 2


def test_tt_5_3_an_own_pack_can_be_mixed_with_the_starter_pack() -> None:
    few = {"cards": [{"deck": "innocent", "text": {"en": "my cat"}}]}
    alone = TrolleyOptions(pack="cat", data={"pack": few})
    with pytest.raises(Refused):
        GAME.check(3, alone)
    mixed = TrolleyOptions(pack="cat", data={"pack": few}, with_starter=True)
    GAME.check(3, mixed)
    assert len(GAME.cards(mixed)) == 171
    assert GAME.texts(mixed, "de")["card.card-1"] == {"": "my cat", "quoted": "„my cat“"}
