"""What ./play does: start Capolinea, compiled if that is ready."""

import os
import subprocess
import sys

import compiled
from bootstrap import Failed, environment, venv

COMMAND = ["play"]  # what `./play` tells the capolinea command to do


def main(arguments: list[str]) -> None:
    try:
        python = venv(".venv", "play")
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
    command = [str(python), "-m", "capolinea", *COMMAND, *arguments]
    if os.name == "nt":
        sys.exit(subprocess.call(command, env=environment(**changes)))
    os.execve(python, command, environment(**changes))
