"""Requests for columns of tables, and for sums, means and extremes of numbers."""

from __future__ import annotations

import re

from memory.recipes.recipe import AnswerTemplate
from memory.recipes.requests.draft import Draft, Facts, Parsed, Stage, read_step, shown
from memory.recipes.requests.lines_in_order import delimiter_of
from memory.recipes.requests.marked import NUMBER, ORDINAL, Marked, number
from memory.recipes.requests.sources import Source, read_source
from memory.recipes.requests.wording import COUNT, FIND, SHOW

SEPARATORS = {
    "comma": ",", "commas": ",", "semicolon": ";", "semicolons": ";", "colon": ":", "colons": ":", "tab": "\t",
    "tabs": "\t", "pipe": "|", "pipes": "|", "space": " ", "spaces": " ", "whitespace": None, "white space": None,
}  # fmt: skip
SEPARATED = re.compile(
    r",? ?\(?(?:(?:which (?:is|are) |that (?:is|are) |where (?:the )?(?:fields|columns|values) are )?(?:separated|delimited) by (?:an? )?|(?:using|with) (?:an? |the )?(?:delimiter |separator )?)"
    rf"(?P<by>{'|'.join(sorted(SEPARATORS, key=len, reverse=True))}|‹Q\d+›|[:;,|/#=](?= |$))(?: as (?:the |a )?(?:delimiter|separator|field separator))?\)?(?= |$)",
    re.IGNORECASE,
)
NO_HEADER = re.compile(
    r",? ?\(?(?:(?:and )?(?:skipping|ignoring|excluding|without|not counting|except(?: for)?|skip|omitting)) (?:the |its )?(?:header(?: line| row)?|first (?:line|row))\)?(?= |$)",
    re.IGNORECASE,
)
UNIQUE = re.compile(r"\b(?:unique|distinct) ", re.IGNORECASE)
ONE = rf"(?:(?P<ord>{ORDINAL}|last) (?:column|field)|(?:column|field)(?: number)? #?(?P<num>{NUMBER}))"
SEVERAL = rf"(?:(?P<ords>{ORDINAL}(?:(?:,|,? and) {ORDINAL})+) (?:columns?|fields?)|(?:columns?|fields?)(?: numbers?)? (?P<nums>{NUMBER}(?:(?:,|,? and) {NUMBER})+))"
COLUMNS = re.compile(
    rf"(?:{SHOW}|{FIND}|cut(?: out)?|what is) (?:only |all )*(?:the )?(?:values |data |entries )?(?:of |in |from )?(?:the )?(?:{SEVERAL}|{ONE})(?: values| only)? (?:of|in|from) (?P<src>.+)",
    re.IGNORECASE,
)
WORDS = re.compile(
    rf"(?:{SHOW}|{FIND}) (?:only )?(?:the )?(?P<ord>{ORDINAL}|last) (?:word|field|column|value) (?:of|in|from|on) (?:each|every) line (?:of|in|from) (?P<src>.+)",
    re.IGNORECASE,
)
AGGREGATE = re.compile(
    rf"(?:(?:{COUNT}|{SHOW}|{FIND}|calculate|compute|determine|what is|work out) )?(?:the )?(?P<what>sum|total|add(?: up)?|average|mean|maximum|minimum|max|min|largest|smallest|highest|lowest|greatest|biggest)"
    r"(?: sum)?(?: (?:number|value))?(?: of| in| from)?(?: all)?(?: (?:the )?(?:numbers|values|numeric values|entries))?(?: (?:of|in|from))?"
    rf"(?: (?:the )?{ONE})?(?: values)?(?: (?:of|in|from))? (?P<src>‹[QP]\d+›|(?:the )?(?:file|table) ‹[QP]\d+›)(?: (?:by|using) column)?",
    re.IGNORECASE,
)
FACT = {
    "sum": "sum", "total": "sum", "add": "sum", "add up": "sum", "average": "mean", "mean": "mean", "maximum": "greatest",
    "max": "greatest", "largest": "greatest", "highest": "greatest", "greatest": "greatest", "biggest": "greatest",
    "minimum": "least", "min": "least", "smallest": "least", "lowest": "least",
}  # fmt: skip


def read_columns(text: str, marked: Marked) -> Parsed | None:
    """A request for columns, or for what their numbers come to, or None."""
    rest = text
    separator: str | None = ""
    if match := SEPARATED.search(rest):
        word = match["by"].lower()
        separator = SEPARATORS[word] if word in SEPARATORS else marked.value(match["by"])
        rest = SEPARATED.sub("", rest, count=1)
    rest, headless = NO_HEADER.subn("", rest)
    if separator is not None and len(separator) > 1:
        return None
    if (words := _words(rest, marked, separator, bool(headless))) is not None:
        return words
    return _columns(rest, marked, separator, bool(headless)) or _aggregate(
        rest, marked, separator, bool(headless)
    )


