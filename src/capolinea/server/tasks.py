"""What goes on beside everything else, until it is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

from capolinea.server import logs


class Tasks:
    """Of a room, or of a match in it."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._running)

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._ended)

    def stop(self) -> None:
        for task in list(self._running):
            task.cancel()

    async def end(self) -> None:
        """Stop, and wait until all have."""
        self.stop()
        await asyncio.gather(*self._running, return_exceptions=True)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            logs.tell_error("table-task-failed", error)
