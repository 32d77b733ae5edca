"""What strangers may write, and what others may be shown of it."""

from __future__ import annotations

from typing import Any
from unicodedata import category

from hypothesis import strategies as st

from capolinea.engine.text import JOINERS, MOST_MARKS

#: Everything that has ever made trouble, more often than it comes up by itself.
NASTY = (
    "\ud800\udc00\u202e\u2066\u200b\u200d\u200c\u00ad\ufeff\u0301\u0316\ufe0f\u20e3\u034f\x00\x1b\n\r\u2028"
    " aé\u05e9\u05bc\ufb2c\u0e01\u0e49👩\U000e0041"
)
TEXTS = st.text(st.sampled_from(NASTY) | st.characters(), max_size=40) | st.sampled_from(
    [
        "Zoe" + "\u0301" * 100,
        "Zoe" + "\u0301\u0316" * 2000,
        "\u202eZoe\u200b",
        "\ud800Zoe",
        "Zoe" * 1500,
    ]
)


def may_be_shown(text: str) -> bool:
    """Nothing in it is half, hidden or piled up."""
    kinds = [category(c) for c in text if c != "\n" and c not in JOINERS]
    return longest_pile(text) <= MOST_MARKS and not {"Cs", "Co", "Cf", "Cc"} & set(kinds)


def longest_pile(text: str) -> int:
    """How many marks there are on one letter at the most."""
    most = here = 0
    for c in text:
        here = here + 1 if category(c) in ("Mn", "Me") else 0
        most = max(most, here)
    return most


def all_texts(value: Any) -> list[str]:
    """Every text of a value of JSON, names of fields too."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for pair in value.items() for part in pair for text in all_texts(part)]
    if isinstance(value, list):
        return [text for item in value for text in all_texts(item)]
    return []
