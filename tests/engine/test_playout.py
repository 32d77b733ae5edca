"""Whom to ask next, and random play to the end."""

from __future__ import annotations

import pytest

from capolinea.engine import Game, Match, Rng
from capolinea.engine.playout import Playout, Rota
from capolinea.games.night_mail.title import GAME as NIGHT_MAIL
from tests.conformance.pips import GAME as PIPS
from tests.engine.expect import problem
from tests.engine.toy import Toy

SEED = bytes(range(32))


def toy(waits: list[int], **offers: list[int]) -> Toy:
    """A toy that waits for these seats; `s1=[7]` lets seat 1 do 7."""
    state = Toy()
    state.waits = waits
    state.offers = {int(name[1:]): legal for name, legal in offers.items()}
    return state


def asked(rota: Rota, state: Toy, times: int) -> list[tuple[int, bool]]:
    """Whom it asks, and whether they may decline."""
    rng = Rng()
    return [(rota.next(state, rng), rota.may_decline) for _ in range(times)]


# --- whom to ask -------------------------------------------------------------------------------


def test_the_one_waited_for_is_asked_and_may_not_decline() -> None:
    assert asked(Rota(), toy([2], s2=[1]), 2) == [(2, False), (2, False)]


def test_when_nobody_is_waited_for_it_is_over() -> None:
    assert asked(Rota(), toy([], s0=[1]), 1) == [(-1, False)]


@pytest.mark.parametrize("seat", [0, 3])
def test_whoever_is_midway_goes_on_before_anybody_else(seat: int) -> None:
    state = toy([1], s0=[1], s1=[1], s3=[1])
    state.mid = seat
    assert asked(Rota(), state, 2) == [(seat, False), (seat, False)]


def test_everybody_not_waited_for_is_offered_a_move_out_of_turn_once_in_seat_order() -> None:
    state = toy([1], s0=[5], s1=[1], s2=[6], s3=[7])
    assert asked(Rota(), state, 5) == [(0, True), (2, True), (3, True), (1, False), (1, False)]


def test_who_can_do_nothing_out_of_turn_is_not_asked() -> None:
    assert asked(Rota(), toy([0], s0=[1], s3=[9]), 2) == [(3, True), (0, False)]


def test_who_is_waited_for_is_not_offered_a_move_out_of_turn() -> None:
    rota, state = Rota(), toy([0, 1, 2, 3], s0=[1], s1=[1], s2=[1], s3=[1])
    assert all(not may_decline for _, may_decline in asked(rota, state, 30))


def test_a_new_moment_brings_a_new_offer() -> None:
    rota, state = Rota(), toy([1], s0=[5], s1=[1])
    assert asked(rota, state, 3) == [(0, True), (1, False), (1, False)]
    state.now = 1
    assert asked(rota, state, 2) == [(0, True), (1, False)]


def test_a_new_moment_begins_again_with_the_first_seat() -> None:
    rota, state = Rota(), toy([1], s0=[5], s1=[1], s2=[6])
    assert asked(rota, state, 1) == [(0, True)]
    state.now = 1
    assert asked(rota, state, 3) == [(0, True), (2, True), (1, False)]


def test_of_several_waited_for_chance_says_who_is_asked() -> None:
    rota, state = Rota(), toy([0, 2, 3])
    seats = [seat for seat, _ in asked(rota, state, 300)]
    assert set(seats) == {0, 2, 3}
    assert min(seats.count(seat) for seat in (0, 2, 3)) > 70


def test_the_same_generator_asks_the_same_seats() -> None:
    state = toy([0, 1, 2])
    assert asked(Rota(), state, 20) == asked(Rota(), state, 20)


def test_who_may_decline_is_forgotten_when_the_next_is_asked() -> None:
    rota, state = Rota(), toy([1], s0=[5], s1=[1])
    assert asked(rota, state, 1) == [(0, True)]
    state.waits = []
    assert asked(rota, state, 1) == [(-1, False)]


# --- random play -------------------------------------------------------------------------------


def chain(length: int, legal: list[int]) -> Toy:
    """A toy that asks seat 0 so many times."""
    state = toy([0], s0=legal)
    state.script = [[0]] * (length - 1)
    return state


