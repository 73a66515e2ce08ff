from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.prompting import PromptError, PromptFolder, render


@pytest.fixture(scope="module")
def prompts(tmp_path_factory: pytest.TempPathFactory) -> PromptFolder:
    folder = tmp_path_factory.mktemp("prompts")
    (folder / "greet.md").write_text("Goal: {{goal}}\nAgain: {{goal}}; {{name}}.\n", encoding="utf-8")
    (folder / "json.md").write_text('Reply {"a": {"b": 1}} or {} or {x} for {{goal}}\n', encoding="utf-8")
    (folder / "plain.md").write_text("Nothing to fill — ñ.\n\n", encoding="utf-8")
    (folder / "notes.txt").write_text("not a prompt", encoding="utf-8")
    for number, slot in enumerate(["{{ goal }}", "{{Goal}}", "{{}}", "{{goal", "{{{goal}}}", "{{1a}}"]):
        (folder / f"broken{number}.md").write_text(f"first\n{slot}\n", encoding="utf-8")
    return PromptFolder(folder)


@settings(deadline=None)
@given(
    goal=st.text() | st.sampled_from(["{{name}}", "{{goal}}", "{{", "}}", r"\1\g<0>", "{0}", "$name"]),
    name=st.text(),
)
def test_any_value_survives_verbatim(prompts: PromptFolder, goal: str, name: str) -> None:
    assert prompts.render("greet", goal=goal, name=name) == f"Goal: {goal}\nAgain: {goal}; {name}."


def test_single_braces_and_closing_braces_are_text(prompts: PromptFolder) -> None:
    assert prompts.render("json", goal="g") == 'Reply {"a": {"b": 1}} or {} or {x} for g'


def test_only_the_newline_that_ends_the_file_is_dropped(prompts: PromptFolder) -> None:
    assert prompts.render("plain") == "Nothing to fill — ñ.\n"


def test_a_missing_slot_is_an_error_that_names_it(prompts: PromptFolder) -> None:
    with pytest.raises(PromptError, match="`greet` lacks a value for: name"):
        prompts.render("greet", goal="g")


def test_an_unused_slot_is_an_error_that_names_it(prompts: PromptFolder) -> None:
    with pytest.raises(PromptError, match="`plain` has no slot: goal"):
        prompts.render("plain", goal="g")


def test_an_unknown_prompt_is_an_error_that_lists_the_known_ones(prompts: PromptFolder) -> None:
    with pytest.raises(PromptError, match=r"no prompt `\.\./notes`.*greet, json, plain"):
        prompts.render("../notes")


@pytest.mark.parametrize("number", range(6))
def test_two_braces_that_open_no_slot_are_an_error_with_the_line(prompts: PromptFolder, number: int) -> None:
    with pytest.raises(PromptError, match=f"`broken{number}`, line 2"):
        prompts.render(f"broken{number}", goal="g")


def test_a_slot_may_be_called_name(tmp_path: Path) -> None:
    (tmp_path / "p.md").write_text("{{name}} {{self}}")
    assert PromptFolder(tmp_path).render("p", **{"name": "a", "self": "b"}) == "a b"


def test_a_render_needs_the_disk_no_more(tmp_path: Path) -> None:
    (tmp_path / "p.md").write_text("{{goal}}")
    prompts = PromptFolder(tmp_path)
    (tmp_path / "p.md").unlink()
    assert prompts.render("p", goal="g") == "g"


def test_the_slots_of_a_prompt_can_be_asked_for(prompts: PromptFolder) -> None:
    assert prompts.slots("greet") == {"goal", "name"}


def test_a_folder_that_does_not_exist_holds_no_prompts(tmp_path: Path) -> None:
    assert PromptFolder(tmp_path / "none").names == []


def test_the_packaged_renderer_refuses_a_prompt_that_is_not_packaged() -> None:
    with pytest.raises(PromptError, match="no prompt `no such prompt`"):
        render("no such prompt")
