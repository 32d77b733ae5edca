"""`capolinea replay`: the log of a record, as one viewer would read it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

import msgspec

from capolinea.cli import story
from capolinea.cli.files import read, title_of
from capolinea.cli.screen import Screen
from capolinea.cli.settings import in_words
from capolinea.cli.voice import Voice
from capolinea.engine.events import Told
from capolinea.engine.game import Game
from capolinea.engine.match import Match, Viewer
from capolinea.engine.problems import Problem
from capolinea.engine.record import Record


def run(asked: Namespace, voice: Voice) -> int:
    try:
        return _replay(asked, voice)
    except Problem as problem:
        raise Problem("cli.file", file=asked.file, why=problem) from problem


def _replay(asked: Namespace, voice: Voice) -> int:
    record = read(asked.file)
    game = title_of(record, asked.title)
    voice.adopt(game, record.seats)
    viewer = _viewer(asked.seat, record)
    match = Match.fold(game, record, viewers=[viewer])
    screen = Screen()
    print(screen.heading(_head(asked, voice)))
    for line in in_words(voice, game, match.options):
        print(screen.dim(line))
    print()
    for told in _truth(game, record) if asked.truth else _log(match, viewer):
        print(voice.line(told))
    print()
    outcome = match.result()
    if outcome is None:
        print(story.awaited(match.awaited(), voice))
    else:
        print("\n".join(story.result(outcome, voice, screen)))
    return 0


def _viewer(seat: int | None, record: Record) -> Viewer:
    """People count seats from 1."""
    if seat is None:
        return None
    if seat > len(record.seats):
        raise Problem("cli.no-seat", seat=seat, seats=len(record.seats))
    return seat - 1


def _head(asked: Namespace, voice: Voice) -> str:
    if asked.truth:
        return voice("replay.truth", title=voice.title)
    if asked.seat is None:
        return voice("replay.spectator", title=voice.title)
    return voice("replay.seat", title=voice.title, seat=asked.seat - 1)


def _log(match: Match, viewer: Viewer) -> Iterator[Told]:
    for frame in match.frames(viewer):
        yield from frame.events


def _truth(game: Game, record: Record) -> Iterator[Told]:
    """All that happened, with nothing left out."""
    match = Match.fold(game, msgspec.structs.replace(record, entries=[], result=None))
    for number, entry in enumerate(record.entries):
        for event in match.follow(entry, number):
            yield event.truth()
