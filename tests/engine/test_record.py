"""Records: two written forms, stable to the byte; and every kind of damage has its own words."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from capolinea.engine import Match, Outcome, Record, RecordProblem, Result
from capolinea.engine.record import (
    FORMAT,
    VERSION,
    Control,
    DataUsed,
    End,
    Move,
    Say,
    Undo,
    altered,
    check_of,
    dumps,
    dumps_lines,
    loads,
)
from capolinea.games.night_mail.title import GAME, NightMailOptions
from tests.engine.expect import some, unreadable
from tests.engine.mail import DEPART, LOAD_POSTCARD, OWN_LINE, mail, own_line, random_match

RECORD = Record(
    format=FORMAT,
    version=1,
    title="trams",
    rules="1",
    data={"track": DataUsed("short", "ab12")},
    options={"speed": 3},
    seats=["Ada", "Žiga"],
    seed_hash="cd34",
    seed="ef56",
    entries=[
        Move(0, [{"do": "load", "mail": "letter"}]),
        Say(1, {"bag": ["letter"]}),
        Undo(0, 0),
        Undo(1, 0, agreed=True, at=1500),
        Control(1, "bot", "careful"),
        Control(0, "clock"),
        Move(0, [{"do": "deliver"}, {"do": "sign", "seat": 1}], at=2000),
    ],
    result=Result("arrived", [Outcome(True, 3), Outcome(False)]),
)

DOCUMENT = """\
{
  "format": "capolinea-record",
  "version": 1,
  "title": "trams",
  "rules": "1",
  "data": {"track": {"name": "short", "sha256": "ab12"}},
  "options": {"speed": 3},
  "seats": ["Ada", "Žiga"],
  "seed_hash": "cd34",
  "seed": "ef56",
  "entries": [
    {"kind": "move", "seat": 0, "do": [{"do": "load", "mail": "letter"}]},
    {"kind": "say", "seat": 1, "said": {"bag": ["letter"]}},
    {"kind": "undo", "seat": 0, "to": 0},
    {"kind": "undo", "seat": 1, "to": 0, "agreed": true, "at": 1500},
    {"kind": "control", "seat": 1, "by": "bot", "name": "careful"},
    {"kind": "control", "seat": 0, "by": "clock"},
    {"kind": "move", "seat": 0, "do": [{"do": "deliver"}, {"do": "sign", "seat": 1}], "at": 2000}
  ],
  "result": {"ending": "arrived", "outcomes": [{"won": true, "score": 3}, {"won": false}]}
}
"""

LINES = """\
{"format": "capolinea-record", "version": 1, "title": "trams", "rules": "1", \
"data": {"track": {"name": "short", "sha256": "ab12"}}, "options": {"speed": 3}, \
"seats": ["Ada", "Žiga"], "seed_hash": "cd34"}
{"kind": "move", "seat": 0, "do": [{"do": "load", "mail": "letter"}]}
{"kind": "say", "seat": 1, "said": {"bag": ["letter"]}}
{"kind": "undo", "seat": 0, "to": 0}
{"kind": "undo", "seat": 1, "to": 0, "agreed": true, "at": 1500}
{"kind": "control", "seat": 1, "by": "bot", "name": "careful"}
{"kind": "control", "seat": 0, "by": "clock"}
{"kind": "move", "seat": 0, "do": [{"do": "deliver"}, {"do": "sign", "seat": 1}], "at": 2000}
{"kind": "end", "seed": "ef56", \
"result": {"ending": "arrived", "outcomes": [{"won": true, "score": 3}, {"won": false}]}}
"""

SMALLEST: dict[str, Any] = {
    "format": FORMAT,
    "version": VERSION,
    "title": "trams",
    "rules": "1",
    "options": {},
    "seats": ["Ada"],
}


def running() -> Record:
    """The record as it stands while the match goes on."""
    return msgspec.structs.replace(RECORD, seed="", result=None)


# --- written forms -----------------------------------------------------------------------------


def test_the_document_is_readable_with_an_entry_a_line() -> None:
    assert dumps(RECORD) == DOCUMENT


def test_the_stream_is_a_header_the_entries_and_an_end() -> None:
    assert dumps_lines(RECORD) == LINES


@pytest.mark.parametrize("text", [DOCUMENT, LINES], ids=["document", "lines"])
def test_both_forms_are_read_back(text: str) -> None:
    assert loads(text) == RECORD
    assert loads(text.encode()) == RECORD


def test_a_match_that_goes_on_has_no_end_and_no_result() -> None:
    record = running()
    assert dumps_lines(record) == LINES[: LINES.index('{"kind": "end"')]
    assert '"result"' not in dumps(record)
    assert '"seed"' not in dumps(record)
    assert loads(dumps_lines(record)) == record
    assert loads(dumps(record)) == record


def test_a_seed_that_is_revealed_early_stands_in_the_header() -> None:
    record = msgspec.structs.replace(running(), seed="ef56")
    header = dumps_lines(record).splitlines()[0]
    assert json.loads(header)["seed"] == "ef56"
    assert loads(dumps_lines(record)) == record
    assert loads(dumps(record)) == record


def test_a_match_without_entries_is_written_and_read_too() -> None:
    record = msgspec.structs.replace(running(), entries=[])
    assert dumps(record).endswith('  "entries": []\n}\n')
    assert loads(dumps(record)) == record
    assert loads(dumps_lines(record)) == record


def test_a_deal_is_written_instead_of_a_seed() -> None:
    deal = {"deck": [[2, 0, 1]], "die": [None, 3]}
    record = msgspec.structs.replace(RECORD, seed="", seed_hash="", deal=deal)
    assert '\n  "deal": {"deck": [[2, 0, 1]], "die": [null, 3]},\n' in dumps(record)
    assert '"seed' not in dumps(record) + dumps_lines(record)
    assert loads(dumps(record)) == record
    assert loads(dumps_lines(record)) == record


def test_any_json_document_of_a_record_will_do_even_on_one_line() -> None:
    assert loads(json.dumps(json.loads(DOCUMENT))) == RECORD


def test_what_has_a_default_may_be_left_out() -> None:
    record = loads(json.dumps({**SMALLEST, "entries": []}))
    assert (record.data, record.entries, record.result) == ({}, [], None)
    assert (record.seed, record.seed_hash, record.deal) == ("", "", None)


@some
@given(st.integers(0, 2**32))
def test_records_of_real_matches_survive_both_forms_byte_by_byte(number: int) -> None:
    record = random_match(number).record()
    document, lines = dumps(record), dumps_lines(record)
    assert loads(document) == record
    assert loads(lines) == record
    assert dumps(loads(lines)) == document
    assert dumps_lines(loads(document)) == lines
    assert document.count("\n") == 11 + len(record.entries) + 3
    assert lines.count("\n") == 1 + len(record.entries) + 1


def test_data_that_is_not_built_in_is_carried_in_both_forms() -> None:
    record = Match(GAME, ["Ada", "Bruno"], own_line(), seed=bytes(32)).record(reveal=True)
    assert loads(dumps(record)) == record
    assert loads(dumps_lines(record)).data == record.data


def test_simulated_records_carry_no_times() -> None:
    record = random_match(1).record()
    assert {entry.at for entry in record.entries} == {None}
    assert '"at"' not in dumps(record)


def test_timed_records_keep_the_time_of_every_kind_of_entry() -> None:
    match = mail()
    match.move(0, [LOAD_POSTCARD], at=100)
    match.say(0, {"bag": ["letter"]}, at=200)
    match.undo(0, at=300)
    match.control(1, "bot", "careful", at=400)
    match.move(0, [DEPART], at=500)
    record = loads(dumps(match.record()))
    assert [entry.at for entry in record.entries] == [100, 200, 300, 400, 500]
    again = Match.fold(GAME, record)
    assert again.record() == record


def test_what_is_not_given_is_not_there() -> None:
    assert (Undo(0, 1).agreed, Control(0, "clock").name) == (False, "")
    assert (End().seed, End().result, DataUsed("x", "y").content) == ("", None, None)


def test_a_record_read_shares_nothing_with_the_next() -> None:
    first = loads(json.dumps({**SMALLEST, "entries": []}))
    first.entries.append(Say(0, 1))
    first.data["x"] = DataUsed("x", "y")
    second = loads(json.dumps({**SMALLEST, "entries": []}))
    assert (second.entries, second.data) == ([], {})


@pytest.mark.parametrize("entry", [*RECORD.entries, RECORD.data["track"], End("", None)])
def test_what_stands_in_a_record_does_not_change(entry: msgspec.Struct) -> None:
    for name in entry.__struct_fields__:
        with pytest.raises(AttributeError):
            setattr(entry, name, None)


# --- texts of strangers --------------------------------------------------------------------------


def test_names_and_sayings_are_cleaned() -> None:
    text = DOCUMENT.replace("Ada", "A\\ud800da\u202e").replace('"careful"', '"care\u200bful"')
    assert loads(text) == RECORD


def at_a_stop_called(name: str) -> Record:
    """A match on a line of somebody's own."""
    options = NightMailOptions(data={"line": {**OWN_LINE, "trunk": [name, "Bivio"]}})
    return Match(GAME, ["Ada", "Bruno"], options, seed=bytes(32)).record(reveal=True)


