"""Answers about source code: right by the report, and every figure of them stands in what was printed."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recipes.recipe import AnswerTemplate
from memory.recipes.requests.audits import AuditQuestion
from nodes.reflective.audit_answers import LISTED, Told, answer_audit
from nodes.reflective.compose import compose
from nodes.reflective.grounding import ungrounded
from tests.tools.audit.facts import audits
from tools.audit.brief import brief
from tools.audit.kernels import Kernel
from tools.audit.report import Audit, History, Module, Scan, Skipped

KERNELS: dict[str, Kernel] = {
    "most": "ast_scan", "over": "ast_scan", "average": "ast_scan", "count": "ast_scan", "named": "ast_scan",
    "findings": "security", "hotspots": "hotspots", "cycles": "metrics", "duplicates": "metrics",
    "undocumented": "documentation", "risks": "risk", "advice": "recommendations",
}  # fmt: skip
QUESTIONS = st.sampled_from(
    [
        {"shape": "most"},
        {"shape": "most", "n": 3},
        {"shape": "most", "measure": "cognitive"},
        {"shape": "most", "measure": "lines", "n": 2},
        {"shape": "over", "least": 5},
        {"shape": "over", "least": 5, "counts": True},
        {"shape": "average"},
        {"shape": "count", "kind": "function", "counts": True},
        {"shape": "named"},
        {"shape": "findings"},
        {"shape": "findings", "severity": "high", "counts": True},
        {"shape": "hotspots"},
        {"shape": "cycles"},
        {"shape": "duplicates"},
        {"shape": "undocumented", "kind": "function"},
        {"shape": "undocumented", "kind": "function", "counts": True},
        {"shape": "undocumented", "kind": "class", "public": True},
        {"shape": "undocumented", "public": True},
        {"shape": "risks"},
        {"shape": "advice"},
    ]
)
ONE = Module(
    file="a.py", language="python", encoding="utf-8", lines=3, code_lines=3, comment_lines=0, blank_lines=0
)


def printed(audit: Audit, asked: dict[str, Any], limit: int = 1000) -> str:
    return brief(audit, KERNELS[asked["shape"]], place="src", prefix="src/", limit=limit)


def told(audit: Audit, asked: dict[str, Any], limit: int = 1000) -> Told:
    question = AuditQuestion(**asked, place="src").model_dump(mode="json")
    return answer_audit(printed(audit, asked, limit), question)


@given(audits(), QUESTIONS)
def test_every_figure_place_and_name_of_an_answer_was_printed_or_counted(
    audit: Audit, asked: dict[str, Any]
) -> None:
    found = told(audit, asked)
    assert bool(found.text) != bool(found.problem)
    seen = ["src", str(asked.get("least", "")), str(asked.get("n", "")), printed(audit, asked)]
    assert ungrounded(found.text, [*seen, "; ".join(found.computed)]) == []


@given(audits(), st.integers(1, 5))
def test_the_highest_complexity_is_that_of_the_report_and_no_other_is_believed(
    audit: Audit, beside: int
) -> None:
    functions = audit.scan.functions
    found = told(audit, {"shape": "most"})
    if not functions:
        assert found.text.startswith("There is no function") or found.problem
        return
    most = max(one.cyclomatic for one in functions)
    sharing = [one for one in functions if one.cyclomatic == most]
    assert all(f"{one.name} (src/{one.place.file}:{one.line})" in found.text for one in sharing)
    assert f": {most}." in found.text if len(sharing) == 1 else f", {most}:" in found.text
    wrong = 90_000 + most + beside
    claimed = f"The highest cyclomatic complexity in src is {wrong}."
    assert ungrounded(claimed, [printed(audit, {"shape": "most"}), "; ".join(found.computed)]) == [str(wrong)]


@given(audits(), st.integers(1, 12))
def test_all_functions_at_or_above_a_limit_are_counted(audit: Audit, least: int) -> None:
    found = told(audit, {"shape": "over", "least": least, "counts": True})
    number = sum(one.cyclomatic >= least for one in audit.scan.functions)
    if found.problem:
        assert not audit.scan.modules
    else:
        first = found.text.splitlines()[0]
        assert first.startswith(f"{number} function") if number else first.startswith("No function")


@given(audits())
def test_findings_are_counted_by_severity_without_those_a_comment_suppresses(audit: Audit) -> None:
    found = told(audit, {"shape": "findings"})
    shown = [one for one in audit.security if not one.suppressed]
    if found.problem:
        assert not audit.scan.modules
        return
    assert found.text.startswith(
        f"{len(shown)} security finding" if shown else "Bandit has no security finding"
    )
    listed = [line for line in found.text.splitlines() if line.startswith(("high ", "medium ", "low "))]
    assert len(listed) == min(len(shown), LISTED)


@given(audits(), st.sampled_from(("", "function", "method", "class", "module")), st.booleans(), st.booleans())
def test_what_has_no_docstring_is_counted_whoever_may_use_it_unless_the_question_says_public(
    audit: Audit, kind: str, public: bool, counts: bool
) -> None:
    found = told(audit, {"shape": "undocumented", "kind": kind, "public": public, "counts": counts}, 2)
    if found.problem:
        assert not any(one.language == "python" for one in audit.scan.modules)
        return
    known = [
        one
        for one in audit.documentation.definitions
        if kind in ("", one.kind, {"method": "function"}.get(one.kind)) and (one.public or not public)
    ]
    bare = sum(not one.documented for one in known)
    first = found.text.splitlines()[0]
    assert first.startswith(f"{bare} " if bare else "No " if known else "There is no ")
    if bare and not counts:
        listed = [line for line in found.text.splitlines()[1:] if line.startswith("src/")]
        more = f"... and {bare - len(listed)} more, which `reflect audit` lists."
        assert (len(listed) < bare) == (more in found.text)


@given(audits(), st.integers(1, 3))
def test_functions_that_were_not_given_are_not_ranked_by_another_measure(audit: Audit, limit: int) -> None:
    found = told(audit, {"shape": "most", "measure": "lines"}, limit)
    if len(audit.scan.functions) > limit:
        assert found.problem and not found.text


@pytest.mark.parametrize(
    ("audit", "asked", "why"),
    [
        (Audit(), {"shape": "most"}, "no source file"),
        (Audit(scan=Scan(modules=(ONE,))), {"shape": "hotspots"}, "no git history"),
        (Audit(scan=Scan(modules=(ONE,))), {"shape": "cycles"}, "One file alone"),
        (Audit(scan=Scan(modules=(ONE,))), {"shape": "named", "name": "f"}, "no function f"),
        (
            Audit(scan=Scan(modules=(ONE.model_copy(update={"language": "go"}),))),
            {"shape": "findings"},
            "no Python file",
        ),
    ],
)
def test_what_a_kernel_cannot_tell_has_no_answer_but_the_reason(
    audit: Audit, asked: dict[str, Any], why: str
) -> None:
    found = told(audit, asked)
    assert why in found.problem and not found.text
    question = {"question": AuditQuestion(**asked, place="src").model_dump(mode="json")}
    composed = compose(printed(audit, asked), AnswerTemplate(reader="audit", one="${text}"), question)
    assert composed.text is None and composed.problem == found.problem


def test_an_answer_says_what_was_not_looked_at() -> None:
    lost = Skipped(file="b.py", kernel="ast_scan", reason="syntax", what="It is no Python.", line=4)
    linked = Skipped(file="c.py", kernel="ast_scan", reason="link", what="It is a link.")
    audit = Audit(
        scan=Scan(modules=(ONE,)), skipped=(lost, linked), notes=("Directories were left out: build.",)
    )
    text = told(audit, {"shape": "count", "kind": "function"}).text
    assert "src/b.py (syntax, line 4)" in text and "c.py" not in text and "build" in text


def test_a_shallow_history_is_told() -> None:
    audit = Audit(scan=Scan(modules=(ONE,)), history=History(available=True, shallow=True, commits=1))
    assert "shallow" in told(audit, {"shape": "hotspots"}).text


def test_what_is_no_output_of_the_tool_is_no_answer() -> None:
    with pytest.raises(json.JSONDecodeError):
        answer_audit("no JSON", AuditQuestion(shape="most").model_dump())
