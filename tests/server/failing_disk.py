"""A process whose disk fails: many write at once, some are refused, and then it dies.

    python -m tests.server.failing_disk KIND FILE

It prints what the writers were told.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from itertools import count
from pathlib import Path
from typing import Protocol

from capolinea.server import sqlite
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import PutRoom, StoreFailed

if sys.platform != "win32":
    import resource

#: With this in LD_PRELOAD the disk confirms nothing as long as a certain file is there.
SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static int confirm(const char *name, int file) {
    int (*real)(int) = (int (*)(int)) dlsym(RTLD_NEXT, name);
    if (access(getenv("DISK_FAILS"), F_OK) == 0) { errno = EIO; return -1; }
    return real(file);
}
int fsync(int file) { return confirm("fsync", file); }
int fdatasync(int file) { return confirm("fdatasync", file); }
"""


class Disk(Protocol):
    def fail(self) -> None: ...
    def heal(self) -> None: ...


class Unconfirmed:
    """Everything is written, but the disk does not say that it is."""

    def __init__(self) -> None:
        self._sign = Path(os.environ["DISK_FAILS"])

    def fail(self) -> None:
        self._sign.touch()

    def heal(self) -> None:
        self._sign.unlink()


class Full:
    """No file may be longer than this."""

    limit = 200_000

    def fail(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.limit, resource.RLIM_INFINITY))

    def heal(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)


class Writers:
    def __init__(self, store: SqliteStore) -> None:
        self.store = store
        self.names = count()
        self.kept: list[str] = []
        self.refused: list[str] = []
        self.open: set[asyncio.Task[None]] = set()

    async def write(self) -> None:
        code = f"R{next(self.names)}"
        try:
            await self.store.write(PutRoom(code, os.urandom(10_000), 1))
            self.kept.append(code)
        except StoreFailed:
            self.refused.append(code)

    async def until_refused(self, refused: int) -> None:
        """Write until so many were refused; who waits for a look is not waited for here."""
        while len(self.refused) < refused:
            await asyncio.wait([self.begin() for _ in range(8)], timeout=0.01)

    def begin(self) -> asyncio.Task[None]:
        task = asyncio.create_task(self.write())
        self.open.add(task)
        task.add_done_callback(self.open.discard)
        return task


async def main(disk: Disk, file: Path) -> None:
    store = SqliteStore(file)
    await store.open()
    writers = Writers(store)
    for spell in range(1, 4):
        disk.fail()
        await writers.until_refused(30 * spell)
        disk.heal()
        await asyncio.gather(*writers.open)
        while len(writers.kept) < 10 * spell:
            await writers.write()
    disk.fail()
    await writers.until_refused(len(writers.refused) + 1)
    print(json.dumps({"kept": writers.kept, "refused": writers.refused}), flush=True)
    os._exit(0)  # as if it were killed, while some still wait


if __name__ == "__main__":
    sqlite.LOOK_AGAIN = 0.01
    kinds: dict[str, type[Disk]] = {"unconfirmed": Unconfirmed, "full": Full}
    asyncio.run(main(kinds[sys.argv[1]](), Path(sys.argv[2])))
