"""The options of a table, as a command line has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from capolinea.cli.voice import Voice
from capolinea.engine.game import Game
from capolinea.engine.options import Field, Options, parse


def chosen(game: Game, written: Sequence[tuple[str, str]], preset: str | None = None) -> Options:
    """The preset, and what was written besides; a Problem names what is not to be had."""
    data = {kind: list(sets) for kind, sets in game.data().items()}
    parsed = parse(game.options, dict(written), data)
    if preset is None:
        return parsed
    game.preset(preset)  # says so if there is no such preset
    own = {name: getattr(parsed, name) for name, _ in written}
    return game.options(**{**game.presets[preset], **own})


def in_words(voice: Voice, game: Game, options: Options) -> list[str]:
    """Every option and its value, a line each."""
    return [
        f"{voice.name('option', field.name)}: {_value(voice, field, getattr(options, field.name))}"
        for field in game.fields()
    ]


def _value(voice: Voice, field: Field, value: Any) -> str:
    if field.kind == "switch":
        return voice("cli.yes") if value else voice("cli.no")
    if field.kind == "number":
        return voice.number(value)
    if field.kind == "choices":
        return voice.join([voice.name(f"option.{field.name}", one) for one in value])
    return voice.name(f"option.{field.name}", value)
