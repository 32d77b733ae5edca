"""Everything that goes over the wire, typed: bodies of the REST part and messages of the socket.

docs/protocol.md explains it with an example session; the description for programs (OpenAPI) and the
browser's types are made from these classes. Numbers of seats count from 0, as in records.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

import msgspec
from msgspec import UNSET, Meta, UnsetType

from capolinea.engine.events import Told
from capolinea.engine.match import Awaited, Said
from capolinea.engine.options import Field
from capolinea.engine.problems import Problem, Refused
from capolinea.engine.result import Result
from capolinea.engine.views import Line
from capolinea.patch import Change

#: Longer than any name of ours; what is longer still is nonsense.
Short = Annotated[str, Meta(max_length=64)]
Text = Annotated[str, Meta(max_length=20_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=31)]
Seconds = Annotated[int, Meta(ge=0, le=30 * 24 * 3600)]


class _Body(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The base of what clients send."""


class _Answer(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base of what the server sends."""


# --- why not -------------------------------------------------------------------------------------


class Why(_Answer, frozen=True):
    """A reason that the reader's language has words for, and the rule that says so, if one does."""

    key: str
    args: dict[str, Any] = {}
    rule: str = ""

    @classmethod
    def of(cls, problem: Problem) -> Why:
        args = {name: _plain(value) for name, value in problem.args_.items()}
        return cls(problem.key, args, problem.rule if isinstance(problem, Refused) else "")


def _plain(value: Any) -> Any:
    """A problem may name others as its causes."""
    if isinstance(value, Problem):
        return msgspec.to_builtins(Why.of(value))
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


class Failure(_Answer, frozen=True):
    """What every answer but a good one looks like."""

    why: Why
    #: Where the log has more of it, when it was our fault.
    id: str = ""


# --- rooms ---------------------------------------------------------------------------------------

ClockKind = Literal["none", "relaxed", "live", "days"]
#: How fast what happens is shown.
Pace = Literal["slow", "normal", "fast"]
#: How long a window may stay open in which people answer at once.
SHORTEST_WINDOW, LONGEST_WINDOW = 2, 30


class Clock(_Body, frozen=True):
    """How long people have. 0 seconds: no limit."""

    kind: ClockKind = "none"
    #: For each question.
    turn: Seconds = 0
    #: What a person may take longer in the whole match.
    bank: Seconds = 0
    #: How long a reaction window stays open, for everybody alike, once all have been shown what it is
    #: about: who does not answer has passed. 0: until all have answered.
    window: Seconds = 0


#: What the kinds of clocks mean, if the host does not say otherwise.
CLOCKS: dict[str, Clock] = {
    "none": Clock("none"),
    "relaxed": Clock("relaxed", turn=120, window=8),
    "live": Clock("live", turn=40, bank=120, window=4),
    "days": Clock("days", turn=24 * 3600),
}


class RoomSettings(_Body, frozen=True):
    """What the host decides."""

    public: bool = False
    #: Nobody new comes in.
    locked: bool = False
    #: Whether people without a seat may watch.
    watching: bool = True
    #: Without a word about it, nobody has to hurry; but windows have a length, for without one it
    #: would be seen when the last person answered.
    clock: Clock = Clock("none", window=4)
    #: How fast bots play, and what happens is shown.
    pace: Pace = "normal"
    #: Chat outlives the match.
    keep_chat: bool = False
    #: Seconds between two lines of chat of one person.
    slow: Annotated[int, Meta(ge=0, le=600)] = 0


class SettingsChange(_Body, frozen=True):
    """What the host decides anew. What is left out stays as it is."""

    public: bool | UnsetType = UNSET
    locked: bool | UnsetType = UNSET
    watching: bool | UnsetType = UNSET
    clock: Clock | UnsetType = UNSET
    pace: Pace | UnsetType = UNSET
    keep_chat: bool | UnsetType = UNSET
    slow: Annotated[int, Meta(ge=0, le=600)] | UnsetType = UNSET

    def of(self, settings: RoomSettings) -> RoomSettings:
        changes = {name: getattr(self, name) for name in self.__struct_fields__}
        kept = {name: value for name, value in changes.items() if value is not UNSET}
        return msgspec.structs.replace(settings, **kept)


class NewRoom(_Body, frozen=True):
    """Make a room, and sit down in it."""

    title: Short
    name: Short = ""
    preset: Short = ""
    #: Options in place of the preset's.
    options: dict[str, Any] = {}
    #: Content of data that is not built in: kind → content.
    data: dict[str, Any] = {}
    settings: RoomSettings = RoomSettings()
    #: Bots for the seats after one's own, by level.
    bots: Annotated[list[Short], Meta(max_length=32)] = []
    #: Begin at once.
    start: bool = False
    #: Only watch: all seats are for others or for bots.
    watch: bool = False


class Sit(_Body, frozen=True, tag_field="do", tag="sit"):
    """Take a seat, leaving one's own unless it is to be a further one (several people, one screen)."""

    seat: SeatNumber
    name: Short = ""
    further: bool = False


class Stand(_Body, frozen=True, tag_field="do", tag="stand"):
    seat: SeatNumber


class Rename(_Body, frozen=True, tag_field="do", tag="rename"):
    """A new nickname, for oneself or for one of one's further seats."""

    name: Short
    seat: SeatNumber | None = None


class PutBot(_Body, frozen=True, tag_field="do", tag="bot"):
    """A bot of this level into an empty seat, or another level for the one that is there."""

    seat: SeatNumber
    bot: Short


class Ready(_Body, frozen=True, tag_field="do", tag="ready"):
    ready: bool = True


class Start(_Body, frozen=True, tag_field="do", tag="start"):
    """Begin a match; after one has ended this is a rematch with the same people."""


class Configure(_Body, frozen=True, tag_field="do", tag="configure"):
    """Another title, preset, options or settings; what is left out stays."""

    title: Short = ""
    preset: Short = ""
    options: dict[str, Any] | None = None
    data: dict[str, Any] | None = None
    settings: SettingsChange | None = None


class Clear(_Body, frozen=True, tag_field="do", tag="clear"):
    """Host: empty a seat; a person there stays in the room."""

    seat: SeatNumber


class Remove(_Body, frozen=True, tag_field="do", tag="remove"):
    """Host: send a person out; they do not come back."""

    person: int


class HandOver(_Body, frozen=True, tag_field="do", tag="hand-over"):
    """Host: let another person be host."""

    person: int


class Hush(_Body, frozen=True, tag_field="do", tag="hush"):
    """Host: a person may not write in the chat, or may again."""

    person: int
    hushed: bool = True


class Shuffle(_Body, frozen=True, tag_field="do", tag="shuffle"):
    """Host: everybody changes seats by chance."""


class Leave(_Body, frozen=True, tag_field="do", tag="leave"):
    """Give up one's seats and go; in a match a bot plays on, until one comes back."""


class Replace(_Body, frozen=True, tag_field="do", tag="replace"):
    """In a match: let a bot play this seat (one's own; the host: one whose person is away)."""

    seat: SeatNumber
    bot: Short = ""


class TakeBack(_Body, frozen=True, tag_field="do", tag="take-back"):
    """In a match: play one's seat oneself again."""

    seat: SeatNumber


class Abandon(_Body, frozen=True, tag_field="do", tag="abandon"):
    """Host: end the match where it stands, without a result."""


Command = (
    Sit
    | Stand
    | Rename
    | PutBot
    | Ready
    | Start
    | Configure
    | Clear
    | Remove
    | HandOver
    | Hush
    | Shuffle
    | Leave
    | Replace
    | TakeBack
    | Abandon
)


class SeatView(_Answer, frozen=True):
    kind: Literal["empty", "person", "bot"]
    name: str = ""
    #: The person's number in this room.
    person: int | None = None
    bot: str = ""
    ready: bool = False
    #: Whether somebody is connected for this seat.
    present: bool = False
    #: On how many devices its person has it.
    devices: int = 0


class PersonView(_Answer, frozen=True):
    number: int
    name: str
    present: bool = False
    hushed: bool = False


class PastMatch(_Answer, frozen=True):
    id: str
    title: str
    ended: int
    ending: str = ""


class OwnData(_Answer, frozen=True):
    """A file that a room plays with: what it is called, and what is in it, in the title's words."""

    name: str
    about: list[Line] = []


class Yours(_Answer, frozen=True):
    """What one reader of a room sees in it beside what all see."""

    #: The reader's number (None: not known here) and seats, and the people of whom they read nothing.
    you: int | None = None
    yours: list[int] = []
    muted: list[int] = []


class RoomView(_Answer, frozen=True):
    """A room as one person sees it: the last three fields are theirs, all else is the same for all."""

    code: str
    title: str
    phase: Literal["open", "playing", "over"]
    #: The match that is on, or the last one.
    match: str
    #: Which seat of the room each seat of that match is.
    match_seats: list[int]
    seats: list[SeatView]
    people: list[PersonView]
    #: The host's number.
    host: int
    settings: RoomSettings
    preset: str
    options: dict[str, Any]
    #: Data that is not built in, by its kind.
    data: dict[str, OwnData]
    link: str
    #: Whom the link reaches.
    reach: Literal["computer", "network", "everybody"]
    #: Why it cannot start yet, if it cannot.
    hindrance: Why | None = None
    past: list[PastMatch] = []
    watchers: int = 0
    #: Why nobody sees its match, if there is one that cannot be shown.
    unopened: Why | None = None
    #: Grows with every change that all see: of two views the one with the greater number is newer.
    n: int = 0
    #: As `Yours` has them.
    you: int | None = None
    yours: list[int] = []
    muted: list[int] = []


class RoomLine(_Answer, frozen=True):
    """A room in the list of public ones."""

    code: str
    title: str
    phase: Literal["open", "playing", "over"]
    people: int
    bots: int
    free: int
    host: str
    clock: str


class SeatLink(_Answer, frozen=True):
    """A personal link: whoever opens it can play this seat too. The key is not sent to any server."""

    link: str
    key: str
    #: The link as a QR code: an SVG picture.
    qr: str


class UseKey(_Body, frozen=True):
    """Take a seat to this device."""

    key: Annotated[str, Meta(max_length=200)]


class Me(_Answer, frozen=True):
    """Who the server thinks one is, and who it is itself. Not the token: that is in the cookie alone."""

    #: Which Capolinea answers, with its commit.
    version: str
    rooms: list[RoomLine] = []


class TitleView(_Answer, frozen=True):
    """What can be played, as a form needs it; its further words are in the catalogues."""

    id: str
    rules: str
    #: What it is called, by language.
    name: dict[str, str]
    seats: list[int]
    unofficial: list[int]
    fields: list[Field]
    presets: dict[str, dict[str, Any]]
    bots: list[str]
    windows: list[str]
    #: What it is about, by language.
    blurb: dict[str, str] = {}
    #: About how long a match takes, if it says so.
    minutes: int = 0
    example: bool = False


# --- matches and records -------------------------------------------------------------------------


class MatchView(_Answer, frozen=True):
    """A match from outside."""

    id: str
    title: str
    rules: str
    seats: list[str]
    options: dict[str, Any]
    began: int
    ended: int | None = None
    seed_hash: str = ""
    #: Published once it is over.
    seed: str = ""
    result: Result | None = None
    entries: int = 0
    #: Why it cannot go on, if it cannot.
    frozen: str = ""
    room: str = ""


class Step(_Answer, frozen=True):
    """One step of a replay: what was told, and how the scene changed."""

    #: How many entries of the record have been made (of a match that is on: how many steps).
    entries: int
    events: list[Told]
    delta: list[Change]
    #: The move's seat, if it was a move.
    seat: int | None = None


class Replay(_Answer, frozen=True):
    """A match from one viewer's side: the first scene, and every step."""

    match: MatchView
    scene: dict[str, Any]
    steps: list[Step]


class Continue(_Body, frozen=True):
    """Play from here: a new room with this match as it stood after some entries."""

    entries: Annotated[int, Meta(ge=0, le=2**31)]
    seat: SeatNumber
    #: Who plays the other seats.
    bot: Short = ""
    name: Short = ""


# --- the socket: what clients send ---------------------------------------------------------------

ClientId = Annotated[str, Meta(min_length=1, max_length=64)]
Steps = Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=32)]
#: No step at all asks what could be done from here.
Begun = Annotated[list[dict[str, Any]], Meta(max_length=32)]


