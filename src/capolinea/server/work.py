"""Work that takes long, for people: replays, records, files that they bring, hints.

A few processes do it, and everybody has a fair share of them: each address in turn, at an address each
person, for each person one thing at a time. So many may wait; who comes then is told when to try again.
What came of it is kept for a while, known by what it was made from: nothing is done twice.
"""

from __future__ import annotations

import asyncio
import pickle
from collections import OrderedDict
from collections.abc import Callable, Mapping
from hashlib import sha256
from math import ceil
from typing import Any, NamedTuple, TypeVar

import msgspec

from capolinea import bots
from capolinea.engine.problems import Problem
from capolinea.server import logs
from capolinea.server.workers import Line, Worker

T = TypeVar("T")

#: So much may wait: in all, of one address, of one person. Each may be as large as a record.
MOST_WAITING = 64
MOST_OF_ADDRESS = 16
MOST_OF_PERSON = 4
#: Bytes of what is kept. One thing that would take the room of many is not.
MOST_KEPT = 64 * 1024 * 1024
#: Nobody is told to come back later than this, in seconds.
LONGEST_WAIT = 60
#: What a process sends begins with it, unless it failed.
DONE = b"+"


class Asker(NamedTuple):
    """Whose share it is. Identities are free, so an address has one, too."""

    address: str
    person: str


class Busy(Problem):
    """Too much is waiting already; `seconds` says when to try again."""

    def __init__(self, seconds: int) -> None:
        super().__init__("serve.busy", seconds=seconds)
        self.seconds = seconds


class TooSlow(Exception):
    """It was not done in the time that there is."""


class Died(Exception):
    """It failed by a fault of its own: where, as far as that is known."""


class Failure(NamedTuple):
    """That nothing came of it. No exception: one that is kept keeps all that its raiser had in hand."""

    kind: type[Exception]
    why: str