def test_data_stays_as_it_is_since_it_has_a_hash() -> None:
    record = at_a_stop_called("perche\u0301")
    assert Match.fold(GAME, loads(dumps(record))).record(reveal=True) == record


@pytest.mark.parametrize("half", ["\\ud800", "\u202e", "o" + "\u0301" * 100])
def test_data_with_a_text_that_cannot_be_shown_is_refused_and_the_place_named(half: str) -> None:
    record = at_a_stop_called("Muggia")
    with unreadable("record.text", where="data.line.content.trunk.1"):
        loads(dumps(record).replace("Muggia", half))


# --- checks ------------------------------------------------------------------------------------

CHECKED = msgspec.structs.replace(
    RECORD, version=2, checks=[check_of(b"%d" % n) for n in range(len(RECORD.entries))]
)


@pytest.mark.parametrize("write", [dumps, dumps_lines])
def test_with_every_entry_stands_its_check(write: Callable[[Record], str]) -> None:
    text = write(CHECKED)
    lines = [line for line in text.splitlines() if '"seat"' in line]
    assert len(lines) == len(CHECKED.checks)
    for line, check in zip(lines, CHECKED.checks, strict=True):
        assert line.rstrip(",").endswith(f', "check": "{check}"}}')
    assert loads(text) == CHECKED
    assert write(loads(text)) == text


