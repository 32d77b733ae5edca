"""What can go wrong in a way that a person should read about.

A problem carries a key of the catalogues and its arguments, never a sentence: the person who reads it
chooses the language.
"""

from __future__ import annotations

from typing import Self

from capolinea.words import Words


class Problem(Exception):
    """Something to tell a person: `key` names the message, `args_` fill it."""

    def __init__(self, key: str, /, **args: object) -> None:
        super().__init__(key, args)
        self.key = key
        self.args_ = args

    def __str__(self) -> str:
        # Only for tracebacks and tests; people read it through their own Words.
        args = {name: _plain(value) for name, value in self.args_.items()}
        return Words.of("en", lenient=True).say(self.key, args)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.key, self.args_)

    def again(self) -> Self:
        """The same anew: to be kept, and from what is kept to be raised. What was raised holds on to
        whoever raised it and to all that they had in hand, and more so each time."""
        anew = type(self).__new__(type(self))
        anew.__dict__.update(self.__dict__)
        anew.args_ = {name: _again(value) for name, value in self.args_.items()}
        anew.args = self.key, anew.args_
        return anew


class Refused(Problem):
    """A move or a saying that the rules do not allow, with the number of the rule that says so."""

    def __init__(self, key: str, /, rule: str = "", **args: object) -> None:
        super().__init__(key, **args)
        self.rule = rule

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (type(self), self.key, {"rule": self.rule, **self.args_})


class NotWritten(Problem):
    """A part of a title that its author has still to write."""


def _plain(value: object) -> object:
    """A problem may name others as its causes."""
    if isinstance(value, list) and any(isinstance(item, Problem) for item in value):
        return "\n".join(str(item) for item in value)
    return str(value) if isinstance(value, Problem) else value


def _again(value: object) -> object:
    """Its causes were raised, too."""
    if isinstance(value, list):
        return [_again(item) for item in value]
    return value.again() if isinstance(value, Problem) else value


def _rebuild(cls: type[Problem], key: str, args: dict[str, object]) -> Problem:
    return cls(key, **args)
