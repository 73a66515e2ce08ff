"""Questions of a run to a person, answered on the page; the files they are about are read from the disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.integration.console.conftest import (
    PASSED,
    WRITE,
    ask,
    scripted,
    standing,
    wait_for_standing,
    write_step,
)

pytestmark = pytest.mark.integration


@pytest.fixture
def waiting(page: Page, project: Path, tmp_path: Path) -> Page:
    """A run that waits for the approval of a change."""
    model = scripted(tmp_path, planner=[write_step("new.txt", "new\n")], verifier=[PASSED])
    ask(page, WRITE, project, model)
    page.get_by_role("heading", name="A change waits for your approval").wait_for()
    assert standing(page) == "Waiting for you"
    expect(page.locator(".diff .added", has_text="+new")).to_have_count(1)
    assert not (project / "new.txt").exists()
    return page


def test_a_change_is_approved(waiting: Page, project: Path) -> None:
    waiting.get_by_role("button", name="Approve", exact=True).click()
    wait_for_standing(waiting, "Answered")
    assert (project / "new.txt").read_text() == "new\n"


def test_a_change_is_edited_seen_again_and_approved(waiting: Page, project: Path) -> None:
    waiting.get_by_role("button", name="Edit…").click()
    waiting.get_by_label("content").fill("edited\n")
    waiting.get_by_role("button", name="Use these arguments").click()
    waiting.locator(".diff .added", has_text="+edited").wait_for()
    assert not (project / "new.txt").exists()
    waiting.get_by_role("button", name="Approve", exact=True).click()
    wait_for_standing(waiting, "Answered")
    assert (project / "new.txt").read_text() == "edited\n"


def test_a_change_is_rejected_with_a_reason(waiting: Page, project: Path) -> None:
    waiting.get_by_role("button", name="Reject…").click()
    waiting.get_by_label("Why").fill("not today")
    waiting.get_by_role("button", name="Reject", exact=True).click()
    waiting.locator(".answer.bad").wait_for()
    assert "you rejected it" in standing(waiting)
    assert not (project / "new.txt").exists()
    expect(waiting.locator(".column", has_text="not today").first).to_be_visible()


def test_a_question_that_may_mean_several_things_is_asked_back(
    page: Page, project: Path, tmp_path: Path
) -> None:
    page.get_by_label("Engine").select_option("research")
    page.get_by_text("More about it").click()
    page.get_by_label("Sources").fill(str(project))
    page.get_by_label("Ask back").select_option("true")
    page.get_by_label("Project directory").fill(str(project))
    page.get_by_label("Model").fill(scripted(tmp_path))
    page.get_by_label("Question", exact=True).fill("What is the latest state of it?")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("heading", name="The question may mean several things").wait_for()
    second = page.locator(".question .choice").nth(1)
    label = second.inner_text().strip()
    second.click()
    page.get_by_role("button", name="Go on with this").click()
    page.locator(".log .line", has_text=f"means: {label}").wait_for()


def test_an_answer_of_low_confidence_is_judged_by_a_person(page: Page, project: Path, tmp_path: Path) -> None:
    page.get_by_text("as they are").click()
    page.get_by_role("searchbox").fill("pause_below")
    page.get_by_label("reasoning.pause_below", exact=True).fill("1")
    ask(page, "Which python file has the most lines?", project, scripted(tmp_path))
    page.get_by_role("heading", name="An answer waits for your judgement").wait_for()
    expect(page.locator(".question blockquote")).to_contain_text("src/harbour/cli.py")
    page.get_by_role("button", name="Accept").click()
    wait_for_standing(page, "Answered")


def test_a_person_plays_a_proof_game(page: Page, project: Path, tmp_path: Path) -> None:
    page.get_by_text("as they are").click()
    page.get_by_role("searchbox").fill("tutor.player")
    page.get_by_label("tutor.player", exact=True).select_option("person")
    page.get_by_label("Engine").select_option("tutor")
    page.get_by_label("Project directory").fill(str(project))
    page.get_by_label("Model").fill(scripted(tmp_path))
    page.get_by_label("Game", exact=True).select_option("B01")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("heading", name="Your move").wait_for()
    page.get_by_role("textbox", name="Your move").fill("assert that it is so")
    page.get_by_role("button", name="Play").click()
    page.get_by_text("Write a claim as JSON").wait_for()
    page.get_by_role("textbox", name="Your move").fill("ls .")
    page.get_by_role("button", name="Play").click()
    page.get_by_text("Turn 2 of").wait_for()
    expect(page.locator(".log .line", has_text="turn 1 PROPOSE")).to_have_count(1)
