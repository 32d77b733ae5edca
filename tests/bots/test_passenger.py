"""The bot of Stop the Train!: it drives, suspects, claims and votes as its character would."""

from __future__ import annotations

from typing import Any

import pytest

from capolinea import bots
from capolinea.bots.bot import DECLINE, Bot, Seen
from capolinea.bots.match import BotMatch
from capolinea.bots.passenger.bot import Loyal, Passenger
from capolinea.bots.passenger.suspicion import suspicion
from capolinea.engine import Match, Rng
from capolinea.games.stop_the_train.title import GAME, TrainOptions
from tests.games.stop_the_train.tables import Staged, table


def seen(t: Staged, seat: int, *begun: int) -> Seen:
    match = t.match
    return Seen(GAME, match.options, seat, match.view(seat), match.awaited(), match.said, begun)


def choice(t: Staged, seat: int, bot: Bot | None = None, may_decline: bool = False) -> list[Any]:
    """What the bot does, all steps of it, as JSON."""
    bot, rng = bot or Passenger(), Rng(b"test")
    steps: list[int] = []
    legal = t.match.legal(seat)
    while legal:
        action = bot.choose(seen(t, seat, *steps), legal, rng, may_decline and not steps)
        if action == DECLINE:
            return []
        steps.append(action)
        legal = t.match.legal(seat, steps)
    return [GAME.space.json(step) for step in steps]


@pytest.mark.parametrize(
    ("character", "kept"),
    [("chanteuse", "apply-the-brakes"), ("saboteur", "full-speed-ahead")],
)
def test_a_drawer_keeps_what_serves_the_own_cause(character: str, kept: str) -> None:
    t = table([], [], [], [], characters=[character])
    t.hand("apply-the-brakes", "full-speed-ahead", "accelerate")
    [discarded] = choice(t, 0)
    left = {"apply-the-brakes", "full-speed-ahead", "accelerate"} - {discarded["effect"]}
    assert kept in left


def test_who_wants_to_stop_plays_the_slower_card() -> None:
    t = table([], [], [], [], characters=["saboteur", "ticket-inspector"])
    t.hand("speed-up", "hit-the-brakes", "accelerate")
    t.discard("accelerate")
    assert choice(t, 1) == [{"do": "play", "effect": "hit-the-brakes"}]


def test_a_loyal_saboteur_brakes_too() -> None:
    t = table([], [], [], [], characters=["chanteuse", "saboteur"])
    t.hand("speed-up", "hit-the-brakes", "accelerate")
    t.discard("accelerate")
    assert choice(t, 1, Loyal()) == [{"do": "play", "effect": "hit-the-brakes"}]


def test_who_needs_a_permit_takes_one_in_a_tunnel() -> None:
    t = table([], [], [], [], characters=["saboteur", "engineer"])
    tunnel = next(p for p, mark in enumerate(t.train.track.marks[0]) if mark & 1)
    t.at(tunnel - 3, 90)
    t.turn("maintain-speed")
    assert t.step == "tunnel"
    assert choice(t, 1) == [{"do": "take-organiser"}]


@pytest.mark.parametrize(
    ("character", "route"),
    [("saboteur", "fast-track"), ("photographer", "scenic-route"), ("engineer", "viaduct")],
)
def test_everybody_votes_for_their_route(character: str, route: str) -> None:
    t = table([], [], [], [], characters=[character])
    t.at(t.train.track.box - 3, 90)
    # Far enough from the end of the deck that no route is too short to be safe.
    t.turn("maintain-speed")
    del t.train.deck[30:]
    assert t.step == "vote"
    assert choice(t, 0) == [{"do": "vote", "route": route}]


def test_a_saboteur_lies_about_brakes_that_went_under_the_table() -> None:
    t = table([], [], [], [], characters=["saboteur", "chanteuse"])
    t.hand("apply-the-brakes", "full-speed-ahead", "accelerate")
    t.discard("apply-the-brakes")
    t.lay("accelerate")
    t.quiet()
    said: Any = Passenger().speak(seen(t, 0), Rng(b"lie"))
    assert said["claim"]["discarded"] == ["accelerate"]
    t.match.say(0, said)  # and it has a form that can be said


