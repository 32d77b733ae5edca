"""The rules to read, as tests look at them: parts by their anchors, and what stands in each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = ROOT / "docs" / "rules"
#: A rule, or a whole chapter of them.
RULE = re.compile(r"\b(?:ST|TA|TT|NM)-\d+(?:\.\d+)?\b")
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


@dataclass
class Part:
    """What stands between one anchor and the next."""

    anchor: str
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def table(self, number: int = 0) -> list[list[str]]:
        """The rows of a table, without its head, each a list of cells."""
        tables: list[list[str]] = []
        before = ""
        for line in self.lines:
            if line.startswith("|"):
                if not before.startswith("|"):
                    tables.append([])
                tables[-1].append(line)
            before = line
        return [
            [cell.strip() for cell in line.strip().strip("|").split("|")]
            for line in tables[number][2:]
        ]

    def shape(self) -> dict[str, int]:
        """What it is made of: no language may leave out a line."""
        paragraphs = [one.split("\n") for one in self.text.split("\n\n") if one.strip()]
        return {
            "items": sum(1 for line in self.lines if re.match(r"([*-]|\d+\.) ", line)),
            "rows": sum(1 for line in self.lines if line.startswith("|")),
            "examples": sum(1 for one in paragraphs if one[0].startswith(">")),
            "code": sum(1 for line in self.lines if line.startswith("```")),
            "paragraphs": len(paragraphs),
        }


@cache
def page(lang: str, title: str) -> dict[str, Part]:
    """A page by its anchors, in their order; what comes before the first has the anchor ""."""
    parts = [Part("")]
    for line in (RULES / lang / f"{title}.md").read_text("utf-8").splitlines():
        found = ANCHOR.search(line)
        if found:
            parts.append(Part(found[1]))
        parts[-1].lines.append(line)
    assert len({part.anchor for part in parts}) == len(parts), f"{lang}/{title}: an anchor twice"
    return {part.anchor: part for part in parts}


def written(lang: str) -> list[str]:
    """The titles that have a page in this language."""
    return sorted(path.stem for path in (RULES / lang).glob("*.md"))
