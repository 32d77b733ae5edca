"""The REST part: rooms, matches, records, words. ROUTES is the whole of it, and its description."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from capolinea import bots, games
from capolinea.engine.game import Game
from capolinea.engine.options import Options, convert
from capolinea.engine.problems import Problem, Refused
from capolinea.server import brought, qr, replays, rights
from capolinea.server.codes import Missing
from capolinea.server.fold import header_of
from capolinea.server.guard import refusal
from capolinea.server.hub import Hub
from capolinea.server.identity import digest, new_key, new_match_id, new_person
from capolinea.server.limits import TooFast, TooManySockets, by_address
from capolinea.server.lounge import Lounge
from capolinea.server.packing import pack
from capolinea.server.protocol import (
    Command,
    Configure,
    Continue,
    MatchView,
    Me,
    NewRoom,
    Replay,
    RoomLine,
    RoomSettings,
    RoomView,
    SeatLink,
    TitleView,
    UseKey,
    encode,
)
from capolinea.server.set_up import check_bot, usual_bot
from capolinea.server.store import AddEntries, EndMatch, MatchRow, NotRead, PutMatch, StoreFailed
from capolinea.server.table import NotKept
from capolinea.server.work import Asker, Busy, TooSlow
from capolinea.version import version
from capolinea.words import COMMON, Words, catalogue, languages, nearest, readable
from capolinea.words.languages import DEFAULT

T = TypeVar("T")
Change = TypeVar("Change", NewRoom, Configure)

#: Bytes of options and data that take no longer to look at than to hand to somebody else.
AT_ONCE = 2048


class Call(msgspec.Struct, frozen=True):
    """A request as handlers get it."""

    hub: Hub
    person: str
    address: str
    path: dict[str, str]
    query: dict[str, str]
    body: Any

    async def work(self, work: Callable[..., T], *arguments: Any) -> T:
        """Have something done that takes long, when it is this person's turn."""
        return await self.hub.work.do(Asker(self.address, self.person), work, *arguments)


class Plain(msgspec.Struct, frozen=True):
    """An answer that is not JSON of ours."""

    content: bytes
    media_type: str
    name: str = ""


Handler = Callable[[Call], Awaitable[Any]]


class Route(msgspec.Struct, frozen=True):
    """One thing that can be asked for."""

    method: str
    path: str
    handler: Handler
    summary: str
    answer: Any
    body: Any = None
    #: What may stand in the address after "?": name → what it is.
    query: dict[str, str] = {}
    #: The kind of answer, and of body, where it is not JSON of ours.
    media_type: str = "application/json"
    body_type: str = "application/json"
    #: Nothing in the answer is secret: see `packing`.
    packed: bool = False


# --- asking and answering ------------------------------------------------------------------------


def endpoint(hub: Hub, route: Route) -> Callable[[Request], Awaitable[Response]]:
    """A route as Starlette wants it: who asks, how often, what; and every Problem as an answer."""

    async def answer(request: Request) -> Response:
        known = hub.identity.visitor(request)
        person = known or new_person()
        address = by_address(request.client.host if request.client else "")
        try:
            wait = hub.address_request_rate.take(address) or hub.request_rate.take(person)
            if wait:
                raise TooFast(wait)
            body = await _body(request, route.body)
            query = dict(request.query_params)
            asked = Call(hub, person, address, dict(request.path_params), query, body)
            response = _response(await route.handler(asked))
            if route.packed:
                await pack(response, request)
        except (Problem, StoreFailed, TooSlow) as error:
            response = refused(hub, error)
        if known is None:
            hub.identity.remember(request, response, person)
        return response

    return answer


async def _body(request: Request, kind: Any) -> Any:
    if kind is None:
        return None
    content = await request.body()
    if kind is bytes:
        return content
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Problem("serve.bad-body", detail=str(error)) from None


