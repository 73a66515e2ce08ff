"""A question taken apart: each thing that is asked, whom it is about, and what kind of answer it wants."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from nodes.research.answer_kinds import Kind, kind_of
from nodes.research.checking.dates import moments
from nodes.research.checking.folding import fold
from nodes.research.checking.names import names
from nodes.research.passages import CJK
from nodes.research.relevance import years_in

NUMBER = r"\d+(?:[.,]\d+)*"
_SPLIT = re.compile(
    r"[?？;；]+|[,，]?\s+(?:and|or|as well as)\s+"
    r"(?=(?:(?:by|in|at|to|for|from|on|with|of|since|until|under)\s+)?(?:what|when|where|who|whom|whose|which|why|how|is|are|was|were|did|do|does|has|have|had|can|could)\b)"
    r"|[,，]\s*(?=(?:以及|並且|并且|而且|又|還有|还有|何時|何时|誰|谁|多少|哪))",
    re.IGNORECASE,
)
_YEAR = re.compile(r"^\s*(?:在|于|至)?(?:民国)?\d{2,4}年(?:度|间)?")
_ASKS = re.compile("有|多少|哪|谁|什|几|何|请|为")
# A Chinese question begins with whom it is about, up to what is asked of it.
_SUBJECT = re.compile(
    rf"^[^{CJK}]*(?P<name>[{CJK}·]{{2,14}}?)(?:的|可以|可否|能否|能不能|會不會|会不会|在|於|于|目前|現在|现在|何時|何时|是否|有|是|共|花|哪|為|为|誰|谁|多|幾|几|什|如何|民國|民国|.了|.過|.过|\d)"
)


@dataclass(frozen=True)
class Facet:
    """One thing that is asked.

    Attributes:
        text: the part of the query.
        name: whom it is about, folded; empty if that is not told.
        shown: the same as the query writes it.
        rest: what is asked of it, without years.
        years: those it is asked of; empty for any.
        kind: of answer that is wanted.
        numbers: those it is asked of that are no dates, such as the version in "release 2.4".
        tail: what the query ran together with the name, which an answer has to speak of.
    """

    text: str
    name: str
    shown: str
    rest: str
    years: frozenset[str]
    kind: Kind
    tail: str = ""
    numbers: frozenset[str] = frozenset()


def facets(query: str) -> list[Facet]:
    """The parts of a query in order; a part that names nobody is about whom the one before it names."""
    parts = [part.strip(" ,，。.") for part in _SPLIT.split(unicodedata.normalize("NFKC", query))]
    found: list[Facet] = []
    for part in parts:
        if len(part) > 1:
            name = _name(part)
            before = found[-1] if found and not name else None
            found.append(_facet(part, before.name, before.shown) if before else _facet(part, name))
    return found or [_facet(query, "")]


def _facet(part: str, name: str, shown: str = "") -> Facet:
    folded = fold(part)
    rest = folded
    if name:
        at = folded.casefold().find(name.casefold())
        shown = part[at : at + len(name)] if at >= 0 else shown
        rest = re.sub(re.escape(name) + r"(?:'s)?", " ", rest, flags=re.IGNORECASE)
    kind, rest = kind_of(folded, rest)
    return Facet(part, name, shown, rest, years_in(part), kind, numbers=_numbers(rest))


def _numbers(rest: str) -> frozenset[str]:
    for one in moments(rest):
        rest = rest[: one.start] + " " * (one.end - one.start) + rest[one.end :]
    return frozenset(number for number in re.findall(NUMBER, rest) if not years_in(number))


def names_of(text: str) -> list[str]:
    """The names in a text, folded."""
    folded = fold(text)
    return [folded[one.start : one.end].strip() for one in names(folded)]


def _name(part: str) -> str:
    text = fold(part)
    known = [one for one in names_of(part) if not years_in(one)]
    if re.search(f"[{CJK}]", part):
        subject = _SUBJECT.match(_YEAR.sub("", text))
        if subject is not None and not years_in(subject["name"]) and not _ASKS.match(subject["name"]):
            known.append(subject["name"])
    return max((one.strip() for one in known), key=len, default="")
