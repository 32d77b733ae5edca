"""`capolinea conform`: whether a title holds what every title must, and if not, a match that shows it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import msgspec

from capolinea import games
from capolinea.cli.settings import chosen
from capolinea.cli.table import table
from capolinea.cli.voice import Voice
from capolinea.engine.game import Game
from capolinea.engine.problems import Problem
from capolinea.engine.record import dumps
from capolinea.lab.conform import Report, conform
from capolinea.lab.files import write
from capolinea.lab.progress import Progress

#: Where a title of ours keeps its whole matches, seen from the project's folder.
FIXTURES = Path("tests/fixtures")


def run(asked: Namespace, voice: Voice) -> int:
    game = games.load(asked.title)
    voice.adopt(game)
    with Progress(100, voice("conform.running")) as bar:
        report = conform(
            game,
            asked.players,
            chosen(game, asked.option) if asked.option else None,
            asked.games,
            asked.seed,
            _fixtures(asked, game),
            lambda _check, share: bar(int(100 * share)),
        )
    files = _keep(asked, report)
    if asked.json:
        print(msgspec.json.format(msgspec.json.encode(_plain(report, files, voice))).decode())
    else:
        print("\n".join(_told(report, voice)))
        for key, file in zip(("conform.record", "conform.twin"), files, strict=False):
            print(voice(key, file=file, command=_replay(asked, file)))
    return 0 if report.passed else 1


def _fixtures(asked: Namespace, game: Game) -> Path | None:
    if asked.fixtures is None:
        folder = FIXTURES / game.id
        return folder if folder.is_dir() else None
    if not Path(asked.fixtures).is_dir():
        raise Problem("cli.no-folder", folder=asked.fixtures)
    return Path(asked.fixtures)


def _keep(asked: Namespace, report: Report) -> list[str]:
    """Write the match that shows the fault, and its twin if that is where it shows; say where."""
    if report.fault is None or report.fault.record is None:
        return []
    file = Path(asked.out or f"conform-{report.title}-{report.fault.check}.json")
    records = {file: report.fault.record}
    if report.fault.twin is not None:
        records[file.with_name(f"{file.stem}-twin.json")] = report.fault.twin
    for path, record in records.items():
        try:
            write(path, dumps(record))
        except OSError as error:
            raise Problem("cli.file", file=str(path), why=error.strerror or str(error)) from error
    return [str(path) for path in records]


def _plain(report: Report, files: list[str], voice: Voice) -> dict[str, object]:
    """The report as JSON: the fault with its text, and the record by the name of its file."""
    built: dict[str, object] = msgspec.to_builtins(msgspec.structs.replace(report, fault=None))
    fault = report.fault
    built["passed"] = report.passed
    if fault is not None:
        built["fault"] = {
            "check": fault.check,
            "key": fault.key,
            "args": {name: str(value) for name, value in fault.args.items()},
            "text": voice.problem(Problem(fault.key, **fault.args)),
            "record": files[0] if files else None,
            "twin": files[1] if len(files) > 1 else None,
        }
    return built


def _replay(asked: Namespace, file: str) -> str:
    """How to read that match; a stranger's title must be named again."""
    title = f" --title {asked.title}" if ":" in asked.title else ""
    return f"capolinea replay {file} --truth{title}"


def _told(report: Report, voice: Voice) -> Iterator[str]:
    yield voice(
        "conform.head",
        title=voice.title,
        games=report.games,
        players=", ".join(map(str, report.players)),
        moves=report.moves,
        seconds=round(report.seconds, 1),
    )
    yield ""
    rows = [[voice.name("check", name), voice.number(n)] for name, n in report.checks.items() if n]
    yield from table(rows, numbers=(1,))
    if report.twins:
        share = round(100 * report.twins_differ / report.twins, 1)
        yield voice("conform.twins", share=share, pairs=report.twins)
    if report.endings:
        met = [f"{voice.name('ending', name)} {n}" for name, n in report.endings.items()]
        yield voice("conform.endings", endings=", ".join(met))
    yield ""
    yield from _verdict(report, voice)


def _verdict(report: Report, voice: Voice) -> Iterator[str]:
    fault = report.fault
    if fault is None:
        yield voice("conform.passed")
        return
    yield voice("conform.failed", check=fault.check)
    yield voice.problem(Problem(fault.key, **fault.args))
    viewer = fault.args.get("viewer")
    if viewer is not None:
        yield voice("conform.seat", seat=viewer) if viewer else voice("conform.spectator")
