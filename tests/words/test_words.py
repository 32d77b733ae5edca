"""Saying things: templates, nouns, variants, lists, numbers, plurals, and what is missing."""

import doctest
import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import capolinea.words
import capolinea.words.message
from capolinea.words import (
    BadMessage,
    DamagedCatalogue,
    MissingWord,
    UnknownLanguage,
    Words,
    arguments,
    guess,
    languages,
)
from capolinea.words.catalogue import load
from capolinea.words.languages import COMMON
from capolinea.words.plural import category, rule

NAMES = ["Ada", "Bruno", "Carla"]

SLOVENE = {
    "language.plural.one": "v = 0 and i % 100 = 1",
    "language.plural.two": "v = 0 and i % 100 = 2",
    "language.plural.few": "v = 0 and i % 100 = 3..4 or v != 0",
    "language.number.decimal": ",",
    "language.number.group": ".",
    "left": {
        "by": "count",
        "one": "{count} karta",
        "two": "{count} karti",
        "few": "{count} karte",
        "other": "{count} kart",
    },
}


def words(lang: str = "en", **entries: object) -> Words:
    """The common words of a language and some more; `card_brake` is the key "card.brake"."""
    more = {name.replace("_", "."): entry for name, entry in entries.items()}
    return Words(lang, load(COMMON / f"{lang}.json"), more)


def said(template: object, lang: str = "en", /, **args: object) -> str:
    return words(lang, it=template).say("it", args, NAMES)


