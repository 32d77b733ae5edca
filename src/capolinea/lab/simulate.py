"""Many games of bots against each other, counted.

Every game's deal and its bots' generators come from the seed and the game's number alone, so the
same seed gives the same games whatever the number of jobs.
"""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from hashlib import sha256
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec

from capolinea import bots
from capolinea.bots.match import BotMatch
from capolinea.bots.random import RandomBot
from capolinea.engine.events import Event
from capolinea.engine.game import Game
from capolinea.engine.match import Match
from capolinea.engine.options import Options, plain
from capolinea.engine.playout import Playout
from capolinea.engine.problems import Problem
from capolinea.engine.record import Record, dumps
from capolinea.engine.result import Result
from capolinea.engine.rng import Rng
from capolinea.lab.build import compiled
from capolinea.lab.files import write

#: Small enough for a lively progress bar, large enough that workers seldom wait for work.
CHUNKS_PER_JOB = 25
LARGEST_CHUNK = 200


class GameFailed(Problem):
    """A game that could not be played to its end: the arguments say which, and why."""


class RoleWins(msgspec.Struct):
    """How often those who had a role won; two seats that share a role in one game count twice."""

    wins: int = 0
    games: int = 0


class Wins(msgspec.Struct, omit_defaults=True):
    seats: list[int]
    #: Only where the title has roles.
    roles: dict[str, RoleWins] = {}


class Summary(msgspec.Struct):
    """What came of it. `seconds` is time spent playing: with several jobs, that of the busiest."""

    title: str
    players: int
    games: int
    moves: int
    decisions: int
    seconds: float
    moves_per_second: float
    decisions_per_second: float
    games_per_second: float
    compiled: bool
    endings: dict[str, int]
    wins: Wins
    #: How often each thing happened, by the event's key; games among `random` alone are not watched.
    events: dict[str, int]
    seed: int
    bots: list[str]
    options: dict[str, Any]


def key_of(event: Event) -> str:
    return event.key


class Plan(msgspec.Struct, frozen=True):
    """What to play; all that a worker needs to know."""

    game: Game
    options: Options
    seed: int
    #: The name of each seat's bot.
    bots: list[str]
    records: str = ""
    #: How many digits a record's file name has.
    digits: int = 4
    #: What an event is counted as: a name, or "" for nothing.
    count: Callable[[Event], str] = key_of


class Played(msgspec.Struct):
    """What became of one game."""

    result: Result
    moves: int
    decisions: int
    seconds: float
    events: Counter[str]
    record: Callable[[], Record]


class Tally(msgspec.Struct):
    """Some games, counted: small enough to hand from one process to another."""

    worker: int
    games: int = 0
    moves: int = 0
    decisions: int = 0
    seconds: float = 0.0
    endings: Counter[str] = msgspec.field(default_factory=Counter)
    seats: Counter[int] = msgspec.field(default_factory=Counter)
    role_wins: Counter[str] = msgspec.field(default_factory=Counter)
    role_games: Counter[str] = msgspec.field(default_factory=Counter)
    events: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, played: Played) -> None:
        self.games += 1
        self.moves += played.moves
        self.decisions += played.decisions
        self.seconds += played.seconds
        self.endings[played.result.ending] += 1
        self.events += played.events
        for seat, outcome in enumerate(played.result.outcomes):
            self.seats[seat] += outcome.won
            if outcome.role:
                self.role_games[outcome.role] += 1
                self.role_wins[outcome.role] += outcome.won


