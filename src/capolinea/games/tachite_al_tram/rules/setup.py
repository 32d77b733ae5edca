"""Setting up a match (TA-2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.games.tachite_al_tram.rules import turn
from capolinea.games.tachite_al_tram.rules.board import SQUARES
from capolinea.games.tachite_al_tram.rules.steps import HAND, OBERDAN, OPICINA, Futiz
from capolinea.games.tachite_al_tram.rules.stops import piles

if TYPE_CHECKING:
    from capolinea.engine.chance import Chance
    from capolinea.games.tachite_al_tram.rules.trams import Trams


def of_counts(counts: list[int]) -> list[int]:
    """Every piece by its kind: 0 as often as counts[0] says, and so on."""
    return [kind for kind in range(len(counts)) for _ in range(counts[kind])]


def clear_board(trams: Trams) -> None:
    """Nothing but printed rails."""
    board = trams.board
    trams.laid = [-1] * SQUARES
    trams.when = [0] * SQUARES
    trams.tracks = board.tracks[:]
    trams.ends = board.printed[:]
    trams.joined = board.joined[:]
    trams.edges = board.edges[:]


def set_up(trams: Trams, players: int, chance: Chance, first: int) -> None:
    """TA-2.1 to TA-2.3; board and options are on the table already."""
    board = trams.board
    trams.seats = players
    trams.chance = chance
    clear_board(trams)

    passengers = of_counts(board.passenger_counts)
    trams.shuffle("passengers", 0, passengers)
    trams.refills = 1
    stops = len(board.stops)
    trams.waiting_at = piles(passengers, [len(passengers) // stops] * stops)
    trams.out = [0] * len(board.passenger_counts)

    trams.deck = of_counts(board.misfortune_counts)
    trams.shuffle_deck()

    trams.mix_in(of_counts(trams.tile_counts))
    trams.hands = [[] for _ in range(players)]
    trams.first = chance.below("first", 0, players) if first < 0 else first
    for number in range(players):
        for _ in range(HAND):
            trams.draw_tile((trams.first + number) % players)

    start(trams)
    trams.damage = [0] * players
    trams.futiz = [Futiz.NONE] * players
    trams.points = [0] * players
    trams.halted = [0] * players
    trams.last_stop = [-1] * players
    trams.aboard = [[] for _ in range(players)]
    trams.kept = [[] for _ in range(players)]
    trams.trips = [[] for _ in range(players)]
    trams.current = trams.first
    turn.begin(trams)


def start(trams: Trams) -> None:
    """TA-2.3: by two the first starts below, the second above; three all start below."""
    for seat in range(trams.seats):
        below = trams.seats == 3 or (seat - trams.first) % trams.seats % 2 == 0
        trams.at.append(trams.board.oberdan if below else trams.board.opicina)
        trams.to.append(OPICINA if below else OBERDAN)
