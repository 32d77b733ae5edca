"""Where a player is (ST-5.6, ST-6.4, ST-7.8)."""

from __future__ import annotations

from typing import Final

ABOARD: Final = 0
#: Saved by Hang On! and not yet back.
HANGING: Final = 1
OFF: Final = 2
DEAD: Final = 3

NAMES: Final = ["aboard", "hanging", "off", "dead"]
