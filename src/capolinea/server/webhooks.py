"""Calling somebody who is away: "it is your turn", posted to an address that they gave.

The address is a stranger's choice and the request comes from inside our network: it goes only to
addresses that anybody could reach, to no other port than the web's, follows no redirect, and its
answer is read by nobody. The name is looked up once, and what was checked is what is called.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import re
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import SplitResult, urlsplit

from capolinea.engine.problems import Problem
from capolinea.server import logs

TIMEOUT = 10
#: Of their own, so that whoever is slow to answer holds up other calls at most.
_THREADS = ThreadPoolExecutor(4, "webhook")
_NAT64 = ip_network("64:ff9b::/96")
#: All that is given out to networks of the new kind; the old kind has odd dresses outside of it.
_GIVEN_OUT = ip_network("2000::/3")
#: Not for the world, whatever Python's version thinks of single addresses in it.
_PROTOCOLS = ip_network("192.0.0.0/24")


def check(url: str, policy: str) -> None:
    """Raise a Problem if this address will not do."""
    if policy == "off":
        raise Problem("webhook.off")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Problem("webhook.form", url=url) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username:
        raise Problem("webhook.form", url=url)
    if policy == "public" and port not in (None, 80, 443):
        raise Problem("webhook.port", url=url)
    if policy == "public" and not _may_be_public(parts.hostname):
        raise Problem("webhook.private", url=url)


async def call(url: str, news: dict[str, Any], policy: str) -> None:
    """Post the news; whoever does not answer is not called again for it."""
    try:
        loop = asyncio.get_running_loop()
        status = await loop.run_in_executor(_THREADS, post, url, news, policy)
        logs.tell("webhook", status=status)
    except (OSError, ValueError, http.client.HTTPException, Problem) as error:
        logs.tell("webhook-failed", error=type(error).__name__)


def post(url: str, news: dict[str, Any], policy: str) -> int:
    check(url, policy)
    parts = urlsplit(url)
    address = resolve(parts, policy)
    connection = _connect(parts, address)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"Content-Type": "application/json", "Host": parts.netloc}
        connection.request("POST", path, json.dumps(news), headers)
        return _status(connection.sock.recv(16))
    finally:
        connection.close()


def resolve(parts: SplitResult, policy: str) -> str:
    """The address to call."""
    assert parts.hostname is not None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    found = socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    for *_, where in found:
        address = str(where[0])
        if policy == "anywhere" or anybody_reaches(address):
            return address
    raise Problem("webhook.private", url=parts.geturl())


def anybody_reaches(address: str) -> bool:
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        # An address of the old kind in the new one's dress.
        inner = found.ipv4_mapped or found.sixtofour
        if found in _NAT64:
            inner = IPv4Address(int(found) & 0xFFFF_FFFF)
        if inner is not None:
            return anybody_reaches(str(inner))
        return found in _GIVEN_OUT and found.is_global
    return found.is_global and not found.is_multicast and found not in _PROTOCOLS


def _may_be_public(host: str) -> bool:
    """Of a name this shows only once it is looked up, which is when it is called."""
    try:
        return anybody_reaches(host)
    except ValueError:
        return True


def _status(line: bytes) -> int:
    """A glance at how the answer begins: who answers drop by drop keeps nobody waiting."""
    found = re.match(rb"HTTP/1\.[01] ([0-9]{3})", line)
    return int(found[1]) if found else 0


def _connect(parts: SplitResult, address: str) -> http.client.HTTPConnection:
    if parts.scheme == "http":
        return http.client.HTTPConnection(address, parts.port or 80, timeout=TIMEOUT)
    connection = http.client.HTTPSConnection(address, parts.port or 443, timeout=TIMEOUT)
    # The certificate must be for the name, though we connect to the address that was checked.
    raw = socket.create_connection((address, parts.port or 443), TIMEOUT)
    context = ssl.create_default_context()
    connection.sock = context.wrap_socket(raw, server_hostname=parts.hostname)
    return connection
