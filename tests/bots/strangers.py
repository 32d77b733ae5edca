"""Bots by somebody else, good ones and bad ones."""

from __future__ import annotations

from capolinea.bots.bot import Bot, Seen
from capolinea.engine import Rng


class First(Bot):
    """Always the first legal action."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        return legal[0]


class Last(Bot):
    """Always the last one; empties what it was given, which is its own business."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        last = legal[-1]
        legal.clear()
        return last


class Shy(Bot):
    """Declines whenever asked, allowed or not."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        return -1


class Cheat(Bot):
    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        return max(legal) + 1


def make_first() -> Bot:
    return First()


FIRST = First()
NOTHING = 3
