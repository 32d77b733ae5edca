"""Text that a stranger wrote, made fit for others to be shown: every such text comes through here.

What cannot be seen goes, and what would turn a line around or draw beyond it; what people write in
their languages stays. Cleaning what is clean changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from unicodedata import category, combining, normalize

#: So many marks may stand above and below one letter: Hebrew and Devanagari need no more.
MOST_MARKS = 3
#: They join letters to words in Persian or Sinhala, and pictures to one; elsewhere they only hide.
JOINERS = "\u200c\u200d"
#: Latin letters come before it: nothing joins them, and marks only come with what comes after.
FIRST_MARK = "\u0300"
#: "As text" and "as a picture", of signs that can be shown as both.
PICTURE = "\ufe0e\ufe0f"
BREAKS = "\n\r\u2028\u2029"
#: Letters and signs of Unicode that show nothing.
BLANK = "\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\U0001d159"
#: Whatever else shows nothing, with what Unicode keeps free for more of that: first and last.
HIDDEN = (
    "\u034f\u034f", "\u17b4\u17b5", "\u180b\u180f", "\u2065\u2065", "\ufdd0\ufdef", "\ufe00\ufe0d",
    "\ufff0\ufffb", "\U000e0000\U000e0fff",
)  # fmt: skip


def clean(text: str, lines: bool = False) -> str:
    """Running text as it may be shown; line breaks become spaces unless `lines` are meant."""
    if text.isprintable() and max(text, default="") < FIRST_MARK:
        return text  # the most of Europe is done with
    # First of all, since to bring many marks into order takes long; and again, since characters that
    # Unicode takes apart may have brought marks with them, and marks that went may have parted others.
    shown = _shown(text, lines)
    while (again := _shown(normalize("NFC", shown), lines)) != shown:
        shown = again
    return shown


def name(text: str, longest: int) -> str:
    """A name: one line, words with one space between them, and "" if there is nothing to be seen."""
    seen = clean("".join(c for c in text if c not in JOINERS))
    return " ".join(seen.split())[:longest].strip()


def cleaned(value: Any, longest: int | None = None) -> Any:
    """A value of JSON with all its texts clean, each on one line and no longer than that."""
    if isinstance(value, str):
        return clean(value)[:longest]
    if isinstance(value, list | tuple):
        return [cleaned(item, longest) for item in value]
    if isinstance(value, dict):
        return {cleaned(key, longest): cleaned(item, longest) for key, item in value.items()}
    return value


def unclean(value: Any) -> str:
    """Where in a value of JSON there is a text that cannot be shown as it stands, or ""."""
    return next((at for text, at in _texts(value, "") if _shown(text, lines=True) != text), "")


def _texts(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """All texts, names of fields too, each with where it stands."""
    if isinstance(value, str):
        yield value, path
    elif isinstance(value, list):
        for number, item in enumerate(value, 1):
            yield from _texts(item, f"{path}.{number}".lstrip("."))
    elif isinstance(value, dict):
        for field, item in value.items():
            yield field, path or "–"
            yield from _texts(item, f"{path}.{field}".lstrip("."))


def _shown(text: str, lines: bool) -> str:
    shown: list[str] = []
    marks = MOST_MARKS  # as if they stood there: one without a letter below it goes
    joiner = ""
    for c in text.replace("\r\n", "\n"):
        match _kind(c):
            case "hidden":
                continue
            case "joiner":
                joiner = c
                continue
            case "mark":
                if marks == MOST_MARKS or (c in PICTURE and category(shown[-1])[0] in "LM"):
                    continue
                marks += 1
            case "break":
                c, marks = "\n" if lines else " ", MOST_MARKS
            case "blank":
                c, marks = " ", MOST_MARKS
            case "space":
                marks = MOST_MARKS
            case _:
                marks = 0
        if joiner and shown and _joined(shown[-1]) and _joined(c):
            shown.append(joiner)
        joiner = ""
        shown.append(c)
    return "".join(shown)


@lru_cache(10_000)
def _kind(c: str) -> str:
    """What becomes of a character. One that Unicode does not know yet stays: it may be a picture that is
    newer than we are."""
    kind = category(c)
    if c in JOINERS:
        return "joiner"
    if c in BREAKS:
        return "break"
    if c in BLANK or kind == "Cc":
        return "blank"
    # Turns of direction and widths of nothing; what each font shows as it likes; half characters; none.
    if kind in ("Cf", "Co", "Cs") or ord(c) & 0xFFFE == 0xFFFE:
        return "hidden"
    if any(span[0] <= c <= span[1] for span in HIDDEN):
        return "hidden"
    if kind in ("Mn", "Me") or combining(c):
        return "mark"
    return "space" if kind == "Zs" else "letter"


def _joined(c: str) -> bool:
    return c >= FIRST_MARK and (category(c)[0] in "LM" or category(c) in ("So", "Sk"))
