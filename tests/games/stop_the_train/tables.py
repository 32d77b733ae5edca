"""Tables of Stop the Train! with known cards, for tests.

    t = table(["burn"], ["conductor"], [], [], characters=["saboteur", "chanteuse"])
    t.turn("accelerate")                       # drawn, passed, played; everybody passes
    t.play(0, "burn", organiser=True)          # an intervention with its target
    t.passes()                                 # everybody who is asked passes, once

Seats are numbers from 0; seat 0 draws first. Anything that is not dealt explicitly is whatever chance
says, always the same. `t.train` is the state: tests may put the train wherever they need it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from capolinea.engine import Match, Viewer
from capolinea.games.stop_the_train.rules.cards import (
    CHARACTER_NAMES,
    EFFECT_NAMES,
    Character,
)
from capolinea.games.stop_the_train.rules.interventions import CARD_NAMES
from capolinea.games.stop_the_train.rules.setup import of_counts
from capolinea.games.stop_the_train.rules.train import Train
from capolinea.games.stop_the_train.title import GAME, TrainOptions, cast_of
from capolinea.games.stop_the_train.views import TrainView

NAMES = ["Ada", "Bruno", "Carla", "Dora", "Ezio", "Fritz"]


class Staged:
    def __init__(self, match: Match) -> None:
        self.match = match

    @property
    def train(self) -> Train:
        assert isinstance(self.match.state, Train)
        return self.match.state

    def view(self, viewer: Viewer = None) -> TrainView:
        view = self.match.view(viewer)
        assert isinstance(view, TrainView)
        return view

    @property
    def step(self) -> str:
        return self.view().step

    def legal(self, seat: int, *begun: dict[str, Any]) -> list[dict[str, Any]]:
        """What a seat may do, as JSON; having begun a compound choice, what may come next."""
        steps = [GAME.space.parse(step) for step in begun]
        return [GAME.space.json(action) for action in self.match.legal(seat, steps)]

    def cards(self, seat: int) -> list[str]:
        """The interventions that a seat could play now."""
        return [a["card"] for a in self.legal(seat) if a["do"] == "intervene"]

    def do(self, seat: int, *steps: dict[str, Any] | str) -> None:
        """A move by its JSON form; a word alone is an action without arguments."""
        written = [{"do": step} if isinstance(step, str) else step for step in steps]
        self.match.move(seat, [GAME.space.parse(step) for step in written])

    def play(
        self,
        seat: int,
        card: str,
        other: int | None = None,
        *,
        organiser: bool = False,
        route: str = "",
        brake: bool | None = None,
    ) -> None:
        """Play an intervention card at its target; it then waits for an answer."""
        steps: list[dict[str, Any]] = [{"do": "intervene", "card": card}]
        if other is not None:
            steps.append({"do": "name", "seat": other})
        if organiser:
            steps.append({"do": "name-organiser"})
        if route:
            steps.append({"do": "route", "route": route})
        if brake is not None:
            steps.append({"do": "brake" if brake else "keep-speed"})
        self.do(seat, *steps)

    def works(self, seat: int, card: str, other: int | None = None, **target: Any) -> None:
        """Play an intervention card that nobody answers."""
        self.play(seat, card, other, **target)
        if self.step == "answer":
            self.passes()

    def passes(self) -> None:
        """Everybody whom the window at hand asks passes; it closes."""
        for seat in self.train.waiting():
            self.do(seat, "pass")

    def quiet(self) -> None:
        """Everybody passes in this window and those that follow at once."""
        while self.train.window():
            self.passes()

    def discard(self, *effects: str) -> None:
        """The drawer discards these and passes the rest on."""
        steps = [{"do": "discard", "effect": effect} for effect in effects]
        self.do(self.train.now.drawer, *steps)

    def lay(self, effect: str, side: str = "") -> None:
        """The current player plays this effect card."""
        steps: list[dict[str, Any]] = [{"do": "play", "effect": effect}]
        if side or effect in EFFECT_NAMES[7:]:
            steps.append({"do": "side", "side": side or "first"})
        self.do(self.train.now.current, *steps)

    def hand(self, *effects: str) -> None:
        """Put these three into the drawer's hand, whatever was dealt; the deck stays as it is."""
        self.train.now.drawn = sorted(EFFECT_NAMES.index(effect) for effect in effects)

    def turn(self, effect: str, side: str = "", quiet: bool = True) -> None:
        """A whole turn in which this card is played, with two Maintain Speed besides."""
        self.hand(effect, "maintain-speed", "maintain-speed")
        self.discard("maintain-speed")
        self.lay(effect, side)
        if quiet:
            self.quiet()

    def vote(self, *routes: str) -> None:
        """Everybody who is asked votes, in seat order."""
        voters = self.train.waiting()
        assert len(voters) == len(routes)
        for seat, route in zip(voters, routes, strict=True):
            self.do(seat, {"do": "vote", "route": route})

    def throw_off(self, *others: int) -> None:
        """The ballot of a meeting: whom each one votes for, in the order in which they are asked."""
        for other in others:
            self.do(self.train.waiting()[0], {"do": "throw-off", "seat": other})

    def at(self, place: int, speed: int | None = None, route: str = "") -> None:
        """Put the train somewhere."""
        self.train.at = place
        if speed is not None:
            self.train.speed = speed
        if route:
            self.train.route = ["fast-track", "viaduct", "scenic-route"].index(route)


