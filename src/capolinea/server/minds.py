"""Bots think here, outside the event loop: in processes of their own, so that no bot holds up a table.

A bot gets what a person in its seat gets, as JSON: its view, what is awaited and was said, and the
tree of its choices. The bots of a match that are asked at the same moment are asked in one message.
They may remember things; but that is a cache: another process goes on with what the view says. Bots
that are programs of the host's own think apart from all others, each kind in processes of its own.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from itertools import chain
from time import monotonic
from typing import Any

import msgspec

from capolinea import bots, games
from capolinea.bots.bot import DECLINE, Bot, Seen
from capolinea.engine.game import Game
from capolinea.engine.match import Awaited, Said, Tree
from capolinea.engine.options import Options, convert
from capolinea.engine.problems import Problem
from capolinea.engine.rng import Rng
from capolinea.server import logs
from capolinea.server.workers import Crew, Line, Worker

#: So many bots, and so many variants, a process remembers.
REMEMBERED = 200
#: So many bytes of variants it remembers; a larger one for as long as no other comes.
REMEMBERED_BYTES = 5_000_000


@dataclass(frozen=True)
class Variant:
    """What is played, by which rules and options: the same all through a match."""

    title: str
    rules: str
    #: The options as JSON, with data of the table's own.
    json: bytes

    @cached_property
    def key(self) -> str:
        """A process that has had these contents is told no more than this."""
        return sha256(b"%a %a %b" % (self.title, self.rules, self.json)).hexdigest()

    @cached_property
    def game(self) -> Game:
        """The title, by the rules that this match is played by."""
        game = games.load(self.title)
        return game.under(self.rules) or game

    @cached_property
    def options(self) -> Options:
        return convert(self.game.options, msgspec.json.decode(self.json))


class Ask(msgspec.Struct, frozen=True):
    """What a bot is asked, and what its seat knows besides what all know."""

    bot: str
    seat: int
    view: bytes
    #: What it may do; empty: nothing.
    tree: Tree
    #: It may also let the moment pass.
    may_decline: bool
    #: It may say something.
    speak: bool
    #: For its generator: the same moment of the same match, the same thought.
    seed: bytes


class Moment(msgspec.Struct, frozen=True):
    """The bots of a match that are asked at the same moment, and what all know then."""

    match: str
    awaited: Awaited
    said: list[Said]
    asks: list[Ask]


class Thought(msgspec.Struct, frozen=True):
    """What a bot wants: to say something, to do these steps (none: let it pass)."""

    said: Any = None
    steps: list[int] = []


class Answer(msgspec.Struct, frozen=True):
    """What came of one ask: a thought or, if there is none, why."""

    thought: Thought | None = None
    why: str = ""
    #: How long the bot thought.
    seconds: float = 0


TOO_SLOW, DIED = "TooSlow", "Died"


class Crashed(Exception):
    """The bot did more than fail: it tried to end the program that runs it."""


class Minds:
    """A few processes that think."""

    def __init__(self, workers: int, limit: float, programs: Mapping[str, list[str]]) -> None:
        self._limit = limit
        self._crew = Crew(workers, attend, {})
        #: A program that never comes to an end, or takes its process down, holds up none but its like.
        self._program_crews = {
            name: Crew(workers, attend, {name: command}) for name, command in programs.items()
        }

    async def think(self, variant: Variant, moment: Moment) -> list[Answer]:
        """What each of the bots wants."""
        groups: dict[Crew, list[Ask]] = {}
        for ask in moment.asks:
            groups.setdefault(self._program_crews.get(ask.bot, self._crew), []).append(ask)
        found = await asyncio.gather(
            *(
                self._think(crew, variant, msgspec.structs.replace(moment, asks=asks))
                for crew, asks in groups.items()
            )
        )
        seats = [ask.seat for asks in groups.values() for ask in asks]
        answers = dict(zip(seats, chain.from_iterable(found), strict=True))
        return [answers[ask.seat] for ask in moment.asks]

    async def _think(self, crew: Crew, variant: Variant, moment: Moment) -> list[Answer]:
        answers: list[Answer] = []
        died = -1
        while len(answers) < len(moment.asks):
            rest = msgspec.structs.replace(moment, asks=moment.asks[len(answers) :])
            answers += await crew.work(moment.match, partial(self._talk, variant, rest))
            if answers[-1].why == DIED and died < len(answers):
                # Somebody ended its process, perhaps together with ours: that is no answer. A bot that
                # did it itself will do it again.
                died = len(answers)
                answers.pop()
        return answers

    async def _talk(self, variant: Variant, moment: Moment, worker: Worker) -> list[Answer]:
        """The answers of as many as answer before one is too slow, or takes its process down: then the
        last of them says so."""
        answers: list[Answer] = []
        try:
            await worker.start()
            worker.send(pickle.dumps((variant.key, None, moment)))
            while len(answers) < len(moment.asks):
                async with asyncio.timeout(self._limit):
                    answer = _ANSWER.decode(await worker.receive())
                if answer is None:  # it has not heard of this variant, or not lately
                    worker.send(pickle.dumps((variant.key, variant, moment)))
                else:
                    answers.append(answer)
        except TimeoutError:
            answers.append(Answer(why=TOO_SLOW, seconds=self._limit))
        except (EOFError, OSError):
            answers.append(Answer(why=DIED))
        else:
            return answers
        if worker.end():  # or else we are closing
            logs.tell("bot-process-replaced", why=answers[-1].why)
        return answers

    def forget(self, match: str) -> None:
        """A match is over: let its bots go."""
        for worker in self._workers():
            worker.send(pickle.dumps(match))

    def _workers(self) -> Iterator[Worker]:
        for crew in (self._crew, *self._program_crews.values()):
            yield from crew.workers

    def close(self) -> None:
        for worker in self._workers():
            worker.end()


_ANSWER = msgspec.msgpack.Decoder(Answer | None)


# --- in the other process ------------------------------------------------------------------------


def safely(work: Callable[..., Any], *arguments: Any) -> Any:
    """Whatever a bot throws, the server that catches it does not fall over."""
    try:
        return work(*arguments)
    except Exception:
        raise
    except BaseException as error:
        raise Crashed(type(error).__name__) from None


_memory: dict[tuple[str, int, str], Bot] = {}
_variants: dict[str, Variant] = {}


def attend(line: Line, programs: dict[str, list[str]]) -> None:
    """Answer one after the other, each as soon as it has thought."""
    bots.PROGRAMS.update(programs)
    for message in line.messages():
        told = pickle.loads(message)
        if isinstance(told, str):
            forget(told)
            continue
        key, variant, moment = told
        variant = _known(key, variant)
        if variant is None:
            line.send(msgspec.msgpack.encode(None))
            continue
        for ask in moment.asks:
            line.send(_answer(variant, moment, ask))


def _known(key: str, variant: Variant | None) -> Variant | None:
    """The variant as this process has it, with all that was ever made of it. Those that were not asked
    for lately are forgotten."""
    variant = _variants.pop(key, variant)
    if variant is not None:
        _variants[key] = variant
        while len(_variants) > 1 and (
            len(_variants) > REMEMBERED
            or sum(len(one.json) for one in _variants.values()) > REMEMBERED_BYTES
        ):
            del _variants[next(iter(_variants))]
    return variant


def _answer(variant: Variant, moment: Moment, ask: Ask) -> bytes:
    """Whatever a bot does, throws or says, the server gets an answer that it can read."""
    began = monotonic()
    try:
        found = safely(thought, variant, moment, ask)
        return msgspec.msgpack.encode(Answer(found, seconds=monotonic() - began))
    except Exception as error:
        why = error.key if isinstance(error, Problem) else type(error).__name__
        return msgspec.msgpack.encode(Answer(None, why, monotonic() - began))


def thought(variant: Variant, moment: Moment, ask: Ask) -> Thought:
    """What the bot of this seat wants."""
    game, options = variant.game, variant.options
    bot = _bot(game, moment.match, ask)
    rng = Rng(ask.seed)
    view = msgspec.json.decode(ask.view, type=game.view_type)

    def seen(begun: list[int]) -> Seen:
        return Seen(game, options, ask.seat, view, moment.awaited, tuple(moment.said), tuple(begun))

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
        steps.append(int(action))
        tree = tree[action]
    return Thought(said, steps)


def _bot(game: Game, match: str, ask: Ask) -> Bot:
    key = match, ask.seat, ask.bot
    if key not in _memory:
        if len(_memory) >= REMEMBERED:
            forgotten = _memory.pop(next(iter(_memory)))
            forgotten.close()
        _memory[key] = bots.load(ask.bot, game)
    return _memory[key]


def forget(match: str) -> None:
    """Programs among the bots of this match are ended."""
    for key in [key for key in _memory if key[0] == match]:
        _memory.pop(key).close()
