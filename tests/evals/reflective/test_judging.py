"""An answer passes only if the files confirm it, and a claim they refute is a false success."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.reflective.judging import Outcome, Verdict, judge
from evals.reflective.scenario import Scenario


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("project")
    (place / "docs").mkdir()
    for name, lines in (("docs/guide.md", 12), ("docs/api.md", 5), ("README.md", 3), ("two words.txt", 1)):
        (place / name).write_text("x\n" * lines)
    return place


def scenario(expected: dict[str, object], **fields: object) -> Scenario:
    base = {
        "id": "s",
        "family": "counting",
        "description": "d",
        "input": "How many lines has docs/guide.md in these 40 files?",
        "complexity": ["simple"],
        "expected_answer": expected,
    }
    return Scenario.model_validate(base | fields)


NUMBER = scenario({"kind": "number", "fact": "number_of_lines", "args": {"path": "docs/guide.md"}})
EXACT = scenario(
    {"kind": "exact", "fact": "most", "args": {"glob": "*.md", "by": "lines"}, "among": "files"},
    input="Which is longest?",
)
SET = scenario(
    {"kind": "set", "fact": "names_of_files", "args": {"glob": "*.md", "under": "docs"}, "among": "files"},
    input="Which are in docs?",
)
CANNOT = scenario({"kind": "cannot", "patterns": ["does not exist"]})


def verdict(asked: Scenario, answer: str, root: Path, status: str = "answered", **fields: Any) -> Verdict:
    ran: dict[str, Any] = {"commands": ["wc -l docs/guide.md"], "steps": 1, "root": fields.pop("after", root)}
    return judge(asked, Outcome(status=status, answer=answer, **(ran | fields)), root)


@pytest.mark.parametrize(
    ("asked", "answer", "right"),
    [
        (NUMBER, "docs/guide.md has 12 lines.", True),
        (NUMBER, "`wc -l docs/guide.md` printed:\n12 docs/guide.md", True),
        (NUMBER, "Of the 40 files, it has 12 lines.", True),
        (NUMBER, "It has 120 lines.", False),
        (NUMBER, "It has 11 lines, or 12.", False),
        (NUMBER, "It has many lines.", False),
        (NUMBER, "It was 12:30 when it had 5.", False),
        (EXACT, "docs/guide.md is the longest.", True),
        (EXACT, "guide.md", True),
        (EXACT, "docs/guide.md (12), then docs/api.md", False),
        (EXACT, "docs/api.md", False),
        (EXACT, "my-guide.md", False),
        (SET, "docs/guide.md\ndocs/api.md", True),
        (SET, "api.md and guide.md", True),
        (SET, "docs/guide.md", False),
        (SET, "docs/guide.md, docs/api.md, README.md", False),
        (SET, "docs/guide.md, docs/api.md, 'two words.txt'", False),
    ],
)
def test_only_the_right_answer_passes(asked: Scenario, answer: str, right: bool, root: Path) -> None:
    found = verdict(asked, answer, root)
    assert (found.passed, found.right, found.false_success) == (right, right, not right), found.why


@given(
    st.integers(0, 500).filter(lambda number: number not in (12, 40)),
    st.sampled_from(["answered", "partial"]),
)
def test_another_number_never_passes(root: Path, number: int, status: str) -> None:
    found = verdict(NUMBER, f"It has {number} lines.", root, status)
    assert not found.right and found.false_success == (status == "answered")


@given(st.text(max_size=60))
def test_no_text_makes_a_decline_pass_or_lie(root: Path, text: str) -> None:
    for asked in (NUMBER, EXACT, SET):
        found = verdict(asked, text, root, "could_not")
        assert not found.passed and not found.false_success


@pytest.mark.parametrize(
    ("status", "answer", "passed", "false_success"),
    [
        ("could_not", "I could not answer this.", True, False),
        ("answered", "payroll.docx does not exist here.", True, False),
        ("answered", "It has 12 lines.", False, True),
        ("partial", "It may be 12.", False, False),
        ("error", "The model is down.", False, False),
    ],
)
def test_where_there_is_no_answer_a_confident_one_is_false(
    status: str, answer: str, passed: bool, false_success: bool, root: Path
) -> None:
    found = verdict(CANNOT, answer, root, status)
    assert (found.passed, found.false_success) == (passed, false_success)


def test_a_right_answer_that_was_not_looked_up_or_took_too_long_does_not_pass(root: Path) -> None:
    strict = NUMBER.model_copy(update={"must_run_commands": ["wc|cat"], "max_steps": 2})
    assert verdict(strict, "12", root).passed
    for fields in ({"commands": ["grep -c x wcs.md"]}, {"commands": []}, {"steps": 3}):
        found = verdict(strict, "12", root, **fields)
        assert found.right and not found.passed and not found.false_success and found.why


def test_a_truthful_no_is_neither_passed_nor_false(root: Path) -> None:
    asked = NUMBER.model_copy(update={"honest": [r"no docs/gide\.md"]})
    found = verdict(asked, "No: there is no docs/gide.md here.", root)
    assert not found.passed and not found.false_success


def test_patterns_must_occur_beside_the_answer(root: Path) -> None:
    asked = NUMBER.model_copy(update={"expected_patterns": ["lines"]})
    assert verdict(asked, "12 lines", root).passed and not verdict(asked, "12", root).passed


def test_files_that_changed_refute_every_answer_to_a_question(root: Path, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    found = verdict(NUMBER, "12", root, after=tmp_path)
    assert not found.passed and found.false_success and "changed" in found.why


def test_a_change_is_looked_at_on_the_disk(root: Path, tmp_path: Path) -> None:
    asked = scenario({"kind": "change", "operations": [{"write": "new.txt", "text": "hello"}]})
    after = shutil.copytree(root, tmp_path / "after")
    assert verdict(asked, "Done.", root, after=after).false_success
    (after / "new.txt").write_text("hello\n")
    assert verdict(asked, "Done.", root, after=after).passed
    assert verdict(asked, "Done.", root, "partial", after=after).passed
    (after / "README.md").write_text("other")
    assert verdict(asked, "Done.", root, after=after).false_success
