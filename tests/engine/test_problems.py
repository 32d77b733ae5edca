"""Problems: a key and arguments that survive any journey; sentences only for tracebacks."""

from __future__ import annotations

import copy
import pickle

import pytest

from capolinea.engine import Problem, RecordProblem, Refused

PROBLEMS = [
    Problem("chance.seed-length", bytes=3, needed=32),
    Refused("refused.load", "NM-2.1", room=3),
    Refused("refused.undo"),
    RecordProblem("record.entry", entry=7, why=Refused("refused.load", "NM-2.1", room=3)),
]


def facts(problem: Problem) -> object:
    """All that a problem says, with that of the problems inside it."""
    args = {
        name: facts(value) if isinstance(value, Problem) else value
        for name, value in problem.args_.items()
    }
    return type(problem), problem.key, args, getattr(problem, "rule", None)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.key)
def test_a_problem_travels_between_processes_unchanged(problem: Problem) -> None:
    assert facts(pickle.loads(pickle.dumps(problem))) == facts(problem)
    assert facts(copy.copy(problem)) == facts(problem)


def test_a_problem_keeps_its_key_and_arguments() -> None:
    problem = Problem("bad-option.preset", name="odd", known="standard")
    assert problem.key == "bad-option.preset"
    assert problem.args_ == {"name": "odd", "known": "standard"}


def test_a_debugger_shows_key_and_arguments() -> None:
    assert repr(Problem("some.key", n=32)) == "Problem('some.key', {'n': 32})"


def test_arguments_may_have_any_name_even_key() -> None:
    assert Problem("some.key", key="other").args_ == {"key": "other"}
    assert Refused("some.key", key="other").args_ == {"key": "other"}


def test_a_refusal_keeps_the_number_of_the_rule_apart_from_the_arguments() -> None:
    refusal = Refused("refused.load", "NM-2.1", room=3)
    assert (refusal.rule, refusal.args_) == ("NM-2.1", {"room": 3})
    assert Refused("refused.load", rule="NM-2.1").rule == "NM-2.1"
    assert Refused("refused.undo").rule == ""


def test_refusals_and_damaged_records_are_problems_of_different_kinds() -> None:
    assert issubclass(Refused, Problem)
    assert issubclass(RecordProblem, Problem)
    assert not issubclass(RecordProblem, Refused)


def test_a_traceback_reads_as_english_from_the_catalogue() -> None:
    assert str(Problem("language.name")) == "English"
    assert str(Refused("language.percent", "NM-1.1", n=5)) == "5%"


def test_a_traceback_names_the_causes_too() -> None:
    name = Problem("language.name")
    assert str(Problem("language.list.two", a=name, b="x")) == "English and x"
    assert str(Problem("language.list.two", a=[name, name], b="x")) == "English\nEnglish and x"


def test_a_key_without_words_is_shown_rather_than_hidden() -> None:
    assert "no.such.key" in str(Problem("no.such.key"))
