"""How a match ended."""

from __future__ import annotations

import msgspec
import pytest

from capolinea.engine import Outcome, Reason, Result


def test_the_winners_are_the_seats_that_won() -> None:
    result = Result("arrived", [Outcome(True), Outcome(False), Outcome(True, 7)])
    assert result.winners == [0, 2]


def test_nobody_may_have_won() -> None:
    assert Result("stranded", [Outcome(False), Outcome(False)]).winners == []


def test_the_written_form_leaves_out_what_is_not_there() -> None:
    result = Result("arrived", [Outcome(False), Outcome(True, 0, "spy", [Reason("r.k", False)])])
    assert msgspec.to_builtins(result) == {
        "ending": "arrived",
        "outcomes": [
            {"won": False},
            {
                "won": True,
                "score": 0,
                "role": "spy",
                "reasons": [{"key": "r.k", "held": False}],
            },
        ],
    }


def test_what_is_not_given_is_not_there() -> None:
    outcome, reason = Outcome(True), Reason("r.k", True)
    assert (outcome.score, outcome.role, outcome.reasons) == (None, "", [])
    assert (reason.args, reason.rule) == ({}, "")


def test_the_written_form_is_read_back() -> None:
    reasons = [Reason("r.k", True, {"points": 3}, "NM-1.1")]
    result = Result("arrived", [Outcome(True, -2, "north", reasons)])
    assert msgspec.convert(msgspec.to_builtins(result), Result) == result


@pytest.mark.parametrize(
    ("kind", "whole"),
    [
        (Result, {"ending": "x", "outcomes": []}),
        (Outcome, {"won": True}),
        (Reason, {"key": "k", "held": True}),
    ],
)
def test_there_is_no_room_for_a_stray_field(kind: type, whole: dict[str, object]) -> None:
    msgspec.convert(whole, kind)
    with pytest.raises(msgspec.ValidationError, match="stray"):
        msgspec.convert({**whole, "stray": 1}, kind)
    for name in whole:
        with pytest.raises(msgspec.ValidationError, match=name):
            msgspec.convert({k: v for k, v in whole.items() if k != name}, kind)


def test_a_result_does_not_change() -> None:
    for part in (Result("x", []), Outcome(True), Reason("r.k", True)):
        for name in part.__struct_fields__:
            with pytest.raises(AttributeError):
                setattr(part, name, None)
