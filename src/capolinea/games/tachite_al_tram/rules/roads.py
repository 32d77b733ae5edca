"""How far it is, for who plans ahead: over rails, and over grass where a tile would close the gap.

An *arrival* is square*4 + the side by which a tram comes in. The cost of a way is counted in half
squares; what is not there yet, or asks for another turn, costs more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.games.tachite_al_tram.rules import fit
from capolinea.games.tachite_al_tram.rules.board import GRASS, SQUARES

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams

SQUARE: Final = 2
#: A tile must be laid first, or another one must take its place.
GAP: Final = 5
REPLACED: Final = 8
#: Going back: the tram has to come to a stand there.
TURN_BACK: Final = 4
FAR: Final = 200


class Roads:
    """All that could be driven on, as the board is now. Made once, then asked for distances."""

    def __init__(self) -> None:
        #: Of each arrival, where a tram comes from and goes on to: arrival << 6 | cost.
        self.before: list[list[int]] = [[] for _ in range(SQUARES * 4)]
        self.after: list[list[int]] = [[] for _ in range(SQUARES * 4)]
        #: Of each square the first arrivals of a tram that stands there.
        self.away: list[list[int]] = [[] for _ in range(SQUARES)]
        self._to: dict[int, list[int]] = {}
        self._since: dict[int, list[int]] = {}

    def survey(self, trams: Trams, end: int) -> Roads:
        """Ways lead to the square where the trip ends, but not on from there."""
        kind, ends, beyond = trams.board.kind, trams.ends, trams.board.beyond
        for square in range(SQUARES):
            empty = kind[square] == GRASS and ends[square] == 0
            if not empty and ends[square] == 0:
                continue
            open_ = ~trams.edges[square] & 15
            outs = 0 if empty else trams.outs(square)
            for side in range(4):
                there = beyond[square * 4 + side]
                if there < 0:
                    continue
                near = there >> 2
                cost = SQUARE
                if kind[near] == GRASS and ends[near] == 0:
                    cost += GAP
                elif not ends[near] >> (there & 3) & 1:
                    continue
                if outs >> side & 1:
                    self.away[square].append(there << 6 | cost)
                if square == end:
                    continue
                for entered in range(4):
                    if entered == side:
                        continue
                    here = square * 4 + entered
                    more = 0
                    if empty:
                        if not open_ >> side & 1 or not open_ >> entered & 1:
                            continue
                    elif not ends[square] >> entered & 1:
                        continue
                    elif not trams.tracks[square] >> 4 * entered + side & 1:
                        if outs >> side & 1:
                            more = TURN_BACK
                        elif trams.laid[square] >= 0 and open_ >> side & 1:
                            more = REPLACED
                        else:
                            continue
                    self.after[here].append(there << 6 | cost + more)
                    self.before[there].append(here << 6 | cost + more)
                # A stub or a dead end is left the way one came.
                if outs >> side & 1 and not empty:
                    here = square * 4 + side
                    self.after[here].append(there << 6 | cost + TURN_BACK)
                    self.before[there].append(here << 6 | cost + TURN_BACK)
        return self

    def to(self, square: int) -> list[int]:
        """From each arrival: what it costs to come to this square."""
        if square not in self._to:
            start = [square * 4 + side for side in range(4)]
            self._to[square] = _spread(self.before, start, [0, 0, 0, 0])
        return self._to[square]

    def since(self, square: int) -> list[int]:
        """To each arrival: what it costs from a stand on this square."""
        if square not in self._since:
            start = [step >> 6 for step in self.away[square]]
            costs = [step & 63 for step in self.away[square]]
            self._since[square] = _spread(self.after, start, costs)
        return self._since[square]

    def distance(self, start: int, end: int) -> int:
        """From a stand on one square to another one."""
        best = FAR
        to = self.to(end)
        for step in self.away[start]:
            cost = (step & 63) + to[step >> 6]
            best = min(best, cost)
        return best


def _spread(roads: list[list[int]], start: list[int], costs: list[int]) -> list[int]:
    """The cheapest ways from the start, by buckets of equal cost."""
    found = [FAR] * (SQUARES * 4)
    buckets: list[list[int]] = [[] for _ in range(FAR + 64)]
    for place in range(len(start)):
        if costs[place] < found[start[place]]:
            found[start[place]] = costs[place]
            buckets[costs[place]].append(start[place])
    for cost in range(FAR):
        for arrival in buckets[cost]:
            if found[arrival] < cost:
                continue
            for step in roads[arrival]:
                there = step >> 6
                more = cost + (step & 63)
                if more < found[there]:
                    found[there] = more
                    buckets[more].append(there)
    return found


class Leg:
    """A part of a plan: from a stand on a square to another one, and what that costs now."""

    def __init__(self, since: list[int], to: list[int], cost: int, weight: int) -> None:
        self.since = since
        self.to = to
        self.cost = cost
        self.weight = weight


class Laying:
    """A tile that would help: how much it shortens the legs of a plan, in half squares by weight."""

    def __init__(self, gain: int, tile: int, square: int, quarters: int) -> None:
        self.gain = gain
        self.tile = tile
        self.square = square
        self.quarters = quarters


def layings(trams: Trams, seat: int, legs: list[Leg]) -> list[Laying]:
    """All tiles in hand on all squares where they would shorten a leg, the best first."""
    found: list[Laying] = []
    tiles = trams.tiles
    for tile in sorted(set(trams.hands[seat])):
        for square in fit.places(trams, tile):
            turns = fit.fitting_turns(trams, tile, square)
            for quarters in range(4):
                if turns >> quarters & 1:
                    tracks = tiles.tracks[tiles.look[4 * tile + quarters]]
                    gain = _gain(trams, square, tracks, legs)
                    if gain:
                        found.append(Laying(gain, tile, square, quarters))
    found.sort(key=_by_gain)
    return found


def _by_gain(laying: Laying) -> int:
    return -laying.gain


def _gain(trams: Trams, square: int, tracks: int, legs: list[Leg]) -> int:
    kind, ends, beyond = trams.board.kind, trams.ends, trams.board.beyond
    # The cost of an arrival on free grass has the gap in it, which this tile would close.
    closed = GAP if ends[square] == 0 else 0
    gain = 0
    for leg in legs:
        best = leg.cost
        for side in range(4):
            there = beyond[square * 4 + side]
            if there < 0:
                continue
            near = there >> 2
            onward = leg.to[there] + SQUARE - closed
            if kind[near] == GRASS and ends[near] == 0:
                onward += GAP
            if onward >= best:
                continue
            for entered in range(4):
                if tracks >> 4 * entered + side & 1:
                    cost = leg.since[square * 4 + entered] + onward
                    best = min(best, cost)
        gain += (leg.cost - best) * leg.weight
    return gain
