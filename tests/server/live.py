"""A server in a thread of its own, for tests that are no coroutines; and what refusals must be like."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeVar

import pytest

from capolinea import games
from capolinea.server.hub import Hub
from capolinea.words import Words, languages
from tests.server.tables import TIME, serving

Found = TypeVar("Found")
#: For modules with strategies of hypothesis: server and sockets are in this process, too, and their
#: libraries may well draw a random number meanwhile.
beside_the_server = pytest.mark.filterwarnings("ignore:Do not use the `random` module")
#: Settings of a room where windows close as soon as everybody has answered.
UNHURRIED = {"clock": {"kind": "none"}}


class Live:
    """A server that is up, and its event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.up = Event()
        self.done = asyncio.Event()
        self.failed: BaseException | None = None
        self.url = ""
        self.hub: Hub

    def run(self, work: Coroutine[Any, Any, Found]) -> Found:
        """Do something there."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(TIME)

    async def stay(self, folder: Path, settings: dict[str, Any]) -> None:
        async with serving(folder, **settings) as server:
            self.url, self.hub = server.url, server.hub
            self.up.set()
            await self.done.wait()


@contextmanager
def living(folder: Path, **settings: Any) -> Iterator[Live]:
    live = Live()

    def work() -> None:
        try:
            with asyncio.Runner(loop_factory=lambda: live.loop) as runner:
                runner.run(live.stay(folder, settings))
        except BaseException as error:
            live.failed = error
        finally:
            live.up.set()

    thread = Thread(target=work)
    thread.start()
    live.up.wait(TIME)
    try:
        if live.failed is None:
            yield live
    finally:
        if not live.loop.is_closed():
            live.loop.call_soon_threadsafe(live.done.set)
        thread.join(TIME)
        if live.failed is not None:
            raise live.failed


# --- refusals ------------------------------------------------------------------------------------

#: What tells a stranger about the inside of the server.
_INSIDE = re.compile(
    r"Traceback|File \\?\"|\.py\b|site-packages|/(?:tmp|home|usr|work|root)/|0x[0-9a-f]{6}"
)


def said_why(why: dict[str, Any], sent: str = "") -> str:
    """The reason in words, having been looked at in every language, and for what it gives away."""
    text = json.dumps(why, ensure_ascii=False)
    if not _INSIDE.search(sent):  # whoever sends such a thing may get it back
        assert not _INSIDE.search(text), text
    assert set(why) <= {"key", "args", "rule"}, text
    return next(iter([_in_words(words, why) for words in _everything()]))


def _in_words(words: Words, why: dict[str, Any]) -> str:
    args = {name: _plain(words, value) for name, value in why.get("args", {}).items()}
    return words.say(why["key"], args, names=["Ada", "Bruno", "Carla", "Dino", "Eva", "Fede"])


def _plain(words: Words, value: Any) -> Any:
    """A reason may have others as its causes."""
    if isinstance(value, dict):
        return _in_words(words, value)
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        return "\n".join(_plain(words, item) for item in value)
    return value


@cache
def _everything() -> list[Words]:
    folders = [games.load(name).folder / "words" for name in games.TITLES]
    return [Words.of(lang, *folders) for lang in sorted(languages())]
