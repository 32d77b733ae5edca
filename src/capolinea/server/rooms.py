"""A room: who sits where, what is to be played, and who may decide it.

A room is one document: it is stored whole before anybody is told of a change. It lives through many
matches. Nothing here waits, stores or sends; a command either changes the room or raises Refused.
"""

from __future__ import annotations

import secrets
import unicodedata
from collections.abc import Iterable
from copy import copy
from hashlib import sha256
from itertools import chain, count
from typing import Any, NamedTuple

import msgspec

from capolinea import bots, games
from capolinea.engine import text
from capolinea.engine.game import Game
from capolinea.engine.options import Options
from capolinea.engine.problems import Problem, Refused
from capolinea.server.documents import Beside, Document
from capolinea.server.protocol import (
    CLOCKS,
    LONGEST_WINDOW,
    SHORTEST_WINDOW,
    Clear,
    Clock,
    Command,
    Configure,
    HandOver,
    Hush,
    Leave,
    NewRoom,
    PastMatch,
    PersonView,
    PutBot,
    Ready,
    Remove,
    Rename,
    RoomLine,
    RoomSettings,
    RoomView,
    SeatView,
    Shuffle,
    Sit,
    Stand,
    Why,
    Yours,
    encode,
)
from capolinea.server.set_up import (
    Chosen,
    SetUp,
    beside,
    check_bot,
    check_options,
    fitting,
    options_of,
    usual_bot,
)

LONGEST_NAME = 24
KEPT_MATCHES = 50
MOST_PEOPLE = 200
#: So many of those who were sent out, and of those who may not write, a room remembers: the last ones.
#: Strangers come with a new name each time.
MOST_REMOVED = 500
MOST_HUSHED = 200
#: So many people can have somebody muted, each so many.
MOST_MUTING = 200
MOST_MUTED = 50
#: On so many devices somebody can have a chair, beside their own.
MOST_DEVICES = 20
#: Names for bots, as heard in Trieste.
BOT_NAMES = (
    "Nereo", "Jolanda", "Ucio", "Mariuccia", "Pino", "Nives", "Bruno", "Uccia", "Livio", "Etta",
    "Mario", "Ondina", "Tullio", "Norma", "Dario", "Iolanda",
)  # fmt: skip


class Here(NamedTuple):
    """Who is connected: people, on whatever device, and for which seats; and how many only watch."""

    people: frozenset[str] = frozenset()
    seats: frozenset[int] = frozenset()
    watchers: int = 0


class Person(Document):
    """Somebody in a room. The id is the server's alone; others know the number."""

    id: str
    number: int
    name: str


class Seat(Document):
    """A chair: empty, a bot's, or one person's, perhaps on several devices."""

    name: str = ""
    bot: str = ""
    #: Who may play it: first whose it is, then those who came by the personal link.
    holders: list[str] = []
    ready: bool = False
    #: Of somebody who has another one as their own: who sits there has come with them.
    further: bool = False
    #: The hash of the key in its personal link.
    key: str = ""
    #: Which seat of the last match it was, if any: what that seat kept goes with the chair.
    played: int | None = None

    @property
    def empty(self) -> bool:
        return not self.holders and not self.bot


