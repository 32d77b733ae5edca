"""Sentences as Python says them, for words.test.ts to compare: what real matches told, and oddities.

    PYTHONPATH=src python web/tests/lib/sentences.py

The file brings the entries of the catalogues that it needs: it is about how they are said, not what.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from capolinea import games
from capolinea.engine import Match
from capolinea.engine.record import loads
from capolinea.words import Words
from capolinea.words.languages import COMMON

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
LANGUAGES = ("en", "it", "de")
#: So many messages of each title.
MANY = {"stop-the-train": 45, "trial-by-trolley": 20, "night-mail": 15}
NAMES = ["Ada", "Bruno", "Carla", "Dora", "Ezio", "Fritz", "Gina", "Hugo", "Ines", "Jan", "Kai"]
#: How the grammar itself is spoken; the words are the same in every language.
ODD_WORDS: dict[str, Any] = {
    "odd.plain": "no slots, but {{braces}}",
    "odd.number": "{n}",
    "odd.percent": "{n:percent}",
    "odd.list": "[{names:seat+}]",
    "odd.texts": "[{what:text+}]",
    "odd.any": "{what}",
    "odd.count": {"by": "n", "=0": "none", "one": "one thing", "other": "{n} things"},
    "odd.counted": {"by": "names", "one": "{names:seat+} pulls", "other": "{names:seat+} pull"},
    "odd.noun": "{thing:odd.thing/the} and {thing:odd.thing}",
    "odd.gender": {
        "by": "thing:odd.thing/gender",
        "f": "she, {thing:odd.thing/the}",
        "other": "it, {thing:odd.thing/the}",
    },
    "odd.thing.train": {"": "train", "the": "the train", "gender": "m"},
    "odd.thing.tram": {"": "tram", "the": "the tram", "gender": "f"},
    "odd.key": "{what:key/the}",
}
ODD: list[tuple[str, dict[str, Any]]] = [
    ("odd.plain", {}),
    *(("odd.number", {"n": n}) for n in (0, 7, -3, 999, 1000, 1234567, 0.5, -0.25, 2.0, 1234.5678)),
    *(("odd.number", {"n": n}) for n in (0.1 + 0.2, 0.0004, -0.0004, 99999.9999)),
    *(("odd.percent", {"n": n}) for n in (0, 12, 99.5)),
    *(("odd.list", {"names": list(range(count))}) for count in range(5)),
    ("odd.texts", {"what": ["a, b", "c {d}"]}),
    ("odd.any", {"what": "words"}),
    ("odd.any", {"what": 4200}),
    *(("odd.count", {"n": n}) for n in (0, 1, 2, 1.5, 21, 1000000)),
    ("odd.counted", {"names": [2]}),
    ("odd.counted", {"names": [2, 0]}),
    ("odd.noun", {"thing": "train"}),
    ("odd.gender", {"thing": "train"}),
    ("odd.gender", {"thing": "tram"}),
    ("odd.key", {"what": "odd.thing.tram"}),
    # What is missing shows its key.
    ("odd.missing", {}),
    ("odd.number", {}),
    ("odd.list", {"names": [99]}),
    ("odd.noun", {"thing": "bus"}),
]


def told() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """What was told in matches that are kept: title, key, arguments."""
    rng = random.Random(6)
    for title, many in MANY.items():
        game = games.load(title)
        found: dict[str, dict[str, Any]] = {}
        for file in sorted((ROOT / "tests/fixtures" / title).glob("*.json")):
            record = loads(file.read_bytes())
            match = Match.begin(game, record)
            events = match.state.opening()
            for number, entry in enumerate(record.entries):
                events += match.follow(entry, number)
            for event in events:
                for viewer in (None, 0, 1):
                    seen = event.seen_by(viewer)
                    if seen is not None:
                        found.setdefault(seen.key, seen.args)
        for key in sorted(rng.sample(sorted(found), min(many, len(found)))):
            yield title, key, found[key]


def catalogue(lang: str, title: str) -> dict[str, Any]:
    files = [COMMON / f"{lang}.json"]
    if title:
        files.append(games.load(title).folder / "words" / f"{lang}.json")
    entries: dict[str, Any] = {}
    for file in files:
        entries |= json.loads(file.read_bytes())
    return entries | ODD_WORDS


class Used(dict[str, Any]):
    """Knows which of its entries were looked up."""

    def __init__(self, entries: dict[str, Any]) -> None:
        super().__init__(entries)
        self.used: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.used.add(key)
        return super().__getitem__(key)

    def get(self, key: str, other: Any = None) -> Any:
        self.used.add(key)
        return super().get(key, other)


def main() -> None:
    messages = [("", key, args) for key, args in ODD] + list(told())
    made = []
    entries: dict[str, dict[str, dict[str, Any]]] = {}
    for lang in LANGUAGES:
        for title in ("", *MANY):
            raw = catalogue(lang, title)
            words = Words(lang, raw, lenient=True)
            words._messages = used = Used(words._messages)
            words.language._messages = used
            for key, args in [(key, args) for of, key, args in messages if of == title]:
                made.append([lang, title, key, args, words.say(key, args, NAMES)])
            kept = {key for key in raw if key in used.used or key.startswith("language.")}
            entries.setdefault(lang, {})[title] = {key: raw[key] for key in sorted(kept)}
    content = {"names": NAMES, "entries": entries, "said": made}
    (HERE / "sentences.json").write_text(json.dumps(content, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
