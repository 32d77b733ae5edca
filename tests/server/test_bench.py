"""The benches of the server work; how fast it is they only report."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_main import environment

#: Beside each kind of abuse that there is.
LONG = bool(os.environ.get("CAPOLINEA_LONG"))
#: Milliseconds that stand for no answer at all.
UNANSWERED = 60_000
BENCH = Path(__file__).parents[2] / "bench"

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="what a process has used is read from /proc"
)


def quick(bench: str, *words: str, **changes: str) -> Any:
    command = [sys.executable, str(BENCH / bench), "--quick", "--json", *words]
    done = subprocess.run(
        command, env=environment(**changes), stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout)


def test_without_npm_the_server_is_measured_alone_and_it_is_said_why(tmp_path: Path) -> None:
    found = quick("server.py", PATH=str(tmp_path))
    assert found["missing"] == {"peers": "there is no npm here"}
    assert found["ratios"] == []
    assert found["limits"]["socket-messages"] == "1000000"
    loads = [(row["server"], row["idle"], row["load"]) for row in found["rows"]]
    assert loads == [
        ("capolinea", 0, "closed"),
        ("capolinea", 0, "thinking"),
        ("capolinea", 10, "closed"),
        ("capolinea", 10, "thinking"),
    ]
    for row in found["rows"]:
        assert row["tables"] == 5
        assert row["actions"] > 0
        assert 0 < row["p50"] <= row["p99"]
        assert row["bytes"] > 0


def test_a_bystander_is_measured_beside_each_abuse() -> None:
    kinds = ["large packs", "half-open requests"]
    found = quick("bystander.py", *([] if LONG else ["--only", *kinds]))
    assert found["missing"] == {}
    beside = [row["beside"] for row in found["rows"]]
    assert beside[0] == "alone"
    assert set(kinds) <= set(beside)
    assert set(found["ratios"]) == set(beside[1:])
    for row in found["rows"]:
        assert 0 < row["move_p50"] <= row["move_p99"] < UNANSWERED
        assert 0 < row["health_p50"] <= row["health_p99"] < UNANSWERED