@pytest.mark.parametrize("write", [dumps, dumps_lines])
@pytest.mark.parametrize("check", ["", "xyz", "0" * 31, "0" * 33, "A" * 32])
def test_a_check_that_is_none_is_named(write: Callable[[Record], str], check: str) -> None:
    with pytest.raises(RecordProblem) as caught:
        loads(write(CHECKED).replace(CHECKED.checks[2], check))
    assert caught.value.args_["where"] in ("entries[2].check", "check")
    assert caught.value.args_.get("line", 4) == 4


@pytest.mark.parametrize("write", [dumps, dumps_lines])
def test_a_missing_check_is_named(write: Callable[[Record], str]) -> None:
    with pytest.raises(RecordProblem) as caught:
        loads(write(CHECKED).replace(f', "check": "{CHECKED.checks[2]}"', ""))
    assert caught.value.args_["detail"] == "Object missing required field `check`"


def test_a_record_of_version_1_has_no_checks() -> None:
    detail = "Object contains unknown field `check`"
    with unreadable("record.field", where="entries[0]", detail=detail):
        loads(dumps(CHECKED).replace('"version": 2', '"version": 1'))
    with unreadable("record.field", where="–", detail="Object contains unknown field `checks`"):
        loads(changed(checks=[]))


def test_what_is_changed_of_a_record_is_known_no_more() -> None:
    other = altered(CHECKED, entries=CHECKED.entries[:2])
    assert (other.version, other.checks, other.result) == (1, [], None)
    assert loads(dumps(other)) == other


# --- damage ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " \n\n", b"", b"\n"])
def test_an_empty_file_is_no_record(text: str | bytes) -> None:
    with unreadable("record.empty"):
        loads(text)


def test_what_is_not_utf8_is_no_record_and_the_byte_is_named() -> None:
    with unreadable("record.not-text", byte=5):
        loads(b'{"a":\xff}')


