"""A server that tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.live import Live, living


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """One for all tests that are content with usual settings: rooms do not know of each other."""
    with living(tmp_path_factory.mktemp("server")) as live:
        yield live
