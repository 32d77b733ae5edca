"""The numbers that rules go by are those of the documented space of actions."""

from __future__ import annotations

from importlib import import_module

import pytest

from capolinea.games import TITLES, load


@pytest.mark.parametrize("title", TITLES)
def test_rules_and_space_agree_on_every_number(title: str) -> None:
    space = load(title).space
    rules = import_module(f"capolinea.games.{title.replace('-', '_')}.rules")
    numbers = rules.do if hasattr(rules, "do") else rules.Do
    found = {do: getattr(numbers, do.upper().replace("-", "_")) for do in space.families}
    assert found == space.first
    assert space.size == numbers.END
