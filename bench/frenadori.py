"""How Tachite al Tram balances: who wins from which place in the order, and how long it takes.

    python bench/frenadori.py [--games N] [--jobs N] [--players 2 3 4] [--board trieste-opicina]

All seats are `frenador`, and the first seat begins, so that seats are places in the order of play.
Intervals are 95 % (Wilson).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from statistics import mean, quantiles

from capolinea.engine.events import Event
from capolinea.games.tachite_al_tram.title import GAME, TramOptions
from capolinea.lab.simulate import Plan, play_one
from capolinea.lab.wilson import wilson

#: Where the funicular begins and ends (TA-4.7).
STATIONS = ("A3", "A7")


class Column:
    """Some games with one number of players, counted."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.turns: list[float] = []
        self.wins = [0] * players
        self.endings: Counter[str] = Counter()
        self.events: Counter[str] = Counter()


def what(event: Event) -> str:
    """What is counted: events by their keys, and rides on the funicular."""
    path = event.args.get("path", [])
    if event.key.startswith(("event.moved", "event.ended-early", "event.ran-off")):
        rides = any(set(two) == set(STATIONS) for two in pairwise(path))
        return "funicular" if rides else ""
    return event.key


def one(plan: Plan, number: int) -> tuple[float, list[int], str, Counter[str]]:
    """A game: turns of each player, winners, ending, events."""
    played = play_one(plan, number)
    # The very first turn begins with the set-up, before anybody moves.
    turns = (played.events["event.turn"] + 1) / len(plan.bots)
    return turns, played.result.winners, played.result.ending, played.events


def column(players: int, games: int, jobs: int, board: str) -> Column:
    found = Column(players)
    options = TramOptions(board=board, first=1)
    plan = Plan(GAME, options, 1, ["frenador"] * players, count=what)
    play = partial(one, plan)
    with ProcessPoolExecutor(jobs) as pool:
        for turns, winners, ending, events in pool.map(play, range(games), chunksize=5):
            found.turns.append(turns)
            found.endings[ending] += 1
            found.events += events
            for seat in winners:
                found.wins[seat] += 1
            if len(found.turns) % 100 == 0:
                print(f"{players} players: {len(found.turns)} games", file=sys.stderr)
    return found


def share(wins: int, games: int) -> str:
    low, high = wilson(wins, games)
    return f"{100 * wins / games:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def table(columns: list[Column]) -> Iterator[str]:
    def row(name: str, cells: list[str]) -> str:
        return f"| {name} | " + " | ".join(cells) + " |"

    def per_game(*keys: str) -> list[str]:
        totals = [sum(one.events[key] for key in keys) / len(one.turns) for one in columns]
        return [f"{total:.1f}" for total in totals]

    yield row("", [f"{one.players} players" for one in columns])
    yield "|---|" + "---|" * len(columns)
    for seat in range(max(one.players for one in columns)):
        cells = [
            share(one.wins[seat], len(one.turns)) if seat < one.players else "–" for one in columns
        ]
        yield row(f"wins, {seat + 1} in the order", cells)
    deciles = [quantiles(one.turns, n=10) for one in columns]
    spread = [
        f"{mean(c.turns):.1f} ({d[0]:.0f}–{d[-1]:.0f})"
        for c, d in zip(columns, deciles, strict=True)
    ]
    yield row("turns a player, mean (and for 8 of 10 games)", spread)
    ends = [share(one.endings["frenador"], len(one.turns)) for one in columns]
    yield row("ended by twelve points", ends)
    yield row("passengers boarded a game", per_game("event.boarded"))
    luck = [share(c.events["event.misfortune"], c.events["event.boarded"]) for c in columns]
    yield row("boardings that brought bad luck", luck)
    yield row("rides on the funicular a game", per_game("funicular"))
    yield row("Futiz taken a game", per_game("event.futiz"))
    yield row("repairs a game", per_game("event.repaired"))
    yield row("trams sent to the workshop a game", per_game("event.wrecked"))
    yield row("collisions a game", per_game("event.collided"))
    yield row("tiles laid a game", per_game("event.laid"))
    yield row("tiles replaced a game", per_game("event.replaced"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=2000, metavar="N", help="for each column")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--players", nargs="+", type=int, default=[2, 3, 4], metavar="N")
    parser.add_argument("--board", default=TramOptions().board)
    asked = parser.parse_args()
    columns = [column(n, asked.games, asked.jobs, asked.board) for n in asked.players]
    print("\n".join(table(columns)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
