"""How a list of files is to look, taken out of the request: its order, what is shown of each, in which form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

# What the first field of a record may be, as find prints it, and how sort orders it.
KEYS = {"size": "%s", "time": "%T@", "name": "%f", "path": "%p", "depth": "%d"}
SORT_WORDS = {
    "size": "size", "file size": "size", "sizes": "size", "name": "name", "names": "name", "file name": "name",
    "filename": "name", "path": "path", "date": "time", "time": "time", "modification time": "time",
    "modification date": "time", "last modified": "time", "last modification time": "time", "mtime": "time",
    "age": "time", "last modification date": "time", "last modified time": "time", "last modified date": "time",
}  # fmt: skip
SORTED = re.compile(
    r",?(?: and| then)? (?:(?:sort|order)(?: (?:them|it|the (?:results?|output|files|list)))? |(?:sorted|ordered|arranged) |(?=by (?:name|size|date|time)\b)|(?=in \w+ order of))"
    rf"(?:by|in (?P<before>ascending|descending|reverse|increasing|decreasing) order of) (?:their |the )?(?P<key>{'|'.join(sorted(SORT_WORDS, key=len, reverse=True))})"
    r"(?:,? (?:in )?(?P<way>ascending|descending|reverse|increasing|decreasing|alphabetical|reverse alphabetical)(?: order)?"
    r"|,? ?\(?(?:from )?(?:the )?(?P<first>largest|biggest|smallest|newest|latest|oldest|most recent)(?: ones?| files?)?"
    r"(?: to (?:the )?(?:smallest|largest|oldest|newest|biggest))?(?: (?:at the top|first))?\)?)?(?= |,|$)",
    re.IGNORECASE,
)
ORDERED = re.compile(
    r",?(?: and)?(?: (?:sorted|ordered|listed|sort (?:them|the results?)))?,? (?:in )?(?:"
    r"(?P<first>largest|biggest|smallest|newest|latest|oldest|most recent)(?: ones?| files?)? first"
    r"|(?P<alpha>alphabetically|alphabetical order|(?:sorted )?alphabetically)|(?P<back>reverse alphabetical order|reverse order of name)"
    r"|from (?:the )?(?P<from>largest|biggest|smallest|newest|oldest) to (?:the )?(?:smallest|largest|biggest|oldest|newest))(?= |,|$)",
    re.IGNORECASE,
)
DOWN = ("largest", "biggest", "newest", "latest", "most recent")
OF_TIME = ("newest", "latest", "most recent", "oldest")
FACTS = {
    "size": "%s", "permission": "%M", "octal permission": "%m", "owner": "%u", "group": "%g", "time": "%TY-%Tm-%Td %TH:%TM",
}  # fmt: skip
FACT_WORDS = r"(?P<fact{i}>(?:file )?sizes?(?: in bytes)?|permissions?|owners?|groups?|(?:last )?modification (?:times?|dates?)|modified times?|dates?|timestamps?)"
FACT = FACT_WORDS.replace("{i}", "1")
WITH = re.compile(
    r",? (?:together |along )?(?:with|and|showing|including|and (?:show|print|display|list))(?: also)? (?:their|its|the|each(?: file)?'s) (?:names? and )?"
    rf"(?:respective )?{FACT}(?:(?:,| and|, and) (?:their |its |the )?{FACT_WORDS.replace('{i}', '2')})?(?: of each(?: file| one)?)?(?= |,|$)",
    re.IGNORECASE,
)
LONG = re.compile(
    r",? (?:in (?:a )?(?:long|detailed)(?: listing)?(?: format| form)?|with (?:all )?(?:their |the )?(?:details|detailed information|attributes|metadata))(?= |,|$)",
    re.IGNORECASE,
)
FULL = re.compile(
    r",? (?:with|and (?:print|show|display|output)|showing|by|as|using|printing) (?:their |its |the )?(?:full|absolute|complete)(?: file)? ?(?:paths?(?:names?)?|names)(?= |,|$)",
    re.IGNORECASE,
)
BARE_NAMES = re.compile(
    r",? (?:(?:printing|showing|print|show|displaying|and (?:print|show)|with|as) (?:only |just )?(?:their |the )?(?:file ?names?|base ?names?|names?)(?: only)?(?: without (?:the |their )?(?:paths?|director(?:y|ies)|leading director(?:y|ies)))?|without (?:the |their )?(?:paths?|leading (?:paths?|director(?:y|ies))))(?= |,|$)",
    re.IGNORECASE,
)
ONE_EACH = re.compile(
    r",? (?:one (?:per|on each|a|name per) line|each on (?:a new|its own|a separate) line|line by line)(?= |,|$)",
    re.IGNORECASE,
)


@dataclass
class Form:
    """How a list is ordered and what it shows.

    Attributes:
        key: order: size, time, name or path.
        down: True for descending order.
        most: how many are shown, or None for all.
        facts: find's formats of facts shown beside the name.
        full: True for absolute paths.
        bare: True for names without directories.
    """

    key: str = "path"
    down: bool = False
    most: int | None = None
    facts: tuple[str, ...] = ()
    full: bool = False
    bare: bool = False


def take_form(text: str, form: Form) -> str | None:
    """The text without what it says of the form, or None if that contradicts itself."""
    rest = ONE_EACH.sub(" ", f" {text}")
    if match := LONG.search(rest):
        form.facts = ("%M", "%u", "%g", "%s", FACTS["time"])
        rest = rest.replace(match[0], " ")
    if match := FULL.search(rest, 1):
        form.full, rest = True, rest.replace(match[0], " ")
    elif match := BARE_NAMES.search(rest, 1):
        form.bare, rest = True, rest.replace(match[0], " ")
    if match := SORTED.search(rest):
        form.key = SORT_WORDS[match["key"].lower()]
        way, first = (match["way"] or match["before"] or "").lower(), (match["first"] or "").lower()
        form.down = "desc" in way or "decr" in way or "reverse" in way or first in DOWN
        rest = rest.replace(match[0], " ", 1)
        if first and (first in OF_TIME) != (form.key == "time"):
            return None
    elif match := ORDERED.search(rest):
        first = (match["first"] or match["from"] or "").lower()
        form.key = "name" if not first else "time" if first in OF_TIME else "size"
        form.down = first in DOWN or bool(match["back"])
        rest = rest.replace(match[0], " ", 1)
    if match := WITH.search(rest):
        if form.facts:
            return None
        form.facts = tuple(fact_format(word) for word in (match["fact1"], match["fact2"]) if word)
        rest = rest.replace(match[0], " ", 1)
    return " ".join(rest.split())


def fact_format(words: str) -> str:
    """Format of `find -printf` for a fact in words."""
    text = words.lower()
    names = (("size", "size"), ("perm", "permission"), ("own", "owner"), ("group", "group"))
    return FACTS[next((name for part, name in names if part in text), "time")]


def take_noun(form: Form) -> Any:
    """Replaces "the full paths of" and "details of": the form says so from then on."""

    def take(match: re.Match[str]) -> str:
        word = match["full"].lower()
        if "detail" in word or "long" in word:
            form.facts = ("%M", "%u", "%g", "%s", FACTS["time"])
        elif "full" in word or "absolute" in word:
            form.full = True
        return ""

    return take


def take_fact(form: Form) -> Any:
    """Replaces "the sizes of": the fact is shown beside each name."""

    def take(match: re.Match[str]) -> str:
        form.facts = (*form.facts, fact_format(match["fact"]))
        return ""

    return take
