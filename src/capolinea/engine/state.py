"""What a match is at one moment, and the rules that carry it on.

A title's State is one flat class: ints and short lists, declared as `fields.py` says, and no argument that
`__init__` requires. It sees moves alone; sayings, undo and who plays a seat are the match's business.

This module compiles; a title's own State may be compiled or not.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from typing import TYPE_CHECKING, Final

import msgspec

from capolinea.engine.chance import Chance
from capolinea.engine.events import Event
from capolinea.engine.fields import New
from capolinea.engine.native import i64, mypyc_attr
from capolinea.engine.problems import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capolinea.engine.result import Result
    from capolinea.engine.views import Preview, View

_NO_CHANCE: Final = Chance()


# Not a subclass of ABC, which does not compile: every compiled state would carry a dict.
@mypyc_attr(allow_interpreted_subclasses=True)
class State(metaclass=ABCMeta):
    """The base of every title's state. Seats and actions are small integers."""

    # So that titles can have slots: see `fields.py`.
    __slots__ = ("chance", "hasty", "loud", "seats", "told")

    def __init__(self) -> None:
        #: How many seats the match has.
        self.seats: i64 = 0
        #: Whether anybody listens. Rules ask it before they build an event.
        self.loud: New[bool] = False
        self.told: New[list[Event]] = []
        #: Whether moves without an alternative need not be asked for: see `Rota`. A title in which that
        #: is often so makes them at once; it must come to the same as the moves themselves.
        self.hasty: New[bool] = False
        #: Where all randomness of the match comes from.
        self.chance = _NO_CHANCE

    # --- what a title writes -------------------------------------------------------------------

    @abstractmethod
    def waiting(self) -> list[int]:
        """Whom the game cannot go on without, in seat order; nobody when it is over.

        Who is asked never depends on what only some may know.
        """

    @abstractmethod
    def legal(self, seat: int) -> list[int]:
        """All that this seat may do now, in ascending order, out of turn too."""

    @abstractmethod
    def play(self, seat: int, action: int) -> None:
        """The rules: carry out one action, or raise Refused and change nothing.

        Events are told only `if self.loud`, so that playouts do not pay for them.
        """

    @abstractmethod
    def view(self, seat: int | None) -> View:
        """What this seat may know, built field by field from nothing; None is a spectator."""

    def views(self, viewers: Sequence[int | None]) -> list[View]:
        """The views of several at one moment: a title may make what all of them see only once."""
        return [self.view(viewer) for viewer in viewers]

    @abstractmethod
    def default(self, seat: int) -> int:
        """What the clock plays for a seat that is waited for: legal, always the same, from its view."""

    @abstractmethod
    def result(self) -> Result | None:
        """How it ended, or None while it goes on."""

    @abstractmethod
    def copy(self) -> State:
        """A state that shares nothing that can change."""

    @abstractmethod
    def key(self) -> bytes:
        """A canonical form: equal states have equal keys. Future chance is not part of it."""

    @abstractmethod
    def barrier(self) -> bool:
        """Whether the last move cannot be taken back freely.

        It cannot when something hidden was revealed to anybody, when chance fell, or when others were
        asked at the same time (they might have answered in the meantime).
        """

    def opening(self) -> list[Event]:
        """What is told when the match begins: set-up itself is silent, since nobody hears it yet."""
        return []

    def window(self) -> str:
        """The name of the reaction window that is open, or "".

        While it is not "", nobody is told which persons are waited for: a pass is told to nobody.
        """
        return ""

    def midway(self) -> int:
        """The seat in the middle of a compound choice, or -1.

        Then only that seat has something to do, and nothing has been told of the steps so far.
        """
        return -1

    def moment(self) -> int:
        """A public count that rises whenever programs are to be offered moves out of turn."""
        return 0

    def awaited(self) -> i64:
        """Those of `waiting` as bits, for playouts; a title may know without making a list."""
        bits: i64 = 0
        for seat in self.waiting():
            bits |= 1 << seat
        return bits

    def free(self) -> list[int]:
        """The seats that have something to do although the game does not wait for them; a title may
        name some that turn out to have nothing, where finding out is all the work. Whoever asks leaves
        the list as it is."""
        waiting = self.waiting()
        return [seat for seat in range(self.seats) if seat not in waiting and self.legal(seat)]

    def team(self, seat: int) -> list[int]:
        """The seats, with this one, that may talk among themselves now; public. Nobody by default."""
        return []

    def talk(self) -> int:
        """Seconds that all may talk before the game goes on, 0 for as long as they like; public.

        -1, the default, is that nobody talks: a program need not hear anybody out.
        """
        return -1

    def preview(self, seat: int, actions: Sequence[int]) -> Preview:
        """What these steps would do, as far as the seat can know; stores nothing. May raise Refused."""
        raise Refused("refused.no-preview")

    # --- what every title has --------------------------------------------------------------------

    def apply(self, seat: int, action: int) -> list[Event]:
        """Carry out one action and tell what happened, or raise Refused with the state untouched."""
        self.loud = True
        self.told = []
        try:
            self.play(seat, action)
        finally:
            self.loud = False
            told = self.told
            self.told = []
        return told

    def tell(self, key: str, **args: object) -> Event:
        """Tell everybody of something; add what only some may know with `Event.also`."""
        event = Event(key, args)
        self.told.append(event)
        return event

    def whisper(self, to: list[int], key: str, **args: object) -> Event:
        """Tell only these seats; nobody else learns that there was anything to tell."""
        event = Event(key, args, to=to)
        self.told.append(event)
        return event


def key_of(parts: list[object]) -> bytes:
    """The key of a state whose parts are lists of numbers, and of such lists: as `repr` writes them, in a
    third of the time. One is made after every entry."""
    coded = msgspec.json.encode(parts).replace(b",", b", ")
    return coded.replace(b"true", b"True").replace(b"false", b"False")


#: Whether this module is compiled. Then calling a class is the quickest way to a new object; where it is
#: not, `__init__` would only set what a copy sets once more.
COMPILED: Final = type(key_of).__name__ != "function"
