"""The text of an audit: each kernel's facts with their places, as many as asked for, and harmless."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.audit_command import KERNELS
from cli.audit_output import figures, only, print_audit
from tests.cli.test_audit_page import NASTY, complete
from tests.tools.audit.facts import audits
from tools.audit.report import (
    Audit,
    Changes,
    Definition,
    Documentation,
    History,
    Place,
    Recommendation,
    Skipped,
)

OWN = {
    "ast_scan": {"scan"},
    "metrics": {"metrics"},
    "history": {"history"},
    "documentation": {"documentation"},
    "hotspots": {"hotspots", "history"},
    "security": {"security"},
    "risk": {"risk"},
    "recommendations": {"recommendations"},
}


def printed(audit: Audit, kernel: str | None = None, top: int = 1000) -> str:
    stream = io.StringIO()
    print_audit(audit, Path("/some/tree"), kernel, top, stream)
    return stream.getvalue()


def places(kernel: str, audit: Audit) -> list[Place]:
    return {
        "ast_scan": [one.place for one in audit.scan.functions],
        "history": [],
        "documentation": [
            one.place for one in audit.documentation.definitions if one.public and not one.documented
        ],
        "metrics": [place for one in audit.metrics.duplicates for place in one.places],
        "hotspots": [one.place for one in audit.hotspots],
        "security": [one.place for one in audit.security],
        "risk": [one.place for one in audit.risk.files],
        "recommendations": [one.place for one in audit.recommendations],
    }[kernel]


@settings(max_examples=40)
@given(audits(), st.sampled_from(KERNELS))
def test_every_fact_of_a_kernel_is_printed_with_its_place(audit: Audit, kernel: str) -> None:
    whole = complete(audit)
    text = printed(only(whole, kernel), kernel)
    for place in places(kernel, whole):
        assert f"{place.file}:{place.line}" in text
    for one in whole.skipped:
        assert one.what in text


def test_the_history_lists_files_by_commits_and_the_documentation_what_lacks_a_docstring() -> None:
    changes = [
        Changes(file=name, commits=commits, added=3, deleted=1, authors=2)
        for name, commits in (("a.py", 1), ("b.py", 4))
    ]
    place = Place(file="a.py", line=7, end_line=9)
    lacking = Definition(kind="class", name="Bare", place=place, line=7, public=True, documented=False)
    told = lacking.model_copy(update={"name": "Told", "documented": True})
    audit = Audit(
        history=History(available=True, commits=5, files=tuple(changes)),
        documentation=Documentation(files=("a.py",), definitions=(lacking, told)),
    )
    text = printed(only(audit, "history"), "history")
    assert text.index("4  b.py +3 -1, 2 authors") < text.index("1  a.py")
    text = printed(only(audit, "documentation"), "documentation")
    assert "2 public definitions, 1 of them without" in text
    assert "a.py:7 class Bare" in text and "Told" not in text


@settings(max_examples=40)
@given(audits(), st.sampled_from(KERNELS))
def test_the_report_of_one_kernel_holds_what_it_found_and_no_more(audit: Audit, kernel: str) -> None:
    whole, empty = complete(audit), Audit()
    alone = only(whole, kernel)
    assert OWN.keys() == set(KERNELS)
    for field in set().union(*OWN.values()):
        kept = whole if field in OWN[kernel] else empty
        assert getattr(alone, field) == getattr(kept, field)
    assert alone.skipped == whole.skipped


@settings(max_examples=40)
@given(audits())
def test_without_a_kernel_the_most_important_is_shown(audit: Audit) -> None:
    whole = complete(audit)
    text = printed(whole)
    assert text.index("What to do first") < text.index("Hotspots") < text.index("Risk by file")
    assert "No source file" in printed(Audit()) and "No source file" not in text
    assert f"Risk {whole.risk.score:.1f} of 100" in text
    for figure in figures(whole):
        assert figure.text in text
    for line in whole.risk.formula.splitlines():
        assert line in text


@pytest.mark.parametrize(("number", "said"), [(3, False), (2, False), (1, True)])
def test_what_is_not_shown_is_counted(number: int, said: bool) -> None:
    skipped = Skipped(file="a.py", kernel="ast_scan", reason="link", what="A link.")
    text = printed(Audit(skipped=(skipped, skipped)), top=number)
    assert ("(the first 1 of 2)" in text) == said
    assert text.count("A link.") == min(number, 2)


def test_no_text_of_a_tree_drives_the_terminal() -> None:
    advice = Recommendation(
        rule="split_module",
        kernel="ast_scan",
        severity="high",
        place=Place(file=NASTY + "[bold]x[/bold]", line=1, end_line=1),
        what=NASTY,
        measured=1,
    )
    text = printed(Audit(recommendations=(advice,), notes=(NASTY,)))
    assert "\x1b" not in text and "\u202e" not in text
    assert "[bold]x[/bold]:1" in text