def test_moves_and_decisions_are_counted() -> None:
    playout = Playout()
    assert (playout.moves, playout.decisions, playout.trace) == (0, 0, None)
    playout.run(chain(3, [4, 5]), Rng(), 10)
    assert (playout.moves, playout.decisions) == (3, 3)


def test_a_move_without_a_choice_is_no_decision() -> None:
    playout = Playout()
    playout.run(chain(3, [4]), Rng(), 10)
    assert (playout.moves, playout.decisions) == (3, 0)


def test_several_matches_add_up() -> None:
    playout = Playout()
    playout.run(chain(3, [4, 5]), Rng(), 10)
    playout.run(chain(2, [4, 5]), Rng(), 10)
    assert (playout.moves, playout.decisions) == (5, 5)


def test_the_trace_holds_every_seat_and_action() -> None:
    state = toy([0], s0=[4, 5], s2=[7, 8])
    state.script = [[2], [0], [2]]
    playout = Playout()
    playout.trace = []
    playout.run(state, Rng(b"trace"), 10)
    assert playout.trace == [number for move in state.played for number in move]
    assert len(playout.trace) == 2 * playout.moves


def test_playouts_are_quiet() -> None:
    state = chain(3, [4])
    Playout().run(state, Rng(), 10)
    assert state.heard == [False] * 3


def test_every_action_is_as_likely_as_any_other() -> None:
    state = chain(600, [1, 2, 3])
    Playout().run(state, Rng(b"fair"), 600)
    actions = [action for _, action in state.played]
    assert all(160 < actions.count(action) < 240 for action in (1, 2, 3))


def test_a_match_that_is_over_has_no_moves() -> None:
    playout = Playout()
    playout.run(toy([]), Rng(), 0)
    assert playout.moves == 0


def test_a_dead_end_is_a_problem_that_names_the_seat() -> None:
    with problem("playout.dead-end", seat=3):
        Playout().run(toy([3]), Rng(), 10)


def test_a_match_may_be_as_long_as_the_title_says() -> None:
    playout = Playout()
    playout.run(chain(4, [1]), Rng(), 4)
    assert playout.moves == 4


def test_but_no_longer() -> None:
    with problem("playout.too-long", longest=4):
        Playout().run(chain(5, [1]), Rng(), 4)


def test_out_of_turn_declining_is_as_likely_as_each_action() -> None:
    taken = 0
    for number in range(400):
        state = toy([0], s0=[1], s1=[7, 8, 9])
        playout = Playout()
        playout.run(state, Rng(number.to_bytes(2, "big")), 5)
        # Either seat 1 acted, which ends the toy, or seat 0 had to.
        assert playout.moves == 1
        taken += state.played[0][0] == 1
    assert 260 < taken < 340


def test_a_move_out_of_turn_with_one_action_is_no_decision() -> None:
    decisions = 0
    for number in range(20):
        playout = Playout()
        playout.run(toy([0], s0=[1], s1=[7]), Rng(bytes([number])), 5)
        decisions += playout.decisions
    assert decisions == 0


def test_the_same_generator_plays_the_same_match() -> None:
    keys = set()
    for _ in range(2):
        state = NIGHT_MAIL.new(4, NIGHT_MAIL.options(), SEED)
        Playout().run(state, Rng(b"same"), NIGHT_MAIL.longest)
        keys.add(state.key())
    assert len(keys) == 1


@pytest.mark.parametrize("game", [NIGHT_MAIL, PIPS], ids=lambda game: game.id)
def test_a_trace_played_again_gives_the_same_state(game: Game) -> None:
    state, again = (game.new(3, game.options(), SEED) for _ in range(2))
    playout = Playout()
    playout.trace = []
    playout.run(state, Rng(b"trace"), game.longest)
    for at in range(0, len(playout.trace), 2):
        again.play(playout.trace[at], playout.trace[at + 1])
    assert again.key() == state.key()
    assert again.result() == state.result() is not None


def test_an_interpreted_title_plays_to_its_end() -> None:
    match = Match(PIPS, ["Ada", "Bruno"], seed=SEED)
    Playout().run(match.state, Rng(), PIPS.longest)
    result = match.state.result()
    assert result is not None
    assert result.ending == "counted"
    assert match.state.waiting() == []
