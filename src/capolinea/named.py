"""Things by their name, `module:object`: our titles and bots, and those of strangers."""

from __future__ import annotations

import sys
from importlib import import_module


class NotFound(Exception):
    """There is no such module, or nothing of that name in it."""


def named(where: str) -> object:
    """What stands at `module:object`; a module of one's own may lie in the current folder."""
    module, _, attribute = where.partition(":")
    if "" not in sys.path:
        sys.path.append("")
    try:
        return getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise NotFound(str(error)) from error