# Manual ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", [capolinea.words, capolinea.words.message])
def test_the_manual_tells_the_truth(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted
    assert not result.failed


# Templates ---------------------------------------------------------------------------------------


def test_plain_arguments() -> None:
    assert said("{who} rolls {pips}.", who="Ada", pips=6) == "Ada rolls 6."
    assert said("") == ""


def test_arguments_that_look_like_templates_are_left_alone() -> None:
    assert said("{who}!", who="{pips}{{") == "{pips}{{!"


def test_doubled_braces_are_literal() -> None:
    assert said("{{{n}}} and {{n}}", n=1) == "{1} and {n}"


@given(st.text())
def test_any_text_can_be_written(text: str) -> None:
    assert said(text.replace("{", "{{").replace("}", "}}")) == text


def test_seats_have_names() -> None:
    assert said("{seat:seat} rolls.", seat=1) == "Bruno rolls."


@pytest.mark.parametrize("seat", [3, -1, True, "1", 1.0, None])
def test_no_such_seat(seat: object) -> None:
    with pytest.raises(MissingWord, match="en: it: argument 'seat'"):
        said("{seat:seat} rolls.", seat=seat)


def test_text_is_as_it_is_numbers_too() -> None:
    assert said("{year:text}, {line:text}", year=1936, line="4{") == "1936, 4{"


@pytest.mark.parametrize(("id_", "found"), [("brake", "brake"), (7, "seven"), (True, "yes")])
def test_ids_are_looked_up_in_their_space(id_: object, found: str) -> None:
    voice = words(card_brake="brake", card_7="seven", card_true="yes", it="a {card:card}")
    assert voice.say("it", {"card": id_}) == f"a {found}"


def test_spaces_may_have_dots_and_a_whole_key_may_be_an_argument() -> None:
    voice = words(card_short_brake="B", it="{card:card.short} {what:key}")
    assert voice.say("it", {"card": "brake", "what": "card.short.brake"}) == "B B"


def test_a_word_looked_up_sees_no_arguments_so_nothing_goes_in_circles() -> None:
    with pytest.raises(MissingWord, match="argument 'what' is missing"):
        words(it="{what:key}").say("it", {"what": "it"})


@pytest.mark.parametrize("value", [None, [1], {"a": 1}, True, float("nan"), float("inf")])
def test_what_is_neither_text_nor_number(value: object) -> None:
    with pytest.raises(MissingWord, match="argument 'x' cannot be"):
        said("{x}", x=value)


@pytest.mark.parametrize("space", ["number", "percent"])
def test_numbers_are_no_texts(space: str) -> None:
    with pytest.raises(MissingWord, match=f"wanted: {space}"):
        said("{x:" + space + "}", x="5")


BAD_TEMPLATES = """
{ } b{ b} {a a} }{ {} {A} {1} {a:} {a:b/} {a.b} {a{b}} {a++} {a+} {a:b+/c} {a:B} {a/dat}
{a:seat/dat} {a:/dat} {a:number/x} {a:percent/x} {a:text/x}
"""


@pytest.mark.parametrize("text", [*BAD_TEMPLATES.split(), "{a b}", "{ a}", "{a:b c}", "{a\n}"])
def test_syntax_errors(text: str) -> None:
    with pytest.raises(BadMessage, match=r"^it: "):
        said(text)


# Nouns -------------------------------------------------------------------------------------------

BREMSE = {"": "Bremse", "the": "die Bremse", "dat": "der Bremse", "gender": "f"}
HEBEL = {"": "Hebel", "the": "der Hebel", "dat": "dem Hebel", "gender": "m"}


def german(template: object) -> Words:
    return words("de", card_brake=BREMSE, card_lever=HEBEL, card_plain="Ding", it=template)


def test_a_form_is_picked() -> None:
    voice = german("Mit {card:card/dat}: {card:card}")
    assert voice.say("it", {"card": "brake"}) == "Mit der Bremse: Bremse"
    assert voice.say("it", {"card": "lever"}) == "Mit dem Hebel: Hebel"
    assert voice.word("card.lever", "the") == "der Hebel"


def test_a_missing_form_is_the_plain_one() -> None:
    voice = german("{card:card/gen}")
    assert voice.say("it", {"card": "brake"}) == "Bremse"
    assert voice.say("it", {"card": "plain"}) == "Ding"
    assert voice.say("card.brake") == "Bremse"


def test_forms_through_a_whole_key_and_in_lists() -> None:
    assert german("{x:key/dat}").say("it", {"x": "card.brake"}) == "der Bremse"
    voice = german("Mit {cards:card/dat+}")
    assert voice.say("it", {"cards": ["brake", "lever"]}) == "Mit der Bremse und dem Hebel"


def test_agreement_with_a_gender() -> None:
    voice = german(
        {"by": "card:card/gender", "f": "Eine {card:card}", "m": "Ein {card:card}", "other": "?"}
    )
    assert voice.say("it", {"card": "brake"}) == "Eine Bremse"
    assert voice.say("it", {"card": "lever"}) == "Ein Hebel"
    assert voice.say("it", {"card": "plain"}) == "?"


@pytest.mark.parametrize(
    "noun",
    [{"the": "x"}, {"": 1}, {"": "{a}"}, {"": "x", "dat": None}, {}, 5, None, ["x"], True],
)
def test_what_is_no_message(noun: object) -> None:
    with pytest.raises(BadMessage, match=r"^it: "):
        said(noun)


# Variants ----------------------------------------------------------------------------------------

LEFT = {"by": "count", "=0": "none", "one": "one card", "other": "{count} cards"}


@pytest.mark.parametrize("lang", ["en", "it", "de"])
@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "none"),
        (1, "one card"),
        (2, "2 cards"),
        (11, "11 cards"),
        (101, "101 cards"),
        (-1, "one card"),
        (1.0, "one card"),
        (0.0, "none"),
        (-0.0, "none"),
    ],
)
def test_plural_variants(lang: str, count: float, text: str) -> None:
    assert said(LEFT, lang, count=count) == text


@pytest.mark.parametrize(("lang", "text"), [("en", "1.5"), ("it", "1,5"), ("de", "1,5")])
def test_one_and_a_half_is_not_one(lang: str, text: str) -> None:
    assert said(LEFT, lang, count=1.5) == f"{text} cards"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (1, "1 karta"),
        (101, "101 karta"),
        (2, "2 karti"),
        (3, "3 karte"),
        (4, "4 karte"),
        (5, "5 kart"),
        (0, "0 kart"),
        (11, "11 kart"),
        (1.5, "1,5 karte"),
        (1204, "1.204 karte"),
    ],
)
def test_a_language_with_a_dual(count: float, text: str) -> None:
    assert Words("sl", SLOVENE).say("left", {"count": count}) == text