def _response(found: Any) -> Response:
    if isinstance(found, Plain):
        response = Response(found.content, media_type=found.media_type)
        if found.name:
            response.headers["content-disposition"] = f'attachment; filename="{found.name}"'
        return response
    content = found if isinstance(found, bytes) else encode(found)
    return Response(content, media_type="application/json")


def refused(hub: Hub, error: Exception) -> Response:
    """The answer that says what went wrong, also for a socket that does not open."""
    match error:
        case TooFast() | Busy():
            response = refusal(429 if isinstance(error, TooFast) else 503, error)
            response.headers["retry-after"] = str(max(1, round(error.seconds)))
            return response
        case TooManySockets():
            return refusal(429, error)
        case Missing():
            return refusal(404, error)
        case NotRead():
            return refusal(503, Problem("table.not-read"))
        case NotKept() | StoreFailed():
            return refusal(503, Problem("table.not-kept"))
        case TooSlow():
            return refusal(503, Problem("serve.too-slow"))
        case Refused():
            hub.metrics.refusals.labels(error.key).inc()
            return refusal(409, error)
        case Problem():
            return refusal(400, error)
    raise TypeError(error)


# --- titles and words ----------------------------------------------------------------------------


async def titles(_asked: Call) -> list[TitleView]:
    return [_title(name) for name in games.TITLES]


def _title(name: str) -> TitleView:
    game = games.load(name)
    return TitleView(
        id=game.id,
        rules=game.rules,
        name=_called(game),
        seats=list(game.seats),
        unofficial=list(game.unofficial),
        fields=game.fields(),
        presets=game.presets,
        bots=[usual_bot(game), *(bot for bot in bots.known(game) if bot != usual_bot(game))],
        windows=list(game.windows),
        blurb=_said(game, "title.blurb"),
        minutes=game.minutes,
        example=game.example,
    )


def _called(game: Game) -> dict[str, str]:
    return _said(game, "title.name") or dict.fromkeys(languages(), readable(game.id))


@cache
def _said(game: Game, key: str) -> dict[str, str]:
    """What a title says in each language, or in one that it speaks; {}: nothing."""
    folder = game.folder / "words"
    spoken = {lang: catalogue.load(folder / f"{lang}.json") for lang in languages(folder)}
    words = {lang: Words(lang, found, lenient=True) for lang, found in spoken.items()}
    said = {lang: own.say(key) for lang, own in words.items() if own.has(key)}
    if not said:
        return {}
    otherwise = said.get(DEFAULT, next(iter(said.values())))
    return {lang: said.get(lang, otherwise) for lang in languages()}


async def words(asked: Call) -> Plain:
    """A catalogue as the file has it; of a title that has none in this language the one it has."""
    lang, title = asked.path["lang"], asked.path["title"]
    if lang not in languages():
        raise Missing("words.unknown", lang=lang)
    if title != "common" and title not in games.TITLES:
        raise Missing("title.unknown", name=title, known=", ".join(games.TITLES))
    folder = COMMON if title == "common" else games.load(title).folder / "words"
    file = nearest(folder, lang)
    return Plain(file.read_bytes() if file is not None else b"{}", "application/json")


async def room_words(asked: Call) -> Any:
    """Words that come with the data of a room's table, such as what stands on cards of its own."""
    lang = asked.path["lang"]
    if lang not in languages():
        raise Missing("words.unknown", lang=lang)
    room = (await _room(asked)).room
    return await _words(asked, room.game, room.game_options(), lang)


async def room_data(asked: Call) -> Any:
    """The track, board or pack that a room plays with: what its picture is drawn from."""
    room = (await _room(asked)).room
    return await _content(asked, room.game, room.game_options())


async def match_words(asked: Call) -> Any:
    lang = asked.path["lang"]
    if lang not in languages():
        raise Missing("words.unknown", lang=lang)
    game, options = await _played_with(asked)
    return await _words(asked, game, options, lang)


async def match_data(asked: Call) -> Any:
    game, options = await _played_with(asked)
    return await _content(asked, game, options)


