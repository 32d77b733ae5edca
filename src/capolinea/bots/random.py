"""The bot that looks at nothing: every legal action is as likely as any other."""

from __future__ import annotations

from capolinea.bots.bot import DECLINE, Bot, Seen
from capolinea.engine.rng import Rng


class RandomBot(Bot):
    """Letting a moment pass counts as one more choice, as in `Playout`."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        pick = rng.below(len(legal) + may_decline)
        return legal[pick] if pick < len(legal) else DECLINE
