"""How a state's fields are copied and which of them its key has: said once, where they are declared.

    self.rounds = 60                                a copy shares it, and the key does not have it
    self.turn: Key[int] = 0                         a part of the key
    self.at: And[int] = 0                           in the same part as the field before
    self.deck: Key[Own[list[int]]] = []             a copy has a list of its own
    self.hands: Key[Deep[list[list[int]]]] = []     and its own lists inside that
    self.seen: New[dict[int, str]] = {}             a copy begins anew

Slots, `copy` and `key` are written from that by `python -m capolinea.lab.generate`, so that they are as
fast as if written by hand. What is no number, text or list of such (a turn, a note) has a method `parts`
that gives what the key has of it, and a method `copy` if a state owns it.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypeVar

T = TypeVar("T")

Key: TypeAlias = Annotated[T, "begins a part of the key"]
And: TypeAlias = Annotated[T, "is in the same part of the key"]
Own: TypeAlias = Annotated[T, "is copied"]
Deep: TypeAlias = Annotated[T, "is copied with all that is in it"]
New: TypeAlias = Annotated[T, "is what it was at the beginning"]