class Hello(_Body, frozen=True, tag_field="t", tag="hello"):
    """The first message: for which seat of the room this socket speaks, and what it has seen."""

    seat: SeatNumber | None = None
    #: The match and the number of the last frame that it has.
    match: Short = ""
    seen: Annotated[int, Meta(ge=0)] = 0


class Do(_Body, frozen=True, tag_field="t", tag="do"):
    """Answer a question, with all steps of the choice. `id` is the client's: a resend counts once."""

    id: ClientId
    question: int
    do: Steps
    #: The match that it is meant for, so that a resend never counts in the next one.
    match: Short = ""


class TakeUndo(_Body, frozen=True, tag_field="t", tag="undo"):
    """Take back one's last move; beyond what is free this asks the others."""

    id: ClientId
    match: Short = ""


class Speak(_Body, frozen=True, tag_field="t", tag="say"):
    """Say something in the title's own form, for all to see and kept in the record."""

    id: ClientId
    said: Any
    match: Short = ""


class AskPreview(_Body, frozen=True, tag_field="t", tag="preview"):
    """What would these steps do?"""

    id: ClientId
    do: Begun


class AskRead(_Body, frozen=True, tag_field="t", tag="read"):
    """The table read aloud: every fact that this viewer sees, as lines."""

    id: ClientId