class Room(Document):
    """All of it."""

    code: str
    title: str
    host: str
    settings: RoomSettings
    seats: list[Seat]
    people: list[Person] = []
    preset: str = "standard"
    options: dict[str, Any] = {}
    #: What is not built in, by its kind.
    data: dict[str, Beside] = {}
    removed: list[str] = []
    #: Who may not write: by id, so that going out and coming in again changes nothing.
    hushed: list[str] = []
    #: Who reads nothing more of whom.
    mutes: dict[str, list[str]] = {}
    longest_name: int = LONGEST_NAME
    #: The match that is on, or the last one, and which of our seats its seats are.
    match: str = ""
    match_seats: list[int] = []
    #: Who played those seats, once the match is over: chairs change, what a seat kept is theirs.
    match_holders: list[list[str]] = []
    playing: bool = False
    past: list[PastMatch] = []
    met: int = 0
    #: The host who is away, while `host` stands in for them.
    away_host: str = ""

    # --- what it is set up with ------------------------------------------------------------------

    @property
    def game(self) -> Game:
        return games.load(self.title)

    def game_options(self) -> Options:
        """What is to be played with: what the title does not have today is the usual instead."""
        return options_of(fitting(self.chosen()))

    def fitting(self) -> Room:
        """This room with as much of its set-up as the title has today."""
        fit = fitting(self.chosen())
        data = {kind: own for kind, own in self.data.items() if kind in fit.data}
        return msgspec.structs.replace(self, preset=fit.preset, options=fit.options, data=data)

    def contents(self) -> dict[str, Any]:
        return {kind: own.content for kind, own in self.data.items()}

    def filled(self) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if not seat.empty]

    def chosen(self) -> Chosen:
        seats = 0 if self.playing or self.waits_for() is not None else len(self.filled())
        return Chosen(self.title, self.preset, self.options, self.contents(), seats)

    def choice(self) -> bytes:
        """What this is known by."""
        hashes = {kind: own.hash for kind, own in self.data.items()}
        return sha256(encode(self.chosen()._replace(data=hashes))).digest()

    def waits_for(self) -> Problem | None:
        """Who is missing for a match, if somebody is; whatever is to be played."""
        game, filled = self.game, self.filled()
        if len(filled) not in game.seats:
            least, most = game.seats[0], game.seats[-1]
            return Refused("refused.seats", seats=len(filled), least=least, most=most)
        waiting = [
            seat.name
            for seat in self.seats
            if seat.holders
            and not seat.ready
            and seat.holders[0] not in (self.host, self.away_host)
            # Who has just played here is taken along into the next match, as they are.
            and seat.played is None
        ]
        if waiting:
            return Refused("room.not-ready", names=waiting)
        return None

    def hindrance(self, set_up: SetUp) -> Problem | None:
        """Why a match cannot begin, if it cannot."""
        return self.waits_for() or set_up.hindrance

    # --- changing it -----------------------------------------------------------------------------

    def copy(self) -> Room:
        """Another one to change. What commands put in place of something else is shared, not copied."""
        return msgspec.structs.replace(
            self,
            seats=[msgspec.structs.replace(seat, holders=[*seat.holders]) for seat in self.seats],
            people=[copy(person) for person in self.people],
            removed=[*self.removed],
            hushed=[*self.hushed],
            mutes={reader: [*muted] for reader, muted in self.mutes.items()},
        )

    # --- people ----------------------------------------------------------------------------------

    def person(self, id: str) -> Person | None:
        return next((person for person in self.people if person.id == id), None)

    def numbered(self, number: int) -> Person:
        for person in self.people:
            if person.number == number:
                return person
        raise Refused("room.no-person", number=number)

    def known(self) -> set[str]:
        """All whose room this is: who is in it, or has a chair on whatever device."""
        holders = {one for seat in self.seats for one in seat.holders}
        return holders | {person.id for person in self.people}

    def holds(self, id: str, seat: int) -> bool:
        return 0 <= seat < len(self.seats) and id in self.seats[seat].holders

    def whom(self, id: str) -> str:
        """Who this is: whoever came by a personal link is whose own chair it leads to. The chairs of
        others at that person's screen make nobody that person, nor does any to who has their own. The host
        is the host, whatever link they open."""
        seats = self.seats_of(id)
        if not seats or id in (self.host, self.away_host):
            return id
        known = self.person(id)
        if known is None or self._chair(known) is None:
            for number in seats:
                owner = self.person(self.seats[number].holders[0])
                if owner is not None and self._chair(owner) == number:
                    return owner.id
        return id

    def _devices(self, id: str) -> list[Person]:
        """To where somebody took their own chair, as far as that is here."""
        return [person for person in self.people if person.id != id == self.whom(person.id)]

    def seats_of(self, id: str) -> list[int]:
        return [number for number, seat in enumerate(self.seats) if id in seat.holders]

    def check_inside(self, id: str) -> None:
        """Raise Refused if this room is none of somebody's business. Whose seat it is comes in also when
        nobody new may, on any device."""
        if id in self.removed:
            raise Refused("room.removed")
        known = self.person(id) is not None or id == self.host or self.seats_of(id)
        if self.settings.locked and not known:
            raise Refused("room.locked")

    def enter(self, id: str, name: str = "") -> Person:
        """Come in, or be here already."""
        self.check_inside(id)
        found = self.person(id)
        if found is None:
            if len(self.people) >= MOST_PEOPLE and not self.seats_of(id):
                raise Refused("room.full")
            self.met += 1
            # Who left a match and comes back has a name at the table.
            chairs = (seat for seat in self.seats if seat.holders[:1] == [id])
            own = next((seat for seat in chairs if not seat.further), None)
            if own is None:
                shown = self._free_name(self._clean(name) or f"№ {self.met}")
            else:
                shown = own.name
                for other in self.people:  # on one of their devices, say
                    if look(other.name) == look(shown):
                        other.name = self._free_name(other.name, other)
            found = Person(id, self.met, shown)
            self.people.append(found)
            self.tidy()
        return found

    def _clean(self, name: str) -> str:
        return text.name(name, self.longest_name)

    def _free_name(self, name: str, *own: Person | Seat | None) -> str:
        """Two people of one name would be one too many. Whose own it is to be may have had it before."""
        named: list[Person | Seat] = [*self.people, *self.seats]
        taken = {look(one.name) for one in named if not _among(one, own)}
        ends = chain([""], (f" {n}" for n in count(2)))
        new = (f"{name[: self.longest_name - len(end)].strip()}{end}" for end in ends)
        return next(one for one in new if look(one) not in taken)

    def make_space(self, present: set[str]) -> None:
        """In a room that is full, who only came by makes room for others."""
        if len(self.people) < MOST_PEOPLE:
            return
        self.people = [
            person
            for person in self.people
            if person.id in present
            or person.id in (self.host, self.away_host)
            or self.seats_of(person.id)
        ]

    def tidy(self) -> None:
        """A host who is gone leaves the room to who has been here longest."""
        if self.person(self.host) is None:
            # A match is the business of those who play it.
            others = [] if self.playing else self.people
            heir = next(iter(self._seated(self.people) or others), None)
            self.host = self.away_host or (heir.id if heir is not None else self.host)
            self.away_host = ""

    def _seated(self, among: list[Person]) -> list[Person]:
        return [person for person in among if self.seats_of(person.id)]

    def pass_on(self, present: set[str]) -> bool:
        """The host has been away: let somebody with a chair who is here stand in for them. Whether there
        is such a one. Where people have days to play, being away is nothing."""
        here = [person for person in self.people if person.id in present]
        heir = next(iter(self._seated(here)), None)
        days = self.playing and self.settings.clock.kind == "days"
        if heir is None or days or self.hosted_by(present):
            return False
        self.away_host = self.away_host or self.host
        self.host = self.whom(heir.id)
        return True

    def is_away_host(self, id: str) -> bool:
        """Whether this is the host for whom somebody stands in."""
        return bool(self.away_host) and self.whom(id) == self.away_host

    def welcome_host(self, id: str) -> None:
        """A host who is back decides again."""
        if self.is_away_host(id):
            self.host, self.away_host = self.away_host, ""

    def hosted_by(self, present: set[str]) -> bool:
        """Whether the host is among them, on whatever device."""
        return any(self.whom(id) == self.host for id in present)

    # --- commands --------------------------------------------------------------------------------

    def do(self, id: str, command: Command) -> None:
        """Carry out what somebody asks for between matches, or raise Refused and change nothing."""
        match command:
            case Sit(seat, name, further):
                self._sit(id, seat, name, further)
            case Stand(seat):
                self._own(id, seat)
                self._stand(seat)
            case Rename(name, seat):
                self._rename(id, name, seat)
            case PutBot(seat, bot):
                self._put_bot(id, seat, bot)
            case Ready(ready):
                self._known(id)
                for number in self.seats_of(id):
                    self.seats[number].ready = ready
            case Configure():
                self._configure(id, command)
            case Clear(seat):
                self.only_host(id, for_good=True)
                self._between()
                self._seat(seat)
                self.seats[seat] = Seat()
            case Remove(number):
                self._remove(id, number)
            case HandOver(number):
                self.only_host(id, for_good=True)
                self.host = self.whom(self.numbered(number).id)
                self.welcome_host(self.host)
            case Hush(number, hushed):
                self.only_host(id)
                self._hush(self.numbered(number).id, hushed)
            case Shuffle():
                self.only_host(id, for_good=True)
                self._between()
                secrets.SystemRandom().shuffle(self.seats)
            case Leave():
                self._leave(id)
            case _:
                raise Refused("room.no-match")

    def _sit(self, id: str, number: int, name: str, further: bool) -> None:
        self._between()
        seat = self._seat(number)
        if id in seat.holders:
            return
        if not seat.empty:
            raise Refused("room.taken", name=seat.name)
        if further and self.seats_of(id):
            shown = self._free_name(self._clean(name) or f"№ {number + 1}")
            self.seats[number] = Seat(shown, holders=[id], further=True)
            return
        person = self.enter(self.whom(id), name)
        if self._clean(name):
            self._call(person, self._clean(name))
        old = self._chair(person)
        if old is None:
            self.seats[number] = Seat(person.name, holders=[person.id])
        else:
            # The chair is taken along: ready or not, on all its devices.
            self.seats[number], self.seats[old] = self.seats[old], Seat()

    def _chair(self, person: Person) -> int | None:
        """A person's own seat; further ones, on the same screen, have names of their own."""
        for number in self.seats_of(person.id):
            seat = self.seats[number]
            if seat.holders[0] == person.id and seat.name == person.name:
                return number
        return None

    def _call(self, person: Person, name: str) -> None:
        number = self._chair(person)
        chair = None if number is None else self.seats[number]
        person.name = self._free_name(name, person, chair)
        if chair is not None:
            chair.name = person.name

    def _stand(self, number: int) -> None:
        self._between()
        self.seats[number] = Seat()

    def _rename(self, id: str, name: str, number: int | None) -> None:
        new = self._clean(name)
        if not new:
            raise Refused("room.no-name")
        if number is not None:
            self._own(id, number)
        person = self._known(self.whom(id))
        if self.seats_of(id):
            self._between()
        if number is None or number == self._chair(person):
            self._call(person, new)
        else:
            self.seats[number].name = self._free_name(new, self.seats[number])

    def _put_bot(self, id: str, number: int, bot: str) -> None:
        self._between()
        self._known(id)
        seat = self._seat(number)
        if seat.holders:
            raise Refused("room.taken", name=seat.name)
        check_bot(self.game, bot)
        name = seat.name or self._bot_name()
        self.seats[number] = Seat(name, bot=bot, ready=True)

    def _bot_name(self) -> str:
        free = (name for name in BOT_NAMES if self._free_name(name) == name)
        return next(free, None) or self._free_name(BOT_NAMES[0])

    def _configure(self, id: str, change: Configure) -> None:
        self.only_host(id, for_good=True)
        wanted = copy(self)  # one thing that cannot be, and nothing has changed
        wanted._set_up(change)
        for field in self.__struct_fields__:
            setattr(self, field, getattr(wanted, field))

    def _set_up(self, change: Configure) -> None:
        if change.settings is not None:
            settings = change.settings.of(self.settings)
            # A clock that an older server allowed keeps nobody from changing the rest.
            self.settings = settings if settings.clock == self.settings.clock else fair(settings)
        if not (change.title or change.preset) and change.options is None and change.data is None:
            return
        self._between()
        fit = self.fitting()  # what the host saw, and now decides on
        self.preset, self.options, self.data = fit.preset, fit.options, fit.data
        if change.title and change.title != self.title:
            self._change_title(change.title)
        if change.preset:
            self._change_preset(change.preset)
        if change.data is not None:
            gone = self._about(set(self.data) - set(change.data))
            self.options = {n: value for n, value in self.options.items() if n not in gone}
            self.data = beside(change.data)
        if change.options is not None:
            self.options = change.options
        check_options(self.chosen())

    def _change_preset(self, preset: str) -> None:
        """One's own options go; a file that somebody brought stays, if the preset names no other."""
        game = self.game
        game.preset(preset)
        self.preset = preset
        self.data = {k: own for k, own in self.data.items() if k not in game.presets[preset]}
        kept = self._about(set(self.data))
        self.options = {name: value for name, value in self.options.items() if name in kept}

    def _about(self, kinds: set[str]) -> set[str]:
        """The options that mean something only with data of one's own of these kinds."""
        return {f.name for f in self.game.fields() if f.name in kinds or f.beside in kinds}

    def _change_title(self, title: str) -> None:
        game = games.load(games.check_known(title))
        kept = [seat for seat in self.seats if not seat.empty]
        if len(kept) > game.seats[-1]:
            least, most = game.seats[0], game.seats[-1]
            raise Refused("refused.seats", seats=len(kept), least=least, most=most)
        self.title, self.preset, self.options, self.data = title, "standard", {}, {}
        known = bots.known(game)
        self.seats = [
            msgspec.structs.replace(seat, bot=usual_bot(game))
            if seat.bot and seat.bot not in known
            else seat
            for seat in kept
        ] + [Seat() for _ in range(game.seats[-1] - len(kept))]

    def _remove(self, id: str, number: int) -> None:
        self.only_host(id, for_good=True)
        person = self.numbered(number)
        if self.whom(person.id) == self.host:
            raise Refused("room.remove-host")
        out = [person.id]
        for seat in self.seats:
            if person.id in seat.holders:
                seat.key = ""
            if seat.holders[:1] == out[:1]:
                # With them go the devices to which they took the seat.
                others = [one for one in seat.holders if one not in out]
                out += [one for one in others if self.whom(one) != self.host]
        self.removed = [*self.removed, *out][-MOST_REMOVED:]
        for one in out:
            self._leave(one)

    def _hush(self, id: str, hushed: bool) -> None:
        others = [one for one in self.hushed if one != id]
        self.hushed = [*others, id][-MOST_HUSHED:] if hushed else others

    def _leave(self, id: str) -> None:
        """In a match the seat stays theirs: a bot plays it until they come back. Who goes on another
        device is still here there."""
        person, devices = self.person(id), self._devices(id)
        if person is not None and devices and id not in self.removed:
            self._move(person, devices[0])
        for number in self.seats_of(id):
            seat = self.seats[number]
            if id in self.removed or not self.playing:
                seat.holders = [holder for holder in seat.holders if holder != id]
                if not seat.holders and not self.playing:
                    self.seats[number] = Seat()
        self.people = [person for person in self.people if person.id != id]
        if id == self.away_host:
            self.away_host = ""  # who stood in for them is the host from now on
        self.tidy()

    def _move(self, person: Person, device: Person) -> None:
        """Be this person on that device from now on: with the chair, the name and what the host may."""
        chair = self._chair(person)
        assert chair is not None
        seat = self.seats[chair]
        seat.holders = [device.id, *(one for one in seat.holders if one != device.id)]
        person.name, device.name = device.name, person.name
        if self.host == person.id:
            self.host = device.id
        if self.away_host == person.id:
            self.away_host = device.id
        # Hushed and muted people do not get rid of that by going to another device.
        self._keep_muted(device.id, self.mutes.get(person.id, []))
        if person.id in self.hushed:
            self._hush(device.id, True)
        for reader, muted in list(self.mutes.items()):
            if person.id in muted and device.id not in muted:
                self._keep_muted(reader, [*muted, device.id])

    def mute(self, id: str, number: int, muted: bool) -> None:
        """Read nothing more from this person, or again."""
        other = self.numbered(number).id
        kept = [one for one in self.mutes.get(id, []) if one != other]
        self._keep_muted(id, [*kept, other] if muted else kept)

    def _keep_muted(self, reader: str, muted: list[str]) -> None:
        self.mutes.pop(reader, None)
        if muted:
            self.mutes[reader] = muted[-MOST_MUTED:]
        if len(self.mutes) > MOST_MUTING:  # who is not here any more makes room for others
            first = next((one for one in self.mutes if self.person(one) is None), None)
            del self.mutes[first or next(iter(self.mutes))]

    def use_key(self, id: str, key: str) -> None:
        """Have a chair on another device as well, with the key of its personal link, wherever it stands by
        now; the device longest unused for it makes room."""
        seat = next((seat for seat in self.seats if key and seat.key == key), None)
        if seat is None:
            raise Refused("room.wrong-key")
        if id in seat.holders:
            return
        owner, others = seat.holders[:1], seat.holders[1:]
        if owner and self.person(owner[0]) is None:  # who left is back, here
            owner, others = [id], seat.holders
        else:
            others = [*others, id]
        seat.holders = [*owner, *others[-MOST_DEVICES:]]
        self.enter(id, seat.name)

    def renew_key(self, id: str, number: int, key: str) -> None:
        """A new personal link: who came by an older one does not have this chair any more."""
        self._own(id, number)
        seat = self.seats[number]
        seat.key = key
        seat.holders = [one for one in seat.holders if one in (seat.holders[0], id)]

    # --- a match ---------------------------------------------------------------------------------

    def may_start(self, id: str, set_up: SetUp) -> None:
        """Raise what is in the way."""
        self.only_host(id)
        self._between()
        why = self.hindrance(set_up)
        if why is not None:
            raise why.again()

    def begin_match(self, match: str, seats: list[int]) -> None:
        """From now on this one is on, with these of our seats."""
        self.playing, self.match, self.match_seats, self.match_holders = True, match, seats, []

    def end_match(self, ended: int, ending: str) -> None:
        """The room is open again, for a rematch or for something else."""
        self.playing = False
        past = PastMatch(self.match, self.title, ended, ending)
        self.past = [past, *self.past][:KEPT_MATCHES]
        self.match_holders = [list(self.seats[seat].holders) for seat in self.match_seats]
        for number, seat in enumerate(self.seats):
            seat.played = self.match_seats.index(number) if number in self.match_seats else None
            seat.ready = bool(seat.bot)  # for the next: everybody says anew who is in
            # Whoever left during the match does not keep a chair for the next.
            seat.holders = [one for one in seat.holders if self.person(one)]
            if seat.empty:
                self.seats[number] = Seat()
        self.tidy()

    def played_by(self, people: set[str]) -> list[int]:
        """The chairs of the match that is on that these people have."""
        chairs = self.match_seats if self.playing else []
        return [number for number in chairs if people & set(self.seats[number].holders)]

    def may_replace(self, id: str, number: int, bot: str, here: bool) -> None:
        """Whether somebody may let a bot play in this chair, whose person is here or not."""
        if number not in self.match_seats:
            raise Refused("refused.no-seat", found=number)
        if not self.holds(id, number):
            self.only_host(id)
            if here:
                raise Refused("room.still-here")
        if bot:
            check_bot(self.game, bot)

    def take_back(self, id: str, number: int) -> int:
        """Play again in one's chair, from which a bot has played; which seat of the match that is."""
        if not self.holds(id, number) or number not in self.match_seats:
            raise Refused("room.not-yours")
        if self.person(id) is None:  # who left is back with that
            self.enter(id, self.seats[self.seats_of(id)[0]].name)
        return self.match_seats.index(number)

    def asked_aloud(self, seat: int) -> set[int]:
        """The seats of the match at the same screen as this one and nowhere else, where people ask each
        other aloud. Whose a chair is counts, not who may play it as well."""
        chairs = [self.seats[number] for number in self.match_seats]
        owner = chairs[seat].holders[:1]
        return {number for number, chair in enumerate(chairs) if chair.holders == owner}

    def seat_for(self, id: str, seat: int, names: list[str], bot: str) -> None:
        """Chairs as for a match of others that somebody plays on from: in one seat themselves, bots in the
        rest."""
        own = self._known(id).name
        for number, name in enumerate(names):
            self.seats[number] = Seat(name, bot=bot, ready=True)
        self.seats[seat] = Seat(own, holders=[id], ready=True)

    # --- what commands ask first -----------------------------------------------------------------

    def _known(self, id: str) -> Person:
        found = self.person(id)
        if found is None:
            raise Refused("room.stranger")
        return found

    def _seat(self, number: int) -> Seat:
        if not 0 <= number < len(self.seats):
            raise Refused("refused.no-seat", found=number)
        return self.seats[number]

    def _own(self, id: str, number: int) -> None:
        self._seat(number)
        if not self.holds(id, number):
            raise Refused("room.not-yours")

    def only_host(self, id: str, for_good: bool = False) -> None:
        """Who only stands in for the host does nothing `for_good`, in a match or between two: they put
        bots and begin a match, with the chairs and the settings as they are."""
        if self.whom(id) != self.host:
            raise Refused("room.host-only")
        if for_good and self.away_host:
            raise Refused("room.stand-in")

    def may_set_up(self, id: str) -> None:
        """Whether somebody may decide now what is played."""
        self.only_host(id, for_good=True)
        self._between()

    def _between(self) -> None:
        if self.playing:
            raise Refused("room.playing")

    # --- showing ---------------------------------------------------------------------------------

    def view(self, set_up: SetUp, here: Here, link: str, reach: Any) -> RoomView:
        """The room as everybody sees it: what is somebody's own is in `yours`. Ids of people stay here."""
        numbers = {person.id: person.number for person in self.people}
        why = None if self.playing else self.hindrance(set_up)
        return RoomView(
            code=self.code,
            title=self.title,
            phase="playing" if self.playing else "over" if self.match else "open",
            match=self.match,
            match_seats=self.match_seats,
            seats=[
                SeatView(
                    kind="bot" if seat.bot else "person" if seat.holders else "empty",
                    name=seat.name,
                    person=numbers.get(seat.holders[0]) if seat.holders else None,
                    bot=seat.bot,
                    ready=seat.ready,
                    present=number in here.seats,
                    devices=len(seat.holders),
                )
                for number, seat in enumerate(self.seats)
            ],
            people=[
                self.shown(person, person.id in here.people)
                for person in self.people
                if self.whom(person.id) == person.id
            ],
            host=numbers.get(self.host, 0),
            settings=self.settings,
            preset=set_up.preset,
            options=set_up.options,
            data=set_up.data,
            link=link,
            reach=reach,
            hindrance=Why.of(why) if why is not None else None,
            past=self.past,
            watchers=here.watchers,
        )

    def shown(self, person: Person, present: bool) -> PersonView:
        return PersonView(person.number, person.name, present, person.id in self.hushed)

    def yours(self, reader: str) -> Yours:
        """What this reader alone sees of it."""
        me, muted = self.person(self.whom(reader)), self.mutes.get(reader, [])
        return Yours(
            you=me.number if me is not None else None,
            yours=self.seats_of(reader),
            muted=[person.number for person in self.people if person.id in muted],
        )

    def line(self) -> RoomLine:
        host = self.person(self.host)
        return RoomLine(
            code=self.code,
            title=self.title,
            phase="playing" if self.playing else "over" if self.match else "open",
            people=sum(bool(seat.holders) for seat in self.seats),
            bots=sum(bool(seat.bot) for seat in self.seats),
            free=sum(seat.empty for seat in self.seats),
            host=host.name if host is not None else "",
            clock=self.settings.clock.kind,
        )


