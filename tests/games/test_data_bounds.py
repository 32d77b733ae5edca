"""Whatever somebody brings is drawn in everybody's browser: no list in it may be as long as it likes.
(Texts are cut off when a file is read.)"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from capolinea import games

Path = tuple[Any, ...]
#: So many times as much.
MUCH = 10_000
BUILT_IN = [
    (title, kind, name)
    for title in games.TITLES
    for kind, contents in games.load(title).data().items()
    for name in contents
]


def lists(content: Any, path: Path = ()) -> Iterator[Path]:
    """Where there is a list with something in it."""
    if isinstance(content, list) and content:
        yield path
    if isinstance(content, list | dict):
        steps = enumerate(content) if isinstance(content, list) else content.items()
        for step, inside in steps:
            yield from lists(inside, (*path, step))


def grown(content: Any, path: Path) -> Any:
    """The same with much more in this place, all of it like what is there."""
    if not path:
        return content * MUCH
    step, *rest = path
    changed = content.copy()
    changed[step] = grown(content[step], tuple(rest))
    return changed


@pytest.mark.parametrize(("title", "kind", "name"), BUILT_IN)
def test_no_list_is_as_long_as_it_likes(title: str, kind: str, name: str) -> None:
    game = games.load(title)
    content = game.data()[kind][name]
    assert game.data_faults(kind, content) == []
    # The cards of a pack are alike: a list in one of them is as good as in all.
    alike = {
        tuple(0 if type(step) is int else step for step in path): path
        for path in lists(content)
        if path
    }
    unbounded = [
        path for path in alike.values() if not game.data_faults(kind, grown(content, path))
    ]
    assert unbounded == []
