"""A card on trial, added to a copy of the sources just as CONTRIBUTING.md says, and played with."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import capolinea
from capolinea.lab.build import compiled

pytestmark = pytest.mark.skipif(compiled(), reason="what is copied are sources")

ROOT = Path(__file__).parents[3]
PACKAGE = Path(capolinea.__file__).parent
TITLE = Path("capolinea/games/stop_the_train")
LANGUAGES = ("en", "it", "de")
#: Not sources: what is built, and what compiled modules would hide the new rows behind.
NOT_COPIED = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd", "web")


def written(language: str) -> list[str]:
    """The blocks of code in the chapter, in their order."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    chapter = text.split("## How to add an intervention\n")[1].split("\n## ")[0]
    return re.findall(rf"```{language}\n(.*?)```", chapter, re.DOTALL)


def insert(file: Path, before: str, lines: str) -> None:
    text = file.read_text("utf-8")
    assert text.count(before) == 1, before
    file.write_text(text.replace(before, lines + before), "utf-8")


def add_the_card(sources: Path) -> None:
    its_class, row, option, count = written("python")
    table = sources / TITLE / "rules/interventions.py"
    insert(table, "# --- the table of ST-7.5", f"{its_class}\n\n")
    insert(table, "\n\nCARD_NAMES: Final", row)
    title = sources / TITLE / "title.py"
    insert(title, "\n\nclass TrainGame", option)
    insert(title, "    return counts\n", count)
    insert(title, "    kinds_gone,\n", "    Card,\n")
    for language, words in zip(LANGUAGES, written("json"), strict=True):
        file = sources / TITLE / f"words/{language}.json"
        told = json.loads(file.read_text("utf-8")) | json.loads("{" + words + "}")
        file.write_text(json.dumps(told, ensure_ascii=False), "utf-8")


def run(sources: Path, *words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(sources), "CAPOLINEA_EXPECT_COMPILED": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package with the card in it."""
    folder = tmp_path_factory.mktemp("trial")
    shutil.copytree(PACKAGE, folder / "capolinea", ignore=NOT_COPIED)
    add_the_card(folder)
    changed = run(folder, "-m", "capolinea.lab.generate", "stop-the-train")
    assert [Path(line).name for line in changed.splitlines()] == ["do.py"]
    return folder


def test_kept_games_are_what_they_were(sources: Path) -> None:
    """Their keys and their records, byte by byte."""
    kept = "tests/games/test_fixtures.py"
    run(
        sources, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", kept, "-k", "stop-the-train"
    )


def test_its_words_are_complete(sources: Path) -> None:
    words = "tests/words/test_catalogues.py"
    run(sources, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", words, "-k", "of_titles")


def test_a_match_with_the_card_holds_what_every_match_must(sources: Path) -> None:
    """Random play, records, twins: the whole kit, with the card in the deck and without."""
    kit = ("-m", "capolinea", "conform", "stop-the-train", "--games", "3", "--players", "5")
    run(sources, *kit, "--option", "bribes=4")
    run(sources, *kit, "--option", "bribes=0")


def test_it_is_dealt_and_played_and_does_what_it_says(sources: Path) -> None:
    assert run(sources, "-c", PLAY).split() == ["played", "4"]


def test_bots_that_do_not_know_it_play_on(sources: Path) -> None:
    match = ("-m", "capolinea", "simulate", "stop-the-train", "--games", "5", "--players", "5")
    run(sources, *match, "--bots", "passenger", "--option", "bribes=4")


#: With the card in hand, somebody takes a permit from somebody else.
PLAY = """
from capolinea.engine import Match
from capolinea.games.stop_the_train.rules.interventions import Card
from capolinea.games.stop_the_train.title import GAME, TrainOptions

match = Match(GAME, list("ABCDE"), TrainOptions(bribes=4), seed=bytes(32))
train = match.state
for seat in range(5):
    match.move(seat, [train.legal(seat)[0]])
train = match.state
train.permits = [0, 1, 0, 0, 0]
train.hold(0, [Card.BRIBE])
steps = [{"do": "intervene", "card": "bribe"}, {"do": "name", "seat": 1}]
match.move(0, [GAME.space.parse(step) for step in steps])
while match.state.window():
    for seat in match.state.waiting():
        match.move(seat, [GAME.space.number("pass")])
assert match.state.permits == [1, 0, 0, 0, 0], match.state.permits
print("played", match.view(None).table.interventions["bribe"])
"""
