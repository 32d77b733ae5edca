"""A progress bar for people who watch; a file or a pipe gets nothing."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Self, TextIO

WIDTH = 30
REDRAW = 0.1  # seconds


class Progress:
    """A bar on stderr, gone when the work is done."""

    def __init__(self, total: int, label: str = "", stream: TextIO | None = None) -> None:
        self.total = total
        self.label = label
        self.stream = stream or sys.stderr
        self.shown = self.stream.isatty()
        self.drawn_at = -REDRAW

    def __enter__(self) -> Self:
        self(0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def __call__(self, done: int) -> None:
        """So much is done."""
        if not self.shown or monotonic() - self.drawn_at < REDRAW:
            return
        self.drawn_at = monotonic()
        full = WIDTH * done // max(self.total, 1)
        bar = "━" * full + "╌" * (WIDTH - full)
        self.stream.write(f"\r{self.label} {bar} {done}/{self.total}\x1b[K")
        self.stream.flush()
