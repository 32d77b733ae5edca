"""Night Mail: what holds in every match, however it is played."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from capolinea.engine import Rng
from capolinea.engine.playout import Rota
from capolinea.games.night_mail.rules import KIND, NightMail, Phase
from capolinea.games.night_mail.title import GAME, NightMailOptions


@given(
    seats=st.integers(2, 5),
    hand=st.integers(2, 5),
    line=st.sampled_from(["coast", "shuttle"]),
    seed=st.binary(min_size=32, max_size=32),
)
@settings(max_examples=60, deadline=None)
def test_every_move_keeps_the_invariants(seats: int, hand: int, line: str, seed: bytes) -> None:
    state = GAME.new(seats, NightMailOptions(hand=hand, line=line), seed)
    assert isinstance(state, NightMail)
    rng, rota = Rng(seed), Rota()
    points = 0
    while True:
        seat = rota.next(state, rng)
        if seat < 0:
            break
        legal = state.legal(seat)
        state.play(seat, legal[rng.below(len(legal))])
        everything_is_somewhere(state)
        assert sum(state.points) >= points
        points = sum(state.points)
    assert state.phase == Phase.OVER


def everything_is_somewhere(state: NightMail) -> None:
    """42 cards, each in one place; bags hold mail, three at most; the train is on the line."""
    offer = [state.offer] if state.offer >= 0 else []
    places = [state.deck, state.discard, state.answers, offer, *state.hands, *state.bags]
    assert sorted(card for place in places for card in place) == list(range(len(KIND)))
    assert all(len(bag) <= 3 and all(KIND[card] <= 2 for card in bag) for bag in state.bags)
    assert all(len(hand) <= state.hand_size for hand in state.hands)
    stations = state.trunk if state.branch < 0 else state.branches[state.branch]
    assert 0 <= state.at < len(stations)
