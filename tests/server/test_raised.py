"""What was refused leaves nothing behind. An exception that was raised holds all that its raiser had in
hand, a request's body among it; raised again it holds more. So none is kept, and none that was kept is
raised: `Problem.again` makes another."""

from __future__ import annotations

import ast
import gc
import tracemalloc
import weakref
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from capolinea.client import Failed, Refusal
from capolinea.engine.problems import Problem, Refused
from capolinea.server.garbage import Garbage
from capolinea.server.protocol import Clock
from capolinea.server.work import Asker, Busy, Kept, Process, TooSlow, Workshop
from tests.server.hourglass import Chair, House, at
from tests.server.tables import serving
from tests.server.test_bounds import name_of, sources

MEGABYTE = 1_000_000


# --- in the sources ------------------------------------------------------------------------------


def made_here(raised: ast.expr | None, handlers: set[str]) -> bool:
    """Whether this is made at the moment at which it is raised, or was caught and goes on."""
    match raised:
        case None | ast.Call() | ast.Await(value=ast.Call()):
            return True
        case ast.Name(id=name):
            return name in handlers or name[0].isupper()
    return False


def raises(node: ast.AST, handlers: frozenset[str] = frozenset()) -> Iterator[str]:
    """Where something is raised that was made before."""
    if isinstance(node, ast.ExceptHandler) and node.name:
        handlers |= {node.name}
    if isinstance(node, ast.Raise) and not made_here(node.exc, set(handlers)):
        yield ast.unparse(node)
    for child in ast.iter_child_nodes(node):
        yield from raises(child, handlers)


def makers() -> set[str]:
    """The functions whose answer is raised."""
    found = {
        name_of(node.exc.func)
        for source in server_sources().values()
        for node in ast.walk(source)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    }
    return found - {"again"}


def keeps(source: ast.AST) -> Iterator[str]:
    """Where something that was caught is put where it stays."""
    for handler in (node for node in ast.walk(source) if isinstance(node, ast.ExceptHandler)):
        for node in ast.walk(handler):
            match node:
                case ast.Assign(value=ast.Name(id=name)) if name == handler.name:
                    yield ast.unparse(node)
                case ast.Call(func=ast.Attribute(attr=how)) if how in ("_replace", "set_exception"):
                    given = [*node.args, *(keyword.value for keyword in node.keywords)]
                    if any(isinstance(one, ast.Name) and one.id == handler.name for one in given):
                        yield ast.unparse(node)


def server_sources() -> dict[str, ast.Module]:
    return {
        file: tree for file, tree in sources().items() if file.startswith(("server/", "engine/"))
    }


def test_whatever_is_raised_was_made_for_that() -> None:
    found = [f"{file}: {one}" for file, tree in server_sources().items() for one in raises(tree)]
    assert found == []


def test_what_makes_something_to_be_raised_makes_it_anew() -> None:
    functions = [
        node
        for tree in server_sources().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.name in makers()
    ]
    assert functions
    returned = [n for f in functions for n in ast.walk(f) if isinstance(n, ast.Return)]
    stored = [ast.unparse(one) for one in returned if isinstance(one.value, ast.Attribute)]
    assert stored == []


def test_nothing_that_was_caught_is_kept() -> None:
    found = [f"{file}: {one}" for file, tree in server_sources().items() for one in keeps(tree)]
    assert found == []


# --- again ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "problem",
    [
        Problem("room.taken", name="Ada"),
        Refused("refused.seats", rule="ST-1", seats=1),
        Busy(3),
        Problem("data.faults", faults=[Problem("pack.form"), Problem("pack.card", row=2)]),
    ],
)
def test_the_same_anew_says_the_same_and_holds_nothing(problem: Problem) -> None:
    def raised(one: Problem) -> Problem:
        try:
            raise one
        except Problem as caught:
            return caught

    again = raised(problem).again()
    assert type(again) is type(problem)
    assert str(again) == str(problem)
    assert {**vars(again), "args_": 0} == {**vars(problem), "args_": 0}
    assert again.__traceback__ is None
    for cause in again.args_.get("faults", []):  # type: ignore[attr-defined]
        assert cause.__traceback__ is None


