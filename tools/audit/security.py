"""What a scanner warns of: bandit, over the Python files, in the workers of the crew.

A `# nosec` comment is the word of the audited tree: what it suppresses is found, and marked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from configs.audit import AuditSettings
from configs.redaction import escaped, without_secrets
from tools.audit.crew import Crew
from tools.audit.languages import PYTHON
from tools.audit.reading import read
from tools.audit.report import Place, SecurityFinding, Severity, Skipped
from tools.audit.sources import Source, Unusable

SCANNER = "bandit"
LONGEST_MESSAGE = 400
LONGEST_CODE = 160
# Bandit's own word for what a rule does not say is "UNDEFINED".
LEVELS: dict[str, Severity] = {"HIGH": "high", "MEDIUM": "medium", "LOW": "low", "UNDEFINED": "low"}


@dataclass(frozen=True)
class Looked:
    """One file: what was found in it, and rules that failed on it."""

    findings: tuple[SecurityFinding, ...]
    failed: tuple[Skipped, ...]


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
    failed = [failure for _, one in looked for failure in one.failed]
    return tuple(sorted(found, key=_order)), (*skipped, *failed)


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
    return Looked(
        tuple(
            SecurityFinding(
                scanner=SCANNER,
                rule=found.issue.test_id,
                cwe=found.issue.cwe.id or None,
                severity=LEVELS[found.issue.severity],
                confidence=LEVELS[found.issue.confidence],
                place=Place(file=source.file, line=found.line, end_line=found.end_line),
                message=bounded(found.issue.text, LONGEST_MESSAGE),
                code=bounded(scanned.lines[found.line - 1].strip(), LONGEST_CODE),
                suppressed=found.suppressed,
            )
            for found in scanned.found
        ),
        tuple(
            Skipped(
                file=source.file,
                kernel="security",
                reason="crashed",
                what=f"Rule {failure.rule} failed there ({failure.error}); the others did not.",
                line=failure.line or None,
            )
            for failure in scanned.failed
        ),
    )


def bounded(text: str, most: int) -> str:
    """Text of the tree in one line, without secrets of known forms, escaped and cut."""
    line = escaped(without_secrets("", text[: 4 * most]))
    return line if len(line) <= most else line[: most - 1] + "…"
