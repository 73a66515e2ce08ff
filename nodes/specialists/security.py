"""The specialist for security: what the scanner warns of, and what comments in the files suppressed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from configs.audit import AuditSettings
from memory.recipes.shipped import shipped_yaml
from nodes.specialists.claims import Claim, Coverage, Row
from nodes.specialists.topics import Narrowing, Specialist, Topic, coverage
from tools.audit.report import Audit, SecurityFinding

RANKS = {"high": 3.0, "medium": 2.0, "low": 1.0}
SEVERITIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\bmedium(?:[- ]severity)? (?:or|and) (?:higher|above|more|worse)\b", ("medium", "high")),
    (r"\bhigh(?:[- ]severity)?\b(?! confidence|-confidence)|(?<!most )\bsevere\b|\bcritical\b", ("high",)),
    (r"\bmedium(?:[- ]severity)?\b(?! confidence|-confidence)", ("medium",)),
    (r"\blow(?:[- ]severity)?\b(?! confidence|-confidence)", ("low",)),
)
CONFIDENCES: tuple[tuple[str, tuple[str, ...]], ...] = tuple(
    (rf"\b{level}[- ]confidence\b", (level,)) for level in ("high", "medium", "low")
)
HOLDS_A_SECRET = frozenset({"B105", "B106", "B107"})
"""Rules whose message repeats the password they found."""


@dataclass(frozen=True)
class Weakness:
    """A kind of weakness people ask for.

    Attributes:
        name: of it.
        says: pattern of the words for it.
        rules: ids of the scanner's rules.
        cwe: numbers.
    """

    name: str
    says: re.Pattern[str]
    rules: frozenset[str]
    cwe: frozenset[int]


@cache
def weaknesses() -> tuple[Weakness, ...]:
    """The kinds there are words for, as `configs/specialists/weaknesses.yaml` has them."""
    return tuple(
        Weakness(
            name,
            re.compile(rf"(?<![\w-])(?:{'|'.join(facts['says'])})(?!\w)"),
            frozenset(facts["rules"]),
            frozenset(facts["cwe"]),
        )
        for name, facts in shipped_yaml("specialists", "weaknesses.yaml").items()
    )


def meant(text: str) -> list[Weakness]:
    """The weaknesses a question names; of two that overlap, the one that says more."""
    spans = [(match.span(), one) for one in weaknesses() for match in one.says.finditer(text)]
    return list(
        dict.fromkeys(
            one
            for span, one in spans
            if not any(other[0] <= span[0] and span[1] <= other[1] and other != span for other, _ in spans)
        )
    )


def _row(one: SecurityFinding) -> Row:
    message = " ".join(one.message.split())
    if one.rule in HOLDS_A_SECRET:
        message = message.partition(":")[0]
    weakness = f", CWE-{one.cwe}" if one.cwe is not None else ""
    comment = "; a comment suppresses it" if one.suppressed else ""
    claim = Claim(
        claim=f"{one.scanner} warns ({one.rule}{weakness}, severity {one.severity}, confidence {one.confidence}): "
        f"{message.rstrip('.')}{comment}.",
        kernel="security",
        file=one.place.file,
        line=one.place.line,
        end_line=one.place.end_line,
        severity=one.severity,
        rule=one.rule,
    )
    tags = {f"rule:{one.rule}", f"severity:{one.severity}", f"confidence:{one.confidence}"}
    tags |= {f"cwe:{one.cwe}"} if one.cwe is not None else set()
    return Row(claim, RANKS[one.severity], (one.place.file,), tags=frozenset(tags))


def _findings(suppressed: bool) -> Callable[[Audit, AuditSettings], list[Row]]:
    def rows(audit: Audit, _settings: AuditSettings) -> list[Row]:
        found = [_row(one) for one in audit.security if one.suppressed is suppressed]
        return sorted(found, key=lambda row: -row.measure)

    return rows


def _scanned(audit: Audit) -> Coverage:
    return coverage(audit, ("security",), "python")


def narrowed(text: str, _topic: Topic) -> list[Narrowing]:
    """Rules, weaknesses, severity and confidence a question names."""
    found = []
    rules = [one.upper() for one in re.findall(r"\bb\d{3}\b", text)]
    numbers = re.findall(r"\bcwe[- ]?(\d+)", text)
    kinds = [] if rules or numbers else meant(text)
    if rules or numbers:
        named = [*rules, *(f"CWE-{number}" for number in numbers)]
        tags = {*(f"rule:{one}" for one in rules), *(f"cwe:{number}" for number in numbers)}
        found.append(Narrowing(frozenset(tags), after=f" of {' or '.join(named)}"))
    if kinds:
        rules_of = {f"rule:{rule}" for one in kinds for rule in one.rules}
        cwes_of = {f"cwe:{number}" for one in kinds for number in one.cwe}
        found.append(
            Narrowing(frozenset(rules_of | cwes_of), after=f" about {' or '.join(one.name for one in kinds)}")
        )
    for what, patterns in (("severity", SEVERITIES), ("confidence", CONFIDENCES)):
        if levels := [level for pattern, levels in patterns for level in levels if re.search(pattern, text)]:
            tags = {f"{what}:{level}" for level in levels}
            found.append(Narrowing(frozenset(tags), after=f" of {' or '.join(dict.fromkeys(levels))} {what}"))
    return found


_WORDS = "|".join(one.says.pattern for one in weaknesses())
SUPPRESSED = Topic(
    id="suppressed",
    noun=("suppressed finding", "suppressed findings"),
    rows=_findings(True),
    covered=_scanned,
    says=r"\bnosec\b|\bsuppress\w*|\bsilenc\w*|\bmuted\b|\b(?:findings|warnings) (?:\w+ )?ignored\b",
    standing=True,
)
FINDINGS = Topic(
    id="findings",
    noun=("security finding", "security findings"),
    rows=_findings(False),
    covered=_scanned,
    says=_WORDS
    + r"|\bsecur\w*|\binsecur\w*|\bvulnerab\w*|\bexploit\w*|\bweakness\w*|\bunsafe\b|\bsafe\b|\battack\w*|\bb\d{3}\b"
    r"|\bcwe-?\d+|\bbandit\b|\bdangerous\b|\bhack\w*|\bscanner\b|\bleak\w*|\bsevere\b|\bcritical\b|\bhole\b|\bfindings?\b|\bwarnings?\b|\bseverity\b",
    standing=True,
    overview=True,
)
SECURITY = Specialist(
    name="security",
    field="security: what a scanner warns of (injection, secrets, weak hashes, unsafe calls)",
    topics=(SUPPRESSED, FINDINGS),
    prompt="specialist_security",
    narrowed=narrowed,
)
