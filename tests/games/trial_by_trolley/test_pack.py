"""Packs that people bring (TT-5.3): every fault by line and reason."""

from __future__ import annotations

import json
from typing import Any, cast

import pytest

from capolinea.engine import Problem
from capolinea.engine.game import MOST_FAULTS
from capolinea.engine.text import unclean
from capolinea.games.trial_by_trolley.pack import MOST_CARDS, about, cards_of, faults, parse


def found(name: str, text: str) -> list[tuple[str, dict[str, object]]]:
    with pytest.raises(Problem) as caught:
        parse(name, text)
    assert caught.value.key == "data.faults"
    problems = cast(list[Problem], caught.value.args_["faults"])
    return [(problem.key, problem.args_) for problem in problems]


CSV = """deck,tag,en,de,sympathy
innocent,family,a mime,ein Pantomime,2
GUILTY,dark,"a dictator, retired",ein Diktator,-3
modifier,,with a hat,,
"""


def test_a_csv_with_any_languages_as_columns() -> None:
    cards = parse("mine.csv", CSV)["cards"]
    assert cards[0] == {
        "deck": "innocent",
        "tag": "family",
        "text": {"en": "a mime", "de": "ein Pantomime"},
        "sympathy": 2,
    }
    assert cards[1]["text"]["en"] == "a dictator, retired"
    assert cards[1]["deck"] == "guilty"
    assert cards[2] == {"deck": "modifier", "text": {"en": "with a hat"}}


@pytest.mark.parametrize("name", ["mine.csv", "mine.json"])
def test_cards_show_nothing_that_draws_across_the_table(name: str) -> None:
    text = f"a\u202e mi{chr(0x301) * 100}me"
    card = json.dumps([{"deck": "guilty", "text": {"en": text}}])
    content = f"deck,en\nguilty,{text}\n" if name == "mine.csv" else card
    assert parse(name, content)["cards"][0]["text"] == {"en": "a mí\u0301\u0301me"}


def test_a_csv_as_spreadsheets_write_it() -> None:
    assert len(parse("mine.CSV", "\ufeff" + CSV.replace("\n", "\r\n"))["cards"]) == 3
    semicolons = "deck;en;de\ninnocent;a mime, tired;ein Pantomime\n"
    assert parse("mine.csv", semicolons)["cards"][0]["text"]["en"] == "a mime, tired"


def test_a_column_that_is_no_field_and_no_language_is_named() -> None:
    text = "deck,sympaty,en\ninnocent,2,a mime\nangel,2,a saint\n"
    assert found("mine.csv", text) == [
        ("pack.column", {"columns": ["sympaty"]}),
        ("pack.deck", {"row": 3, "found": "angel", "known": "innocent, guilty, modifier"}),
    ]


def test_a_first_row_without_what_is_needed_is_all_there_is_to_say() -> None:
    assert found("mine.csv", "text,id\na mime,x\n") == [
        ("pack.column", {"columns": ["text"]}),
        ("pack.no-deck-column", {}),
        ("pack.no-language-column", {}),
    ]
    assert [key for key, _ in found("mine.csv", "")] == [
        "pack.no-deck-column",
        "pack.no-language-column",
    ]
    twice = "deck,en,en\ninnocent,a mime,a clown\n"
    assert found("mine.csv", twice) == [("pack.column-twice", {"columns": ["en"]})]


def test_a_comma_without_quotation_marks_is_found() -> None:
    text = "deck,en\ninnocent,a mime, retired\nguilty,a notary,\n"
    assert found("mine.csv", text) == [("pack.cells", {"row": 2, "most": 2, "mark": '"'})]


@pytest.mark.parametrize(
    "row", ['innocent,"a mime', 'innocent,"a" mime', 'guilty,"' + "x" * 140_000]
)
def test_quotation_marks_that_do_not_fit_are_found(row: str) -> None:
    text = f'deck,en\nangel,"a\nsaint"\n{row}\n'
    assert [(key, args["row"]) for key, args in found("mine.csv", text)] == [
        ("pack.deck", 2),
        ("pack.quotes", 4),
    ]


def test_rows_of_nothing_and_columns_without_a_name_are_left_out() -> None:
    text = "Deck;EN;pt-BR;;\ninnocent;a mime;um mimo;;\n;;;;\n\n"
    (card,) = parse("mine.csv", text)["cards"]
    assert card == {"deck": "innocent", "text": {"en": "a mime", "pt-BR": "um mimo"}}