class AskHint(_Body, frozen=True, tag_field="t", tag="hint"):
    """What would the bot do in this seat?"""

    id: ClientId


class Write(_Body, frozen=True, tag_field="t", tag="chat"):
    """Chat, to the whole table or to one's team; who has no seat writes to those who watch."""

    id: ClientId
    text: Text
    to: Literal["table", "team"] = "table"
    #: Which team, if it is for one: the match, and the seats of it that its writer means. Teams change,
    #: and what was meant for one is for no other.
    match: str = ""
    team: list[int] = []


class Mute(_Body, frozen=True, tag_field="t", tag="mute"):
    """Read nothing more from this person."""

    person: int
    muted: bool = True


class Vote(_Body, frozen=True, tag_field="t", tag="vote"):
    """Agree, or not, to what somebody proposed."""

    proposal: int
    agree: bool


class OneMoment(_Body, frozen=True, tag_field="t", tag="moment"):
    """Ask for more time in a window, once: everybody gets it, and sees who asked."""

    id: ClientId
    question: int


class See(_Body, frozen=True, tag_field="t", tag="seen"):
    """Put aside what everybody is to see before the table goes on."""

    n: int


class AskPause(_Body, frozen=True, tag_field="t", tag="pause"):
    """Propose to pause, or to go on."""

    paused: bool = True