def test_exact_numbers_win() -> None:
    exact = {"by": "n", "=1": "single", "=1.5": "half", "=-1": "minus", "one": "x", "other": "y"}
    assert [said(exact, n=n) for n in (1, 1.5, -1, 2)] == ["single", "half", "minus", "y"]


def test_a_list_counts_by_its_length() -> None:
    pull = {"by": "who", "=0": "–", "one": "{who:seat+} pulls.", "other": "{who:seat+} pull."}
    assert said(pull, who=[]) == "–"
    assert said(pull, who=[0]) == "Ada pulls."
    assert said(pull, who=(0, 1)) == "Ada and Bruno pull."


def test_variants_by_a_text_or_a_truth() -> None:
    side = {"by": "side", "left": "L", "true": "T", "other": "O"}
    assert [said(side, side=x) for x in ("left", "up", True, False)] == ["L", "O", "T", "O"]


def test_variants_nest() -> None:
    voice = german(
        {
            "by": "card:card/gender",
            "f": {"by": "count", "one": "eine neue", "other": "{count} neue (f)"},
            "other": {"by": "count", "one": "ein neuer", "other": "{count} neue"},
        }
    )
    found = [voice.say("it", {"card": c, "count": n}) for c in ("brake", "lever") for n in (1, 2)]
    assert found == ["eine neue", "2 neue (f)", "ein neuer", "2 neue"]


def test_no_variant_fits() -> None:
    with pytest.raises(MissingWord, match="en: it: argument 'side' has no variant 'up'"):
        said({"by": "side", "left": "L"}, side="up")
    with pytest.raises(MissingWord, match="has no variant 'other'"):
        said({"by": "n", "=1": "L"}, n=2)


def test_variants_by_what_cannot_choose() -> None:
    with pytest.raises(MissingWord, match="argument 'n' cannot be None"):
        said({"by": "n", "other": "L"}, n=None)


@pytest.mark.parametrize("by", ["", 1, "a:card", "a:seat", "a:card+", "{a}", "a/dat", "A"])
def test_bad_selectors(by: object) -> None:
    with pytest.raises(BadMessage, match=r"^it: "):
        said({"by": by, "other": "x"})


def test_a_variant_is_no_noun() -> None:
    with pytest.raises(BadMessage, match="a variant is a text or further variants"):
        said({"by": "a", "other": {"": "x"}})


# Lists -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lang", "two", "three"),
    [
        ("en", "Ada and Bruno", "Ada, Bruno and Carla"),
        ("it", "Ada e Bruno", "Ada, Bruno e Carla"),
        ("de", "Ada und Bruno", "Ada, Bruno und Carla"),
    ],
)
def test_lists(lang: str, two: str, three: str) -> None:
    found = [said("{who:seat+}", lang, who=list(range(n))) for n in range(4)]
    assert found == ["–", "Ada", two, three]


def test_long_lists_and_lists_of_anything() -> None:
    assert said("{x:+}", x=["a", 1, 2.5, "{b}"]) == "a, 1, 2.5 and {b}"
    assert said("{x:percent+}", x=[1, 2]) == "1% and 2%"


@pytest.mark.parametrize("value", ["ab", 3, None, {"a"}, {"a": 1}])
def test_what_is_no_list(value: object) -> None:
    with pytest.raises(MissingWord, match=r"argument 'x' cannot be .*; wanted: card list"):
        said("{x:card+}", x=value)


def test_a_list_for_one() -> None:
    with pytest.raises(MissingWord, match="argument 'x' cannot be"):
        said("{x:card}", x=["brake"])


