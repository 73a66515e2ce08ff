"""The short answer of a sample: what a model says, without its reasoning, markup and courtesies. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from nodes.contractive.reading.asked import Asked, asked
from nodes.contractive.reading.choosing import BRIEF, chosen_of, clause_of
from nodes.contractive.reading.markers import (
    HEADING_WORDS,
    HEDGED,
    INNER_CONCLUSION,
    LEAD,
    after_marker,
    concluded,
    sentences,
    without_lead_in,
)
from nodes.contractive.reading.markup import (
    BULLET,
    FENCE,
    TERM,
    TICKED,
    bold,
    boxed,
    json_answer,
    plain_maths,
    spoken,
    unmarked,
)
from nodes.contractive.reading.refusals import is_empty, is_refusal
from nodes.research.checking.folding import fold

AnswerKind = Literal["answer", "code", "refusal", "empty"]
LONGEST = 20_000
_REMEMBERED = 256
_BOLD_WORDS = 9
_FEWEST_KEYS = 2
_WHY = re.compile(r"\W*(?:why|warum|wieso|pourquoi|为什么|为何)", re.IGNORECASE)
_ONLY_POINT = re.compile(r"^1[.)]\s+(?=\D)(?!.*\n)")


@dataclass(frozen=True, slots=True)
class ShortAnswer:
    """The answer of one sample.

    Attributes:
        kind: code if the question wants code; refusal and empty hold no answer.
        text: as the sample writes it, without markup; "" if empty.
    """

    kind: AnswerKind
    text: str


def short_answer(sample: str, question: str = "") -> ShortAnswer:
    """Find the answer in what a model wrote.

    Args:
        sample: its whole reply, of which the first and last 10 000 characters are read.
        question: what it was asked, which tells whether code or a yes is wanted.
    """
    return _answer(
        sample if len(sample) <= LONGEST else f"{sample[: LONGEST // 2]}\n{sample[-LONGEST // 2 :]}", question
    )


@lru_cache(maxsize=_REMEMBERED)
def _answer(sample: str, question: str) -> ShortAnswer:
    want = asked(question)
    text = spoken(sample)
    if want.wanted == "code":
        return _code(text)
    found = _stated(text)
    if found is None:
        found = _found(_without_fences(plain_maths(text)), want)
    found = _tidy(plain_maths(found))
    if want.wanted in ("open", "who", "either", "yes_no"):
        found = _ONLY_POINT.sub("", found)
    if is_empty(fold(found)):
        return ShortAnswer("empty", "")
    return _judged(found, want)


def _stated(text: str) -> str | None:
    """An answer given in a form that leaves no doubt: JSON, or a box."""
    told = json_answer(text)
    return told if told is not None else boxed(text)


def _judged(found: str, want: Asked) -> ShortAnswer:
    closed = want.wanted == "yes_no" or _WHY.match(want.text) is not None
    if not is_refusal(found, closed=closed):
        return ShortAnswer("answer", found)
    hedge = HEDGED.search(found)
    if hedge and not is_refusal(found[hedge.end() :], closed=closed) and not is_empty(found[hedge.end() :]):
        return ShortAnswer("answer", _tidy(found[hedge.end() :]))
    return ShortAnswer("refusal", found)


def _found(text: str, want: Asked) -> str:
    """The answer in prose: after a marker, else in bold, in the conclusion, or in one of the sentences."""
    if (after := after_marker(fold(text))) is not None:
        return _first_of(_as_written(text, after), want)
    if listed := _listed(text, want):
        return listed
    said = sentences(text)
    if not said:
        return unmarked(text)
    if want.wanted == "yes_no" and LEAD.match(said[0] + " "):
        return unmarked(said[0])
    if short := _bold_answer(text):
        return short
    # "4. Juli" begins with no bullet, unless there are more of them.
    numbered = sum(BULLET.match(sentence) is not None for sentence in said) > 1
    plain = [
        BULLET.sub("", unmarked(one)) if numbered or not one[:1].isdigit() else unmarked(one) for one in said
    ]
    if (conclusion := concluded([fold(sentence) for sentence in plain])) is not None:
        whole = next(_as_written(one, conclusion) for one in plain if conclusion in fold(one))
        return clause_of(whole, want) if want.wanted == "who" else whole
    chosen = chosen_of(plain, want)
    if want.wanted in ("number", "share", "yes_no", "choice", "date", "year"):
        chosen = INNER_CONCLUSION.split(chosen)[-1]
    elif want.wanted == "who":
        chosen = clause_of(chosen, want)
    return _as_written(chosen, without_lead_in(fold(chosen)))


def _listed(text: str, want: Asked) -> str | None:
    """The points of a list where one is wanted, or nothing else is there; None where there is none."""
    if want.wanted not in ("number", "share", "yes_no") and _all_points(text) and (points := _bullets(text)):
        return points
    if want.wanted == "list" and (last := _after_points(text)) is not None:
        return last
    return (_bullets(text) or _lines(text)) if want.wanted in ("list", "order") else None


def _as_written(text: str, folded: str) -> str:
    """A part of a folded text as the text has it: folding keeps every character's place."""
    at = fold(text).rfind(folded)
    return text[at : at + len(folded)] if at >= 0 else folded


