"""What can go wrong with words, and where."""

from pathlib import Path


class BadMessage(ValueError):
    """An entry of a catalogue that cannot be understood."""

    def __init__(self, why: str, key: str = "") -> None:
        super().__init__(f"{key}: {why}" if key else why)
        self.why = why
        self.key = key


class DamagedCatalogue(ValueError):
    """A catalogue file that cannot be used; `key` is empty when the whole file is at fault."""

    def __init__(self, file: Path, line: int, key: str, why: str) -> None:
        super().__init__(f"{file}, line {line}: " + (f"{key}: " if key else "") + why)
        self.file = file
        self.line = line
        self.key = key
        self.why = why


class MissingWord(LookupError):
    """A key, or an argument that its message needs, is not there or is of no use."""

    def __init__(self, lang: str, key: str, argument: str = "", why: str = "is missing") -> None:
        what = f"argument {argument!r} " if argument else ""
        super().__init__(f"{lang}: {key}: {what}{why}")
        self.lang = lang
        self.key = key
        self.argument = argument


class UnknownLanguage(LookupError):
    """A language that has no common catalogue."""

    def __init__(self, lang: str, known: list[str]) -> None:
        super().__init__(f"no words in {lang!r}; there are: {', '.join(known)}")
        self.lang = lang
