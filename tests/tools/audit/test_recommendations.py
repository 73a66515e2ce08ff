"""Recommendations: each cites a line that is there, rests on a fact, and says its figure and its limit."""

from __future__ import annotations

from hypothesis import event, given, settings
from hypothesis import strategies as st

from configs.audit import AuditSettings
from tests.tools.audit.facts import audits
from tools.audit.figures import counts
from tools.audit.hotspots import hotspots
from tools.audit.recommendations import every, left_out, recommendations
from tools.audit.report import Audit, Module, Place, Recommendation, Scan, SecurityFinding
from tools.audit.risk import risk

SETTINGS = AuditSettings()
RANKS = {"high": 0, "medium": 1, "low": 2}
limits = st.builds(
    AuditSettings,
    most_cyclomatic=st.integers(1, 50),
    most_cognitive=st.integers(1, 50),
    most_function_lines=st.integers(5, 100),
    most_parameters=st.integers(1, 20),
    most_module_lines=st.integers(20, 30),
    most_recommendations=st.integers(1, 5),
)


def complete(audit: Audit) -> Audit:
    return audit.model_copy(
        update={
            "hotspots": hotspots(audit.metrics, audit.scan, audit.history),
            "risk": risk(audit.scan, audit.metrics, audit.history, audit.security, SETTINGS),
        }
    )


@settings(max_examples=150)
@given(audits(), limits)
def test_each_cites_lines_that_are_there_and_names_its_figures(
    audit: Audit, given_limits: AuditSettings
) -> None:
    lines = {module.file: module.lines for module in audit.scan.modules}
    for one in every(complete(audit), given_limits):
        event(one.rule)
        for place in (one.place, *one.also):
            assert 1 <= place.line <= place.end_line <= lines[place.file]
        assert f"{one.measured:g}" in one.what
        assert one.limit is not None and f"limit {one.limit:g}" in one.what
        assert one.measured > one.limit or one.rule in ("merge_duplicates", "test_or_simplify_hotspot")
        assert one.what.isprintable() and one.what.endswith(".")


@settings(max_examples=100)
@given(audits(), limits)
def test_the_most_pressing_come_first_and_the_rest_is_counted(
    audit: Audit, given_limits: AuditSettings
) -> None:
    whole = complete(audit)
    scores = {one.place.file: one.score for one in whole.risk.files}
    found, given_out = every(whole, given_limits), recommendations(whole, given_limits)

    def order(one: Recommendation) -> tuple[int, float, str, int]:
        return RANKS[one.severity], -scores[one.place.file], one.place.file, one.place.line

    assert [order(one) for one in found] == sorted(order(one) for one in found)
    assert given_out == found[: given_limits.most_recommendations]
    over = len(found) - len(given_out)
    assert (
        left_out(whole, given_limits).startswith(f"{over} more")
        if over
        else not left_out(whole, given_limits)
    )


@settings(max_examples=100)
@given(audits())
def test_every_fact_beyond_a_limit_is_said_once_and_no_other(audit: Audit) -> None:
    found = every(complete(audit), SETTINGS)
    split = [one for one in found if one.rule == "split_function"]
    too_much = [
        function
        for function in audit.scan.functions
        if function.cyclomatic > 10
        or (function.cognitive or 0) > 15
        or function.code_lines > 60
        or function.parameters > 7
    ]
    assert sorted(repr(one.place) for one in split) == sorted(repr(one.place) for one in too_much)
    assert sum(one.rule == "break_cycle" for one in found) == len(audit.metrics.cycles)
    assert sum(one.rule == "merge_duplicates" for one in found) == len(audit.metrics.duplicates)
    assert sum(one.rule == "split_module" for one in found) == 0
    told = [one for one in found if one.kernel == "security"]
    assert sum(one.measured for one in told) == sum(counts(one) for one in audit.security)


@settings(max_examples=100)
@given(audits())
def test_what_a_comment_suppresses_is_only_to_be_checked(audit: Audit) -> None:
    found = every(complete(audit), SETTINGS)
    suppressed = {(one.place, one.rule) for one in audit.security if one.suppressed}
    open_ones = {(one.place, one.rule) for one in audit.security if not one.suppressed}
    for one in found:
        if one.rule == "check_suppressed":
            assert one.severity == "low"
            assert any(place == one.place for place, _ in suppressed)
        if one.rule == "look_at_security":
            assert any(place == one.place and rule in one.what for place, rule in open_ones)


def test_an_assert_in_a_test_is_not_recommended_to_be_looked_at() -> None:
    def finding(file: str) -> SecurityFinding:
        place = Place(file=file, line=1, end_line=1)
        return SecurityFinding(
            scanner="bandit",
            rule="B101",
            cwe=703,
            severity="low",
            confidence="high",
            place=place,
            message="Use.",
        )

    files = ("a.py", "test_a.py", "a_test.py", "tests/a.py", "conftest.py", "testing/x/a.py", "contest.py")
    modules = tuple(
        Module(
            file=file,
            language="python",
            encoding="utf-8",
            lines=1,
            code_lines=1,
            comment_lines=0,
            blank_lines=0,
        )
        for file in files
    )
    audit = complete(Audit(scan=Scan(modules=modules), security=tuple(map(finding, files))))
    assert [one.place.file for one in every(audit, SETTINGS)] == ["a.py", "contest.py"]