def test_tabs_will_do() -> None:
    assert len(parse("mine.tsv", "deck\ten\ninnocent\ta mime, tired\n")["cards"]) == 1


def test_cards_without_an_id_get_one_that_is_free() -> None:
    cards = [{"id": "card-1", "deck": "guilty", "text": {"en": "x"}}]
    cards.append({"deck": "guilty", "text": {"en": "y"}})
    assert [card["id"] for card in cards_of({"cards": cards})] == ["card-1", "card-2"]


def test_faults_of_a_csv_are_named_by_line() -> None:
    text = CSV + "angel,family,a saint,,\ninnocent,rude,a clown,,lots\ninnocent,,,,\n"
    assert found("mine.csv", text) == [
        ("pack.deck", {"row": 5, "found": "angel", "known": "innocent, guilty, modifier"}),
        ("pack.tag", {"row": 6, "found": "rude", "known": "family, dark"}),
        ("pack.number", {"row": 6, "field": "sympathy", "found": "lots", "least": -3, "most": 3}),
        ("pack.no-text", {"row": 7}),
    ]


JSON = """{"cards": [
  {"deck": "innocent", "text": {"en": "a mime"}},
  {"deck": "innocent", "text": {"en": "A  Mime"}},

  {"deck": "guilty", "text": {"en": "a dictator"}, "colour": "red"}
]}"""


def test_faults_of_json_are_named_by_line() -> None:
    assert found("mine.json", JSON) == [
        ("pack.same-text", {"row": 3, "lang": "en", "first": 2}),
        ("pack.field", {"row": 5, "field": "colour"}),
    ]


def test_a_bare_list_will_do() -> None:
    assert parse("mine.json", '[{"deck": "guilty", "text": {"it": "un notaio"}}]') == {
        "cards": [{"deck": "guilty", "text": {"it": "un notaio"}}]
    }


@pytest.mark.parametrize("text", ["", "{", "[1, 2", "nothing"])
def test_what_is_not_json_is_told_with_the_file_and_the_place(text: str) -> None:
    with pytest.raises(Problem) as caught:
        parse("mine.json", text)
    assert caught.value.key == "data.json"
    assert caught.value.args_["file"] == "mine.json"
    assert caught.value.args_["line"] == 1


def test_what_no_record_could_keep_is_told() -> None:
    for text in ("9" * 5000, "[" * 100_000):
        with pytest.raises(Problem) as caught:
            parse("mine.json", text)
        assert caught.value.key == "data.unfit"


def test_a_pack_may_have_a_name() -> None:
    text = '{"name": "[Office]", "cards": [\n{"deck": "guilty", "text": {"en": "the boss"}}]}'
    assert parse("mine.json", text)["name"] == "[Office]"
    wrong = text.replace('"[Office]"', "3").replace("guilty", "angel")
    assert [(key, args.get("row")) for key, args in found("mine.json", wrong)] == [
        ("pack.name", None),
        ("pack.deck", 2),
    ]


def test_cards_have_their_number_where_their_line_cannot_be_told() -> None:
    text = '{"name": "\\"cards\\": [", "cards": [\n\n{"deck": "angel", "text": {"en": "x"}}]}'
    assert [args["row"] for _, args in found("mine.json", text)] in ([1], [3])


def test_a_pack_without_a_card_is_a_fault() -> None:
    assert [problem.key for problem in faults({"cards": []})] == ["pack.no-cards"]


def test_nobody_needs_more_cards_than_that() -> None:
    cards = [{"deck": "guilty", "text": {"en": f"no. {n}"}} for n in range(MOST_CARDS + 1)]
    assert [problem.key for problem in faults({"cards": cards})] == ["pack.many"]
    assert faults({"cards": cards[1:]}) == []


def test_of_very_many_faults_the_first_are_named_and_all_are_counted() -> None:
    with pytest.raises(Problem) as caught:
        parse("mine.csv", "deck,en\n" + "angel,a saint\n" * 1000)
    assert caught.value.args_["count"] == 1000
    assert len(cast(list[Problem], caught.value.args_["faults"])) == MOST_FAULTS


