"""Bots think here, outside the event loop: in processes of their own, so that no bot holds up a table.

A bot gets what a person in its seat gets, as JSON: its view, what is awaited and was said, and the
tree of its choices. All thoughts of one match go to one process, where bots may remember things; but
that is a cache: after a crash another process goes on with what the view says.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from multiprocessing import get_context, parent_process, resource_tracker
from threading import Thread
from typing import Any
from zlib import crc32

import msgspec

from capolinea import bots, games
from capolinea.bots.bot import DECLINE, Bot, Seen
from capolinea.engine.game import Game
from capolinea.engine.match import Awaited, Said, Tree
from capolinea.engine.options import convert
from capolinea.engine.problems import Problem
from capolinea.engine.rng import Rng
from capolinea.server import logs

#: So many matches' bots a process remembers, and so many sets of options: with data of a table's own one
#: may be as large as a request.
REMEMBERED = 200
MOST_OPTIONS = 16
#: Seconds that a process may take to start.
START = 60


class Ask(msgspec.Struct, frozen=True):
    """What a bot is asked, and all that its seat knows."""

    match: str
    title: str
    rules: str
    #: The options as JSON, with data of the table's own.
    options: bytes
    bot: str
    seat: int
    view: bytes
    awaited: Awaited
    said: list[Said]
    #: What it may do; empty: nothing.
    tree: Tree
    #: It may also let the moment pass.
    may_decline: bool
    #: It may say something.
    speak: bool
    #: For its generator: the same moment of the same match, the same thought.
    seed: bytes


class Thought(msgspec.Struct, frozen=True):
    """What a bot wants: to say something, to do these steps (none: let it pass)."""

    said: Any = None
    steps: list[int] = []


class TooSlow(Exception):
    """The bot has not answered in the time that bots have."""


class Crashed(Exception):
    """The bot did more than fail: it tried to end the program that runs it."""


class Minds:
    """A few processes that think."""

    def __init__(self, workers: int, limit: float, programs: Mapping[str, list[str]]) -> None:
        self._limit = limit
        self._programs = dict(programs)
        self._pools: list[ProcessPoolExecutor | None] = [None] * workers
        # One thing at a time in each: who is too slow, or dies, takes nobody along.
        self._busy = [asyncio.Lock() for _ in self._pools]

    async def think(self, ask: Ask) -> Thought:
        """What the bot wants; raises if it fails or is too slow."""
        number = self._number(ask.match)
        found: Thought
        try:
            found = await self._run(number, thought, ask)
        except BrokenExecutor:
            # Somebody ended its process, perhaps together with ours: that is no answer. A bot that did
            # it itself will do it again.
            found = await self._run(number, thought, ask)
        return found

    def forget(self, match: str) -> None:
        """A match is over: let its bots go."""
        pool = self._pools[self._number(match)]
        if pool is not None:
            with suppress(BrokenExecutor, RuntimeError):  # then they are gone already
                pool.submit(forget, match)

    def _number(self, match: str) -> int:
        return crc32(match.encode()) % len(self._pools)

    async def _run(self, number: int, work: Callable[..., Any], *arguments: Any) -> Any:
        """Who stops waiting before it is their turn is out of the queue. Later it is worked on all the
        same, and the next have to wait for that."""
        busy = self._busy[number]
        await busy.acquire()
        done = asyncio.create_task(self._work(number, work, *arguments))
        done.add_done_callback(lambda _: busy.release())
        return await asyncio.shield(done)

    async def _work(self, number: int, work: Callable[..., Any], *arguments: Any) -> Any:
        """A process that takes too long or dies is replaced."""
        loop = asyncio.get_running_loop()
        pool = self._pools[number]
        try:
            if pool is None:
                pool = self._pools[number] = self._started()
                # A busy machine takes a while for it; that is no fault of the bot.
                async with asyncio.timeout(START):
                    with deaf():
                        waking = loop.run_in_executor(pool, awake)
                    await waking
            async with asyncio.timeout(self._limit):
                return await loop.run_in_executor(pool, safely, work, *arguments)
        except TimeoutError:
            self._replace(number)
            raise TooSlow from None
        except BrokenExecutor:
            self._replace(number)
            raise

    def _started(self) -> ProcessPoolExecutor:
        # Not forked: this process has threads and sockets that a copy should not have.
        return ProcessPoolExecutor(
            1, get_context("spawn"), initializer=_begin, initargs=(self._programs,)
        )

    def _replace(self, number: int) -> None:
        pool, self._pools[number] = self._pools[number], None
        if pool is not None:  # or else we are closing
            logs.tell("bot-process-replaced", number=number)
            stop(pool)

    def close(self) -> None:
        for number, pool in enumerate(self._pools):
            self._pools[number] = None
            if pool is not None:
                stop(pool)


@contextmanager
def deaf() -> Iterator[None]:
    """What is started here does not hear that the server is told to stop, with all its processes, as
    by systemd: it thinks on until the server ends it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which opens our ears again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def stop(pool: ProcessPoolExecutor) -> None:
    """Do not wait for a bot that may never come to an end."""
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        if hasattr(os, "killpg") and process.pid is not None:
            with suppress(OSError):  # it may not have begun, or be gone
                os.killpg(process.pid, signal.SIGKILL)  # with the programs that it asks
        process.kill()


