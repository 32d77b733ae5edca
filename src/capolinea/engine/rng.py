"""A small fast generator for programs: bots, playouts, tests, imagined deals.

The game's own chance (deals, dice) never comes from here but from `chance`, which cannot be predicted
from what it has put out. This one can; it is made to be fast, and the same on every platform and
Python version. The algorithm is xoshiro128** (Blackman and Vigna), seeded by SHA-256; it needs only
32-bit words, so that nothing overflows where integers are machine words.
"""

from __future__ import annotations

from hashlib import sha256
from struct import unpack
from typing import Final, TypeVar

from capolinea.engine.native import i64

T = TypeVar("T")

_WORD: Final = 0xFFFFFFFF


class Rng:
    """A stream of numbers that depends on nothing but its seed."""

    def __init__(self, seed: bytes = b"") -> None:
        digest = sha256(seed).digest()
        a, b, c, d = unpack(">4I", digest[:16])
        self.a: i64 = a
        self.b: i64 = b
        self.c: i64 = c
        self.d: i64 = d

    def word(self) -> i64:
        """The next 32 bits."""
        b: i64 = self.b
        x: i64 = (b * 5) & _WORD
        x = ((x << 7) | (x >> 25)) & _WORD
        c: i64 = self.c ^ self.a
        d: i64 = self.d ^ b
        self.b = b ^ c
        self.a ^= d
        self.c = c ^ ((b << 9) & _WORD)
        self.d = ((d << 11) | (d >> 21)) & _WORD
        return (x * 9) & _WORD

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, for 0 < n < 2^31; its bias of n / 2^32 is too small to matter here."""
        if not 0 < n < 0x80000000:
            raise ValueError(n)
        span: i64 = n
        return (self.word() * span) >> 32

    def bytes(self, n: int) -> bytes:
        """The next n bytes, e.g. the seed of an imagined game."""
        words = [int(self.word()).to_bytes(4, "big") for _ in range((n + 3) // 4)]
        return b"".join(words)[:n]

    def shuffle(self, items: list[T]) -> None:
        """Put a list in random order."""
        i: i64 = len(items) - 1
        while i > 0:
            # As `below` has it.
            j = (self.word() * (i + 1)) >> 32
            item = items[i]
            items[i] = items[j]
            items[j] = item
            i -= 1
