"""A browser on the console's page, and the server behind it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from evals.fixture_repository import build_fixture_repository
from tests.support.langgraph_server import Served, served

WAIT_MS = 30_000
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
# What a browser says of a request that a test itself made fail.
EXPECTED = ("Failed to load resource", "net::ERR")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("console")) as running:
        yield running


# Playwright's loop runs in this thread while the browser is open, and no other can: not beyond this folder.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return build_fixture_repository(tmp_path / "project")


@dataclass
class Tab:
    """A tab of the browser, what it asked for, and what went wrong in it."""

    page: Page
    base: str
    asked: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def open(self, place: str = "/run") -> Page:
        self.page.goto(f"{self.base}/console/#{place}")
        return self.page

    def note_request(self, request: Request) -> None:
        self.asked.append(request.url)

    def note_message(self, message: ConsoleMessage) -> None:
        if message.type == "error" and not any(words in message.text for words in EXPECTED):
            self.problems.append(message.text)


class Tabs:
    """Opens tabs, and holds at the end that none asked a stranger or said an error."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self.opened: list[Tab] = []

    def new(self, base: str, **choices: Any) -> Tab:
        context = self._browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **choices})
        page = context.new_page()
        page.set_default_timeout(WAIT_MS)
        tab = Tab(page, base)
        page.on("request", tab.note_request)
        page.on("console", tab.note_message)
        page.on("pageerror", lambda error: tab.problems.append(str(error)))
        self.opened.append(tab)
        return tab

    def check(self) -> None:
        for tab in self.opened:
            own = urlsplit(tab.base).netloc
            strangers = [url for url in tab.asked if urlsplit(url).netloc not in (own, "")]
            assert tab.asked and not strangers
            assert not tab.problems


@pytest.fixture
def tabs(browser: Browser) -> Iterator[Tabs]:
    held = Tabs(browser)
    yield held
    held.check()
    for tab in held.opened:
        tab.page.context.close()


@pytest.fixture
def page(tabs: Tabs, server: Served) -> Page:
    return tabs.new(server.url).open()


def scripted(folder: Path, default: list[Any] | None = None, **roles: list[Any]) -> str:
    """A model that follows a script, which a server of another process can read."""
    path = folder / "script.json"
    path.write_text(json.dumps({"roles": roles, "default": default or [], "repeat_last": True}), "utf-8")
    return f"scripted:{path}"


def ask(page: Page, goal: str, root: Path, model: str) -> str:
    """Begin a run as a person does; the name of its thread."""
    page.get_by_label("Project directory").fill(str(root))
    page.get_by_label("Model").fill(model)
    page.get_by_label("Goal", exact=True).fill(goal)
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/console/#/threads/*")
    return page.url.rpartition("/")[2]


def standing(page: Page) -> str:
    """How the run stands, as the page says it."""
    return page.locator(".standing .badge").inner_text()


def wait_for_standing(page: Page, words: str) -> None:
    page.locator(".standing .badge", has_text=words).wait_for()


def write_step(path: str, content: str) -> dict[str, Any]:
    """A planner's reply that writes a file."""
    step = {"description": "write", "tool": "write_file", "args": {"path": path, "content": content}}
    return {"objective": "write", "steps": [step]}


PASSED = {"passed": True, "reason": "done", "confidence": 0.9}
WRITE = "create a new file that is called new.txt and says something new"
