"""`capolinea titles`: what can be played."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from textwrap import fill
from typing import Any

import msgspec

from capolinea import games
from capolinea.cli.screen import Screen
from capolinea.cli.table import table
from capolinea.cli.voice import Voice
from capolinea.engine.game import Game
from capolinea.engine.problems import Problem


def run(asked: Namespace, voice: Voice) -> int:
    titles = [_described(asked.title, voice)] if asked.title else described(voice)
    if asked.json:
        print(json.dumps(titles, ensure_ascii=False, indent=2))
        return 0
    screen = Screen()
    for title in titles:
        players = span(title["players"])
        head = voice("titles.line", name=title["name"], id=title["id"], players=players)
        if title["minutes"]:
            head += ", " + voice("titles.minutes", minutes=title["minutes"])
        print(screen.strong(head))
        about = f"{title['blurb']} {voice('titles.example') if title['example'] else ''}".strip()
        print(fill(about, 76, initial_indent="  ", subsequent_indent="  "))
        if title["unofficial"]:
            print("  " + voice("titles.unofficial", players=span(title["unofficial"])))
    if asked.title:
        game = games.load(asked.title)
        print("\n".join(details(game, Voice(voice.lang, game), screen)))
    return 0


def details(game: Game, voice: Voice, screen: Screen) -> Iterator[str]:
    """The options and presets of a title, and the numbers of its actions."""
    yield ""
    yield screen.heading(voice("titles.options"))
    for field in game.fields():
        yield f"  {field.name} = {_written(field.default)}  ({field.allowed()})"
        yield fill(voice.name("option", f"{field.name}.help"), 76, **_INDENT)
    yield ""
    yield screen.heading(voice("titles.presets"))
    for name, changes in game.presets.items():
        listed = ", ".join(f"{option}={_written(value)}" for option, value in changes.items())
        yield f"  {name}: {voice.name('preset', name)}" + (f" ({listed})" if listed else "")
    yield ""
    yield screen.heading(voice("titles.actions"))
    rows = [
        [f"  {first}" if first == last else f"  {first}–{last}", do, arguments]
        for first, last, do, arguments in game.space.table()
    ]
    yield from table(rows)


_INDENT: dict[str, Any] = {"initial_indent": "    ", "subsequent_indent": "    "}


def _written(value: Any) -> str:
    """A value as `--option` takes it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "+".join(value) if isinstance(value, list) else str(value)


def described(voice: Voice) -> list[dict[str, Any]]:
    """All titles. Why one cannot be loaded is said, and keeps nobody from the others."""
    for name, error in games.load_all().items():
        why = voice.problem(error) if isinstance(error, Problem) else repr(error)
        print(voice("titles.not-loaded", name=name, why=why), file=sys.stderr)
    return [_described(name, voice) for name in games.TITLES]


def _described(name: str, voice: Voice) -> dict[str, Any]:
    game = games.load(name)
    return describe(game, Voice(voice.lang, game))


def describe(game: Game, voice: Voice) -> dict[str, Any]:
    return {
        "id": game.id,
        "name": voice.title,
        "blurb": voice("title.blurb") if voice.words.has("title.blurb") else "",
        "players": list(game.seats),
        "unofficial": list(game.unofficial),
        "minutes": game.minutes,
        "rules": game.rules,
        "example": game.example,
        "presets": game.presets,
        "options": msgspec.to_builtins(game.fields()),
        "actions": [
            {"first": first, "last": last, "do": do, "arguments": family.arguments}
            for (first, last, do, _), family in zip(
                game.space.table(), game.space.families.values(), strict=True
            )
        ],
    }


def span(players: list[int]) -> str:
    """2, 3, 4 and 5 players are "2–5"."""
    if len(players) == 1:
        return str(players[0])
    if players == list(range(players[0], players[-1] + 1)):
        return f"{players[0]}–{players[-1]}"
    return ", ".join(map(str, players))