class Keep(_Body, frozen=True, tag_field="t", tag="keep"):
    """Change what this seat keeps for itself; what is left out stays. Nobody else sees it."""

    id: ClientId
    notes: Text | None = None
    #: Windows of these kinds are passed without asking.
    passes: Annotated[list[Short], Meta(max_length=64)] | None = None
    #: Where to be called when it is one's turn; "" for nowhere.
    webhook: Annotated[str, Meta(max_length=500)] | None = None
    #: The match that it is meant for: notes on one never end up with the next.
    match: Short = ""


class Ping(_Body, frozen=True, tag_field="t", tag="ping"):
    pass


ClientMessage = (
    Hello
    | Do
    | TakeUndo
    | Speak
    | AskPreview
    | AskRead
    | AskHint
    | Write
    | Mute
    | Vote
    | OneMoment
    | See
    | AskPause
    | Keep
    | Ping
)


# --- the socket: what the server sends -----------------------------------------------------------


class Choice(_Answer, frozen=True):
    """One step that may be taken, in words, and what may follow it (nothing: it is whole)."""

    do: dict[str, Any]
    line: Line
    then: list[Choice] = []


class Asked(_Answer, frozen=True):
    """What a seat can do. The id changes only when what this seat is asked changes."""

    id: int
    must: bool
    choices: list[Choice]
    #: How many of its own last moves it may take back freely.
    undo: int = 0


class Scene(_Answer, frozen=True):
    """All that a viewer sees of a match at one moment."""

    view: Any
    awaited: Awaited
    said: list[Said]
    #: Who plays each seat: "person", "bot" or "clock".
    players: list[str]
    question: Asked | None
    result: Result | None
    #: The seats that talk among themselves, if the viewer is one of them.
    team: list[int] = []


class Missed(_Answer, frozen=True):
    n: int
    events: list[Told]


class Private(_Answer, frozen=True):
    """What a seat keeps for itself."""

    notes: str = ""
    passes: list[str] = []
    webhook: str = ""
    #: The answer that waits for the window to close, and the question it answers.
    held: list[dict[str, Any]] = []
    held_question: int = 0


class RoomNews(_Answer, frozen=True, tag_field="t", tag="room"):
    room: RoomView
    #: The seat of the room that this socket speaks for now: it stays with its person's chair.
    seat: int | None = None


class Presence(_Answer, frozen=True, tag_field="t", tag="presence"):
    """Who came and who went, and nothing else changed in the room."""

    #: Those who are here now, perhaps for the first time.
    came: list[PersonView] = []
    #: The numbers of those who are not any more.
    went: list[int] = []
    #: The seats of the room for which somebody is connected, and how many only watch.
    seats: list[int] = []
    watchers: int = 0
    #: As the room has it.
    n: int = 0


