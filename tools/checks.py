"""What ./test does: each check is a step; all run, whatever fails, and a summary ends it."""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import compiled
import newpython
import webapp
from bootstrap import ROOT, SOURCES, Failed, can_make_venv, environment, say, venv

COMPILED_TESTS = ("tests/engine", "tests/games", "tests/conformance", "tests/test_version.py")
#: Steps of their own: they need Chromium, and the pages.
WITH_BROWSER = ("tests/browser", "tests/install")
TYPED = ("src", "tests", "bench", "tools", "setup.py")

LINT_IMPORTS = "from importlinter.cli import lint_imports_command; lint_imports_command()"
OPTIONAL = {"pyspiel"}  # modules of the extras in pyproject.toml
IMPORT_ALL = f"""
import importlib, pkgutil, capolinea
for module in pkgutil.walk_packages(capolinea.__path__, "capolinea."):
    try:
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    except ModuleNotFoundError as error:
        if error.name not in {OPTIONAL}:
            raise
"""


class Skipped(Exception):
    """This machine lacks something that we may not install."""


@dataclass
class Run:
    """With which Python, and what was asked for."""

    python: Path
    long: bool
    pytest: list[str]

    def command(self, *words: str, **changes: str) -> subprocess.CompletedProcess[str]:
        command = [str(self.python), *words]
        return subprocess.run(command, cwd=ROOT, env=environment(**changes), check=False, text=True)

    def module(self, *words: str, **changes: str) -> None:
        done = self.command("-m", *words, **changes)
        if done.returncode:
            raise Failed(f"{words[0]} failed")

    def tests(self, *paths: str, **changes: str) -> None:
        if self.long:
            changes["CAPOLINEA_LONG"] = "1"
        named = any(Path(word.split("::")[0]).exists() for word in self.pytest)
        where = [] if named else [path for path in paths if path.startswith("-")]
        where += [] if named else existing(*paths)
        if paths and not named and not where:
            raise Failed(f"no tests in {', '.join(paths)}")
        # Who has nothing left to do takes over from the other: a few tests take minutes.
        self.module("pytest", "-n", "2", "--dist", "worksteal", *where, *self.pytest, **changes)


def existing(*paths: str) -> list[str]:
    return [path for path in paths if (ROOT / path).exists()]


def need(what: str, present: Callable[[], bool], *packages: str) -> None:
    """Go on if `what` is there; if not, install it from Debian where we may, else skip."""
    if present():
        return
    names = " ".join(packages)
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        say(f"No {what}: installing {names} with apt-get ...")
        quiet = environment(DEBIAN_FRONTEND="noninteractive")
        for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
            command = ["apt-get", "-qq", *words]
            subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, check=False)
        if present():
            say(f"Installed {names}.")
            return
    raise Skipped(f"no {what} (on Debian: apt-get install {names})")


# The steps. Their docstrings are what --list shows.


def lint(run: Run) -> None:
    """ruff: rules and format"""
    done = [run.command("-m", "ruff", *words) for words in (["check"], ["format", "--check"])]
    if any(one.returncode for one in done):
        raise Failed("ruff failed")


def types(run: Run) -> None:
    """mypy --strict"""
    run.module("mypy", *existing(*TYPED))


def imports(run: Run) -> None:
    """who imports whom (import-linter); every module imports with only what ./play installs"""
    done = run.command("-c", LINT_IMPORTS, "--no-cache", "--no-logo", PYTHONPATH=str(SOURCES))
    if done.returncode:
        raise Failed("import-linter failed")
    # The tests' environment has more, and would hide that something is missing.
    light = Run(venv(".venv", "play"), run.long, [])
    if light.command("-c", IMPORT_ALL, PYTHONPATH=str(SOURCES)).returncode:
        raise Failed("an import failed")


def web(run: Run) -> None:
    """the browser's side: format, lint, types, tests, size"""
    webapp.prepare(run.python)
    for script in ("lint", "check", "test"):
        print(f"npm run {script}", flush=True)
        webapp.npm("run", "--silent", script)
    webapp.check_size(webapp.build(run.python))


def pure(run: Run) -> None:
    """all tests, on the sources as they are"""
    run.tests(*(f"--ignore={folder}" for folder in WITH_BROWSER))


def need_chromium() -> None:
    need("Chromium", lambda: shutil.which("chromium") is not None, "chromium", "fonts-dejavu-core")


def install(run: Run) -> None:
    """wheel and sdist: built and installed as pip does it, opened in a real browser"""
    need_chromium()
    run.tests("tests/install", "-n0")  # all tests share what is built


def browser(run: Run) -> None:
    """people at the table, in a real browser"""
    need_chromium()
    pages = str(webapp.build(run.python))
    try:
        run.tests("tests/browser", CAPOLINEA_WEB=pages)
    except Failed:
        # Browsers, servers and bots share two cores, and people in these tests do not wait for ever.
        say("Once more what failed, one by one. A test that passes only now wants mending.")
        again = ("-n0", "--last-failed", "--last-failed-no-failures=none")
        run.tests("tests/browser", *again, CAPOLINEA_WEB=pages)


