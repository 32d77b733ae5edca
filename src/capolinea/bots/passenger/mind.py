"""What a passenger wants, whom they suspect, and what they make of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from capolinea.bots.passenger.outlook import Outlook, accelerates, speed_after
from capolinea.bots.passenger.suspicion import Claims, suspicion
from capolinea.engine import Rng
from capolinea.engine.match import Said
from capolinea.games.stop_the_train.rules import do
from capolinea.games.stop_the_train.rules.cards import OR_NAMES, ROUTE_NAMES
from capolinea.games.stop_the_train.rules.turn import SPACE
from capolinea.games.stop_the_train.views import TrainView

#: Whose mission is a route.
ROUTES = {
    "prisoner-of-war": "fast-track",
    "chanteuse": "fast-track",
    "engineer": "viaduct",
    "photographer": "scenic-route",
}
#: Whom a permit saves.
SAVED = {*ROUTES, "speedster", "mi6-agent", "resistance-conspirator"}
#: Spaces a turn below which a route is too short to be safe.
SAFE_PACE = 3.9
#: The share of the line that may be left to a constant speed.
SAFE_REACH = 0.85
#: What a permit is worth, in spaces, to who still needs one.
PERMIT = 4.0
#: How often a Saboteur who could is up to no good: as long as others are more suspect, when nobody
#: can be thrown off soon, and else.
COVERED = 1.0
UNSEEN = 1.0
MEEK = 0.8
#: So near the end even a Stuntman brakes.
LAST_TURNS = 6
#: As a share of the first suspect's, how suspect one may be and still count as covered.
COVER = 0.8


class Mind:
    def __init__(self, view: TrainView, said: Sequence[Said], rng: Rng, loyal: bool) -> None:
        assert view.own is not None
        assert view.viewer is not None
        self.view = view
        self.own = view.own
        self.me = view.viewer
        self.rng = rng
        self.said = said
        self.outlook = Outlook(view)
        self.character = view.own.character
        wrecker = self.character in ("saboteur", "rogue")
        #: Wants the train to crash.
        self.bad = wrecker and not loyal
        self._suspects: list[float] | None = None
        self._in_public: list[float] | None = None

    # --- beliefs ---------------------------------------------------------------------------------

    @property
    def suspects(self) -> list[float]:
        """How likely each seat is the Saboteur's, in my eyes."""
        if self._suspects is None:
            self._suspects = suspicion(self.view, self.said, self.me)
            if self.character == "saboteur":
                self._suspects = [0.0 if s == self.me else p for s, p in enumerate(self.in_public)]
        return self._suspects

    @property
    def in_public(self) -> list[float]:
        """The same in the eyes of somebody who knows nothing more."""
        if self._in_public is None:
            self._in_public = suspicion(self.view, self.said, None)
        return self._in_public

    def aboard(self) -> list[int]:
        players = enumerate(self.view.players)
        return [seat for seat, player in players if player.status in ("aboard", "hanging")]

    def exposed(self) -> bool:
        """Whether I am the one whom most would throw off."""
        there = self.aboard()
        return max(there, key=lambda seat: self.in_public[seat]) == self.me

    def certain(self) -> float:
        """How sure I am of my first suspect."""
        return max(self.suspects[seat] for seat in self.aboard() if seat != self.me)

    def first_suspect(self, seats: Sequence[int]) -> int:
        return max(seats, key=lambda seat: (self.suspects[seat], -seat))

    # --- aims ------------------------------------------------------------------------------------

    def satisfied(self) -> bool:
        """Whether my mission is done, if only the train stops."""
        view, character = self.view, self.character
        if view.players[self.me].permits and character in SAVED:
            return True
        if character in ROUTES:
            return view.route == ROUTES[character] and view.at > self.outlook.spaces["line"]
        if character == "speedster":
            return bool(view.records)
        if character == "mi6-agent":
            return not any(player.status in ("off", "dead") for player in view.players)
        return character not in SAVED

    def wants_permit(self) -> bool:
        if self.character == "ticket-inspector":
            return True
        if self.bad:
            return True  # like anybody would
        return self.character in SAVED and not self.view.players[self.me].permits

    def permit_from(self, legal: list[int]) -> int:
        """The organiser's first; else from whoever is most suspect; an inspector from the others."""
        if self.character != "ticket-inspector" and do.TAKE_ORGANISER in legal:
            return do.TAKE_ORGANISER
        seats = [action - do.TAKE for action in legal if action < do.TAKE_ORGANISER]
        return do.TAKE + self.first_suspect(seats) if seats else legal[0]

    def cost(self, effect: str, side: str = "first") -> float:
        """What it costs to play this, in spaces: the speed now and, partly, what follows from it."""
        view = self.view
        speed = speed_after(view, effect, side)
        cost = self.dear(speed) * speed / SPACE
        second = side == "second"
        if second and effect.startswith("sleight") and not self.satisfied():
            cost -= PERMIT
        if second and self.character == "ticket-inspector" and effect.startswith("sleight"):
            cost -= PERMIT / 2
        unbroken = self.character == "speedster" and not view.records
        if unbroken and self.outlook.breaks_record(effect, side):
            cost -= 8.0
        return cost

    def dear(self, speed: int) -> float:
        """What a space a turn costs. Who still has a mission cannot win on a train that crawls: as
        long as this speed would stop it well before Paris, they would rather get on."""
        route = self.view.route or "fast-track"
        reach = self.outlook.turns_left * speed / SPACE / max(1, self.outlook.left(route))
        if reach >= SAFE_REACH:
            return 1.6
        return 0.6 if self.satisfied() else -0.4

    def best_side(self, effect: str, sides: Sequence[str]) -> str:
        if self.bad:
            return max(sides, key=lambda side: (speed_after(self.view, effect, side), side))
        return min(sides, key=lambda side: (self.cost(effect, side), side))

    def best_cost(self, effect: str) -> float:
        sides = ["first", "second"] if effect in OR_NAMES else ["first"]
        return self.cost(effect, self.best_side(effect, sides))

    # --- a turn ----------------------------------------------------------------------------------

    def discard(self, effects: list[str]) -> str:
        """What the next player will not get."""
        held = self.own.effects
        if not self.bad:
            return max(effects, key=lambda effect: (self.cost(effect), effect))
        slowest_first = sorted(effects, key=lambda effect: (self.plain_cost(effect), effect))
        # A Saboteur keeps the brakes from the others; nobody can check what was drawn.
        if all(accelerates(effect) for effect in held) or not self.dares():
            return slowest_first[-1]
        return slowest_first[0]

    def plain_cost(self, effect: str) -> float:
        return float(speed_after(self.view, effect))

    def play(self, effects: list[str]) -> str:
        fast_first = sorted(effects, key=lambda e: (-self.plain_cost(e), e))
        if self.bad:
            return fast_first[0] if self.dares() else fast_first[-1]
        if self.shows_off():
            return fast_first[0]
        return min(effects, key=lambda effect: (self.best_cost(effect), effect))

    def shows_off(self) -> bool:
        """Who wants to be thrown off had better be suspected when a meeting is near."""
        eager = {"stuntman": 80, "prisoner-of-war": 30}.get(self.character, 0)
        if self.satisfied() and self.character != "stuntman":
            return False
        early = self.outlook.turns_left > LAST_TURNS and self.outlook.meeting_near()
        return early and self.rng.below(100) < eager

    def dares(self) -> bool:
        """Whether a Saboteur does harm now: one who is suspected, with a meeting near, drives like
        the others."""
        others = [self.in_public[seat] for seat in self.aboard() if seat != self.me]
        if len(others) < 2 or not self.outlook.meeting_near(60):
            return True
        if self.in_public[self.me] < COVER * max(others):
            return self.rng.below(100) < 100 * COVERED
        if not self.outlook.meeting_near():
            return self.rng.below(100) < 100 * UNSEEN
        return self.rng.below(100) < 100 * MEEK

    def fastest(self, effects: list[str]) -> str:
        return max(effects, key=lambda effect: (self.plain_cost(effect), effect))

    # --- votes -----------------------------------------------------------------------------------

    def favourite(self) -> str:
        """The route I would take if I could."""
        if self.bad:
            return "fast-track"
        mine = ROUTES.get(self.character)
        if mine is None or self.view.players[self.me].permits:
            return (
                "viaduct"
                if self.character in ("stuntman", "resistance-conspirator")
                else "scenic-route"
            )
        return mine if self.outlook.pace(mine) >= SAFE_PACE or self.rng.below(2) else "scenic-route"

    def route(self, routes: list[str]) -> str:
        favourite = self.favourite()
        if favourite in routes:
            return favourite
        return (
            max(routes, key=self.outlook.left)
            if not self.bad
            else min(routes, key=self.outlook.left)
        )

    def ballot(self, seats: list[int]) -> int:
        """Whom to throw off."""
        meeting = self.view.meeting
        assert meeting is not None
        votes = [meeting.ballots.count(seat) for seat in range(len(self.view.players))]
        if self.character in ("mayor-of-paris", "rogue"):
            # Nobody shall leave: spread the votes.
            return min(seats, key=lambda seat: (votes[seat], seat))
        if self.bad:
            return max(seats, key=lambda seat: (votes[seat], self.suspects[seat], -seat))
        if self.character == "mi6-agent" and not self.view.players[self.me].permits:
            ranked = sorted(seats, key=lambda seat: -self.suspects[seat])
            return ranked[min(1, len(ranked) - 1)]
        return self.first_suspect(seats)

    # --- words -----------------------------------------------------------------------------------

    def accusation(self) -> Any | None:
        others = [seat for seat in self.aboard() if seat != self.me]
        if not others:
            return None
        suspect = self.first_suspect(others)
        if self.character == "mi6-agent" or self.suspects[suspect] < 1.3 / len(others):
            return None
        return {"accuse": suspect}

    def claim(self) -> Any | None:
        """About the last turn whose card lies on the table: the truth, or what a Saboteur needs."""
        claims = Claims(self.said)
        for number in range(len(self.view.turns) - 1, -1, -1):
            turn = self.view.turns[number]
            if not turn.effect or (turn is self.view.turns[-1] and "play" in self.view.beneath):
                continue
            if (number, self.me) in claims.by:
                return None
            if self.me == turn.drawer and self.me != turn.current:
                return {"claim": {"turn": number + 1, **self._drawn(number)}}
            if self.me == turn.current:
                return {"claim": {"turn": number + 1, "received": self._received(number)}}
            return None
        return None

    def _drawn(self, number: int) -> dict[str, Any]:
        """What I drew; a Saboteur who discarded the brakes says that there were none."""
        turn = self.view.turns[number]
        discarded = list(turn.discarded)
        if self.bad and not all(accelerates(effect) for effect in discarded):
            discarded = ["accelerate"] * len(discarded)
        drew = sorted([*turn.passed, *discarded])
        return {"drew": drew, "discarded": discarded, "passed": list(turn.passed)}

    def _received(self, number: int) -> list[str]:
        turn = self.view.turns[number]
        if self.bad and accelerates(turn.effect) and not turn.seized and len(turn.passed) > 1:
            other = turn.set_aside
            if other and not accelerates(other):
                return sorted([turn.effect, "accelerate"])
        return list(turn.passed)

    # --- targets ---------------------------------------------------------------------------------

    def target(self, card: str, legal: list[int]) -> int:
        """Whom or what a card is played at."""
        if legal[0] >= do.KEEP_SPEED:
            return do.KEEP_SPEED if self.bad else do.BRAKE
        if legal[0] >= do.ROUTE:
            routes = [ROUTE_NAMES[action - do.ROUTE] for action in legal]
            if card == "broken-track":
                return do.ROUTE + ROUTE_NAMES.index(self._to_close(routes))
            return do.ROUTE + ROUTE_NAMES.index(self.route(routes))
        seats = [action - do.NAME for action in legal if action < do.NAME_ORGANISER]
        if card == "burn" and not seats:
            return do.NAME_ORGANISER
        if card == "extend-your-hand":
            return do.NAME + min(seats, key=lambda seat: (self.suspects[seat], seat))
        if self.bad and card in ("murder-in-the-dark", "youre-coming-with-me"):
            return do.NAME + min(seats, key=lambda seat: (self.suspects[seat], seat))
        return do.NAME + self.first_suspect(seats) if seats else legal[0]

    def _to_close(self, routes: list[str]) -> str:
        """The shortest route harms who wants the train to stop, the longest who does not."""
        favourite = self.favourite()
        others = [route for route in routes if route != favourite] or routes
        return (
            max(others, key=self.outlook.left) if self.bad else min(others, key=self.outlook.left)
        )
