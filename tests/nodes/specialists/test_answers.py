"""Goals answered by code: the first sentence, and the places it rests on."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.audit import AuditSettings
from nodes.collective.exchange import Assignment, Finding
from nodes.reflective.state import Failure, RoleUsage
from nodes.specialists.merging import merged
from nodes.specialists.specialist import code_report, finding_of
from nodes.specialists.specialties import SPECIALIST_BY_NAME
from nodes.specialists.state import Report
from nodes.specialists.topics import SpecialistName
from tests.nodes.specialists.trees import AUDIT, SKIPPING
from tests.tools.audit.facts import audits
from tools.audit.report import Audit, SecurityFinding

SETTINGS = AuditSettings()


def reported(who: SpecialistName, goal: str, audit: Audit = AUDIT) -> Report:
    return code_report(goal, SPECIALIST_BY_NAME[who], audit, SETTINGS, None)


def finding(who: SpecialistName, goal: str, audit: Audit = AUDIT) -> Finding:
    given = Assignment(id=who, worker="specialist", question=goal)
    return finding_of(given, reported(who, goal, audit), RoleUsage())


def places(report: Report) -> list[str]:
    return [claim.place for one in report.answers for claim in one.claims]


@pytest.mark.parametrize(
    ("who", "goal", "sentence", "where"),
    [
        ("analysis", "How many functions have a complexity over 10?", "There are 3 ", 3),
        ("analysis", "functions with complexity >= 11", "There are 3 ", 3),
        ("analysis", "Which function is the most complex?", "`parse` (app/core.py:10), with 23", 1),
        ("analysis", "the 2 most complex functions in app/", "of 4 functions: from 23 to 11", 2),
        ("analysis", "What is the complexity of Box.open?", "`Box.open` has a cyclomatic complexity of 3", 1),
        ("analysis", "Is Box.open too complex?", "No: there is no function", 0),
        ("analysis", "How many functions outside tests/ and outside web/?", "There are 4 functions", 4),
        (
            "analysis",
            "How many functions are there in app/other.py?",
            "There is 1 function in app/other.py",
            1,
        ),
        ("analysis", "How many functions in nosuch.py?", "Nothing that was audited is called", 0),
        ("analysis", "Is there duplicated code between core.py and other.py?", "Yes: there is 1", 1),
        ("analysis", "Is there duplicated code between core.py and tests/?", "No: there is no", 0),
        ("analysis", "Which modules import each other in a circle?", "There is 1 import cycle", 1),
        ("analysis", "Does app/core.py import app/other.py?", "Yes: there is 1 import of app/other.py", 1),
        ("analysis", "Does tests/test_core.py import app/other.py?", "No: there is no import", 0),
        ("analysis", "Which files import numpy?", "There is 1 import of numpy", 1),
        ("analysis", "Who imports app/core.py?", "There is 1 import of app/core.py", 1),
        ("analysis", "How many JavaScript functions are there?", "There is 1 Javascript function", 1),
        ("analysis", "In app/, how many functions are there and which is the longest?", "There are 4", 5),
        ("analysis", "Are all functions under 30 complexity?", "Yes: 6 of 6 functions", 0),
        ("analysis", "Are all functions under 12 complexity?", "No: 4 of 6 functions", 2),
        ("analysis", "Which file is the largest?", "app/core.py:1, with 120", 1),
        ("analysis", "What is the average cyclomatic complexity?", "of 6 functions is 9", 5),
        (
            "security",
            "Is there any SQL injection?",
            "No: there is no security finding about SQL injection",
            0,
        ),
        ("security", "Is eval used in app/core.py?", "Yes: there is 1", 1),
        ("security", "Which findings of high severity are there?", "There is 1", 1),
        ("security", "Show B602", "There is 1 security finding of B602", 1),
        ("security", "How many findings did comments suppress?", "There is 1 suppressed finding", 1),
        ("security", "Is app/core.py secure?", "There is 1 security finding in app/core.py", 1),
        ("security", "Is tests/ secure?", "There is no security finding in tests/", 0),
        ("documentation", "Which public functions have no docstring?", "There are 2 public functions", 2),
        ("documentation", "Are all classes documented?", "No: there is 1 class without", 1),
        ("documentation", "Does Box.open have a docstring?", "No: The public method", 1),
        ("documentation", "Is there a README?", "No: there is no README", 0),
        ("documentation", "What share of the functions is documented?", "1 of 3 functions has", None),
    ],
)
def test_the_question_is_answered_first(
    who: SpecialistName, goal: str, sentence: str, where: int | None
) -> None:
    report = reported(who, goal)
    assert report.answers and sentence in report.answers[0].sentence
    if where is not None:
        assert len(places(report)) == where


def test_a_second_condition_holds_among_what_the_first_found() -> None:
    report = reported("analysis", "Which functions are longer than 10 lines and have more than 5 parameters?")
    first, second = report.answers
    assert (first.matches, second.matches) == (2, 1)
    assert "among these" in second.sentence and second.claims[0].place == "app/core.py:10"


def test_it_is_what_the_part_before_came_to_whoever_answered_that() -> None:
    report = reported("documentation", "Which function is the most complex, and does it have a docstring?")
    (only,) = report.answers
    assert only.sentence == "Yes: The public function `parse` has a docstring (app/core.py:10)."
    assert places(report) == ["app/core.py:10"]


def test_what_it_means_is_not_guessed() -> None:
    report = reported("documentation", "Hm. Well then! And does it have a docstring?")
    assert [one.outcome for one in report.answers] == ["could_not"]


def test_absence_is_stated_with_what_was_looked_at_and_what_was_not() -> None:
    report = reported("security", "Is pickle used?", SKIPPING)
    (only,) = report.answers
    assert only.outcome == "nothing" and [one.file for one in only.skipped] == ["app/bad.py"]
    assert "3 Python files looked at" in only.sentence and "app/bad.py:4 (syntax)" in only.sentence
    assert "1 other file was not looked at" in only.sentence


def test_nothing_is_said_of_files_the_scanner_does_not_read() -> None:
    report = reported("security", "Is eval used in web/?")
    assert [one.outcome for one in report.answers] == ["could_not"]


def test_a_password_that_was_found_is_not_repeated() -> None:
    report = reported("security", "Are there hard-coded passwords?")
    assert "hunter2" not in report.model_dump_json() and places(report) == ["app/other.py:9"]


def test_claims_about_one_line_are_joined_and_keep_their_kernels() -> None:
    goal = "What about parse: its complexity, and docstrings that are missing in app/other.py?"
    analysis = finding("analysis", "What is the complexity of parse in app/other.py?")
    documentation = finding("documentation", "Which functions have no docstring in app/other.py?")
    both = merged([analysis, documentation])
    assert goal and [(one.kernel, [other.kernel for other in one.also]) for one in both.claims] == [
        ("documentation", ["ast_scan"])
    ]
    assert both.claims[0].also[0].place == "app/other.py:5"


def test_findings_within_functions_are_told() -> None:
    both = merged(
        [
            finding("analysis", "Which functions have a complexity over 20?"),
            finding("security", "Which security findings are there in app/core.py?"),
        ]
    )
    assert "app/core.py:10 holds the finding at app/core.py:30" in both.text
    assert [one.severity for one in both.claims] == ["high", "medium"]


def test_one_specialist_that_failed_is_told_of() -> None:
    broken = Finding(
        id="security", worker="specialist", question="x", status="error",
        failure=Failure(node="security", kind="OSError", what="The disk is full."),
    )  # fmt: skip
    given = merged([broken, finding("analysis", "Which function is the most complex?")])
    assert given.status == "partial" and "with 23" in given.text
    assert given.notes == ["The security specialist took no part: The disk is full."]
    assert merged([broken]).status == "error" and merged([broken]).claims == []


def test_no_fact_bears_on_it() -> None:
    given = merged([finding("analysis", "Which framework will be popular next year?")])
    assert given.status == "could_not" and not given.claims


GOALS: tuple[tuple[SpecialistName, str], ...] = (
    ("analysis", "Which functions have a complexity over 5?"),
    ("analysis", "the 3 longest functions"),
    ("analysis", "Which files are the longest?"),
    ("analysis", "Are there circular imports or duplicates?"),
    ("analysis", "What is the most often changed file?"),
    ("security", "Which security findings are there?"),
)


@settings(max_examples=30)
@given(audits(), st.sampled_from(GOALS))
def test_every_claim_is_a_fact_of_the_report(audit: Audit, asked: tuple[SpecialistName, str]) -> None:
    who, goal = asked
    lines = {one.file: max(1, one.lines) for one in audit.scan.modules}
    for one in reported(who, goal, audit).answers:
        for claim in one.claims:
            assert 1 <= claim.line <= claim.end_line <= lines[claim.file]
            assert _stands(claim.measured, claim.rule, claim.file, claim.line, audit), claim
        if one.outcome == "nothing":
            assert one.claims == [] and re.search(r"\b[Tt]here is no\b", one.sentence)


def _stands(measured: float | None, rule: str, file: str, line: int, audit: Audit) -> bool:
    """True if the kernels hold that very figure at that very place."""
    functions = [one for one in audit.scan.functions if (one.place.file, one.line) == (file, line)]
    if rule == "cyclomatic":
        return any(one.cyclomatic == measured for one in functions)
    if rule == "function_lines":
        return any(one.place.end_line - one.line + 1 == measured for one in functions)
    if rule == "module_lines":
        return any((one.file, one.lines) == (file, measured) for one in audit.scan.modules)
    if rule == "commits":
        return any((one.file, one.commits) == (file, measured) for one in audit.history.files)
    if rule == "cycle":
        return any(
            (one.imports[0].file, one.imports[0].line, len(one.files)) == (file, line, measured)
            for one in audit.metrics.cycles
        )
    if rule == "duplicate":
        return any(
            (one.places[0].file, one.places[0].line, one.lines) == (file, line, measured)
            for one in audit.metrics.duplicates
        )
    found: list[SecurityFinding] = [one for one in audit.security if not one.suppressed]
    return any((one.rule, one.place.file, one.place.line) == (rule, file, line) for one in found)


@settings(max_examples=60)
@given(st.text(max_size=200), st.sampled_from(sorted(SPECIALIST_BY_NAME)))
def test_any_goal_is_read(goal: str, who: SpecialistName) -> None:
    for one in reported(who, goal).answers:
        assert one.outcome in ("found", "nothing", "could_not") and one.sentence


@pytest.mark.parametrize(
    ("goal", "sentence"),
    [
        ("How many functions outside tests/ and web/?", "There are 4 functions outside tests/ or web/"),
        (
            "Which functions are not complex?",
            "There are 3 functions with a cyclomatic complexity of at most 10",
        ),
        ("How many imports does app/core.py have?", "There is 1 import in app/core.py"),
        (
            "How many functions are in app/core.py and how many in app/other.py?",
            "There are 3 functions in app/core.py",
        ),
    ],
)
def test_words_that_turn_a_question_are_read(goal: str, sentence: str) -> None:
    assert reported("analysis", goal).answers[0].sentence.startswith(sentence)


@pytest.mark.parametrize(
    "goal",
    [
        "Which functions use async generators?",
        "Are there functions nobody likes?",
        "Which files have no functions?",
    ],
)
def test_a_list_of_everything_is_no_answer_to_a_question_that_says_more(goal: str) -> None:
    assert reported("analysis", goal).answers == []
