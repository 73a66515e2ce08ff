"""Requests for files themselves: their names, how many, how large, in what order, with what facts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from memory.recipes.requests.draft import (
    SORT_BY_NAME,
    TO_LINES,
    Draft,
    Facts,
    Parsed,
    Stage,
    counted,
    over,
    shown,
)
from memory.recipes.requests.filters import read_selection
from memory.recipes.requests.marked import NUMBER, PATH, Marked, number
from memory.recipes.requests.selection import Selection
from memory.recipes.requests.wording import COUNT, FIND, HOW_MANY, SHOW

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
RANK = re.compile(
    rf"(?:the |top )*(?:(?P<n>{NUMBER}) )?(?P<rank>largest|biggest|smallest|newest|latest|oldest|last|most recent|most recently (?:modified|changed|edited|updated)|least recently (?:modified|changed)|last modified)(?: (?P<n2>{NUMBER}))? (?P<rest>.+)",
    re.IGNORECASE,
)
TAIL_RANK = re.compile(
    r"(?:which |what )?(?P<rest>.*?files?\b.*?)(?: that)? (?:is|are|was|were) (?:the )?(?P<rank>largest|biggest|smallest|newest|oldest|modified most recently|changed most recently|most recently modified|most recently changed|modified last)",
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


def read_listing(text: str, marked: Marked) -> Parsed | None:
    """A request for names, numbers or sizes of files, or None."""
    form = Form()
    rest = _take_form(text, form)
    if rest is None:
        return None
    return (
        _count(rest, form, marked)
        or _total(rest, form, marked)
        or _per_file(rest, form, marked)
        or _ranked(rest, form, marked)
        or _list(rest, form, marked)
    )


def _take_form(text: str, form: Form) -> str | None:
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
        form.facts = tuple(_fact(word) for word in (match["fact1"], match["fact2"]) if word)
        rest = rest.replace(match[0], " ", 1)
    return " ".join(rest.split())


def _fact(words: str) -> str:
    text = words.lower()
    names = (("size", "size"), ("perm", "permission"), ("own", "owner"), ("group", "group"))
    return FACTS[next((name for part, name in names if part in text), "time")]


def _selection(text: str, marked: Marked) -> Selection | None:
    return read_selection(text, marked)


def _count(text: str, form: Form, marked: Marked) -> Parsed | None:
    match = re.fullmatch(rf"(?:{COUNT} (?P<a>.+)|{HOW_MANY} (?P<b>.+))", text, re.IGNORECASE)
    if match is None or form != Form():
        return None
    phrase = match["a"] or match["b"]
    if match["b"]:
        # "How many files are in docs", "how many subfolders does data have".
        phrase = re.sub(r"^(\S+(?: \S+)?) (?:does|do) (.+?) (?:have|contain|hold)$", r"\1 in \2", phrase)
        phrase = re.sub(r" (?:are|is|exist)(?: there)?$| (?:are|is) there(?= )", "", phrase)
    selection = _selection(phrase, marked)
    if selection is None:
        return None
    return Parsed("count", lambda facts: _counted(selection, facts), selection.names())


def _counted(selection: Selection, facts: Facts) -> Draft | None:
    if not _exist(selection, facts):
        return None
    if selection.contents:
        stages = [
            *selection.stages(),
            {"tool": "tr", "argv": ["-cd", "\\0"]},
            {"tool": "wc", "args": {"bytes": True}},
        ]
    else:
        one_line = {"tool": "find", "args": selection.arguments(printf=".\\n")}
        stages = [one_line, {"tool": "wc", "args": {"lines": True}}]
    return counted(f"Count the {selection.described()}", stages, selection.described())


def _total(text: str, form: Form, marked: Marked) -> Parsed | None:
    match = re.fullmatch(
        rf"(?:{COUNT}|{SHOW}|{FIND}|what is|sum(?: up)?|add up|calculate|compute|determine|measure)? ?(?:the )?(?:total|combined|overall|cumulative|sum of the)?(?: file| disk)? ?(?P<word>sizes?|usage|space)(?: in bytes)?(?: used| taken| occupied)?(?: by| of| for)? (?P<rest>.+?)(?P<bytes> in bytes)?",
        text,
        re.IGNORECASE,
    )
    if (
        match is None
        or form != Form()
        or not re.search(r"\b(?:total|combined|overall|sum|cumulative)\b", text, re.IGNORECASE)
    ):
        return None
    selection = _selection(match["rest"], marked)
    if selection is None or selection.kind != "f":
        return None
    if match["word"].lower() != "size" and match["word"].lower() != "sizes":
        return None  # what is used is counted in blocks, not in bytes of contents
    in_bytes = re.search(r"\bin bytes\b", text, re.IGNORECASE) is not None
    return Parsed("total-size", lambda facts: _summed(selection, facts, in_bytes), selection.names())


def _summed(selection: Selection, facts: Facts, in_bytes: bool) -> Draft | None:
    if not _exist(selection, facts):
        return None
    if selection.contents:
        stages = [*selection.stages(), over("stat", format="%s")]
    else:
        stages = [{"tool": "find", "args": selection.arguments(printf="%s\\n")}]
    draft = shown(f"Measure the {selection.described()}", stages)
    answer = draft.answer.model_copy(  # type: ignore[union-attr]  # `shown` always has one
        update={
            "reader": "numbers",
            "one": "${sum}" if in_bytes else "${sum} bytes (${what})",
            "none": "0 bytes: there are no ${what}.",
        }
    )
    return Draft(draft.steps, answer, {"what": selection.described()})


def _ranked(text: str, form: Form, marked: Marked) -> Parsed | None:
    body = re.fullmatch(
        rf"(?:(?:{FIND}|{SHOW}|which (?:is|are)|what (?:is|are)|which) )?(?:the names? of )?(?P<x>.+)",
        text,
        re.IGNORECASE,
    )
    if body is None:
        return None
    match = RANK.fullmatch(body["x"]) or TAIL_RANK.fullmatch(text)
    if match is None or form.key != "path" or form.down:
        return None
    if "n" in match.re.groupindex:
        given = match["n"] or match["n2"]
    else:
        given = None
    rank = match["rank"].lower()
    if rank == "last":
        if not re.match(r"(?:modified|changed|edited|updated) files?\b", rest := match["rest"]):
            return None
        match = RANK.fullmatch(body["x"].replace("last", "newest", 1).replace(rest, rest.partition(" ")[2]))
        assert match is not None
        rank = "newest"
    of_time = any(word in rank for word in ("new", "late", "old", "recent", "last"))
    rest = match["rest"]
    plural = bool(re.match(r"(?:\S+ )?files\b", rest)) and given is None
    selection = _selection(rest, marked)
    if selection is None or plural or selection.kind is None or (selection.kind == "d" and not of_time):
        return None
    form = Form(
        key="time" if of_time else "size",
        down=rank not in ("smallest", "oldest") and not rank.startswith("least"),
        most=number(given) if given else 1,
        facts=form.facts,
        full=form.full,
        bare=form.bare,
    )
    return Parsed("ranked", lambda facts: _listed(selection, form, facts), selection.names())


def _list(text: str, form: Form, marked: Marked) -> Parsed | None:
    # "Show a.txt" asks for what is in it; "list" and "find" ask for names.
    match = re.fullmatch(rf"(?P<verb>{FIND}|{SHOW}|which|what|sort) (?P<rest>.+)", text, re.IGNORECASE)
    if match is None:
        return None
    rest = re.sub(
        r"^(?:all )?(?:the )?(?P<full>(?:full |absolute )?(?:paths?|(?:file ?)?names?)|details|long listing|detailed (?:information|info|listing)) (?:of|about|on|for) ",
        _take_noun(form),
        match["rest"],
    )
    rest = re.sub(
        r"^(?:the )?(?P<fact>(?:file )?sizes?(?: in bytes)?|permissions|owners|modification times) (?:of|for) (?=(?:all|every|each|the) )",
        _take_fact(form),
        rest,
        flags=re.IGNORECASE,
    )
    if re.match(r"which|what", match["verb"], re.IGNORECASE):
        rest = re.sub(
            r"^((?:\S+ ){0,2}?(?:files?|directories|folders)) (?:are|is|were|was|have|has|do|does)\b",
            r"\1 that are",
            rest,
        )
        rest = re.sub(r"that are not contain", "that do not contain", rest)
    selection = _selection(rest, marked)
    if selection is not None and ONLY_DIRECTORIES.match(rest) and not DEEP.search(text):
        selection.maxdepth = 1
    if selection is None or (rest.strip().startswith("‹") and not re.match(r"‹[EG]", rest)):
        return None
    shallow = (
        re.fullmatch(SHOW, match["verb"], re.IGNORECASE) and HERE_ONLY.search(rest) and not DEEP.search(text)
    )
    if shallow and selection.maxdepth is None and not selection.contents:
        selection.mindepth, selection.maxdepth = 1, 1
    return Parsed("list", lambda facts: _listed(selection, form, facts), selection.names())


HERE_ONLY = re.compile(
    r"\b(?:in|of) (?:the current|this|the working|the current working|the present)(?: directory| folder)\b",
    re.IGNORECASE,
)
# `ls -d */` shows these, and none below.
ONLY_DIRECTORIES = re.compile(r"(?:only|just) (?:the )?(?:directories|folders)\b", re.IGNORECASE)
DEEP = re.compile(r"recursive|sub-?(?:director|folder)|below|nested|tree|under", re.IGNORECASE)


def _take_noun(form: Form) -> Any:
    def take(match: re.Match[str]) -> str:
        word = match["full"].lower()
        if "detail" in word or "long" in word:
            form.facts = ("%M", "%u", "%g", "%s", FACTS["time"])
        elif "full" in word or "absolute" in word:
            form.full = True
        return ""

    return take


def _take_fact(form: Form) -> Any:
    def take(match: re.Match[str]) -> str:
        form.facts = (*form.facts, _fact(match["fact"]))
        return ""

    return take


def _exist(selection: Selection, facts: Facts) -> bool:
    return all(facts.kind(name) for name in selection.names()) and all(
        facts.kind(path) == "directory" for path in selection.scope
    )


def _listed(selection: Selection, form: Form, facts: Facts) -> Draft | None:
    if not _exist(selection, facts):
        return None
    none = f"There are no {selection.described()}, as asked."
    if selection.contents and (form.key not in ("path", "name") or form.down or form.facts or form.bare):
        return None
    name = "%f" if form.bare else "%p"
    shown_fields = " ".join((*form.facts, name))
    # Fields end with a tab, for a name may hold blanks; the key comes first and is cut off again.
    record = f"{KEYS[form.key]}\\t{shown_fields}\\0"
    if selection.contents:
        stages = [*selection.stages(), SORT_BY_NAME]
    elif form == Form():
        stages = [*selection.stages(), SORT_BY_NAME]
    else:
        numeric = form.key in ("size", "time")
        order: Stage = {
            "tool": "sort",
            "args": {
                "zero_terminated": True,
                "key": f"1,1{'n' if numeric else ''}{'r' if form.down else ''}",
                "field_separator": "\t",
            },
        }
        stages = [
            {"tool": "find", "args": selection.arguments(printf=record)},
            order,
            {"tool": "cut", "argv": ["-z", "-f2-"]},
        ]
    if form.most is not None:
        stages.append({"tool": "head", "argv": ["-z", "-n", str(form.most)]})
    if form.full:
        if form.facts:
            return None
        stages.append({"tool": "realpath", "argv": ["-z", "-s"], "from_input": True, "null_separated": True})
    stages.append(TO_LINES)
    return shown(f"List the {selection.described()}", stages, none, expect_exit=[0])


def _per_file(text: str, form: Form, marked: Marked) -> Parsed | None:
    """The checksum or type of each file."""
    match = re.fullmatch(
        rf"(?:{COUNT}|{SHOW}|calculate|compute) (?:the )?(?P<what>md5(?:sum)?|sha-?1(?:sum)?|sha-?256(?:sum)?|sha-?512(?:sum)?|file types?|types?)(?: (?:sums?|checksums?|hash(?:es)?|digests?))? (?:of|for) (?P<rest>.+)",
        text,
        re.IGNORECASE,
    )
    if match is None or form != Form():
        return None
    what = re.sub(r"[- ]|sum", "", match["what"].lower())
    tool = f"{what}sum" if what[0] in "ms" else "file"
    selection = _selection(match["rest"], marked)
    if selection is None or selection.kind != "f":
        return None

    def build(facts: Facts) -> Draft | None:
        if not _exist(selection, facts):
            return None
        stages = [*selection.stages(), SORT_BY_NAME, over(tool)]
        return shown(
            f"{tool} of the {selection.described()}", stages, f"There are no {selection.described()}."
        )

    return Parsed("per-file", build, selection.names())


def read_directory(text: str, marked: Marked) -> Parsed | None:
    """What is in a directory, and how large its parts are."""
    path = rf"(?:the )?(?:(?:directory|folder) )?(?P<x>{PATH}|(?:the )?(?:current|this|working)(?: working)? (?:directory|folder))(?: (?:directory|folder))?"
    listing = re.fullmatch(
        rf"(?:{SHOW}|{FIND}|ls) (?:(?:all |the )*(?:contents?|content|entries)(?: of| in)? |(?:what(?: is|'s)|everything) in )?{path}(?P<all>,? (?:including|and|with) (?:the |all )?hidden (?:ones|files|entries)(?: and (?:directories|folders))?)?(?:,? (?:sorted|ordered) by (?P<key>size|(?:last )?(?:modification )?(?:time|date)|modification time)(?:,? (?:\(?(?P<first>largest|biggest|newest|latest|oldest|smallest|most recent)(?: ones?| files?| entries)? first\)?|in (?P<way>ascending|descending|reverse) order))?)?",
        text,
        re.IGNORECASE,
    )
    tree = re.fullmatch(
        rf"(?:{SHOW}|draw) (?:the |a )?(?:directory |folder |file )?(?:tree|structure|hierarchy|tree structure)(?: view)? (?:of|for|under|below|in|at) {path}(?:,? ?(?:up to|to(?: a)?|with(?: a)?|limited to|only)? ?(?:(?:max(?:imum)? )?depth (?:of )?(?P<d>{NUMBER})|(?P<e>{NUMBER}) levels?(?: deep| down)?|depth (?P<f>{NUMBER})))?",
        text,
        re.IGNORECASE,
    )
    usage = re.fullmatch(
        rf"(?:{SHOW}|{COUNT}|what is) (?:the )?(?:disk )?(?:usage|sizes?|space used)(?: of| by| for)? (?:each|every|all|the)(?: of the)?(?: (?:immediate|direct))? ?(?:sub-?)?(?:directory|folder|directories|folders)(?: (?:of|in|under|inside|within) {path})?(?:(?P<human>,? in (?:a )?human[- ]readable (?:format|form))|,? in (?P<unit>bytes|kilobytes|kb|megabytes|mb))?",
        text,
        re.IGNORECASE,
    )
    match = tree or usage or listing
    if match is None:
        return None
    token = match["x"] or "."
    here = re.search(r"\b(?:current|this|working)\b", token, re.IGNORECASE) is not None
    if listing and here and not re.match(r"list|ls|.*\b(?:contents?|what|everything)\b", text, re.IGNORECASE):
        return None  # "print the current directory" asks where it is
    name = "." if here else marked.value(token)

    def build(facts: Facts) -> Draft | None:
        if facts.kind(name) != "directory":
            return None
        place = facts.place(name)
        if tree:
            depth = next((tree[group] for group in "def" if tree[group]), None)
            limits = {"maxdepth": number(depth)} if depth else {}
            stages = [
                {"tool": "find", "args": {"paths": [place], "print0": True, **limits}},
                SORT_BY_NAME,
                TO_LINES,
            ]
            return shown(f"Walk {place}", stages)
        if usage:
            measure = _measure(usage)
            if measure is None:
                return None
            stages = [
                {
                    "tool": "find",
                    "args": {"paths": [place], "type": "d", "mindepth": 1, "maxdepth": 1, "print0": True},
                },
                SORT_BY_NAME,
                {"tool": "du", "argv": ["-s", *measure], "from_input": True, "null_separated": True},
            ]
            return shown(f"Measure what is in {place}", stages, f"There are no directories in {place}.")
        assert listing is not None
        options = _ls_options(listing)
        if options is None:
            return None
        stages = [{"tool": "ls", "argv": [options, "--", place] if place != "." else [options]}]
        return shown(f"List {place}", stages, f"{place} is empty.")

    return Parsed("directory", build, (name,))


def _ls_options(listing: re.Match[str]) -> str | None:
    """Options of ls for what is said of the order and of hidden entries, or None if that contradicts itself."""
    options = "-1A" if listing["all"] else "-1"
    if not listing["key"]:
        return options
    of_time, first = listing["key"].lower() != "size", (listing["first"] or "").lower()
    if first and (first in OF_TIME) != of_time:
        return None
    way = (listing["way"] or "").lower()
    down = first in DOWN or way == "descending" or (not first and not way)
    # Without a word for it, ls has the newest and the largest first; that is what such an order is taken for.
    return options + ("t" if of_time else "S") + ("" if down else "r")


def _measure(usage: re.Match[str]) -> list[str] | None:
    """Options of du: what is used is counted in blocks; a size in bytes is that of the contents."""
    used = re.search(r"\b(?:usage|used)\b", usage[0], re.IGNORECASE)
    unit = (usage["unit"] or "").lower()
    if usage["human"]:
        return ["-h"]
    if unit and unit[0] != "b":
        return [f"-{unit[0]}"] if used else None
    if used:
        return ["-B1"] if unit else ["-k"]
    return ["-b"]
