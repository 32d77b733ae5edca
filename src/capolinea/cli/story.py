"""The end of a match, told seat by seat."""

from __future__ import annotations

from collections.abc import Iterator

from capolinea.cli.screen import Screen
from capolinea.cli.voice import Voice
from capolinea.engine.match import Awaited
from capolinea.engine.result import Outcome, Result


def result(outcome: Result, voice: Voice, screen: Screen) -> Iterator[str]:
    """Which ending, who won, and for every seat the conditions that held or failed."""
    yield screen.heading(voice.name("ending", outcome.ending))
    winners = [voice.names[seat] for seat in outcome.winners]
    yield voice("result.winners", winners=winners)
    for seat, one in enumerate(outcome.outcomes):
        yield ""
        yield _seat(seat, one, voice, screen)
        for reason in one.reasons:
            mark = screen.good("✓") if reason.held else screen.bad("✗")
            rule = f" ({reason.rule})" if reason.rule else ""
            yield f"  {mark} {voice.line(reason)}{screen.dim(rule)}"


def _seat(seat: int, outcome: Outcome, voice: Voice, screen: Screen) -> str:
    key = "result.won" if outcome.won else "result.lost"
    parts = [voice(key, seat=seat)]
    if outcome.role:
        parts.append(voice.name("role", outcome.role))
    if outcome.score is not None:
        parts.append(voice("result.score", score=outcome.score))
    text = " · ".join(parts)
    return screen.strong(text) if outcome.won else text


def awaited(what: Awaited, voice: Voice) -> str:
    """Whom the match waits for; in a reaction window, the window and no names."""
    if what.window:
        return voice("result.window", window=voice.name("window", what.window))
    return voice("result.awaited", seats=what.seats)
