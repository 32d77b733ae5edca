"""One socket: a seat at a table, or a place to watch from."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import (
    ConnectionClosed,
    InvalidHandshake,
    InvalidMessage,
    InvalidStatus,
)

from capolinea.patch import patched

#: Seconds between attempts to come back, the last one again and again.
BACKOFF = (0.1, 0.3, 1, 2, 5)
#: So many lines of chat are kept, the last ones.
MOST_CHAT = 1000
#: Reasons to be let go after which there is no coming back.
FINAL = {"removed", "flood"}
#: Reasons not to be let in that may be gone the next time.
PASSING = {"table.not-kept", "table.not-read", "serve.our-fault"}
Json = dict[str, Any]


class Gap(ConnectionError):
    """A frame is missing. Whoever says hello again gets it."""


class Refusal(Exception):
    """The table said no to something: `key` and `arguments` say why, `rule` which rule it is."""

    def __init__(self, why: Json) -> None:
        super().__init__(why)
        self.key = str(why.get("key", ""))
        self.arguments: Json = why.get("args", {})
        self.rule = str(why.get("rule", ""))


class Seat:
    """Keeps what this seat sees up to date, and comes back by itself when the connection breaks."""

    def __init__(self, url: str, cookie: str, seat: int | None) -> None:
        self.url = url
        self.cookie = cookie
        self.seat = seat
        self.room: Json = {}
        self.match = ""
        self.number: int | None = None
        self.names: list[str] = []
        self.seed_hash = ""
        #: The number of the last frame, and all that can be seen.
        self.n = 0
        self.scene: Json = {}
        self.status: Json = {}
        self.private: Json = {}
        self.chat: list[Json] = []
        #: Every event so far, as the log has them.
        self.events: list[Json] = []
        #: Everything that came over the wire, if somebody wants it: set to [] to keep it.
        self.received: list[str] | None = None
        #: The question that the last hint is about.
        self.hinted = 0
        self.closed = ""
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news: asyncio.Queue[Json] = asyncio.Queue()
        self._answers: dict[str, asyncio.Future[Json]] = {}
        self._unanswered: dict[str, str] = {}
        self._first: asyncio.Future[None] | None = None
        #: This connection has been let in; how often in a row one was not.
        self._let_in = False
        self._failures = 0

    # --- what is known ---------------------------------------------------------------------------

    @property
    def view(self) -> Json:
        found: Json = self.scene.get("view") or {}
        return found

    @property
    def question(self) -> Json:
        found: Json = self.scene.get("question") or {}
        return found

    @property
    def must(self) -> bool:
        """The game waits for this seat, and no answer of ours waits for a window to close."""
        answered = self.private.get("held_question", 0) == self.question.get("id")
        return bool(self.question.get("must")) and not answered

    @property
    def choices(self) -> list[Json]:
        """What may be done, as a tree: each with `do`, `line` and what may come `then`."""
        found: list[Json] = self.question.get("choices", [])
        return found

    def whole_choices(self) -> list[list[Json]]:
        """What may be done, each with all its steps."""
        return list(_paths(self.choices))

    @property
    def result(self) -> Json | None:
        found: Json | None = self.scene.get("result")
        return found

    # --- coming and going ------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        self._first = asyncio.get_running_loop().create_future()
        self._reader = asyncio.create_task(self._run())
        await self._first
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        way: TracebackType | None,
    ) -> None:
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.gather(self._reader, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    async def drop(self) -> None:
        """Break the connection as a bad network would; it comes back by itself."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def _run(self) -> None:
        while not self.closed:
            try:
                await self._once()
            except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError) as error:
                if isinstance(error, InvalidHandshake) and not _passing(error):
                    self._end(f"refused: {error}")
            except Exception as error:
                self._end(repr(error))  # nobody should wait for answers that nobody reads
                raise
            if not self.closed:
                await asyncio.sleep(BACKOFF[min(self._failures, len(BACKOFF) - 1)])
                self._failures += 1

    async def _once(self) -> None:
        headers = {"Cookie": self.cookie} if self.cookie else {}
        async with connect(
            self.url, additional_headers=headers, compression=None, max_size=None
        ) as socket:
            self._socket, self._let_in = socket, False
            hello = {"t": "hello", "seat": self.seat, "match": self.match, "seen": self.n}
            await socket.send(json.dumps(hello))
            # What was not answered may have been lost, or only its answer: it counts once.
            for message in list(self._unanswered.values()):
                await socket.send(message)
            async for text in socket:
                assert isinstance(text, str)
                try:
                    self._take(text)
                except Gap:
                    socket.transport.abort()
                    raise

    def _end(self, why: str) -> None:
        self.closed = why
        if self._first is not None and not self._first.done():
            self._first.set_exception(ConnectionError(why))
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ConnectionError(why))
        self._news.put_nowait({"t": "closed", "why": why})

    # --- what comes ------------------------------------------------------------------------------

    def _take(self, text: str) -> None:
        if self.received is not None:
            self.received.append(text)
        message: Json = json.loads(text)
        match message["t"]:
            case "room":
                self.room = message["room"]
                self._let_in = True
                if not self.room["match"]:
                    self._failures = 0
                self.seat = message.get("seat")
            case "presence":
                self.room = _present(self.room, message)
            case "welcome":
                self._welcome(message)
            case "frame":
                self._frame(message)
            case "status":
                self.status = message
            case "private":
                self.private = message["private"]
            case "chat":
                if all(line["n"] != message["n"] for line in self.chat):
                    self.chat.append(message)
                    del self.chat[:-MOST_CHAT]
            case "bye":
                if message["why"] in FINAL:
                    self._end(message["why"])
            case "refused" if not message.get("id") and not self._let_in:
                if message["why"]["key"] not in PASSING:
                    self._end(message["why"]["key"])
        self._resolve(message)
        if self.room and self._first is not None and not self._first.done():
            comes = self.room["match"] and not self.room.get("unopened")
            waits_for_match = comes and not self.match
            if not waits_for_match:
                self._first.set_result(None)
        self._news.put_nowait(message)

    def _welcome(self, message: Json) -> None:
        self._failures = 0
        missed = message["missed"]
        if message["match"] != self.match or (missed and missed[0]["n"] <= self.n):
            self.events = []  # it is told from the beginning
        self.match, self.number, self.names = message["match"], message["seat"], message["names"]
        self.n, self.scene, self.seed_hash = message["n"], message["scene"], message["seed_hash"]
        self.private = message.get("private") or {}
        self.events += [event for step in missed for event in step["events"]]

    def _frame(self, message: Json) -> None:
        if message["match"] == self.match and message["n"] <= self.n:
            return  # welcome brought it
        if message["match"] != self.match or message["n"] > self.n + 1:
            raise Gap(f"frame {message['n']} came after {self.n}")
        self.n = message["n"]
        self.events += message["events"]
        self.scene = patched(self.scene, message["delta"])

    def _resolve(self, message: Json) -> None:
        answer = self._answers.get(message.get("id", ""))
        if answer is not None and message["t"] in ("done", "refused", "preview", "reading", "hint"):
            self._unanswered.pop(message["id"], None)
            if not answer.done():
                answer.set_result(message)

    async def news(self) -> AsyncIterator[Json]:
        """Every message as it comes, after it has been taken in; ends when the match is over."""
        yield {"t": "now"}
        while not self.closed:
            if self.result is not None and self._news.empty():
                return
            yield await self._news.get()

    async def until(self, condition: Any, seconds: float = 30) -> None:
        """Wait until something holds."""
        async with asyncio.timeout(seconds):
            while not condition(self):
                await self._news.get()

    # --- what goes -------------------------------------------------------------------------------

    async def do(self, steps: Sequence[Json], id: str = "") -> None:
        """Answer the question that is asked now; a Refusal says why not."""
        question = self.question.get("id", 0)
        message = {"t": "do", "match": self.match, "question": question, "do": list(steps)}
        await self._ask(message, id)

    async def say(self, said: Any) -> None:
        await self._ask({"t": "say", "match": self.match, "said": said})

    async def undo(self) -> None:
        await self._ask({"t": "undo", "match": self.match})

    async def preview(self, steps: Sequence[Json]) -> Json:
        found: Json = (await self._ask({"t": "preview", "do": list(steps)}))["preview"]
        return found

    async def read(self) -> list[Json]:
        """Every fact that this seat sees, as lines: keys and arguments."""
        found: list[Json] = (await self.reading())["lines"]
        return found

    async def reading(self) -> Json:
        """The same, with `own`: the places of the lines that nobody else may hear."""
        return await self._ask({"t": "read"})

    async def hint(self) -> list[Json]:
        """What the bot would do about the question `hinted`; by now something else may be asked."""
        answer = await self._ask({"t": "hint"})
        self.hinted = int(answer["question"])
        found: list[Json] = answer["do"]
        return found

    async def write(self, text: str, to: str = "table") -> None:
        """Chat to the "table" or to one's "team", as it is at this moment."""
        team = self.scene.get("team", []) if to == "team" else []
        await self._ask({"t": "chat", "text": text, "to": to, "match": self.match, "team": team})

    async def keep(self, **changes: Any) -> None:
        """Notes, standing passes, a webhook."""
        await self._ask({"t": "keep", "match": self.match, **changes})

    async def ask_moment(self) -> None:
        """More time for everybody in the window that asks this seat."""
        await self._ask({"t": "moment", "question": self.question.get("id", 0)})

    async def seen(self) -> None:
        """This seat has seen what the table waits for."""
        await self.send({"t": "seen", "n": self.status.get("rest", 0)})

    async def vote(self, agree: bool) -> None:
        await self.send({"t": "vote", "proposal": self.status["proposal"]["id"], "agree": agree})

    async def pause(self, paused: bool = True) -> None:
        await self.send({"t": "pause", "paused": paused})

    async def send(self, message: Json | str) -> None:
        """Send something without waiting for an answer."""
        assert self._socket is not None
        text = message if isinstance(message, str) else json.dumps(message)
        await self._socket.send(text)

    async def _ask(self, message: Json, id: str = "") -> Json:
        if self.closed:
            raise ConnectionError(self.closed)
        id = id or uuid.uuid4().hex
        text = json.dumps({**message, "id": id})
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._answers[id] = answer
        self._unanswered[id] = text
        try:
            with suppress(ConnectionClosed):  # then it is sent again when the connection is back
                await self.send(text)
            found = await answer
        finally:
            self._answers.pop(id, None)
            self._unanswered.pop(id, None)
        if found["t"] == "refused":
            raise Refusal(found["why"])
        return found


