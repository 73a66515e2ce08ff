"""An answer code puts together from those of parts: each in its own words, then what is computed. Pure.

Whatever it says stands in a part's answer or is computed from figures in them; nothing else can.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from nodes.contractive.confidence import MAJORITY
from nodes.hierarchy.aims import Aim
from nodes.hierarchy.figures import figure_of, figure_text, made_of

UNREAD = "(From the model's own knowledge; no file was read for it.)"
_NOUNS: Mapping[Aim, str] = {
    "total": "total", "average": "average", "difference": "difference", "most": "most", "least": "least",
}  # fmt: skip


@dataclass(frozen=True)
class PartAnswer:
    """What became of one part.

    Attributes:
        id: of its question.
        question: as it was asked.
        about: what it is about where several are listed; else empty.
        answer: empty without one.
        support: of the answer, 0 to 1.
        grounded: True if it rests on evidence.
        absent: why there is no answer; empty if there is.
    """

    id: str
    question: str
    about: str = ""
    answer: str = ""
    support: float = 0.0
    grounded: bool = True
    absent: str = ""

    @property
    def name(self) -> str:
        """By what it is told apart."""
        return self.about or self.question.rstrip("?. ")


@dataclass(frozen=True)
class Composed:
    """An answer made of parts.

    Attributes:
        text: for people.
        short: the same in a few words.
        support: 0 to 1: that of the least certain part; with one missing no majority, and less by its share.
    """

    text: str
    short: str
    support: float


def composed(
    parts: Sequence[PartAnswer], aims: Sequence[Aim], left_out: Sequence[str] = ()
) -> Composed | None:
    """The answer made of the parts that have one; None if none has.

    Args:
        parts: in order.
        aims: what is to be made of their figures.
        left_out: questions that nobody was asked, as they are told.
    """
    answered = [part for part in parts if part.answer]
    if not answered:
        return None
    lines = [_line(part) for part in parts]
    lines += [f"- Not asked: {told}" for told in left_out]
    figures = figures_of(parts)
    told = [computed(aim, figures, whole=not left_out) for aim in dict.fromkeys(aims)]
    shorts = [short for _, short in told if short]
    text = "\n".join([*lines, *(sentence for sentence, _ in told)])
    return Composed(text, "; ".join(shorts) or _in_short(answered, figures), _support(parts, left_out))


def figures_of(parts: Sequence[PartAnswer]) -> dict[str, Decimal | None]:
    """The figure of each part by its name; None where it states none, or nobody stands by its answer."""
    return {
        part.name: figure_of(part.question, part.answer) if part.support > MAJORITY else None
        for part in parts
    }


def computed(aim: Aim, figures: Mapping[str, Decimal | None], *, whole: bool) -> tuple[str, str]:
    """What is computed of the figures, as a sentence and in short; the sentence says so where it cannot be.

    Args:
        aim: what is wanted.
        figures: by name; None for a part without one.
        whole: False if things were left out, over which nothing can be said.
    """
    known = {name: figure for name, figure in figures.items() if figure is not None}
    lacking = [name for name in figures if name not in known]
    if lacking:
        return f"The {_NOUNS[aim]} is not given: no number is known for {', '.join(lacking)}.", ""
    if not whole:
        return f"The {_NOUNS[aim]} is not given: not every one was looked at.", ""
    if len(known) < 2:
        return f"The {_NOUNS[aim]} is not given: there is only one number.", ""
    return made_of(aim, known)


def _line(part: PartAnswer) -> str:
    if not part.answer:
        return f"- {part.name}: no answer ({part.absent or 'nothing is known'})"
    first, *rest = part.answer.strip().splitlines()
    # An answer that says what it is about needs no name before it.
    named = part.name.strip("`\"'") in first
    head = f"- {first}" if named else f"- {part.name}: {first}"
    lines = [head, *(f"  {line}" for line in rest)]
    return "\n".join(lines if part.grounded else [*lines, f"  {UNREAD}"])


def _in_short(answered: Sequence[PartAnswer], figures: Mapping[str, Decimal | None]) -> str:
    told = []
    for part in answered:
        figure = figures[part.name]
        first = part.answer.strip().splitlines()[0]
        told.append(f"{part.name}: {figure_text(figure) if figure is not None else first}")
    return "; ".join(told)


def _support(parts: Sequence[PartAnswer], left_out: Sequence[str]) -> float:
    least = min(part.support for part in parts if part.answer)
    missing = sum(not part.answer for part in parts)
    if not missing and not left_out:
        return least
    return round(min(least, MAJORITY) * (len(parts) - missing) / len(parts), 6)
