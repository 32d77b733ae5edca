"""Which build this is."""

from __future__ import annotations

import sys

from capolinea.engine.playout import Playout


def compiled(*classes: type) -> bool:
    """Whether the engine's loops, and the modules of these classes too, are machine code."""
    modules = [sys.modules[cls.__module__] for cls in (Playout, *classes)]
    return not any(str(module.__file__).endswith(".py") for module in modules)