class Welcome(_Answer, frozen=True, tag_field="t", tag="welcome"):
    """The match as it stands, and the events that were missed."""

    match: str
    title: str
    #: Which seat of the match this socket speaks for; None watches.
    seat: int | None
    names: list[str]
    #: The SHA-256 of the seed: the deal cannot be changed any more.
    seed_hash: str
    n: int
    scene: Scene
    missed: list[Missed]
    private: Private | None = None


class Frame(_Answer, frozen=True, tag_field="t", tag="frame"):
    """The next step of this viewer's own stream."""

    match: str
    n: int
    events: list[Told]
    #: How the scene changed: each a path and its new value; see delta.py.
    delta: list[Change]


class Proposal(_Answer, frozen=True):
    id: int
    kind: Literal["undo", "pause"]
    #: The seat that proposed, those that agreed, and those still asked.
    by: int
    agreed: list[int]
    asked: list[int]


class Status(_Answer, frozen=True, tag_field="t", tag="status"):
    """The table beside the match: who is here, how long there is, what was proposed."""

    match: str
    #: Seats of the match whose person is connected.
    present: list[int]
    #: Milliseconds that each seat that is waited for has left; in a window, "window" alone.
    left: dict[str, int] = {}
    #: Milliseconds in each seat's bank, if there are banks.
    bank: list[int] = []
    paused: bool = False
    #: Milliseconds until what has happened has been shown: before that no time counts.
    showing: int = 0
    #: The public frame that people are to see before the table goes on, and the seats that still look:
    #: until each has seen it, or all this time is over, of which nothing more is said.
    rest: int = 0
    looking: list[int] = []
    #: There is a window that closes by itself, for which nobody has to say that they pass; and the seats
    #: that have asked for a moment in it.
    timed: bool = False
    moments: list[int] = []
    proposal: Proposal | None = None
    #: Why the match cannot go on, if it cannot.
    frozen: str = ""


class Done(_Answer, frozen=True, tag_field="t", tag="done"):
    """It counts, and it is kept."""

    id: str


class PrivateNews(_Answer, frozen=True, tag_field="t", tag="private"):
    """What this seat keeps for itself changed, on this device or another."""

    private: Private


class No(_Answer, frozen=True, tag_field="t", tag="refused"):
    """It does not count, and why."""

    why: Why
    id: str = ""
    #: What the seat is asked now, if the answer was to an older question.
    question: int | None = None


class Previewed(_Answer, frozen=True, tag_field="t", tag="preview"):
    id: str
    preview: Any


class Reading(_Answer, frozen=True, tag_field="t", tag="reading"):
    """Every fact that can be seen, a line each."""

    id: str
    lines: list[Line]
    #: The places of those that who watches is not told: to be covered where a neighbour could look on.
    own: list[int] = []


class Hint(_Answer, frozen=True, tag_field="t", tag="hint"):
    """What the bot would do; nothing: let the moment pass."""

    id: str
    #: Which question it answers: by now something else may be asked.
    question: int
    do: list[dict[str, Any]]
    lines: list[Line]


class Chat(_Answer, frozen=True, tag_field="t", tag="chat"):
    n: int
    #: Who wrote it: the number in the room, and the name at that time.
    person: int
    name: str
    to: Literal["table", "team", "watchers"]
    text: str
    #: Milliseconds since 1970.
    at: int


class Bye(_Answer, frozen=True, tag_field="t", tag="bye"):
    """The server goes; come back in a moment, or (when removed) do not."""

    why: Literal["restart", "removed", "closed", "flood"]


class Pong(_Answer, frozen=True, tag_field="t", tag="pong"):
    pass


ServerMessage = (
    RoomNews
    | Presence
    | PrivateNews
    | Welcome
    | Frame
    | Status
    | Done
    | No
    | Previewed
    | Reading
    | Hint
    | Chat
    | Bye
    | Pong
)

_decoder: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
decode_message = _decoder.decode
encode = msgspec.json.Encoder().encode


def room_as_read(shared: bytes, own: Yours) -> bytes:
    """A RoomView as JSON, from what all who look see, encoded once for them, and what one of them does."""
    mine = encode(own)
    return shared if mine == b"{}" else shared[:-1] + b"," + mine[1:]


def room_news(view: bytes, seat: int | None) -> bytes:
    """A RoomNews of a view that is JSON already."""
    return encode(RoomNews(cast(RoomView, msgspec.Raw(view)), seat))
