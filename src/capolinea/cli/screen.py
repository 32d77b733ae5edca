"""What a terminal can do: colours where they are wanted, plain text everywhere else."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TextIO


def wants_colour(stream: TextIO, env: Mapping[str, str]) -> bool:
    """Only on a terminal, and not if NO_COLOR says otherwise (no-color.org)."""
    return stream.isatty() and not env.get("NO_COLOR") and env.get("TERM") != "dumb"


def typed(prompt: str) -> str:
    """What the person types, or the script: then it is shown, so that what comes out reads well."""
    answer = input(prompt).strip()
    if not sys.stdin.isatty():
        print(answer)
    return answer


class Screen:
    def __init__(self, colour: bool | None = None) -> None:
        self.colour = wants_colour(sys.stdout, os.environ) if colour is None else colour

    def heading(self, text: str) -> str:
        return self._in("1;36", f"── {text} ──")

    def turn(self, text: str) -> str:
        """What nobody must overlook."""
        return self._in("1;30;43", f" ▶ {text} ") if self.colour else f"▶ {text}"

    def strong(self, text: str) -> str:
        return self._in("1", text)

    def dim(self, text: str) -> str:
        return self._in("2", text)

    def good(self, text: str) -> str:
        return self._in("32", text)

    def bad(self, text: str) -> str:
        return self._in("31", text)

    def _in(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text
