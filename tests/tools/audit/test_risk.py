"""Risk: every score can be made again from the formula's text, and no figure that grows lowers it."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.audit import AuditSettings, RiskWeights
from tests.tools.audit.facts import LEVELS, audits, security, trees
from tools.audit.report import (
    Audit,
    Changes,
    FileRisk,
    Function,
    History,
    ModuleMetrics,
    Risk,
    SecurityFinding,
)
from tools.audit.risk import risk

SETTINGS = AuditSettings()
NUMBER = r"(\d+(?:\.\d+)?)"
SATURATING = re.compile(rf"{NUMBER} \* (\w+) / \(\2 \+ {NUMBER}\)")
weights = st.builds(
    RiskWeights,
    **{
        name: st.integers(0, 100).map(float)
        for name in ("complexity", "changes", "security", "coupling", "duplication")
    },
)


def of(audit: Audit, given_weights: RiskWeights | None = None) -> Risk:
    chosen = AuditSettings(risk=given_weights) if given_weights else SETTINGS
    return risk(audit.scan, audit.metrics, audit.history, audit.security, chosen)


def score_of(audit: Audit, file: str) -> float:
    return next(one.score for one in of(audit).files if one.place.file == file)


def levels(formula: str, word: str) -> dict[str, float]:
    told = re.search(rf"{word} \(([^)]*)\)", formula)
    assert told
    return {level: float(worth) for level, worth in (pair.split() for pair in told[1].split(", "))}


def danger(formula: str, findings: list[SecurityFinding]) -> float:
    """The figure of security as the text says it is made."""
    severities, confidences = levels(formula, "severity"), levels(formula, "confidence")
    suppressing = re.search(rf"\* {NUMBER} for one that a comment suppresses", formula)
    assert suppressing and "B101 (assert) does not count in tests" in formula
    by_rule: dict[str, list[float]] = {}
    for one in findings:
        if one.rule != "B101" or "tests" not in one.place.file:
            factor = float(suppressing[1]) if one.suppressed else 1.0
            by_rule.setdefault(one.rule, []).append(
                severities[one.severity] * confidences[one.confidence] * factor
            )
    return math.fsum(max(worths) * (1 + math.log2(len(worths))) for worths in by_rule.values())


def figures(audit: Audit, file: str, formula: str) -> dict[str, float]:
    sums = next(one for one in audit.metrics.modules if one.file == file)
    coupled = next(one for one in audit.metrics.coupling if one.file == file)
    module = next(one for one in audit.scan.modules if one.file == file)
    cycle = re.search(rf"{NUMBER} for each cycle", formula)
    assert cycle
    closed = sum(file in one.files and not one.lazy for one in audit.metrics.cycles)
    return {
        "complexity": sums.cyclomatic + (sums.cognitive or 0),
        "changes": sum(one.commits for one in audit.history.files if one.file == file),
        "security": danger(formula, [one for one in audit.security if one.place.file == file]),
        "coupling": coupled.afferent + coupled.efferent + float(cycle[1]) * closed,
        "duplication": sums.duplicated_lines / max(1, module.lines),
    }


@settings(max_examples=150)
@given(audits(), st.none() | weights)
def test_every_score_can_be_made_again_from_the_formula(
    audit: Audit, given_weights: RiskWeights | None
) -> None:
    found = of(audit, given_weights)
    first = found.formula.splitlines()[0]
    halves = {name: (float(weight), float(half)) for weight, name, half in SATURATING.findall(first)}
    linear = re.search(rf"{NUMBER} \* duplication$", first)
    assert linear and set(halves) == {"complexity", "changes", "security", "coupling"}
    assert len(found.files) == len(audit.scan.modules)
    for one in found.files:
        points = []
        for name, figure in figures(audit, one.place.file, found.formula).items():
            weight, half = halves.get(name, (float(linear[1]), 0.0))
            share = figure if name == "duplication" else figure / (figure + half)
            term = next(term for term in one.terms if term.name == name)
            assert term.measured == round(figure, 4)
            assert term.share == pytest.approx(share, abs=1e-4)
            assert term.weight == pytest.approx(weight, abs=1e-3)
            assert term.points == round(term.share * term.weight, 4)
            points.append(term.points)
        assert len(one.terms) == 5 and one.score == min(100.0, round(math.fsum(points), 2))
        assert 0 <= one.score <= 100
        assert [term.points for term in one.terms] == sorted(points, reverse=True)


@settings(max_examples=50)
@given(audits())
def test_the_tree_has_the_mean_of_its_files_by_lines_of_code(audit: Audit) -> None:
    found = of(audit)
    code = {module.file: module.code_lines for module in audit.scan.modules}
    total = sum(code.values())
    mean = sum(one.score * code[one.place.file] for one in found.files) / total if total else 0
    assert found.score == pytest.approx(mean, abs=0.006)
    assert list(found.files) == sorted(found.files, key=lambda one: (-one.score, one.place.file))


def test_without_any_weight_nothing_is_risky() -> None:
    none = RiskWeights(complexity=0, changes=0, security=0, coupling=0, duplication=0)
    scored = of(Audit(), none)
    assert (scored.files, scored.score) == ((), 0.0)


@settings(max_examples=150)
@given(audits(), st.data())
def test_more_of_anything_never_lowers_a_score(audit: Audit, data: st.DataObject) -> None:
    file = data.draw(st.sampled_from([module.file for module in audit.scan.modules]))
    worse = data.draw(st.sampled_from([more_complex, more_changes, more_findings, worse_findings]))
    before, after = of(audit), of(worse(audit, file, data))
    scores = {one.place.file: one.score for one in before.files}
    for one in after.files:
        if one.place.file == file:
            assert one.score >= scores[file]
        else:
            assert one.score == scores[one.place.file]


def more_complex(audit: Audit, file: str, data: st.DataObject) -> Audit:
    more, deeper = data.draw(st.integers(0, 50)), data.draw(st.integers(0, 50))

    def grown(one: ModuleMetrics) -> ModuleMetrics:
        if one.file != file:
            return one
        return one.model_copy(
            update={"cyclomatic": one.cyclomatic + more, "cognitive": (one.cognitive or 0) + deeper}
        )

    metrics = audit.metrics.model_copy(update={"modules": tuple(map(grown, audit.metrics.modules))})
    return audit.model_copy(update={"metrics": metrics})


def more_changes(audit: Audit, file: str, data: st.DataObject) -> Audit:
    more = data.draw(st.integers(1, 50))
    past = {one.file: one.commits for one in audit.history.files}
    past[file] = past.get(file, 0) + more
    changes = tuple(
        Changes(file=name, commits=commits, added=0, deleted=0, authors=1) for name, commits in past.items()
    )
    return audit.model_copy(update={"history": History(available=True, files=changes)})


def more_findings(audit: Audit, file: str, data: st.DataObject) -> Audit:
    tree = data.draw(trees())
    if file not in tree.holding:
        return audit
    one = data.draw(security(tree).filter(lambda found: found.place.file == file))
    return audit.model_copy(update={"security": (*audit.security, one)})


def worse_findings(audit: Audit, file: str, data: st.DataObject) -> Audit:
    own = [at for at, one in enumerate(audit.security) if one.place.file == file]
    if not own:
        return audit
    at = data.draw(st.sampled_from(own))
    one = audit.security[at]
    severity = data.draw(st.sampled_from(LEVELS[LEVELS.index(one.severity) :]))
    worse = one.model_copy(update={"severity": severity, "suppressed": False})
    return audit.model_copy(update={"security": (*audit.security[:at], worse, *audit.security[at + 1 :])})


@settings(max_examples=100)
@given(audits())
def test_a_risk_points_into_its_file(audit: Audit) -> None:
    lines = {module.file: module.lines for module in audit.scan.modules}
    for one in of(audit).files:
        assert 1 <= one.place.line <= one.place.end_line <= max(1, lines[one.place.file])
        if one.terms[0].name == "complexity" and one.terms[0].points:
            assert points_to_worst(one, audit.scan.functions)


def points_to_worst(one: FileRisk, functions: tuple[Function, ...]) -> bool:
    own = [function for function in functions if function.place.file == one.place.file]
    most = max((function.cyclomatic for function in own), default=0)
    return not own or any(function.cyclomatic == most and function.place == one.place for function in own)
