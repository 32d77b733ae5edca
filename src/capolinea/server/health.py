"""Whether this server can keep what people do: what `/healthz` answers."""

from __future__ import annotations

import asyncio
import time

from capolinea.engine.problems import Problem
from capolinea.server.store import Store


class Health:
    """Tries the store by writing to it: however many ask, once a second at most and one at a time, so
    that asking costs little and fills no disk."""

    every = 1.0
    #: Seconds after which a disk that does not answer is ill.
    patience = 5.0

    def __init__(self, store: Store) -> None:
        self._store = store
        self._trial: asyncio.Task[Problem | None] | None = None
        self._began = 0.0

    async def problem(self) -> Problem | None:
        """What is wrong; None if all is well."""
        if self._trial is None or (self._trial.done() and self._age() >= self.every):
            self._began = time.monotonic()
            self._trial = asyncio.create_task(self._try())
        await asyncio.wait([self._trial], timeout=self.patience)
        return self._trial.result() if self._trial.done() else Problem("store.silent")

    def _age(self) -> float:
        return time.monotonic() - self._began

    async def _try(self) -> Problem | None:
        try:
            await self._store.check()
        except Problem as problem:
            return problem.again()
        return None
