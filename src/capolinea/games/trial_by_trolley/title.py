"""Trial by Trolley: the title. Its options, actions and names, and where everything else is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar

import msgspec

from capolinea.engine import (
    Actions,
    Beside,
    Chance,
    Data,
    Family,
    Game,
    Line,
    Options,
    Problem,
    Record,
    Refused,
    Rng,
)
from capolinea.engine.game import lasting, literal
from capolinea.games.trial_by_trolley import pack, sayings
from capolinea.games.trial_by_trolley.describe import describe
from capolinea.games.trial_by_trolley.imagine import imagine
from capolinea.games.trial_by_trolley.read import read
from capolinea.games.trial_by_trolley.rules import DECK_NAMES, HAND, TRACK_NAMES, Deck, Trolley
from capolinea.games.trial_by_trolley.twin import twin
from capolinea.games.trial_by_trolley.views import TrolleyView

#: How a card is quoted in a sentence, its own text being full of commas: outer and inner marks.
QUOTES = {"en": "“”‘’", "it": "«»“”", "de": "„“‚‘"}


class TrolleyOptions(Options, frozen=True):
    pack: Annotated[str, Data("pack")] = "starter"
    with_starter: Annotated[bool, Beside("pack")] = False
    family: bool = False
    tom_trolley: bool = False
    accomplices: bool = False
    #: 0: as long as the Conductor likes to listen.
    talk_minutes: Annotated[int, msgspec.Meta(ge=0, le=15)] = 3
    #: Who is the first Conductor, counted from 1; 0 is whoever chance says (TT-1.3).
    first: Annotated[int, msgspec.Meta(ge=0, le=13)] = 0


class TrolleyGame(Game[Trolley, TrolleyView, TrolleyOptions]):
    id = "trial-by-trolley"
    seats = range(3, 14)
    minutes = 40
    rules = "1"
    space = Actions(
        Family("innocent", place=HAND),
        Family("guilty", place=HAND),
        Family("modifier", place=2 * HAND),
        Family("on", track=TRACK_NAMES, place=3),
        Family("decline"),
        Family("extend"),
        Family("close"),
        Family("verdict", track=TRACK_NAMES),
    )
    options = TrolleyOptions
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "first-game": {"family": True, "talk_minutes": 2},
        "standard": {},
        "expert": {"tom_trolley": True, "accomplices": True},
    }
    view_type = TrolleyView
    endings = ("everybody-drove",)
    names: ClassVar[dict[str, tuple[str, ...]]] = {
        "track": tuple(TRACK_NAMES),
        "deck": tuple(DECK_NAMES),
    }
    shows = lasting(
        {
            1000: "declined extended",
            1500: "tom pleas closed",
            3000: "innocent guilty modifier verdict",
        }
    )
    rests: ClassVar[dict[str, int]] = {"event.verdict": 20}
    bots: ClassVar[dict[str, str]] = {"advocate": "capolinea.bots.advocate:Advocate"}
    longest = 1000
    folder = Path(__file__).parent

    def cards(self, options: TrolleyOptions) -> list[dict[str, Any]]:
        """The cards that a table plays with (TT-5.1, TT-5.3)."""
        cards = pack.cards_of(self.content("pack", options))
        if options.with_starter and "pack" in options.data:
            own = {card["id"] for card in cards}
            starter = pack.cards_of(self.data()["pack"]["starter"])
            cards += [card for card in starter if card["id"] not in own]
        return [card for card in cards if card["tag"] == "family" or not options.family]

    def start(self, seats: int, options: TrolleyOptions, chance: Chance) -> Trolley:
        state = self.laid_out(seats, options, self._lay_out).copy()
        state.begin(seats, chance, options.first - 1)
        return state

    def _lay_out(self, _seats: int, options: TrolleyOptions) -> Trolley:
        """What a table has before anything is dealt."""
        cards = self.cards(options)
        state = Trolley()
        state.tom_trolley = options.tom_trolley
        state.accomplices = options.accomplices
        state.talk_minutes = options.talk_minutes
        state.deck_of = [DECK_NAMES.index(card["deck"]) for card in cards]
        state.ids = [card["id"] for card in cards]
        state.things = [len(card.get("things", [])) for card in cards]
        state.pack = [[c["id"] for c in cards if c["deck"] == deck] for deck in DECK_NAMES]
        # TT-1.2: nothing is shuffled yet, so every card lies where cards are shuffled from.
        for number, deck in enumerate(state.deck_of):
            state.discards[deck].append(number)
        return state

    def check(self, seats: int, options: TrolleyOptions) -> None:
        """TT-1.2: no deck smaller than one round can need; TT-1.3: a first Conductor who is there."""
        if options.first > seats:
            raise Refused("refused.first", "TT-1.3", found=options.first, seats=seats)
        decks = [card["deck"] for card in self.cards(options)]
        for deck, need in zip(DECK_NAMES, needed(seats, options), strict=True):
            have = decks.count(deck)
            if have < need:
                raise Refused("refused.deck", "TT-1.2", deck=deck, have=have, need=need)

    def data_faults(self, kind: str, content: Any) -> list[Problem]:
        return pack.faults(content)

    def parse_data(self, kind: str, name: str, text: str) -> Any:
        return pack.parse(name, text)

    def data_about(self, kind: str, content: Any) -> list[Line]:
        return pack.about(content)

    def texts(self, options: TrolleyOptions, lang: str) -> dict[str, Any]:
        """What stands on the cards; a card without this language shows the one it has."""
        texts: dict[str, Any] = {}
        for card in self.cards(options):
            text = literal(card["text"], lang)
            texts[f"card.{card['id']}"] = {"": text, "quoted": _quoted(text, lang)}
            for number, thing in enumerate(card.get("things", [])):
                texts[f"thing.{card['id']}.{number}"] = literal(thing, lang)
        return texts

    def describe(self, view: TrolleyView, action: int) -> Line:
        return describe(view, self.space.line(action))

    def say(self, view: TrolleyView, seat: int, said: Any) -> Line:
        return sayings.line(view, seat, said)

    def worded(self, view: TrolleyView, text: str) -> Any | None:
        return sayings.worded(view, text)

    def wordless(self, said: Any) -> Any:
        return sayings.wordless(said)

    def babble(self, view: TrolleyView, rng: Rng) -> Any | None:
        return sayings.babble(view, rng)

    def imagine(self, view: TrolleyView, rng: Rng) -> Trolley:
        return imagine(view, rng)

    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        return twin(self, record, viewer, rng)

    def read(self, view: TrolleyView) -> list[Line]:
        return read(view)


def needed(seats: int, options: TrolleyOptions) -> list[int]:
    """TT-1.2: how many cards of each deck one round can need."""
    sizes = [(seats - 1 + 1) // 2, (seats - 1) // 2]
    plays = sum(size if options.accomplices else max(1, size - 2) for size in sizes)
    plays += options.tom_trolley
    need = [0, 0, 0]
    need[Deck.INNOCENT] = 2 + 2 * HAND
    need[Deck.GUILTY] = 2 * HAND
    need[Deck.MODIFIER] = HAND * plays
    return need


def _quoted(text: str, lang: str) -> str:
    """In quotation marks; those that stand in the text already become inner ones."""
    marks = QUOTES.get(lang, QUOTES["en"])
    inner = text.replace(marks[0], marks[2]).replace(marks[1], marks[3])
    return f"{marks[0]}{inner}{marks[1]}"


GAME = TrolleyGame()
