"""What ./play does: start Capolinea, compiled if that is ready.

Without a verb it starts the table for browsers; `./play simulate …` and the like do what
`capolinea simulate …` does.
"""

import os
import subprocess
import sys
from pathlib import Path

import compiled
import webapp
from bootstrap import ROOT, SOURCES, Failed, environment, inside, is_made, venv, words

#: The matches of a clone stay with it: another one may have another form of store.
MATCHES = ROOT / ".data"


def command(arguments: list[str], python: Path) -> list[str]:
    if arguments and not arguments[0].startswith("-"):
        return arguments
    MATCHES.mkdir(exist_ok=True)
    here = ["serve", "--open", "--db", str(MATCHES / "capolinea.db")]
    return [*here, "--web", str(webapp.build(python)), *arguments]


def help(arguments: list[str]) -> int:
    """Whoever only wants to know sets up nothing."""
    python, verb = Path(sys.executable), arguments[:1]
    if is_made(".venv", "play"):
        python = inside(".venv")
    elif verb == ["serve"]:
        verb = []  # its settings cannot be read yet
    if not verb or verb[0].startswith("-"):
        print(words("prepare.help"), flush=True)
        arguments = ["--help"]
    command = [str(python), "-m", "capolinea", *arguments]
    return subprocess.call(command, env=environment(PYTHONPATH=str(SOURCES)))


def main(arguments: list[str]) -> None:
    if {"-h", "--help"} & set(arguments):
        sys.exit(help(arguments))
    try:
        python = venv(".venv", "play")
        wanted = command(arguments, python)
    except Failed as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
    changes = {}
    folder = compiled.ready()
    if folder:
        changes["PYTHONPATH"] = str(folder)
        compiled.use(folder)
    else:
        compiled.start_in_background()
    wanted = [str(python), "-m", "capolinea", *wanted]
    if os.name == "nt":
        sys.exit(subprocess.call(wanted, env=environment(**changes)))
    os.execve(python, wanted, environment(**changes))
