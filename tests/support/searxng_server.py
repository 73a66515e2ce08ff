"""An HTTP server that speaks SearXNG's JSON, and serves the pages its results name.

What a query asks decides how it behaves: `fail` answers with status 500, `forbidden` with 403 as a server
does whose formats lack json, `html` with a page, `stall` never. The page `/drip` comes in drops.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

STALL_SECONDS = 5.0


@dataclass
class Web:
    """What there is to find.

    Attributes:
        pages: path to content type and bytes.
        results: entries of every answer; `{base}` in a url becomes the server's address.
        asked: paths with queries, in order.
        hosts: the `Host` of each.
        base: address of the server once it runs.
    """

    pages: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)
    results: Sequence[dict[str, Any]] = ()
    asked: list[str] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    base: str = ""


class _Handler(BaseHTTPRequestHandler):
    web: Web

    def do_GET(self) -> None:
        self.web.asked.append(self.path)
        self.web.hosts.append(self.headers.get("Host", ""))
        parts = urlsplit(self.path)
        if parts.path == "/search":
            self._search(parse_qs(parts.query).get("q", [""])[0])
        elif parts.path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", parts.path.removeprefix("/to"))
            self.end_headers()
        elif parts.path == "/drip":
            self._drip()
        elif parts.path in self.web.pages:
            self._answer(200, *self.web.pages[parts.path])
        else:
            self._answer(404, "text/plain", b"not found")

    def _drip(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        with contextlib.suppress(ConnectionError):
            for _ in range(round(STALL_SECONDS / 0.2)):
                self.wfile.write(b"<p>drop")
                time.sleep(0.2)

    def _search(self, query: str) -> None:
        if query == "stall":
            time.sleep(STALL_SECONDS)
        broken = {
            "fail": (500, "text/plain"),
            "forbidden": (403, "text/html"),
            "html": (200, "text/html"),
        }
        if query in broken:
            self._answer(*broken[query], b"<p>no results here</p>")
            return
        results = [
            {**one, "url": str(one.get("url")).replace("{base}", self.web.base)} for one in self.web.results
        ]
        answer = {"query": query, "results": results, "unresponsive_engines": [["tardy", "timeout"]]}
        self._answer(200, "application/json", json.dumps(answer).encode())

    def _answer(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


@contextmanager
def serving(web: Web) -> Iterator[str]:
    """Serve on a free port of this machine; gives the address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("_Serving", (_Handler,), {"web": web}))
    server.daemon_threads = True
    web.base = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield web.base
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
