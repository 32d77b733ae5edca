"""How long what happens is shown: of events that there are, and how long people wait for bots then."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

from capolinea import bots, games
from capolinea.bots.match import BotMatch
from capolinea.engine import Match
from capolinea.server.settings import Settings

in_titles = pytest.mark.parametrize("title", games.OWN)


@in_titles
def test_what_is_shown_are_events_of_the_title(title: str) -> None:
    game = games.load(title)
    words = json.loads((game.folder / "words" / "en.json").read_text("utf-8"))
    assert {*game.shows, *game.rests} <= words.keys()


def waits(title: str, seats: int, seed: int) -> list[float]:
    """The seconds between one's own turns in a match with bots, at the usual pace."""
    game = games.load(title)
    match = Match(game, ["P"] * seats, seed=bytes([seed]) * 32, viewers=[None])
    BotMatch(match, [bots.load(next(iter(game.bots)), game) for _ in range(seats)], b"bots").play()
    pause, now, own = Settings().bot_pause / 1000, 0.0, [0.0]
    for entry, frame in zip(match.entries, match.frames(None)[1:], strict=True):
        if entry.seat:
            now += max(pause, game.showing(frame.events) / 1000)
        elif now > own[-1]:
            own.append(now)
    return [after - before for before, after in pairwise(own)]


def test_between_two_turns_with_two_bots_it_is_not_long() -> None:
    """In Tachite al Tram, where a turn has most steps."""
    found = [wait for seed in range(3) for wait in waits("tachite-al-tram", 3, seed)]
    assert sum(found) / len(found) <= 15
