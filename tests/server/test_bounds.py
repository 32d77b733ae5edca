"""Whatever grows with what strangers send has a bound: no cache and no list of people without end.

`KEPT` names every place where something is kept, with its bound. Who adds one is asked for it here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from capolinea import games
from capolinea.engine.options import convert
from capolinea.engine.problems import Refused
from capolinea.games.stop_the_train.rules.train import Train
from capolinea.games.stop_the_train.views import MOST_TABLES
from capolinea.server import chat, rooms
from capolinea.server.chat import Talk
from capolinea.server.hub import Hub
from capolinea.server.protocol import Clock, Hush, NewRoom, Remove, Sit, Stand
from capolinea.server.rooms import Room, new_room
from capolinea.server.settings import Settings
from capolinea.server.sqlite import SqliteStore
from capolinea.server.store import NotRead
from tests.server.hourglass import Chair, House, at
from tests.server.tables import serving

SRC = Path(__file__).parents[2] / "src" / "capolinea"
#: What a server is made of. (The command line and the laboratory end with what they do.)
PARTS = ("server", "engine", "games", "bots", "client", "words")
#: Made for one question, and gone with the answer.
PASSING = ("twin.py", "imagine.py")
CONTAINERS = {
    *("dict", "list", "set", "deque", "OrderedDict", "Counter", "defaultdict", "Queue"),
    *("WeakKeyDictionary", "WeakValueDictionary"),
}
GROWING = {"append", "add", "update", "setdefault", "extend", "insert", "appendleft", "put_nowait"}

#: Where something is kept for longer than one question takes, and how much of it at most.
KEPT = {
    # By the server.
    "server/chat.py Talk._sent": "a deque of 1000",
    "server/chat.py Talk._when": "MOST_WRITERS",
    "server/chat.py Talk.lines": "the setting chat_lines",
    "server/clock.py Timekeeper.missed": "seats",
    "server/codes.py Codes._tried": "MOST_KEYS",
    "server/delta.py _declared": "kinds of what can be seen: so many classes there are",
    "server/documents.py Document.unknown": "what a newer server wrote, as large as that",
    "server/delta.py Deltas._known": "what was told at once",
    "server/gate.py Gate._inside": "open connections",
    "server/gate.py Gate.waiting": "open connections",
    "server/guard.py Hosts.names": "what the host of the server says",
    "server/house.py House._set_ups": "MOST_SET_UPS",
    "server/hub.py Hub._gates": "weak: as many as are being opened",
    "server/hub.py Hub._tasks": "a handful",
    "server/hub.py Hub.lounges": "rooms that there are; put away when nobody is in them",
    "server/limits.py AtOnce._held": "open sockets",
    "server/limits.py Rate._buckets": "MOST_KEYS",
    "server/lounge.py Lounge.sockets": "the settings person_sockets and address_sockets",
    "server/metrics.py Metrics.entries": "a number",
    "server/minds.py Variant.game": "with the variant",
    "server/minds.py Variant.key": "with the variant",
    "server/minds.py Variant.options": "with the variant",
    "server/minds.py _memory": "REMEMBERED",
    "server/minds.py _variants": "REMEMBERED, REMEMBERED_BYTES",
    "server/openapi.py described": "one",
    "server/players.py Players._variant": "one",
    "server/proposals.py Proposals._declined": "seats, each until it may propose again",
    "server/rooms.py Room.data": "the setting room_size",
    "server/rooms.py Room.hushed": "MOST_HUSHED",
    "server/rooms.py Room.match_holders": "seats, MOST_DEVICES each",
    "server/rooms.py Room.match_seats": "seats",
    "server/rooms.py Room.mutes": "MOST_MUTING people, MOST_MUTED each",
    "server/rooms.py Room.options": "the title's own",
    "server/rooms.py Room.past": "KEPT_MATCHES",
    "server/rooms.py Room.people": "MOST_PEOPLE, and who has a seat",
    "server/rooms.py Room.removed": "MOST_REMOVED",
    "server/rooms.py Seat.holders": "MOST_DEVICES",
    "server/sitting.py Sitting._listeners": "open sockets",
    "server/socket.py Socket._outbox": "BACKLOG",
    "server/stage.py Stage._seen": "seats",
    "server/sqlite.py SqliteStore._waiting": "one for each request that waits for it",
    "server/fold.py Fold._waiting": "seats",
    "server/fold.py Fold.clients": "entries of a match, which have an end",
    "server/fold.py Fold.spoken": "seats",
    "server/fold.py Fold.told": "entries of a match, for each seat",
    "server/fold.py Fold.took": "entries of a match",
    "server/mine.py Mine.passes": "windows of the title",
    "server/table.py Table._scenes": "seats",
    "server/table.py Table._told": "seats",
    "server/table.py Table.held": "seats",
    "server/table.py Table.mine": "seats",
    "server/tasks.py Tasks._running": "what goes on by itself at one table; each ends",
    "server/troubles.py Troubles._open": "the kinds of trouble",
    "server/wire.py Wire._came": "UNREAD, and what one piece from the network brings",
    "server/work.py Job.askers": "MOST_WAITING",
    "server/work.py Kept._found": "its bytes",
    "server/work.py Turns._waiting": "MOST_WAITING",
    "server/work.py Workshop._busy": "processes",
    "server/work.py Workshop._idle": "processes",
    "server/work.py Workshop._jobs": "MOST_WAITING, and processes",
    "server/work.py Workshop._tasks": "processes",
    # By a match.
    "games/__init__.py _load": "the titles that there are; a stranger names none of another kind",
    "server/rest.py _said": "two for each title",
    "engine/match.py Match._before": "moves of one seat in a row, and entries of a match have an end",
    "engine/match.py Match._live": "Game.longest",
    "engine/match.py Match._streams": "seats; whole streams only where somebody asks for them",
    "engine/match.py Match.checks": "entries of a match, which have an end",
    "engine/match.py Match.entries": "LONG_ENOUGH at a table, and in a record",
    "engine/match.py Match.names": "seats",
    "engine/match.py Match.said": "MOST_SAID for each seat",
    "engine/events.py Event.parts": "seats",
    "engine/state.py State.told": "what one move tells",
    "engine/playout.py Rota.queue": "seats",
    # By a title.
    "engine/actions.py Actions._json": "the title's own",
    "engine/actions.py Actions.families": "the title's own",
    "engine/actions.py Actions.first": "the title's own",
    "engine/game.py Game._loaded": "MOST_LOADED",
    "engine/game.py _built_in": "the folders of the titles",
    "engine/text.py _kind": "10000",
    "games/stop_the_train/imagine.py _track": "64",
    "games/stop_the_train/rules/cards.py CHARACTER_NAMES": "the rows of the cards",
    "games/stop_the_train/rules/cards.py EFFECT_COUNTS": "the rows of the cards",
    "games/stop_the_train/rules/cards.py EFFECT_NAMES": "the rows of the cards",
    "games/stop_the_train/rules/cards.py MISSIONS": "the rows of the cards",
    "games/stop_the_train/rules/cards.py NEEDS": "the rows of the cards",
    "games/stop_the_train/rules/cards.py NOT_FIRST": "the rows of the cards",
    "games/stop_the_train/rules/cards.py SPEED_CHANGE": "the rows of the cards",
    "games/stop_the_train/rules/cards.py TAKES": "the rows of the cards",
    "games/stop_the_train/rules/interventions.py CARDS": "the rows of the cards",
    "games/stop_the_train/rules/track.py Track.shown": "MOST_TABLES, with the track",
    "games/tachite_al_tram/imagine.py _TABLES": "_MOST_TABLES",
    "games/tachite_al_tram/rules/board.py Board.shown": "MOST_TABLES, with the board",
    "games/tachite_al_tram/rules/roads.py Roads._since": "squares",
    "games/tachite_al_tram/rules/roads.py Roads._to": "squares",
    "games/trial_by_trolley/rules.py Past.shown": "seats",
    "words/language.py Language._rules": "one",
    # By a bot, in its process.
    "bots/__init__.py PROGRAMS": "what the host of the server says",
    "bots/advocate.py Advocate.cards": "cards of one pack",
    "bots/frenador/mind.py Mind._plans": "made for one thought",
    "bots/frenador/mind.py Mind._turns": "made for one thought",
    "bots/frenador/mind.py _SURVEYED": "_MOST_SURVEYED",
    "bots/passenger/outlook.py Outlook.spaces": "made for one thought",
    "bots/passenger/suspicion.py Claims.accused": "made for one thought",
    "bots/passenger/suspicion.py Claims.by": "made for one thought",
    "bots/passenger/suspicion.py Claims.drew": "made for one thought",
    "bots/passenger/suspicion.py Claims.passed": "made for one thought",
    "bots/passenger/suspicion.py Claims.received": "made for one thought",
    # By somebody's own program.
    "client/seat.py Seat._answers": "what was asked and not answered yet",
    "client/seat.py Seat._news": "what the program has not looked at yet",
    "client/seat.py Seat._unanswered": "what was asked and not answered yet",
    "client/seat.py Seat.chat": "MOST_CHAT",
    "client/seat.py Seat.events": "a match",
    "client/seat.py Seat.names": "seats",
    "client/seat.py Seat.scene": "what the server shows",
    "client/seat.py Seat.status": "what the server tells",
}
#: By what the counters are told apart, and why there is an end to it.
LABELS = {
    "ask.bot": "bots that there are",
    "error.key": "keys of our catalogues",
    "method, route, str(status)": "route_of gives a template; other methods are one",
    "route": "route_of gives a template",
    "why": "reasons for which a connection is refused: three",
}


@cache
def sources() -> dict[str, ast.Module]:
    files = (file for part in PARTS for file in sorted((SRC / part).rglob("*.py")))
    return {file.relative_to(SRC).as_posix(): ast.parse(file.read_text()) for file in files}


def name_of(node: ast.AST) -> str:
    """The last part of a name: "people" of "self.room.people[3]"."""
    match node:
        case ast.Subscript(value=value):
            return name_of(value)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def holds(value: ast.AST | None) -> bool:
    """Whether this makes something that others are put into."""
    made = ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp
    called = name_of(value.func) if isinstance(value, ast.Call) else ""
    return isinstance(value, made) or called in CONTAINERS


@cache
def growing() -> set[str]:
    """The names of what is put into somewhere, in whatever file."""
    found = set()
    for node in (node for source in sources().values() for node in ast.walk(source)):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=how)) if how in GROWING:
                found.add(name_of(value))
            case ast.AugAssign(target=target):
                found.add(name_of(target))
            case ast.Assign(targets=targets):
                found |= {name_of(one) for one in targets if isinstance(one, ast.Subscript)}
    return found


def made_in(body: Iterable[ast.AST], lists: bool = True) -> Iterator[ast.AST]:
    """The targets to which something empty, or a beginning, is assigned."""
    for node in body:
        match node:
            case ast.Assign(value=value) | ast.AnnAssign(value=value) if holds(value):
                if lists or not isinstance(value, ast.List | ast.ListComp):
                    yield from node.targets if isinstance(node, ast.Assign) else [node.target]


def cached_in(body: Iterable[ast.AST]) -> Iterator[str]:
    for node in body:
        marks = node.decorator_list if isinstance(node, ast.FunctionDef) else []
        if isinstance(node, ast.FunctionDef) and any("cache" in ast.unparse(one) for one in marks):
            yield node.name


def kept_in(file: str, source: ast.Module) -> Iterator[str]:
    yield from cached_in(source.body)
    yield from (name_of(one) for one in made_in(source.body) if name_of(one) in growing())
    if file.endswith(PASSING):
        return
    for kind in (node for node in ast.walk(source) if isinstance(node, ast.ClassDef)):
        names = set(cached_in(kind.body))
        # The lists of a state are as long as the rules say, those of a thought as a thought.
        made = made_in(ast.walk(kind), lists=not file.startswith(("games/", "bots/")))
        own = (one for one in made if isinstance(one, ast.Attribute))
        names |= {one.attr for one in own if name_of(one.value) == "self"} & growing()
        if any(name_of(base) == "Document" for base in kind.bases) or kind.name == "Document":
            names |= {name_of(one) for one in made_in(kind.body)}  # it is stored as it grew
        yield from (f"{kind.name}.{name}" for name in names)


def test_whatever_is_kept_has_a_bound() -> None:
    found = {
        f"{file} {name}" for file, source in sources().items() for name in kept_in(file, source)
    }
    assert sorted(found - KEPT.keys()) == []  # with which bound?
    assert sorted(KEPT.keys() - found) == []  # what is gone needs no line


def test_no_counter_is_told_apart_by_what_strangers_send() -> None:
    found = {
        ", ".join(map(ast.unparse, node.args))
        for source in sources().values()
        for node in ast.walk(source)
        if isinstance(node, ast.Call) and name_of(node.func) == "labels"
    }
    assert found == LABELS.keys()


# --- and the bounds hold -------------------------------------------------------------------------


def strangers(most: int) -> list[str]:
    return [f"stranger {n}" for n in range(most + 20)]


def test_a_chat_times_so_many_people() -> None:
    talk = Talk("BCDFGH", 200)
    for person in strangers(chat.MOST_WRITERS):
        talk.check(person, False, "hello", 300, 0, 0)
    assert len(talk._when) == chat.MOST_WRITERS


@pytest.mark.parametrize("most", [0, 1, 5])
def test_a_room_keeps_so_many_lines_of_chat(most: int) -> None:
    """In the store, too, whatever the table keeps and forgets."""

    async def chatter() -> House:
        house = House("night-mail", 1, Clock("none"), chat_lines=most)
        await house.open(bots=1)
        return house

    @at(chatter)
    async def story(house: House) -> None:
        chair = await Chair(house, house.people[0], 0).come()

        async def write(lines: int) -> None:
            for n in range(lines):
                await chair.write(f"line {n}")
                assert len(house.store.chat_[house.lounge.room.code]) <= max(most, 1)

        for keep in (True, False, True, False, True):
            await house.command(0, {"do": "configure", "settings": {"keep_chat": keep}})
            await house.command(0, {"do": "start"})
            await write(most - 1 if keep else 2)
            await house.command(0, {"do": "abandon"})
        await write(3 * most + 3)
        await chair.go()
        await house.restart()
        again = await Chair(house, house.people[0], 0).come()
        assert [line["text"] for line in again.chat] == [
            f"line {n}" for n in range(2 * most + 3, 3 * most + 3)
        ]

    story()


def a_room() -> Room:
    return new_room("BCDFGH", "ada", NewRoom(title="night-mail", name="Ada"))


def test_who_sits_down_and_goes_again_does_not_fill_the_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Strangers come with a new name each time: nobody else gets in, and the list has an end."""
    monkeypatch.setattr(rooms, "MOST_PEOPLE", 20)
    room, full = a_room(), 0
    for person in strangers(20):
        try:
            room.do(person, Sit(1, "Stranger"))
            room.do(person, Stand(1))
        except Refused as refused:
            full += refused.key == "room.full"
    assert len(room.people) == 20
    assert full == 21
    room.make_space({"ada"})
    room.do("bruno", Sit(1, "Bruno"))
    assert [person.name for person in room.people] == ["Ada", "Bruno"]


