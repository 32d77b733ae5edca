"""The steps of a turn of Stop the Train!, as tests write them."""

from __future__ import annotations

from typing import Any

from tests.games.stop_the_train.tables import Staged

FOUR: list[list[str]] = [[], [], [], []]
THREE = ("apply-the-brakes", "full-speed-ahead", "hard-brake")

TAKE = {"do": "take-organiser"}


def play(effect: str) -> dict[str, str]:
    return {"do": "play", "effect": effect}


def side(name: str) -> dict[str, str]:
    return {"do": "side", "side": name}


def take(seat: int) -> dict[str, Any]:
    return {"do": "take", "seat": seat}


def look(seat: int) -> dict[str, Any]:
    return {"do": "look", "seat": seat}


def to_play(t: Staged, *hand: str) -> Staged:
    """The drawer has passed these two; the current player is to play one."""
    t.hand("maintain-speed", *hand)
    t.discard("maintain-speed")
    return t
