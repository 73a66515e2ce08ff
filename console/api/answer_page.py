"""What came of a run as one self-contained page: no script, no address outside itself.

Everything on it may come from files, tools and models, so every text goes through `escaped`; tags are written
here and in `configs/pages` only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.resources import files
from string import Template

from cli.trace_page import badge, escaped
from console.api.answers.facts import AnswerFacts, Evidence, Part, Step
from console.api.graphs import graphs

LONGEST_TEXT = 20_000
"""Characters of one output or piece of evidence; how many more there are is said below it."""
OPEN_LINES = 8
"""Texts up to this many lines are open when the page is."""
MOST_SHOWN = 200
"""Steps, parts, pieces of evidence or notes of each list."""
DEEPEST = 4
DOUBTFUL = ("uncertain", "no_answer", "no answer", "no answer yet")


def page_of(facts: AnswerFacts, thread: str, notes: Sequence[str] = ()) -> str:
    """The page of a run, as text.

    Args:
        facts: what came of it.
        thread: its name.
        notes: what a reader should know beside what the run says itself.
    """
    folder = files("configs") / "pages"
    blocks = [
        ("Answer", _answer(facts.answer)),
        ("What ended it", _note(facts.failure)),
        ("Evidence", _evidence(facts.evidence)),
        ("Steps", _listed("steps", map(_step, facts.steps), len(facts.steps))),
        ("Parts", _listed("parts", map(_part, facts.parts), len(facts.parts))),
        ("Notes", _notes([*notes, *facts.notes])),
    ]
    return Template((folder / "answer.html").read_text("utf-8")).substitute(
        title=escaped(f"Answer of {thread}"),
        style=(folder / "trace.css").read_text("utf-8") + (folder / "answer.css").read_text("utf-8"),
        heading=escaped(next(one.title for one in graphs() if one.name == facts.graph)),
        about=escaped(f"Graph {facts.graph} · thread {thread}"),
        badge=_badge(facts.status),
        asked=escaped(facts.asked),
        figures=_figures(facts.figures),
        sections="".join(
            f'<div class="block"><h3>{title}</h3>\n{content}</div>\n' for title, content in blocks if content
        ),
    )


def _badge(word: str, *, small: bool = False) -> str:
    return badge(word, "warn" if word in DOUBTFUL else None, small=small)


def _figures(figures: Iterable[tuple[str, str]]) -> str:
    inner = "".join(
        f"<div><dt>{escaped(name)}</dt><dd>{escaped(value)}</dd></div>" for name, value in figures
    )
    return f'<dl class="facts">{inner}</dl>\n' if inner else ""


def _answer(text: str) -> str:
    return f'<div class="text answer" tabindex="0">{escaped(text)}</div>\n' if text else "<p>None.</p>\n"


def _note(text: str) -> str:
    return f'<div class="note bad"><span class="text">{escaped(text)}</span></div>\n' if text else ""


def _evidence(found: Sequence[Evidence]) -> str:
    items = (
        f'<li><p class="where"><code>{escaped(one.where)}</code></p>{_text("says", one.text)}</li>\n'
        for one in found
    )
    return _listed("evidence", items, len(found))


def _step(step: Step) -> str:
    code = f'<span class="exit">exit {step.exit_code}</span>' if step.exit_code is not None else ""
    call = f'<code class="command">{escaped(step.command)}</code>' if step.command else ""
    return (
        f'<li><div class="moment"><span class="text">{escaped(step.text)}</span>'
        f"{badge(step.mark, small=True)}</div>\n"
        + (f'<div class="call">{call}{code}</div>\n' if call else "")
        + "".join(_text(name, text) for name, text in step.outputs)
        + "</li>\n"
    )


def _part(part: Part) -> str:
    depth = max(0, min(part.depth, DEEPEST))
    return (
        f'<li class="d{depth}"><div class="row"><span class="kicker">{escaped(part.label)}</span>'
        f"{_badge(part.mark, small=True)}</div>\n"
        f'<p class="text">{escaped(part.question)}</p>\n'
        + (
            f'<div class="note"><span class="text">{escaped(_cut(part.answer))}</span></div>\n'
            if part.answer
            else ""
        )
        + (f'<p class="why">{escaped(part.about)}</p>\n' if part.about else "")
        + (_folded("evidence", _evidence(part.evidence)) if part.evidence else "")
        + "</li>\n"
    )


def _text(name: str, text: str) -> str:
    """A text as it was printed, folded where it is long."""
    if not text.strip():
        return ""
    lines = text.rstrip("\n").count("\n") + 1
    size = f"{lines} line{'' if lines == 1 else 's'}"
    return _folded(f"{name}, {size}", f'<pre tabindex="0">{escaped(_cut(text))}</pre>', lines <= OPEN_LINES)


def _folded(summary: str, content: str, is_open: bool = False) -> str:
    state = " open" if is_open else ""
    return f"<details{state}><summary>{escaped(summary)}</summary>{content}</details>\n"


def _cut(text: str) -> str:
    over = len(text) - LONGEST_TEXT
    return f"{text[:LONGEST_TEXT]}\n… {over} more characters" if over > 0 else text


def _notes(notes: Sequence[str]) -> str:
    return _listed("plain", (f"<li>{escaped(_cut(note))}</li>\n" for note in notes), len(notes))


def _listed(kind: str, items: Iterable[str], count: int) -> str:
    """A list of tags, cut at MOST_SHOWN; "" without any."""
    shown = "".join(item for item, _ in zip(items, range(MOST_SHOWN), strict=False))
    more = f'<p class="why">Not shown: {count - MOST_SHOWN} more.</p>\n' if count > MOST_SHOWN else ""
    return f'<ul class="{kind}">\n{shown}</ul>\n{more}' if shown else ""
