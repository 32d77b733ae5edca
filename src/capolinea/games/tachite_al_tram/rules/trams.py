"""The state of Tachite al Tram: the board with its tiles, the trams, the piles, and whose move it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capolinea.engine.events import Event
from capolinea.engine.fields import And, Key, Own
from capolinea.engine.state import COMPILED, State, key_of
from capolinea.games.tachite_al_tram.rules import (
    drive,
    fit,
    misfortunes,
    refusals,
    turn,
    workshop,
)
from capolinea.games.tachite_al_tram.rules.board import MISFORTUNE_NAMES, NO_BOARD
from capolinea.games.tachite_al_tram.rules.steps import (
    Card,
    Do,
    Ending,
    Futiz,
    Phase,
)
from capolinea.games.tachite_al_tram.rules.tiles import NO_TILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capolinea.engine.result import Result
    from capolinea.engine.views import Preview, View
    from capolinea.games.tachite_al_tram.views import TramView


class Trams(State):
    """One moment of Tachite al Tram. Lists inside lists are never changed, only replaced."""

    def __init__(self) -> None:
        super().__init__()
        # The table's options.
        self.board = NO_BOARD
        self.tiles = NO_TILES
        self.tile_counts: list[int] = []
        self.own_tiles: list[str] = []
        self.goal = 12
        self.rounds = 0

        self.phase: Key[int] = Phase.OVER
        self.current: And[int] = 0
        self.first: And[int] = 0
        self.turn: And[int] = 0
        self.round: And[int] = 1
        self.ending: And[int] = Ending.NONE

        #: Of each square: the tile on it as tile*4 + quarter turns, or -1, and the turn it was laid in;
        #: where its rails lead and end, with which sides they meet a neighbour's, and what a tile
        #: there must and must not reach (fit.py).
        self.laid: Key[Own[list[int]]] = []
        self.when: And[Own[list[int]]] = []
        self.tracks: Own[list[int]] = []
        self.ends: Own[list[int]] = []
        self.joined: Own[list[int]] = []
        self.edges: Own[list[int]] = []
        #: The square that the current player has built on, and the player just before.
        self.laid_now: And[int] = -1
        self.protected: And[int] = -1
        #: The tile that came to the current player's hand by building: not for this turn.
        self.drew: And[int] = -1

        # Piles, the next one last.
        self.face_down: Key[Own[list[int]]] = []
        self.deck: And[Own[list[int]]] = []
        self.used: And[Own[list[int]]] = []
        #: Passengers at each stop, and how many of each kind are out.
        self.waiting_at: And[Own[list[list[int]]]] = []
        self.out: And[list[int]] = []
        #: How many lay in these piles when they were last shuffled.
        self.tile_pile = 0
        self.deck_pile = 0
        #: How often chance fell so far: each time has an index.
        self.rolls: Key[int] = 0
        self.tile_mixes: And[int] = 0
        self.deck_mixes: And[int] = 0
        self.refills: And[int] = 0

        # Of each seat.
        self.at: Key[Own[list[int]]] = []
        self.to: And[Own[list[int]]] = []
        self.damage: And[Own[list[int]]] = []
        self.futiz: And[Own[list[int]]] = []
        self.points: And[Own[list[int]]] = []
        self.halted: And[list[int]] = []
        self.last_stop: And[Own[list[int]]] = []
        #: Passengers in the order of boarding, tiles in the order of drawing, cards, and the turn and
        #: points of each trip one after the other.
        self.aboard: Key[Own[list[list[int]]]] = []
        self.hands: And[Own[list[list[int]]]] = []
        self.kept: And[Own[list[list[int]]]] = []
        self.trips: And[Own[list[list[int]]]] = []

        # This turn.
        self.die: Key[int] = 0
        self.steps: And[int] = 0
        #: Nobody may roll: there is a strike.
        self.stuck: And[bool] = False
        self.wrecked: And[bool] = False
        self.boarded_at: And[int] = -1
        #: The way so far, with the side the tram came in by and the squares left, and whether it is a
        #: compound choice that is half made.
        self.path: Key[Own[list[int]]] = []
        self.entered: And[int] = -1
        self.left: And[int] = 0
        self.walking: And[bool] = False
        #: Other such choices: a tile and its square, a Futiz and who leaves.
        self.lay_tile: Key[int] = -1
        self.lay_square: And[int] = -1
        self.chosen_futiz: And[int] = Futiz.NONE
        self.leaving: And[list[int]] = []

        #: The last misfortune and who drew it; who closed the funicular.
        self.misfortune: Key[int] = Card.NONE
        self.misfortune_seat: And[int] = -1
        self.closed_by: And[int] = -1
        self.fixed = False
        #: What the current player may do, once somebody has asked.
        self.choices: list[int] = []

    def opening(self) -> list[Event]:
        return [Event("event.turn", {"seat": self.current, "round": self.round})]

    # --- who may do what -------------------------------------------------------------------------

    def waiting(self) -> list[int]:
        return [] if self.phase == Phase.OVER else [self.current]

    def midway(self) -> int:
        if self.lay_tile >= 0 or self.walking or self.chosen_futiz >= 0:
            return self.current
        return -1

    def free(self) -> list[int]:
        return []

    def barrier(self) -> bool:
        return self.fixed

    def legal(self, seat: int) -> list[int]:
        if seat != self.current or self.phase == Phase.OVER:
            return []
        if not self.choices:
            self.choices = self.work_out()
        return self.choices[:]

    def work_out(self) -> list[int]:
        """What the current player may do."""
        match self.phase:
            case Phase.BUILD:
                if self.lay_square >= 0:
                    return turn.turn_choices(self)
                if self.lay_tile >= 0:
                    return [Do.ON + square for square in fit.places(self, self.lay_tile)]
                return turn.build_choices(self)
            case Phase.MOVE:
                return turn.move_choices(self)
            case Phase.GO:
                return drive.options(self)
            case Phase.WORKSHOP:
                if self.chosen_futiz >= 0:
                    return workshop.put_off_choices(self)
                return workshop.services(self)
            case Phase.PICK_UP:
                return turn.pick_up_choices(self)
            case Phase.BOARS:
                return misfortunes.boars_choices(self)
            case Phase.SET_DOWN:
                return [Do.SET_DOWN, Do.KEEP]
        return [Do.DRAW, Do.NO_DRAW]

    def default(self, seat: int) -> int:
        """What changes least; passengers at their terminus get off, and damage is repaired."""
        legal = self.legal(seat)
        match self.phase:
            case Phase.MOVE:
                return Do.STAY
            case Phase.BUILD | Phase.PICK_UP:
                if self.lay_tile < 0:
                    return legal[-1]
            case Phase.GO:
                if Do.STOP in legal:
                    return Do.STOP
                return legal[-1]
            case Phase.WORKSHOP:
                if self.chosen_futiz < 0 and legal[0] != Do.REPAIR:
                    return Do.NO_SERVICE
        return legal[0]

    # --- what happens ----------------------------------------------------------------------------

    def play(self, seat: int, action: int) -> None:
        if seat != self.current or self.phase == Phase.OVER:
            refusals.refuse(self, seat, action)
        if not self.choices:
            self.choices = self.work_out()
        if action not in self.choices:
            refusals.refuse(self, seat, action)
        if self.midway() < 0:
            self.fixed = False
        self.choices = []
        match self.phase:
            case Phase.BUILD:
                self._build(action)
            case Phase.MOVE:
                if action == Do.ROLL:
                    drive.roll(self)
                elif action == Do.STAY:
                    turn.stay(self)
                else:
                    drive.move_three(self)
            case Phase.GO:
                self._go(action)
            case Phase.WORKSHOP:
                self._serve(action)
            case Phase.PICK_UP:
                if action == Do.BOARD:
                    turn.board(self)
                elif action == Do.LEAVE:
                    turn.to_set_down(self)
                else:
                    turn.board_second(self)
            case Phase.BOARS:
                misfortunes.remove_tile(self, action - Do.ON)
                turn.after_boarding(self)
            case Phase.SET_DOWN:
                if action == Do.SET_DOWN:
                    turn.set_down(self)
                else:
                    turn.end(self)
            case Phase.START:
                if action == Do.DRAW:
                    turn.draw(self)
                else:
                    turn.to_build(self)

    def _build(self, action: int) -> None:
        if action < Do.ON:
            self.lay_tile = action - Do.LAY
        elif action < Do.TURN:
            turn.choose_square(self, action - Do.ON)
        elif action < Do.SWAP:
            turn.lay(self, action - Do.TURN)
        elif action < Do.NO_BUILD:
            turn.swap(self, action - Do.SWAP)
        else:
            turn.to_move(self)

    def _go(self, action: int) -> None:
        if action < Do.GO:
            drive.roll_again(self)
        elif action < Do.STOP:
            self.walking = True
            self.path = self.path[:]
            drive.one_square(self, action - Do.GO)
            drive.follow(self)
        else:
            drive.arrive(self, action == Do.RUN_OFF)

    def _serve(self, action: int) -> None:
        if action == Do.REPAIR:
            workshop.repair(self, self.current)
            self.served()
        elif action == Do.NO_SERVICE:
            self.served()
        elif action < Do.NO_SERVICE:
            workshop.take_futiz(self, action - Do.FUTIZ)
        else:
            workshop.put_off(self, action - Do.PUT_OFF)

    def served(self) -> None:
        """The workshop has done what it was asked for; nobody waits there, and no trip ends there."""
        turn.end(self)

    def stand(self) -> None:
        turn.stand(self)

    def outs(self, square: int) -> int:
        """The sides by which a tram that stands there may leave."""
        return self.ends[square] if self.laid[square] >= 0 else self.board.outs[square]

    def spend(self, seat: int, card: int) -> None:
        """A card that was kept is used."""
        kept = self.kept[seat][:]
        kept.remove(card)
        self.kept[seat] = kept
        self.used.append(card)
        if self.loud:
            self.tell("event.used", seat=seat, card=MISFORTUNE_NAMES[card])

    def draw_tile(self, seat: int) -> int:
        tile = self.face_down.pop()
        self.hands[seat] = [*self.hands[seat], tile]
        self.fixed = True
        return tile

    def shuffle(self, purpose: str, index: int, things: list[int]) -> None:
        """How many there are is part of the purpose: what one does may change it, and an order that
        a deal fixes for one number is none for another."""
        self.chance.shuffle(f"{purpose} {len(things)}", index, things)

    def mix_in(self, tiles: list[int]) -> None:
        """Put tiles back face down, and mix: in an order that tells nothing of the one before."""
        pile = sorted(self.face_down + tiles)
        self.shuffle("tiles", self.tile_mixes, pile)
        pile.reverse()
        self.tile_pile = len(pile)
        self.tile_mixes += 1
        self.face_down = pile
        self.fixed = True

    def shuffle_deck(self) -> None:
        self.shuffle("misfortunes", self.deck_mixes, self.deck)
        self.deck_pile = len(self.deck)
        # Drawn from the end: a deal that fixes the beginning of the order fixes the first cards.
        self.deck.reverse()
        self.deck_mixes += 1

    def finish(self, ending: int) -> None:
        self.ending = ending
        self.phase = Phase.OVER
        self.boarded_at = -1
        if self.loud:
            if ending == Ending.FRENADOR:
                self.tell("event.frenador", seat=self.current, points=self.points[self.current])
            else:
                self.tell("event.end-of-service", rounds=self.rounds)

    # --- what is shown ---------------------------------------------------------------------------

    def view(self, seat: int | None) -> TramView:
        from capolinea.games.tachite_al_tram.views import view_of

        return view_of(self, seat)

    def views(self, viewers: Sequence[int | None]) -> list[View]:
        from capolinea.games.tachite_al_tram.views import views_of

        return views_of(self, viewers)

    def preview(self, seat: int, actions: Sequence[int]) -> Preview:
        from capolinea.games.tachite_al_tram.preview import preview_of

        return preview_of(self, seat, actions)

    def result(self) -> Result | None:
        if self.ending < 0:
            return None
        from capolinea.games.tachite_al_tram.result import result_of

        return result_of(self)

    # --- copies and keys -------------------------------------------------------------------------

    # --- generated: slots, copy, key
    __slots__ = (
        "aboard", "at", "board", "boarded_at", "choices", "chosen_futiz", "closed_by", "current",
        "damage", "deck", "deck_mixes", "deck_pile", "die", "drew", "edges", "ending", "ends",
        "entered", "face_down", "first", "fixed", "futiz", "goal", "halted", "hands", "joined",
        "kept", "laid", "laid_now", "last_stop", "lay_square", "lay_tile", "leaving", "left",
        "misfortune", "misfortune_seat", "out", "own_tiles", "path", "phase", "points",
        "protected", "refills", "rolls", "round", "rounds", "steps", "stuck", "tile_counts",
        "tile_mixes", "tile_pile", "tiles", "to", "tracks", "trips", "turn", "used", "waiting_at",
        "walking", "when", "wrecked",
    )  # fmt: skip

    def copy(self) -> Trams:
        if COMPILED:
            other = Trams()
        else:
            other = Trams.__new__(Trams)
            other.loud = False
            other.told = []
            other.hasty = False
        other.seats = self.seats
        other.chance = self.chance
        other.board = self.board
        other.tiles = self.tiles
        other.tile_counts = self.tile_counts
        other.own_tiles = self.own_tiles
        other.goal = self.goal
        other.rounds = self.rounds
        other.phase = self.phase
        other.current = self.current
        other.first = self.first
        other.turn = self.turn
        other.round = self.round
        other.ending = self.ending
        other.laid = self.laid[:]
        other.when = self.when[:]
        other.tracks = self.tracks[:]
        other.ends = self.ends[:]
        other.joined = self.joined[:]
        other.edges = self.edges[:]
        other.laid_now = self.laid_now
        other.protected = self.protected
        other.drew = self.drew
        other.face_down = self.face_down[:]
        other.deck = self.deck[:]
        other.used = self.used[:]
        other.waiting_at = self.waiting_at[:]
        other.out = self.out
        other.tile_pile = self.tile_pile
        other.deck_pile = self.deck_pile
        other.rolls = self.rolls
        other.tile_mixes = self.tile_mixes
        other.deck_mixes = self.deck_mixes
        other.refills = self.refills
        other.at = self.at[:]
        other.to = self.to[:]
        other.damage = self.damage[:]
        other.futiz = self.futiz[:]
        other.points = self.points[:]
        other.halted = self.halted
        other.last_stop = self.last_stop[:]
        other.aboard = self.aboard[:]
        other.hands = self.hands[:]
        other.kept = self.kept[:]
        other.trips = self.trips[:]
        other.die = self.die
        other.steps = self.steps
        other.stuck = self.stuck
        other.wrecked = self.wrecked
        other.boarded_at = self.boarded_at
        other.path = self.path[:]
        other.entered = self.entered
        other.left = self.left
        other.walking = self.walking
        other.lay_tile = self.lay_tile
        other.lay_square = self.lay_square
        other.chosen_futiz = self.chosen_futiz
        other.leaving = self.leaving
        other.misfortune = self.misfortune
        other.misfortune_seat = self.misfortune_seat
        other.closed_by = self.closed_by
        other.fixed = self.fixed
        other.choices = self.choices
        return other

    def key(self) -> bytes:
        parts: list[object] = [
            [self.phase, self.current, self.first, self.turn, self.round, self.ending],
            [self.laid, self.when, self.laid_now, self.protected, self.drew],
            [self.face_down, self.deck, self.used, self.waiting_at, self.out],
            [self.rolls, self.tile_mixes, self.deck_mixes, self.refills],
            [self.at, self.to, self.damage, self.futiz, self.points, self.halted, self.last_stop],
            [self.aboard, self.hands, self.kept, self.trips],
            [self.die, self.steps, self.stuck, self.wrecked, self.boarded_at],
            [self.path, self.entered, self.left, self.walking],
            [self.lay_tile, self.lay_square, self.chosen_futiz, self.leaving],
            [self.misfortune, self.misfortune_seat, self.closed_by],
        ]
        return key_of(parts)

    # --- end
