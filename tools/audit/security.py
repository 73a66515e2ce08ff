"""What a scanner warns of: bandit, over the Python files, in the workers of the crew.

A `# nosec` comment is the word of the audited tree: what it suppresses is found, and marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from configs.audit import AuditSettings
from configs.redaction import escaped, without_secrets
from tools.audit.crew import Crew
from tools.audit.languages import PYTHON
from tools.audit.reading import read
from tools.audit.report import LeftOut, Place, SecurityFinding, Severity, Skipped
from tools.audit.sources import Source, Unusable

if TYPE_CHECKING:
    from tools.audit.bandit_scan import Failed, Found

SCANNER = "bandit"
LONGEST_MESSAGE = 400
LONGEST_CODE = 160
MOST_FINDINGS = 2_000
"""Of one file, the first by their lines; nobody reads more, and a hostile file could hold a million."""
# Bandit's own word for what a rule does not say is "UNDEFINED".
LEVELS: dict[str, Severity] = {"HIGH": "high", "MEDIUM": "medium", "LOW": "low", "UNDEFINED": "low"}


@dataclass(frozen=True)
class Looked:
    """One file: what was found in it, and what was left out of that."""

    findings: tuple[SecurityFinding, ...]
    left_out: tuple[Skipped, ...]


def findings(
    sources: Sequence[Source], settings: AuditSettings, crew: Crew
) -> tuple[tuple[SecurityFinding, ...], tuple[Skipped, ...]]:
    """Scan the Python files.

    Args:
        sources: of any language.
        settings: limits.
        crew: whose workers do it.

    Returns:
        Findings, by place; and what was left out.

    Raises:
        AuditFailed: the workers cannot be started.
    """
    python = [source for source in sources if source.language == PYTHON]
    looked, skipped = crew.over(scan_file, python, kernel="security")
    found = [finding for _, one in looked for finding in one.findings]
    left_out = [skip for _, one in looked for skip in one.left_out]
    return tuple(sorted(found, key=_order)), (*skipped, *left_out)


def _order(finding: SecurityFinding) -> tuple[str, int, int, str, str]:
    place = finding.place
    return place.file, place.line, place.end_line, finding.rule, finding.message


def scan_file(source: Source, settings: AuditSettings) -> Looked:
    """Scan one file; runs in a worker.

    Raises:
        Unusable: it cannot be read, or is no Python.
    """
    # Importing bandit takes a quarter of a second and changes how warnings are printed.
    from tools.audit.bandit_scan import scan

    text = read(source, settings)
    if text.problem:
        raise Unusable("encoding", text.problem)
    try:
        scanned = scan(text)
    except SyntaxError as error:
        raise Unusable(
            "syntax", f"Python cannot parse it: {escaped(error.msg)}.", error.lineno or None
        ) from error
    found = sorted(scanned.found, key=lambda one: one.line)
    left_out = [
        _failed(source, rule, scanned.failed) for rule in sorted({one.rule for one in scanned.failed})
    ]
    if len(found) > MOST_FINDINGS:
        what = f"Of {len(found)} findings the first {MOST_FINDINGS} are given."
        left_out.append(_left_out(source, what, found[MOST_FINDINGS].line, "too_many"))
    return Looked(
        tuple(_finding(source, one, scanned.lines) for one in found[:MOST_FINDINGS]), tuple(left_out)
    )


def _finding(source: Source, found: Found, lines: Sequence[str]) -> SecurityFinding:
    return SecurityFinding(
        scanner=SCANNER,
        rule=found.issue.test_id,
        cwe=found.issue.cwe.id or None,
        severity=LEVELS[found.issue.severity],
        confidence=LEVELS[found.issue.confidence],
        place=Place(file=source.file, line=found.line, end_line=found.end_line),
        message=bounded(found.issue.text, LONGEST_MESSAGE),
        code=bounded(lines[found.line - 1].strip(), LONGEST_CODE),
        suppressed=found.suppressed,
    )


def _failed(source: Source, rule: str, failed: Sequence[Failed]) -> Skipped:
    """A rule that met something it did not expect, which bandit itself would only log."""
    first, *more = sorted((one for one in failed if one.rule == rule), key=lambda one: one.line)
    others = f" and at {len(more)} further places" if more else ""
    return _left_out(source, f"Rule {rule} failed there{others} ({first.error}).", first.line)


def _left_out(source: Source, what: str, line: int, reason: LeftOut = "crashed") -> Skipped:
    return Skipped(file=source.file, kernel="security", reason=reason, what=what, line=line or None)


def bounded(text: str, most: int) -> str:
    """Text of the tree in one line, without secrets of known forms, escaped and cut."""
    line = escaped(without_secrets("", text[: 4 * most]))
    return line if len(line) <= most else line[: most - 1] + "…"
