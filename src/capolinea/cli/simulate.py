"""`capolinea simulate`: many games of bots, and what came of them."""

from __future__ import annotations

import sys
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
from capolinea.lab.progress import Progress
from capolinea.lab.simulate import GameFailed, Summary, simulate
from capolinea.lab.wilson import wilson


def run(asked: Namespace, voice: Voice) -> int:
    game = games.load(asked.title)
    voice.adopt(game)
    try:
        summary = _simulated(asked, game, voice)
    except GameFailed as problem:
        print(voice("cli.problem", why=voice.problem(problem)), file=sys.stderr)
        return 1
    if asked.json:
        print(msgspec.json.format(msgspec.json.encode(summary)).decode())
    else:
        print("\n".join(report(summary, voice)))
        if asked.records:
            print(voice("simulate.records", games=summary.games, folder=asked.records))
    return 0


def _simulated(asked: Namespace, game: Game, voice: Voice) -> Summary:
    with Progress(asked.games, voice("simulate.playing")) as progress:
        return simulate(
            game,
            asked.players or game.seats[0],
            asked.games,
            asked.seed,
            asked.bots,
            chosen(game, asked.option, asked.preset),
            _folder(asked.records),
            asked.jobs,
            progress,
        )


def _folder(name: str | None) -> Path | None:
    if name is None:
        return None
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem("cli.file", file=name, why=error.strerror or str(error)) from error
    return folder


def report(summary: Summary, voice: Voice) -> Iterator[str]:
    yield voice("simulate.head", title=voice.title, players=summary.players, games=summary.games)
    yield voice("simulate.seed", seed=summary.seed, bots=", ".join(dict.fromkeys(summary.bots)))
    yield voice(
        "simulate.speed",
        seconds=round(summary.seconds, 3),
        moves=round(summary.moves_per_second),
        decisions=round(summary.decisions_per_second),
        games=round(summary.games_per_second),
    )
    yield voice("simulate.compiled") if summary.compiled else voice("simulate.pure")
    yield voice("simulate.length", moves=round(summary.moves / summary.games, 1))
    yield ""
    yield from _endings(summary, voice)
    yield ""
    yield from _wins(summary, voice)


def _endings(summary: Summary, voice: Voice) -> list[str]:
    head = [voice("simulate.ending"), voice("simulate.games"), ""]
    rows = [
        [voice.name("ending", name), voice.number(count), _percent(voice, count / summary.games)]
        for name, count in summary.endings.items()
    ]
    return table([head, *rows], numbers=(1, 2))


def _wins(summary: Summary, voice: Voice) -> list[str]:
    """Shares of wins, each with how sure it is."""
    head = ["", voice("simulate.wins"), voice("simulate.games"), "", voice("simulate.interval")]
    rows = [
        _win(
            voice("simulate.seat", seat=seat, bot=summary.bots[seat - 1]),
            wins,
            summary.games,
            voice,
        )
        for seat, wins in enumerate(summary.wins.seats, 1)
    ]
    rows += [
        _win(voice.name("role", role), count.wins, count.games, voice)
        for role, count in summary.wins.roles.items()
    ]
    return table([head, *rows], numbers=(1, 2, 3))


def _win(who: str, wins: int, games: int, voice: Voice) -> list[str]:
    low, high = wilson(wins, games)
    share = _percent(voice, wins / games) if games else "–"
    between = f"{_percent(voice, low)} – {_percent(voice, high)}"
    return [who, voice.number(wins), voice.number(games), share, between]


def _percent(voice: Voice, share: float) -> str:
    return voice.words.language.percent(round(100 * share, 1))
