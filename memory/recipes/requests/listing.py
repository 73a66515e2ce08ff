"""Requests for files themselves: their names, how many, how large, in what order, with what facts."""

from __future__ import annotations

import re

from memory.recipes.requests.draft import (
    SORT_BY_NAME,
    TO_LINES,
    Draft,
    Facts,
    Parsed,
    Stage,
    all_exist,
    over,
    shown,
)
from memory.recipes.requests.filters import read_selection
from memory.recipes.requests.list_form import KEYS, Form, take_fact, take_form, take_noun
from memory.recipes.requests.marked import NUMBER, Marked, number
from memory.recipes.requests.selection import Selection
from memory.recipes.requests.totals import read_count, read_total
from memory.recipes.requests.wording import COUNT, FIND, SHOW

RANK = re.compile(
    rf"(?:the |top )*(?:(?P<n>{NUMBER}) )?(?P<rank>largest|biggest|smallest|newest|latest|oldest|last|most recent|most recently (?:modified|changed|edited|updated)|least recently (?:modified|changed)|last modified)(?: (?P<n2>{NUMBER}))? (?P<rest>.+)",
    re.IGNORECASE,
)
TAIL_RANK = re.compile(
    r"(?:which |what )?(?P<rest>.*?files?\b.*?)(?: that)? (?:is|are|was|were) (?:the )?(?P<rank>largest|biggest|smallest|newest|oldest|modified most recently|changed most recently|most recently modified|most recently changed|modified last)",
    re.IGNORECASE,
)


def read_listing(text: str, marked: Marked) -> Parsed | None:
    """A request for names, numbers or sizes of files, or None."""
    form = Form()
    rest = take_form(text, form)
    if rest is None:
        return None
    return (
        read_count(rest, form, marked)
        or read_total(rest, form, marked)
        or _per_file(rest, form, marked)
        or _ranked(rest, form, marked)
        or _list(rest, form, marked)
    )


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
    selection = read_selection(rest, marked)
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
        take_noun(form),
        match["rest"],
    )
    if re.match(r"(?:the )?(?:file )?sizes? (?:of|for) (?:all|every|each|the) ", rest, re.IGNORECASE):
        rest = re.sub(r",? in bytes$", "", rest, flags=re.IGNORECASE)
    rest = re.sub(
        r"^(?:the )?(?P<fact>(?:file )?sizes?(?: in bytes)?|permissions|owners|modification times) (?:of|for) (?=(?:all|every|each|the) )",
        take_fact(form),
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
    selection = read_selection(rest, marked)
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


def _listed(selection: Selection, form: Form, facts: Facts) -> Draft | None:
    if not all_exist(selection, facts):
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
    selection = read_selection(match["rest"], marked)
    if selection is None or selection.kind != "f":
        return None

    def build(facts: Facts) -> Draft | None:
        if not all_exist(selection, facts):
            return None
        stages = [*selection.stages(), SORT_BY_NAME, over(tool)]
        return shown(
            f"{tool} of the {selection.described()}", stages, f"There are no {selection.described()}."
        )

    return Parsed("per-file", build, selection.names())
