"""The bot for Trial by Trolley (TT-4.2): it plays for its track, judges by weight, and says why."""

from __future__ import annotations

from typing import Any

from capolinea import bots
from capolinea.bots.match import BotMatch
from capolinea.engine import Match, Rng
from capolinea.games.trial_by_trolley.title import GAME
from tests.games.trial_by_trolley.tables import NAMES, do, play_until, table, tracks, verdict, view


def weighted(**weights: dict[str, int]) -> dict[str, Any]:
    """The test pack, in which some cards have numbers."""
    from tests.games.trial_by_trolley.tables import pack

    content = pack()
    for card in content["cards"]:
        card.update({"sympathy": 0} | weights.get(card["id"], {}))
    return content


def choice(match: Match, seat: int) -> list[dict[str, str | int]]:
    """What the bot would do in this seat, all steps of it."""
    bot, rng = bots.load("advocate", GAME), Rng(b"bot")
    steps: list[int] = []
    while legal := match.legal(seat, steps):
        said = tuple(match.said)
        seen = bots.Seen(
            GAME, match.options, seat, match.view(seat), match.awaited(), said, tuple(steps)
        )
        steps.append(bot.choose(seen, legal, rng, False))
        if not match.legal(seat, steps):
            break
    return [GAME.space.json(step) for step in steps]


def test_it_puts_its_dearest_innocent_on_its_own_track() -> None:
    match = table(3, own=weighted(i2={"sympathy": 3}))
    assert choice(match, 1) == [{"do": "innocent", "place": 1}]


def test_it_sends_the_worst_guilty_to_the_others() -> None:
    match = table(3, own=weighted(g3={"harm": 3}))
    play_until(match, "guilty")
    assert choice(match, 1) == [{"do": "guilty", "place": 2}]


def test_it_flatters_its_own_track_and_damns_the_other() -> None:
    kind = table(3, own=weighted(m2={"sympathy": 3}, i7={"sympathy": 2}))
    play_until(kind, "modifier")
    assert choice(kind, 1) == [
        {"do": "modifier", "place": 1},
        {"do": "on", "track": "north", "place": 0},
    ]
    cruel = table(3, own=weighted(m3={"sympathy": -3}, i8={"sympathy": 2}))
    play_until(cruel, "modifier")
    assert choice(cruel, 1) == [
        {"do": "modifier", "place": 2},
        {"do": "on", "track": "south", "place": 0},
    ]


def test_it_sends_the_trolley_where_less_is_lost() -> None:
    for card, taken in (("i7", "south"), ("i8", "north")):
        match = table(3, own=weighted(**{card: {"sympathy": 3, "lives": 3}}))
        play_until(match, "verdict")
        assert choice(match, 0) == [{"do": "verdict", "track": taken}]


def test_two_who_plead_in_one_round_do_not_say_the_same() -> None:
    match = Match(GAME, NAMES[:7], seed=bytes(32))
    BotMatch(match, [bots.load("advocate", GAME) for _ in range(7)], b"bots").play()
    pleas = [said.said["plea"]["line"] for said in match.said if "plea" in said.said]
    for first in range(0, len(pleas), 6):  # six plead in a round
        assert len(set(pleas[first : first + 6])) == 6


def test_nor_do_those_who_plead_at_the_same_time() -> None:
    match = Match(GAME, NAMES[:7], seed=bytes(32))
    play_until(match, "plea")
    bot = bots.load("advocate", GAME)
    lines = set()
    for seat in range(7):
        seen = bots.Seen(GAME, match.options, seat, match.view(seat), match.awaited(), ())
        said: Any = bot.speak(seen, Rng(bytes([seat])))
        lines |= {said["plea"]["line"]} if said else set()
    assert len(lines) == 6


def test_it_says_why_about_a_card_that_was_there() -> None:
    match = table(3, own=weighted(i7={"sympathy": 3}))
    play_until(match, "verdict")
    lying = {card for track in tracks(match) for card in track}
    do(match, 0, verdict("south"))
    bot = bots.load("advocate", GAME)
    seen = bots.Seen(GAME, match.options, 0, match.view(0), match.awaited(), ())
    said: Any = bot.speak(seen, Rng(b"why"))
    assert said["reason"]["cards"] == ["i7"]
    assert set(said["reason"]["cards"]) <= lying
    match.say(0, said)


def test_a_person_is_offered_the_moment_to_plead_before_bots_go_on() -> None:
    match = Match(GAME, NAMES[:3], seed=bytes(32))
    player = next(seat for seat in range(3) if seat != view(match, None).conductor)
    others = [None if seat == player else bots.load("advocate", GAME) for seat in range(3)]
    at_table = BotMatch(match, others, b"bots")
    while (asked := at_table.play()) is not None and not asked.to_speak:
        match.move(asked.seat, match.default(asked.seat))
    assert asked is not None
    assert asked.seat == player
    assert view(match, None).phase == "plea"
    match.say(player, GAME.worded(view(match, player), "We have cake!"))
