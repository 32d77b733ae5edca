"""A table of bots: whom it asks, what they see, and what it does with their answers."""

from __future__ import annotations

from dataclasses import fields

import pytest

from capolinea import games
from capolinea.bots.bot import Bot, Seen
from capolinea.bots.match import BotMatch, Turn
from capolinea.bots.random import RandomBot
from capolinea.engine import Match, Problem, Record, Rng
from capolinea.engine.record import Control, Move
from tests.bots.strangers import Cheat, First, Last, Shy
from tests.cli.stranger import GAME as TALLY
from tests.cli.stranger import STUCK

GAME = games.load("night-mail")
SEED = b"a seed of thirty-two bytes......"


def match(players: int = 3, seed: bytes = SEED) -> Match:
    return Match(GAME, [f"P{seat}" for seat in range(players)], seed=seed)


def played(seed: bytes, players: int = 3) -> Record:
    table = BotMatch(match(players), [RandomBot() for _ in range(players)], seed)
    assert table.play() is None
    return table.match.record()


class Watching(RandomBot):
    """Plays at random and keeps what it saw."""

    def __init__(self) -> None:
        self.seen: list[tuple[Seen, list[int], bool]] = []

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        self.seen.append((seen, list(legal), may_decline))
        return super().choose(seen, legal, rng, may_decline)


def watched(players: int = 4) -> list[Watching]:
    bots = [Watching() for _ in range(players)]
    BotMatch(match(players), bots, b"watched").play()
    return bots


def test_it_plays_to_the_end_and_the_record_folds() -> None:
    record = played(b"one")
    assert record.result is not None
    assert Match.fold(GAME, record).result() == record.result


def test_the_same_seed_gives_the_same_match_and_another_another() -> None:
    assert played(b"one") == played(b"one")
    assert played(b"one") != played(b"two")


def test_how_much_one_bot_draws_does_not_change_what_another_draws() -> None:
    class Greedy(Bot):
        def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
            rng.bytes(100)
            return legal[0]

    def firsts(bot: Bot) -> list[list[int]]:
        other = Watching()
        BotMatch(Match(TALLY, ["A", "B"], seed=SEED), [bot, other], b"x").play()
        return [[seen.view.total for seen, _, _ in other.seen]]

    assert firsts(Greedy()) == firsts(First())


def test_the_record_says_that_bots_played() -> None:
    bot = First()
    bot.name = "first"
    table = BotMatch(match(2), [bot, None], b"x")
    assert table.match.entries == [Control(0, "bot", "first")]
    assert table.match.players == ["bot", "person"]


def test_a_compound_choice_is_one_entry() -> None:
    steps = {
        tuple(step["do"] for step in entry.do)
        for number in range(5)
        for entry in played(b"%d" % number).entries
        if isinstance(entry, Move)
    }
    assert ("deliver", "sign") in steps
    assert ("deliver",) not in steps
    assert ("sign",) not in steps


def test_a_bot_sees_its_own_seat_and_never_the_state() -> None:
    assert [field.name for field in fields(Seen)] == [
        "game", "options", "seat", "view", "awaited", "said", "begun"
    ]  # fmt: skip
    for seat, bot in enumerate(watched()):
        assert bot.seen
        for seen, _, _ in bot.seen:
            assert seen.seat == seat
            assert seen.view.viewer == seat
            assert type(seen.view) is GAME.view_type


def test_begun_steps_come_with_the_view_from_before_them() -> None:
    asked = [one for bot in watched() for one in bot.seen]
    begun = [(seen, legal) for seen, legal, _ in asked if seen.begun]
    assert begun
    for seen, legal in begun:
        (step,) = seen.begun
        assert GAME.space.json(step)["do"] == "deliver"
        assert {GAME.space.json(action)["do"] for action in legal} == {"sign"}
        assert seen.view.offer is None


def test_only_offers_out_of_turn_may_be_declined() -> None:
    asked = [one for bot in watched() for one in bot.seen]
    offers = [seen for seen, _, may in asked if may]
    assert offers
    for seen in offers:
        assert not seen.begun
        assert seen.seat not in seen.awaited.seats
    assert any(not may for _, _, may in asked)


def test_a_bot_that_lets_every_offer_pass_never_moves_out_of_turn() -> None:
    class Calm(RandomBot):
        def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
            return -1 if may_decline else legal[0]

    table = BotMatch(match(4), [Calm() for _ in range(4)], b"x")
    assert table.play() is None
    moves = [entry for entry in table.match.entries if isinstance(entry, Move)]
    assert not [entry for entry in moves if entry.do[0]["do"] == "telegram"]


def test_what_a_bot_does_to_its_list_harms_nobody() -> None:
    table = BotMatch(match(3), [Last(), First(), Last()], b"x")
    assert table.play() is None
    assert table.match.result() is not None


def test_moves_and_decisions_are_counted() -> None:
    bots = [Watching() for _ in range(3)]
    table = BotMatch(match(3), bots, b"x")
    table.play()
    moves = [entry for entry in table.match.entries if isinstance(entry, Move)]
    assert table.moves == sum(len(entry.do) for entry in moves)
    assert 0 < table.decisions < table.moves


@pytest.mark.parametrize(("bot", "found"), [(Cheat(), "2"), (Shy(), "-1")])
def test_what_is_not_allowed_is_told_with_the_bots_name(bot: Bot, found: str) -> None:
    bot.name = "mine"
    one = Match(TALLY, ["A", "B"], seed=SEED)
    table = BotMatch(one, [First(), bot], b"x")
    with pytest.raises(Problem) as raised:
        table.play()
    assert raised.value.key == "bot.illegal"
    assert raised.value.args_ == {"name": "mine", "seat": 2, "found": found}
    assert len([entry for entry in one.entries if isinstance(entry, Move)]) == 1


def test_a_dead_end_is_told() -> None:
    table = BotMatch(Match(STUCK, ["A", "B"], seed=SEED), [Last(), Last()], b"x")
    with pytest.raises(Problem) as raised:
        table.play()
    assert raised.value.key == "playout.dead-end"
    assert raised.value.args_ == {"seat": 1}


def test_a_match_that_goes_on_for_ever_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(TALLY), "longest", 3)
    table = BotMatch(Match(TALLY, ["A", "B"], seed=SEED), [First(), First()], b"x")
    with pytest.raises(Problem) as raised:
        table.play()
    assert raised.value.key == "playout.too-long"


def test_it_stops_at_a_person_and_goes_on_after_them() -> None:
    one = Match(TALLY, ["A", "B"], seed=SEED)
    table = BotMatch(one, [First(), None], b"x")
    assert table.play() == Turn(1, False)
    assert table.play() == Turn(1, False), "asked again until something is done"
    one.move(1, [1])
    assert table.play() == Turn(1, False)
    one.move(1, [1])
    assert table.play() is None


def test_a_person_is_offered_moves_out_of_turn_once_a_moment() -> None:
    """NM-5.1: a telegram at any time; letting it pass is not asked again in the same turn."""
    offers = 0
    for number in range(20):
        deal = bytes([number]) * 32
        table = BotMatch(match(3, deal), [RandomBot(), RandomBot(), None], b"x")
        moments: list[int] = []
        while (asked := table.play()) is not None:
            if asked.may_decline:
                moments.append(table.match.view(2).turn)  # type: ignore[attr-defined]
                continue
            steps = [table.match.legal(2)[0]]
            while more := table.match.legal(2, steps):
                steps.append(more[0])
            table.match.move(2, steps)
        assert len(set(moments)) == len(moments)
        offers += len(moments)
    assert offers
