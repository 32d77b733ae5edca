"""The game's own chance: the same on every platform and version, and each choice on its own."""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256, shake_256
from itertools import permutations
from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capolinea.engine.chance import (
    Chance,
    Deal,
    Fall,
    QuickChance,
    Stream,
    deal_seed,
    seed_hash,
)
from capolinea.engine.rng import Rng
from tests.engine.expect import problem, some

SEED = bytes(range(32))


def words(name: bytes, count: int) -> list[int]:
    """The first words of a stream, from the specification."""
    data = shake_256(name).digest(4 * count)
    return [int.from_bytes(data[at : at + 4], "big") for at in range(0, 4 * count, 4)]


class Specified:
    """What the specification says of one stream, written as plainly as can be."""

    def __init__(self, seed: bytes, purpose: str, index: int) -> None:
        name = seed + b"\x00" + purpose.encode("utf-8") + b"\x00" + index.to_bytes(8, "big")
        self.words = words(name, 400)

    def below(self, n: int) -> int:
        while True:
            word = self.words.pop(0)
            if word < 2**32 - (2**32 % n):
                return word % n

    def order(self, n: int) -> list[int]:
        items = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items


# --- known answers -------------------------------------------------------------------------------


def test_a_die_falls_as_it_always_has() -> None:
    chance = Chance(SEED)
    falls = [chance.below("die", index, 6) for index in range(12)]
    assert falls == [3, 4, 4, 3, 2, 0, 1, 4, 1, 5, 1, 0]


def test_purposes_are_utf8_and_indices_go_beyond_32_bits() -> None:
    chance = Chance(SEED)
    assert [chance.below("Würfel", index, 1000) for index in (0, 1, 2**40)] == [66, 546, 520]


def test_words_that_would_favour_small_numbers_are_thrown_away() -> None:
    chance = Chance(SEED)
    falls = [chance.below("wide", index, 3 << 30) for index in range(4)]
    assert falls == [29154851, 487461911, 1329989444, 2572673529]


def test_a_deck_is_shuffled_as_it_always_has_been() -> None:
    chance = Chance(SEED)
    assert chance.order("deck", 0, 10) == [7, 2, 3, 4, 8, 5, 9, 1, 6, 0]
    assert chance.order("deck", 1, 10) == [0, 9, 4, 7, 2, 3, 8, 6, 5, 1]


def test_without_a_seed_it_is_32_zero_bytes() -> None:
    assert Chance().order("employers", 3, 5) == [4, 2, 0, 1, 3]


seeds = st.binary(min_size=32, max_size=32)
indices = st.integers(0, 2**64 - 1)


@some
@given(seeds, st.text(), indices, st.integers(1, 2**32))
def test_a_number_is_what_the_specification_says(
    seed: bytes, purpose: str, index: int, n: int
) -> None:
    assert Chance(seed).below(purpose, index, n) == Specified(seed, purpose, index).below(n)


@some
@given(seeds, st.text(), indices, st.integers(0, 80))
def test_an_order_is_what_the_specification_says(
    seed: bytes, purpose: str, index: int, n: int
) -> None:
    assert Chance(seed).order(purpose, index, n) == Specified(seed, purpose, index).order(n)


def test_a_stream_goes_on_beyond_its_first_portion() -> None:
    stream = Stream(b"long", 8)
    assert [stream.below(1 << 32) for _ in range(100)] == words(b"long", 100)


def test_a_stream_does_not_depend_on_the_size_of_its_portions() -> None:
    short, long = Stream(b"name"), Stream(b"name", 4096)
    assert [short.below(3 << 30) for _ in range(50)] == [long.below(3 << 30) for _ in range(50)]


def test_a_shuffle_throws_words_away_too() -> None:
    found = (2**32 - 1, 7, 3, 9)
    stream = Stream(b"", 4)
    stream.bytes = pack(">4I", *found)
    stream.words = found if stream.words else ()
    things = ["a", "b", "c"]
    stream.shuffle(things)
    # The first would favour 0 of 3 numbers: 7 mod 3 is 1 and 3 mod 2 is 1.
    assert things == ["a", "c", "b"]


def test_an_unnamed_stream_is_that_of_the_empty_name() -> None:
    assert Stream().below(1 << 32) == words(b"", 1)[0]


# --- independence --------------------------------------------------------------------------------


def test_a_hidden_draw_never_shifts_a_public_one() -> None:
    alone, busy = Chance(SEED), Chance(SEED)
    for index in range(5):
        busy.below("hidden", index, 6)
        busy.order("deck", index, 20)
    assert busy.below("die", 0, 6) == alone.below("die", 0, 6)


def test_asked_again_the_same_choice_falls_the_same_way() -> None:
    chance = Chance(SEED)
    assert chance.order("deck", 2, 30) == chance.order("deck", 2, 30)
    assert chance.below("die", 2, 10**6) == chance.below("die", 2, 10**6)


def test_seed_purpose_and_index_each_make_a_difference() -> None:
    wide = 1 << 32
    falls = {
        Chance(SEED).below("die", 0, wide),
        Chance(SEED).below("die", 1, wide),
        Chance(SEED).below("dice", 0, wide),
        Chance(bytes(32)).below("die", 0, wide),
    }
    assert len(falls) == 4


