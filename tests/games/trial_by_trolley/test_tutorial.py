"""The lesson of Trial by Trolley: every job, both sides of the lever, and what follows from it."""

from __future__ import annotations

import json

from capolinea.engine import Match
from capolinea.engine.record import Say
from capolinea.games.trial_by_trolley.title import GAME
from tests.games.lessons import taught, tool

LESSON = taught(GAME.id)


def test_the_learner_does_all_that_there_is_to_do() -> None:
    assert LESSON.does() == ["innocent", "modifier", "on", "close", "verdict", "guilty"]
    kinds = [next(iter(stop["said"])) for stop in LESSON.stops if "said" in stop]
    assert kinds == ["point", "plea", "reason"]


def test_others_plead_and_give_reasons_in_the_readers_language() -> None:
    said = [entry.said for entry in LESSON.entries if isinstance(entry, Say)]
    assert {next(iter(one)) for one in said} == {"point", "plea", "reason"}
    assert not [one for one in said if any(isinstance(text, str) for text in one.values())]


def test_the_learner_is_spared_judges_and_is_judged_and_has_the_fewest_tokens() -> None:
    match = Match.begin(GAME, LESSON.lesson.record, [0])
    tokens = []
    for number, entry in enumerate(LESSON.entries):
        match.follow(entry, number)
        tokens.append(match.view(0).tokens)  # type: ignore[attr-defined]
    at = {stop.say.partition(".")[2]: stop.entry - 1 for stop in LESSON.lesson.stops}
    assert tokens[at["verdict"]] == [0, 0, 1, 1, 0]
    assert tokens[at["done"]] == [0, 1, 2, 1, 0]
    assert tokens[at["token"]] == [1, 1, 2, 1, 1]
    assert min(tokens[-1]) == tokens[-1][0] < min(tokens[-1][1:])


def test_pointing_and_reasons_are_suggestions_and_a_plea_may_be_anything() -> None:
    point, plea, reason = [stop for stop in LESSON.stops if "said" in stop]
    assert all(stop["any"] and stop["optional"] for stop in (point, reason))
    assert (plea["any"], plea.get("optional")) == (True, None)
    assert plea["worded"].text == "saying.plea"
    assert tool.msgspec.to_builtins(plea["line"])["key"] == plea["said"]["plea"]["line"]


def test_two_rounds_are_skipped_in_the_end() -> None:
    assert (LESSON.stops[-1]["later"], LESSON.stops[-1]["counts"]) == (2, "rounds")


def test_every_card_that_turns_up_has_its_text_and_no_other() -> None:
    frames = json.loads(tool.msgspec.json.encode([f["events"] for f in LESSON.made["frames"]]))
    told = json.dumps(frames)
    for texts in LESSON.made["texts"].values():
        cards = {key.split(".")[1] for key in texts}
        assert len(cards) < len(GAME.data()["pack"]["starter"]["cards"]) / 2
        assert all(f'"{card}"' in told for card in cards)
        shown = {place.card for past in _past() for place in [*past.north, *past.south]}
        assert {f"card.{card}" for card in shown} <= set(texts)


def _past() -> list:  # type: ignore[type-arg]
    view = Match.fold(GAME, LESSON.lesson.record).view(0)
    return view.past  # type: ignore[attr-defined,no-any-return]
