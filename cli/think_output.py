"""The result of a contractive run: the answer, how sure it is, and what it took."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from cli.ask_command import print_json
from cli.live import printable
from cli.think_live import is_utf8
from nodes.contractive.events import ResultLine, result_line

LONGEST_TEXT = 200_000
MOST_NOTES = 12
LONGEST_NOTE = 400
MOST_OTHERS = 3
LONGEST_OTHER = 80
# Why a run stopped, for people. None of it says that the answer is right.
STOPPED: Mapping[str, str] = {
    "confident": "the samples agree",
    "fixed_point": "the answer came to rest, which does not make it right",
    "cycle": "the answers went round in a circle",
    "diverging": "the answers moved apart",
    "no_new_evidence": "there was nothing new to try",
    "max_loops": "all passes were used",
    "budget": "the tokens were used up",
    "timeout": "the time was up",
    "max_steps": "the steps of the graph were used up",
    "no_answer": "no sample held an answer",
    "error": "it failed",
}


def print_result(result: ResultLine, *, as_json: bool, as_line: bool) -> None:
    """Print the result as the last line of the events, as JSON, or for people."""
    if as_line:
        sys.stdout.write(result_line(result, ascii_only=not is_utf8(sys.stdout)))
    elif as_json:
        print_json(result.model_dump(mode="json"))
    elif result.waiting_for:
        for question in result.waiting_for:
            sys.stderr.write(f"Nobody is at the terminal to say what this means: {readings_of(question)}\n")
    else:
        _print_for_people(result)
    sys.stdout.flush()


def tell_notes(result: ResultLine) -> None:
    """Write what a reader should know beside the answer: who gave and reviewed it, and what is in doubt."""
    if result.model:
        peer = f", reviewed by {result.peer}" if result.peer else ""
        sys.stderr.write(f"Model: {printable(result.model + peer)}\n")
    for note in result.notes[:MOST_NOTES]:
        sys.stderr.write(f"Note: {printable(note[:LONGEST_NOTE])}\n")
    if len(result.notes) > MOST_NOTES:
        sys.stderr.write(f"Note: {len(result.notes) - MOST_NOTES} more; --json shows all of them.\n")


def _print_for_people(result: ResultLine) -> None:
    if result.failure is not None:
        sys.stderr.write(f"reflect: {printable(result.failure)}\n")
    if result.status != "error":
        sys.stdout.write(text_of(result))


def text_of(result: ResultLine) -> str:
    """The answer for people, what is in doubt about it, and the figures of the run."""
    answer = printable(result.answer[:LONGEST_TEXT]).rstrip() if result.answer else "No answer."
    doubt = f"{printable(doubt_of(result))}\n" if result.status == "uncertain" else ""
    return f"{answer}\n{doubt}\n{facts_of(result)}\n"


def doubt_of(result: ResultLine) -> str:
    """Why an answer is uncertain: how many samples give it, what others say, and what the review says."""
    mine = next((one for one in result.clusters if one.answer == result.short_answer), None)
    size = mine.size if mine else round(result.confidence * result.samples)
    said = f"{size} of {result.samples} samples {'says' if size == 1 else 'say'} this"
    others = [one for one in result.clusters if one is not mine]
    told = [f"{_words_of(one.kind, one.answer)} ({one.size})" for one in others[:MOST_OTHERS]]
    if len(others) > MOST_OTHERS:
        told.append(f"{sum(one.size for one in others[MOST_OTHERS:])} more")
    parts = [said, *([f"others say {', '.join(told)}"] if told else [])]
    if result.verdict in ("major_revision", "reject"):
        parts.append(f"the review says {result.verdict.replace('_', ' ')}")
    if result.failure is not None:
        parts.append("the run failed before it was done")
    return f"Uncertain: {'; '.join(parts)}."


def facts_of(result: ResultLine) -> str:
    """The figures of a run, on one line."""
    metrics = result.metrics
    measured = "no samples"
    if result.samples and result.entropy is not None:
        sure = f"entropy {result.entropy:.2f}, support {result.confidence:.0%}"
        # Samples that all refuse agree, which is no certainty.
        measured = sure if result.short_answer else f"no answer in {result.samples} samples"
    counted = ", ".join(
        f"{number} {one if number == 1 else more}"
        for number, one, more in (
            (result.passes, "pass", "passes"),
            (metrics.questions, "question", "questions"),
            (metrics.calls, "call", "calls"),
            (metrics.tokens, "token", "tokens"),
        )
    )
    stopped = f"{result.stop_reason}, {STOPPED[result.stop_reason]}" if result.stop_reason else "not done"
    return f"{measured}, {counted}, {metrics.seconds:.1f} s; stopped: {stopped}"


def _words_of(kind: str, answer: str) -> str:
    if kind in ("empty", "refusal"):
        return "nothing" if kind == "empty" else "that they cannot answer"
    text = " ".join(answer.split())
    return text if len(text) <= LONGEST_OTHER else text[: LONGEST_OTHER - 1] + "…"


def readings_of(question: Mapping[str, Any]) -> str:
    """An ambiguous question, and what it may mean, numbered."""
    readings = question.get("readings", [])
    numbered = (f"  {number}. {printable(str(one))}" for number, one in enumerate(readings, 1))
    return "\n".join([printable(str(question.get("question", ""))), *numbered])
