"""SearXNG's protocol against a server of this machine, and pages that are read from it."""

import asyncio
import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from configs.settings import Settings
from tests.support.searxng_server import Web, serving
from tests.tools.search.extraction.pages import page
from tools.errors import SearchUnavailable
from tools.search import web_addresses
from tools.search.items import Item
from tools.search.opening import open_backend
from tools.search.web_results import SNIPPET

pytestmark = pytest.mark.integration

STORY = page(
    "<article><h1>Ferry</h1><p>The Harbourton ferry terminal will open one year late, in 2027, the mayor "
    "said on Friday, and it will cost 55 million dollars.</p></article>",
    '<meta property="article:published_time" content="2024-06-07T10:00:00Z">'
    '<meta property="og:site_name" content="中央社">',
)
PAGES = {
    "/ferry": ("text/html; charset=utf-8", STORY),
    "/picture": ("image/png", b"\x89PNG"),
    "/huge": ("text/html", b"<p>" + b"x" * 6_000_000),
    "/notes.txt": ("text/plain", "發布日期：2024年5月1日\n外銷訂單年增5.2%。".encode()),
}


# Of a block that was given back (RFC 7526): public by its number, and nobody answers there.
SOMEWHERE = "192.88.99.1"


def port_of(address: str) -> int:
    return int(address.rsplit(":", 1)[1])


def settings(address: str, **search: Any) -> Settings:
    given = {"web": True, "searxng_url": address, "timeout": 2.0, "private_addresses": True, **search}
    return Settings.model_validate({"research": {"search": given}})


def searched(web: Web, query: str = "ferry", **search: Any) -> tuple[list[Item], list[str]]:
    with serving(web) as address:
        backend = open_backend(settings(address, **search), Path("."), "searxng")
        found = asyncio.run(backend.search(query, 10))
    return found, list(backend.notes)


def result(path: str, **more: str) -> dict[str, str]:
    return {"url": "{base}" + path, "title": f"Title of {path}", "content": f"Snippet of {path}", **more}


def test_pages_are_read_and_the_site_is_the_host_that_was_asked() -> None:
    web = Web(PAGES, [result("/ferry"), result("/to/notes.txt")])
    found, notes = searched(web, "渡輪 ferry & more")
    assert "in 2027" in found[0].description
    assert (found[0].site, found[0].date, found[0].schema_object[SNIPPET]) == (
        "127.0.0.1",
        "2024-06-07",
        False,
    )
    assert (found[1].language, found[1].date) == ("zh", "2024-05-01")
    assert found[0].score > found[1].score
    assert any("tardy" in note for note in notes)
    assert "q=%E6%B8%A1%E8%BC%AA+ferry+%26+more" in web.asked[0]


def test_what_cannot_be_read_is_its_snippet_and_told() -> None:
    paths = ["/missing", "/picture", "/huge", "/to/to/to/to/to/to/to/ferry"]
    dated = [result(path, publishedDate="2024-02-03T00:00:00") for path in paths]
    found, notes = searched(Web(PAGES, [*dated, {"title": "no address"}, {"url": "ftp://x/y"}]))
    assert [item.description for item in found] == [f"Snippet of {path}" for path in paths]
    assert all(item.schema_object[SNIPPET] and item.date == "2024-02-03" for item in found)
    told = "\n".join(notes)
    for reason in ("status 404", "image/png", "larger than 5 MB", "more than 5 times"):
        assert reason in told


def test_a_result_must_not_have_this_machines_network_asked() -> None:
    web = Web(PAGES, [result("/ferry"), {**result("/x"), "url": "http://169.254.169.254/latest/meta-data"}])
    found, notes = searched(web, private_addresses=False)
    assert all(item.schema_object[SNIPPET] for item in found)
    assert len([path for path in web.asked if not path.startswith("/search")]) == 0
    assert sum("this machine or its network" in note for note in notes) == 2


