"""The browser's own words: complete, alike in all languages, and none that nothing says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from capolinea.words.check import check

WEB = Path(__file__).parents[2] / "web" / "src"
FOLDERS = [WEB / "words", *sorted(WEB.glob("titles/*/words")), *sorted(WEB.glob("titles/*/poster"))]

_LITERAL = re.compile(r"""["'`]([a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+)["'`]""")
_PREFIX = re.compile(r"`([a-z][a-z0-9.-]*[.-])\$\{")
#: name("level", bot) says one of level.*
_SPACE = re.compile(r"""\bname\(\s*["']([a-z][a-z0-9.-]*)["']""")


def said() -> tuple[set[str], set[str]]:
    """What the sources name as a key, and what they begin a key with."""
    literals: set[str] = set()
    prefixes: set[str] = set()
    for file in [*WEB.rglob("*.ts"), *WEB.rglob("*.svelte")]:
        if "generated" not in file.parts:
            text = file.read_text("utf-8")
            literals |= set(_LITERAL.findall(text))
            prefixes |= set(_PREFIX.findall(text))
            prefixes |= {f"{space}." for space in _SPACE.findall(text)}
    return literals, prefixes


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(WEB)))
def test_the_catalogues_have_no_faults(folder: Path) -> None:
    literals, prefixes = said()
    keys = json.loads((folder / "en.json").read_text("utf-8"))
    used = {key for key in keys if key in literals or key.startswith(tuple(prefixes))}
    assert check(folder, used) == []
