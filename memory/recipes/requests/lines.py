"""Requests for lines of text: some of them by place or content, sorted, counted or changed on the way out."""

from __future__ import annotations

import re
from collections.abc import Callable

from memory.recipes.requests.draft import Draft, Facts, Parsed
from memory.recipes.requests.lazy_pattern import LazyPattern
from memory.recipes.requests.line_wording import COUNTING, LINES, MODS, OF, PREDICATE, SIGNS, SRC, UNIT, Match
from memory.recipes.requests.lines_by_content import (
    blank,
    how_many_match,
    matching,
    numbers_of_matching,
    occurrences,
    of_length,
)
from memory.recipes.requests.lines_by_place import every_other, first_or_last, span_of, whole, without_ends
from memory.recipes.requests.lines_changed import characters, in_case, replaced, through
from memory.recipes.requests.lines_counted import count_of_sign, counts, longest_or_shortest
from memory.recipes.requests.lines_in_order import in_order, tally, unique
from memory.recipes.requests.marked import NUMBER, ORDINAL, TEXT, Marked
from memory.recipes.requests.sources import Source, read_source
from memory.recipes.requests.wording import FIND, SHOW

Builder = Callable[[Match, Marked, Source, Facts], Draft | None]
NUMBERED = re.compile(
    r",? ?(?:(?:and|with|including|together with|along with|showing|prefixed (?:with|by)|preceded by)(?: show| print| display)? )(?:their |its |the )?line[- ]?numbers?(?: of each(?: match| line)?)?(?= |$)",
    re.IGNORECASE,
)
ANY_CASE = re.compile(
    r",? ?\(?(?:case[- ]insensitiv(?:e|ely)|ignoring (?:the )?case|regardless of (?:the )?case|ignore case)\)?(?= |$)",
    re.IGNORECASE,
)


def read_lines(text: str, marked: Marked) -> Parsed | None:
    """A request about the text of files, or None."""
    rest, with_numbers = NUMBERED.subn("", text)
    rest, any_case = ANY_CASE.subn("", rest)
    rest = " ".join(rest.split())
    for name, pattern, build, kinds in TEMPLATES:
        match = pattern.fullmatch(rest)
        if match is None or (with_numbers and "n" not in kinds) or (any_case and "i" not in kinds):
            continue
        source = read_source(match["src"], marked)
        if source is None:
            continue
        options = {"line_number": bool(with_numbers), "ignore_case": bool(any_case)}
        below = name == "search"
        return Parsed(name, _builder(build, match, marked, source, options, below=below), source.names())
    return None


def _builder(
    build: Callable[..., Draft | None],
    match: Match,
    marked: Marked,
    source: Source,
    options: dict[str, bool],
    *,
    below: bool,
) -> Callable[[Facts], Draft | None]:
    def made(facts: Facts) -> Draft | None:
        read = source.inside(facts) if below else source
        if read is source and not source.fits(facts):
            return None
        on = {name: True for name, given in options.items() if given}
        return build(match, marked, read, facts, **on)

    return made