def test_everybody_else_tells_the_truth() -> None:
    t = table([], [], [], [], characters=["engineer", "chanteuse"])
    t.hand("apply-the-brakes", "full-speed-ahead", "accelerate")
    t.discard("full-speed-ahead")
    t.lay("apply-the-brakes")
    t.quiet()
    drawer: Any = Passenger().speak(seen(t, 0), Rng(b"truth"))
    assert drawer["claim"]["discarded"] == ["full-speed-ahead"]
    current: Any = Passenger().speak(seen(t, 1), Rng(b"truth"))
    assert sorted(current["claim"]["received"]) == ["accelerate", "apply-the-brakes"]
    t.match.say(0, drawer)
    assert Passenger().speak(seen(t, 0), Rng(b"truth")) is None  # once is enough


def sped(t: Staged) -> None:
    """Seat 1 plays Full Speed Ahead! although there was a brake, and seat 0 knows it."""
    t.hand("apply-the-brakes", "full-speed-ahead", "accelerate")
    t.discard("accelerate")
    t.lay("full-speed-ahead")
    t.quiet()


def test_who_saw_the_slower_card_suspects_who_played_the_faster_one() -> None:
    t = table([], [], [], [])
    sped(t)
    shares = suspicion(t.view(0), t.match.said, 0)
    assert shares[0] == 0
    assert shares[1] == max(shares)
    assert sum(shares) == pytest.approx(1)
    # Somebody who saw nothing suspects drawer and current player alike.
    stranger = suspicion(t.view(2), t.match.said, 2)
    assert stranger[0] == pytest.approx(stranger[1])
    assert stranger[0] > stranger[3]


def test_two_claims_that_cannot_both_be_true_weigh_on_both() -> None:
    t = table([], [], [], [])
    sped(t)
    before = suspicion(t.view(2), t.match.said, 2)
    t.match.say(0, {"claim": {"turn": 1, "passed": ["apply-the-brakes", "full-speed-ahead"]}})
    t.match.say(1, {"claim": {"turn": 1, "received": ["accelerate", "full-speed-ahead"]}})
    after = suspicion(t.view(2), t.match.said, 2)
    assert after[0] > before[0]
    assert after[1] > before[1]


def test_a_looked_at_character_settles_it() -> None:
    t = table([], [], [], [], characters=["saboteur", "engineer", "stuntman"])
    t.train.note(2, 0, 0, [0])
    assert suspicion(t.view(2), [], 2) == [1, 0, 0, 0]
    t.train.note(1, 0, 2, [8])
    assert suspicion(t.view(1), [], 1)[2] == 0


def test_the_first_suspect_gets_the_vote() -> None:
    t = table([], [], [], [], characters=["engineer", "saboteur", "chanteuse"])
    sped(t)
    t.at(t.train.track.bridges[0][0] - 3, 90)
    t.turn("maintain-speed")
    t.quiet()
    assert t.step == "ballot"
    while t.train.waiting()[0] != 0:
        t.throw_off(next(a["seat"] for a in t.legal(t.train.waiting()[0])))
    assert choice(t, 0) == [{"do": "throw-off", "seat": 1}]


@pytest.mark.parametrize(
    ("character", "card", "plays"),
    [
        ("saboteur", "tailwind", True),
        ("engineer", "tailwind", False),
        ("engineer", "forgery", True),
        ("saboteur", "forgery", False),
    ],
)
def test_cards_at_any_time_are_played_by_whom_they_help(
    character: str, card: str, plays: bool
) -> None:
    t = table([], [card], [], [], characters=["chanteuse", character])
    t.train.speed = 180
    chosen = choice(t, 1, may_decline=True)
    assert bool(chosen) is plays


def test_a_bot_is_a_function_of_what_it_sees() -> None:
    seed = bytes(range(32))
    records = []
    for _ in range(2):
        match = Match(GAME, ["a", "b", "c", "d", "e"], TrainOptions(), seed=seed)
        BotMatch(match, [bots.load("passenger", GAME) for _ in range(5)], seed).play()
        records.append(match.record().entries)
    assert records[0] == records[1]


def test_five_passengers_sometimes_stop_the_train_and_five_loyal_ones_nearly_always() -> None:
    endings: dict[str, list[str]] = {"passenger": [], "loyal": []}
    for name, found in endings.items():
        for number in range(24):
            seed = bytes([number]) * 32
            match = Match(GAME, ["a", "b", "c", "d", "e"], TrainOptions(), seed=seed)
            BotMatch(match, [bots.load(name, GAME) for _ in range(5)], seed).play()
            result = match.result()
            assert result is not None
            found.append(result.ending)
    assert 4 <= endings["passenger"].count("stopped") <= 20
    assert endings["loyal"].count("stopped") >= 20
