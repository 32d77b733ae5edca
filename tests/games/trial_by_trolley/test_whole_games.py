"""Trial by Trolley: what holds in every match, however it is played."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from capolinea.engine import Rng
from capolinea.games.trial_by_trolley.rules import Phase, Trolley
from capolinea.games.trial_by_trolley.title import GAME, TrolleyOptions


@given(
    seats=st.integers(3, 13),
    tom_trolley=st.booleans(),
    accomplices=st.booleans(),
    family=st.booleans(),
    seed=st.binary(min_size=32, max_size=32),
)
@settings(max_examples=40, deadline=None)
def test_every_move_keeps_the_invariants(
    seats: int, tom_trolley: bool, accomplices: bool, family: bool, seed: bytes
) -> None:
    options = TrolleyOptions(tom_trolley=tom_trolley, accomplices=accomplices, family=family)
    state = GAME.new(seats, options, seed)
    assert isinstance(state, Trolley)
    rng = Rng(seed)
    conductors: Counter[int] = Counter()
    expected = [0] * seats
    while state.waiting():
        waiting = state.waiting()
        seat = waiting[rng.below(len(waiting))]
        legal = state.legal(seat)
        action = legal[rng.below(len(legal))]
        if state.phase == Phase.VERDICT:
            conductors[state.conductor] += 1
            for victim in state.teams[action - legal[0]]:
                expected[victim] += 1
        state.play(seat, action)
        every_card_is_somewhere(state)
        assert state.tokens == expected
    times = 2 if seats <= 4 else 1
    assert conductors == dict.fromkeys(range(seats), times)


def every_card_is_somewhere(state: Trolley) -> None:
    """Each card in one place, and in a place for cards of its deck; tracks of at most three."""
    if state.phase == Phase.OVER:
        on_tracks: list[int] = []
    else:
        on_tracks = [card for track in state.tracks for card in track]
        on_tracks += [card for track in state.modifiers for laid in track for card in laid]
    held = [card for hand in state.hands for cards in hand for card in cards]
    piles = [card for pile in (*state.decks, *state.discards) for card in pile]
    assert sorted(on_tracks + held + piles) == list(range(len(state.ids)))
    for deck in (0, 1, 2):
        cards = [*state.decks[deck], *state.discards[deck]]
        cards += [card for hand in state.hands for card in hand[deck]]
        assert all(state.deck_of[card] == deck for card in cards)
    assert all(len(track) <= 3 for track in state.tracks)
