"""A server that is killed and started again, as the page meets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from evals.fixture_repository import build_fixture_repository
from tests.integration.console.conftest import (
    PASSED,
    WRITE,
    Tabs,
    ask,
    scripted,
    wait_for_standing,
    write_step,
)
from tests.support.langgraph_server import served
from tests.support.processes import free_port

pytestmark = pytest.mark.integration


def test_runs_are_gone_on_with_after_the_server_was_killed(tabs: Tabs, tmp_path: Path) -> None:
    home, port = tmp_path / "home", free_port()
    home.mkdir()
    projects = [build_fixture_repository(tmp_path / name) for name in ("asked", "cut_off")]
    plan = write_step("new.txt", "new\n")
    with served(home, port) as running:
        asked = tabs.new(running.url).open()
        (tmp_path / "first").mkdir()
        ask(asked, WRITE, projects[0], scripted(tmp_path / "first", planner=[plan], verifier=[PASSED]))
        asked.get_by_role("button", name="Approve", exact=True).wait_for()
        cut_off = tabs.new(running.url).open()
        slow = scripted(tmp_path, planner=[{"delay": 6, "reply": plan}], verifier=[PASSED])
        ask(cut_off, WRITE, projects[1], slow)
        cut_off.locator(".log .line", has_text="asking the planner").wait_for()
        running.process.kill()
        running.process.wait()
        for page in (asked, cut_off):
            page.get_by_text("The connection to the server is lost").wait_for()
    with served(home, port):
        for page in (asked, cut_off):
            expect(page.get_by_text("The connection to the server is lost")).to_have_count(0, timeout=30_000)
        asked.get_by_role("button", name="Approve", exact=True).click()
        wait_for_standing(asked, "Answered")
        assert (projects[0] / "new.txt").read_text() == "new\n"
        wait_for_standing(cut_off, "Stopped before it ended")
        assert not (projects[1] / "new.txt").exists()
        cut_off.get_by_role("button", name="Go on").click()
        cut_off.get_by_role("button", name="Approve", exact=True).click()
        wait_for_standing(cut_off, "Answered")
        assert (projects[1] / "new.txt").read_text() == "new\n"
