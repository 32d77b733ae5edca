"""The types that boards are written against (tools/webtypes.py) say what tables really send."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import inspect

from capolinea.engine import Match
from capolinea.engine.events import Told
from capolinea.engine.record import loads
from capolinea.games import TITLES, load
from capolinea.words.message import arguments

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
FILES = sorted(file for title in TITLES for file in (FIXTURES / title).glob("*.json"))


def _tool() -> Any:
    spec = importlib.util.spec_from_file_location("webtypes", ROOT / "tools" / "webtypes.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


webtypes = _tool()


def told_in(file: Path) -> dict[str, Told]:
    """Of everything that the rules and the players told somebody in a kept game, one of each key."""
    record = loads(file.read_bytes())
    viewers = [None, *range(len(record.seats))]
    match = Match.fold(load(record.title), record, viewers)
    frames = [frame for viewer in viewers for frame in match.frames(viewer)]
    events = [event for frame in frames for event in frame.events]
    return {event.key: event for event in events if event.key.startswith(webtypes.TOLD)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_what_is_told_has_the_arguments_of_its_type(file: Path) -> None:
    game = load(file.parent.name)
    catalogue = json.loads((game.folder / "words" / "en.json").read_text("utf-8"))
    for key, event in told_in(file).items():
        for name, space in arguments(catalogue[key]).items():
            assert fits(event.args[name], webtypes._told(game, space)), (key, name, event.args)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_what_an_event_sets_is_a_fact_of_its_type(file: Path) -> None:
    paths = dict(webtypes._paths(inspect.type_info(load(file.parent.name).view_type)))
    for event in told_in(file).values():
        for path, value in event.sets.items():
            steps = ["${number}" if step.isdigit() else step for step in path.split(".")]
            kind = webtypes.Types().of(paths[".".join(steps)])
            plain = msgspec.json.decode(msgspec.json.encode(value))
            assert fits(plain, kind), (event.key, path, value)


@pytest.mark.parametrize("title", TITLES)
def test_every_action_has_a_type(title: str) -> None:
    game = load(title)
    union = webtypes.title(game).split("export type Action =")[1].split(";\n")[0]
    for do, family in game.space.families.items():
        (member,) = (line for line in union.splitlines() if f'do: "{do}"' in line)
        assert all(f"; {name}: " in member for name in family.arguments)


def fits(value: Any, kind: str) -> bool:
    """Whether a value is of a TypeScript type, as far as its name says so."""
    if " | " in kind and not kind.endswith("[]"):
        return any(fits(value, one) for one in kind.split(" | "))
    if kind.endswith("[]"):
        inner = kind.removesuffix("[]").removeprefix("(").removesuffix(")")
        return isinstance(value, list) and all(fits(one, inner) for one in value)
    if kind.startswith('"'):
        return bool(value == json.loads(kind))
    plain: dict[str, Any] = {"string": str, "number": int | float, "boolean": bool, "null": None}
    return isinstance(value, plain.get(kind, dict) or type(None))
