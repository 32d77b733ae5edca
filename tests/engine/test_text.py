"""Text of strangers: what goes, what stays, and that it is done with at once."""

from __future__ import annotations

from unicodedata import is_normalized

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from capolinea.engine.text import BLANK, MOST_MARKS, clean, cleaned, name, unclean
from tests.texts import TEXTS, may_be_shown

# --- what stays ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "Spare us, we have cake!",
        "Tiếng Việt có nhiều dấu",
        "ที่นี่มีน้ำ",  # a vowel and a tone above one letter
        "שָׁלוֹם בַּיִּשּׁוּב",  # with points
        "क़िताबें और हिन्दी",
        "می\u200cخواهم",  # joined as Persian has it
        "ශ්\u200dරී ලංකා",
        "👩\u200d🚀 ❤️\u200d🔥 👍🏽 3️⃣",
        "Ночь 夜 ليل",
        "100 km",
        "\U0001fae8 \U0001fa89",  # pictures that Python may be too old for
    ],
)
def test_what_people_write_in_their_languages_stays(text: str) -> None:
    assert clean(text) == text
    assert unclean(text) == ""


# --- what goes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("half \ud83d a picture", "half  a picture"),
        ("\u202edrawkcab\u2066", "drawkcab"),
        ("no\u200bthing \u00adbet\u2060ween\ufeff", "nothing between"),
        ("A\u200dd\u200ca", "Ada"),  # Latin letters are not joined
        ("x\u200d", "x"),
        ("a\u0301" + "\u0301" * 99, "á" + "\u0301" * (MOST_MARKS - 1)),
        ("a" + "\u200b\u0316" * 99, "a" + "\u0316" * MOST_MARKS),
        ("\u0301 \u0301x", " x"),  # they would stand on what comes before
        ("bell\x07 \x1b[31mred", "bell   [31mred"),
        ("one\ntwo\r\nthree\u2028four", "one two three four"),
        ("Zoe\u0308", "Zoë"),
        ("Ada\ufe0f", "Ada"),
        ("flag\U000e0067\U000e007f", "flag"),
        ("\u3164\u2800\u115f", "   "),
    ],
)
def test_what_cannot_be_seen_or_draws_elsewhere_goes(written: str, read: str) -> None:
    assert clean(written) == read


def test_lines_stay_where_they_are_meant() -> None:
    assert clean("one\r\ntwo\nthree\u2029four", lines=True) == "one\ntwo\nthree\nfour"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("  Ada   di  Muggia\n", "Ada di Muggia"),
        ("\u202e\u200b\u3164 \u0301", ""),
        ("x" * 80, "x" * 24),
        ("x" * 23 + " y", "x" * 23),
        ("👩\u200d🚀", "👩🚀"),  # of names that look the same there should be one
    ],
)
def test_a_name_is_one_line_that_is_seen(written: str, read: str) -> None:
    assert name(written, 24) == read


@pytest.mark.parametrize("blank", [*BLANK, "\U00013441", "\U0001d159"])
def test_a_name_of_blanks_is_none(blank: str) -> None:
    assert name(blank * 3, 24) == ""


def test_all_texts_of_a_value_are_cleaned() -> None:
    value = {"a\u200b": ["\u202eb", 1, None, {"c": "d" * 9}]}
    assert cleaned(value, longest=5) == {"a": ["b", 1, None, {"c": "ddddd"}]}


def test_a_text_that_is_not_clean_is_found() -> None:
    cards = [{"text": {"en": "A mime"}}, {"text": {"en": "A\u202emime"}}]
    assert unclean({"pack": {"cards": cards}}) == "pack.cards.2.text.en"
    assert unclean({"pack": {"\ud800": 1}}) == "pack"
    assert unclean({"cards": [{"text": {"it": "perche\u0301\nno"}}]}) == ""


# --- always --------------------------------------------------------------------------------------


@given(TEXTS)
def test_what_is_clean_can_be_stored_and_shown(text: str) -> None:
    for found in (clean(text), clean(text, lines=True), name(text, 24)):
        found.encode()
        assert is_normalized("NFC", found)
        assert may_be_shown(found)
        assert unclean(found) == ""


@given(TEXTS)
def test_what_is_clean_stays_as_it_is(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert clean(clean(text, lines=True), lines=True) == clean(text, lines=True)
    assert name(name(text, 24), 24) == name(text, 24)


#: What Unicode takes apart or brings into another order, and what goes between.
RESTLESS = st.text(
    st.sampled_from(
        "a\xa0\u0301\u0328\u0344\u035a\u20e3\ufe0f\u200d\ufb2c\u2126\U0001d15e\U0001d15f\U0001d165"
    )
)


@given(RESTLESS)
@example("\U0001d15f\ufe0f\u035a\u0328\u0362\xa0\u035f\u2126")
def test_what_unicode_takes_apart_is_clean_at_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert is_normalized("NFC", clean(text))


@pytest.mark.parametrize("mark", ["\U0001d165", "\U0001d16e", "\u302e", "\ua953"])
def test_marks_beside_a_letter_make_no_tower_either(mark: str) -> None:
    assert clean("a" + mark * 50) == "a" + mark * MOST_MARKS


def test_many_marks_are_done_with_at_once() -> None:
    """To bring them all into order, as Unicode wants it, would take minutes."""
    assert clean("a" + "\u0301\u0316" * 200_000) == clean("a\u0301\u0316\u0301")
