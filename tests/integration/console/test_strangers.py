"""What comes from models, from links and from people without the token, as the page meets it."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.integration.console.conftest import Tabs, ask, scripted
from tests.support.langgraph_server import Served, served

pytestmark = pytest.mark.integration
ATTACK = "<img src=x onerror=\"document.title='hit'\"><script>document.title='hit'</script><b>bold</b>"
MEGABYTE = 2**20


def posted(url: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return json.loads(reply.read())


def ended_thread(server: Served, answer: str) -> str:
    """A thread whose run ended with an answer."""
    thread = posted(f"{server.url}/threads", {"metadata": {"graph_id": "reflective", "goal": ATTACK}})
    name = str(thread["thread_id"])
    values = {"goal": ATTACK, "final_answer": answer, "status": "answered", "notes": [ATTACK]}
    posted(f"{server.url}/threads/{name}/state", {"values": values, "as_node": "respond"})
    return name


def test_words_of_a_goal_and_of_a_model_are_text(page: Page, project: Path, tmp_path: Path) -> None:
    thread = ask(page, f"What is the capital of France? {ATTACK}", project, scripted(tmp_path, [ATTACK]))
    page.locator(".answer").wait_for()
    expect(page.get_by_role("heading", level=1)).to_contain_text("<script>")
    base = page.url.partition("#")[0]
    for view in ("history", "report", "trace"):
        page.goto(f"{base}#/threads/{thread}/{view}?root={project}")
        page.locator(".checkpoints, iframe").first.wait_for()
    page.goto(f"{base}#/threads")
    page.locator(".thread-row").first.wait_for()
    assert page.title() != "hit"
    assert not page.locator("main img, main script, main b").count()


def test_a_huge_answer_is_cut_until_all_of_it_is_asked_for(tabs: Tabs, server: Served) -> None:
    thread = ended_thread(server, f"first\u202eline {ATTACK}\n" + "x" * MEGABYTE)
    page = tabs.new(server.url).open(f"/threads/{thread}")
    answer = page.locator(".answer .long-text .text").first
    expect(answer).to_contain_text("first\\x202eline <img")
    assert len(answer.inner_text()) < 5000
    page.get_by_role("button", name="Show all (1,048,").click()
    expect(page.get_by_role("button", name="Show less")).to_be_visible()
    assert len(answer.inner_text()) > MEGABYTE
    assert page.title() != "hit"


def test_a_thread_that_is_not_there_is_told(tabs: Tabs, server: Served) -> None:
    page = tabs.new(server.url).open("/threads/00000000-0000-4000-8000-000000000000")
    page.get_by_role("heading", name="This thread cannot be opened here").wait_for()
    page.goto(page.url.partition("#")[0] + "#/threads/%E0%A4%A")
    page.get_by_role("heading", name="This thread cannot be opened here").wait_for()
    page.goto(page.url.partition("#")[0] + "#/nowhere")
    page.get_by_role("heading", name="There is no such page").wait_for()


def test_nobody_comes_in_without_the_token_and_it_goes_with_the_tab(
    tabs: Tabs, project: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with served(home, REFLECT_API_TOKEN="correct-horse-battery-staple") as running:
        tab = tabs.new(running.url)
        page = tab.open()
        page.get_by_role("heading", name="This server asks for a token").wait_for()
        page.get_by_label("Token").fill("wrong")
        page.keyboard.press("Enter")
        page.get_by_text("This is not the token.").wait_for()
        page.get_by_label("Token").fill("correct-horse-battery-staple")
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="New run").wait_for()
        thread = ask(page, "Which python file has the most lines?", project, scripted(tmp_path))
        page.get_by_role("heading", name="Answer").wait_for()
        page.goto(f"{running.url}/console/#/threads/{thread}/report?root={project}")
        frame = page.frame_locator("iframe")
        expect(frame.get_by_text("with 49 lines").first).to_be_visible()
        ground = frame.locator("body").evaluate("body => getComputedStyle(body).fontFamily")
        assert "serif" not in ground.split(",")[0], "the page has its styles"
        page.reload()
        page.locator("iframe").wait_for()
        assert "staple" not in json.dumps(page.context.storage_state())
        other = tabs.new(running.url).open()
        other.get_by_role("heading", name="This server asks for a token").wait_for()