def test_what_is_not_json_is_no_record_and_the_place_is_named() -> None:
    with unreadable("record.damaged", line=3, column=14):
        loads(DOCUMENT.replace('"version": 1', '"version": ?', 1))
    with unreadable("record.damaged", line=1, column=1):
        loads("PNG, or something else\n")


@pytest.mark.parametrize("at", range(1, DOCUMENT.count("\n")))
def test_a_document_cut_off_after_any_line_is_cut_off_there(at: int) -> None:
    kept = DOCUMENT.splitlines(keepends=True)[:at]
    with unreadable("record.cut-off", line=at + 1):
        loads("".join(kept))


def test_a_document_cut_off_anywhere_is_never_read_and_the_line_is_named() -> None:
    for at in range(2, len(DOCUMENT) - 2, 3):
        with pytest.raises(RecordProblem) as caught:
            loads(DOCUMENT[:at])
        assert caught.value.key in ("record.cut-off", "record.damaged")
        assert caught.value.args_["line"] == DOCUMENT[:at].count("\n") + 1


@pytest.mark.parametrize("line", range(2, LINES.count("\n") + 1))
def test_a_stream_cut_off_within_any_line_is_cut_off_there(line: int) -> None:
    whole = LINES.splitlines(keepends=True)
    before, cut = "".join(whole[: line - 1]), whole[line - 1]
    for at in (1, len(cut) // 2, len(cut) - 1):
        with unreadable("record.cut-off", line=line):
            loads(before + cut[:at])


def test_a_stream_cut_off_within_its_header_is_cut_off_or_damaged_there() -> None:
    header = LINES.splitlines()[0]
    with unreadable("record.cut-off", line=1):
        loads(header)
    with unreadable("record.cut-off", line=1):
        loads(header[:-1])
    with pytest.raises(RecordProblem) as caught:
        loads(header[:100])
    assert caught.value.args_["line"] == 1


@pytest.mark.parametrize("line", range(1, LINES.count("\n")))
def test_a_stream_up_to_any_line_is_a_match_that_goes_on(line: int) -> None:
    record = loads("".join(LINES.splitlines(keepends=True)[:line]))
    assert record == msgspec.structs.replace(running(), entries=RECORD.entries[: line - 1])


@pytest.mark.parametrize("line", range(2, LINES.count("\n") + 1))
def test_a_damaged_line_of_a_stream_is_named(line: int) -> None:
    whole = LINES.splitlines()
    whole[line - 1] = whole[line - 1][:-2]
    with unreadable("record.damaged", line=line, column=1):
        loads("\n".join(whole) + "\n")


@pytest.mark.parametrize("value", [[], 3, "x", None, {"format": "pgn"}, {"entries": []}, {"a": 1}])
def test_something_else_is_foreign(value: object) -> None:
    with unreadable("record.foreign"):
        loads(json.dumps(value) + "\n")


def test_what_is_nested_without_end_is_foreign_and_does_not_crash() -> None:
    with unreadable("record.foreign"):
        loads("[" * 200_000)


def test_a_line_nested_without_end_is_damaged_and_does_not_crash() -> None:
    with unreadable("record.damaged", line=2, column=1):
        loads(LINES.splitlines()[0] + "\n" + "[" * 200_000 + "\n")


@pytest.mark.parametrize("text", [DOCUMENT, LINES], ids=["document", "lines"])
def test_a_record_of_a_future_version_is_not_guessed_at(text: str) -> None:
    with unreadable("record.future", version=VERSION + 1, known=VERSION):
        loads(text.replace('"version": 1', f'"version": {VERSION + 1}'))


@pytest.mark.parametrize("text", [DOCUMENT, LINES], ids=["document", "lines"])
@pytest.mark.parametrize(
    ("version", "shown"),
    [("0", "0"), ("-1", "-1"), ("true", "True"), ('"1"', "'1'"), ("1.0", "1.0")],
)
def test_a_version_is_a_number_from_1(text: str, version: str, shown: str) -> None:
    with unreadable("record.field", where="version", detail=shown):
        loads(text.replace('"version": 1', f'"version": {version}'))


def test_a_record_without_a_version_is_not_guessed_at() -> None:
    with unreadable("record.field", where="version", detail="None"):
        loads('{"format": "capolinea-record", "entries": []}')


def changed(**fields: object) -> str:
    return json.dumps({**json.loads(DOCUMENT), **fields})


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"title": 3}, "title"),
        ({"seats": "Ada"}, "seats"),
        ({"seats": ["Ada", 2]}, "seats[1]"),
        ({"options": []}, "options"),
        ({"data": {"track": {"name": "x"}}}, "data[...]"),
        ({"data": {"track": {"name": "x", "sha256": "y", "z": 1}}}, "data[...]"),
        ({"seed": 3}, "seed"),
        ({"deal": {"die": ["x"]}}, "deal[...][0]"),
        ({"entries": {}}, "entries"),
        ({"entries": [{"kind": "move", "seat": "0", "do": []}]}, "entries[0].seat"),
        ({"entries": [{"kind": "move", "seat": 0, "do": [3]}]}, "entries[0].do[0]"),
        ({"entries": [{"kind": "dance", "seat": 0}]}, "entries[0].kind"),
        ({"entries": [{"seat": 0}]}, "entries[0]"),
        ({"result": {"ending": "x"}}, "result"),
    ],
)
def test_a_field_of_the_wrong_form_is_named(fields: dict[str, object], where: str) -> None:
    with pytest.raises(RecordProblem) as caught:
        loads(changed(**fields))
    assert caught.value.key == "record.field"
    assert caught.value.args_["where"] == where
    assert caught.value.args_["detail"]


