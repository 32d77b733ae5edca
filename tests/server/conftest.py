"""A server that tests share, and where stores are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from capolinea.client import seat as client_seat
from capolinea.server import lounge
from capolinea.server import run as server_run
from capolinea.server.table import Table
from tests.server.live import Live, living


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """One for all tests that are content with usual settings: rooms do not know of each other."""
    with living(tmp_path_factory.mktemp("server")) as live:
        yield live


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a store."""
    return tmp_path / "capolinea.db"


@pytest.fixture
def quick_and_steady(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody takes their time to come again, and every deal is the same."""
    monkeypatch.setattr(client_seat, "BACKOFF", (0.01, 0.05))
    monkeypatch.setattr(server_run, "FAREWELL", 0.01)
    monkeypatch.setattr(Table, "retry", 0.02)
    same_deal = SimpleNamespace(token_bytes=lambda length: bytes(range(length)))
    monkeypatch.setattr(lounge, "secrets", same_deal)