# --- in the other process ------------------------------------------------------------------------


def _begin(programs: dict[str, list[str]]) -> None:
    # Ctrl-C is for the server, which then stops us, also where nobody can be started deaf.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "setsid"):
        os.setsid()  # so that we can be ended together with what we started
    Thread(target=_end_with_server, daemon=True).start()
    bots.PROGRAMS.update(programs)


def _end_with_server() -> None:
    """A server that was killed has told nobody to stop."""
    server = parent_process()
    if server is not None:
        server.join()
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)


def awake() -> None:
    """There is nothing to do but to be there."""


def safely(work: Callable[..., Any], *arguments: Any) -> Any:
    """Whatever a bot throws, the server that catches it does not fall over."""
    try:
        return work(*arguments)
    except Exception:
        raise
    except BaseException as error:
        raise Crashed(type(error).__name__) from None


_memory: dict[tuple[str, int, str], Bot] = {}


def _game(title: str, rules: str) -> Game:
    """The title, by the rules that this match is played by."""
    game = games.load(title)
    return game.under(rules) or game


@lru_cache(MOST_OPTIONS)
def _options(title: str, rules: str, options: bytes) -> Any:
    return convert(_game(title, rules).options, msgspec.json.decode(options))


def thought(ask: Ask) -> Thought:
    """What the bot of this seat wants."""
    game = _game(ask.title, ask.rules)
    bot = _bot(ask)
    rng = Rng(ask.seed)
    view = msgspec.json.decode(ask.view, type=game.view_type)
    options = _options(ask.title, ask.rules, ask.options)

    def seen(begun: list[int]) -> Seen:
        return Seen(game, options, ask.seat, view, ask.awaited, tuple(ask.said), tuple(begun))

    said = bot.speak(seen([]), Rng(ask.seed + b" voice")) if ask.speak else None
    steps: list[int] = []
    tree = ask.tree
    while tree:
        may = ask.may_decline and not steps
        action = bot.choose(seen(steps), list(tree), rng, may)
        if action == DECLINE and may:
            return Thought(said)
        if action not in tree:
            raise Problem("bot.illegal", name=bot.name, seat=ask.seat + 1, found=repr(action))
        steps.append(action)
        tree = tree[action]
    return Thought(said, steps)


def _bot(ask: Ask) -> Bot:
    key = ask.match, ask.seat, ask.bot
    if key not in _memory:
        if len(_memory) >= REMEMBERED:
            forgotten = _memory.pop(next(iter(_memory)))
            forgotten.close()
        _memory[key] = bots.load(ask.bot, _game(ask.title, ask.rules))
    return _memory[key]


def forget(match: str) -> None:
    """Programs among the bots of this match are ended."""
    for key in [key for key in _memory if key[0] == match]:
        _memory.pop(key).close()
