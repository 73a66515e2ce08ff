"""What of a trace is shown, as text or as a page.

Records come from any version and any program, so nothing about their types is taken for granted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory.commitments import parted
from memory.experience.recollection import read_time
from memory.trace.reading import Moment, Run, Session

LABELS = {
    "planning": "Plan",
    "execution": "Call",
    "reflection": "Reflection",
    "verification": "Check",
    "respond": "Answer",
}
MARKS = {"success": "ok", "failed": "failed", "failure": "failed", "skipped": "shown only", "pending": "…"}


@dataclass(frozen=True)
class Headline:
    """One moment in short.

    Attributes:
        label: what kind of moment it is.
        title: what was decided, done or found.
        mark: ok, failed, shown only, partial, or the record's own word.
        command: what was run, or "".
        exit_code: of the command, or None.
        outputs: name and text of what was printed.
        error: why it failed, or "".
    """

    label: str
    title: str
    mark: str
    command: str
    exit_code: int | None
    outputs: tuple[tuple[str, str], ...]
    error: str


@dataclass(frozen=True)
class MemoryHit:
    """A past record that was shown to a model in this run.

    Attributes:
        event_id: the record; empty if the trace does not say.
        goal: what was asked then.
        scope: the corpus it lies in.
        score: likeness, 0 to 1, or None.
        verdict: helpful, harmful, mixed, or "" when nothing was said.
        use: reused, example or lesson, as `nodes.reflective.state.Recalled` has it; "" if nothing tells.
    """

    event_id: str
    goal: str
    scope: str
    score: float | None
    verdict: str
    use: str = ""


def headline(moment: Moment) -> Headline:
    """A moment in short, from its event, its entry, or both."""
    event, entry = moment.event, moment.entry
    said = _text(event.get("outcome_status")) or (entry.outcome.value if entry else "")
    code = event.get("returncode")
    outputs = [(name, _text(event.get(key))) for name, key in (("output", "stdout"), ("errors", "stderr"))]
    if not event and entry:
        outputs = [("seen", text) for text in entry.evidence]
    return Headline(
        label=LABELS.get(moment.kind, moment.kind),
        title=_title(moment),
        mark=MARKS.get(said, said or "…"),
        command=_command(moment),
        exit_code=code if isinstance(code, int) else None,
        outputs=tuple((name, text) for name, text in outputs if text.strip()),
        error=_text(event.get("error")) or (entry.error or "" if entry else ""),
    )


def _title(moment: Moment) -> str:
    event, entry = moment.event, moment.entry
    meta = _mapping(event.get("meta"))
    if moment.kind == "planning":
        source = " ".join(_text(meta.get(key)) for key in ("source", "recipe")).strip()
        if source:
            return "from an earlier run" if source == "reused" else f"from {source}"
    if moment.kind == "reflection":
        return _text(event.get("llm_critique")) or (entry.thought if entry else "")
    if moment.kind == "verification":
        failed = _text(event.get("outcome_status")) == "failure"
        return entry.thought if entry else "The answer does not hold." if failed else "The answer holds."
    if moment.kind == "respond" and event:
        return _text(event.get("outcome_status"))
    return _text(event.get("step_description")) or (entry.thought if entry else "")


def _command(moment: Moment) -> str:
    shown = _text(moment.event.get("tool_input"))
    entry = moment.entry
    if shown or entry is None or not entry.action:
        return shown
    return f"{entry.action} {json.dumps(dict(entry.parameters), ensure_ascii=False)}"


def word_of(moment: Moment) -> str:
    """The word that says how a moment went: of an answer, the run's status."""
    if moment.kind == "respond":
        return _text(_mapping(moment.event.get("meta")).get("status"))
    return headline(moment).mark


def lessons_of(moment: Moment) -> list[str]:
    """What is to be done differently after a moment."""
    meta = _mapping(moment.event.get("meta"))
    found = [_text(meta.get("next")), *(moment.entry.corrections if moment.entry else ())]
    replaced = _mapping(meta.get("corrections"))
    found += [f"{written} stands for {_text(meant)}" for written, meant in replaced.items()]
    return list(dict.fromkeys(text for text in found if text))


