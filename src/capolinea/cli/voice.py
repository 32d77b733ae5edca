"""How the command line speaks: the common words and, once there is a title, the title's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from capolinea.words import Words, readable

if TYPE_CHECKING:
    from capolinea.engine import Game, Line, Options, Problem, Reason, Told


class Voice:
    """One language, perhaps one title, perhaps the names of those at the table."""

    def __init__(
        self,
        lang: str,
        game: Game | None = None,
        names: Sequence[str] = (),
        options: Options | None = None,
    ) -> None:
        self.game = game
        self.names = list(names)
        self.options = options
        self.speak(lang)

    def speak(self, lang: str) -> None:
        """Go on in this language."""
        folders = [self.game.folder / "words"] if self.game is not None else []
        self.lang = lang
        # Lenient: a word that a stranger's title lacks must not end a game.
        self.words = Words.of(lang, *folders, lenient=True)
        if self.game is not None and self.options is not None:
            self.words = self.words.also(self.game.texts(self.options, lang))

    def adopt(self, game: Game, names: Sequence[str] = (), options: Options | None = None) -> None:
        """From now on with the words of a title; what goes wrong is told in them too."""
        self.game = game
        self.names = list(names)
        self.options = options
        self.speak(self.lang)

    def __call__(self, key: str, /, **args: object) -> str:
        return self.words.say(key, args, self.names)

    def line(self, line: Line | Told | Reason) -> str:
        """What a title says: in its words or, if it has none, as it comes."""
        if self.words.has(line.key):
            return self.words.say(line.key, line.args, self.names)
        return self._plainly(line.key, line.args)

    def problem(self, problem: Problem) -> str:
        """What went wrong, with the rule's number; a problem may name another as its cause."""
        args = {name: self._cause(value) for name, value in problem.args_.items()}
        if self.words.has(problem.key):
            text = self.words.say(problem.key, args, self.names)
        else:
            text = self._plainly(problem.key, args)
        rule = getattr(problem, "rule", "")
        return f"{text} ({rule})" if rule else text

    def _cause(self, value: object) -> object:
        from capolinea.engine.problems import Problem

        if isinstance(value, list) and any(isinstance(item, Problem) for item in value):
            return "\n".join(f"  · {self._cause(item)}" for item in value)
        return self.problem(value) if isinstance(value, Problem) else value

    def name(self, space: str, name: str) -> str:
        """The word for one of the title's names, or the bare name."""
        key = f"{space}.{name}"
        return self.words.say(key) if self.words.has(key) else name

    @property
    def title(self) -> str:
        """What the title is called."""
        assert self.game is not None
        return self("title.name") if self.words.has("title.name") else readable(self.game.id)

    def number(self, value: float) -> str:
        return self.words.language.number(value)

    def join(self, items: Sequence[str]) -> str:
        return self.words.language.join(items)

    def _plainly(self, key: str, args: Mapping[str, object]) -> str:
        """`event.rolled` with seat 0 and pips 3 is "rolled (seat Ada, pips 3)"."""
        what = key.partition(".")[2] or key
        told = ", ".join(f"{name} {self._plain(name, value)}" for name, value in args.items())
        return f"{what} ({told})" if told else what

    def _plain(self, name: str, value: object) -> str:
        if isinstance(value, list):
            return self.join([self._plain(name, item) for item in value])
        if name == "seat" and isinstance(value, int) and 0 <= value < len(self.names):
            return self.names[value]
        return str(value)
