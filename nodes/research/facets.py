"""A question taken apart: each thing that is asked, whom it is about, and what kind of answer it wants."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from nodes.research.checking.folding import fold, lowered
from nodes.research.checking.names import held, names
from nodes.research.checking.numbers import quantities
from nodes.research.checking.terms import terms
from nodes.research.passages import CJK
from nodes.research.relevance import Said, telling, years_in

_SPLIT = re.compile(
    r"[?？;；]+|[,，]?\s+(?:and|or|as well as)\s+"
    r"(?=(?:what|when|where|who|whom|whose|which|why|how|is|are|was|were|did|do|does|has|have|had|can|could)\b)"
    r"|[,，]\s*(?=(?:以及|並且|并且|而且|又|還有|还有|何時|何时|誰|谁|多少|哪))",
    re.IGNORECASE,
)
_WHEN = re.compile(
    r"^\W*(?:since\s+)?when\b|\bwhat (?:year|date|day)\b|\bwhich year\b"
    r"|何時|何时|什麼時候|什么时候|哪一?年|幾年|几年|哪一?天",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow (?:much|many)\b|\bwhat (?:share|percentage|proportion|number|amount)\b|多少|幾|几", re.IGNORECASE
)
# How large, long, heavy...: the answer holds a measure, seldom the word.
_MEASURES = tuple(
    (re.compile(words, re.IGNORECASE), dimensions)
    for words, dimensions in (
        (r"\bhow (?:large|big)\b|多大", ("area", "volume", "data")),
        (
            r"\bhow (?:long|tall|high|deep|wide|far)\b|多(?:長|长|高|深|寬|宽|遠|远)",
            ("length", "time", "months"),
        ),
        (r"\bhow heavy\b|多重", ("mass",)),
        (r"\bhow old\b|多大年紀|幾歲|几岁", ("age", "months")),
        (r"\bhow fast\b|多快", ("speed", "time")),
    )
)
# A Chinese question begins with whom it is about, up to what is asked of it.
_SUBJECT = re.compile(
    rf"^[^{CJK}]*(?P<name>[{CJK}·]{{2,14}}?)(?:的|在|於|于|目前|現在|现在|何時|何时|是否|有|是|共|花|哪|為|为|誰|谁|多|幾|几|什|如何|民國|民国|\d)"
)
# Of a Chinese name, from its beginning: what comes after may be a word of the question.
SAME_NAME, LEAST_NAME = 0.6, 2


@dataclass(frozen=True)
class Facet:
    """One thing that is asked.

    Attributes:
        text: the part of the query.
        name: whom it is about, folded; empty if that is not told.
        rest: what is asked of it.
        wants: "when", "number", "" for anything.
        measures: dimensions one of which the answer has; empty for any.
    """

    text: str
    name: str
    rest: str
    wants: str
    measures: tuple[str, ...] = ()


def facets(query: str) -> list[Facet]:
    """The parts of a query in order; a part that names nobody is about whom the one before it names."""
    parts = [part.strip(" ,，。.") for part in _SPLIT.split(unicodedata.normalize("NFKC", query))]
    found: list[Facet] = []
    for part in parts:
        if len(part) > 1:
            name = _name(part) or (found[-1].name if found else "")
            found.append(_facet(part, name))
    return found or [_facet(query, "")]


def _facet(part: str, name: str) -> Facet:
    rest = fold(part)
    if name:
        rest = re.sub(re.escape(name) + r"(?:'s)?", " ", rest, flags=re.IGNORECASE)
    measures: tuple[str, ...] = ()
    how = False
    for pattern, dimensions in _MEASURES:
        if pattern.search(part):
            how = True
            bare = pattern.sub(" ", rest)
            # "How large was the damage" asks for a damage; "how large is X" for a measure.
            measures, rest = (() if telling(bare) else dimensions), bare
    wants = "when" if _WHEN.search(part) else "number" if _NUMBER.search(part) or how else ""
    return Facet(part, name, rest, wants, measures)


def _name(part: str) -> str:
    text = fold(part)
    known = [text[one.start : one.end] for one in names(text)]
    if re.search(f"[{CJK}]", part):
        subject = _SUBJECT.match(text)
        known += [subject["name"]] if subject is not None and not years_in(subject["name"]) else []
    return max((one.strip() for one in known), key=len, default="")


def named(name: str, text: str, said: Said) -> bool:
    """True if a folded text speaks of whom a facet is about."""
    if not name or name.casefold() in text.casefold() or held(name, lowered(text)):
        return True
    words = {term.key for term in terms(name)}
    if words and not re.search(f"[{CJK}]", name):
        return words <= said.keys
    # "泰恆捷運路網" is about 泰恆捷運; another body of the same kind begins with other signs.
    return name[: max(LEAST_NAME, round(SAME_NAME * len(name)))] in text


def answers(facet: Facet, text: str) -> bool:
    """True if a folded text holds the kind of answer that is wanted: a date, a number, a measure."""
    if facet.wants == "when":
        return bool(years_in(text)) or re.search(r"\d\s*(?:月|日)|\b(?:19|20)\d\d|民国", text) is not None
    if facet.wants == "number":
        found = quantities(text)
        return any(one.dimension in facet.measures for one in found) if facet.measures else bool(found)
    return True
