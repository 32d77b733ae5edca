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
from bootstrap import ROOT, Failed, environment, venv

#: The matches of a clone stay with it: another one may have another form of store.
MATCHES = ROOT / ".data"


def command(arguments: list[str], python: Path) -> list[str]:
    if arguments and not arguments[0].startswith("-"):
        return arguments
    if {"-h", "--help"} & set(arguments):
        return ["serve", *arguments]
    MATCHES.mkdir(exist_ok=True)
    here = ["serve", "--open", "--db", str(MATCHES / "capolinea.db")]
    return [*here, "--web", str(webapp.build(python)), *arguments]


def main(arguments: list[str]) -> None:
    try:
        python = venv(".venv", "play")
    except Failed as error:
        sys.exit(str(error))
    except KeyboardInterrupt:
        sys.exit(130)
    try:
        words = command(arguments, python)
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
    words = [str(python), "-m", "capolinea", *words]
    if os.name == "nt":
        sys.exit(subprocess.call(words, env=environment(**changes)))
    os.execve(python, words, environment(**changes))