def status_of(run: Run) -> str:
    """How a run ended: answered, partial, could_not, error; "not finished" while it has not."""
    answer = run.answer
    status = _text(_mapping(answer.get("meta")).get("status")) or _text(answer.get("outcome_status"))
    if status:
        return status
    final = [entry for entry in run.trace.entries if entry.stage.value == "finalization"]
    return final[-1].thought.split(":")[0] if final else "not finished"


def facts_of(run: Run) -> list[tuple[str, str]]:
    """Name and value of what is known of a run: model, seconds, model calls, plan."""
    answer = run.answer
    meta = _mapping(answer.get("meta"))
    usage = [_mapping(item) for item in _mapping(meta.get("usage")).values()]
    calls = sum(_number(item.get("calls")) for item in usage)
    tokens = sum(
        _number(item.get("prompt_tokens")) + _number(item.get("completion_tokens")) for item in usage
    )
    source = " ".join(_text(meta.get(key)) for key in ("plan_source", "recipe")).strip()
    confidence = meta.get("confidence")
    facts = [
        ("stop reason", _text(answer.get("outcome_status"))),
        ("model", _text(meta.get("model"))),
        ("time", _seconds(run, meta)),
        ("model calls", f"{calls:g}" if "usage" in meta else ""),
        ("tokens", f"{tokens:g}" if tokens else ""),
        ("plan", source),
        ("complexity", _text(meta.get("complexity"))),
        ("confidence", f"{confidence:.2f}" if isinstance(confidence, (int, float)) else ""),
    ]
    return [(name, value) for name, value in facts if value]


def _seconds(run: Run, meta: Mapping[str, Any]) -> str:
    seconds = meta.get("seconds")
    if not isinstance(seconds, (int, float)):
        times = [at for event in run.events if (at := read_time(event.get("timestamp")))]
        if len(times) < 2:
            return ""
        seconds = (max(times) - min(times)).total_seconds()
    return f"{seconds:.1f} s" if seconds < 120 else f"{seconds / 60:.1f} min"


def plan_of(run: Run) -> list[tuple[str, str]]:
    """The steps of the last plan with how each went: ok, failed, shown only, or "" when it was not run."""
    plans = [event for event in run.events if event["event_type"] == "planning"]
    steps: list[str] = []
    since = 0
    for event in plans:
        written = _mapping(event.get("meta")).get("steps")
        if isinstance(written, list) and written:
            steps, since = [_text(step) for step in written], run.events.index(event)
    done: dict[int, tuple[str, str]] = {}
    for event in run.events[since:]:
        number = event.get("step_num")
        if event["event_type"] == "execution" and isinstance(number, int):
            status = _text(event.get("outcome_status"))
            done[number] = (_text(event.get("step_description")), MARKS.get(status, status))
    if not steps:
        return [done[number] for number in sorted(done)]
    return [(step, done.get(number, ("", ""))[1]) for number, step in enumerate(steps, start=1)]


def commitments_of(run: Run) -> list[tuple[str, bool, str]]:
    """What a run owed: the commitment in words, whether it was kept, and why not."""
    meta = _mapping(run.answer.get("meta"))
    unmet = _mapping(meta.get("unmet"))
    written = meta.get("commitments")
    names = [_text(name) for name in written] if isinstance(written, list) else run.trace.commitments()
    ended = run.ended
    found = []
    for name in filter(None, names):
        why = _text(unmet.get(name)) if ended else "the run has not ended"
        what, target = parted(name)
        found.append((f"{what.replace('_', ' ')} {target}".strip(), ended and name not in unmet, why))
    return found


def memory_hits(run: Run, session: Session) -> list[MemoryHit]:
    """Past records shown to models in a run, each once, and whether they helped."""
    hits: dict[str, MemoryHit] = {}
    for event in [*run.events, run.episode]:
        used = _mapping(event.get("meta")).get("used")
        for item in used if isinstance(used, list) else []:
            record = _mapping(item)
            identity = _text(record.get("event_id"))
            score = record.get("score")
            hits.setdefault(
                identity or _text(record.get("goal")),
                MemoryHit(
                    identity,
                    _text(record.get("goal")),
                    _text(record.get("scope")) or "project",
                    float(score) if isinstance(score, (int, float)) else None,
                    session.verdict(identity) if identity else "",
                    _text(record.get("use")),
                ),
            )
    return list(hits.values())


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _number(value: Any) -> float:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0
