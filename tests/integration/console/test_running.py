"""A run begun, followed and answered in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.integration.console.conftest import (
    PASSED,
    WRITE,
    Tabs,
    ask,
    scripted,
    standing,
    wait_for_standing,
    write_step,
)
from tests.support.langgraph_server import Served

pytestmark = pytest.mark.integration
GOAL = "Which python file has the most lines?"
LONGEST = "The longest of the 10 *.py files is src/harbour/cli.py, with 49 lines."


def test_a_run_is_begun_and_read_with_the_keyboard_alone(page: Page, project: Path, tmp_path: Path) -> None:
    page.get_by_label("Project directory").wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_text("Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="New run")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Engine")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.type(GOAL)
    goal = page.get_by_label("Goal", exact=True)
    expect(goal).to_have_value(GOAL)
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "root":
            break
    page.keyboard.press("ControlOrMeta+A")
    page.keyboard.type(str(project))
    page.keyboard.press("Tab")
    page.keyboard.type(scripted(tmp_path))
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Answer").wait_for()
    assert standing(page) == "Answered"
    expect(page.locator(".answer")).to_contain_text(LONGEST)
    expect(page.get_by_role("status")).to_have_text("Answered")
    assert page.evaluate("document.activeElement.tagName") == "H1"
    expect(page.locator(".plan .step.success")).to_have_count(2)
    lit = page.locator(".node.visited")
    assert {name.get_attribute("data-node") for name in lit.all()} == {
        "classify",
        "plan",
        "execute",
        "respond",
    }
    expect(page.locator('[data-node="execute"] .count')).to_have_text(" 2")


def test_a_run_that_cannot_answer_looks_like_no_success(page: Page, project: Path, tmp_path: Path) -> None:
    model = scripted(tmp_path, [{"error": "unavailable"}])
    ask(page, "Explain in your own words what the harbour project is good for", project, model)
    page.locator(".answer.bad").wait_for()
    assert standing(page).startswith(("Could not answer", "Failed"))
    expect(page.get_by_role("heading", name="No answer")).to_be_visible()
    expect(page.locator(".standing .icon-bad")).to_have_count(1)
    assert not page.locator(".good").count()
    expect(page.locator(".answer")).to_contain_text("The scripted server is down.")


def test_the_words_of_a_model_show_as_they_come_and_a_reload_in_the_middle_loses_none(
    page: Page, project: Path, tmp_path: Path
) -> None:
    words = " ".join(f"word{number}" for number in range(60))
    model = scripted(tmp_path, [{"pace": 0.1, "reply": words}])
    ask(page, "What is the capital of France?", project, model)
    page.locator(".draft", has_text="word5").wait_for()
    assert standing(page) == "Running"
    page.reload()
    page.locator(".draft", has_text="word20").wait_for()
    draft = page.locator(".draft").inner_text()
    assert draft.split() == words.split()[: len(draft.split())]
    page.locator(".answer").wait_for()
    lines = page.locator(".log .line").all_inner_texts()
    assert len(lines) == len(set(lines)) and lines


def test_a_run_is_cancelled_and_gone_on_with(page: Page, project: Path, tmp_path: Path) -> None:
    plan = write_step("new.txt", "new\n")
    model = scripted(tmp_path, planner=[{"delay": 4, "reply": plan}, plan], verifier=[PASSED])
    ask(page, WRITE, project, model)
    page.get_by_text("asking the planner").wait_for()
    page.get_by_role("button", name="Cancel").click()
    wait_for_standing(page, "Stopped before it ended")
    assert not (project / "new.txt").exists()
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("heading", name="A change waits for your approval").wait_for()


def test_two_tabs_see_the_same_run_and_one_answer_counts_once(
    tabs: Tabs, server: Served, project: Path, tmp_path: Path
) -> None:
    model = scripted(tmp_path, planner=[write_step("new.txt", "new\n")], verifier=[PASSED])
    first = tabs.new(server.url).open()
    thread = ask(first, WRITE, project, model)
    second = tabs.new(server.url).open(f"/threads/{thread}")
    for page in (first, second):
        page.get_by_role("button", name="Approve", exact=True).wait_for()
    second.get_by_role("button", name="Approve", exact=True).click()
    for page in (second, first):
        page.locator(".answer").wait_for()
        assert standing(page) == "Answered"
        expect(page.locator(".log .line", has_text="write_file")).to_have_count(1)
    assert (project / "new.txt").read_text() == "new\n"


def test_only_settings_that_were_changed_are_sent(page: Page, project: Path, tmp_path: Path) -> None:
    page.get_by_text("as they are").click()
    search = page.get_by_role("searchbox")
    search.fill("graph.max_iterations")
    field = page.get_by_label("graph.max_iterations", exact=True)
    expect(field).to_have_attribute("placeholder", "50 (default)")
    field.fill("5000")
    page.get_by_text("At most 1000.").wait_for()
    page.get_by_label("Goal", exact=True).fill(GOAL)
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("graph.max_iterations: At most 1000.").wait_for()
    field.fill("20")
    with page.expect_request(
        lambda request: request.method == "POST" and request.url.endswith("/runs")
    ) as run:
        ask(page, GOAL, project, scripted(tmp_path))
    sent = run.value.post_data_json
    assert sent["context"] == {
        "root": str(project),
        "model": f"scripted:{tmp_path / 'script.json'}",
        "graph.max_iterations": 20,
    }
    page.get_by_role("heading", name="Answer").wait_for()