async def _played_with(asked: Call) -> tuple[Game, Options]:
    row = await _visible(asked, None)
    header = header_of(row)
    game = games.load(header.title)
    game = game.under(header.rules) or game
    own = {kind: used.content for kind, used in header.data.items() if used.content is not None}
    return game, convert(game.options, {**header.options, "data": own})


async def _words(asked: Call, game: Game, options: Options, lang: str) -> Any:
    if options.data:
        return await asked.work(brought.words, game.id, encode(options), lang)
    return game.texts(options, lang)


async def _content(asked: Call, game: Game, options: Options) -> Any:
    kind = asked.path["kind"]
    _check_kind(game, kind)
    return options.data[kind] if kind in options.data else game.content(kind, options)


def _check_kind(game: Game, kind: str) -> None:
    if kind not in {field.name for field in game.fields() if field.kind == "data"}:
        raise Missing("serve.not-found")


async def bring_data(asked: Call) -> bytes:
    """A file of one's own in place of a built-in track or pack: all of it or nothing."""
    lounge, kind = await _room(asked), asked.path["kind"]
    lounge.room.may_set_up(asked.person)
    title = lounge.room.title
    _check_kind(games.load(title), kind)
    file = asked.query.get("name", "")
    found = await asked.work(brought.read, title, kind, file, asked.body)
    lounge = await _room(asked)  # it may be another one by now
    room = lounge.room.fitting()
    change = Configure(
        title=title,  # or else it would be for another by now
        options={**room.options, kind: found.name},
        data={**room.contents(), **msgspec.json.decode(found.fit)["data"]},
    )
    await lounge.command(asked.person, change, asked.address)
    return lounge.view(asked.person)


# --- rooms ---------------------------------------------------------------------------------------


async def me(asked: Call) -> Me:
    return Me(version(), await asked.hub.rooms_of(asked.person))


async def public_rooms(asked: Call) -> list[RoomLine]:
    return asked.hub.public_rooms()


async def create_room(asked: Call) -> bytes:
    new = await _fit(asked, asked.body.title, asked.body)
    lounge = await asked.hub.create(asked.person, asked.address, new)
    return lounge.view(asked.person)


async def _fit(asked: Call, title: str, change: Change) -> Change:
    """What somebody wants for a room, with options and data of their own that can be kept and shown."""
    sent = {name: getattr(change, name) for name in ("options", "data") if getattr(change, name)}
    if not sent:
        return change
    try:
        written = encode(sent)
    except RecursionError:
        raise brought.too_deep() from None
    if len(written) <= AT_ONCE:
        fit = brought.fit(title, written)
    else:
        fit = await asked.work(brought.fit, title, written)
    return msgspec.structs.replace(change, title=title, **msgspec.json.decode(fit))


async def show_room(asked: Call) -> bytes:
    lounge, hub = await _room(asked), asked.hub
    if "socket" in asked.query and (
        hub.address_sockets.is_full(asked.address) or hub.person_sockets.is_full(asked.person)
    ):
        raise TooManySockets()
    return lounge.view(asked.person)


async def _room(asked: Call) -> Lounge:
    """The room, for who may come in."""
    lounge = await asked.hub.visit(asked.path["code"], asked.address)
    lounge.room.check_inside(asked.person)
    return lounge


async def command_room(asked: Call) -> bytes:
    lounge, command = await _room(asked), asked.body
    if isinstance(command, Configure):
        lounge.room.only_host(asked.person, for_good=True)
        command = await _fit(asked, command.title or lounge.room.title, command)
        lounge = await _room(asked)  # it may be another one by now
    await lounge.command(asked.person, command, asked.address)
    return lounge.view(asked.person)


async def room_qr(asked: Call) -> Plain:
    """The room's link as a QR code."""
    link = asked.hub.link(f"/room/{(await _room(asked)).room.code}")
    return Plain(qr.svg(link).encode(), "image/svg+xml")


