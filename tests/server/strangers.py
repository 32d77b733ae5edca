"""Bots by somebody else that should never have been let in."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from capolinea.bots.bot import Bot, Seen
from capolinea.engine import Rng


class Burner(Bot):
    """Thinks hard until a file says that it has thought enough; another file says that it thinks."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        folder = Path(os.environ["CAPOLINEA_BURNER"])
        (folder / "thinking").touch()
        while not (folder / "enough").exists():
            pass
        return legal[0]


class Crasher(Bot):
    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        raise ValueError("the secret word")


class Liar(Bot):
    """Does what is not allowed."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        return 10**6


class Confused(Bot):
    """Answers with something that is no action, and says what is no saying."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        return {"do": "pass"}  # type: ignore[return-value]

    def speak(self, seen: Seen, rng: Rng) -> object:
        return {"nonsense": [1, 2, 3]}


class Mumbler(Bot):
    """Says what nobody can write down."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        return legal[0]

    def speak(self, seen: Seen, rng: Rng) -> object:
        return object()


class Sleeper(Bot):
    """Never answers."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        time.sleep(3600)
        return legal[0]


class Killer(Bot):
    """Takes its process down."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        os._exit(3)


class Quitter(Bot):
    """Thinks that it is the program."""

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        sys.exit("enough")
