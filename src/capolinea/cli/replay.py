"""`capolinea replay`: the log of a record, as one viewer would read it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from capolinea.cli import story
from capolinea.cli.files import read, title_of
from capolinea.cli.screen import Screen
from capolinea.cli.settings import in_words
from capolinea.cli.voice import Voice
from capolinea.engine.match import Match, Viewer
from capolinea.engine.problems import Problem
from capolinea.engine.record import Move, Record


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
    voice.adopt(game, record.seats, match.options)
    screen = Screen()
    print(screen.heading(_head(asked, voice)))
    for line in in_words(voice, game, match.options):
        print(screen.dim(line))
    print()
    for line in _truth(match, record, voice, screen) if asked.truth else _log(match, viewer, voice):
        print(line)
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


def _log(match: Match, viewer: Viewer, voice: Voice) -> Iterator[str]:
    for frame in match.frames(viewer):
        yield from (voice.line(event) for event in frame.events)


def _truth(match: Match, record: Record, voice: Voice, screen: Screen) -> Iterator[str]:
    """All that happened, with nothing left out: every entry by its number, and who read what."""
    game = match.game
    match = Match.begin(game, record)
    for number, entry in enumerate(record.entries):
        if isinstance(entry, Move):
            steps = [game.space.parse(step) for step in entry.do]
            done = " … ".join(voice.line(game.space.line(step)) for step in steps)
            yield screen.dim(f"{number:4}  {voice.names[entry.seat]}: {done}")
        else:
            yield screen.dim(f"{number:4}")
        for event in match.follow(entry, number):
            for readers, told in event.truth():
                only = "" if readers is None else f"[{_names(readers, voice)}] "
                yield f"      {only}{voice.line(told)}"


def _names(seats: list[int], voice: Voice) -> str:
    return ", ".join(voice.names[seat] for seat in seats)
