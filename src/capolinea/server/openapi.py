"""The REST part described for programs, from its table of routes."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import msgspec

from capolinea.server.protocol import ClientMessage, Failure, ServerMessage
from capolinea.server.rest import ROUTES, Route
from capolinea.version import version

_JSON = "application/json"


@cache
def described() -> bytes:
    """The same as JSON."""
    return msgspec.json.encode(description())


def description() -> dict[str, Any]:
    """The OpenAPI document; the socket's messages are among its schemas."""
    kinds = {Failure, ClientMessage, ServerMessage}
    for route in ROUTES:
        kinds |= {kind for kind in (route.body, route.answer) if kind not in (None, bytes)}
    listed = list(kinds)
    schemas, components = msgspec.json.schema_components(
        listed, ref_template="#/components/schemas/{name}"
    )
    known = dict(zip(listed, schemas, strict=True))
    components["ClientMessage"] = known[ClientMessage]
    components["ServerMessage"] = known[ServerMessage]
    paths: dict[str, dict[str, Any]] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, known)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Capolinea",
            "version": version(),
            "description": "Rooms and records. Play goes over the socket: docs/protocol.md.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"person": {"type": "apiKey", "in": "cookie", "name": "capolinea"}},
        },
        # Whoever comes without a cookie gets one with the first answer.
        "security": [{"person": []}, {}],
    }


def _operation(route: Route, known: dict[Any, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": route.handler.__name__,
        "summary": route.summary,
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
            for name in re.findall(r"{(\w+)}", route.path)
        ]
        + [
            {"name": name, "in": "query", "description": text, "schema": {"type": "string"}}
            for name, text in route.query.items()
        ],
        "responses": {
            "200": {
                "description": "Good",
                "content": {route.media_type: {"schema": known.get(route.answer, {})}},
            },
            "default": {
                "description": "Why not",
                "content": {_JSON: {"schema": known[Failure]}},
            },
        },
    }
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {route.body_type: {"schema": _body(route, known)}},
        }
    return operation


def _body(route: Route, known: dict[Any, Any]) -> Any:
    if route.body is not bytes:
        return known[route.body]
    return {"type": "object"} if route.body_type == _JSON else {}
