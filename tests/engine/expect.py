"""What the tests expect to go wrong: the exact key, arguments and rule, and no sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import settings

from capolinea.engine import Problem, RecordProblem, Refused

#: Few examples, the same ones each time: the whole suite is run hundreds of times by tools/mutate.py.
some = settings(max_examples=25, deadline=None, derandomize=True, database=None)


@contextmanager
def problem(key: str, **args: object) -> Iterator[None]:
    with _raised(Problem, key, args):
        yield


@contextmanager
def refused(key: str, rule: str = "", **args: object) -> Iterator[None]:
    with _raised(Refused, key, args) as caught:
        yield
    assert isinstance(caught.value, Refused)
    assert caught.value.rule == rule


@contextmanager
def unreadable(key: str, **args: object) -> Iterator[None]:
    with _raised(RecordProblem, key, args):
        yield


@contextmanager
def unfit(key: str, why: str, **args: object) -> Iterator[Problem]:
    """A record that does not fold, with the key of the reason inside; gives that reason's place."""
    reason = Problem("")
    with pytest.raises(RecordProblem) as caught:
        yield reason
    inner = caught.value.args_.pop("why")
    assert isinstance(inner, Problem)
    reason.key, reason.args_ = inner.key, inner.args_
    assert (caught.value.key, inner.key) == (key, why)
    assert caught.value.args_ == args


@contextmanager
def _raised(
    kind: type[Problem], key: str, args: dict[str, object]
) -> Iterator[pytest.ExceptionInfo[Problem]]:
    with pytest.raises(Problem) as caught:
        yield caught
    assert type(caught.value) is kind
    assert (caught.value.key, caught.value.args_) == (key, args)
