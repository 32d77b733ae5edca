"""What the reference of Tachite al Tram says of gifts, people, tiles and cards is what the box has.

Run as a program it writes the tables of Futiz, passengers and misfortunes anew in all languages.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from capolinea import games
from capolinea.words import Words, languages
from tests.docs.pages import RULES, page
from tests.docs.test_rules import plain

TITLE = "tachite-al-tram"
in_languages = pytest.mark.parametrize("lang", sorted(languages()))


def box() -> dict[str, Any]:
    """The file of the board that a table has if it wants no other."""
    game = games.load(TITLE)
    name = game.options().board  # type: ignore[attr-defined]
    content: dict[str, Any] = json.loads(
        (game.folder / f"data/board/{name}.json").read_text("utf-8")
    )
    return content


def words(lang: str) -> Words:
    return Words.of(lang, games.load(TITLE).folder / "words")


def futiz(lang: str) -> list[list[str]]:
    say = words(lang)
    ids = games.load(TITLE).names["futiz"]
    return [[say.word(f"futiz.{id}"), say.word(f"futiz-text.{id}")] for id in ids]


def passengers(lang: str) -> list[list[str]]:
    say = words(lang)
    rows = [
        [
            say.word(f"passenger.{id}"),
            say.word(f"colour.{one['colour']}"),
            ", ".join(str(players) for players in one["unlucky"]) or "–",
            say.word(f"passenger-text.{id}"),
        ]
        for id, one in box()["passengers"].items()
    ]
    return sorted(rows, key=lambda row: plain(row[0]))


def misfortunes(lang: str) -> list[list[str]]:
    say = words(lang)
    rows = [
        [say.word(f"misfortune.{id}"), str(count), say.word(f"misfortune-text.{id}")]
        for id, count in box()["misfortunes"].items()
    ]
    return sorted(rows, key=lambda row: plain(row[0]))


MADE = {"futiz": futiz, "passengers": passengers, "misfortunes": misfortunes}


@pytest.mark.parametrize("anchor", MADE)
@in_languages
def test_the_reference_says_what_the_table_says(anchor: str, lang: str) -> None:
    found = page(lang, TITLE)[anchor].table()
    assert found == MADE[anchor](lang), "run this file as a program"


@in_languages
def test_the_reference_counts_tiles_and_people_as_the_box_does(lang: str) -> None:
    tiles = page(lang, TITLE)["tiles"].table()
    called = {words(lang).word(f"tile.{id}"): count for id, count in box()["tiles"].items()}
    assert {row[0]: int(row[1]) for row in tiles} == called
    assert {one["count"] for one in box()["passengers"].values()} == {2}


@in_languages
def test_the_reference_knows_the_places(lang: str) -> None:
    found = {row[0]: row[1] for row in page(lang, TITLE)["places"].table()}
    board = box()
    places = [*board["stops"], *board["termini"].values(), board["workshop"]]
    for place in places:
        name = place["name"].get(lang) or next(iter(place["name"].values()))
        assert found[name] == place["square"]
    assert len(found) == len(places) + 2  # the funicular and the roundabout
    central = {row[1] for row in page(lang, TITLE)["places"].table() if "TA-6.2" in row[2]}
    assert central == set(board["central"])


def write(lang: str) -> None:
    file = RULES / lang / f"{TITLE}.md"
    lines = file.read_text("utf-8").splitlines()
    for anchor, rows in MADE.items():
        first = next(n for n, line in enumerate(lines) if f'"{anchor}"' in line)
        head = next(n for n in range(first, len(lines)) if lines[n].startswith("|")) + 2
        end = next(n for n in range(head, len(lines)) if not lines[n].startswith("|"))
        lines[head:end] = [f"| {' | '.join(row)} |" for row in rows(lang)]
    file.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    for each in languages():
        write(each)