@pytest.mark.parametrize("name", ["title", "rules", "options", "seats"])
def test_a_missing_field_is_named(name: str) -> None:
    whole = json.loads(DOCUMENT)
    del whole[name]
    detail = f"Object missing required field `{name}`"
    with unreadable("record.field", where="–", detail=detail):
        loads(json.dumps(whole))


def test_an_unknown_field_is_named() -> None:
    detail = "Object contains unknown field `note`"
    with unreadable("record.field", where="–", detail=detail):
        loads(changed(note="x"))
    entry = {"kind": "undo", "seat": 0, "to": 0, "note": "x"}
    with unreadable("record.field", where="entries[0]", detail=detail):
        loads(changed(entries=[entry]))


@pytest.mark.parametrize(
    ("line", "where", "detail"),
    [
        ('{"kind": "dance", "seat": 0}', "kind", "Invalid value 'dance'"),
        ('{"kind": "undo", "seat": 0, "to": "0"}', "to", "Expected `int`, got `str`"),
        ('{"kind": "undo", "seat": 0}', "–", "Object missing required field `to`"),
        ("[1]", "–", "Expected `object`, got `array`"),
        ('{"kind": "end", "seed": 3}', "seed", "Expected `str`, got `int`"),
        ('{"kind": "end", "x": 3}', "–", "Object contains unknown field `x`"),
    ],
)
def test_what_is_wrong_in_a_line_of_a_stream_is_named_with_the_line(
    line: str, where: str, detail: str
) -> None:
    before = "".join(LINES.splitlines(keepends=True)[:3])
    with unreadable("record.line", line=4, where=where, detail=detail):
        loads(before + line + "\n")


def test_what_is_wrong_in_the_header_of_a_stream_is_named() -> None:
    detail = "Expected `str`, got `int`"
    with unreadable("record.line", line=1, where="title", detail=detail):
        loads(LINES.replace('"title": "trams"', '"title": 3'))


@pytest.mark.parametrize("line", ['{"kind": "undo", "seat": 0, "to": 0}', '{"kind": "end"}'])
def test_nothing_may_follow_the_end(line: str) -> None:
    with unreadable("record.after-end", line=10):
        loads(LINES + line + "\n")


def test_two_documents_are_not_one() -> None:
    with unreadable("record.damaged", line=DOCUMENT.count("\n") + 1, column=1):
        loads(DOCUMENT + DOCUMENT)


@pytest.mark.parametrize("value", ["1" * 5000, "NaN", "Infinity"])
def test_what_is_no_number_of_ours_is_a_problem_and_no_crash(value: str) -> None:
    with pytest.raises(RecordProblem):
        loads('{"format": ' + value + "}")


def test_a_name_that_stands_twice_is_damage() -> None:
    text = dumps(random_match(1).record())
    with pytest.raises(RecordProblem):
        loads(text.replace('  "title":', '  "title": "other",\n  "title":', 1))