_T = list[tuple[str, str, Callable[..., Draft | None], str]]
RAW: _T = [
    ("count-lines-with", rf"{COUNTING} {LINES} {PREDICATE} {OF} (?P<src>.+?)(?P<each> (?:for|in|per|of) each(?: file)?)?", how_many_match, "i"),
    ("count-lines-with", rf"(?:{COUNTING}|{SHOW} the number of) {LINES} {PREDICATE} for (?P<src>(?:each|every) .+)", how_many_match, "i"),
    ("count-lines-with", rf"{COUNTING} {LINES} {OF} (?P<src>.+?) {PREDICATE}", how_many_match, "i"),
    ("lines-with", rf"(?:{SHOW}|{FIND}|grep) {LINES} {PREDICATE} {OF} {SRC}", matching, "ni"),
    ("lines-with", rf"(?:{SHOW}|{FIND}|grep) {LINES} {OF} (?P<src>.+?) {PREDICATE}", matching, "ni"),
    ("line-numbers", rf"(?:{SHOW}|{FIND}) (?:the |all )*line numbers? of (?:the |all )*{LINES} {PREDICATE} {OF} {SRC}", numbers_of_matching, "i"),
    ("search", rf"(?:search(?: recursively)? for|look for|grep|grep for|find)(?P<how>(?!))?(?P<no>(?!))? (?:(?:all |any |every |the )*(?:occurrences?|instances?|matches|mentions?) of )?(?:the )?(?:(?P<noun>word|text|string|phrase) )?(?P<x>‹Q\d+›|(?<=word )\S+|(?<=string )\S+|(?<=text )\S+)(?P<join>(?!))?(?P<y>(?!))? (?:in|inside|within) {SRC}", matching, "ni"),
    ("search", rf"(?:search|grep) (?P<src>.+?) for(?P<how>(?!))?(?P<no>(?!))? (?:the )?(?:(?P<noun>word|text|string|phrase) )?(?P<x>{TEXT})(?P<join>(?!))?(?P<y>(?!))?", matching, "ni"),
    ("occurrences", rf"(?:{COUNTING}|what is the number of) ?(?:the )?(?:number of )?(?:times|occurrences?|appearances?|instances?|matches)(?: of| that|)? (?:the )?(?:(?P<noun>word|text|string|phrase|substring|pattern|character|letter) )?(?P<x>{TEXT})(?: (?:occurs?|appears?|is (?:used|found|mentioned)|shows up))? {OF} {SRC}", occurrences, "i"),
    ("occurrences", rf"(?:count |show |tell me |print )?(?:how many times|how often) (?:does |do |is )?(?:the )?(?:(?P<noun>word|text|string|phrase|substring|character|letter) )?(?P<x>{TEXT}) (?:occurs?|appears?|used|is (?:used|found|mentioned)|found|mentioned|shows? up) {OF} {SRC}", occurrences, "i"),
    ("count-sign", rf"{COUNTING} (?:the )?(?P<sign>commas?|tabs?|spaces?|semicolons?|colons?|dots?)(?: are)? {OF} {SRC}", count_of_sign, ""),
    ("counts", rf"(?:{COUNTING}|count(?: the)?|{SHOW} the) (?P<units>{UNIT}(?:(?:,? and |, ){UNIT})*)(?: (?:are there|are|there are|count|counts))? {OF} {SRC}", counts, ""),
    ("counts", rf"(?:{SHOW}|what is|calculate|compute|count)? ?(?:the )?(?P<units>{UNIT})[- ]?counts?(?: (?:of|for|in)) {SRC}", counts, ""),
    ("ends", rf"{SHOW} (?:only )?(?:the )?(?P<end>first|last|top|bottom|initial|final|leading)(?: (?P<n>{NUMBER}))? (?P<unit>lines?|bytes?|characters?|chars?) {OF} {SRC}", first_or_last, ""),
    ("span", rf"{SHOW} (?:only )?(?:the )?lines?(?: numbers?)? (?P<a>\d+) ?(?:to|-|–|through|until|and|up to)(?: line)? ?(?P<b>\d+)(?: \(?inclusive\)?)? {OF} {SRC}", span_of, ""),
    ("span", rf"{SHOW} (?:only )?(?:the )?lines? (?:between|from)(?: lines?)? (?P<a>\d+) (?:to|and|through) (?P<b>\d+) {OF} {SRC}", span_of, ""),
    ("span", rf"(?:{SHOW}|what is) (?:only )?(?:the )?(?:(?P<ord>{ORDINAL}) line|line(?: number)? #?(?P<a>\d+)) {OF} {SRC}", span_of, ""),
    ("without-ends", rf"{SHOW} (?P<src>.+?) (?:without|except|excluding|skipping|but not|omitting) (?:the |its )?(?P<end>first|last|header|top)(?: (?P<n>{NUMBER}))? ?(?:lines?|rows?)?", without_ends, ""),
    ("without-ends", rf"{SHOW} (?:all |every |everything |all the )?(?:lines? )?(?:but|except(?: for)?) (?:the )?(?P<end>first|last)(?: (?P<n>{NUMBER}))? lines? {OF} {SRC}", without_ends, ""),
    ("extreme", rf"(?:{SHOW}|{FIND}|what is|which is)? ?(?:the )?(?P<length>length of the )?(?P<which>longest|shortest)(?: non-?empty)? line(?P<len2> length)? {OF} {SRC}", longest_or_shortest, ""),
    ("frequency", rf"(?:{SHOW}|{FIND}|what is|what are|which is)? ?(?:the )?(?:top )?(?:(?P<n>{NUMBER}) )?(?P<rank>most (?:frequent|common|used|repeated|frequently used|often used)|least (?:frequent|common)|commonest) (?P<unit>words?|lines?|entry|entries|values?|names?) (?:of|in|from) (?P<src>.+?)(?:,? (?:with|and) (?:their |the )?(?:counts?|frequenc(?:y|ies)|number of occurrences))?", tally, ""),
    ("tally", rf"(?:{SHOW}|count) (?:the )?(?:number of )?(?:times|occurrences|frequency)(?: of)? (?:each|every) (?P<unit>words?|lines?|value|name|entry)(?: (?:occurs|appears))? {OF} {SRC}", tally, ""),
    ("tally", rf"(?:{SHOW}|count) how (?:many times|often) (?:each|every) (?P<unit>words?|lines?|value|name|entry) (?:occurs|appears) {OF} {SRC}", tally, ""),
    ("tally", rf"{SHOW} (?:the |all )?(?:unique|distinct) (?P<unit>words|lines|values|names|entries) (?:of|in|from) (?P<src>.+?),? (?:with|together with|along with|and) (?:how (?:many times|often) each(?: (?:one|line|word))? (?:occurs|appears)|(?:their|the) (?:counts?|frequency|frequencies|number of occurrences)|the number of times (?:each|they) (?:one )?(?:occurs?|appears?))", tally, ""),
    ("unique", rf"(?:{COUNTING}|{SHOW}|{FIND}) (?:all |only )*(?:the )?(?P<kind>duplicated?|repeated) (?P<unit>lines|values|words|entries|names) (?:are )?(?:of|in|from) {SRC}", unique, ""),
    ("unique", rf"(?:{COUNTING}|{SHOW}|{FIND}) (?:all |only )*(?:the )?(?:sorted )?(?P<kind>unique|distinct|different)(?: sorted)? (?P<unit>lines|values|words|entries|names) (?:are (?:there )?)?(?:of|in|from) (?P<src>.+?)(?:,? (?:in )?(?:sorted|alphabetical)(?: order)?)?", unique, ""),
    ("sorted", rf"(?:sort|order)(?: and (?:print|show|display|output))? (?:the )?(?:(?:lines|contents?|entries|rows|words|numbers|values|names|text) (?:of|in|from) )?(?:the file )?(?P<src>‹[QP]\d+›){MODS}", in_order, ""),
    ("sorted", rf"{SHOW} (?:the )?(?:sorted )?(?:lines|contents?|entries|rows|words|numbers|values|names)(?: of| in| from) (?P<src>‹[QP]\d+›),? (?:sorted|in sorted order)(?P<mods>(?: .+)?)", in_order, ""),
    ("sorted", rf"{SHOW} (?:the )?(?P<src>‹[QP]\d+›),? sorted(?P<mods>(?: .+)?)", in_order, ""),
    ("reverse-lines", rf"(?:{SHOW}|reverse) (?:the )?(?:(?:lines|order of (?:the )?lines) (?:of|in|from) )?(?P<src>‹[QP]\d+›),? (?:in reverse(?:d)?(?: line)? order|(?:with (?:its|the) )?lines? reversed|from (?:bottom to top|the last line to the first|last (?:line )?to first)|backwards by line|in reverse, line by line|line by line in reverse order)", through("tac"), ""),
    ("reverse-lines", r"reverse the (?:order of (?:the )?)?lines (?:of|in) (?P<src>.+?)(?: and (?:print|show|display) (?:it|them|the result))?", through("tac"), ""),
    ("reverse-lines", r"(?:print|show|display|output) (?:the )?(?:contents?|lines) of (?P<src>.+?) in reverse(?: order)?", through("tac"), ""),
    ("whole", r"(?:concatenate|join|merge) (?P<src>.+?)(?: and (?:print|show|display|output) (?:it|them|the (?:result|output)))?", whole, ""),
    ("parity", rf"{SHOW} (?:only |all )*(?:the )?(?P<parity>odd|even)(?:[- ]numbered)? lines {OF} {SRC}", every_other, ""),
    ("length", rf"(?P<verb>{COUNTING}|{SHOW}|{FIND}) {LINES} {OF} (?P<src>.+?) (?:that are |which are |with )?(?P<how>longer|shorter|more|fewer|less) than (?P<n>{NUMBER})(?: characters| chars)?(?: long)?", of_length, ""),
    ("length", rf"(?P<verb>{COUNTING}|{SHOW}|{FIND}) {LINES} (?:that are |which are |with )?(?P<how>longer|shorter|more|fewer|less) than (?P<n>{NUMBER})(?: characters| chars)?(?: long)? {OF} {SRC}", of_length, ""),
    ("blank", r"(?P<no>remove|delete|strip|drop) (?:all |the |any )*(?P<word>empty|blank) lines from (?P<src>.+?) and (?:print|show|display|output) (?:it|the (?:result|output|rest))", blank, ""),
    ("number-lines", r"(?:number (?:all |every |each )?(?:the )?lines (?:of|in) (?P<src>.+?)(?: and (?:print|show|display) (?:it|them))?)", lambda m, k, s, f: whole(m, k, s, f, line_number=True), ""),
    ("reverse-each", r"reverse (?:the (?:order of (?:the )?)?characters (?:of|in) )(?:each|every) line (?:of|in) (?P<src>.+)", through("rev"), ""),
    ("reverse-each", r"(?:print|show|display) (?:each|every) line (?:of|in) (?P<src>.+?) (?:reversed|backwards|in reverse)", through("rev"), ""),
    ("case", r"(?:convert|change|turn|transform|translate) (?:the |all )?(?:contents?|text|letters|everything|characters)? ?(?:of |in )?(?P<src>‹[QP]\d+›) (?:in)?to (?P<case>upper|lower|capital)[- ]?(?:case)?(?: letters)? and (?:print|show|display|output) (?:it|the result|the output)", in_case, ""),
    ("case", rf"{SHOW} (?:the )?(?:contents? of |text of )?(?P<src>‹[QP]\d+›) (?:in|as|converted to|in all) (?P<case>upper|lower|capital)[- ]?(?:case)?(?: letters)?", in_case, ""),
    ("blank", rf"{COUNTING} (?P<no>non-?)?(?P<word>empty|blank) lines(?: are)?(?: there)? {OF} {SRC}", blank, ""),
    ("blank", rf"{SHOW} (?:the |all )*(?P<no>non-?)(?P<word>empty|blank) lines {OF} {SRC}", blank, ""),
    ("blank", rf"{SHOW} (?:the )?(?:contents? of )?(?P<src>.+?) (?P<no>without|excluding|skipping|omitting|except)(?: the| any| its)? (?P<word>empty|blank) lines", blank, ""),
    ("replaced", rf"(?:replace|substitute|change) (?:all |every |each |the )*(?:occurrences? of )?(?P<x>{SIGNS}|‹Q\d+›) (?:by|with|to|into) (?P<y>{SIGNS}|‹Q\d+›) in (?P<src>.+?) and (?:show|print|display|output) (?:it|the result|the output|the (?:new |changed )?text)", replaced, ""),
    ("replaced", rf"{SHOW} (?:the contents? of )?(?P<src>.+?) with (?:all |every |each |the )*(?:occurrences? of )?(?P<x>{SIGNS}|‹Q\d+›) (?:replaced (?:by|with)|changed (?:to|into)) (?P<y>{SIGNS}|‹Q\d+›)", replaced, ""),
    ("characters", rf"{SHOW} (?:the )?(?:characters? (?P<a>\d+) ?(?:to|-|through) ?(?P<b>\d+)|(?P<first>first) (?:(?P<n>{NUMBER}) )?characters?) (?:of|in|from) (?:each|every) line (?:of|in|from) {SRC}", characters, ""),
    ("whole", rf"(?:{SHOW}|cat|open) (?:the )?(?:(?:whole|full|entire|complete) )?(?:(?:contents?|text)(?: of)? )?(?P<src>.+)", whole, "n"),
]  # fmt: skip
TEMPLATES = [(name, LazyPattern(raw), build, kinds) for name, raw, build, kinds in RAW]
