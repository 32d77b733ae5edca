"""The table read aloud over the socket."""

from __future__ import annotations

from pathlib import Path

import msgspec

from capolinea import games
from tests.server.tables import serving


async def test_each_viewer_hears_what_they_see_and_no_more(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, server.client() as ada, server.client() as eve:
        bots = ["random"] * 3
        room = await ada.create("stop-the-train", name="Ada", bots=bots, start=True)
        game = games.load("stop-the-train")
        async with ada.socket(room["code"], 0) as own, eve.socket(room["code"]) as watching:
            for seat in (own, watching):
                view = msgspec.convert(seat.view, game.view_type)
                assert await seat.read() == msgspec.to_builtins(game.read(view))
            assert await own.read() != await watching.read()
            # What nobody else may hear is marked, and it is all that the others do not hear.
            known = await watching.read()
            mine = await own.reading()
            lines, covered = mine["lines"], mine["own"]
            assert covered
            assert [n for n, line in enumerate(lines) if line not in known] == covered
            assert "own" not in await watching.reading()