def test_every_number_is_as_likely_as_any_other() -> None:
    chance = Chance(SEED)
    counts = Counter(chance.below("die", index, 6) for index in range(3000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 20.5  # p = 0.001


def test_every_order_is_as_likely_as_any_other() -> None:
    chance = Chance(SEED)
    counts = Counter(tuple(chance.order("deck", index, 3)) for index in range(1800))
    assert len(counts) == 6
    assert sum((count - 300) ** 2 / 300 for count in counts.values()) < 20.5


# --- deals -----------------------------------------------------------------------------------


def test_a_dealt_number_falls_as_dealt() -> None:
    chance = Chance(SEED, {"die": [5, 0, 2]})
    assert [chance.below("die", index, 6) for index in range(3)] == [5, 0, 2]


def test_a_dealt_order_is_the_order() -> None:
    order: list[int] = [3, 1, 0, 2]
    assert Chance(SEED, {"deck": [order]}).order("deck", 0, 4) == order


def test_of_an_order_the_first_few_are_enough_and_the_rest_keeps_the_order_of_chance() -> None:
    # Chance alone gives 7 2 3 4 8 5 9 1 6 0.
    order = Chance(SEED, {"deck": [[9, 2]]}).order("deck", 0, 10)
    assert order == [9, 2, 7, 3, 4, 8, 5, 1, 6, 0]


def test_what_a_deal_leaves_open_is_left_to_chance() -> None:
    free = Chance(SEED)
    chance = Chance(SEED, {"die": [None, 5], "deck": [None, []]})
    for purpose, index in (("die", 0), ("die", 2), ("other", 0)):
        assert chance.below(purpose, index, 1000) == free.below(purpose, index, 1000)
    for index in range(3):
        assert chance.order("deck", index, 10) == free.order("deck", index, 10)


def test_using_up_an_order_does_not_change_the_deal() -> None:
    deal: Deal = {"deck": [[2, 0, 1]]}
    chance = Chance(SEED, deal)
    chance.order("deck", 0, 3).clear()
    assert deal == {"deck": [[2, 0, 1]]}
    assert chance.order("deck", 0, 3) == [2, 0, 1]


@pytest.mark.parametrize("fall", [-1, 6, [1]])
def test_a_number_that_cannot_be_dealt_is_a_problem(fall: Fall) -> None:
    chance = Chance(SEED, {"die": [None, fall]})
    with problem("chance.bad-number", purpose="die", index=1, n=6, found=repr(fall)):
        chance.below("die", 1, 6)


@pytest.mark.parametrize("fall", [2, [0, 0], [4], [-1], [0, 1, 2, 3, 4], [1, 0, 1]])
def test_an_order_that_cannot_be_dealt_is_a_problem(fall: Fall) -> None:
    chance = Chance(SEED, {"deck": [None, fall]})
    with problem("chance.bad-order", purpose="deck", index=1, n=4, found=repr(fall)):
        chance.order("deck", 1, 4)


# --- what was drawn --------------------------------------------------------------------------


def test_nothing_is_written_down_unless_asked_for() -> None:
    chance = Chance(SEED)
    chance.below("die", 0, 6)
    chance.order("deck", 0, 6)
    assert chance.drawn is None


def test_what_was_drawn_is_written_down_by_purpose_and_index_with_gaps_left_open() -> None:
    chance = Chance(SEED, {"die": [4]})
    chance.drawn = {}
    die, late = chance.below("die", 0, 6), chance.below("die", 3, 6)
    deck = chance.order("deck", 1, 5)
    assert chance.drawn == {"die": [4, None, None, late], "deck": [None, deck]}
    assert die == 4


def test_what_was_drawn_stays_written_when_the_deck_is_used_up() -> None:
    chance = Chance(SEED)
    chance.drawn = {}
    chance.order("deck", 0, 3).clear()
    assert sorted(chance.drawn["deck"][0]) == [0, 1, 2]  # type: ignore[arg-type]


@some
@given(seeds, st.integers(1, 20), st.integers(0, 4))
def test_what_was_drawn_is_a_deal_that_falls_the_same_way(seed: bytes, n: int, index: int) -> None:
    first = Chance(seed)
    first.drawn = {}
    fell = first.below("die", index, n), first.order("deck", index, n)
    again = Chance(bytes(32), first.drawn)
    assert (again.below("die", index, n), again.order("deck", index, n)) == fell


# --- for playouts --------------------------------------------------------------------------------


def test_quick_chance_falls_every_way_and_loses_nothing() -> None:
    chance = QuickChance(Rng(b"quick"))
    assert Counter(chance.below("die", 0, 6) for _ in range(600)).keys() == set(range(6))
    assert {tuple(chance.order("deck", 0, 3)) for _ in range(200)} == set(permutations(range(3)))
    cards = [3, 1, 4, 1, 5]
    chance.shuffle("deck", 0, cards)
    assert sorted(cards) == [1, 1, 3, 4, 5]


def test_quick_chance_depends_on_its_generator_alone() -> None:
    one, other = QuickChance(Rng(b"same")), QuickChance(Rng(b"same"))
    assert one.order("deck", 0, 40) == other.order("another", 7, 40)


# --- seeds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_has_32_bytes(length: int) -> None:
    with problem("chance.seed-length", bytes=length, needed=32):
        Chance(bytes(length))


def test_the_hash_of_a_seed_is_its_sha256_in_hex() -> None:
    assert seed_hash(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_the_seed_of_a_deal_is_the_sha256_of_its_compact_sorted_json() -> None:
    deal: Deal = {"b": [1, None], "a": [[2, 0]]}
    known = "8907300727ac3294016dea2a0070830dc631548cce3b84fb49aa8edecc46165f"
    assert deal_seed(deal).hex() == known
    assert deal_seed(deal) == sha256(b'{"a":[[2,0]],"b":[1,null]}').digest()


def test_the_seed_of_a_deal_does_not_depend_on_the_order_of_its_purposes() -> None:
    deal: Deal = json.loads('{"x": [1], "y": [2]}')
    assert deal_seed(deal) == deal_seed(dict(reversed(deal.items())))
