"""Every lesson: a whole match that folds, with comments that can be said in every language."""

from __future__ import annotations

import gzip
from itertools import pairwise
from typing import Any

import pytest

from capolinea.engine import Match
from capolinea.engine.problems import Refused
from capolinea.engine.record import Move
from capolinea.patch import patched
from capolinea.words import languages
from capolinea.words.catalogue import load as catalogue
from capolinea.words.check import check
from capolinea.words.message import arguments
from tests.games.lessons import Taught, tool

LESSONS = [Taught(file) for file in tool.lessons()]
#: Words that one reads in a minute without hurrying, and how long a move takes to find and make.
READ, MOVE = 160, 7
#: Bytes of a lesson as the browser gets it: packed.
LARGEST = 20_000

each = pytest.mark.parametrize("taught", LESSONS, ids=[one.game.id for one in LESSONS])


def test_a_title_has_one_lesson() -> None:
    titles = [taught.game.id for taught in LESSONS]
    assert len(set(titles)) == len(titles) >= 2


@each
def test_the_record_folds_to_its_result_and_the_learner_wins(taught: Taught) -> None:
    record = taught.lesson.record
    result = Match.fold(taught.game, record).result()
    assert record.deal is not None
    assert result is not None
    assert result == record.result
    assert result.outcomes[taught.lesson.seat].won


@each
def test_the_stops_come_in_order_within_the_record(taught: Taught) -> None:
    stops = taught.lesson.stops
    numbers = [stop.entry for stop in stops]
    assert numbers == sorted(numbers)
    assert numbers[0] == 0
    assert numbers[-1] == len(taught.entries)
    assert len({stop.say for stop in stops}) == len(stops)
    for before, stop in pairwise(stops):
        if stop.skip_from is not None:
            assert before.entry < stop.skip_from < stop.entry


@each
def test_the_learner_makes_the_moves_of_the_record(taught: Taught) -> None:
    stops = taught.lesson.stops
    asked = {stop.entry for stop in stops}
    skipped = {
        number
        for stop in stops
        if stop.skip_from is not None
        for number in range(stop.skip_from, stop.entry)
    }
    for number, entry in enumerate(taught.entries):
        if entry.seat != taught.lesson.seat or number in asked | skipped:
            continue
        # What is not asked of the learner is that they let something pass.
        assert isinstance(entry, Move)
        assert entry.do == [{"do": "pass"}]


@each
def test_every_move_is_among_the_choices(taught: Taught) -> None:
    for stop in taught.stops:
        choices = stop["question"].choices if "do" in stop else []
        for step in stop.get("do", []):
            (choice,) = [one for one in choices if one.do == step]
            choices = choice.then
        assert not choices


@each
def test_it_takes_about_five_minutes(taught: Taught) -> None:
    for lang in languages():
        said = [taught.speak(lang, stop.say, stop.args) for stop in taught.lesson.stops]
        words = sum(len(text.split()) for text in said)
        seconds = words / READ * 60 + taught.moves() * MOVE
        assert 4 * 60 <= seconds <= 6 * 60, lang


@each
def test_the_words_have_no_faults(taught: Taught) -> None:
    assert check(taught.folder / "words", taught.keys()) == []


@each
@pytest.mark.parametrize("lang", ["en", "it", "de"])
def test_every_comment_can_be_said(taught: Taught, lang: str) -> None:
    book = catalogue(taught.folder / "words" / f"{lang}.json")
    for stop in taught.lesson.stops:
        for key in {stop.say, f"{stop.say}.other"} & taught.keys():
            assert set(arguments(book[key])) <= set(stop.args), key
            text = taught.speak(lang, key, stop.args)
            assert "⟨" not in text
            assert len(text) < 260, text


@each
def test_what_cannot_be_chosen_says_why(taught: Taught) -> None:
    """Every square of the hill takes the tile, or says by which rule it does not."""
    for made, stop in zip(taught.stops, taught.lesson.stops, strict=True):
        record = tool.msgspec.structs.replace(
            taught.lesson.record, entries=taught.entries[: stop.entry], result=None
        )
        match = Match.fold(taught.game, record)
        space = taught.game.space
        for choice in made["question"].choices if "do" in made else []:
            refused = [one for one in made.get("refusals", []) if one["after"] == choice.do]
            steps = [step for one in refused for step in one["steps"]]
            legal = [one.do for one in choice.then]
            kinds = {str(step["do"]) for step in legal}
            if steps or choice.do["do"] == "lay":
                assert len(steps) + len(legal) == sum(space.families[do].size for do in kinds)
            for one in refused:
                step = one["steps"][-1]
                with pytest.raises(Refused) as found:
                    match.preview(taught.lesson.seat, [space.parse(choice.do), space.parse(step)])
                assert (found.value.key, found.value.rule) == (one["why"].key, one["why"].rule)
                own = {k: v for k, v in step.items() if k in found.value.args_}
                assert one["why"].args | own == found.value.args_


@each
def test_the_browser_gets_the_scenes_of_the_match(taught: Taught) -> None:
    scene: Any = {}
    for frame in taught.made["frames"]:
        scene = patched(scene, frame["delta"])
    last = Match.fold(taught.game, taught.lesson.record)
    assert scene["view"] == tool.msgspec.to_builtins(last.view(taught.lesson.seat))
    assert scene["result"] == tool.msgspec.to_builtins(last.result())
    assert len(gzip.compress(tool.msgspec.json.encode(taught.made))) < LARGEST
