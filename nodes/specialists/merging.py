"""The reports of several specialists as one: answers first, then claims, the heaviest first. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nodes.collective.exchange import Finding
from nodes.collective.state import Status
from nodes.specialists.checking import CITED
from nodes.specialists.claims import Claim, heaviest_first
from nodes.specialists.specialties import SPECIALIST_BY_NAME
from nodes.specialists.state import REPORT_SCHEMA, Report
from tools.audit.report import Skipped

MOST_LISTED = 20
"""Claims the text for people lists; the result holds all."""
MOST_MEETING = 5
NOBODY = "None of the specialists answers this. They know about {}."
NO_FACT = "No fact the kernels measure bears on this. The specialists know about {}."


@dataclass(frozen=True)
class Merged:
    """What several reports come to.

    Attributes:
        status: answered; partial: something of it failed or could not be answered; could_not; error.
        text: for people.
        short: its first sentence.
        claims: each place once, with what other kernels say of it.
        skipped: what kernels had to leave out.
        notes: for people.
    """

    status: Status
    text: str
    short: str
    claims: list[Claim]
    skipped: list[Skipped]
    notes: list[str]


def merged(findings: Sequence[Finding]) -> Merged:
    """Put together what the specialists brought, in their order."""
    reports = {
        one.id: Report.model_validate(one.data) for one in findings if one.data_schema == REPORT_SCHEMA
    }
    missed = [_missed(one) for one in findings if one.status == "error"]
    bearing = {
        name: report
        for name, report in reports.items()
        if any(one.outcome != "could_not" for one in report.answers)
    }
    told = bearing or reports
    sentences = [
        (name, one.sentence)
        for name, report in told.items()
        for one in report.answers
        if one.outcome != "could_not" or name not in bearing or len(report.answers) > 1
    ]
    claims = _joined([claim for report in told.values() for one in report.answers for claim in one.claims])
    if len(bearing) > 1:
        claims = heaviest_first(claims)
    meeting = _meeting(claims) if len(bearing) > 1 else []
    lines = _lines(sentences, several=len(told) > 1) + meeting
    if not sentences and reports:
        lines = [NO_FACT.format(fields())]
    prose = [_renumbered(one.prose, one.cited, claims) for one in bearing.values() if one.prose]
    skipped = [one for report in told.values() for answer in report.answers for one in answer.skipped]
    return Merged(
        status=_status(findings, reports, bearing),
        text="\n\n".join(part for part in ("\n".join(lines), *prose, listed(claims)) if part),
        short=lines[0] if lines else "",
        claims=claims,
        skipped=list(dict.fromkeys(skipped)),
        notes=list(dict.fromkeys([*missed, *_notes(told)])),
    )


def fields() -> str:
    """What the specialists know, as one phrase."""
    return "; ".join(one.field for one in SPECIALIST_BY_NAME.values())


def listed(claims: Sequence[Claim]) -> str:
    """Claims as numbered lines, each with its place and kernel."""
    lines = [f"{number}. {_line(one)}" for number, one in enumerate(claims[:MOST_LISTED], 1)]
    more = len(claims) - MOST_LISTED
    return "\n".join([*lines, *([f"... and {more} more."] if more > 0 else [])])


def _line(claim: Claim) -> str:
    weight = f" ({claim.severity})" if claim.severity != "info" else ""
    also = "".join(f" {one.claim} [{one.kernel}]" for one in claim.also)
    return f"{claim.place}{weight}: {claim.claim} [{claim.kernel}]{also}"


def _joined(claims: Sequence[Claim]) -> list[Claim]:
    """Claims of different kernels about one line as one; what is said twice is said once."""
    by_place: dict[tuple[str, int, str], list[Claim]] = {}
    for one in claims:
        # What is said of a whole file stands on line 1, as does much that is about that line only.
        key = (one.file, one.line, "file" if one.name == one.file else "line")
        group = by_place.setdefault(key, [])
        if one not in group:
            group.append(one)
    found = []
    for group in by_place.values():
        first, *rest = heaviest_first(group)
        others = [one for one in rest if one.kernel != first.kernel]
        found.append(first.model_copy(update={"also": tuple(others)}) if others else first)
        found += [one for one in rest if one.kernel == first.kernel]
    order = {id(one): at for at, one in enumerate(claims)}
    place = {(one.file, one.line, one.rule): order[id(one)] for one in reversed(claims)}
    return sorted(found, key=lambda one: place[(one.file, one.line, one.rule)])


def _meeting(claims: Sequence[Claim]) -> list[str]:
    """Where a finding of the scanner lies within a function that something else is said of."""
    found = []
    functions = [one for one in claims if one.kernel == "ast_scan" and one.name and one.name != one.file]
    for warned in (one for one in claims if one.kernel == "security"):
        for around in functions:
            if around.file == warned.file and around.line <= warned.line <= around.end_line:
                found.append(f"{around.place} holds the finding at {warned.place}: {around.claim}")
    return list(dict.fromkeys(found))[:MOST_MEETING]


def _lines(sentences: Sequence[tuple[str, str]], *, several: bool) -> list[str]:
    said = dict.fromkeys((name, text) for name, text in sentences)
    return [f"{name.capitalize()}: {text}" if several else text for name, text in said]


def _renumbered(prose: str, cited: Sequence[Claim], claims: Sequence[Claim]) -> str:
    """A model's sentences with the numbers the claims have in the list."""
    places = {(one.file, one.line, one.rule): at for at, one in enumerate(claims, 1)}
    places |= {
        (other.file, other.line, other.rule): at for at, one in enumerate(claims, 1) for other in one.also
    }

    def number(match: re.Match[str]) -> str:
        asked = [cited[int(one) - 1] for one in re.split(r"\s*,\s*", match[1])]
        return f"[{', '.join(str(places[(one.file, one.line, one.rule)]) for one in asked)}]"

    return CITED.sub(number, prose)


def _missed(finding: Finding) -> str:
    why = finding.failure.what if finding.failure is not None else "no reason is known"
    return f"The {finding.id} specialist took no part: {why}"


def _notes(reports: Mapping[str, Report]) -> list[str]:
    return [
        note
        for report in reports.values()
        for note in (*report.notes, *(note for one in report.answers for note in one.notes))
    ]


def _status(
    findings: Sequence[Finding], reports: Mapping[str, Report], bearing: Mapping[str, Report]
) -> Status:
    if not bearing:
        return "error" if findings and not reports else "could_not"
    failed = any(one.status == "error" for one in findings)
    left = any(one.outcome == "could_not" for report in bearing.values() for one in report.answers)
    return "partial" if failed or left else "answered"
