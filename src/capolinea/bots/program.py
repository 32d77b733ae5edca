"""A bot that is a program of its own, in any language: asked by lines on its standard input.

Each question is one line of JSON, and so is each answer:

    → {"ask": "choose", "title": …, "seat": 0, "view": {…}, "awaited": {…}, "said": […],
       "begun": [{"do": …}], "legal": [{"do": …}, …], "may_decline": false, "seed": "9f…"}
    ← {"choose": 2}            the place in "legal"; -1 lets the moment pass, where that is allowed

The program is asked for one seat of one match, and is ended by the end of its input.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from capolinea.bots.bot import DECLINE, Bot, Seen
from capolinea.engine.problems import Problem
from capolinea.engine.rng import Rng

LONGEST_ANSWER = 10_000


class ProgramBot(Bot):
    """Runs a command and asks it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = list(command)
        self._process: subprocess.Popen[bytes] | None = None

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        space = seen.game.space
        question = {
            "ask": "choose",
            "title": seen.game.id,
            "seat": seen.seat,
            "view": seen.view,
            "awaited": seen.awaited,
            "said": list(seen.said),
            "begun": [space.json(step) for step in seen.begun],
            "legal": [space.json(action) for action in legal],
            "may_decline": may_decline,
            "seed": rng.bytes(16).hex(),
        }
        answer = self._ask(msgspec.json.encode(question))
        if answer == DECLINE and may_decline:
            return DECLINE
        if not 0 <= answer < len(legal):
            raise Problem("bot.illegal", name=self.name, seat=seen.seat + 1, found=repr(answer))
        return legal[answer]

    def _ask(self, question: bytes) -> int:
        process = self._running()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(question + b"\n")
            process.stdin.flush()
            line = process.stdout.readline(LONGEST_ANSWER)
            return msgspec.json.decode(line, type=_Answer).choose
        except (OSError, msgspec.DecodeError) as error:
            self.close()
            raise Problem("bot.program", name=self.name, detail=str(error)) from error

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            try:
                self._process = subprocess.Popen(
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
                )
            except OSError as error:
                raise Problem("bot.program", name=self.name, detail=str(error)) from error
        return self._process

    def close(self) -> None:
        if self._process is not None:
            process, self._process = self._process, None
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with suppress(OSError):  # what it was not sent any more
                        pipe.close()
            try:
                process.wait(1)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


class _Answer(msgspec.Struct, forbid_unknown_fields=True):
    choose: int