# --- in memory -----------------------------------------------------------------------------------


async def held_after(times: int, refuse: Callable[[int], Awaitable[None]]) -> int:
    """How many bytes are held after so many were refused, if the collector looks at nothing."""
    await refuse(-1)
    gc.collect()
    gc.disable()
    tracemalloc.start(1)
    try:
        for n in range(times):
            await refuse(n)
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
        gc.enable()


async def refused(asking: Awaitable[Any], key: str) -> None:
    found = ""
    try:
        await asking
    except Failed as failure:  # not pytest.raises, which keeps it
        found = failure.key
    assert found == key


async def test_files_that_are_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, server.client() as ada:
        code = (await ada.create("trial-by-trolley", name="Ada"))["code"]

        async def refuse(n: int) -> None:
            body = (f"nonsense {n};" + "x" * MEGABYTE).encode()
            path = f"/api/rooms/{code}/data/pack?name=a.csv"
            await refused(ada.request("POST", path, body), "data.faults")

        assert await held_after(8, refuse) < 2 * MEGABYTE


async def test_rooms_that_are_refused(tmp_path: Path) -> None:
    """What is remembered of what they were to play is the reason, not the pack."""
    async with serving(tmp_path) as server, server.client() as ada:
        server.hub.work._kept = Kept(0)  # which has a bound of its own

        async def refuse(n: int) -> None:
            text = f"{n} " + "x y" * 60
            decks = ["guilty", "modifier", *["innocent"] * 800]
            cards = [{"deck": d, "text": {"en": f"{text} {i}"}} for i, d in enumerate(decks)]
            more = {"data": {"pack": {"cards": cards}}, "options": {"pack": "ours"}}
            await refused(
                ada.create("trial-by-trolley", bots=["advocate"] * 6, start=True, **more),
                "refused.deck",
            )

        assert await held_after(5, refuse) < MEGABYTE


class Slow(Process):
    async def run(self, work: Callable[..., Any], arguments: tuple[Any, ...]) -> bytes:
        raise TooSlow


async def test_what_takes_too_long() -> None:
    shop = Workshop(1, 20)
    shop._idle = [Slow(20, {})]

    async def refuse(n: int) -> None:
        try:
            await shop.do(Asker("", ""), len, "x" * MEGABYTE + str(n))
        except TooSlow:
            return
        raise AssertionError

    assert await held_after(3, refuse) < MEGABYTE


async def evening() -> House:
    house = House("night-mail", 1, Clock("none"))
    await house.open(bots=1)
    return house


@at(evening)
async def test_messages_to_a_match_that_cannot_be_opened(house: House) -> None:
    await house.command(0, {"do": "start"})
    await house.restart(visited=False)
    row = house.store.matches_[house.lounge.room.match]
    house.store.matches_[row.id] = msgspec.structs.replace(row, header=b"{broken")
    await house.hub.lounge(row.room)
    chair = await Chair(house, house.people[0], 0).come()

    async def refuse(n: int) -> None:
        found = ""
        try:
            await chair.do([{"do": f"{n}" + "x" * 60_000}])
        except Refusal as refusal:
            found = refusal.key
        assert found == "match.unreadable"
        chair.heard.clear()

    assert await held_after(20, refuse) < 300_000


def test_what_is_put_aside_is_no_garbage_of_the_last_minute() -> None:
    """With the collector as a server sets it."""

    class Circle:
        def __init__(self) -> None:
            self.own = self

    before, garbage = gc.get_threshold(), Garbage()
    try:
        gone = weakref.ref(Circle())
        garbage.minute(busy=True)
        assert gone() is None
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
