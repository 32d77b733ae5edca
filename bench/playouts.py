"""How fast random games are: our titles beside OpenSpiel's, in one run.

    python bench/playouts.py [--json] [--games N] [--rounds N] [--titles night-mail …]

Four loops are timed, in turns so that a busy moment of the machine hits all alike, and the best
round of each counts:

    interpreted   legal → choose → apply, written in Python, for ours and for theirs; ours makes moves
                  that have no alternative by itself (`Rota(hurry=True)`)
    walked        the same, with every forced move made like any other
    compiled      our `Playout.run`, which compiles when the engine does
    native        OpenSpiel's own loop in C++, as far as it can be reached from Python

What is counted are decisions (two or more legal actions) and games; chance nodes are no decisions.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from time import perf_counter
from typing import Any

from capolinea import games
from capolinea.engine.game import Game
from capolinea.engine.playout import Playout, Rota
from capolinea.engine.rng import Rng
from capolinea.lab.build import compiled

PEERS = ("hearts", "social_deduction", "backgammon")
USUAL_PLAYERS = 4
#: Titles that are usually played by another number.
PLAYERS = {"stop-the-train": 5}

#: Plays so many games; returns moves and decisions.
Batch = Callable[[int], tuple[int, int]]


@dataclass
class Figures:
    """The best round of one loop."""

    games: int
    moves: int
    decisions: int
    seconds: float
    moves_per_second: float
    decisions_per_second: float
    games_per_second: float


@dataclass
class Contestant:
    """One game in one loop."""

    name: str
    loop: str
    play: Batch
    best: Figures | None = None

    def round(self, count: int) -> None:
        start = perf_counter()
        moves, decisions = self.play(count)
        seconds = perf_counter() - start
        if self.best is None or count / seconds > self.best.games_per_second:
            rates = (moves / seconds, decisions / seconds, count / seconds)
            self.best = Figures(count, moves, decisions, seconds, *rates)


# --- ours ----------------------------------------------------------------------------------------


def players_of(game: Game) -> int:
    return PLAYERS.get(game.id, min(max(USUAL_PLAYERS, game.seats[0]), game.seats[-1]))


def seeds(game: Game, count: int) -> Iterator[bytes]:
    for number in range(count):
        yield sha256(f"bench {game.id} {number}".encode()).digest()


def ours_interpreted(game: Game, hurry: bool) -> Batch:
    players, options = players_of(game), game.options()

    def play(count: int) -> tuple[int, int]:
        moves = decisions = 0
        chance = random.Random(1).random
        for seed in seeds(game, count):
            state = game.new(players, options, seed)
            rota, order = Rota(hurry), Rng(seed)
            while (seat := rota.next(state, order)) >= 0:
                legal = rota.legal
                choices = len(legal)
                pick = int(chance() * (choices + rota.may_decline))
                if pick == choices:
                    continue
                state.play(seat, legal[pick])
                moves += 1
                decisions += choices > 1
        return moves, decisions

    return play


def ours_compiled(game: Game) -> Batch:
    players, options = players_of(game), game.options()

    def play(count: int) -> tuple[int, int]:
        playout = Playout(hurry=True)
        for seed in seeds(game, count):
            playout.run(game.new(players, options, seed), Rng(seed), game.longest)
        return playout.moves, playout.decisions

    return play


# --- theirs --------------------------------------------------------------------------------------


def open_spiel() -> tuple[Any, str]:
    """The module, or None and why not."""
    try:
        import pyspiel
    except ImportError as error:
        return None, f"OpenSpiel is not installed (pip install open_spiel): {error}"
    return pyspiel, ""


def theirs_interpreted(game: Any) -> Batch:
    def play(count: int) -> tuple[int, int]:
        moves = decisions = 0
        generator = random.Random(1)
        chance, choices_by_weight = generator.random, generator.choices
        for _ in range(count):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(choices_by_weight(outcomes, weights)[0])
                    continue
                legal = state.legal_actions()
                choices = len(legal)
                state.apply_action(legal[int(chance() * choices)])
                moves += 1
                decisions += choices > 1
        return moves, decisions

    return play


def theirs_native(pyspiel: Any, game: Any, interpreted: Contestant) -> Batch:
    """OpenSpiel's own loop with its own random bots: a whole game in C++ for each call.

    It counts nothing itself. Its games are as long on average as those of the interpreted loop.
    """
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]

    def play(count: int) -> tuple[int, int]:
        for number in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)
        assert interpreted.best is not None
        share = count / interpreted.best.games
        return round(interpreted.best.moves * share), round(interpreted.best.decisions * share)

    return play


# --- the run -------------------------------------------------------------------------------------


def contestants(titles: list[str], pyspiel: Any) -> list[Contestant]:
    found = []
    for title in titles:
        game = games.load(title)
        found.append(Contestant(title, "interpreted", ours_interpreted(game, hurry=True)))
        found.append(Contestant(title, "walked", ours_interpreted(game, hurry=False)))
        found.append(Contestant(title, "compiled", ours_compiled(game)))
    for peer in PEERS if pyspiel is not None else ():
        theirs = pyspiel.load_game(peer)
        loop = Contestant(peer, "interpreted", theirs_interpreted(theirs))
        found.append(loop)
        if hasattr(pyspiel, "evaluate_bots"):
            found.append(Contestant(peer, "native", theirs_native(pyspiel, theirs, loop)))
    return found


def measure(titles: list[str], count: int, rounds: int) -> dict[str, Any]:
    pyspiel, missing = open_spiel()
    everybody = contestants(titles, pyspiel)
    for _ in range(rounds):
        for one in everybody:
            one.round(count)
    figures: dict[str, dict[str, Any]] = {}
    for one in everybody:
        assert one.best is not None
        figures.setdefault(one.name, {})[one.loop] = asdict(one.best)
    return {
        "compiled": compiled(),
        "python": ".".join(map(str, sys.version_info[:3])),
        "players": {title: players_of(games.load(title)) for title in titles},
        "ours": {title: figures[title] for title in titles},
        "peers": {peer: peer_figures(figures.get(peer, {}), missing) for peer in PEERS},
        "ratios": {
            f"{title}/{peer}": rate(figures[title]) / rate(figures[peer])
            for title in titles
            for peer in PEERS
            if peer in figures
        },
    }


def peer_figures(loops: dict[str, Any], missing: str) -> dict[str, Any]:
    """What there is of a peer; what there is not is null, with the reason."""
    found = {"interpreted": loops.get("interpreted"), "native": loops.get("native")}
    if missing:
        return {**found, "reason": missing}
    if found["native"] is None:
        return {**found, "reason": "this OpenSpiel shows no loop of its own to Python"}
    return found


def rate(loops: dict[str, Any]) -> float:
    return float(loops["interpreted"]["decisions_per_second"])


def table(found: dict[str, Any]) -> Iterator[str]:
    build = "compiled" if found["compiled"] else "pure Python"
    yield f"Capolinea ({build}) on Python {found['python']}"
    yield f"{'':<18}{'loop':<13}{'decisions/s':>13}{'moves/s':>13}{'games/s':>11}"
    for name, loops in (found["ours"] | found["peers"]).items():
        for loop in ("interpreted", "walked", "compiled", "native"):
            if loops.get(loop):
                rates = loops[loop]
                yield (
                    f"{name:<18}{loop:<13}{rates['decisions_per_second']:>13,.0f}"
                    f"{rates['moves_per_second']:>13,.0f}{rates['games_per_second']:>11,.1f}"
                )
    for peer, loops in found["peers"].items():
        if "reason" in loops:
            yield f"{peer}: {loops['reason']}"
    for pair, ratio in found["ratios"].items():
        yield f"{pair}: {ratio:.2f} times as many decisions a second in the interpreted loop"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--games", type=int, default=100, metavar="N", help="games in a round")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="the best one counts")
    parser.add_argument("--titles", nargs="+", default=list(games.TITLES), metavar="TITLE")
    asked = parser.parse_args()
    found = measure(asked.titles, asked.games, asked.rounds)
    print(json.dumps(found, indent=2) if asked.json else "\n".join(table(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
