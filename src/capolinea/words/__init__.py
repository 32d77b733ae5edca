"""Everything that people read, in their language.

Code carries keys and arguments. Sentences live in catalogues, one flat JSON file per language:
the common ones beside this module, those of a title in `games/<title>/words/`. A new language is
new files: how it counts, lists and writes numbers stands in its own `language.*` keys.

    >>> german = Words.of("de", lenient=True)
    >>> german.say("language.name")
    'Deutsch'
    >>> mine = Words("en", {
    ...     "card.brake": "the brake",
    ...     "event.played": "{seat:seat} plays {card:card}.",
    ...     "left": {"by": "count", "one": "One card is left.", "other": "{count} cards are left."},
    ...     "language.plural.one": "n = 1",
    ...     "language.number.group": ",",
    ... })
    >>> mine.say("event.played", {"seat": 1, "card": "brake"}, names=["Ada", "Bruno"])
    'Bruno plays the brake.'
    >>> mine.say("left", {"count": 1}), mine.say("left", {"count": 1200})
    ('One card is left.', '1,200 cards are left.')

The spaces of a slot `{name:space}`:

    {pips}           text as it is, a number as the language writes it
    {card:card}      an id: the message "card.<id>"; {card:card/dat} is its form "dat"
    {why:key}        a whole key
    {seat:seat}      the number of a seat: its name
    {line:text}      as it is, numbers too (years, codes)
    {share:percent}  so many per cent: 62.5 is "62.5%"
    {names:seat+}    a list of these; {cards:card/acc+} with a form

Variants choose by a number, by the length of a list, by a text, or by the form of a noun
(`"by": "card:card/gender"`); "=0" comes before plural categories, "other" takes the rest.
"""

from capolinea.words.errors import BadMessage, DamagedCatalogue, MissingWord, UnknownLanguage
from capolinea.words.languages import COMMON, guess, languages, nearest
from capolinea.words.message import arguments
from capolinea.words.speak import Words, readable

__all__ = [
    "COMMON",
    "BadMessage",
    "DamagedCatalogue",
    "MissingWord",
    "UnknownLanguage",
    "Words",
    "arguments",
    "guess",
    "languages",
    "nearest",
    "readable",
]
