"""The check of catalogues: that it catches every fault, and that ours have none."""

import json
from pathlib import Path

import pytest

import capolinea
from capolinea.words import COMMON, Words, languages
from capolinea.words.check import check, constants, in_catalogues
from capolinea.words.language import LANGUAGE_KEYS

SOURCE = Path(capolinea.__file__).parent
GAMES = SOURCE / "games"
#: ./play speaks to people before anything is installed.
TOOLS = Path(__file__).parents[2] / "tools"

Books = dict[str, dict[str, object]]


# Our own -----------------------------------------------------------------------------------------


# The registry names these, but each title says them of itself.
TITLE_KEYS = {"title.name", "title.blurb"}


def dynamic_keys() -> set[str]:
    """Common keys that code puts together, so that no string in it names them whole."""
    from capolinea.lab.conform.run import CHECKS

    further = {"schema", "crash", "bots", "fixtures", "twins", "endings"}
    return {f"check.{name}" for name in {*CHECKS, *further}}


def title_folders() -> list[Path]:
    return sorted(words.parent for words in GAMES.glob("*/words"))


def used_by_title(folder: Path) -> set[str]:
    from capolinea.games import declared_keys, load

    declared = declared_keys(load(folder.name.replace("_", "-")))
    return in_catalogues(constants(folder), COMMON, folder / "words") | declared


def test_the_common_catalogues_have_no_faults() -> None:
    code = constants(SOURCE, without=title_folders()) | constants(TOOLS)
    core = in_catalogues(code, COMMON) - TITLE_KEYS
    english = Words.of("en")
    titles = {key for folder in title_folders() for key in used_by_title(folder)}
    common = {key for key in titles if english.has(key)}
    assert check(COMMON, core | common | LANGUAGE_KEYS | dynamic_keys()) == []


def test_the_catalogues_of_titles_have_no_faults() -> None:
    faults = [
        f"{folder.name}: {fault}"
        for folder in title_folders()
        for fault in check(folder / "words", used_by_title(folder))
    ]
    assert faults == []


# That it can fail --------------------------------------------------------------------------------


@pytest.fixture
def books() -> Books:
    """Catalogues without a fault; each test breaks one thing."""
    left = {
        "en": {"by": "count", "=0": "Nothing", "one": "{count} card", "other": "{count} cards"},
        "it": {"by": "count", "one": "{count} carta", "other": "{count} carte"},
        "de": {"by": "count", "one": "{count} Karte", "other": "{count} Karten"},
    }
    played = {
        "en": "{seat:seat} plays “{card:card}”…",
        "it": "{seat:seat} gioca «{card:card/il}»: l’ultima…",
        "de": {
            "by": "card:card/gender",
            "f": "Die „{card:card}“ spielt {seat:seat} …",
            "other": "{seat:seat} spielt „{card:card/acc}“ …",
        },
    }
    brake: dict[str, object] = {
        "en": "brake",
        "it": {"": "freno", "il": "il freno", "gender": "m"},
        "de": {"": "Bremse", "dat": "der Bremse", "gender": "f"},
    }
    return {
        lang: {"card.brake": brake[lang], "event.left": left[lang], "event.played": played[lang]}
        for lang in ("en", "it", "de")
    }


USED = {"card.brake", "event.left", "event.played"}


def faults(
    folder: Path,
    books: Books,
    used: set[str] = USED,
    same: object = None,
    more: tuple[str, ...] = (),
) -> list[str]:
    for lang, book in books.items():
        text = json.dumps(book, ensure_ascii=False, indent=1)
        (folder / f"{lang}.json").write_text(text, encoding="utf-8")
    if same is not None:
        (folder / "same.json").write_text(json.dumps(same), encoding="utf-8")
    return check(folder, used, more)


def only(found: list[str], *parts: str) -> None:
    """There is one fault, and it says this."""
    assert len(found) == 1, found
    for part in parts:
        assert part in found[0]


def test_clean_catalogues_have_no_faults(tmp_path: Path, books: Books) -> None:
    assert set(languages()) == set(books), "a new language: extend these tests"
    assert faults(tmp_path, books) == []


def test_a_key_missing_in_one_language(tmp_path: Path, books: Books) -> None:
    del books["it"]["card.brake"]
    only(faults(tmp_path, books), "it: card.brake: missing in this language")