# Numbers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "en", "de"),
    [
        (0, "0", "0"),
        (999, "999", "999"),
        (1000, "1,000", "1.000"),
        (-1234567, "−1,234,567", "−1.234.567"),
        (1234.5, "1,234.5", "1.234,5"),
        (2.0, "2", "2"),
        (0.1 + 0.2, "0.3", "0,3"),
        (-0.0004, "0", "0"),
        (-0.0005001, "−0.001", "−0,001"),
        (0.0625, "0.063", "0,063"),
        (999.9996, "1,000", "1.000"),
        (10.0, "10", "10"),
        (1e21, "1,000,000,000,000,000,000,000", "1.000.000.000.000.000.000.000"),
    ],
)
def test_numbers(value: float, en: str, de: str) -> None:
    assert said("{n}", n=value) == said("{n:number}", n=value) == en
    assert said("{n}", "de", n=value) == said("{n}", "it", n=value) == de


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_can_be_read_back(value: float) -> None:
    text = said("{n}", n=value).replace(",", "").replace("−", "-")
    assert abs(Fraction(text) - Fraction(value)) <= Fraction(1, 2000)
    assert not text.startswith("-0") or "." in text


@pytest.mark.parametrize(
    ("lang", "text"), [("en", "62.5%"), ("it", "62,5%"), ("de", "62,5\N{NO-BREAK SPACE}%")]
)
def test_percent(lang: str, text: str) -> None:
    assert said("{n:percent}", lang, n=62.5) == text


# Plural rules ------------------------------------------------------------------------------------


def fits(text: str, number: str) -> bool:
    return category({"one": rule(text)}, number) == "one"


@pytest.mark.parametrize(
    ("text", "number", "expected"),
    [
        ("n = 1", "1", True),
        ("n = 1", "-1", True),
        ("n=1", "1.5", False),
        ("i = 1", "1.5", True),
        ("v = 1", "1.5", True),
        ("f = 5 and t = 5 and w = 1", "1.5", True),
        ("f = 5 and v = 2", "1.05", True),
        ("n != 1", "2", True),
        ("n != 1,2", "2", False),
        ("n = 0, 2..4 , 9", "3", True),
        ("n = 0, 2..4 , 9", "5", False),
        ("n = 2..4", "2.5", False),
        ("n != 2..4", "2.5", True),
        ("n % 10 = 1 and n % 100 != 11", "21", True),
        ("n % 10 = 1 and n % 100 != 11", "111", False),
        ("n % 10 = 1", "11.5", False),
        ("n = 1 or n = 2 and i = 3", "1", True),
        ("n = 3 and i = 1 or n = 2", "2", True),
        ("n = 1 and i = 2 or n = 3", "1", False),
    ],
)
def test_plural_rules(text: str, number: str, expected: bool) -> None:
    assert fits(text, number) is expected


def test_the_first_rule_wins() -> None:
    rules = {"one": rule("n = 1"), "few": rule("n = 1..4")}
    assert [category(rules, n) for n in ("1", "2", "5")] == ["one", "few", "other"]


BAD_RULES = """

n
n =
= 1
x = 1
n == 1
n = a
n = 1..
n = 4..2
n = 1,
n = -1
n = ²
n % = 1
n % 0 = 1
n = 1 and
or n = 1
n = 1 n = 2
n = 1 & i = 2
n = 1andi = 2
not n = 1
n = 1 @integer 1
__import__('os')
"""


@pytest.mark.parametrize("text", BAD_RULES.splitlines())
def test_bad_plural_rules(text: str) -> None:
    with pytest.raises(BadMessage):
        rule(text)


@given(st.text(alphabet="niv0123 =!%.,andor"))
def test_a_rule_is_understood_or_refused(text: str) -> None:
    try:
        parsed = rule(text)
    except BadMessage:
        return
    assert category({"one": parsed}, "7.5") in ("one", "other")


@given(st.integers(0, 10**6), st.integers(1, 200), st.integers(0, 99), st.integers(0, 99))
def test_a_range_is_what_arithmetic_says(n: int, modulus: int, low: int, more: int) -> None:
    expected = low <= n % modulus <= low + more
    assert fits(f"n % {modulus} = {low}..{low + more}", str(n)) is expected
    assert fits(f"n % {modulus} != {low}..{low + more}", str(n)) is not expected


# What is missing ---------------------------------------------------------------------------------


