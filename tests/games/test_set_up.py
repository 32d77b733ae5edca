"""What the matches of a table begin with is made once, not for every match; and quick ones."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from capolinea.engine import Chance, Game, Match, Options, Rng
from capolinea.engine.playout import Playout
from capolinea.games import TITLES, load

SEEDS = [bytes([number]) * 32 for number in range(3)]


def tables(game: Game) -> dict[str, Options]:
    """One with what is built in, one that brought the same as its own."""
    brought = {kind: next(iter(sets.values())) for kind, sets in game.data().items()}
    return {"built-in": game.options(), "own": game.options(data=brought)}


@pytest.mark.parametrize("table", ["built-in", "own"])
@pytest.mark.parametrize("title", TITLES)
def test_data_is_read_for_a_table_and_not_for_each_of_its_matches(
    title: str, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load(title)
    options = tables(game)[table]
    read: Counter[str] = Counter()
    content = Game.content

    def counted(self: Game, kind: str, options: Options) -> Any:
        read[kind] += 1
        return content(self, kind, options)

    monkeypatch.setattr(Game, "content", counted)
    game.new(game.seats[-1], options, SEEDS[0])
    first = read.copy()
    assert first
    for seed in SEEDS:
        game.new(game.seats[-1], options, seed)
    assert read == first


@pytest.mark.parametrize("title", TITLES)
def test_a_match_leaves_the_table_as_it_was_laid_out(title: str) -> None:
    game = load(title)
    options = game.options()
    seats = game.seats[-1]
    deals = [game.new(seats, options, seed).key() for seed in SEEDS]
    state = game.new(seats, options, SEEDS[0])
    while waiting := state.waiting():
        state.play(waiting[0], state.default(waiting[0]))
    assert [game.new(seats, options, seed).key() for seed in SEEDS] == deals


@pytest.mark.parametrize("title", TITLES)
def test_a_quick_match_comes_to_an_end_and_is_the_same_from_the_same_generator(title: str) -> None:
    game = load(title)
    ends = []
    for _ in range(2):
        rng = Rng(b"quick")
        state = game.quick(game.seats[-1], game.options(), rng)
        Playout().run(state, rng, game.longest)
        assert state.result() is not None
        ends.append(state.key())
    assert ends[0] == ends[1]


@pytest.mark.parametrize("title", TITLES)
def test_a_match_that_is_kept_has_chance_that_can_be_checked(title: str) -> None:
    game = load(title)
    match = Match(game, [str(seat) for seat in range(game.seats[0])], seed=SEEDS[0])
    assert type(match.state.chance) is Chance
    assert match.state.chance.seed == SEEDS[0]
