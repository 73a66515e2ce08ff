"""Where a question about source code asks: "in src", "of this repository", "does app.py have"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory.recipes.requests.marked import PATH

WHOLE = r"(?:(?:the|this|my|our|whole|entire|current|given) )+(?:repository|repo|project|code ?base|code|source(?: code| tree)?|tree|directory|folder|working directory|application|app|program|package)"
KIND = r"(?:python |source )*(?:file|module|directory|folder|package|script)"
PLACE = rf"(?:{WHOLE}(?!\s+‹)|(?:(?:the|all|my|our) )*(?:{KIND} )?(?P<path>{PATH})(?: (?:{KIND}|code|tree|repository|project))?)"
WITHIN = rf" (?:in|under|within|inside|below|from) (?:all of )?{PLACE}(?= |$)"
WHERE = rf" (?:in|of|under|within|inside|below|for|from|across|throughout) (?:all of )?{PLACE}(?= |$)"
HERE = re.compile(r" (?:here|anywhere|overall)(?= |$)", re.IGNORECASE)
OWNED = re.compile(r"(?:the|this|our|my) (?:repository|repo|project|code ?base|code)'s(?= )", re.IGNORECASE)
HAS = r"(?:have|has|contain|contains|define|defines|include|hold)"
# "how many functions does src have", "does src have import cycles"
ASKS_OF = re.compile(rf"(?P<what>.+?) (?:does|do) {PLACE} {HAS}(?P<more> .+)?", re.IGNORECASE)
AUDITED = re.compile(rf"audit {PLACE}", re.IGNORECASE)
OF_IT = re.compile(rf"(?:does|do) {PLACE} {HAS} (?P<what>.+)", re.IGNORECASE)
# Words that stand where a path could, and are none.
NO_PATH = re.compile(
    r"(?:\d+|python|functions?|methods?|class(?:es)?|modules?|imports?|complexity|severity|cyclomatic|cognitive|average"
    r"|nesting|docstrings?|code|documentation|security|high|low|medium|risk)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Asked:
    """A question and where it asks.

    Attributes:
        rest: the question without the place.
        path: the place as it is written, a mark or a word; empty for the whole.
        named: True if a place was named, be it the whole.
    """

    rest: str
    path: str = ""
    named: bool = False


def asked_where(text: str) -> Asked:
    """Take the place out of a question, its paths marked; one that names two places stays as it is."""
    if match := ASKS_OF.fullmatch(text):
        return Asked(f"{match['what']}{match['more'] or ''}", match["path"] or "", True)
    if match := OF_IT.fullmatch(text):
        return Asked(f"are there {match['what']}", match["path"] or "", True)
    if match := AUDITED.fullmatch(text):
        return Asked("audit", match["path"] or "", True)
    if OWNED.search(text):
        return Asked(OWNED.sub("the", text, count=1), "", True)
    found = [match for match in re.finditer(WHERE, text, re.IGNORECASE) if _is_place(match)]
    if len(found) == 1:
        return _without(text, found[0])
    return Asked(HERE.sub("", text), "", HERE.search(text) is not None)


def asked_within(text: str) -> Asked:
    """The same of a question about something that has a name: "of f in app.py" is about f, in app.py."""
    found = [match for match in re.finditer(WITHIN, text, re.IGNORECASE) if _is_place(match)]
    return _without(text, found[-1]) if found else Asked(text)


def _without(text: str, place: re.Match[str]) -> Asked:
    start, end = place.span()
    return Asked(f"{text[:start]}{text[end:]}".strip(), place["path"] or "", True)


def _is_place(match: re.Match[str]) -> bool:
    return not (match["path"] and NO_PATH.match(match["path"]))
