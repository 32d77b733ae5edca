"""Lessons as tests need them: as they are written, and as the browser gets them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from capolinea import games
from capolinea.engine import Game
from capolinea.words import COMMON, Words
from capolinea.words.catalogue import load as catalogue

ROOT = Path(__file__).parents[2]


def _tool() -> Any:
    spec = importlib.util.spec_from_file_location("tutorials", ROOT / "tools" / "tutorials.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = _tool()


class Taught:
    """A lesson: its file, and what is made of it."""

    def __init__(self, file: Path) -> None:
        self.folder = file.parent
        self.lesson = tool.read(file)
        self.made: dict[str, Any] = tool.played(self.lesson)
        self.stops: list[dict[str, Any]] = self.made["stops"]
        self.entries = self.lesson.record.entries
        self.game: Game = games.load(self.lesson.record.title)

    def moves(self) -> int:
        """How often the learner has something to do."""
        return sum("do" in stop or "said" in stop for stop in self.stops)

    def does(self) -> list[str]:
        return [step["do"] for stop in self.stops for step in stop.get("do", [])]

    def keys(self) -> set[str]:
        """All that the lesson says: at every stop, and to another choice where there is one."""
        said = {stop["say"]["key"] for stop in self.stops}
        return said | {f"{stop['say']['key']}.other" for stop in self.stops if elsewhere(stop)}

    def speak(self, lang: str, key: str, args: dict[str, Any]) -> str:
        folders = (COMMON, self.game.folder / "words", self.folder / "words")
        books = [catalogue(folder / f"{lang}.json") for folder in folders]
        return Words(lang, *books).say(key, args, self.lesson.record.seats)


def taught(title: str) -> Taught:
    """The lesson of a title."""
    (found,) = [one for one in map(Taught, tool.lessons()) if one.game.id == title]
    return found


def elsewhere(stop: dict[str, Any]) -> bool:
    """Whether something else than the lesson's move could be done or said."""
    return "said" in stop or ("do" in stop and _leaves(stop["question"].choices) > 1)


def _leaves(choices: Any) -> int:
    return sum(_leaves(choice.then) if choice.then else 1 for choice in choices)
