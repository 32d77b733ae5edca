"""What a browser gets: the table as it was built or, where it was not, a page that says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from html import escape
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from capolinea.server.bundle import Bundle, shipped
from capolinea.server.hub import Hub
from capolinea.server.settings import Settings
from capolinea.words import Words, languages

Endpoint = Callable[[Request], Awaitable[Response]]

#: The screens. Their parts are the browser's business.
SCREENS = ("room", "watch", "replay", "learn", "rules", "settings", "tv")


def folder_of(settings: Settings) -> Path:
    """Where the pages are, if there are any."""
    return Path(settings.web) if settings.web else shipped()


def has_pages(settings: Settings) -> bool:
    return (folder_of(settings) / "index.html").is_file()


def pages(hub: Hub) -> list[Route]:
    if not has_pages(hub.settings):
        return [Route("/", _unbuilt), Route("/room/{code}", _unbuilt)]
    bundle = Bundle(folder_of(hub.settings))
    screens = [Route(f"/{name}", _index(bundle)) for name in SCREENS]
    screens += [Route(f"/{name}/{{rest:path}}", _index(bundle)) for name in SCREENS]
    return [Route("/", _index(bundle)), *screens, Route("/{path:path}", _file(bundle))]


def _index(bundle: Bundle) -> Endpoint:
    async def index(request: Request) -> Response:
        answer = bundle.answer("index.html", request)
        assert answer is not None
        return answer

    return index


def _file(bundle: Bundle) -> Endpoint:
    async def file(request: Request) -> Response:
        path = request.path_params["path"]
        answer = bundle.answer(path, request)
        if answer is not None:
            return answer
        # Who follows a broken link or mistypes an address reads so in their language, with a way home.
        # A script that an update took away is no page, whoever asks for it.
        asked_for_page = "text/html" in request.headers.get("accept", "") and "." not in path
        answer = bundle.answer("index.html", request) if asked_for_page else None
        if answer is None or path.startswith(("api/", "assets/")):
            raise HTTPException(404)
        if answer.status_code == 200:
            answer.status_code = 404
        return answer

    return file


async def _unbuilt(request: Request) -> Response:
    """The server runs without the browser's side: from sources, perhaps, or for programs alone."""
    lang = wanted(request.headers.get("accept-language", ""))
    say = Words.of(lang)
    return HTMLResponse(
        f'<!doctype html><html lang="{lang}"><meta charset="utf-8"><title>Capolinea</title>'
        f"<h1>Capolinea</h1><p>{escape(say.say('page.what'))}</p>"
        f"<p>{escape(say.say('page.unbuilt'))} <code>./play</code></p>"
        f"<p>{escape(say.say('page.how'))} <code>capolinea play</code></p></html>"
    )


def wanted(accepted: str) -> str:
    """The first language of a browser's list that we speak."""
    for part in accepted.split(","):
        lang = part.split(";")[0].strip()[:2].lower()
        if lang in languages():
            return lang
    return "en"
