"""Files that are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path


def write(path: Path, text: str) -> None:
    """The whole file or none of it, whenever the machine stops."""
    half = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        half.write_text(text, encoding="utf-8", newline="\n")
        os.replace(half, path)
    finally:
        half.unlink(missing_ok=True)
