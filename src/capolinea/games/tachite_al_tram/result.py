"""Tachite al Tram: how it ended for whom (TA-1.1, TA-6.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.engine import Outcome, Reason, Result
from capolinea.games.tachite_al_tram.rules.steps import ENDING_NAMES, Ending

if TYPE_CHECKING:
    from capolinea.games.tachite_al_tram.rules.trams import Trams


def result_of(trams: Trams) -> Result:
    """Who has carried enough; at the end of service who has carried most, a tie is shared."""
    best = max(trams.points)
    outcomes = []
    for seat in range(trams.seats):
        points, trips = trams.points[seat], len(trams.trips[seat]) // 2
        won = points == best
        if trams.ending == Ending.FRENADOR:
            args = {"points": points, "goal": trams.goal}
            reason = Reason("reason.carried", won, args, "TA-1.1")
        else:
            reason = Reason("reason.most", won, {"points": points}, "TA-1.1")
        trip = Reason("reason.trips", trips > 0, {"count": trips}, "TA-6.1")
        outcomes.append(Outcome(won=won, score=points, reasons=[reason, trip]))
    return Result(ENDING_NAMES[trams.ending], outcomes)