class Job:
    """Something to be done, and who waits for it."""

    def __init__(self, key: bytes, work: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        self.key = key
        self.work = work
        self.arguments = arguments
        #: In whose turns it waits. Who asks for the same waits with the others, but not for their turn.
        self.askers: list[Asker] = []
        #: What came of it, pickled.
        self.done: asyncio.Future[bytes | Failure] = asyncio.get_running_loop().create_future()
        self.awaited = 0


class Turns:
    """What waits, and who is next."""

    def __init__(self) -> None:
        # Address → person → what they wait for. Whose turn is next comes first.
        self._waiting: dict[str, dict[str, list[Job]]] = {}

    def __len__(self) -> int:
        return sum(map(self._of, self._waiting))

    def _of(self, address: str) -> int:
        return sum(map(len, self._waiting.get(address, {}).values()))

    def full(self, asker: Asker) -> bool:
        """Whether nothing more can wait for this asker."""
        of_person = len(self._waiting.get(asker.address, {}).get(asker.person, []))
        of_address = self._of(asker.address)
        return (
            len(self) >= MOST_WAITING
            or of_address >= MOST_OF_ADDRESS
            or of_person >= MOST_OF_PERSON
        )

    def add(self, job: Job, asker: Asker) -> None:
        people = self._waiting.setdefault(asker.address, {})
        people.setdefault(asker.person, []).append(job)
        job.askers.append(asker)

    def drop(self, job: Job) -> None:
        """Let it wait no longer, for nobody's turn."""
        while job.askers:
            address, person = job.askers.pop()
            people = self._waiting[address]
            people[person].remove(job)
            if not people[person]:
                del people[person]
            if not people:
                del self._waiting[address]

    def next(self, may: Callable[[Asker], bool]) -> tuple[Asker, Job] | None:
        """Take the next whose asker may have it."""
        for address, people in self._waiting.items():
            for person, (job, *_) in people.items():
                asker = Asker(address, person)
                if may(asker):
                    self.pass_on(asker)
                    self.drop(job)
                    return asker, job
        return None

    def pass_on(self, asker: Asker) -> None:
        """Now it is the turn of all others who wait."""
        address, person = asker
        people = self._waiting.get(address, {})
        if person in people:
            people[person] = people.pop(person)
        if people:
            self._waiting[address] = self._waiting.pop(address)


class Kept:
    """What was made, as long as there is room for it: what was not asked for longest goes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.size = 0
        self._found: OrderedDict[bytes, bytes] = OrderedDict()

    def get(self, key: bytes) -> bytes | None:
        if key in self._found:
            self._found.move_to_end(key)
        return self._found.get(key)

    def put(self, key: bytes, found: bytes) -> None:
        """What is there already or would take the room of many is not kept."""
        if key in self._found or _weight(found) > self._most // 4:
            return
        self._found[key] = found
        self.size += _weight(found)
        while self.size > self._most:
            _, gone = self._found.popitem(last=False)
            self.size -= _weight(gone)


def _weight(found: bytes) -> int:
    """The bytes that it takes to keep it, with its key and its place."""
    return len(found) + 256


class Process:
    """One process: started when it is needed, ended when something takes too long, and then anew."""

    def __init__(self, limit: float, programs: Mapping[str, list[str]]) -> None:
        self._limit = limit
        self._worker = Worker(attend, dict(programs))

    async def run(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
        """What came of it, pickled: a result or a Problem. All else is an exception."""
        try:
            await self._worker.start()
            self._worker.send(pickle.dumps((work, arguments)))
            async with asyncio.timeout(self._limit):
                came = await self._worker.receive()
        except TimeoutError:
            self._replace()
            raise TooSlow from None
        except (EOFError, OSError):
            self._replace()
            raise Died("its process ended") from None
        if came.startswith(DONE):
            return came.removeprefix(DONE)
        raise Died(came.decode())

    def _replace(self) -> None:
        if self._worker.end():  # or else we are closing
            logs.tell("work-process-replaced")

    def close(self) -> None:
        self._worker.end()


class Workshop:
    """Some processes, what waits for them, and what they made."""

    def __init__(
        self,
        processes: int,
        limit: float,
        programs: Mapping[str, list[str]] | None = None,
        most_kept: int = MOST_KEPT,
    ) -> None:
        self._processes = [Process(limit, programs or {}) for _ in range(processes)]
        self._idle = list(self._processes)
        self._turns = Turns()
        #: By their keys: what waits and what is being done, for whom.
        self._jobs: dict[bytes, Job] = {}
        self._busy: dict[Job, Asker] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._kept = Kept(most_kept)
        #: Seconds that something took of late.
        self._took = 1.0

    async def do(self, asker: Asker, work: Callable[..., T], *arguments: Any) -> T:
        """What this makes of that, now or when it is their turn; Busy if too much waits, TooSlow if it
        takes too long. It must depend on nothing but its arguments, of which msgspec knows the types."""
        key = _key(work, arguments)
        found = self._kept.get(key)
        if found is None:
            job = self._jobs.get(key) or Job(key, work, arguments)
            if job not in self._busy and asker not in job.askers:
                self._queue(job, asker)
            came = await self._wait(job)
            if isinstance(came, Failure):
                raise came.kind(came.why)
            found = came
        made = pickle.loads(found)
        if isinstance(made, Problem):
            raise made.again()  # what was raised must not be in our hands: a circle, with the arguments
        result: T = made
        return result

    def _queue(self, job: Job, asker: Asker) -> None:
        if not self._turns.full(asker):
            self._jobs[job.key] = job
            self._turns.add(job, asker)
            self._start()
        elif job.key not in self._jobs:  # or else it is done when it is others' turn
            raise Busy(self._patience())

    def _patience(self) -> int:
        """After how many seconds all that waits now should be done."""
        waiting = len(self._turns) + len(self._busy)
        return min(LONGEST_WAIT, max(1, ceil(waiting * self._took / len(self._processes))))

    async def _wait(self, job: Job) -> bytes | Failure:
        """What nobody waits for any more is out of the queue; what has begun is finished."""
        job.awaited += 1
        try:
            return await asyncio.shield(job.done)
        finally:
            job.awaited -= 1
            if not job.awaited and job.askers:
                self._turns.drop(job)
                del self._jobs[job.key]

    def _start(self) -> None:
        """Give every idle process something to do."""
        while self._idle and (turn := self._turns.next(self._may)) is not None:
            asker, job = turn
            self._busy[job] = asker
            task = asyncio.create_task(self._run(self._idle.pop(0), job))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _may(self, asker: Asker) -> bool:
        """One thing at a time for a person; for an address so many that there is a process for others."""
        busy = list(self._busy.values())
        of_address = sum(other.address == asker.address for other in busy)
        return asker not in busy and of_address < max(1, len(self._processes) - 1)

    async def _run(self, process: Process, job: Job) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            made = await process.run(job.work, job.arguments)
        except Exception as error:
            why = str(error) or type(error).__name__
            logs.tell("work-failed", work=job.work.__qualname__, why=why)
            job.done.set_result(Failure(type(error), str(error)))
        else:
            self._kept.put(job.key, made)
            job.done.set_result(made)
        self._took += (loop.time() - began - self._took) / 8
        del self._jobs[job.key]
        self._turns.pass_on(self._busy.pop(job))  # also of those who came meanwhile
        self._idle.insert(0, process)  # it is there, while others may not have been needed yet
        self._start()

    def close(self) -> None:
        while (turn := self._turns.next(lambda _: True)) is not None:
            turn[1].done.cancel()
        for process in self._processes:
            process.close()


def _key(work: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """What a result is known by: what made it, and of what."""
    form = msgspec.msgpack.encode((work.__module__, work.__qualname__, arguments))
    return sha256(form).digest()


# --- in the other process ------------------------------------------------------------------------


def attend(line: Line, programs: dict[str, list[str]]) -> None:
    """Do one thing after the other."""
    bots.PROGRAMS.update(programs)
    for message in line.messages():
        work, arguments = pickle.loads(message)
        line.send(outcome(work, arguments))


def outcome(work: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
    """What came of it, or where it failed."""
    try:
        return DONE + pickle.dumps(work(*arguments))
    except Problem as problem:
        return DONE + pickle.dumps(problem)
    except BaseException as error:  # whatever a bot throws: who works here goes on
        return "; ".join(logs.places(error)).encode()
