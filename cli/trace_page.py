"""A session's trace as one self-contained page: no script, no address outside itself.

Everything a trace holds may come from files, tools and models, so every text goes through `escaped`; tags are
written here and in `configs/pages` only.
"""

from __future__ import annotations

import html
import unicodedata
from datetime import datetime
from importlib.resources import files
from string import Template

from cli.trace_facts import (
    Headline,
    commitments_of,
    facts_of,
    headline,
    lessons_of,
    memory_hits,
    plan_of,
    status_of,
    word_of,
)
from memory.trace.reading import Moment, Run, Session

TONES = {
    "answered": "good",
    "ok": "good",
    "success": "good",
    "bypass": "good",
    "helpful": "good",
    "partial": "warn",
    "partial_success": "warn",
    "shown only": "warn",
    "dry_run": "warn",
    "mixed": "warn",
    "could_not": "bad",
    "error": "bad",
    "failed": "bad",
    "harmful": "bad",
}
STATUS_WORDS = {"could_not": "could not answer"}
OPEN_LINES = 8
"""Outputs up to this many lines are open when the page is."""
_HIDDEN = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


def page_of(session: Session) -> str:
    """The page of a session, as text that has a UTF-8 form."""
    folder = files("configs") / "pages"
    template = Template((folder / "trace.html").read_text("utf-8"))
    count = len(session.runs)
    spans = [moment.at for run in session.runs for moment in run.moments() if moment.at]
    about = [f"{count} run{'' if count == 1 else 's'}", f"{session.records} records"]
    if spans:
        about.append(_span(min(spans), max(spans)))
    return template.substitute(
        title=escaped(f"Trace of {session.session_id}"),
        style=(folder / "trace.css").read_text("utf-8"),
        heading=escaped(session.session_id),
        about=escaped(" · ".join(about)),
        contents=_contents(session) if count > 1 else "",
        runs="".join(_run(number, run, session) for number, run in enumerate(session.runs, start=1)),
        remarks=escaped(" ".join(_remarks(session))),
    )


def escaped(text: str) -> str:
    """Text that no browser takes for a tag, an attribute or an entity, and that hides no sign.

    Line breaks and tabs stay; other control signs and those that turn the direction of text are shown as
    the sign for what cannot be shown.
    """
    if not text.isprintable():
        text = "".join(
            char
            if char in "\n\t" or unicodedata.category(char) not in _HIDDEN
            else "\N{REPLACEMENT CHARACTER}"
            for char in text.replace("\r\n", "\n").replace("\0", "\n")
        )
    return html.escape(text, quote=True)


def _contents(session: Session) -> str:
    items = "".join(
        f'<li><a href="#run-{number}"><span class="kicker">{number}</span>'
        f'<span class="goal">{escaped(run.goal)}</span>{badge(status_of(run), small=True)}</a></li>\n'
        for number, run in enumerate(session.runs, start=1)
    )
    return f'<nav aria-label="Runs"><ol>\n{items}</ol></nav>\n'


def _remarks(session: Session) -> list[str]:
    remarks = []
    if session.truncated:
        remarks.append("The trace was full; later records were not kept.")
    if session.unreadable:
        remarks.append(f"{session.unreadable} lines could not be read and are left out.")
    return remarks


def _run(number: int, run: Run, session: Session) -> str:
    moments = run.moments()
    times = [moment.at for moment in moments if moment.at]
    begun = run.asked_at or (min(times) if times else None)
    when = f"{begun:%Y-%m-%d %H:%M:%S} UTC" if begun else ""
    facts = "".join(
        f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in facts_of(run)
    )
    which = f"Run {number} · {when}" if when else f"Run {number}"
    head = (
        f'<header><div class="row"><span class="kicker">{escaped(which)}</span>'
        f"{badge(status_of(run))}</div>\n<h2>{escaped(run.goal)}</h2>\n"
        + (f'<dl class="facts">{facts}</dl>\n' if facts else "")
        + "</header>\n"
    )
    blocks = [
        ("Answer", _answer(run)),
        ("Promised beyond the answer", _owed(run)),
        ("Plan", _plan(run)),
        ("What happened", _timeline(moments, begun)),
        ("Remembered from earlier runs", _hits(run, session)),
    ]
    body = "".join(
        f'<div class="block"><h3>{title}</h3>\n{content}</div>\n' for title, content in blocks if content
    )
    return f'<section class="run" id="run-{number}">\n{head}{body}</section>\n'


def _answer(run: Run) -> str:
    meta = run.answer.get("meta")
    text = meta.get("answer") if isinstance(meta, dict) else None
    return f'<div class="text answer">{escaped(text)}</div>\n' if isinstance(text, str) and text else ""


def _owed(run: Run) -> str:
    items = "".join(
        f"<li>{badge('kept' if met else 'not kept', 'good' if met else 'bad', small=True)}"
        f"<span>{escaped(name)}</span>{f'<span class=why>{escaped(why)}</span>' if why else ''}</li>\n"
        for name, met, why in commitments_of(run)
    )
    return f'<ul class="owed">\n{items}</ul>\n' if items else ""


