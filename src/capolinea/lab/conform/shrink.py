"""A counter-example made small: the shortest record found that still shows the fault."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from msgspec.structs import replace

from capolinea.engine import Game, Problem, Record, Rng
from capolinea.engine.record import Entry, Undo, altered
from capolinea.lab.conform.fault import Case, Check, Fault

#: Seconds after which the best so far must do.
PATIENCE = 20.0


def shrink(game: Game, record: Record, check: Check, fault: Fault) -> tuple[Record, Fault]:
    """Cut the end off, then leave out what is not needed, for as long as the same fault remains."""
    if fault.key == "fault.play.too-long":
        return record, fault  # its length is the point
    deadline = monotonic() + PATIENCE
    viewer = fault.args_.get("viewer")
    only = viewer if isinstance(viewer, int) else None

    def fails(candidate: Record) -> Fault | None:
        try:
            check(Case(game, candidate, Rng(b"shrink"), thorough=True, only=only))
        except Fault as found:
            return found if found.key == fault.key else None
        except Problem:
            return None  # it does not fold: not a match at all
        return None

    for best in _prefixes(record):
        found = fails(best)
        if found is not None:
            break
        if monotonic() > deadline:
            # It shows only now and then; the match as it was played is the best there is.
            return record, fault
    else:
        return record, fault
    smaller = True
    while smaller:
        smaller = False
        for candidate in _smaller(best):
            if monotonic() > deadline:
                return best, found
            again = fails(candidate)
            if again is not None:
                best, found, smaller = candidate, again, True
                break
    return best, found


def _prefixes(record: Record) -> Iterator[Record]:
    """The record whole, then broken off earlier and earlier: the end may hide what shows before."""
    for kept in range(len(record.entries), -1, -1):
        yield altered(record, entries=record.entries[:kept])


def _smaller(record: Record) -> Iterator[Record]:
    """Simpler records, the boldest cuts first."""
    count = len(record.entries)
    for kept in sorted({0, 1, 2, 4, count // 8, count // 4, count // 2, count * 3 // 4, count - 1}):
        if 0 <= kept < count:
            yield altered(record, entries=record.entries[:kept])
    for number in range(count - 1, -1, -1):
        entries = _without(record.entries, number)
        if entries is not None:
            yield altered(record, entries=entries)


def _without(entries: list[Entry], number: int) -> list[Entry] | None:
    """The entries without one; what an undo goes back to keeps its place."""
    kept: list[Entry] = []
    for index, entry in enumerate(entries):
        if index == number:
            continue
        if isinstance(entry, Undo):
            if entry.to == number:
                return None
            if entry.to > number:
                entry = replace(entry, to=entry.to - 1)
        kept.append(entry)
    return kept
