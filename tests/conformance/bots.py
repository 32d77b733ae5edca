"""Bots that misbehave."""

from __future__ import annotations

from capolinea.bots import Bot, Seen
from capolinea.engine import Rng


class Stubborn(Bot):
    """Plays the same action whether or not it is allowed."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        return 3
