"""Players that are programs. Each sees exactly what a person in its seat sees.

A new bot is a class that has `choose`, and a line here or, for one title, in its `Game.bots`.
"""

from __future__ import annotations

import shlex
from difflib import get_close_matches
from pkgutil import resolve_name

from capolinea.bots.bot import Bot, Seen
from capolinea.bots.program import ProgramBot
from capolinea.engine.game import Game
from capolinea.engine.problems import Problem

__all__ = ["Bot", "Seen", "known", "load"]

#: Bots that play any title: name → where the class is; loaded only when asked for.
ANY_TITLE = {
    "random": "capolinea.bots.random:RandomBot",
}

#: Programs of the host's own that play any title: name → command (see program.py).
PROGRAMS: dict[str, list[str]] = {}


def known(game: Game) -> dict[str, str]:
    """The bots that can play this title: those for any, the title's own, and the host's programs."""
    return ANY_TITLE | game.bots | {name: shlex.join(words) for name, words in PROGRAMS.items()}


def load(name: str, game: Game) -> Bot:
    """A new bot by its name, or anybody's by `module:object`. It is for one seat of one match."""
    choice = known(game)
    if name not in choice and ":" not in name:
        near = get_close_matches(name, choice, 1)
        listed = ", ".join(choice)
        if near:
            raise Problem("bot.unknown.near", name=name, near=near[0], known=listed)
        raise Problem("bot.unknown", name=name, known=listed)
    bot = ProgramBot(PROGRAMS[name]) if name in PROGRAMS else _make(choice.get(name, name))
    bot.name = name
    return bot


def _make(where: str) -> Bot:
    try:
        make = resolve_name(where)
    except (ImportError, AttributeError, ValueError) as error:
        raise Problem("bot.import", where=where, detail=str(error)) from error
    bot = make() if callable(make) else make
    # One object for several seats would let one seat know what another sees.
    if not isinstance(bot, Bot) or bot is make:
        raise Problem("bot.not-a-bot", where=where)
    return bot