async def seat_link(asked: Call) -> SeatLink:
    """A new personal link for one's seat; an older one is void from now on, and so is what it gave."""
    lounge = await asked.hub.visit(asked.path["code"], asked.address)
    seat = _number(asked.path["seat"])
    key, kept = new_key()
    await lounge.renew_key(asked.person, seat, kept)
    # After the "#": browsers keep it to themselves.
    link = asked.hub.link(f"/room/{lounge.room.code}#seat={seat}.{key}")
    return SeatLink(link, key, qr.svg(link))


async def use_key(asked: Call) -> bytes:
    """Take the seat that a personal link is for to this device."""
    lounge = await asked.hub.visit(asked.path["code"], asked.address)
    _number(asked.path["seat"])  # where the chair was when the link was made
    await lounge.use_key(asked.person, digest(asked.body.key))
    return lounge.view(asked.person)


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 3:
        raise Problem("refused.no-seat", found=text)
    return int(text)


# --- matches and records -------------------------------------------------------------------------


async def show_match(asked: Call) -> MatchView:
    row = await _visible(asked, None)
    if row.ended is None:
        return replays.match_view(row, header_of(row))
    rows = await asked.hub.store.entries(row.id)
    return await asked.work(replays.described, row, rows)


async def show_replay(asked: Call) -> bytes:
    """From a seat, as a spectator or, once it is over, with all that was hidden."""
    looker = _looker(asked)
    row = await _visible(asked, looker)
    seats = len(header_of(row).seats)
    if isinstance(looker, int) and looker >= seats:
        raise Problem("refused.no-seat", found=looker)
    rows = await asked.hub.store.entries(row.id)
    found = await asked.work(replays.replay, row, rows, looker)
    await _visible(asked, looker)  # that took a while: the chair may be another's by now
    return found


def _looker(asked: Call) -> Any:
    """Who looks: "spectator", "truth" or the number of a seat."""
    wanted = asked.query.get("as", "spectator")
    if wanted == "spectator":
        return None
    return wanted if wanted == replays.TRUTH else _number(wanted)


async def _visible(asked: Call, looker: Any) -> MatchRow:
    """The match, as far as this person may see it now: once it is over whoever knows its address may."""
    row = await asked.hub.match(asked.path["id"])
    if row.ended is None:
        room = (await asked.hub.lounge(row.room, asked.address)).room
        rights.check_running(room, asked.person, row.id, looker)
    return row


async def record(asked: Call) -> Plain:
    """The whole match, to keep or to hand on."""
    row = await asked.hub.match(asked.path["id"])
    if row.ended is None:
        raise Refused("match.running")
    rows = await asked.hub.store.entries(row.id)
    without = asked.query.get("without", "").split(",")
    names, texts = "names" in without, "texts" in without
    written = await asked.work(replays.written, row, rows, names, texts)
    title = header_of(row).title
    return Plain(written, "application/json", f"{title}-{row.id[:8]}.json")


async def upload(asked: Call) -> MatchView:
    """Take a record in, to look at it or to play on from it."""
    hub = asked.hub
    wait = hub.room_rate.take(asked.person) or hub.address_room_rate.take(asked.address)
    if wait:
        raise TooFast(wait)
    taken = await asked.work(replays.take_in, asked.body)
    now = hub.now()
    row = MatchRow(new_match_id(), "", taken.header, now)
    await hub.store.write(PutMatch(row), AddEntries(row.id, taken.rows), EndMatch(row.id, now))
    return msgspec.structs.replace(taken.view, id=row.id, began=now, ended=now)


