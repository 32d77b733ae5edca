"""The lesson of Stop the Train!: the learner meets all that there is to do."""

from __future__ import annotations

from capolinea.engine import Match
from capolinea.engine.record import Say
from capolinea.games.stop_the_train.title import GAME
from tests.games.lessons import taught, tool

LESSON = taught(GAME.id)


def test_it_ends_with_a_train_that_stopped() -> None:
    result = Match.fold(GAME, LESSON.lesson.record).result()
    assert result is not None
    assert result.ending == "stopped"
    assert [outcome.won for outcome in result.outcomes] == [True, True, False, True]


def test_a_learner_meets_everything() -> None:
    wanted = ["return", "discard", "play", "side", "take-organiser", "pass", "intervene"]
    assert set(LESSON.does()) >= {*wanted, "throw-off", "vote", "route"}
    assert [stop for stop in LESSON.stops if "said" in stop]
    assert 10 <= LESSON.moves() <= 14
    # Somebody lies about the learner's cards, and the learner can know it.
    said = [entry for entry in LESSON.entries if isinstance(entry, Say)]
    lie, truth = said[0].said["claim"], said[1].said["claim"]
    assert lie["turn"] == truth["turn"]
    assert sorted(lie["received"]) != sorted(truth["passed"])


def test_where_cards_can_be_played_all_of_them_are_foreseen() -> None:
    for stop in LESSON.stops:
        plays = [c.do for c in getattr(stop.get("question"), "choices", []) if c.do["do"] == "play"]
        for do in plays:
            key = tool.msgspec.json.encode([do]).decode()
            assert stop["previews"][key]["speed"] > 0
