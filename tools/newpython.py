"""Finds a Python that is new enough. Must itself run on every Python 3, so: no modern syntax."""

import glob
import os
import shutil
import subprocess
import sys

VERSIONS = ["3.13", "3.12", "3.11"]


def find(version: str) -> str:
    """The path of a working interpreter of this version, or an empty string."""
    name = "python" + version
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    places = glob.glob(os.path.join(pyenv, "versions", version + ".*", "bin", name))
    for path in [shutil.which(name), *sorted(places)]:
        # Trying is the only proof: pyenv puts names on PATH that start nothing.
        if path and works(path, version):
            return path
    return ""


def works(path: str, version: str) -> bool:
    check = "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '" + version + "')"
    try:
        return subprocess.call([path, "-c", check], stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def ensure() -> None:
    """Go on if this Python is new enough, else start again with one that is."""
    here = sys.version_info[:2]
    if here >= (3, 11):
        return
    for version in VERSIONS:
        path = find(version)
        if path:
            os.execv(path, [path, *sys.argv])
    sys.exit("Capolinea needs Python 3.11 or newer; this is %d.%d, and no newer one found." % here)
