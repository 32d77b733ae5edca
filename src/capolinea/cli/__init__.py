"""The command `capolinea`: one verb for each thing to do.

Nothing heavy is imported before it is known to be needed, so that help and completion come at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace

    from capolinea.cli.voice import Voice

OK, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; the exit code."""
    from capolinea.cli.parser import build, wanted_language
    from capolinea.cli.voice import Voice

    _never_choke()
    if "" not in sys.path:
        # Titles and bots of one's own may lie in the current folder.
        sys.path.append("")
    words = list(sys.argv[1:] if arguments is None else arguments)
    words = words or ["--help"]
    voice = Voice(wanted_language(words, os.environ))
    try:
        asked = build(voice, words).parse_args(words)
    except SystemExit as done:  # after help or a mistake, which argparse has told
        return done.code if isinstance(done.code, int) else USAGE
    return _run(asked, voice)


def _never_choke() -> None:
    """A terminal that cannot show a character gets "?" for it, and never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run(asked: Namespace, voice: Voice) -> int:
    try:
        code: int = import_module(f"capolinea.cli.{asked.verb}").run(asked, voice)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return _end(voice("cli.interrupted"), INTERRUPTED)
    except BrokenPipeError:
        # Whoever read us has had enough; stdout must not be flushed once more on the way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except Exception as error:
        from capolinea.engine.problems import Problem
        from capolinea.words import DamagedCatalogue

        if isinstance(error, DamagedCatalogue):
            return _end(voice("cli.problem", why=str(error)), USAGE)
        if isinstance(error, Problem):
            return _end(voice("cli.problem", why=voice.problem(error)), USAGE)
        raise


def _end(line: str, code: int) -> int:
    print(line, file=sys.stderr)
    return code
