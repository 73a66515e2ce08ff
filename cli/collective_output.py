"""The result of several engines: the answer, what it rests on, who says otherwise, and what it took."""

from __future__ import annotations

import json
import sys

from cli.ask_command import print_json
from cli.live import EVIDENCE_LINES, printable
from cli.think_live import is_utf8
from nodes.collective.engine_reading import COMPUTED
from nodes.collective.exchange import Finding
from nodes.collective.result import CollectiveResult

LONGEST_TEXT = 200_000
LONGEST_LINE = 300
MOST_NOTES = 12
LONGEST_NOTE = 600
MOST_EVIDENCE = 12


def print_result(result: CollectiveResult, *, as_json: bool, as_line: bool) -> None:
    """Print the result as the last line of the events, as JSON, or for people."""
    if as_line:
        line = {"type": "result", **result.model_dump(mode="json")}
        sys.stdout.write(json.dumps(line, ensure_ascii=not is_utf8(sys.stdout)) + "\n")
    elif as_json:
        print_json(result.model_dump(mode="json"))
    elif result.waiting_for:
        _print_waiting(result)
    else:
        _print_for_people(result)
    sys.stdout.flush()


def tell_notes(result: CollectiveResult) -> None:
    """Write what a reader should know beside the answer: what is in doubt, who failed, who disagrees."""
    for note in result.notes[:MOST_NOTES]:
        sys.stderr.write(f"Note: {printable(note[:LONGEST_NOTE])}\n")
    if len(result.notes) > MOST_NOTES:
        sys.stderr.write(f"Note: {len(result.notes) - MOST_NOTES} more; --json shows all of them.\n")


def _print_for_people(result: CollectiveResult) -> None:
    if result.failure is not None:
        sys.stderr.write(f"reflect: {printable(result.failure)}\n")
    answer = printable(result.answer[:LONGEST_TEXT]).rstrip()
    if result.status != "error":
        sys.stdout.write(f"{answer or 'No answer.'}\n")
    if result.status == "uncertain":
        sys.stdout.write(f"Uncertain: {_agreeing(result)}.\n")
    rests = [
        one for one in result.findings if one.grounded and (one.id == result.chosen or not result.chosen)
    ]
    if rests:
        sys.stdout.write("\nEvidence:\n")
    for finding in rests:
        _print_evidence(finding)
    sys.stdout.write(f"\n{facts_of(result)}\n")


def _print_evidence(finding: Finding) -> None:
    shown = [cited for cited in finding.evidence if not cited.where.startswith(COMPUTED)]
    for cited in shown[:MOST_EVIDENCE]:
        sys.stdout.write(f"  {printable(cited.where)[:LONGEST_LINE]}\n")
        lines = printable(cited.text).splitlines()
        for line in lines[:EVIDENCE_LINES]:
            sys.stdout.write(f"    {line[:LONGEST_LINE]}\n")
        if len(lines) > EVIDENCE_LINES:
            sys.stdout.write(f"    ... {len(lines) - EVIDENCE_LINES} more lines\n")


def _agreeing(result: CollectiveResult) -> str:
    said = sum(len(one.members) for one in result.agreements)
    mine = result.agreements[0].members if result.agreements else []
    return f"{len(mine)} of {said} engines {'says' if len(mine) == 1 else 'say'} this, and no evidence does"


def facts_of(result: CollectiveResult) -> str:
    """The figures of a run, on one line."""
    sure = "no confidence" if result.confidence is None else f"confidence {result.confidence:.2f}"
    ended = ", ".join(f"{one.id} {one.status.replace('_', ' ')}" for one in result.findings)
    spent = result.usage
    tokens = spent.prompt_tokens + spent.completion_tokens
    return (
        f"{result.status.replace('_', ' ')}, {sure}; {ended or 'no engine ended'}; "
        f"{spent.calls} model calls, {tokens} tokens"
    )


def _print_waiting(result: CollectiveResult) -> None:
    sys.stderr.write("Nobody is at the terminal to answer:\n")
    for question in result.waiting_for:
        summary = question.get("summary") or question.get("question") or ""
        sys.stderr.write(f"  {printable(str(summary))}\n")
        for line in printable(str(question.get("preview", ""))).splitlines()[:EVIDENCE_LINES]:
            sys.stderr.write(f"    {line[:LONGEST_LINE]}\n")
        for number, reading in enumerate(question.get("readings", []), 1):
            sys.stderr.write(f"  {number}. {printable(str(reading))}\n")