def _first_of(after: str, want: Asked) -> str:
    """What follows a marker, up to the end of its sentence; all of it where a list is wanted."""
    if want.wanted in ("list", "order") and "\n" in after:
        return _bullets(after) or after
    strong = bold(after)
    if len(strong) == 1 and len(strong[0].split()) <= _BOLD_WORDS and not HEADING_WORDS.fullmatch(strong[0]):
        return strong[0]
    said = sentences(after)
    return unmarked(said[0]) if said else after


def _bold_answer(text: str) -> str | None:
    """The one short phrase in bold, if there is just one and it is no heading."""
    strong = list(
        dict.fromkeys(part.strip(" .。") for part in bold(text) if not HEADING_WORDS.fullmatch(fold(part)))
    )
    return strong[0] if len(strong) == 1 and len(strong[0].split()) <= _BOLD_WORDS else None


def _bullets(text: str) -> str | None:
    """The points of a list, one a line; None if there are fewer than two."""
    points = [BULLET.sub("", line).strip() for line in text.splitlines() if BULLET.match(line)]
    points = points or [f"{found['term']}: {found['told']}" for found in TERM.finditer(text)]
    return "\n".join(f"- {unmarked(point)}" for point in points) if len(points) >= 2 else None


def _after_points(text: str) -> str | None:
    """What is concluded from points that argue, below them; None without such a conclusion."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    at = max((place for place, line in enumerate(lines) if BULLET.match(line)), default=-1)
    below = sentences(" ".join(lines[at + 1 :])) if at >= 0 else []
    return concluded([fold(unmarked(one)) for one in below]) if below else None


def _all_points(text: str) -> bool:
    """True for a text that is a list and nothing else, but for a line that announces it."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > _FEWEST_KEYS and lines[0].rstrip(" *_").endswith((":", "：")):
        lines = lines[1:]
    return len(lines) >= _FEWEST_KEYS and all(
        BULLET.match(line) and len(line.split()) <= BRIEF for line in lines
    )


def _lines(text: str) -> str | None:
    """Short lines without points as a list; None for prose."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    brief = all(len(line.split()) <= BRIEF and not re.search(r"[.:。：]$", line) for line in lines)
    return "\n".join(f"- {unmarked(line)}" for line in lines) if len(lines) >= 2 and brief else None


def _without_fences(text: str) -> str:
    """Prose without its code; the code itself where there is no prose."""
    outside = FENCE.sub("\n", text)
    if re.search(r"\w", outside):
        return outside
    return "\n".join(match["body"] for match in FENCE.finditer(text)) or text


def _code(text: str) -> ShortAnswer:
    """The longest fenced block, else what is set in ticks, else the text as it stands."""
    blocks = [match["body"].strip("\n") for match in FENCE.finditer(text) if match["body"].strip()]
    if blocks:
        return ShortAnswer("code", max(blocks, key=len))
    ticked = [match["body"].strip() for match in TICKED.finditer(text)]
    if ticked:
        return ShortAnswer("code", max(ticked, key=len))
    if is_empty(fold(text)):
        return ShortAnswer("empty", "")
    return (
        ShortAnswer("refusal", text) if is_refusal(text) else ShortAnswer("code", after_marker(text) or text)
    )


def _tidy(text: str) -> str:
    """Without quotes around it, signs of Markdown, and the full stop."""
    text = re.sub(r"^(?:>\s*)+", "", unmarked(text).strip()).rstrip(".。")
    if "\n" not in text and not re.match(r"^[ \t]*[(（]?\d", text):
        text = BULLET.sub("", text)
    while len(text) > 1 and (text[0], text[-1]) in {
        ('"', '"'),
        ("'", "'"),
        ("“", "”"),
        ("「", "」"),
        ("`", "`"),
        ("*", "*"),
    }:
        text = text[1:-1].strip()
    text = text.strip(" \t\n*_").rstrip(".。!！;；")
    return re.sub(r"[ \t]{2,}", " ", text.strip())
