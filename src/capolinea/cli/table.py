"""Columns of text, as wide as they must be."""

from __future__ import annotations

from collections.abc import Sequence


def table(rows: Sequence[Sequence[str]], numbers: Sequence[int] = ()) -> list[str]:
    """The rows as lines; the columns in `numbers` stand to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_cells(row, widths, numbers)).rstrip() for row in rows]


def _cells(row: Sequence[str], widths: Sequence[int], numbers: Sequence[int]) -> list[str]:
    return [
        cell.rjust(width) if column in numbers else cell.ljust(width)
        for column, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