async def play_on(asked: Call) -> bytes:
    """Play from here, against bots, in a room of one's own."""
    hub, body = asked.hub, asked.body
    row = await hub.match(asked.path["id"])
    if row.ended is None:
        raise Refused("match.running")
    rows = await hub.store.entries(row.id)
    header, entries = await asked.work(replays.continued, row, rows, body.entries)
    game = games.load(header.title)
    if body.seat >= len(header.seats):
        raise Problem("refused.no-seat", found=body.seat)
    bot = body.bot or usual_bot(game)
    check_bot(game, bot)
    data = {kind: used.content for kind, used in header.data.items() if used.content is not None}
    new = NewRoom(
        title=header.title,
        name=body.name,
        options=header.options,
        data=data,
        settings=RoomSettings(watching=False),  # else windows would take their whole length
        watch=True,
    )
    lounge = await hub.create(asked.person, asked.address, await _fit(asked, new.title, new))
    async with hub.making(lounge):
        await lounge.play_on(asked.person, body.seat, bot, header, entries)
    return lounge.view(asked.person)


# --- the table -----------------------------------------------------------------------------------

_WORDS = dict[str, Any]

ROUTES = (
    Route("GET", "/api/titles", titles, "What can be played", list[TitleView], packed=True),
    Route(
        "GET",
        "/api/words/{lang}/{title}",
        words,
        'A title\'s words, or "common" ones',
        _WORDS,
        packed=True,
    ),
    Route("GET", "/api/me", me, "Who I am here: the rooms I am in", Me),
    Route("GET", "/api/rooms", public_rooms, "Public rooms", list[RoomLine]),
    Route("POST", "/api/rooms", create_room, "Make a room", RoomView, NewRoom),
    Route(
        "GET",
        "/api/rooms/{code}",
        show_room,
        "A room",
        RoomView,
        # A browser does not tell a page why its socket was not opened.
        query={
            "socket": "anything: only if there is room for one more socket, or else why there is none"
        },
    ),
    Route("POST", "/api/rooms/{code}", command_room, "Do something in a room", RoomView, Command),
    Route(
        "GET",
        "/api/rooms/{code}/words/{lang}",
        room_words,
        "Words that come with a room's own data",
        _WORDS,
        packed=True,
    ),
    Route(
        "GET",
        "/api/rooms/{code}/data/{kind}",
        room_data,
        "The track or pack that a room plays with",
        Any,
        packed=True,
    ),
    Route(
        "POST",
        "/api/rooms/{code}/data/{kind}",
        bring_data,
        "Bring a file in place of a built-in track or pack",
        RoomView,
        bytes,
        query={"name": "the file's name; its ending says what kind of file it is"},
        body_type="application/octet-stream",
    ),
    Route(
        "GET",
        "/api/rooms/{code}/qr.svg",
        room_qr,
        "The room's link as a QR code",
        str,
        media_type="image/svg+xml",
    ),
    Route(
        "POST",
        "/api/rooms/{code}/seats/{seat}/link",
        seat_link,
        "A personal link for one's seat",
        SeatLink,
    ),
    Route(
        "POST",
        "/api/rooms/{code}/seats/{seat}/key",
        use_key,
        "Take a seat to this device",
        RoomView,
        UseKey,
    ),
    Route("GET", "/api/matches/{id}", show_match, "A match", MatchView),
    Route(
        "GET",
        "/api/matches/{id}/replay",
        show_replay,
        "A match step by step",
        Replay,
        query={"as": 'who looks: "spectator", "truth" or the number of a seat'},
    ),
    Route(
        "GET",
        "/api/matches/{id}/record",
        record,
        "The record of a match that is over",
        dict[str, Any],
        query={"without": 'what to leave out: "names", "texts" or "names,texts"'},
        packed=True,
    ),
    Route(
        "GET",
        "/api/matches/{id}/words/{lang}",
        match_words,
        "Words that come with a match's own data",
        _WORDS,
        packed=True,
    ),
    Route(
        "GET",
        "/api/matches/{id}/data/{kind}",
        match_data,
        "The track or pack that a match was played with",
        Any,
        packed=True,
    ),
    Route(
        "POST",
        "/api/matches/{id}/continue",
        play_on,
        "Play from here against bots",
        RoomView,
        Continue,
    ),
    Route("POST", "/api/records", upload, "Bring a record", MatchView, bytes),
)
