"""A program that thinks about its first question until the end; it leaves a file to say that it does."""

import os
import sys
from pathlib import Path

for _ in sys.stdin:
    (Path(sys.argv[1]) / f"{os.getpid()}.thinking").touch()
