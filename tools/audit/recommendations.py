"""What to do first: each recommendation rests on one fact, cites its place, names figure and limit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from configs.audit import AuditSettings
from tools.audit.figures import counts, worth
from tools.audit.report import (
    Audit,
    Cycle,
    Duplicate,
    Function,
    Hotspot,
    Module,
    Place,
    Recommendation,
    SecurityFinding,
    Severity,
    Skipped,
)

RANKS: dict[Severity, int] = {"high": 0, "medium": 1, "low": 2}
HOT = 0.7
"""Score from which a hotspot is worth a recommendation: both of its ranks are then among the highest 30 %."""
FEWEST_COMMITS = 3
"""With fewer changes a file is not often changed, whatever the others are."""
FAR, FARTHER = 1.5, 3.0
"""A figure that passes its limit so many times is of medium, and of high severity."""
LONG_CYCLE = 5
MANY_LINES = 100
"""Lines that could go, from which on copies are of medium severity."""
MOST_NAMED = 4


def recommendations(audit: Audit, settings: AuditSettings) -> tuple[Recommendation, ...]:
    """The most pressing recommendations, of which there may be more than are given.

    Args:
        audit: what all other kernels found.
        settings: limits, and how many there may be.
    """
    return every(audit, settings)[: settings.most_recommendations]


def left_out(audit: Audit, settings: AuditSettings) -> str:
    """A note of how many recommendations there is no room for; empty if there are none."""
    over = len(every(audit, settings)) - settings.most_recommendations
    if over <= 0:
        return ""
    return (
        f"{over} more recommendations are left out; audit.most_recommendations "
        f"is {settings.most_recommendations}."
    )


def every(audit: Audit, settings: AuditSettings) -> tuple[Recommendation, ...]:
    """All recommendations, the most severe first, among equals those in the riskiest file."""
    scores = {one.place.file: one.score for one in audit.risk.files}
    lines = {module.file: module.lines for module in audit.scan.modules}
    found = [
        *(one for function in audit.scan.functions for one in _split_function(function, settings)),
        *(one for module in audit.scan.modules for one in _split_module(module, settings)),
        *(one for skipped in audit.skipped for one in _mend_syntax(skipped, lines)),
        *(_break_cycle(cycle) for cycle in audit.metrics.cycles),
        *(_merge_duplicates(copies, settings) for copies in audit.metrics.duplicates),
        *_look_at_security(audit.security),
        *(one for hotspot in audit.hotspots for one in _test_or_simplify(hotspot, settings)),
    ]
    return tuple(sorted(found, key=lambda one: _order(one, scores.get(one.place.file, 0.0))))


def _order(one: Recommendation, score: float) -> tuple[int, float, str, int, int, str, str]:
    place = one.place
    return RANKS[one.severity], -score, place.file, place.line, place.end_line, one.rule, one.what


def _split_function(function: Function, settings: AuditSettings) -> Iterator[Recommendation]:
    measured = (
        ("a cyclomatic complexity of {}", function.cyclomatic, settings.most_cyclomatic),
        ("a cognitive complexity of {}", function.cognitive or 0, settings.most_cognitive),
        ("{} lines of code", function.code_lines, settings.most_function_lines),
        ("{} parameters", function.parameters, settings.most_parameters),
    )
    passed = [one for one in measured if one[1] > one[2]]
    if not passed:
        return
    passed.sort(key=lambda one: -one[1] / one[2])
    told = " and ".join(f"{words.format(figure)} (limit {limit})" for words, figure, limit in passed)
    _, figure, limit = passed[0]
    yield Recommendation(
        rule="split_function",
        kernel="ast_scan",
        severity=_by_excess(figure, limit),
        place=function.place,
        what=f"Split {function.name}: it has {told}.",
        measured=figure,
        limit=limit,
    )


def _by_excess(figure: float, limit: float) -> Severity:
    return "high" if figure >= FARTHER * limit else "medium" if figure >= FAR * limit else "low"


def _split_module(module: Module, settings: AuditSettings) -> Iterator[Recommendation]:
    if module.code_lines > settings.most_module_lines:
        yield Recommendation(
            rule="split_module",
            kernel="ast_scan",
            severity=_by_excess(module.code_lines, settings.most_module_lines),
            place=Place(file=module.file, line=1, end_line=module.lines),
            what=f"Split {module.file}: it has {module.code_lines} lines of code "
            f"(limit {settings.most_module_lines}).",
            measured=module.code_lines,
            limit=settings.most_module_lines,
        )


def _mend_syntax(skipped: Skipped, lines: dict[str, int]) -> Iterator[Recommendation]:
    """Only of the kernel that parses first; what others cannot parse is the same error."""
    if skipped.reason == "syntax" and skipped.kernel == "ast_scan" and lines.get(skipped.file):
        line = min(skipped.line or 1, lines[skipped.file])
        yield Recommendation(
            rule="mend_syntax",
            kernel="ast_scan",
            severity="medium",
            place=Place(file=skipped.file, line=line, end_line=line),
            what=f"Look at line {line} of {skipped.file}, from where on it is not understood "
            "(1 syntax error, limit 0): nothing is known of what it holds.",
            measured=1,
            limit=0,
        )


def _break_cycle(cycle: Cycle) -> Recommendation:
    count = len(cycle.files)
    round_trip = ", ".join(f"{place.file}:{place.line}" for place in cycle.imports[:MOST_NAMED])
    more = f" and {len(cycle.imports) - MOST_NAMED} more" if len(cycle.imports) > MOST_NAMED else ""
    lazily = "; one of the imports is lazy, so that loading them works" if cycle.lazy else ""
    severity: Severity = "low" if cycle.lazy else "high" if count >= LONG_CYCLE else "medium"
    return Recommendation(
        rule="break_cycle",
        kernel="metrics",
        severity=severity,
        place=cycle.imports[0],
        what=f"Break the cycle of {count} modules that import one another (limit 0) at {round_trip}"
        f"{more}{lazily}.",
        measured=count,
        limit=0,
        also=cycle.imports[1:],
    )


def _merge_duplicates(copies: Duplicate, settings: AuditSettings) -> Recommendation:
    superfluous = copies.lines * (len(copies.places) - 1)
    return Recommendation(
        rule="merge_duplicates",
        kernel="metrics",
        severity="medium" if superfluous >= MANY_LINES else "low",
        place=copies.places[0],
        what=f"Merge {len(copies.places)} copies of {copies.lines} lines: {copies.tokens} tokens are the "
        f"same (limit {settings.least_duplicate_tokens}).",
        measured=copies.tokens,
        limit=settings.least_duplicate_tokens,
        also=copies.places[1:],
    )


def _look_at_security(findings: Sequence[SecurityFinding]) -> Iterator[Recommendation]:
    """One for each rule in each file; what comments suppress apart, and lower."""
    grouped: defaultdict[tuple[str, str, bool], list[SecurityFinding]] = defaultdict(list)
    for finding in filter(counts, findings):
        grouped[finding.place.file, finding.rule, finding.suppressed].append(finding)
    for (_, rule, suppressed), group in grouped.items():
        # Of equal ones the first; the others follow in their order.
        group.sort(key=lambda finding: (-worth(finding), finding.place.line, finding.place.end_line))
        worst = group[0]
        number = f"{len(group)} finding{'s' if len(group) > 1 else ''} of {worst.scanner}'s {rule} (limit 0)"
        said = worst.message.rstrip(".")
        told = f"severity {worst.severity}, confidence {worst.confidence}: {said}."
        yield Recommendation(
            rule="check_suppressed" if suppressed else "look_at_security",
            kernel="security",
            severity="low" if suppressed else _by_confidence(worst),
            place=worst.place,
            what=f"Check that {number} may be suppressed: {told}"
            if suppressed
            else f"Look at {number}: {told}",
            measured=len(group),
            limit=0,
            also=tuple(finding.place for finding in group[1:]),
        )


def _by_confidence(finding: SecurityFinding) -> Severity:
    """A finding that is hardly one is a step less pressing."""
    if finding.confidence != "low":
        return finding.severity
    return "medium" if finding.severity == "high" else "low"


def _test_or_simplify(hotspot: Hotspot, settings: AuditSettings) -> Iterator[Recommendation]:
    """Of the hottest files only; one whose functions together are no harder than one may be is none."""
    complex_enough = hotspot.complexity > settings.most_cyclomatic
    if hotspot.score < HOT or hotspot.commits < FEWEST_COMMITS or not complex_enough:
        return
    most = f", most of it in {hotspot.function}" if hotspot.function else ""
    yield Recommendation(
        rule="test_or_simplify_hotspot",
        kernel="hotspots",
        severity="medium",
        place=hotspot.place,
        what=f"Test or simplify {hotspot.place.file}: {hotspot.commits} commits changed it, and its "
        f"cyclomatic complexity is {hotspot.complexity}{most} "
        f"(hotspot score {hotspot.score:g}, limit {HOT:g}).",
        measured=hotspot.score,
        limit=HOT,
    )
