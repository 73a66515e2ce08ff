"""Requests for lines by the kind of sign they hold, by place, by what stands around them; and for two files held together."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from memory.recipes.requests.draft import Draft, Facts, Parsed, Stage, counted, shown
from memory.recipes.requests.line_wording import COUNTING, LINES
from memory.recipes.requests.lines_by_content import ere
from memory.recipes.requests.marked import NUMBER, ORDINAL, PATH, QUOTE, Marked, number
from memory.recipes.requests.sources import Source, read_source
from memory.recipes.requests.wording import FIND, SHOW

Match = re.Match[str]
KINDS = {
    r"(?:digits?|numbers?|numerals?)": "[0-9]",
    r"(?:upper[- ]?case|capital)(?: letters?| characters?)?": "[A-Z]",
    r"lower[- ]?case(?: letters?| characters?)?": "[a-z]",
    r"(?:letters?|alphabetic(?:al)? characters?)": "[A-Za-z]",
    r"vowels?": "[aeiouAEIOU]",
    r"(?:spaces?|blanks?)": " ",
    r"tabs?(?: characters?)?": "\t",
    r"(?:white ?space(?: characters?)?)": "[[:space:]]",
    r"punctuation(?: marks?| characters?)?": "[[:punct:]]",
    r"(?:an? )?e-?mail address(?:es)?": r"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}",
    r"(?:an? )?(?:ipv?4? )?ip(?:v4)? address(?:es)?": r"([0-9]{1,3}\.){3}[0-9]{1,3}",
}
KIND = "|".join(f"(?:{words})" for words in KINDS)
DO = r"(?:(?:that|which) )?(?P<no>(?:do not|does not|don't|doesn't|not) )?"
HOW = r"(?P<how>contain(?:s|ing)?|includ(?:e|es|ing)|hav(?:e|ing)|has|with|(?:start(?:s|ing)?|begin(?:s|ning)?) with|end(?:s|ing)? (?:with|in)|consist(?:s|ing)? (?:only |entirely )?of|contain(?:s|ing)? only)"
OF_KIND = rf"{DO}{HOW} (?:an? |any |at least one |one or more |only )?(?P<kind>{KIND})"
OF = r"(?:of|in|from|within)"
SRC = r"(?P<src>.+)"


def read_line_kind(text: str, marked: Marked) -> Parsed | None:
    """A request for lines that `lines` does not read, or for two files held together, or None."""
    for name, pattern, build in TEMPLATES:
        match = pattern.fullmatch(text)
        made = build(match, marked) if match else None
        if made is not None:
            names, draft = made
            return Parsed(name, draft, names)
    return None


Made = tuple[tuple[str, ...], Callable[[Facts], Draft | None]]


def _over(
    match: Match,
    marked: Marked,
    stages: Callable[[Source], list[Stage] | None],
    what: str,
    *,
    count: bool = False,
) -> Made | None:
    """A plan that puts the text of a file through stages."""
    source = read_source(match["src"], marked)
    after = stages(source) if source is not None and len(source.paths) == 1 else None
    if source is None or after is None:
        return None
    found, then = source, after

    def build(facts: Facts) -> Draft | None:
        if not found.fits(facts):
            return None
        through = [*found.text(facts), *then]
        exits = then[-1].get("expect_exit", [0])
        if count:
            return counted(what, through, what, expect_exit=exits)
        return shown(what, through, "There are none.", expect_exit=exits)

    return found.names(), build


def _grep(pattern: str, **args: Any) -> Stage:
    return {"tool": "grep", "args": {"pattern": pattern, "extended": True, **args}, "expect_exit": [0, 1]}


def _of_kind(match: Match, marked: Marked) -> Made | None:
    word = match["kind"]
    kind = next(pattern for words, pattern in KINDS.items() if re.fullmatch(words, word, re.IGNORECASE))
    how = match["how"].lower()
    only = "only" in match[0][
        match.start("how") - match.start() : match.end("kind") - match.start()
    ].lower() or how.startswith("consist")
    if only and (not kind.startswith("[") or not how.startswith(("contain", "consist"))):
        return None
    shape = (
        "^{}+$"
        if only
        else "^{}"
        if how.startswith(("start", "begin"))
        else "{}$"
        if how.startswith("end")
        else "{}"
    )
    count = re.match(COUNTING, match[0], re.IGNORECASE) is not None and "verb" in match.re.groupindex
    args: dict[str, Any] = ({"invert": True} if match["no"] else {}) | ({"count": True} if count else {})
    return _over(
        match, marked, lambda source: [_grep(shape.format(kind), **args)], "Search the lines", count=count
    )


def _empty(match: Match, marked: Marked) -> Made | None:
    count = match.groupdict().get("count") is not None
    pattern = "^[[:space:]]*$" if match["word"].lower() == "blank" else "^$"
    denied = bool(match["no"] or match.groupdict().get("non"))
    args: dict[str, Any] = ({"invert": True} if denied else {}) | ({"count": True} if count else {})
    return _over(match, marked, lambda source: [_grep(pattern, **args)], "Search the lines", count=count)


def _every_nth(match: Match, marked: Marked) -> Made | None:
    groups = match.groupdict()
    word = groups["step"].lower()
    step = {"other": 2, "second": 2}.get(word) or number(word)
    start = 1 if groups.get("first") else step if word != "other" else 0
    # "Every other line" does not say which one comes first.
    if not 0 < start or not 1 < step < 10_000:
        return None
    return _over(
        match,
        marked,
        lambda source: [{"tool": "sed", "argv": ["-n", f"{start}~{step}p"]}],
        "Print some lines",
    )


def _context(match: Match, marked: Marked) -> Made | None:
    amount, side = number(match["n"]), (match["side"] or "").lower()
    option = "-A" if side.startswith("after") else "-B" if side.startswith("before") else "-C"
    text = marked.value(match["x"])
    if "\n" in text:
        return None
    stage: Stage = {
        "tool": "grep",
        "argv": ["-E", option, str(amount), "-e", ere(text)],
        "expect_exit": [0, 1],
    }
    return _over(match, marked, lambda source: [stage], "Search with context")


def _only_match(match: Match, marked: Marked) -> Made | None:
    text = marked.value(match["x"])
    raw = re.search(r"pattern|regex|regular", match[0], re.IGNORECASE)
    pattern = text if raw else ere(text)
    return (
        None
        if "\n" in text
        else _over(match, marked, lambda source: [_grep(pattern, only_matching=True)], "Search the text")
    )


def _all_of_kind(match: Match, marked: Marked) -> Made | None:
    word = match["kind"]
    kind = next(pattern for words, pattern in KINDS.items() if re.fullmatch(words, word, re.IGNORECASE))
    if not kind.startswith(("[A-Za-z0-9", "([0-9]")):
        return None
    stages = [_grep(kind, only_matching=True)]
    if match["unique"]:
        stages.append({"tool": "sort", "args": {"unique": True}})
    return _over(match, marked, lambda source: stages, "Search the text")


def _numbered(match: Match, marked: Marked) -> Made | None:
    source = read_source(match["src"], marked)
    if source is None or len(source.paths) != 1:
        return None
    return (
        source.names(),
        lambda facts: (
            shown("Number the lines", source.through(facts, "cat", number=True), "It is empty.")
            if source.fits(facts)
            else None
        ),
    )


def _two(match: Match, marked: Marked, build: Callable[[list[str]], Draft | None]) -> Made:
    names = (marked.value(match["x"]), marked.value(match["y"]))

    def made(facts: Facts) -> Draft | None:
        if any(facts.kind(name) not in ("file", "link") for name in names):
            return None
        return build([facts.place(name) for name in names])

    return names, made


def _common(match: Match, marked: Marked) -> Made | None:
    columns = "-12" if match.groupdict().get("only") is None else "-23"
    # comm compares sorted files only, and says so of others: nothing is answered then.
    return _two(
        match,
        marked,
        lambda paths: shown(
            "Compare the lines",
            [{"tool": "comm", "argv": ["--check-order", columns, "--", *paths]}],
            "There is no such line.",
        ),
    )


def _side_by_side(match: Match, marked: Marked) -> Made:
    return _two(
        match,
        marked,
        lambda paths: shown("Join the lines", [{"tool": "paste", "argv": ["--", *paths]}], "They are empty."),
    )


def _sequence(match: Match, marked: Marked) -> Made | None:
    low, high = number(match["a"]), number(match["b"])
    parity = (match["parity"] or "").lower()
    step = number(match["step"]) if match["step"] else 2 if parity else 1
    if parity and match["step"]:
        return None
    if parity and low % 2 != (parity == "odd"):
        low += 1
    if abs(high - low) > 100_000 or step < 1 or (parity and low > high):
        return None
    argv = (
        [str(low), str(high)]
        if step == 1 and low <= high
        else [str(low), str(step if low <= high else -step), str(high)]
    )
    return (), lambda facts: shown("Count", [{"tool": "seq", "argv": argv}])


SHOWING = rf"(?:{SHOW}|{FIND}|grep)"
FILES = r"(?:(?:the )?(?:files? )?)"
RAW: list[tuple[str, str, Callable[[Match, Marked], Made | None]]] = [
    ("count-lines-of-kind", rf"(?P<verb>{COUNTING}) {LINES} {OF_KIND} {OF} {SRC}", _of_kind),
    ("count-lines-of-kind", rf"(?P<verb>{COUNTING}) {LINES} {OF} (?P<src>.+?) {OF_KIND}", _of_kind),
    ("lines-of-kind", rf"{SHOWING} {LINES} {OF_KIND} {OF} {SRC}", _of_kind),
    ("lines-of-kind", rf"{SHOWING} {LINES} {OF} (?P<src>.+?) {OF_KIND}", _of_kind),
    ("empty-lines", rf"(?P<count>{COUNTING}) {LINES} {OF} (?P<src>.+?) (?:that|which) are (?P<no>not |non-)?(?P<word>empty|blank)", _empty),
    ("empty-lines", rf"(?P<count>{COUNTING}) {LINES} (?:that|which) are (?P<no>not |non-)?(?P<word>empty|blank) {OF} {SRC}", _empty),
    ("empty-lines", rf"{SHOWING} {LINES} {OF} (?P<src>.+?) (?:that|which) are (?P<no>not |non-)(?P<word>empty|blank)", _empty),
    ("every-nth", rf"{SHOW} (?:only )?every (?P<step>other|{ORDINAL}) line (?:of|in|from) (?P<src>.+?)(?P<first>,? (?:starting|beginning) (?:with|from|at) (?:the )?(?:first(?: line| one)?|line 1))?", _every_nth),
    ("context", rf"{SHOWING} (?P<n>{NUMBER}) lines? (?:of context )?(?P<side>after|before|around|before and after) (?:each|every|the|all)? ?(?:match(?:es)?|lines?|occurrences?)? ?(?:of|for|containing|that contains?|with)? ?(?:the (?:word|string|text) )?(?P<x>{QUOTE}) {OF} {SRC}", _context),
    ("only-match", rf"{SHOWING} only (?:the )?(?:matching )?(?:parts?|text|portions?|matches|strings?)(?: of (?:each|every|the) lines?)?(?: that match(?:es)?| matching| of| for)?(?: the)?(?: (?:pattern|regular expression|regex))? (?P<x>{QUOTE}) {OF} {SRC}", _only_match),
    ("only-match", rf"{SHOWING} (?:all |the )*(?:parts?|matches|strings?)(?: that match(?:es)?| matching| of| for)(?: the)?(?: (?:pattern|regular expression|regex)) (?P<x>{QUOTE}) {OF} {SRC}", _only_match),
    ("all-of-kind", rf"(?:{SHOWING}|extract) (?:all |the |every )*(?P<unique>(?:unique|distinct|different) )?(?P<kind>{KIND}) (?:of|in|from|found in|that (?:appear|occur) in) {SRC}", _all_of_kind),
    ("numbered", rf"{SHOW} (?:each|every|all|the) (?:of the )?lines? (?:of|in|from) (?P<src>.+?),? (?:(?:with|together with|preceded by|prefixed (?:with|by)) (?:its|their|the) line numbers?|numbered)", _numbered),
    ("numbered", r"number (?:all |each |every )?(?:of )?(?:the )?lines? (?:of|in) (?P<src>.+)", _numbered),
    ("side-by-side", rf"(?:merge|join|combine|paste|{SHOW}) (?:the )?(?:lines of |contents? of |corresponding lines of )?{FILES}(?P<x>{PATH}) and {FILES}(?P<y>{PATH}) (?:line by line|side by side)(?:,? separated by (?:a )?tabs?)?", _side_by_side),
    ("common-lines", rf"{SHOWING} {LINES} (?:that are |which are )?(?:common to|shared by|in common between|present in both|found in both|in both|that (?:appear|occur) in both) (?:both )?{FILES}(?P<x>{PATH}) and {FILES}(?P<y>{PATH})", _common),
    ("common-lines", rf"{SHOWING} {LINES} (?:that are |that (?:appear|occur) |which are )?(?P<only>only )?in {FILES}(?P<x>{PATH}),? (?:and not|but not) in {FILES}(?P<y>{PATH})".replace("(?P<only>only )?", "(?P<only>)"), _common),
    ("sequence", rf"{SHOW} (?:all |the |a )*(?:sequence of )?(?:(?P<parity>even|odd) )?(?:whole )?(?:numbers|integers) (?:from|between) (?P<a>\d+) (?:to|and|through|up to) (?P<b>\d+)(?: (?:in|with) (?:steps|increments) of (?P<step>\d+))?(?:,? (?:one (?:per|on each) line|each on (?:a|its own) (?:new )?line|inclusive))?", _sequence),
]  # fmt: skip
TEMPLATES = [(name, re.compile(raw, re.IGNORECASE), build) for name, raw, build in RAW]