def test_a_file_missing(tmp_path: Path, books: Books) -> None:
    del books["it"]
    only(faults(tmp_path, books), "it.json, line 1: cannot be read")


def test_an_unused_key(tmp_path: Path, books: Books) -> None:
    only(faults(tmp_path, books, USED - {"event.left"}), "event.left: not used")


def test_a_used_key_in_no_catalogue(tmp_path: Path, books: Books) -> None:
    found = faults(tmp_path, books, USED | {"zone.gone"})
    only(found, "zone.gone: used, but in no catalogue")


def test_common_keys_may_be_used(tmp_path: Path, books: Books) -> None:
    assert faults(tmp_path, books, USED | {"language.name"}) == []


@pytest.mark.parametrize(
    "text",
    [
        "{seat:seat} gioca",
        "{seat:seat} {card}",
        "{seat:seat} {card:card+}",
        "{seat:text} {card:card}",
        "{seat:seat} {card:card} {x}",
    ],
)
def test_arguments_that_differ(tmp_path: Path, books: Books, text: str) -> None:
    books["it"]["event.played"] = text
    only(faults(tmp_path, books), "event.played: arguments differ: de (card:card, seat:seat)")


def test_variants_without_other(tmp_path: Path, books: Books) -> None:
    books["it"]["event.left"] = {"by": "count", "one": "{count} carta"}
    only(faults(tmp_path, books), 'it: event.left: by count: no variant "other"')


def test_nested_variants_without_other(tmp_path: Path, books: Books) -> None:
    inner = {"by": "count", "one": "{count} carta"}
    books["it"]["event.left"] = {"by": "count", "one": "{count} c.", "other": inner}
    only(faults(tmp_path, books), 'it: event.left: by count: no variant "other"')


def test_plural_variants_that_lack_a_category(tmp_path: Path, books: Books) -> None:
    books["it"]["event.left"] = {"by": "count", "=0": "Niente", "other": "{count} carte"}
    only(faults(tmp_path, books), 'it: event.left: by count: no variant "one"')


def test_plural_variants_that_never_come_up(tmp_path: Path, books: Books) -> None:
    zero = {"by": "count", "zero": "Niente", "one": "Una", "other": "{count} carte"}
    books["it"]["event.left"] = zero
    only(faults(tmp_path, books), 'it: event.left: by count: variant "zero" never comes up')


def test_variants_by_a_text_have_no_plurals(tmp_path: Path, books: Books) -> None:
    for lang, word in [("en", "left"), ("it", "sinistra"), ("de", "links")]:
        books[lang]["event.side"] = {"by": "side", "left": word, "other": f"{word}?"}
    assert faults(tmp_path, books, USED | {"event.side"}) == []


def test_another_language_has_its_own_categories(tmp_path: Path, books: Books) -> None:
    left = {"by": "count", "one": "{count} karta", "two": "{count} karti", "other": "{count} kart"}
    books["sl"] = {
        "card.brake": "zavora",
        "event.left": left,
        "event.played": "{seat:seat} igra {card:card}",
        "language.plural.one": "v = 0 and i % 100 = 1",
        "language.plural.two": "v = 0 and i % 100 = 2",
    }
    assert faults(tmp_path, books) == []
    del left["two"]
    only(faults(tmp_path, books), 'sl: event.left: by count: no variant "two"')


def test_the_same_text_in_two_languages(tmp_path: Path, books: Books) -> None:
    books["it"]["card.brake"] = {"": "Bremse", "gender": "f"}
    only(faults(tmp_path, books), "card.brake: the same text in de and it")


def test_half_a_message_left_untranslated(tmp_path: Path, books: Books) -> None:
    books["it"]["event.left"] = {"by": "count", "one": "{count} card", "other": "{count} carte"}
    only(faults(tmp_path, books), "event.left: the same text in en and it")


@pytest.mark.parametrize("entry", ["card.brake", "card.*", "*"])
def test_the_same_text_as_intended(tmp_path: Path, books: Books, entry: str) -> None:
    books["it"]["card.brake"] = "Bremse"
    assert faults(tmp_path, books, same=[entry]) == []


def test_the_same_text_as_the_caller_intends(tmp_path: Path, books: Books) -> None:
    books["it"]["card.brake"] = "Bremse"
    assert faults(tmp_path, books, more=("card.*",)) == []


