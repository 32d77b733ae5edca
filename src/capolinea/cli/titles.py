"""`capolinea titles`: what can be played."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from textwrap import fill
from typing import Any

from capolinea import games
from capolinea.cli.screen import Screen
from capolinea.cli.voice import Voice
from capolinea.engine.game import Game


def run(asked: Namespace, voice: Voice) -> int:
    if asked.json:
        print(json.dumps(list(described(voice)), ensure_ascii=False, indent=2))
        return 0
    screen = Screen()
    for title in described(voice):
        players = span(title["players"])
        head = voice("titles.line", name=title["name"], id=title["id"], players=players)
        print(screen.strong(head))
        about = f"{title['blurb']} {voice('titles.example') if title['example'] else ''}".strip()
        print(fill(about, 76, initial_indent="  ", subsequent_indent="  "))
    return 0


def described(voice: Voice) -> Iterator[dict[str, Any]]:
    for name in games.TITLES:
        game = games.load(name)
        yield describe(game, Voice(voice.lang, game))


def describe(game: Game, voice: Voice) -> dict[str, Any]:
    return {
        "id": game.id,
        "name": voice.title,
        "blurb": voice("title.blurb") if voice.words.has("title.blurb") else "",
        "players": list(game.seats),
        "rules": game.rules,
        "example": game.example,
        "presets": list(game.presets),
        "options": [field.name for field in game.fields()],
    }


def span(players: list[int]) -> str:
    """2, 3, 4 and 5 players are "2–5"."""
    if len(players) == 1:
        return str(players[0])
    if players == list(range(players[0], players[-1] + 1)):
        return f"{players[0]}–{players[-1]}"
    return ", ".join(map(str, players))