def _plan(run: Run) -> str:
    items = "".join(
        f'<li><span class="text">{escaped(step)}</span>{badge(mark or "not run", small=True)}</li>\n'
        for step, mark in plan_of(run)
    )
    return f'<ol class="plan">\n{items}</ol>\n' if items else ""


def _timeline(moments: list[Moment], begun: datetime | None) -> str:
    items = "".join(_moment(moment, begun) for moment in moments)
    return f'<ol class="timeline">\n{items}</ol>\n' if items else ""


def _moment(moment: Moment, begun: datetime | None) -> str:
    head = headline(moment)
    clock = f"+{max(0.0, (moment.at - begun).total_seconds()):.2f} s" if moment.at and begun else ""
    # A diagnosis of a failure is no failure of its own.
    tone = "" if moment.kind == "reflection" else TONES.get(word_of(moment), "")
    mark = head.mark if head.mark not in ("ok", head.title) and moment.kind != "reflection" else ""
    parts = [
        f'<div class="moment"><p class="text"><strong>{escaped(head.label)}</strong> '
        f'{escaped(head.title)}</p><p class="aside">{badge(mark, small=True) if mark else ""}'
        f"<time>{escaped(clock)}</time></p></div>\n",
        _called(head),
        *(_output(name, text) for name, text in head.outputs),
        _note("Why", head.error, "bad") if head.error not in head.title else "",
        *(_note("Do differently", text) for text in lessons_of(moment)),
        _evidence(moment),
        _attachments(moment),
    ]
    return f'<li class="{tone}">\n{"".join(parts)}</li>\n'


def _called(head: Headline) -> str:
    if not head.command:
        return ""
    code = f'<span class="exit">exit {head.exit_code}</span>' if head.exit_code is not None else ""
    return f'<div class="call"><code class="command">{escaped(head.command)}</code>{code}</div>\n'


def _output(name: str, text: str) -> str:
    lines = text.rstrip("\n").count("\n") + 1
    state = " open" if lines <= OPEN_LINES else ""
    size = f"{lines} line{'' if lines == 1 else 's'}"
    return f"<details{state}><summary>{escaped(name)}, {size}</summary><pre>{escaped(text)}</pre></details>\n"


def _note(label: str, text: str, tone: str = "") -> str:
    return (
        f'<div class="note {tone}"><span class="label">{label}</span>'
        f'<span class="text">{escaped(text)}</span></div>\n'
    )


def _evidence(moment: Moment) -> str:
    """What an entry gives as evidence; that of a call is its output, which is shown already."""
    entry = moment.entry
    if entry is None or not moment.event or moment.kind == "execution" or not entry.evidence:
        return ""
    text = "\n".join(entry.evidence)
    return f"<details><summary>evidence</summary><pre>{escaped(text)}</pre></details>\n"


def _attachments(moment: Moment) -> str:
    found = moment.entry.attachments if moment.entry else ()
    items = "".join(
        f"<li>{escaped(str(item.get('path') or item.get('note') or ''))}"
        f" <span>{escaped(str(item.get('status', '')))}</span></li>"
        for item in found
    )
    return f'<ul class="files">{items}</ul>\n' if items else ""


def _hits(run: Run, session: Session) -> str:
    rows = "".join(
        f"<tr><td>{escaped(hit.goal or hit.event_id)}</td><td>{escaped(hit.scope)}</td>"
        f"<td>{'' if hit.score is None else f'{hit.score:.2f}'}</td>"
        f"<td>{badge(hit.verdict or 'not judged yet', small=True)}</td></tr>\n"
        for hit in memory_hits(run, session)
    )
    head = "<thead><tr><th>Goal</th><th>Corpus</th><th>Likeness</th><th>Did it help?</th></tr></thead>\n"
    return f'<table class="hits">{head}<tbody>\n{rows}</tbody></table>\n' if rows else ""


def badge(word: str, tone: str | None = None, *, small: bool = False) -> str:
    """A word with the colour of what it means.

    Args:
        word: any text; its underscores are blanks.
        tone: good, warn, bad, or "" for none; that of the word if None.
        small: for lines of a list.
    """
    chosen = TONES.get(word, "") if tone is None else tone
    classes = " ".join(filter(None, ["badge", chosen, "small" if small else ""]))
    return f'<span class="{classes}">{escaped(STATUS_WORDS.get(word, word.replace("_", " ")))}</span>'


def _span(first: datetime, last: datetime) -> str:
    if f"{first:%Y-%m-%d %H:%M}" == f"{last:%Y-%m-%d %H:%M}":
        return f"{first:%Y-%m-%d %H:%M} UTC"
    if first.date() == last.date():
        return f"{first:%Y-%m-%d}, {first:%H:%M} to {last:%H:%M} UTC"
    return f"{first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC"
