"""From a key and its arguments to a sentence in one language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from capolinea.words.catalogue import load, understand
from capolinea.words.errors import MissingWord, UnknownLanguage
from capolinea.words.language import Language, is_number, plain
from capolinea.words.languages import COMMON, languages, nearest
from capolinea.words.message import Message, Noun, Slot, Template, Variants

_NO_ARGUMENTS: Mapping[str, object] = MappingProxyType({})


class Words:
    """All that can be said in one language. Of several catalogues, later ones win."""

    def __init__(self, lang: str, *catalogues: Mapping[str, object], lenient: bool = False) -> None:
        self.lang = lang
        self.lenient = lenient
        self._messages: dict[str, Message] = {
            key: understand(key, raw) for entries in catalogues for key, raw in entries.items()
        }
        self.language = Language(lang, self._messages)

    @classmethod
    def of(cls, lang: str, *folders: Path, lenient: bool = False) -> "Words":
        """The common words, and those of each folder; a lenient reader does without a file."""
        if lang not in languages():
            raise UnknownLanguage(lang, languages())
        files = [folder / f"{lang}.json" for folder in folders]
        if lenient:
            files = [file for folder in folders if (file := nearest(folder, lang)) is not None]
        return cls(lang, *map(load, [COMMON / f"{lang}.json", *files]), lenient=lenient)

    def also(self, entries: Mapping[str, object]) -> "Words":
        """The same with further messages, e.g. what stands on the cards of one table."""
        more = Words.__new__(Words)
        more.lang, more.lenient, more.language = self.lang, self.lenient, self.language
        more._messages = {**self._messages, **{k: understand(k, raw) for k, raw in entries.items()}}
        return more

    def has(self, key: str) -> bool:
        return key in self._messages

    def say(
        self, key: str, args: Mapping[str, object] = _NO_ARGUMENTS, names: Sequence[str] = ()
    ) -> str:
        """The message with its arguments; `names` are those of the seats.

        What is missing raises MissingWord; a lenient reader gets the key in brackets.
        """
        return self._say(_Sentence(self, key, args, names))

    def word(self, key: str, form: str = "") -> str:
        """A form of a noun, or its plain form if it lacks that one."""
        return self._say(_Sentence(self, key, _NO_ARGUMENTS, (), form))

    def _say(self, sentence: "_Sentence") -> str:
        try:
            if sentence.key not in self._messages:
                raise MissingWord(self.lang, sentence.key)
            return sentence.render(self._messages[sentence.key])
        except MissingWord:
            if not self.lenient:
                raise
            return f"⟨{sentence.key}⟩"


def readable(name: str) -> str:
    """A name that only programs have for something, as people may read it: "open_vote" is "Open vote"."""
    words = name.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """One thing being said. Words that it looks up see none of its arguments."""

    words: Words
    key: str
    args: Mapping[str, object]
    names: Sequence[str]
    form: str = ""

    def render(self, message: Message) -> str:
        match message:
            case Template(parts):
                return "".join(p if isinstance(p, str) else self._fill(p) for p in parts)
            case Noun(forms):
                return forms.get(self.form, forms[""])
            case Variants(by, cases):
                return self.render(self._choose(by, cases))

    def _fill(self, slot: Slot) -> str:
        value = self._argument(slot)
        if not slot.many:
            return self._item(slot, value)
        if not isinstance(value, list | tuple):
            raise self._wrong(slot, value)
        return self.words.language.join([self._item(slot, item) for item in value])

    def _item(self, slot: Slot, value: object) -> str:
        match slot.space:
            case "" if isinstance(value, str):
                return value
            case "" | "number" if is_number(value):
                return self.words.language.number(value)
            case "percent" if is_number(value):
                return self.words.language.percent(value)
            case "text":
                return self._id(slot, value)
            case "seat":
                return self._seat(slot, value)
            case "" | "number" | "percent":
                raise self._wrong(slot, value)
            case _:
                return self._look_up(slot, value)

    def _choose(self, by: Slot, cases: Mapping[str, Message]) -> Message:
        wanted = self._cases(by)
        for case in (*wanted, "other"):
            if case in cases:
                return cases[case]
        raise MissingWord(self.words.lang, self.key, by.name, f"has no variant {wanted[-1]!r}")

    def _cases(self, by: Slot) -> list[str]:
        """What variants may be called that fit the argument, best first."""
        value = self._argument(by)
        if by.space:
            return [self._look_up(by, value)]
        if isinstance(value, list | tuple):
            value = len(value)  # "Ada pulls" but "Ada and Bruno pull"
        if is_number(value):
            return [f"={plain(value)}", self.words.language.category(value)]
        return [self._id(by, value)]

    def _argument(self, slot: Slot) -> object:
        if slot.name not in self.args:
            raise MissingWord(self.words.lang, self.key, slot.name)
        return self.args[slot.name]

    def _look_up(self, slot: Slot, value: object) -> str:
        name = self._id(slot, value)
        return self.words.word(name if slot.space == "key" else f"{slot.space}.{name}", slot.form)

    def _id(self, slot: Slot, value: object) -> str:
        if isinstance(value, bool):
            return "true" if value else "false"  # as JSON and the browser write them
        if isinstance(value, str | int):
            return str(value)
        raise self._wrong(slot, value)

    def _seat(self, slot: Slot, value: object) -> str:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._wrong(slot, value)
        if not 0 <= value < len(self.names):
            raise MissingWord(self.words.lang, self.key, slot.name, f"has no name for seat {value}")
        return self.names[value]

    def _wrong(self, slot: Slot, value: object) -> MissingWord:
        what = f"{slot.space or 'text or number'}{' list' * slot.many}"
        why = f"cannot be {value!r}; wanted: {what}"
        return MissingWord(self.words.lang, self.key, slot.name, why)
