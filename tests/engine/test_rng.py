"""The generator for programs: fast, and the same on every platform and version."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capolinea.engine.rng import Rng
from tests.engine.expect import some

WORD = 0xFFFFFFFF


def xoshiro128(seed: bytes, count: int) -> list[int]:
    """xoshiro128** as its authors publish it, from the first 16 bytes of the seed's SHA-256."""

    def rotated(x: int, k: int) -> int:
        return ((x << k) | (x >> (32 - k))) & WORD

    digest = sha256(seed).digest()
    s = [int.from_bytes(digest[at : at + 4], "big") for at in (0, 4, 8, 12)]
    found = []
    for _ in range(count):
        found.append(rotated(s[1] * 5 & WORD, 7) * 9 & WORD)
        t = s[1] << 9 & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 11)
    return found


def test_words_are_what_they_always_have_been() -> None:
    rng = Rng(b"tram")
    known = [2400699144, 3917631475, 3435871286, 1005150250, 1690542968]
    assert [rng.word() for _ in range(5)] == known


def test_without_a_seed_it_is_the_empty_one() -> None:
    rng = Rng()
    assert [rng.word() for _ in range(3)] == [678938222, 2573984980, 1426159999]


@some
@given(st.binary(max_size=40))
def test_words_are_those_of_xoshiro128(seed: bytes) -> None:
    rng = Rng(seed)
    assert [rng.word() for _ in range(60)] == xoshiro128(seed, 60)


def test_numbers_are_what_they_always_have_been() -> None:
    rng = Rng(b"tram")
    assert [rng.below(6) for _ in range(10)] == [3, 5, 4, 1, 2, 1, 1, 1, 0, 5]


def test_bytes_are_what_they_always_have_been() -> None:
    assert Rng(b"tram").bytes(10).hex() == "8f17c308e9824ff3cccb"


def test_bytes_use_up_whole_words_and_no_more() -> None:
    rng = Rng(b"tram")
    rng.bytes(10)
    assert rng.word() == 1005150250
    rng.bytes(4)
    assert rng.word() == xoshiro128(b"tram", 6)[5]


def test_a_shuffled_list_is_what_it_always_has_been() -> None:
    items = list(range(10))
    Rng(b"tram").shuffle(items)
    assert items == [3, 9, 0, 4, 7, 2, 1, 6, 8, 5]


@some
@given(st.binary(), st.integers(1, 2**31 - 1))
def test_a_number_is_below_n(seed: bytes, n: int) -> None:
    assert 0 <= Rng(seed).below(n) < n


def test_every_number_is_as_likely_as_any_other() -> None:
    rng = Rng(b"fair")
    counts = Counter(rng.below(6) for _ in range(3000))
    assert sorted(counts) == [0, 1, 2, 3, 4, 5]
    assert sum((count - 500) ** 2 / 500 for count in counts.values()) < 20.5  # p = 0.001


@pytest.mark.parametrize("n", [0, -1, 2**31, 2**31 + 1])
def test_there_is_no_number_below_what_is_not_between_0_and_2_to_the_31(n: int) -> None:
    with pytest.raises(ValueError, match=str(n)):
        Rng().below(n)


@pytest.mark.parametrize("n", [1, 2**31 - 1])
def test_the_limits_of_n_are_allowed(n: int) -> None:
    assert 0 <= Rng().below(n) < n


@pytest.mark.parametrize("n", range(10))
def test_as_many_bytes_come_as_were_asked_for(n: int) -> None:
    assert len(Rng().bytes(n)) == n
    assert Rng().bytes(n) == Rng().bytes(32)[:n]


@some
@given(st.binary(), st.lists(st.integers()))
def test_shuffling_loses_and_adds_nothing(seed: bytes, items: list[int]) -> None:
    shuffled = list(items)
    Rng(seed).shuffle(shuffled)
    assert sorted(shuffled) == sorted(items)


def test_every_order_is_as_likely_as_any_other() -> None:
    rng = Rng(b"fair")
    counts: Counter[str] = Counter()
    for _ in range(1800):
        items = list("abc")
        rng.shuffle(items)
        counts["".join(items)] += 1
    assert len(counts) == 6
    assert sum((count - 300) ** 2 / 300 for count in counts.values()) < 20.5


def test_the_same_seed_gives_the_same_stream_and_another_seed_another() -> None:
    one, two, other = Rng(b"a"), Rng(b"a"), Rng(b"b")
    stream = [one.word() for _ in range(8)]
    assert [two.word() for _ in range(8)] == stream
    assert [other.word() for _ in range(8)] != stream
