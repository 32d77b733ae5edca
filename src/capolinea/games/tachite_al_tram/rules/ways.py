"""The ways of a tram (TA-4): what may be chosen at each square, and all that a roll can reach.

A tram on its way is a square, the side by which it came in (-1 where it stood) and the squares it has
left to go. Nothing else matters to what comes, so ways are counted by these: on the loopiest network
there are no more than 98 × 4 of them after each square, and a few paths are kept to each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from capolinea.games.tachite_al_tram.rules.steps import Do

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams

#: So many paths are kept that come to the same.
ALTERNATIVES: Final = 4


def sides_on(trams: Trams, square: int, entered: int) -> int:
    """TA-4.2, TA-4.6: the sides by which the way goes on, as bits."""
    sides = trams.joined[square]
    if entered < 0:
        sides &= trams.outs(square)
    else:
        sides &= trams.tracks[square] >> 4 * entered
    if trams.closed_by >= 0:
        sides &= ~trams.board.mouths[square]
    return sides & 15


def choices(trams: Trams, square: int, entered: int) -> list[int]:
    """What a tram with squares left to go may do here: go on, end early (TA-4.4), or run off the
    rails where they end (TA-4.3)."""
    sides = sides_on(trams, square, entered)
    found: list[int] = []
    for side in range(4):
        if sides >> side & 1:
            found.append(Do.GO + side)
    if entered >= 0 and trams.board.haven[square]:
        found.append(Do.STOP)
    if not sides:
        found.append(Do.RUN_OFF)
    return found


class Way:
    """One way to use up a roll, or a part of it while it is being found."""

    def __init__(self) -> None:
        self.square: int = 0
        self.entered: int = -1
        #: The squares passed, the first and the last one too.
        self.path: list[int] = []
        #: The choices that lead there.
        self.steps: list[int] = []
        self.ran_off = False
        #: Ended before the count did, without damage.
        self.early = False


def ways(trams: Trams, square: int, steps: int, asks_first: bool = False) -> list[Way]:
    """The ends of a move of so many squares, at most ALTERNATIVES of those that come to the same.

    With `asks_first` a choice is made even where only one way leads on from the start.
    """
    start = Way()
    start.square = square
    start.path = [square]
    found: list[Way] = []
    layer = [start]
    for left in range(steps, 0, -1):
        reached: list[Way] = []
        known: dict[int, int] = {}
        for way in layer:
            _branch(trams, way, asks_first and left == steps, reached, known, found)
        layer = reached
    return _unlike(found + layer)


def _branch(
    trams: Trams,
    way: Way,
    asks: bool,
    reached: list[Way],
    known: dict[int, int],
    found: list[Way],
) -> None:
    options = choices(trams, way.square, way.entered)
    for action in options:
        there = -1
        if action < Do.STOP:
            there = trams.board.beyond[way.square * 4 + action - Do.GO]
            count = known.get(there, 0)
            if count == ALTERNATIVES:
                continue
            known[there] = count + 1
        on = Way()
        on.steps = [*way.steps, action] if asks or len(options) > 1 else way.steps
        if there < 0:
            on.square, on.entered, on.path = way.square, way.entered, way.path
            on.early = action == Do.STOP
            on.ran_off = not on.early
            found.append(on)
        else:
            on.square, on.entered = there >> 2, there & 3
            on.path = [*way.path, on.square]
            reached.append(on)


def _unlike(found: list[Way]) -> list[Way]:
    """No more than ALTERNATIVES that come to the same square in the same way."""
    known: dict[int, int] = {}
    kept: list[Way] = []
    for way in found:
        outcome = way.square * 4 + (2 if way.ran_off else 1 if way.early else 0)
        count = known.get(outcome, 0)
        if count < ALTERNATIVES:
            known[outcome] = count + 1
            kept.append(way)
    return kept
