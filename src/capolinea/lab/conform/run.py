"""A run of the kit: random matches of a title, every check on each, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter

import msgspec

from capolinea.engine import Game, Match, Options, Problem, Record, Rng
from capolinea.engine.problems import NotWritten
from capolinea.engine.record import altered, loads
from capolinea.lab.conform import forms, rules, secrets
from capolinea.lab.conform.fault import Case, Check, Fault, place
from capolinea.lab.conform.secrets import TwinCount
from capolinea.lab.conform.shrink import shrink
from capolinea.lab.conform.wander import Crash, options_at_random, wander

#: Checks of one match. Each looks at all matches before the next one does, in an order in which a
#: fault is met first by the check that can name it best.
CHECKS: dict[str, Check] = {
    "play": rules.check_play,
    "copy": rules.check_copy,
    "key": rules.check_key,
    "replay": forms.check_replay,
    "legal": rules.check_legal,
    "quiet": rules.check_quiet,
    "hurry": rules.check_hurry,
    "default": rules.check_default,
    "preview": rules.check_preview,
    "json": forms.check_json,
    "secrets": secrets.check_secrets,
    "views": forms.check_views,
    "imagine": secrets.check_imagine,
    "undo": rules.check_undo,
    "events": forms.check_events,
    "words": forms.check_words,
}

#: One match in this many is also played by each bot.
SOAK = 10


class Found(msgspec.Struct):
    """The first fault, with the record that shows it."""

    check: str
    key: str
    args: dict[str, object]
    record: Record | None = None
    #: For what is hidden: the other match, which should look the same to that viewer.
    twin: Record | None = None


class Report(msgspec.Struct):
    """What a run looked at, and the first thing that did not hold, if any."""

    title: str
    players: list[int]
    games: int = 0
    moves: int = 0
    #: Check → how many matches it looked at.
    checks: dict[str, int] = {}
    #: Pairs of a match and a viewer whose twin truly differs, of all such pairs.
    twins_differ: int = 0
    twins: int = 0
    endings: dict[str, int] = {}
    seconds: float = 0.0
    fault: Found | None = None

    @property
    def passed(self) -> bool:
        return self.fault is None


def conform(
    game: Game,
    players: int | None = None,
    options: Options | None = None,
    games: int = 100,
    seed: int = 1,
    fixtures: Path | None = None,
    progress: Callable[[str, float], None] | None = None,
) -> Report:
    """Run the kit: so many matches for each number of players (all that the title allows, or one).

    Without `options`, matches take turns between the defaults, each preset and options at random.
    """
    counts = [players] if players is not None else list(game.seats)
    report = Report(game.id, counts, checks=dict.fromkeys(CHECKS, 0))
    start = perf_counter()
    run = _Run(game, report)
    try:
        forms.check_schema(game)
        forms.check_catalogues(game)
        for number in range(games * len(counts)):
            seats = counts[number % len(counts)]
            rng = Rng(b"conform %d %d" % (seed, number))
            table = (
                options
                if options is not None
                else _options(game, seats, number // len(counts), rng)
            )
            run.play(seats, table, rng)
        for done, name in enumerate(CHECKS):
            for number, record in enumerate(run.records):
                run.check(name, record, Rng(b"check %d %d" % (seed, number)))
                if progress is not None:
                    share = (done + (number + 1) / len(run.records)) / len(CHECKS)
                    progress(name, share)
        for record in run.records[::SOAK]:
            run.soak(record)
        run.fixtures(fixtures)
        run.conclude()
    except Fault as fault:
        report.fault = Found(fault.check, fault.key, fault.args_, run.record, fault.twin)
    report.twins, report.twins_differ = run.twins.pairs, run.twins.differ
    report.seconds = perf_counter() - start
    return report


def _options(game: Game, seats: int, number: int, rng: Rng) -> Options:
    kinds = 2 + len(game.presets)
    turn = number % kinds
    if turn == 0:
        return game.options()
    if turn == 1:
        return options_at_random(game, seats, rng)
    options: Options = game.preset(list(game.presets)[turn - 2])
    try:
        game.check(seats, options)
    except Problem:
        return game.options()  # a preset for other numbers of players
    return options


def guarded(check: Check) -> Check:
    """A check for which an error in the title's own code is a fault like any other."""

    def checked(case: Case) -> None:
        try:
            check(case)
        except NotWritten as missing:
            raise Fault(missing.key) from None
        except Problem:
            raise
        except Exception as error:
            where = place(error, case.game)
            raise Fault("fault.crash.rules", error=repr(error), where=where) from error

    return checked


