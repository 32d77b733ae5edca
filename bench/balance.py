"""How the lines of Stop the Train! balance: endings and wins per character, as a table for the docs.

    python bench/balance.py [--games N] [--jobs N] [--tracks dijon express]

`passenger` plays every character for its own win; `loyal` does the same, but the Saboteur and the
Rogue want the train to stop, too. Intervals are 95 % (Wilson).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator

from capolinea.games.stop_the_train.title import GAME, TrainOptions
from capolinea.lab.simulate import Summary, simulate
from capolinea.lab.wilson import wilson

PLAYERS = (4, 5, 6)


def share(wins: int, games: int) -> str:
    if not games:
        return "–"
    low, high = wilson(wins, games)
    return f"{100 * wins / games:.1f} % ({100 * low:.1f}–{100 * high:.1f})"


def table(track: str, games: int, jobs: int) -> Iterator[str]:
    runs: list[tuple[str, Summary]] = []
    for players in PLAYERS:
        for bot in ("passenger", "loyal") if players == 5 else ("passenger",):
            options = TrainOptions(track=track)
            found = simulate(GAME, players, games, bots=[bot], options=options, jobs=jobs)
            runs.append((f"{players} {bot}", found))
            print(f"{track}: {players} players, {bot}: done", file=sys.stderr)
    yield "| | " + " | ".join(name for name, _ in runs) + " |"
    yield "|---|" + "---|" * len(runs)
    for ending in ("stopped", "crashed"):
        cells = [share(run.endings[ending], run.games) for _, run in runs]
        yield f"| train {ending} | " + " | ".join(cells) + " |"
    for role in GAME.roles:
        counts = [run.wins.roles.get(role) for _, run in runs]
        if any(count is not None and count.games for count in counts):
            cells = [share(count.wins, count.games) if count else "–" for count in counts]
            yield f"| {role} wins | " + " | ".join(cells) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--games", type=int, default=2000, metavar="N", help="for each column")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--tracks", nargs="+", default=["dijon", "express"], metavar="TRACK")
    asked = parser.parse_args()
    for track in asked.tracks:
        print(f"\n{track}, {asked.games} games a column\n")
        print("\n".join(table(track, asked.games, asked.jobs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
