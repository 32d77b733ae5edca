"""Where bots think: who waits for whom, how often anybody is asked, and what a process remembers."""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from capolinea import bots, games
from capolinea.engine.options import convert
from capolinea.server import minds as minds_module
from capolinea.server import players
from capolinea.server.minds import Answer, Minds, Moment, Variant, thought
from capolinea.server.players import ask_of, moment_of, variant_of
from capolinea.server.set_up import usual_bot
from capolinea.server.table import Table
from capolinea.server.workers import Crew, Worker
from tests.server.asks import STRANGERS, asking, table_alone, whys
from tests.server.mail import load
from tests.server.tables import TIME, serving
from tests.server.test_minds import moves_of, table_of, until, wait_until_gone, watched

THINKER = Path(__file__).with_name("thinker.py")
DICE = Path(__file__).parents[2] / "examples" / "program_bot.py"
#: Nobody is ever too slow.
HOUR = 3600
NEVER = STRANGERS + "Sleeper"


@pytest.fixture(autouse=True)
def programs() -> Iterator[None]:
    """A server makes its programs known in its own process, too."""
    yield
    bots.PROGRAMS.clear()


# --- who waits for whom --------------------------------------------------------------------------


async def test_a_program_that_never_answers_holds_up_no_other_bot(tmp_path: Path) -> None:
    """Neither ours nor another program, and were there but one process of each kind."""
    commands = (f"stuck={sys.executable} {THINKER} {tmp_path}", f"dice={sys.executable} {DICE}")

    async with serving(tmp_path, bots=commands) as server, server.client() as client:
        stuck = table_of(server, await watched(client, "night-mail", ["stuck", "random"]))
        await until(lambda: any(tmp_path.glob("*.thinking")))
        before = stuck.match.entries.copy()
        for players in (["random"] * 3, ["dice", "random"]):
            table = table_of(server, await watched(client, "night-mail", players))
            await until(lambda table=table: table.over)  # type: ignore[misc]
        assert stuck.match.entries == before
        assert moves_of(stuck, 0) == []


async def test_who_never_answers_holds_up_no_other_match() -> None:
    """There is another process for all of them, whichever they were in before."""
    minds = Minds(2, HOUR, {})
    table = table_alone("stuck")
    try:
        stuck = asyncio.create_task(minds.think(variant_of(table), asking(table, NEVER)))
        for number in range(8):
            table = table_alone(f"match {number}")
            answers = await minds.think(variant_of(table), asking(table, "random"))
            assert whys(answers) == [""]
        assert not stuck.done()
        stuck.cancel()
    finally:
        minds.close()


async def test_who_is_too_slow_or_dies_takes_nobody_along_who_is_asked_with_it() -> None:
    players = [
        "random", NEVER, "random", STRANGERS + "Killer", STRANGERS + "Crasher", "random",
    ]  # fmt: skip
    table = table_alone()
    variant, moment = variant_of(table), asking(table, *players)

    minds = Minds(1, 4, {})
    try:
        answers = await minds.think(variant, moment)
    finally:
        minds.close()
    assert whys(answers) == ["", "TooSlow", "", "Died", "ValueError", ""]
    for ask, answer in zip(moment.asks, answers, strict=True):
        if not answer.why:
            assert answer.thought == thought(variant, moment, ask)


async def test_who_stops_waiting_is_out_of_the_queue_and_the_others_keep_their_turns() -> None:
    """A process is busy until it is done, whether or not somebody still waits for that."""
    crew = Crew(1, print)
    begun: list[str] = []
    enough = asyncio.Event()

    def task(name: str) -> asyncio.Task[None]:
        async def take(_: Worker) -> None:
            begun.append(name)
            await enough.wait()

        return asyncio.create_task(crew.work(name, take))

    first, second, third = map(task, ("first", "second", "third"))
    await until(lambda: bool(begun))
    first.cancel()
    second.cancel()
    await asyncio.wait([first, second])
    assert begun == ["first"]
    enough.set()
    await third
    assert begun == ["first", "third"]


async def test_a_match_stays_where_it_is_known_while_that_is_free() -> None:
    crew = Crew(3, print)

    async def taken(worker: Worker) -> Worker:
        return worker

    usual = {await crew.work("a match", taken) for _ in range(9)}
    assert len(usual) == 1
    assert {await crew.work(f"match {number}", taken) for number in range(50)} == {*crew.workers}


# --- how often anybody is asked ------------------------------------------------------------------


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """All that processes are sent, in this order."""
    found: list[Any] = []
    send = Worker.send

    def noting(worker: Worker, message: bytes) -> None:
        found.append(pickle.loads(message))
        send(worker, message)

    monkeypatch.setattr(Worker, "send", noting)
    return found