def _columns(text: str, marked: Marked, separator: str | None, headless: bool) -> Parsed | None:
    rest, unique = UNIQUE.subn("", text)
    match = COLUMNS.fullmatch(rest)
    source = read_source(match["src"], marked) if match else None
    if match is None or source is None or source.several:
        return None
    if (match["ord"] or "").lower() == "last":
        return None if unique else _last(source, separator, headless)
    wanted = [
        number(word)
        for word in re.findall(rf"{ORDINAL}|{NUMBER}", match["ords"] or match["nums"] or "", re.IGNORECASE)
    ]
    wanted = wanted or [number(match["ord"] or match["num"])]
    if wanted != sorted(set(wanted)):
        return None  # cut keeps the order of the file

    def build(facts: Facts) -> Draft | None:
        if not source.fits(facts):
            return None
        stages = cut(source, facts, wanted, separator, headless)
        stages += [{"tool": "sort", "args": {"unique": True}}] if unique else []
        return shown(f"Cut {source.described()}", stages, "It is empty.")

    return Parsed("columns", build, source.names())


def _last(source: Source, separator: str | None, headless: bool) -> Parsed:
    """The last column, however many there are."""

    def build(facts: Facts) -> Draft | None:
        sign = delimiter_of(source) if separator == "" else separator
        if not source.fits(facts) or (sign and sign not in ",;:\t|"):
            return None
        stages = source.text(facts) + ([{"tool": "tail", "argv": ["-n", "+2"]}] if headless else [])
        script = f"s/.*{sign}//" if sign else "s/[[:space:]]*$//;s/.*[[:space:]]//"
        return shown("Cut the last column", [*stages, {"tool": "sed", "argv": [script]}], "It is empty.")

    return Parsed("columns", build, source.names())


def _words(text: str, marked: Marked, separator: str | None, headless: bool) -> Parsed | None:
    match = WORDS.fullmatch(text)
    source = read_source(match["src"], marked) if match else None
    if match is None or source is None or source.several:
        return None
    sign = None if separator == "" and " word " in text else separator
    if match["ord"].lower() == "last":
        return _last(source, sign, headless)

    def build(facts: Facts) -> Draft | None:
        if not source.fits(facts):
            return None
        stages = cut(source, facts, [number(match["ord"])], sign, headless)
        return shown("Cut the words", stages, "It is empty.")

    return Parsed("columns", build, source.names())


def cut(
    source: Source, facts: Facts, wanted: list[int], separator: str | None, headless: bool
) -> list[Stage]:
    """Stages that print columns: as `separator` says, else as the file's name does, else by white space."""
    sign = delimiter_of(source) if separator == "" else separator
    fields = ",".join(map(str, wanted))
    stages = source.text(facts)
    stages += [{"tool": "tail", "argv": ["-n", "+2"]}] if headless else []
    if sign:
        return [*stages, {"tool": "cut", "argv": ["-d", sign, "-f", fields]}]
    return [
        *stages,
        {"tool": "sed", "argv": ["s/^[[:space:]]*//"]},
        {"tool": "tr", "argv": ["-s", " \\t", "\\t"]},
        {"tool": "cut", "argv": ["-f", fields]},
    ]


def _aggregate(text: str, marked: Marked, separator: str | None, headless: bool) -> Parsed | None:
    match = AGGREGATE.fullmatch(text)
    source = read_source(match["src"], marked) if match else None
    if match is None or source is None or source.several or match["ord"] == "last":
        return None
    column = number(match["ord"] or match["num"]) if match["ord"] or match["num"] else None
    if column is None and not re.search(
        r"\b(?:numbers?|values?|entries|sum|total|add|average|mean)\b", text, re.IGNORECASE
    ):
        return None
    fact = FACT[match["what"].lower()]
    answer = AnswerTemplate(reader="numbers", one=f"${{{fact}}}")

    def build(facts: Facts) -> Draft | None:
        if not source.fits(facts) or (column is None and delimiter_of(source)):
            return None
        plain = source.text(facts) + ([{"tool": "tail", "argv": ["-n", "+2"]}] if headless else [])
        stages = cut(source, facts, [column], separator, headless) if column else plain
        return Draft([read_step(f"Read the numbers of {source.described()}", stages)], answer)

    return Parsed("aggregate", build, source.names())
