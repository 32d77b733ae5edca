"""What a bot is: a function of what its seat received, what it may do, and a generator of its own.

A bot may remember things, but only as a cache: one that is started anew in the middle of a match
must be able to play on. Views have perfect recall, so nothing is lost.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic

from capolinea.engine.game import Game
from capolinea.engine.match import Awaited, Said
from capolinea.engine.parameters import ItsOptions, ItsView
from capolinea.engine.rng import Rng

DECLINE = -1


@dataclass(frozen=True, slots=True)
class Seen(Generic[ItsView, ItsOptions]):
    """What a seat knows when it is asked: all that a person there would see, and nothing more."""

    game: Game
    options: ItsOptions
    seat: int
    view: ItsView
    awaited: Awaited
    said: Sequence[Said]
    #: The steps so far of a compound choice: nobody has been told, and `view` has none of them.
    begun: Sequence[int] = ()


class Bot(ABC, Generic[ItsView, ItsOptions]):
    """One player. `name` is how it was asked for; a bare `Bot` plays any title."""

    name = ""

    @abstractmethod
    def choose(
        self,
        seen: Seen[ItsView, ItsOptions],
        legal: list[int],
        rng: Rng,
        may_decline: bool,
    ) -> int:
        """One of the legal actions or, where the bot may let the moment pass, DECLINE."""

    def speak(self, seen: Seen[ItsView, ItsOptions], rng: Rng) -> Any | None:
        """Something to say at the table in the title's own form, or None; asked at public moments."""
        return None

    def close(self) -> None:
        """The match is over, for this bot at least."""