def table(
    *hands: Sequence[str],
    characters: Sequence[str] = (),
    deck: Sequence[str] = (),
    viewers: Sequence[Viewer] = (),
    keep: bool = True,
    deal: dict[str, Any] | None = None,
    **options: Any,
) -> Staged:
    """A match with a player for each hand of interventions; at most two cards each are given, the rest
    is filled up with cards that nobody asked for. Everybody has kept their two, unless `keep` is off."""
    players = len(hands)
    chosen = TrainOptions(**{"first": 1, **options})
    dealt: dict[str, Any] = {"interventions": [_interventions(hands, chosen)]}
    if deck:
        dealt["deck"] = [_places(of_counts(GAME.track(chosen).deck), EFFECT_NAMES, deck)]
    if characters:
        dealt |= _cast(characters, players, chosen)
    match = Match(GAME, NAMES[:players], chosen, deal=dealt | (deal or {}), viewers=viewers)
    t = Staged(match)
    if keep:
        for seat, hand in enumerate(hands):
            wanted = list(hand)
            spare = []
            for card in t.view(seat).own.dealt:  # type: ignore[union-attr]
                if card in wanted:
                    wanted.remove(card)
                else:
                    spare.append(card)
            t.do(seat, {"do": "return", "card": spare[0]})
    return t


#: Cards that hands are filled up with: they need a signal box, so that they are out of the way.
FILL = ("swing-vote", "open-vote", "citizens-arrest", "broken-track", "run-the-red")
MORE = ("occupied", "first-class-passenger", "secret-ballot", "second-choice")


def _interventions(hands: Sequence[Sequence[str]], options: TrainOptions) -> list[int]:
    counts = GAME.start(len(hands), options, _chance()).card_counts
    cards = of_counts(counts)
    wanted = [CARD_NAMES.index(card) for hand in hands for card in hand]
    rest = list(cards)
    for card in wanted:
        rest.remove(card)
    fill = [CARD_NAMES.index(name) for name in FILL + MORE]
    filler = [c for f in fill for c in rest if c == f] + [c for c in rest if c not in fill]
    names: list[str] = []
    for hand in hands:
        names += hand
        names += [CARD_NAMES[filler.pop(0)] for _ in range(3 - len(hand))]
    return _places(cards, CARD_NAMES, names)


def _places(cards: list[int], names: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """The places of these cards in a deck that is sorted by kinds."""
    free = list(range(len(cards)))
    found = []
    for name in wanted:
        place = next(p for p in free if names[cards[p]] == name)
        free.remove(place)
        found.append(place)
    return found


def _cast(characters: Sequence[str], players: int, options: TrainOptions) -> dict[str, Any]:
    """A deal in which the first seats have these characters, and the Saboteur is somewhere."""
    pool = [c for c in cast_of(players, options) if c != Character.SABOTEUR]
    wanted = [CHARACTER_NAMES.index(name) for name in characters]
    others = [c for c in pool if c not in wanted]
    if Character.SABOTEUR not in wanted and len(wanted) == players:
        raise ValueError("the Saboteur is always in play")
    everybody = wanted + ([] if Character.SABOTEUR in wanted else [Character.SABOTEUR])
    everybody += others[: players - len(everybody)]
    drawn = sorted(c for c in everybody if c != Character.SABOTEUR)
    passengers = [Character.SABOTEUR, *drawn]
    return {
        "characters": [[pool.index(c) for c in drawn]],
        "seats": [[passengers.index(c) for c in everybody]],
    }


def _chance() -> Any:
    from capolinea.engine import Chance

    return Chance()
