"""The game's own chance: every random choice of a match has a stream of its own.

A stream is named by a purpose ("deck", "die") and an index (the how-manyeth such choice this is), so
that a hidden draw never shifts a public one and a step undone and redone falls the same way. Its bytes
are

    SHAKE-256( seed ‖ 0x00 ‖ purpose in UTF-8 ‖ 0x00 ‖ index as 8 bytes, big end first )

read as 4-byte words, big end first. A number below n is the first word w < 2^32 − (2^32 mod n),
taken mod n; earlier words are thrown away. An order of n things is a Fisher–Yates shuffle of
0 … n−1 from the back: for i from n−1 down to 1, swap i with a number below i+1 from the same stream.
`tests/engine/test_chance.py` holds known answers, which every platform and version must give.

A *deal* fixes outcomes instead of drawing them (tutorials, puzzles, twins): purpose → list of outcomes
by index, where null leaves one to chance. For an order, the first few are enough. What a deal leaves
open comes from a seed that is the SHA-256 of the deal itself, so that a dealt match is complete too.
"""

from __future__ import annotations

from hashlib import sha256, shake_256
from json import dumps
from struct import unpack
from typing import Final, TypeVar

from capolinea.engine.native import i64
from capolinea.engine.problems import Problem
from capolinea.engine.rng import Rng

T = TypeVar("T")

#: How one choice fell: a number, or (the beginning of) an order; None leaves it to chance.
Fall = int | list[int] | None
Deal = dict[str, list[Fall]]

SEED_BYTES: Final = 32
_WORDS: Final = 1 << 32
_COMPILED: Final = not __file__.endswith(".py")


class Stream:
    """The words of one stream, fetched in growing portions."""

    def __init__(self, name: bytes = b"", portion: int = 4) -> None:
        self.name = name
        self.at: i64 = 0
        self._fetch(portion)

    def _fetch(self, portion: int) -> None:
        """Read so many words from the beginning on. Compiled code puts them together from bytes as it
        comes to them; where nothing is compiled, that would take twice as long as all at once."""
        self.portion: i64 = portion
        self.bytes = shake_256(self.name).digest(4 * portion)
        self.words: tuple[int, ...] = () if _COMPILED else unpack(f">{portion}I", self.bytes)

    def below(self, n: i64) -> i64:
        while True:
            at = self.at
            if at == self.portion:
                self._fetch(2 * at)
            self.at = at + 1
            word: i64
            if _COMPILED:
                word = self._word(4 * at)
            else:
                word = self.words[at]
            found = word % n
            # Whether all n numbers from this multiple of n on are words.
            if word - found <= _WORDS - n:
                return found

    def _word(self, at: i64) -> i64:
        found = self.bytes
        first: i64 = found[at]
        second: i64 = found[at + 1]
        third: i64 = found[at + 2]
        last: i64 = found[at + 3]
        return first << 24 | second << 16 | third << 8 | last

    def shuffle(self, items: list[T]) -> None:
        i: i64 = len(items) - 1
        words = self.words[self.at : self.at + i]
        if words and len(words) == i and max(words) < _WORDS - len(items):
            # None of these would be thrown away: the same as below in a fraction of the time.
            self.at += i
            for word in words:
                j = word % (i + 1)
                items[i], items[j] = items[j], items[i]
                i -= 1
            return
        while i > 0:
            j = self.below(i + 1)
            item = items[i]
            items[i] = items[j]
            items[j] = item
            i -= 1


class Chance:
    """All the chance of one match, from its seed or its deal."""

    def __init__(self, seed: bytes = bytes(SEED_BYTES), deal: Deal | None = None) -> None:
        if len(seed) != SEED_BYTES:
            raise Problem("chance.seed-length", bytes=len(seed), needed=SEED_BYTES)
        self.seed = seed
        self.deal = deal
        #: When set, every outcome is written down here: how a seeded match becomes a dealt one.
        self.drawn: Deal | None = None

    def below(self, purpose: str, index: int, n: int) -> int:
        """A number from 0 to n - 1."""
        dealt = self._dealt(purpose, index)
        if dealt is None:
            outcome = self._stream(purpose, index, 4).below(n)
        elif isinstance(dealt, int) and 0 <= dealt < n:
            outcome = dealt
        else:
            raise Problem("chance.bad-number", purpose=purpose, index=index, n=n, found=repr(dealt))
        if self.drawn is not None:
            self._note(purpose, index, outcome)
        return outcome

    def order(self, purpose: str, index: int, n: int) -> list[int]:
        """The numbers from 0 to n - 1 in random order."""
        items = list(range(n))
        self._stream(purpose, index, n).shuffle(items)
        dealt = self._dealt(purpose, index)
        if dealt is not None:
            items = _begin_with(dealt, items, purpose, index)
        if self.drawn is not None:
            self._note(purpose, index, list(items))
        return items

    def shuffle(self, purpose: str, index: int, things: list[int]) -> None:
        """Put these into the order of that many things."""
        if self.deal is None and self.drawn is None:
            self._stream(purpose, index, len(things)).shuffle(things)
        else:
            things[:] = [things[place] for place in self.order(purpose, index, len(things))]

    def _stream(self, purpose: str, index: int, portion: int) -> Stream:
        name = b"\0".join((self.seed, purpose.encode(), index.to_bytes(8, "big")))
        return Stream(name, portion)

    def _dealt(self, purpose: str, index: int) -> Fall:
        if self.deal is None:
            return None
        outcomes = self.deal.get(purpose)
        if outcomes is None or index >= len(outcomes):
            return None
        return outcomes[index]

    def _note(self, purpose: str, index: int, outcome: Fall) -> None:
        assert self.drawn is not None
        outcomes = self.drawn.setdefault(purpose, [])
        while len(outcomes) <= index:
            outcomes.append(None)
        outcomes[index] = outcome


class QuickChance(Chance):
    """Chance for playouts that nobody keeps, from a fast generator in the order in which it is asked.

    Nothing of it can be dealt, written down, checked or drawn again; copies of a state share it.
    """

    def __init__(self, rng: Rng) -> None:
        super().__init__()
        self.rng = rng

    def below(self, purpose: str, index: int, n: int) -> int:
        return self.rng.below(n)

    def order(self, purpose: str, index: int, n: int) -> list[int]:
        items = list(range(n))
        self.rng.shuffle(items)
        return items

    def shuffle(self, purpose: str, index: int, things: list[int]) -> None:
        self.rng.shuffle(things)


def _begin_with(dealt: Fall, items: list[int], purpose: str, index: int) -> list[int]:
    """The dealt things first, then the others in the order that chance gave them."""
    if not isinstance(dealt, list) or sorted(set(dealt)) != sorted(dealt):
        raise Problem(
            "chance.bad-order", purpose=purpose, index=index, n=len(items), found=repr(dealt)
        )
    for item in dealt:
        if not 0 <= item < len(items):
            raise Problem(
                "chance.bad-order", purpose=purpose, index=index, n=len(items), found=repr(dealt)
            )
    chosen = set(dealt)
    return dealt + [item for item in items if item not in chosen]


def deal_seed(deal: Deal) -> bytes:
    """The seed for all that a deal leaves open."""
    return sha256(dumps(deal, sort_keys=True, separators=(",", ":")).encode()).digest()


def seed_hash(seed: bytes) -> str:
    """What is published of a seed when a match starts: its SHA-256 in hex."""
    return sha256(seed).hexdigest()