def _present(room: Json, news: Json) -> Json:
    """The room with those who are in it now."""
    came = {person["number"]: person for person in news.get("came", [])}
    known = {person["number"]: person for person in room["people"]} | came
    went, seats = news.get("went", []), news.get("seats", [])
    return {
        **room,
        "people": [
            {**person, "present": False} if number in went else person
            for number, person in known.items()
        ],
        "seats": [
            {**seat, "present": number in seats} for number, seat in enumerate(room["seats"])
        ],
        "watchers": news.get("watchers", 0),
        "n": news.get("n", 0),
    }


def _passing(error: InvalidHandshake) -> bool:
    """A proxy answers for a server that is just starting again; one that stops may answer nothing. Who
    came too often is told when to come again."""
    if isinstance(error, InvalidStatus):
        passing = error.response.status_code in (500, 502, 503, 504)
        return passing or "Retry-After" in error.response.headers
    return isinstance(error, InvalidMessage)


def _paths(choices: list[Json]) -> Iterator[list[Json]]:
    """Copies: the scene itself changes with the next frame, under whoever still holds a part of it."""
    for choice in choices:
        if choice.get("then"):
            for rest in _paths(choice["then"]):
                yield [dict(choice["do"]), *rest]
        else:
            yield [dict(choice["do"])]
