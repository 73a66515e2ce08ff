"""The short answer of a sample: what a model says, without its reasoning, markup and courtesies. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from nodes.contractive.reading.asked import Asked, asked
from nodes.contractive.reading.markers import (
    BECAUSE,
    HEADING_WORDS,
    HEDGED,
    INNER_CONCLUSION,
    LEAD,
    REASONING,
    after_marker,
    concluded,
    sentences,
    without_lead_in,
)
from nodes.contractive.reading.markup import (
    BULLET,
    FENCE,
    TICKED,
    bold,
    boxed,
    json_answer,
    plain_maths,
    spoken,
    unmarked,
)
from nodes.contractive.reading.refusals import is_empty, is_refusal
from nodes.contractive.reading.wording import keys_of
from nodes.research.checking.folding import fold

AnswerKind = Literal["answer", "code", "refusal", "empty"]
LONGEST = 20_000
_REMEMBERED = 256
_BOLD_WORDS = 9
_BRIEF = 5
_FEWEST_KEYS = 2
_RESTATED = 0.8
_SUM = re.compile(r"\d\s*=\s*[$€£]?-?\d[\d.,]*\W*$")
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
    return _judged(found, text)


def _stated(text: str) -> str | None:
    """An answer given in a form that leaves no doubt: JSON, or a box."""
    told = json_answer(text)
    return told if told is not None else boxed(text)


def _judged(found: str, text: str) -> ShortAnswer:
    if not is_refusal(found):
        return ShortAnswer("answer", found)
    hedge = HEDGED.search(found)
    if hedge and not is_refusal(found[hedge.end() :]) and not is_empty(found[hedge.end() :]):
        return ShortAnswer("answer", _tidy(found[hedge.end() :]))
    return ShortAnswer("refusal", found)


def _found(text: str, want: Asked) -> str:
    """The answer in prose: after a marker, else in bold, in the conclusion, or in one of the sentences."""
    if (after := after_marker(fold(text))) is not None:
        return _first_of(_as_written(text, after), want)
    if want.wanted not in ("number", "share", "yes_no") and _all_points(text) and (points := _bullets(text)):
        return points
    if want.wanted in ("list", "order") and (bullets := _bullets(text) or _lines(text)):
        return bullets
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
        return next(_as_written(one, conclusion) for one in plain if conclusion in fold(one))
    chosen = _chosen(plain, want)
    if want.wanted in ("number", "share", "yes_no", "choice", "date", "year"):
        chosen = INNER_CONCLUSION.split(chosen)[-1]
    return _as_written(chosen, without_lead_in(fold(chosen)))


def _as_written(text: str, folded: str) -> str:
    """A part of a folded text as the text has it: folding keeps every character's place."""
    at = fold(text).rfind(folded)
    return text[at : at + len(folded)] if at >= 0 else folded


def _chosen(said: list[str], want: Asked) -> str:
    """The sentence that answers: the last one of an argument, else the first."""
    if len(said) == 1:
        return said[0]
    if is_refusal(said[0]):
        return f"{said[0]} {said[1]}"
    argues = REASONING.match(fold(said[0])) is not None
    if want.wanted in ("number", "share") and any("=" in sentence for sentence in said):
        return next((s for s in reversed(said) if "=" in s or re.search(r"\d", s)), said[-1])
    if want.wanted in ("number", "share"):
        return _with_number(said, want, argues=argues)
    if sums := [one for one in said if _SUM.search(one)]:
        return sums[-1]
    return said[-1] if argues else _restating(said, want)


def _restating(said: list[str], want: Asked) -> str:
    """The sentence that says the question again with its answer; the first one if none does, or it does."""
    if len(said[0].split()) <= _BRIEF or len(want.asking) < _FEWEST_KEYS:
        return said[0]
    shares = [len(want.asking & set(keys_of(one))) / len(want.asking) for one in said]
    best = max(shares)
    return said[shares.index(best)] if best >= _RESTATED > shares[0] else said[0]


def _with_number(said: list[str], want: Asked, *, argues: bool) -> str:
    """Of sentences with a number the one that has most words of the question, the last of several.

    One that is only a number with its unit, and comes first, is the answer; what follows explains it.
    """
    numbered = [one for one in said if re.search(r"\d", one) and not BECAUSE.match(fold(one))]
    if not numbered:
        return said[-1] if argues else said[0]
    if numbered[0] is said[0] and re.match(r"[^\w]*\d", said[0]) and len(said[0].split()) <= _BRIEF:
        return said[0]
    return max(reversed(numbered), key=lambda one: len(want.asking & set(keys_of(one))))


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
    return "\n".join(f"- {unmarked(point)}" for point in points) if len(points) >= 2 else None


def _all_points(text: str) -> bool:
    """True for a text that is a list and nothing else, but for a line that announces it."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) > _FEWEST_KEYS and lines[0].rstrip(" *_").endswith((":", "：")):
        lines = lines[1:]
    return len(lines) >= _FEWEST_KEYS and all(
        BULLET.match(line) and len(line.split()) <= _BRIEF for line in lines
    )


def _lines(text: str) -> str | None:
    """Short lines without points as a list; None for prose."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    brief = all(len(line.split()) <= _BRIEF and not re.search(r"[.:。：]$", line) for line in lines)
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
