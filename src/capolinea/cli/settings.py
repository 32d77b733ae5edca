"""The options of a table, as a command line has them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from capolinea.cli.voice import Voice
from capolinea.engine.game import LONGEST_TEXT, Game
from capolinea.engine.options import Field, Options, parse
from capolinea.engine.problems import Problem
from capolinea.engine.text import name


def chosen(game: Game, written: Sequence[tuple[str, str]], preset: str | None = None) -> Options:
    """The preset, and what was written besides; a Problem names what is not to be had."""
    files = {name: text[1:] for name, text in written if text.startswith("@")}
    plain = {name: text for name, text in written if name not in files}
    data = {kind: list(sets) for kind, sets in game.data().items()}
    parsed = parse(game.options, plain, data)
    own: dict[str, Any] = {name: getattr(parsed, name) for name in plain}
    if files:
        own |= _own_data(game, files)
    if preset is None:
        return game.options(**own)
    game.preset(preset)  # says so if there is no such preset
    return game.options(**{**game.presets[preset], **own})


def _own_data(game: Game, files: dict[str, str]) -> dict[str, Any]:
    """Sets of data that are not built in: `--option track=@my-track.json`."""
    kinds = [field.name for field in game.fields() if field.kind == "data"]
    names, contents = {}, {}
    for kind, file in files.items():
        if kind not in kinds:
            raise Problem("settings.no-data", name=kind, known=", ".join(kinds) or "–")
        try:
            text = Path(file).read_text("utf-8")
        except (OSError, ValueError) as error:
            raise Problem("cli.file", file=file, why=str(error)) from error
        contents[kind] = game.parse_data(kind, Path(file).name, text)
        names[kind] = name(Path(file).stem, LONGEST_TEXT) or kind
    return {**names, "data": contents}


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