def test_a_missing_key() -> None:
    with pytest.raises(MissingWord, match=r"^de: event\.gone: is missing$") as caught:
        words("de").say("event.gone")
    assert isinstance(caught.value, LookupError)
    assert (caught.value.lang, caught.value.key, caught.value.argument) == ("de", "event.gone", "")


def test_a_missing_argument() -> None:
    with pytest.raises(MissingWord, match="en: it: argument 'pips' is missing") as caught:
        said("{pips}")
    assert caught.value.argument == "pips"


def test_a_word_that_cannot_be_looked_up() -> None:
    with pytest.raises(MissingWord, match=r"en: card\.x: is missing"):
        said("{card:card}", card="x")


def test_lenient_words_show_the_key() -> None:
    voice = Words(
        "en", {"it": "a {card:card}", "by": {"by": "c:card/x", "other": "o"}}, lenient=True
    )
    assert voice.say("event.gone") == "⟨event.gone⟩"
    assert voice.say("it", {"card": "x"}) == "a ⟨card.x⟩"
    assert voice.say("it", {}) == "⟨it⟩"
    assert voice.say("by", {"c": 1}) == "o"


def test_a_language_that_does_not_say_how_it_writes() -> None:
    bare = Words("xx", {"n": "{n}", "x": "{x:+}", "c": {"by": "n", "one": "1", "other": "n"}})
    for key in ("n", "x"):
        with pytest.raises(MissingWord, match=r"xx: language\."):
            bare.say(key, {"n": 1, "x": [1, 2]})
    assert bare.say("c", {"n": 1}) == "n"
    odd = Words("xx", {"language.percent": "{m}", "language.number.group": "", "p": "{n:percent}"})
    with pytest.raises(MissingWord, match=r"xx: language\.percent: argument 'm'"):
        odd.say("p", {"n": 1})


# Catalogues --------------------------------------------------------------------------------------


def test_later_catalogues_win() -> None:
    voice = Words("en", {"a.b": "1", "a.c": "2"}, {"a.b": "3"})
    assert (voice.say("a.b"), voice.say("a.c"), voice.lang) == ("3", "2", "en")
    assert voice.has("a.b")
    assert not voice.has("a.d")


def test_words_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "it.json").write_text('{"card.brake": "freno"}', encoding="utf-8")
    voice = Words.of("it", tmp_path)
    assert (voice.say("card.brake"), voice.say("language.name")) == ("freno", "Italiano")
    with pytest.raises(DamagedCatalogue, match=r"de\.json, line 1: cannot be read: No such file"):
        Words.of("de", tmp_path)
    # A lenient reader would rather have it in another language than not at all.
    lenient = Words.of("de", tmp_path, lenient=True)
    assert (lenient.say("card.brake"), lenient.say("language.name")) == ("freno", "Deutsch")
    assert Words.of("de", tmp_path / "none", lenient=True).say("card.brake") == "⟨card.brake⟩"


@pytest.mark.parametrize("lang", ["xx", "", "same", "../words/en", "EN"])
def test_no_such_language(lang: str) -> None:
    with pytest.raises(UnknownLanguage, match="there are: "):
        Words.of(lang)


@pytest.mark.parametrize(
    ("text", "line", "key", "why"),
    [
        ('{"a.b": "x",\n "c.d": }', 2, "", "not JSON"),
        ("", 1, "", "not JSON"),
        ('["a"]', 1, "", "not an object"),
        ('{\n"a.b": "x",\n"c.d": "{"\n}', 3, "c.d", "a lone '{'"),
        ('{\n"a.b": "x",\n\n"a.b": "x"\n}', 4, "a.b", "stands twice in this file"),
        ('{\n"a.b" : {"by": "n", "one": "x",\n"one": "y"}}', 2, "a.b", "'one' stands twice"),
        ('{"a.b": {"by": "n", "other": {"by": "m", "by": "k"}}}', 1, "a.b", "'by' stands twice"),
        ('{\n"a.b": 3}', 2, "a.b", "a text or an object"),
        ('{\n"a.b": [{"": "x"}]}', 2, "a.b", "a text or an object"),
        ('{"x.y": "",\n"language.plural.one": "n is 1"}', 2, "language.plural.one", "'n is 1'"),
        ('{"language.plural.one": {"": "n = 1"}}', 1, "language.plural.one", "a plain text"),
        ('{"language.plural.some": "n = 1"}', 1, "language.plural.some", "categories are zero,"),
    ],
)
def test_damaged_catalogues(tmp_path: Path, text: str, line: int, key: str, why: str) -> None:
    file = tmp_path / "en.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DamagedCatalogue) as caught:
        Words.of("en", tmp_path)
    assert (caught.value.file, caught.value.line, caught.value.key) == (file, line, key)
    assert str(caught.value).startswith(f"{file}, line {line}: {key}")
    assert why in str(caught.value)