def build(run: Run) -> Path:
    packages = ("gcc", "libc6-dev", "python3-dev")
    need("C compiler with Python's headers", compiled.can_compile, *packages)
    folder = compiled.build(run.python)
    compiled.use(folder)
    return folder


def compiled_tests(run: Run) -> None:
    """the tests of engine and rules, compiled with mypyc"""
    folder = build(run)
    run.tests(*COMPILED_TESTS, PYTHONPATH=str(folder), CAPOLINEA_EXPECT_COMPILED="1")


def trace(run: Run) -> None:
    """seeded games, pure and compiled: the same after each move"""
    folder = build(run)
    pure, fast = trace_of(run, SOURCES), trace_of(run, folder, CAPOLINEA_EXPECT_COMPILED="1")
    if not pure:
        raise Failed("capolinea.lab.trace prints nothing")
    for number, (one, other) in enumerate(zip_longest(pure, fast), 1):
        if one != other:
            raise Failed(f"line {number} differs\n  pure      {one}\n  compiled  {other}")
    print(f"{len(pure)} lines, all the same")


def trace_of(run: Run, sources: Path, **changes: str) -> list[str]:
    if run.long:
        changes["CAPOLINEA_LONG"] = "1"
    done = subprocess.run(
        [str(run.python), "-m", "capolinea.lab.trace"],
        cwd=ROOT,
        env=environment(PYTHONPATH=str(sources), **changes),
        check=False,
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode:
        raise Failed(f"capolinea.lab.trace failed on {sources}")
    return done.stdout.splitlines()


Step = Callable[[Run], None]

STEPS: dict[str, Step] = {
    "lint": lint,
    "types": types,
    "imports": imports,
    "web": web,
    "pure": pure,
    "compiled": compiled_tests,
    "trace": trace,
    "browser": browser,
    "install": install,
}


def on_other_pythons() -> dict[str, Step]:
    this = "{}.{}".format(*sys.version_info[:2])
    versions = [version for version in newpython.VERSIONS if version != this]
    found = {version: newpython.find(version) for version in versions}
    return {f"pure-{version}": on(version, path) for version, path in found.items() if path}


def on(version: str, python: str) -> Step:
    def step(run: Run) -> None:
        pure(Run(venv(f".venv-test-{version}", "test", python), run.long, run.pytest))

    step.__doc__ = f"all tests on Python {version} (only with --long)"
    return step


def attempt(step: Step, run: Run) -> tuple[str, str]:
    """How it went, and why."""
    try:
        step(run)
    except Skipped as why:
        # A machine that nobody watches must not leave things out.
        return ("failed" if os.environ.get("CI") == "true" else "skipped"), str(why)
    except Failed as why:
        return "failed", str(why)
    return "passed", ""


def parse(arguments: list[str]) -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        prog="./test",
        description="Check everything. Without arguments: all that must pass before a commit.",
        epilog="What stands after -- goes to pytest: ./test --only pure -- -k undo",
    )
    parser.add_argument("--long", action="store_true", help="large counts, other Pythons too")
    parser.add_argument("--only", nargs="+", metavar="STEP", help="only these steps")
    parser.add_argument("--list", action="store_true", help="list the steps and stop")
    cut = arguments.index("--") if "--" in arguments else len(arguments)
    return parser.parse_args(arguments[:cut]), arguments[cut + 1 :]


def main(arguments: list[str]) -> int:
    asked, pytest = parse(arguments)
    steps = STEPS | (on_other_pythons() if asked.long or asked.list or asked.only else {})
    if asked.list:
        for name, step in steps.items():
            print(f"{name:<10} {step.__doc__}")
        return 0
    unknown = [name for name in asked.only or [] if name not in steps]
    if unknown:
        say(f"No step {', '.join(unknown)}: there are {', '.join(steps)}.")
        return 2
    try:
        return run_all({name: steps[name] for name in asked.only or steps}, asked.long, pytest)
    except (Failed, Skipped) as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


def run_all(steps: dict[str, Step], long: bool, pytest: list[str]) -> int:
    need("venv module in this Python", can_make_venv, "python3-venv")
    run = Run(venv(".venv-test", "test"), long, pytest)
    began = time.monotonic()
    summary = []
    outcomes = []
    for name, step in steps.items():
        print(f"\n== {name}: {step.__doc__}", flush=True)
        start = time.monotonic()
        outcome, why = attempt(step, run)
        outcomes.append(outcome)
        line = f"{name:<10} {outcome:<8} {time.monotonic() - start:6.1f} s"
        print(f"{why}\n{line}" if why else line, flush=True)
        summary.append(f"{line}  {why.splitlines()[0]}" if why else line)
    print("\n== summary", *summary, sep="\n")
    counts = [f"{outcomes.count(kind)} {kind}" for kind in dict.fromkeys(outcomes)]
    print(f"{', '.join(counts)} in {time.monotonic() - began:.0f} s", flush=True)
    return 1 if "failed" in outcomes else 0
