"""Which Capolinea this is: its number, and the commit that it was made from.

`0.1.0 (1a2b3c4d5e)`; a `+` after the commit says that the files were changed since, and `(?)` that the
commit is not known.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

from capolinea import __version__

PACKAGE = Path(__file__).resolve().parent
#: Where a build writes the commit down: there is no git later.
WRITTEN = PACKAGE / "commit.txt"


@cache
def version() -> str:
    """What people see. It stays the same while the program runs, whatever becomes of its clone."""
    return f"{__version__} ({commit() or '?'})"


def commit() -> str:
    """In a clone what git says, elsewhere what was written down; "" if that is nothing."""
    clone = PACKAGE.parent.parent
    if (clone / ".git").exists():
        return _ask_git(clone)
    return WRITTEN.read_text().strip() if WRITTEN.is_file() else ""


def _ask_git(clone: Path) -> str:
    # Both folders by name: in a hook of git, variables would lead elsewhere.
    where = [f"--git-dir={clone / '.git'}", f"--work-tree={clone}"]
    # Without any tag it names the bare commit.
    names = ["--always", "--exclude=*", "--abbrev=10", "--dirty=+"]
    try:
        asked = subprocess.run(
            ["git", *where, "describe", *names],
            cwd=clone,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:  # git is not installed
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""
