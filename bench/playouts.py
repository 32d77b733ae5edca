"""How fast random games are: our titles beside OpenSpiel's, in one run.

    python bench/playouts.py [--json] [--games N] [--rounds N] [--titles night-mail …]

Two loops, each in two ways, in turns so that a busy moment of the machine hits all alike; the best
round of each counts, in seconds of the processor:

    python            legal → choose → apply, written in Python, the same for ours and for theirs
    own               a whole game in the library's own loop: our `Playout.run`, which compiles when the
                      engine does; OpenSpiel's in C++, as far as it can be reached from Python
    python-skipping   ours alone: moves that have no alternative are made without being asked for
    own-skipping      the same in our own loop

OpenSpiel asks for every move, also where there is only one. So `python` and `own` compare like with
like, and `-skipping` says what it brings not to ask. Ours deals from a quick generator (`Game.quick`).
What is counted are decisions (two or more legal actions) and games; chance nodes are no decisions.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from time import process_time
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

#: Each of our loops, and the one of theirs that it is compared with.
LOOPS = {
    "python": "python",
    "python-skipping": "python",
    "own": "own",
    "own-skipping": "own",
}

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
        start = process_time()
        moves, decisions = self.play(count)
        seconds = process_time() - start
        if self.best is None or count / seconds > self.best.games_per_second:
            rates = (moves / seconds, decisions / seconds, count / seconds)
            self.best = Figures(count, moves, decisions, seconds, *rates)


# --- ours ----------------------------------------------------------------------------------------


def players_of(game: Game) -> int:
    return PLAYERS.get(game.id, min(max(USUAL_PLAYERS, game.seats[0]), game.seats[-1]))


def ours_in_python(game: Game, hurry: bool) -> Batch:
    players, options = players_of(game), game.options()

    def play(count: int) -> tuple[int, int]:
        moves = decisions = 0
        rng, chance = Rng(b"bench"), random.Random(1).random
        for _ in range(count):
            state = game.quick(players, options, rng)
            rota = Rota(hurry)
            while (seat := rota.next(state, rng)) >= 0:
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


def ours_own(game: Game, hurry: bool) -> Batch:
    players, options = players_of(game), game.options()

    def play(count: int) -> tuple[int, int]:
        playout, rng = Playout(hurry), Rng(b"bench")
        for _ in range(count):
            playout.run(game.quick(players, options, rng), rng, game.longest)
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


def theirs_in_python(game: Any) -> Batch:
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


def theirs_own(pyspiel: Any, game: Any, in_python: Contestant) -> Batch:
    """OpenSpiel's own loop with its own random bots: a whole game in C++ for each call.

    It counts nothing itself. Its games are as long on average as those of the loop in Python.
    """
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(game.num_players())]

    def play(count: int) -> tuple[int, int]:
        for number in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, number)
        assert in_python.best is not None
        share = count / in_python.best.games
        return round(in_python.best.moves * share), round(in_python.best.decisions * share)

    return play


# --- the run -------------------------------------------------------------------------------------


def contestants(titles: list[str], pyspiel: Any) -> list[Contestant]:
    found = []
    for title in titles:
        game = games.load(title)
        found.append(Contestant(title, "python", ours_in_python(game, hurry=False)))
        found.append(Contestant(title, "python-skipping", ours_in_python(game, hurry=True)))
        found.append(Contestant(title, "own", ours_own(game, hurry=False)))
        found.append(Contestant(title, "own-skipping", ours_own(game, hurry=True)))
    for peer in PEERS if pyspiel is not None else ():
        theirs = pyspiel.load_game(peer)
        in_python = Contestant(peer, "python", theirs_in_python(theirs))
        found.append(in_python)
        if hasattr(pyspiel, "evaluate_bots"):
            found.append(Contestant(peer, "own", theirs_own(pyspiel, theirs, in_python)))
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
            f"{title}/{peer}": ratios(figures[title], figures[peer])
            for title in titles
            for peer in PEERS
            if peer in figures
        },
    }


def peer_figures(loops: dict[str, Any], missing: str) -> dict[str, Any]:
    """What there is of a peer; what there is not is null, with the reason."""
    found = {"python": loops.get("python"), "own": loops.get("own")}
    if missing:
        return {**found, "reason": missing}
    if found["own"] is None:
        return {**found, "reason": "this OpenSpiel shows no loop of its own to Python"}
    return found


def ratios(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, float]:
    """How many decisions we make while they make one, in each of our loops."""
    return {
        loop: ours[loop]["decisions_per_second"] / theirs[other]["decisions_per_second"]
        for loop, other in LOOPS.items()
        if other in theirs
    }


def table(found: dict[str, Any]) -> Iterator[str]:
    build = "compiled" if found["compiled"] else "pure Python"
    yield f"Capolinea ({build}) on Python {found['python']}"
    yield f"{'':<18}{'loop':<17}{'decisions/s':>13}{'moves/s':>13}{'games/s':>11}"
    for name, loops in (found["ours"] | found["peers"]).items():
        for loop in LOOPS:
            if loops.get(loop):
                rates = loops[loop]
                yield (
                    f"{name:<18}{loop:<17}{rates['decisions_per_second']:>13,.0f}"
                    f"{rates['moves_per_second']:>13,.0f}{rates['games_per_second']:>11,.1f}"
                )
    for peer, loops in found["peers"].items():
        if "reason" in loops:
            yield f"{peer}: {loops['reason']}"
    if found["ratios"]:
        yield from comparison(found["ratios"])


def comparison(pairs: dict[str, dict[str, float]]) -> Iterator[str]:
    yield ""
    yield "Decisions that we make while they make one. They walk forced moves; so do we in python and own,"
    yield "which is like with like, and not in those with -skipping."
    yield f"{'':<35}" + "".join(f"{loop:>17}" for loop in LOOPS)
    for pair, by_loop in pairs.items():
        yield f"{pair:<35}" + "".join(f"{ratio:>17.2f}" for ratio in by_loop.values())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--games", type=int, default=300, metavar="N", help="games in a round")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="the best one counts")
    parser.add_argument("--titles", nargs="+", default=list(games.TITLES), metavar="TITLE")
    asked = parser.parse_args()
    found = measure(asked.titles, asked.games, asked.rounds)
    print(json.dumps(found, indent=2) if asked.json else "\n".join(table(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
