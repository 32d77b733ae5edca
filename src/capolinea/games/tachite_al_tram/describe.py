"""Tachite al Tram: an action as a menu has it, looking at the view."""

from __future__ import annotations

from capolinea.engine import Line
from capolinea.games.tachite_al_tram.views import TramView


def describe(view: TramView, line: Line) -> Line:
    """Boarding names who waits, setting down how many, a roll what Zelante adds."""
    tram = view.trams[view.current]
    match line.key:
        case "action.board":
            for stop in view.stops:
                if stop.square == tram.square and stop.top is not None:
                    bad = len(view.trams) in view.table.passengers[stop.top].unlucky
                    key = "action.board.unlucky" if bad else "action.board.who"
                    return Line(key, {"passenger": stop.top})
        case "action.set-down":
            return Line("action.set-down.count", {"count": len(tram.aboard)})
        case "action.roll" if tram.futiz == "zelante":
            return Line("action.roll.zelante")
        case "action.on" if view.phase == "boars":
            return Line("action.on.boars", line.args)
    return line