def test_a_catalogue_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "de.json").write_bytes('{"a.b": "x",\n"c.d": "für"}'.encode("latin-1"))
    with pytest.raises(DamagedCatalogue, match=r"de\.json, line 2: not UTF-8"):
        load(tmp_path / "de.json")


@given(st.dictionaries(st.text(), st.text().map(lambda s: s.replace("{", "").replace("}", ""))))
def test_all_that_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[str, str]
) -> None:
    entries = {key: text for key, text in entries.items() if not key.startswith("language.")}
    file = tmp_path_factory.getbasetemp() / "xx.json"
    file.write_text(json.dumps(entries), encoding="utf-8")
    voice = Words("xx", load(file))
    assert {key: voice.say(key) for key in entries} == entries


# Languages ---------------------------------------------------------------------------------------


def test_the_languages() -> None:
    assert {"en", "it", "de"} <= set(languages())
    assert "same" not in languages()
    names = {lang: Words.of(lang).say("language.name") for lang in ("en", "it", "de")}
    assert names == {"en": "English", "it": "Italiano", "de": "Deutsch"}


def test_a_new_language_is_a_new_file(tmp_path: Path) -> None:
    for name in ("sl", "pt-BR", "same", "Makefile", "x"):
        (tmp_path / f"{name}.json").write_text("{}", encoding="utf-8")
    assert languages(tmp_path) == ["pt-BR", "sl"]


@pytest.mark.parametrize(
    ("env", "lang"),
    [
        ({}, "en"),
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "de"}, "de"),
        ({"LANG": "de_AT@euro"}, "de"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "dev"}, "en"),
        ({"LANG": "it_IT", "LC_ALL": "de_DE"}, "de"),
        ({"LANG": "it_IT", "LC_MESSAGES": "de_DE"}, "de"),
        ({"LC_MESSAGES": "it_IT", "LC_ALL": "de_DE"}, "de"),
        ({"LANG": "it_IT", "LC_ALL": ""}, "it"),
        ({"LANG": "it_IT", "LC_ALL": "C"}, "en"),
        ({"LANG": "de_DE", "LANGUAGE": "fr:it:en"}, "it"),
        ({"LANG": "de_DE", "LANGUAGE": "xx"}, "en"),
        ({"LANG": "same"}, "en"),
    ],
)
def test_guess(env: dict[str, str], lang: str) -> None:
    assert guess(env) == lang


# Arguments ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("nothing {{here}}", {}),
        ("{a} {b:card/dat} {c:seat+} {d:+}", {"a": "", "b": "card", "c": "seat+", "d": "+"}),
        ({"": "Bremse", "dat": "der Bremse"}, {}),
        ({"by": "n", "one": "{x}", "other": "{y:card}"}, {"n": "", "x": "", "y": "card"}),
        ({"by": "c:card/gender", "other": "{c:card/dat}"}, {"c": "card"}),
        ({"by": "who", "other": "{who:seat+}"}, {"who": "seat+"}),
        ({"by": "a", "other": {"by": "b", "other": "{c}"}}, {"a": "", "b": "", "c": ""}),
        ("{n:percent} {n:number}", {"n": "number percent"}),
    ],
)
def test_arguments(message: object, expected: dict[str, str]) -> None:
    assert arguments(message) == expected
