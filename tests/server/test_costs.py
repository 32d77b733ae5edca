"""What a move costs, in counts that must not grow: looks at the table, writes, messages, bytes. (Times are
for bench/: they depend on the machine.)"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from capolinea.engine.views import View
from capolinea.games.night_mail.rules import NightMail
from capolinea.server.protocol import encode
from capolinea.server.store import Change
from tests.server.clocks import NONE, TURN, at_table
from tests.server.hourglass import Chair, House, MemoryStore, later
from tests.server.mail import DEPART, PASS, offer


@contextmanager
def looks() -> Iterator[list[list[int | None]]]:
    """For whom the table was looked at, each time that it was."""
    found: list[list[int | None]] = []
    views = NightMail.views

    def counted(state: NightMail, viewers: Sequence[int | None]) -> list[View]:
        found.append(list(viewers))
        return views(state, viewers)

    with patch.object(NightMail, "views", counted):
        yield found


@contextmanager
def writes() -> Iterator[list[int]]:
    """How many changes each write to the store had."""
    found: list[int] = []
    write = MemoryStore.write

    async def counted(store: MemoryStore, *changes: Change) -> None:
        found.append(len(changes))
        await write(store, *changes)

    with patch.object(MemoryStore, "write", counted):
        yield found


EVERYBODY = [None, 0, 1, 2]


@at_table(NONE)
async def test_a_move_is_one_look_for_all_and_one_write(house: House) -> None:
    with looks() as looked, writes() as written:
        await house.chairs[0].do(DEPART)
        await later()
    assert looked == [EVERYBODY]
    assert len(written) == 1


@at_table(TURN)
async def test_of_a_window_only_those_who_pass_are_looked_at_until_it_closes(house: House) -> None:
    first, second, third = house.chairs
    await offer(first, signer=1)
    with looks() as looked, writes() as written:
        await second.do(PASS)
        await third.do(PASS)
        await later()
        assert looked == []  # what is held is told to nobody
        assert len(written) == 2
        await later(11)
    assert looked == [[1], EVERYBODY]
    assert len(written) == 3


@at_table(NONE)
async def test_a_move_is_two_messages_for_each_who_is_there_and_the_same_bytes_for_equals(
    house: House,
) -> None:
    watchers = [await Chair(house, f"watcher{number}", None).come() for number in range(5)]
    everybody = [*house.chairs, *watchers]
    before = [len(chair.heard) for chair in everybody]
    with patch("capolinea.server.table.encode", side_effect=encode) as encoded:
        await house.chairs[0].do(DEPART)
        await later()
    heard = [
        [message for _, message in chair.heard[known:]]
        for chair, known in zip(everybody, before, strict=True)
    ]
    # Frame and status, and for who moved that it was done.
    assert [len(messages) for messages in heard] == [3, 2, 2, *[2] * len(watchers)]
    assert all(messages == heard[-1] for messages in heard[3:])
    # A frame for each seat and one for all who watch, the status, and what is stored.
    frames = [call for call in encoded.call_args_list if type(call.args[0]).__name__ == "Frame"]
    assert len(frames) == len(EVERYBODY)


@at_table(NONE)
async def test_a_frame_says_what_changed_and_no_more(house: House) -> None:
    first, second, _ = house.chairs
    known = len(second.heard)
    await first.do(DEPART)
    await later()
    frame = next(text for _, text in second.heard[known:] if '"frame"' in text)
    assert len(frame) < 700