async def test_the_bots_of_a_table_are_asked_in_one_message_and_what_they_play_is_told_once(
    tmp_path: Path, sent: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Moment] = []
    think = Minds.think

    async def noting(minds: Minds, variant: Variant, moment: Moment) -> list[Answer]:
        asked.append(moment)
        return await think(minds, variant, moment)

    monkeypatch.setattr(Minds, "think", noting)
    written: list[Variant] = []

    def noted(table: Table) -> Variant:
        written.append(variant_of(table))
        return written[-1]

    monkeypatch.setattr(players, "variant_of", noted)

    async with serving(tmp_path) as server, server.client() as client:
        for _ in range(2):
            code = await watched(client, "stop-the-train", ["passenger"] * 5)
            table = table_of(server, code)
            await until(lambda table=table: table.over)  # type: ignore[misc]
    messages = [one for one in sent if not isinstance(one, str)]
    told = [variant for _, variant, _ in messages if variant is not None]
    assert len(written) == 2
    assert len(told) == 1  # both matches have the same options
    assert len(messages) == len(asked) + len(told)
    assert max(len(moment.asks) for moment in asked) == 5


async def test_each_kind_of_program_is_asked_apart_in_one_message(
    tmp_path: Path, sent: list[Any]
) -> None:
    """And everybody gets their own answer."""
    commands = {name: [sys.executable, str(DICE)] for name in ("one", "two")}
    table = table_alone()
    moment = asking(table, "one", "random", "two", "nobody", "one")

    minds = Minds(1, HOUR, commands)
    try:
        for _ in range(2):
            answers = await minds.think(variant_of(table), moment)
            assert whys(answers) == ["", "", "", "bot.unknown", ""]
    finally:
        minds.close()
    asked = [tuple(ask.bot for ask in moment.asks) for _, variant, moment in sent if not variant]
    assert Counter(asked) == {("one", "one"): 2, ("two",): 2, ("random", "nobody"): 2}


@pytest.mark.parametrize("title", list(games.TITLES))
async def test_asked_together_or_alone_a_bot_thinks_the_same(title: str) -> None:
    table = table_alone(title=title)
    game, match = table.game, table.match
    variant = variant_of(table)
    bot = usual_bot(game)

    together, alone = Minds(1, HOUR, {}), Minds(1, HOUR, {})
    try:
        for number in range(12):
            seats = match.state.waiting()
            asks = [
                ask_of(table, seat, bot, match.tree(seat), False, True, b"%d %d" % (seat, number))
                for seat in seats
            ]
            moment = moment_of(table, asks)
            answers = await together.think(variant, moment)
            for ask, answer in zip(asks, answers, strict=True):
                [other] = await alone.think(variant, moment_of(table, [ask]))
                assert answer.thought == other.thought == thought(variant, moment, ask)
            assert answers[0].thought is not None
            match.move(seats[0], answers[0].thought.steps)
    finally:
        together.close()
        alone.close()


def test_what_is_said_after_they_were_asked_they_do_not_hear() -> None:
    """They may have to wait for their turn to think: what they know is of one moment."""
    table = table_alone()
    [seat] = table.match.state.waiting()
    table.match.move(seat, [table.game.space.parse(load("letter")[0])])
    moment = moment_of(table, [])
    table.match.say(seat, {"bag": ["letter"]})
    assert len(table.match.said) == 1
    assert moment.said == []


# --- what a process remembers --------------------------------------------------------------------


class Heard:
    """A line on which these messages come, and what is answered on it."""

    def __init__(self, *messages: Any) -> None:
        self._messages = messages
        self.answers: list[Answer | None] = []

    def messages(self) -> Iterator[bytes]:
        return map(pickle.dumps, self._messages)

    def send(self, message: bytes) -> None:
        self.answers.append(msgspec.msgpack.decode(message, type=Answer | None))


