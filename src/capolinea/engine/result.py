"""How a match ended, for each seat, with reasons that a screen can explain."""

from __future__ import annotations

from typing import Any

import msgspec


class Reason(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A condition that held or failed for a seat, and the rule that asks for it."""

    key: str
    held: bool
    args: dict[str, Any] = {}
    rule: str = ""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the end means for one seat."""

    won: bool
    score: int | None = None
    role: str = ""
    reasons: list[Reason] = []


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of a match: which of the title's endings, and each seat's outcome."""

    ending: str
    outcomes: list[Outcome]

    @property
    def winners(self) -> list[int]:
        return [seat for seat, outcome in enumerate(self.outcomes) if outcome.won]