# --- making one ----------------------------------------------------------------------------------


def new_room(code: str, owner: str, asked: NewRoom, longest_name: int = LONGEST_NAME) -> Room:
    """A room as somebody asked for it, with them in the first seat. Their options and data have been
    through `brought.fit`."""
    game = games.load(games.check_known(asked.title))
    room = Room(
        code=code,
        title=asked.title,
        host=owner,
        settings=fair(asked.settings),
        seats=[Seat() for _ in range(game.seats[-1])],
        preset=asked.preset or "standard",
        options=asked.options,
        data=beside(asked.data),
        longest_name=longest_name,
    )
    game.preset(room.preset)
    check_options(room.chosen())
    room.enter(owner, asked.name)
    first = 0
    if not asked.watch:
        room.do(owner, Sit(0, asked.name))
        first = 1
    if first + len(asked.bots) > len(room.seats):
        least, most = game.seats[0], game.seats[-1]
        raise Refused("refused.seats", seats=first + len(asked.bots), least=least, most=most)
    for number, bot in enumerate(asked.bots, first):
        room.do(owner, PutBot(number, bot or usual_bot(game)))
    return room


def fair(settings: RoomSettings) -> RoomSettings:
    """Settings with the kind of clock filled in: who names a kind alone means what it usually is."""
    clock = settings.clock
    if clock == Clock(clock.kind):
        clock = CLOCKS[clock.kind]
    elif clock.kind == "none":
        clock = Clock("none", window=clock.window)
    if (
        clock.window
        and clock.kind != "days"
        and not SHORTEST_WINDOW <= clock.window <= LONGEST_WINDOW
    ):
        raise Problem("room.window", least=SHORTEST_WINDOW, most=LONGEST_WINDOW)
    return msgspec.structs.replace(settings, clock=clock)


def _among(one: object, others: Iterable[object]) -> bool:
    """This very one, and not one that is like it."""
    return any(one is other for other in others)


def look(name: str) -> str:
    """Names that look alike have this in common."""
    plain = "".join(c for c in name if c not in text.PICTURE)
    return unicodedata.normalize("NFKC", plain).casefold()