def test_a_room_remembers_so_many_that_were_removed_hushed_and_muted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for most in ("MOST_REMOVED", "MOST_HUSHED", "MOST_MUTING", "MOST_MUTED"):
        monkeypatch.setattr(rooms, most, 10)
    room = a_room()
    for person in strangers(10):
        number = room.enter(person, "Stranger").number
        room.do("ada", Hush(number))
        room.mute("ada", number, True)
        room.mute(person, 1, True)
        room.do("ada", Remove(number))
    newest = strangers(10)[-10:]
    assert room.removed == room.hushed == newest
    assert len(room.mutes) <= 10
    assert all(len(muted) <= 10 for muted in room.mutes.values())


async def test_a_seat_is_on_so_many_devices(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, server.client() as ada:
        code = (await ada.create("night-mail", name="Ada"))["code"]
        key = (await ada.post(f"/api/rooms/{code}/seats/0/link"))["key"]
        for _ in range(rooms.MOST_DEVICES + 3):
            await server.client().post(f"/api/rooms/{code}/seats/0/key", {"key": key})
        room = server.hub.lounges[code].room
        assert len(room.seats[0].holders) == 1 + rooms.MOST_DEVICES
        assert room.seats[0].holders[0] == room.host


async def test_codes_that_were_tried_while_the_store_was_in_trouble_are_forgotten(
    tmp_path: Path,
) -> None:
    class Troubled(SqliteStore):
        async def room(self, code: str) -> bytes | None:
            raise NotRead

    hub = Hub(Settings(), Troubled(tmp_path / "x.db"))
    for code in strangers(20):
        with pytest.raises(NotRead):
            await hub.lounge(code)
    assert len(hub._gates) == 0


def test_a_track_is_laid_out_for_so_many_sets_of_options() -> None:
    game = games.load("stop-the-train")
    for minutes in range(1, 16):
        for speed in ("30", "60", "90"):
            options = convert(game.options, {"talk_minutes": minutes, "start_speed": speed})
            state = game.new(5, options, bytes(32))
            state.view(None)
            assert isinstance(state, Train)
            assert len(state.track.shown) <= MOST_TABLES