def _met(check: Check, case: Case) -> Fault | None:
    """What a check finds."""
    try:
        guarded(check)(case)
    except Fault as fault:
        return fault
    except Problem as problem:
        return Fault("fault.replay.fold", why=problem)
    return None


class _Run:
    """One run: the report so far, and the record at hand when something fails."""

    def __init__(self, game: Game, report: Report) -> None:
        self.game = game
        self.report = report
        self.records: list[Record] = []
        self.record: Record | None = None
        self.twins = TwinCount()

    def play(self, seats: int, options: Options, rng: Rng) -> None:
        """A random match to look at, as far as it goes."""
        try:
            record = wander(self.game, seats, options, rng.bytes(32), rng).record(reveal=True)
        except Crash as crash:
            record = crash.record
        except Problem as problem:
            raise Fault("fault.replay.fold", why=problem) from problem
        self.records.append(record)
        self._count(record)

    def check(self, name: str, record: Record, rng: Rng) -> None:
        check = CHECKS[name]
        if name == "secrets":
            check = partial(secrets.check_secrets, count=self.twins)
        fault = _met(check, Case(self.game, record, rng))
        if fault is not None:
            name, fault = self._cause(name, fault, record)
            self.record, small = shrink(self.game, record, guarded(CHECKS[name]), fault)
            raise small from fault
        self.report.checks[name] += 1

    def _cause(self, name: str, fault: Fault, record: Record) -> tuple[str, Fault]:
        """Rules that break down often do so because a copy is none, or chance is not ours."""
        if name != "play":
            return name, fault
        before = altered(record, entries=record.entries[:-1])
        for deeper in ("copy", "replay"):
            found = _met(CHECKS[deeper], Case(self.game, before, Rng(b"cause"), thorough=True))
            if found is not None and found.check == deeper:
                return deeper, found
        return name, fault

    def soak(self, record: Record) -> None:
        """Each bot plays a match like this one among its like, from what its seat receives."""
        from capolinea import bots
        from capolinea.bots.match import BotMatch

        for name in bots.known(self.game):
            match = Match.begin(self.game, record)
            seats = len(match.names)
            try:
                BotMatch(
                    match, [bots.load(name, self.game) for _ in range(seats)], match.seed
                ).play()
            except Exception as error:
                self.record = match.record(reveal=True)
                where = place(error, self.game)
                raise Fault(
                    "fault.bots.failed", bot=name, error=repr(error), where=where
                ) from error
            if match.result() is None:
                self.record = match.record(reveal=True)
                raise Fault("fault.bots.unfinished", bot=name)
            self._count(match.record())
            self.report.checks["bots"] = self.report.checks.get("bots", 0) + 1

    def _count(self, record: Record) -> None:
        self.report.games += 1
        self.report.moves += len(record.entries)
        if record.result is not None:
            endings = Counter(self.report.endings)
            endings[record.result.ending] += 1
            self.report.endings = dict(sorted(endings.items()))

    def fixtures(self, folder: Path | None) -> None:
        """Whole matches that were kept still come to the same end."""
        self.record = None
        for file in sorted(folder.glob("*.json")) if folder is not None else []:
            try:
                record = loads(file.read_bytes())
                Match.fold(self.game, record)
            except Problem as problem:
                raise Fault("fault.fixtures.broken", file=file.name, why=problem) from problem
            self._count(record)
            self.report.checks["fixtures"] = self.report.checks.get("fixtures", 0) + 1

    def conclude(self) -> None:
        """What only the whole run can tell."""
        self.record = None
        if self.twins.share < 0.5:
            raise Fault("fault.twins.alike", share=round(100 * self.twins.share))
        unseen = [ending for ending in self.game.endings if ending not in self.report.endings]
        if unseen and self.report.games:
            raise Fault("fault.endings.unseen", endings=", ".join(unseen))
