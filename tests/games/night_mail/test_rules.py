"""Night Mail, rule by rule (docs/rules/en/night-mail.md)."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea.engine import Match, Refused, Result
from capolinea.games.night_mail.rules import COUNTS, KIND, KIND_NAMES
from capolinea.games.night_mail.title import GAME, NightMailOptions
from tests.games.night_mail.tables import (
    deliver,
    do,
    legal,
    load,
    points,
    state,
    table,
    telegram,
    view,
    vote,
)

PLAIN = ["postcard", "letter", "parcel"]
SHORT: dict[str, Any] = {"line": "shuttle"}


def refused(match: Match, seat: int, *steps: object) -> Refused:
    with pytest.raises(Refused) as caught:
        do(match, seat, *steps)  # type: ignore[arg-type]
    return caught.value


def offered(*others: list[str], die: list[int] | None = None) -> Match:
    """Ada has a parcel in her bag and offers it, for Bruno to sign."""
    match = table(PLAIN, *others, die=die or [1, 1])
    do(match, 0, load("parcel"))
    do(match, 0, "depart")
    do(match, 0, *deliver("parcel", 1))
    return match


def result(match: Match) -> Result:
    found = match.result()
    assert found is not None
    return found


# --- 1 -------------------------------------------------------------------------------------------


def test_nm_1_1_two_to_five_players_and_forty_two_cards() -> None:
    assert list(GAME.seats) == [2, 3, 4, 5]
    assert dict(zip(KIND_NAMES, COUNTS, strict=True)) == {
        "postcard": 10,
        "letter": 9,
        "parcel": 6,
        "bandit": 6,
        "guard": 6,
        "telegram": 5,
    }
    assert len(KIND) == 42
    with pytest.raises(Refused):
        GAME.new(6, NightMailOptions(), bytes(32))


def test_nm_1_2_employers_come_from_one_card_more_than_players() -> None:
    """With four players there are three North and two South cards: one stays unknown."""
    seen = set()
    for number in range(200):
        match = Match(GAME, ["A", "B", "C", "D"], seed=number.to_bytes(32, "big"))
        seen.add(sum(state(match).employers[:4]))
    assert seen == {1, 2}


def test_nm_1_3_hands_the_first_station_and_who_begins() -> None:
    match = table(PLAIN, ["guard", "guard", "bandit"])
    assert view(match, 1).own is not None
    assert view(match, 1).own.hand == ["bandit", "guard", "guard"]  # type: ignore[union-attr]
    assert view(match, None).station == state(match).trunk[0]
    begin = {
        state(Match(GAME, ["A", "B"], seed=bytes([number]) * 32)).current for number in range(20)
    }
    assert begin == {0, 1}


# --- 2 -------------------------------------------------------------------------------------------


def test_nm_2_1_mail_is_loaded_face_down_and_can_be_taken_back() -> None:
    match = table(PLAIN, PLAIN)
    do(match, 0, load("letter"))
    assert view(match, 0).own.bag == ["letter"]  # type: ignore[union-attr]
    assert view(match, 1).players[0].bag == 1
    match.undo(0)
    assert view(match, 0).own.bag == []  # type: ignore[union-attr]
    assert view(match, 0).own.hand == ["postcard", "letter", "parcel"]  # type: ignore[union-attr]


def test_nm_2_1_a_bag_has_room_for_three() -> None:
    match = table(["letter"] * 4, [*PLAIN, "guard"])
    for _ in range(3):
        do(match, 0, load("letter"))
    assert legal(match, 0) == [{"do": "depart"}]
    assert refused(match, 0, load("letter")).rule == "NM-2.1"


def test_nm_2_1_only_mail_can_be_loaded_and_only_on_ones_turn() -> None:
    match = table(["guard", "guard", "parcel"], PLAIN)
    assert legal(match, 0) == [{"do": "depart"}, load("parcel")]
    assert refused(match, 1, load("letter")).rule == "NM-2.1"


def test_nm_2_2_the_train_moves_as_the_die_says() -> None:
    match = table(PLAIN, PLAIN, die=[4])
    do(match, 0, "depart")
    assert view(match, None).station == state(match).trunk[4]
    assert view(match, None).pips == 4


def test_nm_2_2_the_train_always_halts_at_the_junction() -> None:
    match = table(PLAIN, PLAIN, die=[6], **SHORT)
    do(match, 0, "depart")
    assert view(match, None).station == state(match).trunk[-1]
    assert view(match, None).phase == "vote"


def test_nm_2_2_a_departure_cannot_be_taken_back() -> None:
    match = table(PLAIN, PLAIN, die=[1])
    do(match, 0, "depart")
    assert match.undoable(0) == 0


def test_nm_2_3_mail_and_who_signs_are_one_choice() -> None:
    match = table(PLAIN, PLAIN, PLAIN, die=[1])
    do(match, 0, load("parcel"))
    do(match, 0, "depart")
    key = match.state.key()
    assert refused(match, 0, {"do": "deliver", "mail": "parcel"}).key == "refused.unfinished"
    assert match.state.key() == key
    first = GAME.space.number("deliver", mail="parcel")
    assert match.legal(0, [first]) == [GAME.space.number("sign", seat=s) for s in (1, 2)]
    do(match, 0, *deliver("parcel", 2))
    offer = view(match, 1).offer
    assert offer is not None
    assert (offer.mail, offer.signer) == ("parcel", 2)


def test_nm_2_3_only_what_is_in_the_bag_can_be_delivered_or_all_be_kept() -> None:
    match = table(PLAIN, PLAIN, die=[1])
    do(match, 0, load("letter"))
    do(match, 0, "depart")
    assert legal(match, 0) == [{"do": "keep"}, {"do": "deliver", "mail": "letter"}]


def test_nm_2_4_at_the_end_of_a_turn_the_hand_is_filled_and_the_next_player_goes_on() -> None:
    match = table(PLAIN, PLAIN, die=[1], draws=["telegram"])
    do(match, 0, load("letter"))
    do(match, 0, "depart")
    do(match, 0, "keep")
    assert view(match, 0).own.hand == ["postcard", "parcel", "telegram"]  # type: ignore[union-attr]
    assert view(match, None).current == 1


# --- 3 -------------------------------------------------------------------------------------------


def test_nm_3_1_everybody_but_the_deliverer_is_asked_whatever_they_hold() -> None:
    match = offered(["bandit", "guard", "guard"], ["letter", "letter", "letter"])
    assert match.state.waiting() == [1, 2]
    assert match.awaited().window == "robbery"
    assert match.awaited().seats == []
    assert legal(match, 1) == [{"do": "pass"}, {"do": "bandit"}]
    assert legal(match, 2) == [{"do": "pass"}]


def test_nm_3_1_a_pass_is_told_to_nobody() -> None:
    match = offered(PLAIN, PLAIN, PLAIN)
    before = [len(match.frames(viewer)) for viewer in (0, 1, 3, None)]
    do(match, 2, "pass")
    assert [len(match.frames(viewer)) for viewer in (0, 1, 3, None)] == before


def test_nm_3_2_an_answer_can_be_answered_by_anybody_but_its_player() -> None:
    match = offered(["bandit", "bandit", "guard"], ["guard", "bandit", "letter"])
    do(match, 1, "bandit")
    assert match.awaited().window == "rescue"
    assert match.state.waiting() == [0, 2]
    do(match, 2, "guard")
    assert match.awaited().window == "robbery"
    assert match.state.waiting() == [0, 1]
    assert {"do": "bandit"} not in legal(match, 2)
    do(match, 1, "bandit")
    assert match.state.waiting() == [0, 2]


def test_nm_3_2_who_passed_may_still_answer_until_the_window_closes() -> None:
    match = offered(["bandit", "bandit", "guard"], PLAIN)
    do(match, 1, "pass")
    assert legal(match, 1) == [{"do": "bandit"}]
    do(match, 1, "bandit")
    assert match.awaited().window == "rescue"


def test_nm_3_2_out_of_a_window_there_is_nothing_to_answer() -> None:
    match = table(["bandit", "guard", "letter"], PLAIN)
    assert refused(match, 0, "bandit").rule == "NM-3.2"


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ([], [3, 1, 0]),
        ([(1, "bandit")], [0, 3, 0]),
        ([(1, "bandit"), (2, "guard")], [3, 1, 0]),
        ([(1, "bandit"), (2, "guard"), (1, "bandit")], [0, 3, 0]),
    ],
)
def test_nm_3_3_the_last_card_decides_who_gets_the_points(
    answers: list[tuple[int, str]], expected: list[int]
) -> None:
    match = offered(["bandit", "bandit", "guard"], ["guard", "bandit", "letter"])
    for seat, card in answers:
        do(match, seat, card)
    while match.awaited().window:
        do(match, match.state.waiting()[0], "pass")
    assert points(match) == expected


# --- 4 -------------------------------------------------------------------------------------------


def at_the_junction(players: int = 3, **options: object) -> Match:
    hands = [PLAIN] * players
    match = table(*hands, die=[6], **SHORT, **options)  # type: ignore[arg-type]
    do(match, 0, "depart")
    return match


def test_nm_4_1_at_the_junction_everybody_votes() -> None:
    match = at_the_junction()
    assert match.state.waiting() == [0, 1, 2]
    assert legal(match, 1) == [vote("north"), vote("south")]
    elsewhere = table(PLAIN, PLAIN)
    assert refused(elsewhere, 0, vote("north")).rule == "NM-4.1"


def test_nm_4_2_votes_are_secret_open_to_change_and_shown_without_names() -> None:
    match = at_the_junction()
    do(match, 0, vote("north"))
    do(match, 1, vote("north"))
    assert view(match, 2).voted == [0, 1]
    assert "north" not in str(view(match, 2).votes)
    do(match, 1, vote("south"))
    do(match, 2, vote("south"))
    assert view(match, None).tally == [1, 2]
    assert view(match, None).votes == []


def test_nm_4_2_open_votes_are_shown_with_names() -> None:
    match = at_the_junction(open_vote=True)
    for seat, branch in enumerate(["south", "north", "south"]):
        assert view(match, None).votes == []
        do(match, seat, vote(branch))
    assert view(match, None).votes == ["south", "north", "south"]


@pytest.mark.parametrize(
    ("votes", "branch"),
    [("nnnn", "north"), ("nnss", "north"), ("nsss", "south"), ("ssss", "south")],
)
def test_nm_4_3_most_votes_win_and_a_tie_goes_north(votes: str, branch: str) -> None:
    match = at_the_junction(4)
    for seat, letter in enumerate(votes):
        do(match, seat, vote("north" if letter == "n" else "south"))
    assert view(match, None).branch == branch
    assert view(match, None).station == state(match).branches[branch == "south"][0]
    assert view(match, None).phase == "deliver"


# --- 5 -------------------------------------------------------------------------------------------


def test_nm_5_1_a_telegram_shows_a_bag_to_its_sender_alone() -> None:
    match = table(PLAIN, ["telegram", "letter", "letter"], PLAIN)
    assert refused(match, 1, telegram(0)).rule == "NM-5.1"  # an empty bag
    do(match, 0, load("parcel"))
    do(match, 0, load("letter"))
    do(match, 1, telegram(0))  # out of turn
    own = view(match, 1).own
    assert own is not None
    assert [(peek.seat, peek.bag) for peek in own.peeks] == [(0, ["letter", "parcel"])]
    assert view(match, 2).own.peeks == []  # type: ignore[union-attr]
    assert view(match, None).discard == ["telegram"]
    assert refused(match, 1, telegram(0)).rule == "NM-5.1"  # used up


def test_nm_5_1_what_was_seen_is_remembered_until_it_leaves_the_bag() -> None:
    match = table(PLAIN, ["telegram", "letter", "letter"], die=[1, 1])
    do(match, 0, load("parcel"))
    do(match, 0, load("letter"))
    do(match, 1, telegram(0))
    do(match, 0, "depart")
    do(match, 0, *deliver("parcel", 1))
    own = view(match, 1).own
    assert own is not None
    assert [peek.bag for peek in own.peeks] == [["letter"]]


# --- 6 -------------------------------------------------------------------------------------------


def arrived(employers: list[str], branch: str = "north") -> Match:
    """Two players, one vote each for the branch, and straight on to its end."""
    match = table(PLAIN, PLAIN, die=[6, 6], employers=employers, **SHORT)
    do(match, 0, "depart")
    for seat in (0, 1):
        do(match, seat, vote(branch))
    do(match, 0, "keep")
    do(match, 1, load("postcard"))
    do(match, 1, "depart")
    assert match.result() is None  # the last delivery is still to come
    do(match, 1, "keep")
    return match


def test_nm_6_1_the_game_ends_at_the_terminus() -> None:
    match = arrived(["north", "south"])
    assert result(match).ending == "arrived"
    assert match.state.waiting() == []
    assert refused(match, 0, "depart").rule == "NM-6.1"


def test_nm_6_1_the_game_ends_when_a_hand_cannot_be_filled() -> None:
    hand = ["postcard", "postcard", "letter", "bandit", "guard"]
    match = table(hand, hand, hand, hand, hand, die=[1] * 40)
    while match.result() is None:
        seat = match.state.waiting()[0]
        options = legal(match, seat)
        loads = [step for step in options if step["do"] == "load"]
        if loads:
            do(match, seat, loads[0])
        elif state(match).phase == 2 and state(match).bags[seat]:
            do(match, seat, *deliver(options[1]["mail"], (seat + 1) % 5))
        else:
            match.move(seat, [match.state.default(seat)])
    assert result(match).ending == "stranded"
    assert view(match, None).deck < 5


@pytest.mark.parametrize(("branch", "scores"), [("north", [3, 0]), ("south", [0, 3])])
def test_nm_6_2_employers_are_revealed_and_the_right_branch_pays(
    branch: str, scores: list[int]
) -> None:
    match = arrived(["north", "south"], branch)
    assert view(match, None).employers == ["north", "south"]
    assert [outcome.score for outcome in result(match).outcomes] == scores
    held = [outcome.reasons[1].held for outcome in result(match).outcomes]
    assert held == [score == 3 for score in scores]


def test_nm_6_2_employers_are_hidden_until_then() -> None:
    match = at_the_junction()
    assert view(match, None).employers == []


def test_nm_6_3_most_points_win_and_a_tie_is_shared() -> None:
    assert result(arrived(["north", "south"])).winners == [0]
    assert result(arrived(["north", "north"])).winners == [0, 1]


# --- 7 -------------------------------------------------------------------------------------------


def test_nm_7_1_a_claim_names_as_many_as_the_bag_holds_true_or_not() -> None:
    match = table(PLAIN, PLAIN)
    do(match, 0, load("parcel"))
    match.say(0, {"bag": ["postcard"]})
    assert [said.line.args for said in match.said] == [{"seat": 0, "bag": ["postcard"]}]
    with pytest.raises(Refused) as caught:
        match.say(0, {"bag": ["postcard", "letter"]})
    assert (caught.value.key, caught.value.rule) == ("refused.claim-count", "NM-7.1")


@pytest.mark.parametrize(
    "said", [{"bag": ["guard"]}, {"bag": []}, {"bag": "letter"}, {}, [], "a parcel", None]
)
def test_nm_7_1_a_claim_is_a_list_of_mail(said: object) -> None:
    match = table(PLAIN, PLAIN)
    do(match, 0, load("parcel"))
    with pytest.raises(Refused) as caught:
        match.say(0, said)
    assert caught.value.key == "refused.claim-form"
