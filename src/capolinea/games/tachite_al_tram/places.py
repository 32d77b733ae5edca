"""Tachite al Tram: what the squares are called, which comes with the board."""

from __future__ import annotations

from typing import Any

from capolinea.engine.game import literal
from capolinea.games.tachite_al_tram.rules.board import SQUARE_NAMES


def texts(content: dict[str, Any], lang: str) -> dict[str, Any]:
    """`place.D8` for every square, with its name where it has one; and the board's own name."""
    names = dict(content["names"])
    for stretch in (content["funicular"], content["roundabout"]):
        names.update(dict.fromkeys(stretch["squares"], stretch["name"]))
    for place in (*content["stops"], *content["termini"].values(), content["workshop"]):
        names[place["square"]] = place["name"]
    found: dict[str, Any] = {"board-name": literal(content["name"], lang)}
    for square in SQUARE_NAMES:
        name = f"{literal(names[square], lang)} ({square})" if square in names else square
        found[f"place.{square}"] = name
    return found