def simulate(
    game: Game,
    players: int,
    games: int,
    seed: int = 1,
    bots: Sequence[str] = ("random",),
    options: Options | None = None,
    records_dir: Path | None = None,
    jobs: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> Summary:
    """Play; the names of bots go round the seats. A Problem says what is wrong with the plan, a
    GameFailed with a game."""
    plan = Plan(
        game=game,
        options=options if options is not None else game.options(),
        seed=seed,
        bots=[bots[seat % len(bots)] for seat in range(players)],
        records=str(records_dir) if records_dir is not None else "",
        digits=max(4, len(str(games))),
    )
    _check(plan)
    if records_dir is not None:
        records_dir.mkdir(parents=True, exist_ok=True)
    chunks = _chunks(games, jobs)
    tallies: list[Tally] = []
    done = 0
    for tally in _here(plan, chunks) if jobs == 1 else _in_workers(plan, chunks, jobs):
        tallies.append(tally)
        done += tally.games
        progress(done)
    return _summary(plan, tallies)


def _check(plan: Plan) -> None:
    """Say what is wrong before any game, and in this process."""
    for name in plan.bots:
        bots.load(name, plan.game)
    plan.game.new(len(plan.bots), plan.options, bytes(32))


def _chunks(games: int, jobs: int) -> list[range]:
    size = min(max(1, games // (jobs * CHUNKS_PER_JOB)), LARGEST_CHUNK)
    return [range(first, min(first + size, games)) for first in range(0, games, size)]


def _here(plan: Plan, chunks: list[range]) -> Iterator[Tally]:
    for numbers in chunks:
        yield _play_some(plan, numbers)


# --- workers -----------------------------------------------------------------------------------


def _in_workers(plan: Plan, chunks: list[range], jobs: int) -> Iterator[Tally]:
    # "spawn" is the way to start processes that every platform has and that threads do not upset.
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_stop_politely)
    rest = iter(chunks)
    try:
        waiting = {pool.submit(_play_some, plan, numbers) for numbers in islice(rest, 2 * jobs)}
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            waiting |= {pool.submit(_play_some, plan, some) for some in islice(rest, len(done))}
            for future in done:
                yield future.result()
    except BrokenProcessPool:
        raise GameFailed("simulate.worker-died") from None
    finally:
        pool.shutdown(cancel_futures=True)


_stopped = False


def _stop_politely() -> None:
    """A worker that dies of Ctrl-C may take a lock with it: let it finish its game instead."""

    def stop(*_: object) -> None:
        global _stopped  # noqa: PLW0603 - a signal has nowhere else to leave word
        _stopped = True

    signal.signal(signal.SIGINT, stop)


def _play_some(plan: Plan, numbers: range) -> Tally:
    tally = Tally(os.getpid())
    for number in numbers:
        if _stopped:
            raise GameFailed("simulate.worker-died")
        try:
            played = play_one(plan, number)
        except Problem as problem:
            raise GameFailed("simulate.failed", game=number + 1, why=problem) from problem
        tally.add(played)
        if plan.records:
            path = Path(plan.records) / f"{number + 1:0{plan.digits}}.json"
            _keep(path, dumps(played.record()))
    return tally


def _keep(path: Path, text: str) -> None:
    try:
        write(path, text)
    except OSError as error:
        raise GameFailed("cli.file", file=str(path), why=error.strerror or str(error)) from error


# --- one game ----------------------------------------------------------------------------------


def seed_of(seed: int, number: int, purpose: str) -> bytes:
    """The 32 bytes that game `number` (from 0) of a simulation takes its deal or its bots from."""
    return sha256(f"capolinea simulate {seed} {number} {purpose}".encode()).digest()


def play_one(plan: Plan, number: int) -> Played:
    players = [bots.load(name, plan.game) for name in plan.bots]
    # Bots that look at nothing need no table, and the compiled loop is many times faster.
    if all(type(bot) is RandomBot for bot in players):
        return _blindly(plan, number)
    return _at_a_table(plan, number, players)


def _blindly(plan: Plan, number: int) -> Played:
    deal, choices = seed_of(plan.seed, number, "deal"), seed_of(plan.seed, number, "bots")
    playout = Playout()
    playout.trace = [] if plan.records else None
    start = perf_counter()
    state = plan.game.new(len(plan.bots), plan.options, deal)
    playout.run(state, Rng(choices), plan.game.longest)
    result = state.result()
    seconds = perf_counter() - start
    assert result is not None
    trace = playout.trace or []
    return Played(
        result,
        playout.moves,
        playout.decisions,
        seconds,
        Counter(),
        lambda: _retold(plan, deal, trace),
    )


def _retold(plan: Plan, deal: bytes, trace: list[int]) -> Record:
    """The record of a playout from its trace, the steps of a compound choice put together."""
    match = _match(plan, deal)
    for seat, name in enumerate(plan.bots):
        match.control(seat, "bot", name)
    state = match.state.copy()
    steps: list[int] = []
    for seat, action in zip(trace[::2], trace[1::2], strict=True):
        state.play(seat, action)
        steps.append(action)
        if state.midway() < 0:
            match.move(seat, steps)
            steps = []
    return match.record()


def _at_a_table(plan: Plan, number: int, players: list[bots.Bot]) -> Played:
    match = _match(plan, seed_of(plan.seed, number, "deal"))
    start = perf_counter()
    table = BotMatch(match, players, seed_of(plan.seed, number, "bots"))
    table.play()
    result = match.result()
    seconds = perf_counter() - start
    assert result is not None
    events = Counter(plan.count(event) for event in table.told)
    del events[""]
    return Played(result, table.moves, table.decisions, seconds, events, match.record)


def _match(plan: Plan, deal: bytes) -> Match:
    names = [f"{name} {seat}" for seat, name in enumerate(plan.bots, 1)]
    return Match(plan.game, names, plan.options, seed=deal)


# --- the sum -----------------------------------------------------------------------------------


def _summary(plan: Plan, tallies: list[Tally]) -> Summary:
    seconds = _busiest(tallies)
    games = sum(tally.games for tally in tallies)
    moves = sum(tally.moves for tally in tallies)
    decisions = sum(tally.decisions for tally in tallies)
    endings = sum((tally.endings for tally in tallies), Counter[str]())
    events = sum((tally.events for tally in tallies), Counter[str]())
    game, players = plan.game, len(plan.bots)
    return Summary(
        title=game.id,
        players=players,
        games=games,
        moves=moves,
        decisions=decisions,
        seconds=seconds,
        moves_per_second=moves / seconds if seconds else 0.0,
        decisions_per_second=decisions / seconds if seconds else 0.0,
        games_per_second=games / seconds if seconds else 0.0,
        compiled=compiled(type(game.new(players, plan.options, bytes(32)))),
        endings={name: endings[name] for name in game.endings},
        wins=_wins(game, players, tallies),
        events=dict(sorted(events.items())),
        seed=plan.seed,
        bots=plan.bots,
        options=plain(plan.options),
    )


def _busiest(tallies: list[Tally]) -> float:
    """How long the worker with the most to do played: starting and writing take no part in it."""
    seconds: dict[int, float] = {}
    for tally in tallies:
        seconds[tally.worker] = seconds.get(tally.worker, 0.0) + tally.seconds
    return max(seconds.values(), default=0.0)


def _wins(game: Game, players: int, tallies: list[Tally]) -> Wins:
    seats = sum((tally.seats for tally in tallies), Counter[int]())
    won = sum((tally.role_wins for tally in tallies), Counter[str]())
    had = sum((tally.role_games for tally in tallies), Counter[str]())
    roles = {role: RoleWins(won[role], had[role]) for role in game.roles}
    return Wins([seats[seat] for seat in range(players)], roles)
