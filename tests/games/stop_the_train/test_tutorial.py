"""The lesson: a whole match that folds, in which the learner meets all that there is to do."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from capolinea.engine import Match
from capolinea.engine.record import Move, Say
from capolinea.games.stop_the_train.title import GAME
from capolinea.words import COMMON, Words, languages
from capolinea.words.catalogue import load as catalogue
from capolinea.words.check import check
from capolinea.words.message import arguments

FOLDER = GAME.folder / "tutorial"
ROOT = Path(__file__).parents[3]
#: Words that one reads in a minute without hurrying, and how long a move takes to find and make.
READ, MOVE = 160, 7


def _tool() -> Any:
    spec = importlib.util.spec_from_file_location("tutorials", ROOT / "tools" / "tutorials.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = _tool()
lesson = tool.read(FOLDER / "express.json")
made = tool.played(lesson)
entries = lesson.record.entries


def keys() -> set[str]:
    """All that the lesson says: at every stop, and to another choice where there is one."""
    said = {stop["say"]["key"] for stop in made["stops"]}
    return said | {f"{stop['say']['key']}.other" for stop in made["stops"] if elsewhere(stop)}


def elsewhere(stop: dict[str, Any]) -> bool:
    """Whether something else than the lesson's move could be done or said."""
    return "said" in stop or ("do" in stop and leaves(stop["question"].choices) > 1)


def leaves(choices: Any) -> int:
    return sum(leaves(choice.then) if choice.then else 1 for choice in choices)


def texts(lang: str) -> Words:
    folders = (COMMON, GAME.folder / "words", FOLDER / "words")
    books = [catalogue(folder / f"{lang}.json") for folder in folders]
    return Words(lang, *books)


def speak(lang: str, key: str, args: dict[str, Any]) -> str:
    return texts(lang).say(key, args, lesson.record.seats)


def test_it_is_the_only_lesson_that_is_written() -> None:
    assert [lesson.name for lesson in tool.lessons()] == ["express.json"]


def test_the_record_folds_to_its_result() -> None:
    result = Match.fold(GAME, lesson.record).result()
    assert lesson.record.deal is not None
    assert result is not None
    assert result == lesson.record.result
    assert [outcome.won for outcome in result.outcomes] == [True, True, False, True]


def test_the_stops_come_in_order_within_the_record() -> None:
    numbers = [stop.entry for stop in lesson.stops]
    assert numbers == sorted(numbers)
    assert numbers[0] == 0
    assert numbers[-1] == len(entries)
    assert len({stop.say for stop in lesson.stops}) == len(lesson.stops)
    for before, stop in zip(lesson.stops, lesson.stops[1:], strict=False):
        if stop.skip_from is not None:
            assert before.entry < stop.skip_from < stop.entry


def test_the_learner_makes_the_moves_of_the_record() -> None:
    asked = {stop.entry for stop in lesson.stops}
    skipped = {
        number
        for stop in lesson.stops
        if stop.skip_from is not None
        for number in range(stop.skip_from, stop.entry)
    }
    for number, entry in enumerate(entries):
        if entry.seat != lesson.seat or number in asked | skipped:
            continue
        # What is not asked of the learner is that they let something pass.
        assert isinstance(entry, Move)
        assert entry.do == [{"do": "pass"}]


def test_every_move_is_among_the_choices() -> None:
    for stop in made["stops"]:
        choices = stop["question"].choices if "do" in stop else []
        for step in stop.get("do", []):
            (choice,) = [one for one in choices if one.do == step]
            choices = choice.then
        assert not choices


def test_a_learner_meets_everything() -> None:
    does = [step["do"] for stop in made["stops"] for step in stop.get("do", [])]
    wanted = ["return", "discard", "play", "side", "take-organiser", "pass", "intervene"]
    assert set(does) >= {*wanted, "throw-off", "vote", "route"}
    assert [stop for stop in made["stops"] if "said" in stop]
    assert 10 <= sum("do" in stop or "said" in stop for stop in made["stops"]) <= 14
    # Somebody lies about the learner's cards, and the learner can know it.
    said = [entry for entry in entries if isinstance(entry, Say)]
    lie, truth = said[0].said["claim"], said[1].said["claim"]
    assert lie["turn"] == truth["turn"]
    assert sorted(lie["received"]) != sorted(truth["passed"])


def test_it_takes_about_five_minutes() -> None:
    moves = sum("do" in stop or "said" in stop for stop in made["stops"])
    for lang in languages():
        words = sum(len(speak(lang, stop.say, stop.args).split()) for stop in lesson.stops)
        seconds = words / READ * 60 + moves * MOVE
        assert 4 * 60 <= seconds <= 6 * 60, lang


def test_the_words_have_no_faults() -> None:
    assert check(FOLDER / "words", keys()) == []


@pytest.mark.parametrize("lang", ["en", "it", "de"])
def test_every_comment_can_be_said(lang: str) -> None:
    book = catalogue(FOLDER / "words" / f"{lang}.json")
    for stop in lesson.stops:
        for key in {stop.say, f"{stop.say}.other"} & keys():
            assert set(arguments(book[key])) <= set(stop.args), key
            text = speak(lang, key, stop.args)
            assert "⟨" not in text
            assert len(text) < 260, text


def test_the_browser_gets_the_scenes_of_the_match() -> None:
    from capolinea.server.delta import patched

    scene: Any = {}
    for frame in made["frames"]:
        scene = patched(scene, frame["delta"])
    last = Match.fold(GAME, lesson.record)
    assert scene["view"]["ending"] == "stopped"
    assert scene["view"]["at"] == last.view(lesson.seat).at  # type: ignore[attr-defined]
    assert scene["result"]["ending"] == "stopped"
    assert len(tool.msgspec.json.encode(made)) < 50_000


def test_where_cards_can_be_played_all_of_them_are_foreseen() -> None:
    for stop in made["stops"]:
        plays = [c.do for c in getattr(stop.get("question"), "choices", []) if c.do["do"] == "play"]
        for do in plays:
            key = tool.msgspec.json.encode([do]).decode()
            assert stop["previews"][key]["speed"] > 0
