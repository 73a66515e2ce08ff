"""Every view, held to WCAG AA by axe, in light and dark, and in a window of 360 pixels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from evals.fixture_repository import build_fixture_repository
from tests.integration.console.conftest import (
    PASSED,
    WRITE,
    Tab,
    Tabs,
    ask,
    scripted,
    wait_for_standing,
    write_step,
)
from tests.support.langgraph_server import Served

pytestmark = pytest.mark.integration
WCAG = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "narrow": {"color_scheme": "light", "viewport": {"width": 360, "height": 740}},
}


@pytest.fixture(scope="module")
def places(
    browser: Browser, server: Served, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, tuple[str, str]]]:
    """Where each view is, and what is there once it has come."""
    folder = tmp_path_factory.mktemp("views")
    project = build_fixture_repository(folder / "project")
    page = browser.new_context().new_page()
    begun = Tab(page, server.url)
    answered = ask(begun.open(), "Which python file has the most lines?", project, scripted(folder))
    wait_for_standing(page, "Answered")
    plan = scripted(folder, planner=[write_step("new.txt", "a\n" * 40)], verifier=[PASSED])
    waiting = ask(begun.open(), WRITE, project, plan)
    wait_for_standing(page, "Waiting for you")
    failed = ask(begun.open(), "Explain the harbour", project, scripted(folder, [{"error": "failed"}]))
    page.locator(".answer.bad").wait_for()
    page.context.close()
    asked = f"?root={project}"
    yield {
        "run": ("/run", "#goal-goal"),
        "settings": ("/run?goal=x", ".settings-card"),
        "answered": (f"/threads/{answered}", ".answer.good"),
        "waiting": (f"/threads/{waiting}", ".diff"),
        "failed": (f"/threads/{failed}", ".answer.bad"),
        "history": (f"/threads/{answered}/history", ".difference"),
        "report": (f"/threads/{answered}/report{asked}", "iframe"),
        "trace": (f"/threads/{answered}/trace{asked}", "iframe"),
        "threads": ("/threads", ".thread-row"),
        "corpus": (f"/corpus{asked}", ".records li"),
        "health": ("/health", ".checks li"),
    }


@pytest.mark.parametrize("look", LOOKS)
def test_every_view_is_readable_by_everybody(
    look: str, tabs: Tabs, server: Served, places: dict[str, tuple[str, str]]
) -> None:
    page = tabs.new(server.url, **LOOKS[look]).page
    for view, (place, sign) in places.items():
        page.goto("about:blank")
        page.goto(f"{server.url}/console/#{place}")
        page.locator(sign).first.wait_for()
        opened(page, view)
        serious = [
            f"{view}: {found['id']}: {[node['html'][:200] for node in found['nodes']][:3]}"
            for found in Axe().run(page, options=WCAG).response["violations"]
            if found["impact"] in ("serious", "critical")
        ]
        assert not serious
        widths = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
        assert widths[0] <= widths[1], f"{view} scrolls sideways"


def opened(page: Page, view: str) -> None:
    """What is closed at first is looked at as well."""
    if view == "settings":
        page.locator(".settings-card > summary").click()
        page.get_by_role("searchbox").fill("max")
        page.locator(".setting").first.wait_for()
    elif view == "waiting":
        page.get_by_role("button", name="Edit…").click()
    elif view == "history":
        page.locator(".difference summary").first.click()
        page.get_by_role("button", name="Fork from here…").click()
    elif view == "answered":
        page.locator(".evidence > summary").click()
