"""Virtual environments for ./play and ./test, with exactly what requirements/*.txt lock.

An environment is good when its stamp says that it was made from this lock, by this Python, in this
place. The stamp is written last, so a set-up that was interrupted is simply done again.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache"
SOURCES = ROOT / "src"
# Words and version need nothing installed; whoever has imported this can import them.
sys.path.append(str(SOURCES))


class Failed(Exception):
    """Something a person must hear about, in words that tell what to do."""


def words(key: str, **args: str) -> str:
    """A text from the catalogues, in the person's language."""
    from capolinea.words import Words, guess

    return Words.of(guess(os.environ)).say(key, args)


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def environment(**changes: str) -> dict[str, str]:
    """Ours, without what would lead another Python or its pip astray."""
    astray = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
    return {name: value for name, value in os.environ.items() if name not in astray} | changes


def tail(text: str, lines: int = 15) -> str:
    return "\n".join(text.rstrip().splitlines()[-lines:])


def lock(path: Path, *, wait: bool = True, shared: bool = False) -> IO[str]:
    """Hold a lock while the returned file is open; BlockingIOError if taken and not to wait.

    It ends with the process, however that ends: no stale lock is ever left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a")
    if sys.platform != "win32":
        import fcntl

        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(file, kind if wait else kind | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise
    return file


def venv(name: str, requirements: str, python: str = sys.executable) -> Path:
    """The Python of the environment `name`, which is made, or made anew, if need be."""
    if is_made(name, requirements, python):
        return inside(name)
    folder, locked = ROOT / name, ROOT / "requirements" / f"{requirements}.txt"
    with lock(CACHE / f"{name}.lock"):
        # Whoever held the lock may just have made it.
        if not is_made(name, requirements, python):
            say(words("prepare.making", name=name))
            create(folder, python)
            install(inside(name), locked)
            (folder / "stamp").write_text(wanted(name, requirements, python))
    return inside(name)


def is_made(name: str, requirements: str, python: str = sys.executable) -> bool:
    """Whether the environment `name` is there, and as it should be."""
    stamp = ROOT / name / "stamp"
    there = inside(name).exists() and stamp.is_file()
    return there and stamp.read_text() == wanted(name, requirements, python)


def wanted(name: str, requirements: str, python: str) -> str:
    """What an environment is known by."""
    locked = ROOT / "requirements" / f"{requirements}.txt"
    return f"{hashlib.sha256(locked.read_bytes()).hexdigest()}\n{version(python)}\n{ROOT / name}\n"


def inside(name: str) -> Path:
    return ROOT / name / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def version(python: str) -> str:
    if python == sys.executable:
        return sys.version
    command = [python, "-c", "import sys; print(sys.version, end='')"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def can_make_venv(python: str = sys.executable) -> bool:
    # Debian's python3 has venv without ensurepip, which then fails half-way.
    command = [python, "-c", "import ensurepip, venv"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def create(folder: Path, python: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    if not can_make_venv(python):
        raise Failed(words("prepare.no-venv"))
    done = subprocess.run(
        [python, "-m", "venv", str(folder)],
        env=environment(),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise Failed(words("prepare.no-folder", folder=str(folder), end=tail(done.stdout)))
    # Programs started with this Python by hand find the sources; PYTHONPATH still comes first, so
    # the compiled build can take their place.
    packages = next(folder.glob("[Ll]ib/**/site-packages"))
    (packages / "capolinea.pth").write_text(f"{SOURCES}\n")


def install(python: Path, locked: Path) -> None:
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input"]
    done = subprocess.run(
        [*pip, "install", "--require-hashes", "-r", str(locked)],
        env=environment(),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode == 0:
        return
    offline = ("NewConnectionError", "NameResolutionError", "ConnectTimeoutError", "ProxyError")
    key = "prepare.offline" if any(sign in done.stdout for sign in offline) else "prepare.failed"
    raise Failed(words(key, end=tail(done.stdout)))
