"""Records in files, for the verbs that read or write them."""

from __future__ import annotations

from pathlib import Path

from capolinea import games
from capolinea.engine.game import Game
from capolinea.engine.problems import Problem
from capolinea.engine.record import Record, loads
from capolinea.lab import files


def read(file: str) -> Record:
    """A record, or a Problem that says what is wrong with the file or what is in it."""
    try:
        content = Path(file).read_bytes()
    except FileNotFoundError:
        raise Problem("cli.no-file") from None
    except OSError as error:
        raise Problem("cli.unreadable", why=error.strerror or str(error)) from error
    return loads(content)


def write(file: str, text: str) -> None:
    """Keep a text in a file, whole or not at all; a Problem says why not."""
    try:
        files.write(Path(file), text)
    except OSError as error:
        raise Problem("cli.file", file=file, why=error.strerror or str(error)) from error


def title_of(record: Record, foreign: str | None) -> Game:
    """The title that a record is of; `foreign` says where to find one that is not built in."""
    if foreign is None and record.title not in games.TITLES:
        raise Problem("cli.foreign", title=record.title)
    return games.load(foreign or record.title)
