"""Who somebody is: no account, only a name nobody else can claim, in a cookie.

A token is `<person>.<signature>`. The person's id is no secret; only the server can sign it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from starlette.requests import HTTPConnection
from starlette.responses import Response

COOKIE = "capolinea"
YEAR = 365 * 24 * 3600
#: Consonants that nobody mistakes for another or for a digit. No vowels, hence no words.
LETTERS = "BCDFGHJKMNPQRSTVWXZ"
#: So many has a room's code. `codes.py` has the arithmetic. (Rooms from before have six, and keep them.)
CODE_LENGTH = 7


class Identity:
    """Signs people's ids with the server's secret, and knows its own signature."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) < 32:
            raise ValueError("a secret has at least 32 bytes")
        # A key of its own: what else the secret signs can never pass for a token.
        self._key = hmac.digest(secret, b"capolinea: token of a person", "sha256")

    def token(self, person: str) -> str:
        signature = hmac.digest(self._key, person.encode(), "sha256")
        return f"{person}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"

    def person(self, token: str) -> str | None:
        """Whose token this is; None if we did not sign it."""
        person = token.partition(".")[0]
        # Written out again and compared as text, so that a token has one spelling only.
        good = token.isascii() and hmac.compare_digest(self.token(person), token)
        return person if good else None

    def visitor(self, connection: HTTPConnection) -> str | None:
        """Who sent this request or opened this socket; None if they have no (good) cookie yet."""
        return self.person(connection.cookies.get(COOKIE, ""))

    def cookie(self, connection: HTTPConnection, person: str) -> str:
        """The value of a Set-Cookie header, also for the answer that accepts a socket."""
        parts = [f"{COOKIE}={self.token(person)}", "HttpOnly", "SameSite=Lax", "Path=/"]
        parts.append(f"Max-Age={YEAR}")
        if is_secure(connection.scope["scheme"]):
            # Only then: a home network is plain HTTP, and a browser would drop a Secure cookie.
            parts.append("Secure")
        return "; ".join(parts)

    def remember(self, connection: HTTPConnection, response: Response, person: str) -> None:
        """Have the browser keep who it is for another year."""
        response.headers.append("set-cookie", self.cookie(connection, person))


def is_secure(scheme: str) -> bool:
    """Whether a connection is encrypted, by its own scheme or a trusted proxy's word."""
    return scheme in ("https", "wss")


# --- names that nobody guesses -------------------------------------------------------------------


def new_person() -> str:
    return _unguessable()


def new_match_id() -> str:
    """It opens a finished private match, so it must not be guessed."""
    return _unguessable()


def new_code() -> str:
    """A room's code: short enough to read out, and kept from being tried out by rate limits."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))


def new_key() -> tuple[str, str]:
    """A key that takes a seat to another device, and its digest, which alone is stored."""
    key = _unguessable()
    return key, digest(key)


def digest(key: str) -> str:
    """What is stored of a key; a key is random, so it needs no salt and no slow hash."""
    return hashlib.sha256(b"capolinea: key of a seat " + key.encode("utf-8", "replace")).hexdigest()


def _unguessable() -> str:
    """128 random bits; lower case, since addresses are sometimes typed or folded."""
    return base64.b32encode(secrets.token_bytes(16)).rstrip(b"=").decode().lower()
