"""What happened, and who may see which part of it.

Events carry keys and arguments, never sentences: two people at one table read two languages. The log,
animations and sounds are made from them.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Part(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What only some seats see of an event: further arguments, perhaps under another key."""

    to: list[int]
    args: dict[str, Any]
    key: str = ""


class Told(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An event as one viewer receives it."""

    key: str
    args: dict[str, Any] = {}
    #: Public facts that hold from now on: path in the view ("train.speed") → value.
    sets: dict[str, Any] = {}
    #: Not everybody is told this: who has neighbours covers it.
    private: bool = False
    #: The key of what others are told in its place, with some of these arguments; "" if nothing is.
    others: str = ""


class Event(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """One thing that happened, as the rules know it."""

    key: str
    args: dict[str, Any]
    parts: list[Part] = []
    #: The seats that hear of it at all; None is everybody.
    to: list[int] | None = None
    sets: dict[str, Any] = {}

    def also(self, to: list[int], key: str = "", **args: object) -> Event:
        """Let these seats see more: further arguments and, if given, their own wording."""
        self.parts = [*self.parts, Part(to, args, key)]
        return self

    def setting(self, sets: dict[str, object]) -> Event:
        """Say which fields of the public view have which value from now on."""
        self.sets = sets
        return self

    @property
    def for_all(self) -> bool:
        """Whether everybody is told the same."""
        return self.to is None and not self.parts

    def seen_by(self, viewer: int | None) -> Told | None:
        """What this viewer is told, or None if they are not to know of it; None is a spectator."""
        if self.to is not None and viewer not in self.to:
            return None
        parts = [part for part in self.parts if viewer in part.to]
        told = self._told(parts)
        if self.to is None and not parts:
            return told
        # To be said in place of this, it needs words of its own, and none but its own arguments.
        shared = self.to is None and told.key != self.key and told.args | self.args == told.args
        return msgspec.structs.replace(told, private=True, others=self.key if shared else "")

    def truth(self) -> list[tuple[list[int] | None, Told]]:
        """The event with nothing left out, for when all is revealed: each wording with its readers."""
        everybody = self.to, self._told([])
        return [everybody, *((part.to, self._told([part])) for part in self.parts)]

    def _told(self, parts: list[Part]) -> Told:
        key, args = self.key, dict(self.args)
        for part in parts:
            key = part.key or key
            args.update(part.args)
        return Told(key, args, self.sets)
