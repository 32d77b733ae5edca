"""What a viewer sees.

A view is an allow-list: a title builds it field by field from nothing, and it has no place for what
its viewer may not know. It has perfect recall: all that the seat drew, passed, got or looked at.
"""

from __future__ import annotations

from typing import Any

import msgspec


class Shown(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """The base of everything inside a view: typed, and with no room for a stray field.

    A tree and never a circle, so that the garbage collector need not look at it.
    """


class View(Shown):
    """The base of every title's view."""

    #: Whose view this is; None is a spectator's.
    viewer: int | None


class Line(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line for a person, as a key and its arguments."""

    key: str
    args: dict[str, Any] = {}


class Preview(Shown):
    """What a choice would do, in words; a title adds typed fields for its screen."""

    lines: list[Line] = []