@pytest.fixture
def conversions(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The options that were made from JSON; nothing is remembered before or after."""
    made: list[Any] = []

    def noting(*arguments: Any) -> Any:
        made.append(convert(*arguments))
        return made[-1]

    monkeypatch.setattr(minds_module, "convert", noting)
    monkeypatch.setattr(minds_module, "_variants", {})
    monkeypatch.setattr(minds_module, "_memory", {})
    return made


def hear(*messages: Any) -> list[Answer | None]:
    line: Any = Heard(*messages)
    minds_module.attend(line, {})
    found: list[Answer | None] = line.answers
    return found


def test_options_are_made_once_for_all_matches_that_have_the_same(conversions: list[Any]) -> None:
    variant = variant_of(table_alone())
    moments = [asking(table_alone(f"match {number}"), "random", "random") for number in range(9)]
    answers = hear(
        (variant.key, variant, moments[0]), *((variant.key, None, one) for one in moments)
    )
    assert [one.why for one in answers if one is not None] == [""] * 20
    assert len(conversions) == 1


def test_a_process_says_when_it_has_not_heard_of_something(conversions: list[Any]) -> None:
    table = table_alone()
    variant, moment = variant_of(table), asking(table, "random")
    assert hear((variant.key, None, moment)) == [None]
    assert conversions == []


@pytest.mark.parametrize("bound", ["REMEMBERED", "REMEMBERED_BYTES"])
def test_what_is_not_asked_for_lately_is_forgotten(
    conversions: list[Any], monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    """So that nobody fills a process with what they bring."""
    table = table_alone()
    own, moment = variant_of(table), asking(table, "random")
    monkeypatch.setattr(minds_module, bound, 3 if bound == "REMEMBERED" else 4 * len(own.json))
    others = [Variant(own.title, own.rules, own.json + b" " * size) for size in range(1, 6)]
    hear((own.key, own, moment))
    for other in others:
        hear((other.key, other, moment), (own.key, None, moment))
        assert len(minds_module._variants) <= 3
    # What is asked for stays; what was asked for before the others goes.
    assert hear((own.key, None, moment)) != [None]
    assert hear((others[0].key, None, moment)) == [None]


def test_other_contents_have_another_key() -> None:
    variants = [Variant(*words) for words in (("a", "b", b"c"), ("a", "c", b"c"), ("a", "b", b"d"))]
    assert len({one.key for one in variants}) == 3


def test_what_cannot_be_written_down_is_no_answer(conversions: list[Any]) -> None:
    table = table_alone()
    variant, moment = variant_of(table), asking(table, STRANGERS + "Mumbler", "random")
    asks = [msgspec.structs.replace(ask, speak=True) for ask in moment.asks]
    moment = msgspec.structs.replace(moment, asks=asks)
    found = hear((variant.key, variant, moment))
    assert [one.why for one in found if one is not None] == ["TypeError", ""]


# --- how it ends ---------------------------------------------------------------------------------


async def test_a_program_ends_with_its_match_wherever_it_was_asked(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    program = tmp_path / "good.py"
    program.write_text(
        "import os, sys\n"
        f"print(os.getpid(), file=open({str(pids)!r}, 'a'), flush=True)\n"
        "for line in sys.stdin: print('{\"choose\": 0}', flush=True)\n"
    )
    table = table_alone()
    variant, moment = variant_of(table), asking(table, "good")

    minds = Minds(2, HOUR, {"good": [sys.executable, "-S", str(program)]})
    try:
        await asyncio.gather(*(minds.think(variant, moment) for _ in range(2)))
        started = [int(pid) for pid in pids.read_text().split()]
        assert len(started) == 2
        minds.forget("a match")
        for pid in started:
            await asyncio.to_thread(wait_until_gone, pid)
    finally:
        minds.close()


def run_script(folder: Path, body: str) -> subprocess.CompletedProcess[bytes]:
    """A process of its own in which bots think, with `minds`, `variant` and `moment`."""
    script = folder / "script.py"
    script.write_text(
        "import asyncio, os, signal, sys, time\n"
        "from pathlib import Path\n"
        "from capolinea.server.minds import Minds\n"
        "from capolinea.server.players import variant_of\n"
        "from tests.server.asks import asking, table_alone\n"
        "async def main():\n"
        f"    minds = Minds(1, 3600, {{'stuck': [sys.executable, 'stuck.py']}})\n"
        "    table = table_alone()\n"
        f"    {body}\n"
        "if __name__ == '__main__':\n"
        "    asyncio.run(main())\n"
    )
    (folder / "stuck.py").write_text(
        "import os\nopen('pid', 'w').write(str(os.getpid()) + ' ')\nwhile True: pass\n"
    )
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    return subprocess.run(
        [sys.executable, script], env=paths, cwd=folder, timeout=TIME, check=False
    )


def test_no_program_outlives_a_server_that_was_killed(tmp_path: Path) -> None:
    """Not even one that turns in circles and hears nothing."""
    done = run_script(
        tmp_path,
        "asyncio.create_task(minds.think(variant_of(table), asking(table, 'stuck')))\n"
        "    pid = Path('pid')\n"
        "    while not (pid.exists() and pid.read_text().endswith(' ')):\n"
        "        await asyncio.sleep(0.01)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)",
    )
    assert done.returncode == -signal.SIGKILL
    wait_until_gone(int((tmp_path / "pid").read_text()))


def test_a_server_that_just_ends_waits_for_no_process(tmp_path: Path) -> None:
    done = run_script(tmp_path, "await minds.think(variant_of(table), asking(table, 'random'))")
    assert done.returncode == 0
