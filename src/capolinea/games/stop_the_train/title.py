"""Stop the Train!: the title. Its options, actions and names, and where everything else is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import msgspec

from capolinea.engine import (
    Actions,
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
from capolinea.games.stop_the_train import line, sayings
from capolinea.games.stop_the_train.describe import describe
from capolinea.games.stop_the_train.imagine import imagine
from capolinea.games.stop_the_train.read import read
from capolinea.games.stop_the_train.rules import where
from capolinea.games.stop_the_train.rules.cards import (
    CHARACTER_NAMES,
    EFFECT_NAMES,
    NOT_FIRST,
    OR_NAMES,
    ROUTE_NAMES,
    SIDE_NAMES,
    Character,
)
from capolinea.games.stop_the_train.rules.interventions import (
    CARD_NAMES,
    CARDS,
    kinds_gone,
    kinds_in_play,
)
from capolinea.games.stop_the_train.rules.setup import fewer_accelerating, of_counts, set_up
from capolinea.games.stop_the_train.rules.steps import ENDING_NAMES, FIRST_WINDOW, SEATS, STEP_NAMES
from capolinea.games.stop_the_train.rules.track import Track
from capolinea.games.stop_the_train.rules.train import Train
from capolinea.games.stop_the_train.twin import twin
from capolinea.games.stop_the_train.views import TrainView

#: ST-2.1: fewer players than this play without the Rogue.
ROGUES_PLAYERS = 6
#: How today's steps, in their order, were numbered when the first matches were kept.
FIRST_STEPS = (0, 5, 13, 8, 1, 2, 3, 4, 6, 7, 9, 10, 11, 12, *range(14, len(STEP_NAMES)))
FEATURES = ("bridge", "viaduct", "tunnel", "last-tunnel", "hill", "signal-box")


class TrainOptions(Options, frozen=True):
    track: Annotated[str, Data("track")] = "dijon"
    #: Who is in play (ST-2.1, ST-2.2).
    cast: Literal["standard", "first-game", "balanced"] = "standard"
    forced: list[Literal["rogue", "stuntman", "speedster", "ticket-inspector"]] = []
    excluded: list[Literal["rogue", "stuntman"]] = []
    mayor: bool = False
    start_speed: Literal["30", "60", "90", "120", "150", "180"] = "120"
    head_start: Annotated[int, msgspec.Meta(ge=0, le=line.HEAD_START)] = 0
    fewer_accelerating: Literal["0", "3", "6"] = "0"
    freight: bool = False
    classic_30: bool = False
    strict_agent: bool = False
    two_hills: bool = False
    talk_minutes: Annotated[int, msgspec.Meta(ge=1, le=15)] = 5
    #: Who draws first, counted from 1; 0 is whoever chance says (ST-2.3).
    first: Annotated[int, msgspec.Meta(ge=0, le=SEATS)] = 0


class TrainGame(Game[Train, TrainView, TrainOptions]):
    id = "stop-the-train"
    seats = range(3, SEATS + 1)
    unofficial = (3,)
    minutes = 45
    rules = "1"
    space = Actions(
        Family("pass"),
        Family("decline"),
        Family("return", card=CARD_NAMES),
        Family("discard", effect=EFFECT_NAMES),
        Family("play", effect=EFFECT_NAMES),
        Family("side", side=SIDE_NAMES),
        Family("take", seat=SEATS),
        Family("take-organiser"),
        Family("rob", seat=SEATS),
        Family("look", seat=SEATS),
        Family("vote", route=ROUTE_NAMES),
        Family("throw-off", seat=SEATS),
        Family("intervene", card=CARD_NAMES),
        Family("name", seat=SEATS),
        Family("name-organiser"),
        Family("route", route=ROUTE_NAMES),
        Family("keep-speed"),
        Family("brake"),
        Family("coal", effect=EFFECT_NAMES),
        Family("upgrade", card=CARD_NAMES),
        Family("accept"),
        Family("pull"),
    )
    options = TrainOptions
    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "first-game": {"cast": "first-game", "classic_30": True},
        "standard": {},
        "balanced": {"cast": "balanced"},
        "express": {"track": "express"},
        "classic": {"classic_30": True},
        "freight": {"freight": True},
        "mayor": {"mayor": True},
        "easier": {"start_speed": "90", "fewer_accelerating": "6"},
        "harder": {"start_speed": "150", "head_start": 6, "forced": ["stuntman", "speedster"]},
    }
    view_type = TrainView
    endings = tuple(ENDING_NAMES)
    roles = tuple(CHARACTER_NAMES)
    windows = tuple(STEP_NAMES[FIRST_WINDOW:])
    shows = lasting(
        {
            900: "passed alone ballot declined",
            1500: "vote-called meeting second-meeting falling hanging hand dragged",
            1800: "permit permit.from robbed looked cancelled gun conductor swung annulled nobody-falls",
            2000: "saved accepted pulled off",
            2500: "played played.side moved moved.place braked seized jammed burned burned.organiser"
            " intervened intervened.seat intervened.organiser intervened.route intervened.brake"
            " showdown murdered arrested",
            3000: "votes ballots tie imposed",
        }
    )
    names: ClassVar[dict[str, tuple[str, ...]]] = {
        "effect": tuple(EFFECT_NAMES),
        "effect-text": tuple(EFFECT_NAMES),
        "effect-side": tuple(f"{name}.{s}" for name in OR_NAMES for s in SIDE_NAMES),
        "card": tuple(CARD_NAMES),
        "card-text": tuple(CARD_NAMES),
        "role-text": (*CHARACTER_NAMES, "mi6-agent.strict", "rogue.freight", "speedster.two-hills"),
        "role-hint": tuple(CHARACTER_NAMES),
        "route": tuple(ROUTE_NAMES),
        "status": tuple(where.NAMES),
        "feature-kind": FEATURES,
        "feature-kind-text": FEATURES,
    }
    bots: ClassVar[dict[str, str]] = {
        "passenger": "capolinea.bots.passenger.bot:Passenger",
        "loyal": "capolinea.bots.passenger.bot:Loyal",
    }
    longest = 6000
    folder = Path(__file__).parent

    def start(self, seats: int, options: TrainOptions, chance: Chance) -> Train:
        train = self.laid_out(seats, options, self._lay_out).copy()
        set_up(train, seats, chance, options.first - 1)
        return train

    def _lay_out(self, seats: int, options: TrainOptions) -> Train:
        """What a table has before anything is dealt."""
        train = Train()
        train.track = self.track(options)
        train.with_freight = options.freight
        train.strict_agent = options.strict_agent
        train.two_hills = options.two_hills
        train.talk_minutes = options.talk_minutes
        train.start = options.head_start
        train.start_speed = int(options.start_speed)
        train.cast = cast_of(seats, options)
        train.forced = [CHARACTER_NAMES.index(name) for name in options.forced]
        train.balanced = options.cast == "balanced"
        train.effect_counts = fewer_accelerating(train.track.deck, int(options.fewer_accelerating))
        train.card_counts = card_counts(options)
        train.in_play = kinds_in_play(train.card_counts)
        train.gone = kinds_gone(train.card_counts, [])
        train.deck = of_counts(train.effect_counts)
        train.undealt = of_counts(train.card_counts)
        return train

    def track(self, options: TrainOptions) -> Track:
        return self.loaded("track", options, line.load)

    def check(self, seats: int, options: TrainOptions) -> None:
        """ST-2.3, ST-2.5: what cannot be combined."""
        if options.first > seats:
            raise Refused("refused.first", "ST-2.3", found=options.first, seats=seats)
        if len(set(options.forced)) > seats - 1:
            raise Refused("refused.forced", "ST-2.5", most=seats - 1)
        if options.cast != "standard" and (options.forced or options.excluded):
            raise Refused("refused.cast", "ST-2.5")
        if set(options.forced) & set(options.excluded):
            raise Refused("refused.forced-excluded", "ST-2.5")

    def data_faults(self, kind: str, content: Any) -> list[Problem]:
        return line.faults(content)

    def texts(self, options: TrainOptions, lang: str) -> dict[str, Any]:
        """The names of places, which come with the track."""
        content = self.content("track", options)
        texts = {"track-name": literal(content["name"], lang)}
        for name, section in content["sections"].items():
            texts[f"section.{name}"] = literal(section["name"], lang)
            for number, feature in enumerate(section["features"]):
                texts[f"feature.{name}.{number}"] = literal(feature["name"], lang)
        return texts

    def describe(self, view: TrainView, action: int) -> Line:
        return describe(view, self.space.line(action))

    def say(self, view: TrainView, seat: int, said: Any) -> Line:
        return sayings.line(view, seat, said)

    def older_keys(self, state: Train) -> list[bytes]:
        first = state.copy()
        first.stack = [FIRST_STEPS[step] for step in first.stack]
        return [first.key()]

    def babble(self, view: TrainView, rng: Rng) -> Any | None:
        return sayings.babble(view, rng)

    def imagine(self, view: TrainView, rng: Rng) -> Train:
        return imagine(view, rng)

    def twin(self, record: Record, viewer: int | None, rng: Rng) -> Record:
        return twin(self, record, viewer, rng)

    def read(self, view: TrainView) -> list[Line]:
        return read(view)


def card_counts(options: TrainOptions) -> list[int]:
    """ST-1.3: how many there are of each intervention."""
    counts = [row.count for row in CARDS]
    for row in CARDS:
        if options.classic_30 and not row.classic:
            counts[row.number] = 0
    return counts


def cast_of(seats: int, options: TrainOptions) -> list[int]:
    """ST-2.1, ST-2.2, ST-2.5: the characters that may be in play."""
    out: set[int] = set()
    # "Balanced" draws the Rogue for six, and leaves her out for fewer.
    if seats < ROGUES_PLAYERS:
        out.add(Character.ROGUE)
    if options.cast == "first-game":
        out.update(NOT_FIRST)
    if not options.mayor:
        out.add(Character.MAYOR_OF_PARIS)
    out.update(CHARACTER_NAMES.index(name) for name in options.excluded)
    out.difference_update(CHARACTER_NAMES.index(name) for name in options.forced)
    return [character for character in range(len(CHARACTER_NAMES)) if character not in out]


GAME = TrainGame()
