"""A title says once of which types its state, views and options are; the type checker knows the rest."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

import capolinea
from capolinea.games import TITLES, load

SOURCES = Path(capolinea.__file__).parent
#: Views, options and new states of a title, as titles and bots call them.
ASSERTED = re.compile(r"assert isinstance\((?:seen\.)?(?:view|options|other|trams|first), ")


@pytest.mark.parametrize("title", TITLES)
def test_a_game_names_its_own_types(title: str) -> None:
    game = load(title)
    (base,) = type(game).__orig_bases__  # type: ignore[attr-defined]
    state = game.new(game.seats[0], game.options(), bytes(32))
    assert get_args(base) == (type(state), game.view_type, game.options)


def test_neither_titles_nor_bots_assert_what_the_types_say() -> None:
    files = [*(SOURCES / "games").rglob("*.py"), *(SOURCES / "bots").rglob("*.py")]
    assert files
    found = [file.name for file in files if ASSERTED.search(file.read_text("utf-8"))]
    assert found == []
