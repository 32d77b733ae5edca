"""`python -m capolinea` is the command `capolinea`."""

import sys

from capolinea.cli import main

if __name__ == "__main__":
    sys.exit(main())
