"""The action space: first numbers of its families (`Actions` in title.py lists them)."""

from __future__ import annotations

from typing import Final

# --- generated: actions
PASS: Final = 0
DECLINE: Final = 1
RETURN: Final = 2  # + card
DISCARD: Final = 30  # + effect
PLAY: Final = 42  # + effect
SIDE: Final = 54  # + side
TAKE: Final = 56  # + seat
TAKE_ORGANISER: Final = 62
ROB: Final = 63  # + seat
LOOK: Final = 69  # + seat
VOTE: Final = 75  # + route
THROW_OFF: Final = 78  # + seat
INTERVENE: Final = 84  # + card
NAME: Final = 112  # + seat
NAME_ORGANISER: Final = 118
ROUTE: Final = 119  # + route
KEEP_SPEED: Final = 122
BRAKE: Final = 123
COAL: Final = 124  # + effect
UPGRADE: Final = 136  # + card
ACCEPT: Final = 164
PULL: Final = 165
END: Final = 166
# --- end
