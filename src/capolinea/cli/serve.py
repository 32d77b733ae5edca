"""`capolinea serve`: the table for browsers, until somebody stops it."""

from __future__ import annotations

import os
import sys
import webbrowser
from argparse import Namespace
from pathlib import Path

from capolinea.cli.voice import Voice
from capolinea.server import logs, qr
from capolinea.server.house import base_url
from capolinea.server.pages import folder_of, has_pages
from capolinea.server.run import run as serve
from capolinea.server.settings import Settings
from capolinea.server.sqlite import open_store, path_of
from capolinea.version import version


def run(asked: Namespace, voice: Voice) -> int:
    settings = Settings.load(vars(asked), os.environ)
    logs.set_up(settings.log_level, settings.log_format)
    path = path_of(settings.db)
    if not asked.db:
        path.parent.mkdir(parents=True, exist_ok=True)
    store = open_store(settings.db)

    def ready(serving: Settings) -> None:
        _welcome(serving, path, voice)
        if asked.open:
            _open_browser(f"http://localhost:{serving.port}")

    serve(settings, store, ready)
    return 0


def _welcome(settings: Settings, path: Path, voice: Voice) -> None:
    """Where people find the table. On a network, with a code to point a phone at."""
    link = base_url(settings)
    if settings.lan:
        print(qr.text(link, colour=sys.stdout.isatty()))
        print(voice("serve.lan", link=link))
    link = f"http://localhost:{settings.port}" if settings.lan else link
    print(voice("serve.at", version=version(), link=link))
    print(voice("serve.keeps", file=str(path)))
    if not has_pages(settings):
        print(voice("serve.no-pages", folder=str(folder_of(settings))))
    if not settings.lan and not settings.public_url:
        print(voice("serve.lan-hint"))
    if settings.public_url.startswith("https:") and not settings.trusted_proxies:
        print(voice("serve.no-proxy"))
    print(voice("serve.stop"), flush=True)


def _open_browser(link: str) -> None:
    """Where there is one: on a server without a screen, a browser in the terminal helps nobody."""
    graphical = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if graphical or os.environ.get("BROWSER") or sys.platform in ("darwin", "win32"):
        webbrowser.open(link)
