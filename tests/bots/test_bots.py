"""Finding bots, and the one that looks at nothing."""

from __future__ import annotations

from collections import Counter

import pytest

from capolinea import bots, games
from capolinea.bots.random import RandomBot
from capolinea.engine import Match, Problem, Rng
from tests.bots import strangers

GAME = games.load("night-mail")


def seen() -> bots.Seen:
    match = Match(GAME, ["A", "B"], seed=bytes(32))
    return bots.Seen(GAME, match.options, 0, match.view(0), match.awaited(), ())


def test_random_plays_every_title() -> None:
    assert type(bots.load("random", GAME)) is RandomBot
    assert bots.load("random", GAME).name == "random"
    assert bots.load("random", GAME) is not bots.load("random", GAME)


def test_an_unknown_name_gets_the_nearest_and_all_that_there_are() -> None:
    with pytest.raises(Problem) as raised:
        bots.load("randon", GAME)
    assert raised.value.key == "bot.unknown.near"
    assert raised.value.args_ == {"name": "randon", "near": "random", "known": "random"}
    with pytest.raises(Problem) as raised:
        bots.load("zzz", GAME)
    assert raised.value.key == "bot.unknown"
    assert raised.value.args_ == {"name": "zzz", "known": "random"}


def test_anybodys_bot_by_module_and_object() -> None:
    assert type(bots.load("tests.bots.strangers:First", GAME)) is strangers.First
    assert type(bots.load("tests.bots.strangers:make_first", GAME)) is strangers.First


@pytest.mark.parametrize("name", ["NOTHING", "FIRST", "Rng"])
def test_what_is_no_bot_or_one_bot_for_all_seats(name: str) -> None:
    with pytest.raises(Problem) as raised:
        bots.load(f"tests.bots.strangers:{name}", GAME)
    assert raised.value.key == "bot.not-a-bot"


@pytest.mark.parametrize("where", ["no.such.module:Bot", "tests.bots.strangers:Nobody", ":"])
def test_what_cannot_be_imported(where: str) -> None:
    with pytest.raises(Problem) as raised:
        bots.load(where, GAME)
    assert raised.value.key == "bot.import"
    assert raised.value.args_["where"] == where


def test_a_titles_own_bot_comes_before_one_for_any_title(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"random": "tests.bots.strangers:Last", "careful": "tests.bots.strangers:First"}
    monkeypatch.setattr(type(GAME), "bots", own)
    assert type(bots.load("random", GAME)) is strangers.Last
    assert type(bots.load("careful", GAME)) is strangers.First
    assert list(bots.known(GAME)) == ["random", "careful"]


def test_random_is_even_and_declines_as_often_as_any_other_choice() -> None:
    bot, what, rng = RandomBot(), seen(), Rng(b"even")
    must = Counter(bot.choose(what, [4, 5, 9], rng, False) for _ in range(6000))
    assert set(must) == {4, 5, 9}
    assert all(1850 < count < 2150 for count in must.values())
    may = Counter(bot.choose(what, [4, 5, 9], rng, True) for _ in range(8000))
    assert set(may) == {4, 5, 9, -1}
    assert all(1850 < count < 2150 for count in may.values())


def test_random_depends_on_its_generator_alone() -> None:
    other = Match(GAME, ["A", "B", "C"], seed=b"x" * 32)
    elsewhere = bots.Seen(GAME, other.options, 2, other.view(2), other.awaited(), ())
    one, two = Rng(b"same"), Rng(b"same")
    legal = list(range(50))
    first = [RandomBot().choose(seen(), legal, one, True) for _ in range(50)]
    assert first == [RandomBot().choose(elsewhere, legal, two, True) for _ in range(50)]