class Names:
    """Answers of a resolver, in order, the last one for ever; counts the questions."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.mark.parametrize(
    "answers",
    [
        [["127.0.0.1"]],
        [[SOMEWHERE, "127.0.0.1"]],
        [["::ffff:127.0.0.1"]],
        [[SOMEWHERE], ["127.0.0.1"]],  # another answer by the time of the connection
    ],
)
def test_a_name_leads_to_no_address_but_the_one_that_was_checked(
    answers: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    names = Names(*answers)
    monkeypatch.setattr(web_addresses, "resolve", names.resolve)
    web = Web(PAGES, [result("/ferry")])
    with serving(web) as address:
        web.results = [{**result("/ferry"), "url": f"http://harbour.example:{port_of(address)}/ferry"}]
        backend = open_backend(settings(address, private_addresses=False), Path("."), "searxng")
        (item,) = asyncio.run(backend.search("ferry", 5))
    assert item.schema_object[SNIPPET] and len(web.asked) == 1
    assert names.asked == ["harbour.example"]


def test_a_page_that_leads_on_is_checked_where_it_leads_to(monkeypatch: pytest.MonkeyPatch) -> None:
    names = Names(["127.0.0.1"])
    monkeypatch.setattr(web_addresses, "resolve", names.resolve)
    # This server stands for a public one the first time it is asked for a page.
    monkeypatch.setattr(web_addresses, "is_public", lambda address: len(names.asked) == 1)
    web = Web(PAGES)
    with serving(web) as address:
        web.results = [{**result("/to/ferry"), "url": f"http://harbour.example:{port_of(address)}/to/ferry"}]
        backend = open_backend(settings(address, private_addresses=False), Path("."), "searxng")
        (item,) = asyncio.run(backend.search("ferry", 5))
    assert item.schema_object[SNIPPET]
    assert web.asked[1:] == ["/to/ferry"] and names.asked == ["harbour.example"] * 2


def test_a_page_is_asked_for_by_its_name_at_the_address_that_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = Names(["127.0.0.1"])
    monkeypatch.setattr(web_addresses, "resolve", names.resolve)
    monkeypatch.setattr(web_addresses, "is_public", lambda address: True)
    web = Web(PAGES)
    with serving(web) as address:
        port = port_of(address)
        web.results = [{**result("/ferry"), "url": f"http://harbour.example:{port}/ferry"}]
        backend = open_backend(settings(address, private_addresses=False), Path("."), "searxng")
        (item,) = asyncio.run(backend.search("ferry", 5))
    assert "in 2027" in item.description and names.asked == ["harbour.example"]
    assert web.hosts[-1] == f"harbour.example:{port}" and item.site == "harbour.example"


def test_a_page_that_comes_in_drops_ends_with_its_time() -> None:
    found, notes = searched(Web(PAGES, [result("/drip")]), timeout=1.0)
    assert found[0].schema_object[SNIPPET] and any("within 1 s" in note for note in notes)


def test_duplicate_addresses_are_one_and_pages_can_be_left_unread() -> None:
    twice = [result("/ferry"), {**result("/ferry"), "url": "{base}/ferry/?utm_source=x"}]
    web = Web(PAGES, twice)
    found, _ = searched(web, pages=False)
    assert [item.description for item in found] == ["Snippet of /ferry"]
    assert len(web.asked) == 1


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("fail", "status 500"),
        ("forbidden", "search.formats"),
        ("html", "without results"),
        ("stall", "answers at"),
    ],
)
def test_a_server_that_fails_is_an_error_with_its_reason(query: str, told: str) -> None:
    with pytest.raises(SearchUnavailable, match=told):
        searched(Web(), query, timeout=0.5)


def test_nobody_there_is_an_error() -> None:
    with serving(Web()) as address:
        pass
    backend = open_backend(settings(address), Path("."), "searxng")
    with pytest.raises(SearchUnavailable, match="Nothing answers"):
        asyncio.run(backend.search("ferry", 3))


def test_a_page_that_unpacks_into_too_much_is_stopped() -> None:
    bomb = gzip.compress(b"<p>" + b"x" * 50_000_000)
    assert len(bomb) < 100_000
    found, notes = searched(Web({"/bomb": ("text/html\r\nContent-Encoding: gzip", bomb)}, [result("/bomb")]))
    assert found[0].schema_object[SNIPPET]
    assert any("larger than 5 MB" in note for note in notes)
