"""The browser's side as it was built: held in memory, compressed once.

Files whose name has a hash in it never change; everything else is asked for again each time, and
answered in a word when it is still the same.
"""

from __future__ import annotations

import gzip
import mimetypes
import re
from hashlib import sha256
from pathlib import Path

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from capolinea.server.packing import accepts

#: As the build names what it makes: name-HASH.ending
_HASHED = re.compile(r"-[A-Za-z0-9_-]{8}\.\w+$")
_FOREVER = "public, max-age=31536000, immutable"
#: What is compressed already gains nothing.
_DENSE = {".woff2", ".png", ".webp"}
#: What the build has compressed already lies beside the file.
_BROTLI = ".br"
_TYPES = {".js": "text/javascript", ".woff2": "font/woff2", ".svg": "image/svg+xml"}


class File(msgspec.Struct, frozen=True):
    content: bytes
    #: Smaller forms by their encoding, the smallest first.
    packed: dict[str, bytes]
    media_type: str
    tag: str
    forever: bool


class Bundle:
    """The files of a folder, by their path."""

    def __init__(self, folder: Path) -> None:
        self.files = {
            path.relative_to(folder).as_posix(): _read(path)
            for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix != _BROTLI
        }

    def answer(self, path: str, request: Request) -> Response | None:
        """The file at this path, or None."""
        file = self.files.get(path)
        if file is None:
            return None
        headers = {"etag": file.tag, "cache-control": _FOREVER if file.forever else "no-cache"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        content = file.content
        if file.packed:
            headers["vary"] = "accept-encoding"
            for encoding, packed in file.packed.items():
                if accepts(request, encoding):
                    content = packed
                    headers["content-encoding"] = encoding
                    break
        return Response(content, headers=headers, media_type=file.media_type)


def _read(path: Path) -> File:
    content = path.read_bytes()
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    return File(
        content=content,
        packed={} if path.suffix in _DENSE else _packed(path, content),
        media_type=kind or "application/octet-stream",
        tag=f'"{sha256(content).hexdigest()[:16]}"',
        forever=_HASHED.search(path.name) is not None,
    )


def _packed(path: Path, content: bytes) -> dict[str, bytes]:
    brotli = path.with_name(path.name + _BROTLI)
    forms = {"br": brotli.read_bytes()} if brotli.is_file() else {}
    forms["gzip"] = gzip.compress(content, 9, mtime=0)
    return {name: packed for name, packed in forms.items() if len(packed) < len(content)}


def shipped() -> Path:
    """Where a wheel has it."""
    return Path(__file__).parent / "web"
