"""The command itself: help, version, mistakes, languages, and how little it loads."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from capolinea.cli import main
from capolinea.lab.simulate import LARGEST_CHUNK
from capolinea.version import version
from capolinea.words import Words, languages
from tests.server.tables import TIME

VERBS = ("titles", "play", "simulate", "replay", "verify", "conform", "serve", "admin")
Capture = pytest.CaptureFixture[str]


def environment(**changes: str) -> dict[str, str]:
    """For another process: the same sources, English, no colours."""
    path = os.pathsep.join([os.getcwd(), *filter(None, sys.path)])
    return {**os.environ, "PYTHONPATH": path, "LC_ALL": "C", "LANGUAGE": "", **changes}


def command(*words: str, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "capolinea", *words],
        env=environment(**changes),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def test_help_names_every_verb_and_so_does_the_bare_command(capsys: Capture) -> None:
    assert main(["--help"]) == 0
    told = capsys.readouterr().out
    assert main([]) == 0
    assert capsys.readouterr().out == told
    for verb in VERBS:
        assert f"\n    {verb} " in told


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("lang", languages())
def test_every_verb_explains_itself_in_every_language(
    verb: str, lang: str, capsys: Capture
) -> None:
    assert main([verb, "--help", "--lang", lang]) == 0
    told = capsys.readouterr().out
    words = Words.of(lang)
    assert told.startswith(words.say("usage.usage"))
    assert words.say(f"help.{verb}") in " ".join(told.split())
    assert "⟨" not in told
    if lang != "en":
        for english in ("usage:", "options:", "show this help", "positional"):
            assert english not in told


@pytest.mark.parametrize("lang", languages())
def test_no_help_text_trips_over_its_own_percent_signs(lang: str) -> None:
    """argparse reads them as places for values."""
    words = Words.of(lang)
    for verb in VERBS:
        assert "%" not in words.say(f"help.{verb}")


def test_the_version_and_the_build(capsys: Capture) -> None:
    assert main(["--version"]) == 0
    told = capsys.readouterr().out
    assert version() in told
    assert told.rstrip().endswith(("compiled", "pure Python"))


MISTAKES = [
    (["simulat"], ["simulat", "simulate", "capolinea --help"]),
    (["simulate"], ["TITLE", "capolinea simulate --help"]),
    (["simulate", "night-mail", "--games", "0"], ["--games", "“0”", "from 1 up"]),
    (["simulate", "night-mail", "--games", "many"], ["--games", "“many”"]),
    (["simulate", "night-mail", "--seed", "x"], ["--seed", "“x”", "whole number"]),
    (["simulate", "night-mail", "--seed"], ["--seed", "a value is missing"]),
    (["simulate", "night-mail", "--option", "hand"], ["--option", "“hand”", "name=value"]),
    (["simulate", "night-mail", "--bots", "random,,"], ["--bots", "“random,,”"]),
    (["simulate", "night-mail", "--game", "3"], ["--game"]),
    (["simulate", "night-mail", "--json=3"], ["--json", "3"]),
    (["simulate", "night-mail", "--lang", "xx"], ["--lang", "xx", "de", "en", "it"]),
    (["simulate", "night-mai"], ["night-mai", "night-mail"]),
    (["simulate", "zzz"], ["zzz", "night-mail"]),
    (["simulate", "no.such:GAME"], ["no.such:GAME", "No module named 'no'"]),
    (["simulate", "tests.cli.test_main:VERBS"], ["tests.cli.test_main:VERBS"]),
    (["simulate", "night-mail", "--players", "9"], ["2", "5", "9"]),
    (["simulate", "night-mail", "--bots", "randon"], ["randon", "random"]),
    (["simulate", "night-mail", "--option", "hnad=3"], ["hnad", "“hand”", "open_vote"]),
    (["simulate", "night-mail", "--option", "hand=9"], ["hand", "“9”", "2 … 5"]),
    (["simulate", "night-mail", "--preset", "tame"], ["tame", "standard, short, wild"]),
    (["play", "night-mail", "--players", "3", "--seat", "4"], ["seat 4", "has 3"]),
    (["replay", "no-such.json"], ["no-such.json", "no such file"]),
    (["replay", "x.json", "--seat", "1", "--truth"], ["--truth", "--seat"]),
    (["verify"], ["FILE"]),
]


@pytest.mark.parametrize(("words", "parts"), MISTAKES, ids=[" ".join(w) for w, _ in MISTAKES])
def test_a_mistake_is_one_line_that_says_what_and_exit_2(
    words: list[str], parts: list[str], capsys: Capture
) -> None:
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("capolinea")
    for part in parts:
        assert part in err


@pytest.mark.parametrize(
    ("lang", "parts"),
    [("de", ["„night-mai“", "gibt es nicht"]), ("it", ["«night-mai»", "non c’è"])],
)
def test_mistakes_are_told_in_the_language_asked_for(
    lang: str, parts: list[str], capsys: Capture
) -> None:
    assert main(["simulate", "night-mai", "--lang", lang]) == 2
    err = capsys.readouterr().err
    for part in parts:
        assert part in err
    assert main([f"--lang={lang}", "simulate"]) == 2
    assert Words.of(lang).say("meta.title") in capsys.readouterr().err


def test_the_language_is_guessed_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("LANGUAGE", "")
    monkeypatch.setenv("LC_ALL", "de_AT.UTF-8")
    main(["--help"])
    assert capsys.readouterr().out.startswith("Aufruf:")
    main(["--help", "--lang", "it"])
    assert capsys.readouterr().out.startswith("uso:")


def test_a_bug_is_not_dressed_up_as_a_mistake(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("capolinea.games.load", broken)
    with pytest.raises(ZeroDivisionError):
        main(["simulate", "night-mail"])


# Real processes ----------------------------------------------------------------------------------


def loaded_by(code: str) -> set[str]:
    show = f"{code}\nimport sys; print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", show], env=environment(), capture_output=True, text=True, check=True
    )
    return set(done.stdout.split())


def test_the_command_line_loads_nothing_heavy_before_it_must() -> None:
    for code in (
        "import capolinea.cli",
        "from capolinea.cli import main; main(['--help'])",
        "from capolinea.cli import main; main(['simulate', '--help'])",
    ):
        heavy = {
            name
            for name in loaded_by(code)
            if name.split(".")[0] in ("msgspec", "multiprocessing", "concurrent", "asyncio")
            or name.startswith(("capolinea.lab", "capolinea.engine", "capolinea.games"))
        }
        assert heavy == set()


def test_it_runs_as_a_module() -> None:
    done = command("titles", "--lang", "it")
    assert (done.returncode, done.stderr) == (0, "")
    assert "night-mail" in done.stdout
    assert command("nonsense").returncode == 2


def test_a_terminal_without_our_characters_gets_others() -> None:
    done = command("titles", "--lang", "de", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2?5 Personen" in done.stdout


def test_a_reader_who_has_had_enough_is_no_error() -> None:
    simulate = [sys.executable, "-m", "capolinea", "simulate", "night-mail", "--json"]
    with subprocess.Popen(
        simulate, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(TIME) == 1
        assert process.stderr.read() == b""


def playing(records: Path) -> int:
    """How many processes of a simulation have games behind them: each is in a part of its own."""
    parts = Counter((int(file.stem) - 1) // LARGEST_CHUNK for file in records.glob("*.json"))
    return sum(games < LARGEST_CHUNK for games in parts.values())


@pytest.mark.skipif(os.name != "posix", reason="signals as on Unix")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_leaves_a_line_and_no_traceback(jobs: str, tmp_path: Path) -> None:
    words = ["simulate", "night-mail", "--games", "10000000", "--jobs", jobs]
    words += ["--records", str(tmp_path)]
    # A test that runs in the background of a shell inherits that Ctrl-C is to be ignored.
    start = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler);"
    start += "from capolinea.cli import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen(
        [sys.executable, "-c", start, *words],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        while playing(tmp_path) < int(jobs):
            assert process.poll() is None
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
        out, err = process.communicate(timeout=TIME)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    assert process.returncode == 130
    assert out == ""
    assert err == "Stopped.\n"