def test_what_is_in_a_pack() -> None:
    cards = parse("mine.csv", CSV)
    assert [(line.key, line.args) for line in about(cards)] == [
        ("pack.about", {"innocent": 1, "guilty": 1, "modifier": 1}),
        ("pack.dark", {"count": 1}),
        ("pack.langs", {"langs": ["de", "en"]}),
    ]


@pytest.mark.parametrize("text", ["3", '"cards"', '{"cards": 3}', "{}"])
def test_what_is_no_pack_is_told(text: str) -> None:
    with pytest.raises(Problem) as caught:
        parse("mine.json", text)
    assert caught.value.key == "pack.form"


@pytest.mark.parametrize(
    ("card", "key"),
    [
        ("a mime", "pack.card"),
        ({"deck": "innocent"}, "pack.no-text"),
        ({"deck": "innocent", "text": "a mime"}, "pack.no-text"),
        ({"deck": "innocent", "text": {"en": "  "}}, "pack.empty"),
        ({"deck": "innocent", "text": {"english": "x"}}, "pack.lang"),
        ({"deck": "innocent", "text": {"en": "x" * 201}}, "pack.long"),
        ({"deck": "innocent", "text": {"en": "x"}, "things": ["the x"]}, "pack.things"),
        ({"deck": "innocent", "text": {"en": "x"}, "things": [{}]}, "pack.things"),
        ({"deck": "innocent", "text": {"en": "x"}, "id": 3}, "pack.id"),
        ({"deck": "innocent", "text": {"en": "x"}, "id": "The Mime"}, "pack.id"),
        ({"deck": "innocent", "text": {"en": "x"}, "lives": 4}, "pack.number"),
        ({"deck": "innocent", "text": {"en": "x"}, "lives": True}, "pack.number"),
    ],
)
def test_every_kind_of_fault(card: Any, key: str) -> None:
    assert [problem.key for problem in faults({"cards": [card]})] == [key]


def test_the_same_id_twice_is_a_fault() -> None:
    cards = [{"id": "a", "deck": "guilty", "text": {"en": text}} for text in ("one", "two")]
    (fault,) = faults({"cards": cards})
    assert (fault.key, fault.args_) == ("pack.same-id", {"row": 2, "id": "a", "first": 1})


def test_the_starter_pack_has_no_faults() -> None:
    from capolinea.games.trial_by_trolley.title import GAME

    assert faults(GAME.data()["pack"]["starter"]) == []


def test_quotes_within_a_quoted_card_are_inner_ones() -> None:
    from capolinea.games.trial_by_trolley.title import GAME, TrolleyOptions

    cards = [{"id": "sign", "deck": "guilty", "text": {"de": "ein Schild: „Halt!“", "en": "{x}"}}]
    options = TrolleyOptions(pack="one", data={"pack": {"cards": cards}})
    assert GAME.texts(options, "de")["card.sign"]["quoted"] == "„ein Schild: ‚Halt!‘“"
    # Braces on somebody's card are no slots.
    assert GAME.texts(options, "en")["card.sign"][""] == "{{x}}"


def test_the_templates_have_no_faults_and_a_column_for_every_language() -> None:
    from capolinea.games.trial_by_trolley.title import GAME

    for lang in ("en", "it", "de"):
        text = (GAME.folder / f"templates/pack.{lang}.csv").read_text("utf-8")
        cards = parse("pack.csv", text)["cards"]
        assert {card["deck"] for card in cards} == {"innocent", "guilty", "modifier"}
        assert all(set(card["text"]) == {"en", "it", "de"} for card in cards)
        # The reader's own comes first, and spreadsheets in Italian and German want semicolons.
        assert text.startswith("\ufeffdeck" + ("," if lang == "en" else ";"))
        assert next(iter(cards[0]["text"])) == lang


def test_what_is_quoted_of_a_file_can_be_shown_anywhere() -> None:
    """On a terminal, too, where a column's name could be a command."""
    escape = "\x1b]0;owned\x07\u202e"
    for head in (f"deck,en,{escape}", f"deck,{escape}"):
        with pytest.raises(Problem) as found:
            parse("q.csv", f"{head}\ninnocent,hello,x\n{escape},{escape},x\n")
        for fault in cast(list[Problem], found.value.args_["faults"]):
            assert unclean([*fault.args_.values()]) == "", fault