@pytest.mark.parametrize("entry", ["card.brake", "card.*", "station.*", "card"])
def test_an_intention_without_cause(tmp_path: Path, books: Books, entry: str) -> None:
    only(faults(tmp_path, books, same=[entry]), f"same.json: {entry}: nothing here is the same")


@pytest.mark.parametrize("content", ['{"a": 1}', "[1]", "["])
def test_a_damaged_list_of_intentions(tmp_path: Path, books: Books, content: str) -> None:
    (tmp_path / "same.json").write_text(content, encoding="utf-8")
    only(faults(tmp_path, books), "same.json: not ")


def test_a_syntax_error(tmp_path: Path, books: Books) -> None:
    books["it"]["event.played"] = "{seat:seat gioca"
    only(faults(tmp_path, books), "it.json, line 12: event.played: a lone '{'")


def test_all_syntax_errors_are_told(tmp_path: Path, books: Books) -> None:
    books["it"]["event.played"] = books["de"]["card.brake"] = "}"
    assert len(faults(tmp_path, books)) == 2


def test_a_file_that_is_not_json(tmp_path: Path, books: Books) -> None:
    faults(tmp_path, books)
    (tmp_path / "it.json").write_text("{", encoding="utf-8")
    only(check(tmp_path, USED), "it.json, line 1: not JSON")


def test_a_key_that_stands_twice(tmp_path: Path, books: Books) -> None:
    faults(tmp_path, books)
    text = (tmp_path / "it.json").read_text(encoding="utf-8")
    (tmp_path / "it.json").write_text(text[:-2] + ',\n"card.brake": "x"}', encoding="utf-8")
    only(check(tmp_path, USED), "card.brake: stands twice")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (" freno", "a blank at an end"),
        ("freno\n", "a blank at an end"),
        ("freno\N{NO-BREAK SPACE}", "a blank at an end"),
        ("il  freno", "two blanks"),
        ("il freno...", "three dots"),
        ("l'ultimo", "a straight quote"),
        ('il "freno"', "a straight quote"),
        ("il „freno“", "quotation marks other than «»“”‘’"),
    ],
)
@pytest.mark.parametrize("noun", [False, True])
def test_typography(tmp_path: Path, books: Books, text: str, why: str, noun: bool) -> None:
    books["it"]["card.brake"] = {"": "freno", "il": text} if noun else text
    only(faults(tmp_path, books), f"it: card.brake: {why}")


@pytest.mark.parametrize(("lang", "text"), [("en", "the «brake»"), ("de", "die “Bremse”")])
def test_foreign_quotation_marks(tmp_path: Path, books: Books, lang: str, text: str) -> None:
    books[lang]["card.brake"] = text
    only(faults(tmp_path, books), f"{lang}: card.brake: quotation marks other than")


def test_typography_of_variants(tmp_path: Path, books: Books) -> None:
    books["it"]["event.left"] = {"by": "count", "one": "{count} carta ", "other": "{count}: carte"}
    only(faults(tmp_path, books), "it: event.left: a blank at an end: '{} carta '")


# Keys in code ------------------------------------------------------------------------------------

CODE = '''
"""module.docstring"""

KEY = "event.rolled"


class C:
    "class.docstring"

    def f(self, x, y="default.argument"):
        """function.docstring"""
        "stray.string"
        print(f"f-string.part{x}", f"event.{x}", f"{say('inside.f-string')}", f"{x:width.x}")
        return {"dict.key": ("glued" ".string", b"bytes.string", "option.seats=3_a")}


NO = ["Event.rolled", "event", "event.", ".rolled", "a b.c", "event..x", "1.2", "event.Rolled"]
NOR = ["https://a.b/", "event.rolled\\n", "", "é.a", "_a.b"]
'''


def test_constants(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "code.py").write_text(CODE, encoding="utf-8")
    (tmp_path / "other.txt").write_text('"text.file"', encoding="utf-8")
    expected = {"event.rolled", "default.argument", "inside.f-string", "dict.key"}
    assert constants(tmp_path) == expected | {"glued.string", "option.seats=3_a"}
    assert constants(tmp_path, without=[tmp_path / "deep"]) == set()


def test_only_what_begins_as_a_key_does(tmp_path: Path, books: Books) -> None:
    faults(tmp_path, books)
    found = {"event.gone", "os.path", "language.x", "eventual.x"}
    assert in_catalogues(found, tmp_path) == {"event.gone"}
    assert in_catalogues(found, tmp_path, COMMON) == {"event.gone", "language.x"}
