"""The rules to read: complete and alike in every language, with the names that the table has."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import NamedTuple

import pytest

from capolinea import games
from capolinea.games.stop_the_train.rules.cards import (
    EFFECT_COUNTS,
    EFFECT_NAMES,
)
from capolinea.games.stop_the_train.rules.interventions import CARDS
from capolinea.words import Words, languages
from tests.docs.pages import ROOT, RULE, Part, page, written

LANGUAGES = sorted(languages())
#: Games for an evening; an example for programmers may speak English alone.
TITLES = [title for title in games.TITLES if not games.load(title).example]
#: Those, and what is written before its title is there to be played.
PAGES = sorted({*TITLES, *(one for lang in LANGUAGES if lang != "en" for one in written(lang))})
PREFIXES = {
    "stop-the-train": "ST",
    "tachite-al-tram": "TA",
    "trial-by-trolley": "TT",
    "night-mail": "NM",
}
PARTS = ("quick-start", "rules", "reference")

in_pages = pytest.mark.parametrize("title", PAGES)
in_languages = pytest.mark.parametrize("lang", LANGUAGES)


class Listed(NamedTuple):
    """A table of the reference: under which anchor, the how manieth, and what its rows are called."""

    anchor: str
    number: int
    #: The names in the catalogue: `<space>.<id>`.
    space: str
    ids: tuple[str, ...] = ()
    #: In the order of the alphabet, so that a name is found at the table.
    sorted: bool = True


#: Without those that a table draws itself.
TILES = (
    *("straight", "curve", "switch-left", "switch-right"),
    *("tee", "crossing", "double-curve", "slip"),
)
#: Every table of a title's reference that lists things which have a name in its catalogue.
REFERENCES = {
    "stop-the-train": [
        Listed("characters", 0, "role"),
        Listed("effect-cards", 0, "effect"),
        Listed("interventions", 0, "card"),
        Listed("the-line", 0, "feature-kind", sorted=False),
        Listed("the-line", 1, "route", sorted=False),
    ],
    "tachite-al-tram": [
        Listed("futiz", 0, "futiz", sorted=False),
        Listed("passengers", 0, "passenger"),
        Listed("tiles", 0, "tile", TILES, sorted=False),
        Listed("misfortunes", 0, "misfortune"),
    ],
    "trial-by-trolley": [
        Listed("decks", 0, "deck", ("innocent", "guilty", "modifier"), sorted=False),
        Listed("decks", 1, "track", ("north", "south"), sorted=False),
    ],
}


def plain(text: str) -> str:
    """As one sorts: without accents and capitals."""
    parts = unicodedata.normalize("NFD", text.casefold())
    return "".join(sign for sign in parts if sign.isalnum() or sign == " ")


#: Cards that are not in the box yet.
ON_TRIAL = {row.name for row in CARDS if not row.count}


def names(title: str, lang: str, table: Listed) -> dict[str, str]:
    """What the things of a table are called in the catalogue, by their id."""
    game = games.load(title)
    ids = table.ids or (game.roles if table.space == "role" else game.names[table.space])
    words = Words.of(lang, game.folder / "words")
    return {words.word(f"{table.space}.{id}"): id for id in ids if id not in ON_TRIAL}


# --- the pages -------------------------------------------------------------------------------------


@pytest.mark.parametrize("title", TITLES)
@in_languages
def test_every_title_can_be_read_in_every_language(title: str, lang: str) -> None:
    assert title in written(lang)


@in_pages
@in_languages
def test_a_page_has_its_three_parts(title: str, lang: str) -> None:
    anchors = list(page(lang, title))
    assert [one for one in anchors if one in PARTS] == list(PARTS)
    assert any(RULE.fullmatch(one) for one in anchors)


@in_pages
@in_languages
def test_the_quick_start_is_quick(title: str, lang: str) -> None:
    assert len(page(lang, title)["quick-start"].text.split()) <= 260


@in_pages
@in_languages
def test_all_languages_have_the_same_anchors(title: str, lang: str) -> None:
    assert list(page(lang, title)) == list(page("en", title))


@in_pages
@in_languages
def test_no_language_leaves_out_a_line(title: str, lang: str) -> None:
    for anchor, part in page(lang, title).items():
        assert part.shape() == page("en", title)[anchor].shape(), anchor


@in_pages
@in_languages
def test_rulings_are_marked_alike(title: str, lang: str) -> None:
    """And the legend says what the mark means."""
    for anchor, part in page(lang, title).items():
        marked = part.text.count("**R**")
        assert marked == page("en", title)[anchor].text.count("**R**"), anchor
    assert "**R**" in page(lang, title)[""].text


@in_pages
@in_languages
def test_all_languages_cite_the_same_rules(title: str, lang: str) -> None:
    def cited(part: Part) -> Counter[str]:
        return Counter(RULE.findall(part.text))

    for anchor, part in page(lang, title).items():
        assert cited(part) == cited(page("en", title)[anchor]), anchor


@in_pages
@in_languages
def test_all_languages_have_the_same_numbers(title: str, lang: str) -> None:
    """What goes wrong most easily. Small ones may be written as words."""

    def numbers(part: Part) -> set[str]:
        return set(re.findall(r"\b\d{2,}\b", RULE.sub("", part.text)))

    for anchor, part in page(lang, title).items():
        assert numbers(part) == numbers(page("en", title)[anchor]), anchor


@in_pages
@in_languages
def test_signs_are_those_of_a_printer(title: str, lang: str) -> None:
    for part in page(lang, title).values():
        text = re.sub(r"```.*?```|`[^`\n]*`|<a [^>]*>", "", part.text, flags=re.DOTALL)
        assert not re.search(r"[\"']| - | -\d", text), part.anchor


@pytest.mark.parametrize("title", [*PAGES, "night-mail"])
def test_what_code_and_tests_name_can_be_read(title: str) -> None:
    """A refusal leads to its rule: the rule must be there."""
    prefix = PREFIXES[title]
    folder = title.replace("-", "_")
    named = set()
    for file in (ROOT / "src/capolinea/games" / folder).rglob("*.py"):
        named |= set(re.findall(rf"\b{prefix}-\d+\.\d+\b", file.read_text("utf-8")))
    for file in (ROOT / "tests/games" / folder).rglob("test_*.py"):
        for test in re.findall(r"def (test_\w+)", file.read_text("utf-8")):
            found = re.findall(rf"_{prefix.lower()}_(\d+)_(\d+)(?=_|$)", test)
            named |= {f"{prefix}-{chapter}.{rule}" for chapter, rule in found}
    assert named or title not in games.TITLES
    for lang in LANGUAGES if title in PAGES else ["en"]:
        assert sorted(named - set(page(lang, title))) == [], lang


# --- the reference ---------------------------------------------------------------------------------


@pytest.mark.parametrize("title", TITLES)
def test_every_title_has_its_reference_checked(title: str) -> None:
    assert REFERENCES[title]


@pytest.mark.parametrize(
    ("title", "table"),
    [(title, table) for title in TITLES for table in REFERENCES.get(title, [])],
    ids=lambda one: one if isinstance(one, str) else f"{one.anchor}-{one.number}",
)
@in_languages
def test_the_reference_has_every_name_as_the_table_has_it(
    title: str, table: Listed, lang: str
) -> None:
    found = [row[0] for row in page(lang, title)[table.anchor].table(table.number)]
    assert sorted(found) == sorted(names(title, lang, table))
    if table.sorted:
        assert found == sorted(found, key=plain)


@in_languages
def test_the_reference_counts_cards_as_the_box_does(lang: str) -> None:
    title = "stop-the-train"
    boxes = [
        ("effect", "effect-cards", dict(zip(EFFECT_NAMES, EFFECT_COUNTS, strict=True))),
        ("card", "interventions", {row.name: row.count for row in CARDS if row.count}),
    ]
    for space, anchor, counts in boxes:
        called = names(title, lang, Listed(anchor, 0, space))
        for rule in (anchor, {"effect": "ST-1.2", "card": "ST-7.5"}[space]):
            rows = page(lang, title)[rule].table()
            assert {called[row[0]]: int(row[1]) for row in rows} == counts, rule


@in_languages
def test_the_rules_of_who_wins_name_every_character(lang: str) -> None:
    title = "stop-the-train"
    rows = page(lang, title)["ST-6.1"].table()
    called = names(title, lang, Listed("", 0, "role"))
    assert {row[0].split(" *(")[0] for row in rows} == set(called)
