"""How long bots think: the time of every decision of a title's own bots, over whole matches.

    python bench/bots.py [--json] [--games N] [--titles stop-the-train …]

A decision is one call of `choose` with two or more legal actions. The view is made before and does
not count; `views` tells what it takes.
"""

from __future__ import annotations

import argparse
import json
import sys
from hashlib import sha256
from statistics import mean, quantiles
from time import perf_counter
from typing import Any

from capolinea import bots, games
from capolinea.bots.bot import Bot, Seen
from capolinea.bots.match import BotMatch
from capolinea.engine.game import Game
from capolinea.engine.match import Match
from capolinea.engine.rng import Rng
from capolinea.lab.build import compiled

PLAYERS = {"stop-the-train": 5}


class Timed(Bot):
    """A bot with a stop watch."""

    def __init__(self, bot: Bot, times: list[float]) -> None:
        self.bot, self.name, self.times = bot, bot.name, times

    def choose(self, seen: Seen, legal: list[int], rng: Rng, may_decline: bool) -> int:
        start = perf_counter()
        chosen = self.bot.choose(seen, legal, rng, may_decline)
        if len(legal) > 1:
            self.times.append(perf_counter() - start)
        return chosen

    def speak(self, seen: Seen, rng: Rng) -> Any | None:
        return self.bot.speak(seen, rng)


def measure(game: Game, name: str, count: int) -> dict[str, Any]:
    players = PLAYERS.get(game.id, max(4, game.seats[0]))
    times: list[float] = []
    views: list[float] = []
    start = perf_counter()
    for number in range(count):
        seed = sha256(f"bench bots {number}".encode()).digest()
        match = Match(game, [f"Bot {seat + 1}" for seat in range(players)], seed=seed)
        table = BotMatch(match, [Timed(bots.load(name, game), times) for _ in range(players)], seed)
        table.play()
        began = perf_counter()
        match.view(0)
        views.append(perf_counter() - began)
    cuts = quantiles(times, n=100)
    return {
        "players": players,
        "games": count,
        "games_per_second": count / (perf_counter() - start),
        "decisions": len(times),
        "mean_ms": 1000 * mean(times),
        "p99_ms": 1000 * cuts[98],
        "longest_ms": 1000 * max(times),
        "last_view_ms": 1000 * mean(views),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--games", type=int, default=50, metavar="N")
    parser.add_argument("--titles", nargs="+", default=list(games.TITLES), metavar="TITLE")
    asked = parser.parse_args()
    found: dict[str, Any] = {"compiled": compiled(), "bots": {}}
    for title in asked.titles:
        game = games.load(title)
        for name in game.bots:
            found["bots"][f"{title} {name}"] = measure(game, name, asked.games)
    if asked.json:
        print(json.dumps(found, indent=2))
        return 0
    for name, figures in found["bots"].items():
        print(
            f"{name:<32}{figures['mean_ms']:>8.2f} ms a decision, 99 % under "
            f"{figures['p99_ms']:.2f} ms, longest {figures['longest_ms']:.2f} ms, "
            f"{figures['games_per_second']:.1f} games/s"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
