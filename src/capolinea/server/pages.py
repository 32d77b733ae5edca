"""What a browser gets at the root: who we are, and what can be played here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from capolinea import games
from capolinea.server.hub import Hub
from capolinea.words import Words, languages

STYLE = """
body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 3rem auto; padding: 0 1rem;
  background: #14213d; color: #f5f1e6 }
h1 { font-size: 3rem; letter-spacing: .05em; margin: 0 }
h2 { color: #f2b5a7; margin-bottom: 0 }
a { color: inherit }
code { background: #0b1427; padding: .1em .4em; border-radius: .3em }
"""

#: Whom a link reaches → how that is said.
REACHES = {
    "computer": "page.reach.computer",
    "network": "page.reach.network",
    "everybody": "page.reach.everybody",
}


def pages(hub: Hub) -> list[Route]:
    return [
        Route("/", _home(hub)),
        Route("/room/{code}", _home(hub)),
        Route("/style.css", _style),
    ]


def _home(hub: Hub) -> Callable[[Request], Awaitable[Response]]:
    async def home(request: Request) -> Response:
        lang = wanted(request.headers.get("accept-language", ""))
        return HTMLResponse(page(lang, hub.reach))

    return home


async def _style(_request: Request) -> Response:
    return Response(STYLE, media_type="text/css")


def page(lang: str, reach: str) -> str:
    say = Words.of(lang)
    parts = [
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<link rel="stylesheet" href="/style.css"><title>Capolinea</title></head><body><main>',
        f"<h1>Capolinea</h1><p>{escape(say.say('page.what'))}</p>",
        f"<p>{escape(say.say(REACHES[reach]))}</p>",
    ]
    for name in games.TITLES:
        game = games.load(name)
        if game.example:
            continue
        words = Words.of(lang, game.folder / "words")
        parts += [
            f"<h2>{escape(words.say('title.name'))}</h2>",
            f"<p>{escape(words.say('title.blurb'))}</p>",
        ]
    parts += [
        f"<p>{escape(say.say('page.how'))} <code>capolinea play</code></p>",
        '<p><a href="/api/openapi.json">API</a></p></main></body></html>',
    ]
    return "".join(parts)


def wanted(accepted: str) -> str:
    """The first language of a browser's list that we speak."""
    for part in accepted.split(","):
        lang = part.split(";")[0].strip()[:2].lower()
        if lang in languages():
            return lang
    return "en"
