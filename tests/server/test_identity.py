"""Nobody can claim to be somebody else."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection
from starlette.responses import Response

from capolinea.server.identity import (
    CODE_LENGTH,
    LETTERS,
    Identity,
    digest,
    new_code,
    new_key,
    new_match_id,
    new_person,
)

SECRET = bytes(range(32))
IDENTITY = Identity(SECRET)


def connection(cookie: str = "", scheme: str = "http", kind: str = "http") -> HTTPConnection:
    headers = [(b"cookie", cookie.encode("latin-1"))] if cookie else []
    return HTTPConnection({"type": kind, "scheme": scheme, "headers": headers, "path": "/"})


def test_a_token_tells_who_it_is() -> None:
    person = new_person()
    assert IDENTITY.person(IDENTITY.token(person)) == person
    assert Identity(SECRET).person(IDENTITY.token(person)) == person, "a restart keeps everybody"


def test_a_token_for_somebody_else() -> None:
    ada, bruno = new_person(), new_person()
    signature = IDENTITY.token(ada).partition(".")[2]
    assert IDENTITY.person(f"{bruno}.{signature}") is None


def test_a_token_signed_with_another_secret() -> None:
    assert Identity(bytes(32)).person(IDENTITY.token(new_person())) is None


def test_every_character_of_a_token_counts() -> None:
    token = IDENTITY.token(new_person())
    for place, letter in enumerate(token):
        for other in ("a", "b", "A", "_", ""):
            if other != letter:
                forged = token[:place] + other + token[place + 1 :]
                assert IDENTITY.person(forged) is None, (place, other)


@pytest.mark.parametrize(
    "token", ["", ".", "a", "a.", ".a", "a.b.c", "é.ü", "\ud800.x", "x" * 100_000, "\0.\0"]
)
def test_nonsense_is_no_token(token: str) -> None:
    assert IDENTITY.person(token) is None


@pytest.mark.parametrize("more", [" ", "=", "==", ".", "\n"])
def test_a_token_has_one_spelling(more: str) -> None:
    token = IDENTITY.token(new_person())
    assert IDENTITY.person(token + more) is None
    assert IDENTITY.person(more + token) is None


def test_a_plain_signature_with_the_secret_is_no_token() -> None:
    """Whatever else the secret comes to sign, it signs no tokens."""
    import base64
    import hmac

    person = new_person()
    plain = base64.urlsafe_b64encode(hmac.digest(SECRET, person.encode(), "sha256")).rstrip(b"=")
    assert IDENTITY.person(f"{person}.{plain.decode()}") is None


def test_a_short_secret_is_none() -> None:
    with pytest.raises(ValueError, match="32"):
        Identity(b"short")


def test_the_cookie_comes_back_from_requests_and_sockets() -> None:
    person, response = new_person(), Response()
    IDENTITY.remember(connection(), response, person)
    value = response.headers["set-cookie"].partition(";")[0]
    assert IDENTITY.visitor(connection(value)) == person
    assert IDENTITY.visitor(connection(value, kind="websocket")) == person
    assert IDENTITY.visitor(connection(f"other=1; {value}")) == person
    assert IDENTITY.visitor(connection()) is None
    assert IDENTITY.visitor(connection("capolinea=forged.forged")) is None


@pytest.mark.parametrize(
    ("scheme", "secure"), [("http", False), ("ws", False), ("https", True), ("wss", True)]
)
def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(scheme: str, secure: bool) -> None:
    cookie = IDENTITY.cookie(connection(scheme=scheme), new_person())
    attributes = cookie.split("; ")[1:]
    assert {"HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=31536000"} <= set(attributes)
    assert ("Secure" in attributes) == secure
    assert "Domain" not in cookie


def test_codes_are_short_and_no_words() -> None:
    codes = {new_code() for _ in range(500)}
    assert len(codes) > 495
    assert {len(code) for code in codes} == {CODE_LENGTH}
    assert set().union(*codes) == set(LETTERS), "every letter is used"
    assert not set(LETTERS) & set("AEIOUY01L")


def test_ids_are_long_and_different() -> None:
    ids = {make() for make in (new_person, new_match_id) for _ in range(200)}
    assert len(ids) == 400
    assert {len(one) for one in ids} == {26}, "128 bits in base 32"
    assert all(one.isalnum() and one.lower() == one for one in ids)


def test_of_a_key_only_the_digest_is_kept() -> None:
    key, kept = new_key()
    assert digest(key) == kept
    assert key not in kept
    assert digest(key + "x") != kept
    assert len(key) == 26
    assert digest("\ud800") != kept, "nonsense is no key, and no crash"
