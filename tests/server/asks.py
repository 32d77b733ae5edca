"""Bots that are asked without a server."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec

from capolinea import games
from capolinea.engine.match import Match
from capolinea.server.minds import Answer, Moment
from capolinea.server.players import ask_of, moment_of

STRANGERS = "tests.server.strangers:"


def table_alone(id: str = "a match", title: str = "night-mail") -> Any:
    """As much of a table as is needed to ask bots."""
    match = Match(games.load(title), ["Ada", "Bruno", "Cleo"], seed=bytes(32))
    return SimpleNamespace(match=match, row=SimpleNamespace(id=id), game=match.game)


def asking(table: Any, *players: str) -> Moment:
    """These bots are asked, each what is asked in the first seat that is waited for."""
    seat = table.match.state.waiting()[0]
    tree = table.match.tree(seat)
    asks = [ask_of(table, seat, bot, tree, False, False, b"seed") for bot in players]
    asks = [msgspec.structs.replace(ask, seat=number) for number, ask in enumerate(asks)]
    return moment_of(table, asks)


def whys(answers: list[Answer]) -> list[str]:
    """Why each of them has no thought; "" for one who has."""
    return [answer.why for answer in answers]
