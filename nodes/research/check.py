"""Check a report or single claims: `python -m nodes.research.check REPORT.md --sources ITEMS.jsonl`."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, field_validator

from configs.errors import ReflectError, UsageError
from configs.redaction import path_text
from nodes.research.checking.checker import Checker
from nodes.research.checking.folding import fold
from nodes.research.checking.verdicts import SentenceCheck
from nodes.research.framing import check_all
from nodes.research.report_text import asked_in
from tools.search.extraction.decoding import decode
from tools.search.extraction.document import Unreadable
from tools.search.items import read_items, why_invalid

FAILED = ("contradicted", "unsupported")
EXIT_FAILED = 1


class Claim(BaseModel):
    """A line of a file of claims: the sentence and what it cites.

    Attributes:
        claim: the sentence; "sentence" and "text" are read too.
        citations: addresses, each alone or as {"url": ...}.
    """

    model_config = ConfigDict(extra="allow")

    claim: str = Field(min_length=1, validation_alias=AliasChoices("claim", "sentence", "text"))
    citations: list[str] = Field(default_factory=list)

    @field_validator("citations", mode="before")
    @classmethod
    def _addresses(cls, given: Any) -> Any:
        listed = given if isinstance(given, list) else [given] if given else []
        return [one.get("url", "") if isinstance(one, dict) else one for one in listed]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add what a check is asked with."""
    parser.add_argument(
        "report",
        nargs="?",
        type=Path,
        metavar="REPORT",
        help="the report, Markdown or text ('-': standard input)",
    )
    parser.add_argument(
        "--claims",
        type=Path,
        metavar="F",
        help="instead of a report: sentences, JSON lines {claim, citations: [{url}]}",
    )
    parser.add_argument(
        "--sources", type=Path, required=True, metavar="F", help="the items cited, one JSON object a line"
    )
    parser.add_argument("--json", action="store_true", help="print the checks as a JSON list")


def run(given: argparse.Namespace) -> int:
    """Check, and print what was found.

    Returns:
        0 if no sentence is contradicted or unsupported, else 1.

    Raises:
        UsageError: neither or both of report and claims are given, or a file cannot be read.
    """
    if (given.report is None) == (given.claims is None):
        raise UsageError(
            "Exactly one of a report and --claims can be checked.", "Name a report, or use --claims F."
        )
    items, problems = read_items(given.sources)
    if not items:
        problems.append(
            f"{path_text(given.sources)} holds no item: every sentence with a citation is unsupported."
        )
    if given.claims is not None:
        claims, told = read_claims(given.claims)
        problems += told
        checker = Checker(items, [fold(claim.claim) for claim in claims])
        checks = [checker.claim(claim.claim, claim.citations) for claim in claims]
    else:
        report = _text(given.report)
        checks = check_all(report, items, asked_in(report))
    for problem in problems:
        sys.stderr.write(f"note: {problem}\n")
    sys.stdout.write(_json(checks) if given.json else "".join(_lines(checks)))
    return EXIT_FAILED if any(check.verdict in FAILED for check in checks) else 0


def read_claims(path: Path) -> tuple[list[Claim], list[str]]:
    """Read claims, one JSON object a line.

    Returns:
        The claims in order, and what is wrong with the lines that hold none.

    Raises:
        UsageError: the file cannot be read.
    """
    claims, problems = [], []
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            claims.append(Claim.model_validate(json.loads(line)))
        except ValidationError as error:
            problems.append(f"{path_text(path)}:{number}: {why_invalid(error)}; left out.")
        except (ValueError, RecursionError) as error:
            problems.append(f"{path_text(path)}:{number}: this is not a JSON object ({error}); left out.")
    return claims, problems


def _text(path: Path) -> str:
    try:
        content = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"{path_text(path)} cannot be read: {error.strerror}.", "Name a text file."
        ) from error
    try:
        text, notes = decode(content)
    except Unreadable as error:
        raise UsageError(f"{path_text(path)} {error}.", "Name a text file.") from error
    for note in notes:
        sys.stderr.write(f"note: {path_text(path)} {note}\n")
    return text


def _json(checks: Sequence[SentenceCheck]) -> str:
    return (
        json.dumps([check.model_dump(mode="json") for check in checks], ensure_ascii=False, indent=2) + "\n"
    )


def _lines(checks: Sequence[SentenceCheck]) -> Iterator[str]:
    for check in checks:
        if check.verdict == "no_claim":
            continue
        yield f"{check.verdict:<13}{' '.join(check.sentence.split())}\n"
        if check.reason:
            yield f"{'':<13}{check.reason}\n"
        for span in check.spans[:1]:
            yield f"{'':<13}{span.url} [{span.start}:{span.end}] {' '.join(span.text.split())[:200]}\n"
    counted = Counter(check.verdict for check in checks)
    yield ", ".join(f"{number} {verdict}" for verdict, number in sorted(counted.items())) + "\n"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the check as a program of its own; expected errors become one message and exit code 2."""
    parser = argparse.ArgumentParser(
        prog="python -m nodes.research.check",
        description="Check each sentence of a report against what it cites.",
    )
    arguments(parser)
    try:
        return run(parser.parse_args(argv))
    except ReflectError as error:
        sys.stderr.write(f"check: {error.what}\n{error.remedy}".rstrip() + "\n")
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
