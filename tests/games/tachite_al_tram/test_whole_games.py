"""Tachite al Tram: what holds in every match, however it is played.

Matches are played at random from a small number, and looked at after every step.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capolinea.engine import Match, Refused, Rng
from capolinea.engine.playout import Playout
from capolinea.engine.record import dumps, loads
from capolinea.games.tachite_al_tram.rules.seats import too_many
from capolinea.games.tachite_al_tram.rules.steps import WRECKED, Do, Phase
from capolinea.games.tachite_al_tram.rules.trams import Trams
from capolinea.games.tachite_al_tram.title import GAME, TramOptions
from tests.games.tachite_al_tram.scenes import NAMES, action, conserved

LONG = bool(os.environ.get("CAPOLINEA_LONG"))
OWN = next(field for field in GAME.fields() if field.name == "own_tiles").choices


@st.composite
def tables(draw: st.DrawFn) -> tuple[int, TramOptions]:
    seats = draw(st.integers(2, 4))
    own: list[Any] = draw(st.lists(st.sampled_from(OWN), max_size=2))
    points: Any = draw(st.sampled_from(["12", "8"]))
    options = TramOptions(
        rounds=draw(st.integers(10, 25)),
        own_tiles=own,
        points=points,
        first=draw(st.integers(0, seats)),
    )
    GAME.check(seats, options)
    return seats, options


@given(table=tables(), number=st.integers(0, 2**32 - 1), eager=st.booleans())
@settings(max_examples=1000 if LONG else 40, deadline=None)
def test_every_move_keeps_the_invariants(
    table: tuple[int, TramOptions], number: int, eager: bool
) -> None:
    """Eager players roll, board and lay whenever they can, so that more happens."""
    seats, options = table
    rng = Rng(b"whole %d" % number)
    state = GAME.new(seats, options, rng.bytes(32))
    assert isinstance(state, Trams)
    moves = 0
    while state.waiting():
        before = state.copy()
        seat = state.current
        legal = state.legal(seat)
        assert legal == sorted(set(legal))
        assert legal
        choice = legal[rng.below(len(legal))]
        for eagerly in (Do.ROLL, Do.BOARD, Do.SET_DOWN):
            if eager and eagerly in legal and rng.below(3):
                choice = eagerly
        state.play(seat, choice)
        moves += 1
        if state.midway() < 0:
            _holds(before, state)
    assert moves <= GAME.longest
    result = state.result()
    assert result is not None
    assert result.winners


def _holds(before: Trams, after: Trams) -> None:
    """42 tiles, 24 passengers and 36 cards; no blind rail, no tram without one; points never fall."""
    conserved(after)
    assert after.turn >= before.turn
    for seat in range(after.seats):
        assert after.points[seat] >= before.points[seat]
        assert 0 <= after.damage[seat] < WRECKED
        assert len(after.hands[seat]) <= 3
        assert too_many(after.board.colour, after.aboard[seat], after.futiz[seat]) == 0
    if after.phase != Phase.OVER and not any(after.waiting_at):
        assert sum(after.out) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_matches_end_in_time_and_fold_to_the_same(players: int) -> None:
    match = Match(GAME, NAMES[:players], TramOptions(rounds=12), seed=bytes([players] * 32))
    rng = Rng(b"fold")
    while match.result() is None:
        (seat,) = match.state.waiting()
        state = match.state.copy()
        steps: list[int] = []
        while not steps or state.midway() >= 0:
            legal = state.legal(seat)
            steps.append(legal[rng.below(len(legal))])
            state.play(seat, steps[-1])
        match.move(seat, steps)
    record = match.record()
    again = Match.fold(GAME, loads(dumps(record)))
    assert again.state.key() == match.state.key()
    assert again.result() == match.result()


def test_quiet_and_loud_play_come_to_the_same() -> None:
    rng = Rng(b"quiet")
    loud = GAME.new(3, TramOptions(rounds=15), bytes(32))
    quiet = GAME.new(3, TramOptions(rounds=15), bytes(32))
    while loud.waiting():
        (seat,) = loud.waiting()
        legal = loud.legal(seat)
        choice = legal[rng.below(len(legal))]
        loud.apply(seat, choice)
        quiet.play(seat, choice)
        assert loud.key() == quiet.key()


def test_a_copy_shares_nothing_that_changes() -> None:
    state = GAME.new(4, TramOptions(rounds=20), bytes(32))
    rng = Rng(b"copy")
    kept: list[tuple[Any, bytes]] = []
    for _ in range(200):
        if not state.waiting():
            break
        kept.append((state.copy(), state.key()))
        (seat,) = state.waiting()
        legal = state.legal(seat)
        state.play(seat, legal[rng.below(len(legal))])
    for copy, key in kept:
        assert copy.key() == key
    Playout().run(kept[0][0], Rng(b"on"), GAME.longest)
    assert kept[1][0].key() == kept[1][1]


def test_undo_goes_back_to_the_last_roll_draw_or_misfortune() -> None:
    match = Match(GAME, NAMES[:2], TramOptions(first=1), seed=bytes(32))
    move(match, 0, "no-build")
    begun = match.state.key()
    move(match, 0, "stay")
    assert match.undoable(0) == 2
    match.undo(0)
    assert match.state.key() == begun
    match.undo(0)
    assert match.undoable(0) == 0
    move(match, 0, "no-build")
    move(match, 0, "roll")
    assert match.undoable(0) == 0  # the die has fallen
    with pytest.raises(Refused):
        match.undo(0)


def test_a_laid_tile_cannot_be_taken_back_once_another_is_drawn() -> None:
    match = Match(GAME, NAMES[:2], TramOptions(first=1), seed=bytes(32))
    state = match.state
    assert isinstance(state, Trams)
    steps: list[int] = []
    while not steps or state.midway() >= 0:
        steps.append(state.legal(0)[0])
        state = state.copy()
        state.play(0, steps[-1])
    assert steps[0] < Do.ON
    match.move(0, steps)
    assert match.undoable(0) == 0


def test_the_match_begins_with_whose_turn_it_is() -> None:
    match = Match(GAME, NAMES[:2], TramOptions(first=2), seed=bytes(32), viewers=[None])
    (frame,) = match.frames(None)
    assert [(told.key, told.args) for told in frame.events] == [
        ("event.turn", {"seat": 1, "round": 1})
    ]


@pytest.mark.parametrize("viewer", [0, None])
def test_a_twin_looks_the_same_and_is_another(viewer: int | None) -> None:
    match = Match(GAME, NAMES[:2], TramOptions(rounds=10), seed=bytes(32))
    rng = Rng(b"twin")
    while match.result() is None:
        (seat,) = match.state.waiting()
        state = match.state.copy()
        steps: list[int] = []
        while not steps or state.midway() >= 0:
            legal = state.legal(seat)
            steps.append(legal[rng.below(len(legal))])
            state.play(seat, steps[-1])
        match.move(seat, steps)
    record = match.record()
    twin = Match.fold(GAME, GAME.twin(record, viewer, rng), viewers=[viewer])
    assert twin.frames(viewer) == match.frames(viewer)
    assert twin.state.key() != match.state.key()


def move(match: Match, seat: int, *steps: str) -> None:
    match.move(seat, [action(step) for step in steps])
