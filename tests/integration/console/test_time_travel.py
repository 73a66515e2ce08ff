"""Checkpoints of a thread: looked at, compared, and branched off."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.integration.console.conftest import ask, scripted, wait_for_standing

pytestmark = pytest.mark.integration
GOAL = "Which python file has the most lines?"


def test_a_fork_with_another_goal_answers_that_one_and_keeps_the_branch_before(
    page: Page, project: Path, tmp_path: Path
) -> None:
    ask(page, GOAL, project, scripted(tmp_path))
    page.get_by_role("heading", name="Answer").wait_for()
    page.get_by_role("link", name="Time travel").click()
    checkpoints = page.locator(".checkpoints li")
    expect(checkpoints).to_have_count(7)
    expect(checkpoints.first).to_contain_text("respond")
    expect(page.locator(".difference", has_text="final_answer")).to_have_count(1)
    checkpoints.filter(has_text="start → classify").get_by_role("button").click()
    assert "at=" in page.url
    page.get_by_role("button", name="Fork from here…").click()
    goal = page.get_by_label("goal", exact=True)
    expect(goal).to_have_value(GOAL)
    goal.fill("How many lines does data/ships.csv have?")
    page.get_by_role("button", name="Fork and run").click()
    page.locator(".answer", has_text="data/ships.csv has 5 lines.").wait_for()
    wait_for_standing(page, "Answered")
    page.get_by_role("link", name="Time travel").click()
    expect(page.locator(".checkpoints .icon-branch")).not_to_have_count(0)
    assert checkpoints.count() > 7
    page.go_back()
    page.locator(".answer").wait_for()


def test_a_change_of_a_state_that_is_no_json_is_told(page: Page, project: Path, tmp_path: Path) -> None:
    thread = ask(page, GOAL, project, scripted(tmp_path))
    page.get_by_role("heading", name="Answer").wait_for()
    page.goto(page.url.partition("#")[0] + f"#/threads/{thread}/history")
    page.get_by_role("button", name="Fork from here…").click()
    page.get_by_label("Other fields to change").fill("{status: broken")
    page.get_by_role("button", name="Fork and run").click()
    page.get_by_role("alert").filter(has_text="no JSON").wait_for()
    expect(page.get_by_role("button", name="Fork and run")).to_be_enabled()
