"""The package compiled with mypyc, in .cache/compiled/<digest>, ready to be put on PYTHONPATH.

The digest covers all that goes in: sources, settings, locked tools, Python. A folder with the right
name is therefore right, and it gets that name only when it is complete.

Run as a program, this builds quietly and at low priority: ./play starts it for the next start.
"""

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import traceback
from pathlib import Path

from bootstrap import CACHE, ROOT, Failed, environment, lock, tail, venv

from capolinea import version

FOLDER = CACHE / "compiled"
LOG = CACHE / "compile.log"
SETTINGS = ("setup.py", "pyproject.toml", "requirements/build.txt")
A_DAY = 24 * 60 * 60


def sources(root: Path) -> list[Path]:
    found = [path for path in (root / "src" / "capolinea").rglob("*") if path.is_file()]
    # Not sources: caches, and what a wheel gets while it is built.
    made = {"__pycache__", "web", "commit.txt"}
    return sorted(p for p in found if not made & set(p.parts) and p.suffix not in {".so", ".pyd"})


def digest(root: Path, *, names_only: bool = False) -> str:
    total = hashlib.sha256(f"{sys.version}\n{sysconfig.get_platform()}\n".encode())
    for path in [*(root / name for name in SETTINGS), *sources(root)]:
        content = b"" if names_only else path.read_bytes()
        name = path.relative_to(root).as_posix()
        total.update(f"{name}\n{len(content)}\n".encode() + content)
    return total.hexdigest()[:16]


def ready() -> Path | None:
    """The compiled build of the sources as they are now, if there is one."""
    folder = FOLDER / digest(ROOT)
    return folder if folder.is_dir() else None


def use(folder: Path) -> None:
    """Keep the folder from being tidied away while this process, or what it becomes, lives.

    And tell it the commit: it cannot ask git, and the same sources may be of several commits.
    """
    (folder / "capolinea" / version.WRITTEN.name).write_text(version.commit())
    with lock(folder / ".in-use", shared=True) as file:
        os.set_inheritable(os.dup(file.fileno()), True)


def compiler() -> str | None:
    """A C compiler's name, the one that this Python was built with if it is there."""
    if sys.platform == "darwin":
        # There /usr/bin/cc always exists, and opens a window when it has nothing behind it.
        asked = subprocess.run(["xcode-select", "-p"], capture_output=True, check=False)
        if asked.returncode:
            return None
    usual = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    for name in (shlex.split(usual)[0], "cc", "gcc", "clang"):
        if shutil.which(name):
            return name
    return None


def can_compile() -> bool:
    """Whether there are a C compiler, the C library's headers and Python's."""
    name = compiler()
    if name is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "try.c")
        source.write_text("#include <Python.h>\n")
        include = sysconfig.get_path("include")
        command = [name, "-c", str(source), f"-I{include}", "-o", str(Path(folder, "try.o"))]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


def build(python: Path) -> Path:
    """Compile with this Python, which must have what requirements/build.txt says."""
    with lock(FOLDER / ".building"):
        return ready() or build_alone(python)


def build_alone(python: Path) -> Path:
    # A fixed place for each set of files: C code that comes out the same is not compiled again, and
    # nothing is left over from modules that are gone.
    work = CACHE / "build" / digest(ROOT, names_only=True)
    discard(*(other for other in work.parent.glob("*") if other != work))
    complete = work / "complete"
    if not complete.exists():
        # Somebody stopped the compiler half-way: its files look newer than they are.
        discard(work)
    complete.unlink(missing_ok=True)
    # What was compiled before need not be compiled now.
    discard(work / "src", work / "lib")
    for path in [*(ROOT / name for name in SETTINGS), *sources(ROOT)]:
        copy = work / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)

    name = compiler()
    done = subprocess.run(
        [str(python), "setup.py", "build_ext", "--build-lib", "lib"],
        cwd=work,
        env=environment(CAPOLINEA_COMPILE="1", **({"CC": name} if name else {})),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise Failed(f"Compiling failed:\n{tail(done.stdout, 30)}")

    complete.touch()

    # Named after the copy: someone may have changed the sources meanwhile.
    folder = FOLDER / digest(work)
    unfinished = FOLDER / ".unfinished"
    discard(unfinished)
    shutil.copytree(work / "src", unfinished)
    shutil.copytree(work / "lib", unfinished, dirs_exist_ok=True)
    unfinished.rename(folder)
    tidy(folder)
    return folder


def discard(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def tidy(newest: Path) -> None:
    """Remove older builds, except those that somebody is playing with."""
    for old in FOLDER.glob("[!.]*"):
        if old.is_dir() and old != newest:
            try:
                with lock(old / ".in-use", wait=False):
                    discard(old)
            except BlockingIOError:
                pass
        elif old.suffix == ".failed":
            old.unlink()


def failed() -> Path:
    return FOLDER / f"{digest(ROOT)}.failed"


def start_in_background() -> None:
    """Build for the next start, unless there is no compiler or it failed lately."""
    marker = failed()
    if marker.exists() and time.time() - marker.stat().st_mtime < A_DAY:
        return
    if compiler() is None:
        return
    CACHE.mkdir(exist_ok=True)
    with LOG.open("a") as log:
        subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            env=environment(),
            start_new_session=True,
        )


def main() -> None:
    if sys.platform != "win32":
        os.nice(10)
    try:
        alone = lock(CACHE / "background.lock", wait=False)
    except BlockingIOError:
        return
    with alone:
        marker = failed()
        try:
            if not can_compile():
                raise Failed("No C compiler, or no Python headers.")
            print(f"Built {build(venv('.venv-build', 'build'))}", flush=True)
        except Exception:
            FOLDER.mkdir(parents=True, exist_ok=True)
            marker.touch()
            traceback.print_exc()


if __name__ == "__main__":
    main()
