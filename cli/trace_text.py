"""A session's trace as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from cli.live import printable
from cli.trace_facts import commitments_of, facts_of, headline, lessons_of, memory_hits, status_of
from memory.trace.reading import Moment, Run, Session

OUTPUT_LINES = 12


def text_of(session: Session) -> str:
    """The whole session, one run after another, without control characters."""
    lines = [f"Session {session.session_id}"]
    for number, run in enumerate(session.runs, start=1):
        lines += ["", f"Run {number}: {run.goal}", *_run(run, session)]
    if session.truncated:
        lines += ["", "The trace was full here; later records were not kept."]
    if session.unreadable:
        lines += ["", f"{session.unreadable} lines could not be read."]
    return "".join(f"{printable(line)}\n" for line in lines)


def _run(run: Run, session: Session) -> Iterator[str]:
    facts = "; ".join(f"{name} {value}" for name, value in facts_of(run))
    yield f"  {status_of(run)}" + (f" ({facts})" if facts else "")
    for moment in run.moments():
        yield from _moment(moment)
    for commitment, met, why in commitments_of(run):
        yield f"  {'kept' if met else 'NOT KEPT'}: {commitment}" + (f" ({why})" if why else "")
    for hit in memory_hits(run, session):
        helped = f", {hit.verdict}" if hit.verdict else ""
        yield f"  remembered: {hit.goal or hit.event_id} ({hit.scope}{helped})"
    answer = run.answer.get("meta", {}).get("answer")
    if isinstance(answer, str) and answer:
        yield "  Answer:"
        yield from (f"    {line}" for line in answer.splitlines())


def _moment(moment: Moment) -> Iterator[str]:
    head = headline(moment)
    yield f"  [{head.mark}] {head.label}: {head.title}"
    if head.command:
        yield f"      $ {head.command}" + (f"  (exit {head.exit_code})" if head.exit_code is not None else "")
    for name, text in head.outputs:
        lines = printable(text).splitlines()
        yield from (f"      {line}" for line in lines[:OUTPUT_LINES])
        if len(lines) > OUTPUT_LINES:
            yield f"      ... {len(lines) - OUTPUT_LINES} more lines of {name}"
    if head.error:
        yield f"      why: {head.error}"
    for text in lessons_of(moment):
        yield f"      next time: {text}"
