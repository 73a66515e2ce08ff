"""What may be done to the text of a file, as stages that print it anew: lines left out, added, cut or joined."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from memory.recipes.requests.draft import Facts, Stage
from memory.recipes.requests.line_wording import HOW, NOUN
from memory.recipes.requests.lines_by_content import patterns_of
from memory.recipes.requests.lines_changed import LINES_BACKWARDS, in_capitals
from memory.recipes.requests.lines_in_order import sort_order
from memory.recipes.requests.marked import NUMBER, ORDINAL, QUOTE, TEXT, Marked, number
from memory.recipes.requests.sources import Source, read_source

Match = re.Match[str]
Change = Callable[[Match, Marked, Source], list[Stage] | None]
SIGN_OF = {
    "tab": "\\t", "tabs": "\\t", "space": " ", "spaces": " ", "a space": " ", "a tab": "\\t", "comma": ",", "commas": ",",
    "a comma": ",", "semicolon": ";", "semicolons": ";", "a semicolon": ";", "colon": ":", "colons": ":", "a colon": ":",
    "underscores": "_", "an underscore": "_", "dashes": "-", "hyphens": "-", "a dash": "-", "a hyphen": "-", "dots": ".",
    "periods": ".", "slashes": "/", "newline": "\\n", "newlines": "\\n", "a newline": "\\n", "commas and spaces": ", ",
    "digits": "[:digit:]", "numbers": "[:digit:]", "punctuation": "[:punct:]", "punctuation marks": "[:punct:]",
    "vowels": "aeiouAEIOU", "letters": "[:alpha:]", "whitespace": "[:blank:]", "quotes": "\"'", "double quotes": '"', "single quotes": "'",
    "pipes": "|", "pipe": "|", "a pipe": "|",
}  # fmt: skip
SIGN_WORDS = "|".join(sorted(SIGN_OF, key=len, reverse=True))
SRC = r"(?P<src>.+)"
FROM = r"(?:from|in|of)"
DROP = r"(?:delete|remove|drop|strip(?: out)?|eliminate|get rid of|filter out)"
DROPPED = r"(?:deleted|removed|dropped|stripped|left out|omitted)"
ANY = r"(?:all |any |every |each |the |of )*"
BLANK = r"(?P<blank>empty|blank)(?: or blank)? lines?"
WITH_LINES = rf"(?:(?:that|which) )?(?P<no>(?:do not|does not|don't|doesn't|not) )?{HOW} {NOUN}(?P<x>{TEXT})(?P<join>(?!))?(?P<y>(?!))?"
EDGE = r"(?P<edge>leading and trailing|trailing and leading|leading|trailing) (?P<signs>white ?space|blanks?|spaces?)(?: characters?)?"
IN_LINES = r"(?: (?:from|of|in|on) (?:each|every|all)(?: of the)? lines?)?"


@dataclass(frozen=True)
class Edit:
    """A change of text.

    Attributes:
        source: the file.
        stages: what its text goes through; None if it does not fit.
        only_prints: True if the words ask for the new text, not for a change of the file.
    """

    source: Source
    stages: list[Stage]
    only_prints: bool

    def printed(self, facts: Facts) -> list[Stage] | None:
        """Stages that print the text, changed; None if there is no such file."""
        return [*self.source.text(facts), *self.stages] if self.source.fits(facts) else None

    def moves_header(self, new: str, old: str) -> bool:
        """True if a table was sorted and its first line, which may name the columns, went elsewhere."""
        table = self.source.paths[0].lower().endswith((".csv", ".tsv"))
        sorts = any(stage["tool"] in ("sort", "tac") for stage in self.stages)
        return table and sorts and new.partition("\n")[0] != old.partition("\n")[0]


def _sed(script: str, *, extended: bool = False) -> list[Stage]:
    return [{"tool": "sed", "argv": [*(["-E"] if extended else []), script]}]


def _tr(*argv: str) -> list[Stage]:
    return [{"tool": "tr", "argv": list(argv)}]


def _blank(match: Match, marked: Marked, source: Source) -> list[Stage]:
    empty = "^[[:space:]]*$" if match["blank"].lower() == "blank" else "^$"
    return [{"tool": "grep", "args": {"pattern": empty, "invert": True}, "expect_exit": [0, 1]}]


def _numbered_lines(match: Match, marked: Marked, source: Source) -> list[Stage] | None:
    groups = match.groupdict()
    first = number(groups.get("a") or groups.get("ord") or "1")
    last = number(groups["b"]) if groups.get("b") else first
    return _sed(f"{first}d" if first == last else f"{first},{last}d") if 0 < first <= last else None


def _end_lines(match: Match, marked: Marked, source: Source) -> list[Stage]:
    amount = number(match["n"]) if match["n"] else 1
    if match["end"].lower() in ("last", "bottom", "final"):
        return [{"tool": "head", "argv": ["-n", f"-{amount}"]}]
    return [{"tool": "tail", "argv": ["-n", f"+{amount + 1}"]}]


def _matching(match: Match, marked: Marked, source: Source) -> list[Stage] | None:
    greps = patterns_of(match, marked)
    if greps is None or len(greps) != 1:
        return None
    args = {**greps[0], "invert": not greps[0].get("invert", False)}
    return [{"tool": "grep", "args": args, "expect_exit": [0, 1]}]


def _insert(match: Match, marked: Marked, source: Source) -> list[Stage] | None:
    groups = match.groupdict()
    text = marked.value(match["text"])
    if "\n" in text or "\\n" in text or not text:
        return None  # whether a backslash with an n ends a line is not said
    line = number(groups["n"]) if groups.get("n") else 1
    written = _sed_text(text)
    after = (groups.get("side") or "").lower() == "after"
    return _sed(f"{line}s/$/\\n{written}/" if after else f"{line}s/^/{written}\\n/")


def _sed_text(text: str) -> str:
    """A text as the second half of sed's `s` takes it."""
    return re.sub(r"([\\&/])", r"\\\1", text)


def _edges(match: Match, marked: Marked, source: Source) -> list[Stage]:
    edge = match["edge"].lower()
    # A tab at the start of a line of a makefile is no space.
    blank = " " if match["signs"].lower().startswith("space") else "[[:space:]]"
    parts = ([f"s/^{blank}*//"] if "leading" in edge else []) + (
        [f"s/{blank}*$//"] if "trailing" in edge else []
    )
    return [stage for part in parts for stage in _sed(part)]


def _squeezed(match: Match, marked: Marked, source: Source) -> list[Stage]:
    return _tr("-s", " ")


def _signs_dropped(match: Match, marked: Marked, source: Source) -> list[Stage] | None:
    word = match["x"]
    if word.lower() in SIGN_OF:
        signs = SIGN_OF[word.lower()]
        # tr works on bytes: other letters than those of English would stay.
        return _sed(f"s/[{signs}]//g") if signs.startswith("[:") else _tr("-d", "--", signs)
    pattern = _pattern_of(marked.value(word), match)
    return None if pattern is None else _sed(f"s/{pattern}//g")


def _pattern_of(text: str, match: Match) -> str | None:
    """What sed looks for; "the word cat" is no part of "category". None for what is no word, or no line's."""
    is_word = (match["noun"] or "").lower() == "word "
    if "\n" in text or (is_word and not re.fullmatch(r"\w+", text)):
        return None
    return rf"\b{text}\b" if is_word else _sed_pattern(text)


def _sed_pattern(text: str) -> str:
    return re.sub(r"([.\\*\[\]^$/])", r"\\\1", text)


def _joined(match: Match, marked: Marked, source: Source) -> list[Stage] | None:
    given = match.groupdict().get("sign")
    if not given:
        return None
    sign = SIGN_OF.get(given.lower(), marked.value(given))
    if len(sign.encode()) > 1 and sign != "\\t":
        return None  # paste takes one byte
    return [{"tool": "paste", "argv": ["-s", "-d", sign.replace("\\", "\\\\") if sign == "\\" else sign]}]


def _affixed(match: Match, marked: Marked, source: Source) -> list[Stage] | None:
    text = marked.value(match["text"])
    if "\n" in text:
        return None
    place = "^" if re.match(r"start|begin|front|prefix", match["place"], re.IGNORECASE) else "$"
    return _sed(f"s/{place}/{_sed_text(text)}/")


def _stage(tool: str, *argv: str) -> Change:
    return lambda match, marked, source: [{"tool": tool, "argv": list(argv)}]


def _cased(match: Match, marked: Marked, source: Source) -> list[Stage]:
    return [in_capitals(match["case"].lower().startswith(("upper", "capital")))]


def _ordered(match: Match, marked: Marked, source: Source) -> list[Stage] | None:
    found = sort_order(match["mods"] or "", source)
    return None if found is None else [{"tool": "sort", "args": found}]


def _replaced(match: Match, marked: Marked, source: Source) -> list[Stage] | None:
    old, new = (SIGN_OF.get(match[name].lower()) or marked.value(match[name]) for name in ("x", "y"))
    if old.startswith("[:") or new.startswith("[:") or "\n" in old + new or not old:
        return None
    is_word = (match["noun"] or "").lower() == "word "
    if not is_word and _is_sign(old) and _is_sign(new):
        return _tr("--", old, new)
    if new == "\\n" or old == "\\n":
        return None
    right = re.sub(r"([\\&/])", r"\\\1", new) if new != "\\t" else new
    left = _pattern_of(old, match) if old != "\\t" else old
    if left is None:
        return None
    once = match.groupdict().get("once")
    return _sed(f"s/{left}/{right}/{'' if once else 'g'}")


def _is_sign(text: str) -> bool:
    """True for what tr takes: one byte, or an escape it knows."""
    return len(text.encode()) == 1 or text in ("\\t", "\\n")


def _reversed(match: Match, marked: Marked, source: Source) -> list[Stage]:
    return [*LINES_BACKWARDS]


MODS = r"(?P<mods>(?:,? (?:in(?! place)|by|on|numeric|alphabet|and (?=remov|keep|elimin|drop|delet)|while|remov|without|as|unique|case|ignoring|using|from|revers|descend|ascend|according|largest)\S*\b.*)?)"
SEP = rf"(?:with|by|using|separated by|delimited by|into one line with|into a single line with) (?:an? |the )?(?:single )?(?P<sign>{SIGN_WORDS}|{QUOTE})(?: (?:as (?:the |a )?(?:separator|delimiter)|characters?|between (?:them|each)))?"
ONE_LINE = r"(?: (?:(?:in)?to|on|as|in) (?:one|a single) line)?"
# What changes a file unless the result is to be shown or kept elsewhere.
MUTATING: list[tuple[str, Change]] = [
    (rf"{DROP} {ANY}{BLANK} {FROM} {SRC}", _blank),
    (rf"{DROP} (?:the )?lines?(?: numbers?)? (?P<a>\d+)(?: ?(?:to|-|through|until) ?(?:line )?(?P<b>\d+))? {FROM} {SRC}", _numbered_lines),
    (rf"{DROP} (?:the )?(?P<ord>(?!first){ORDINAL}) line {FROM} {SRC}", _numbered_lines),
    (rf"{DROP} (?:the )?(?P<end>first|last|top|bottom|final|header)(?: (?P<n>{NUMBER}))?(?: (?:lines?|rows?))? {FROM} {SRC}", _end_lines),
    (rf"{DROP} {ANY}lines? {WITH_LINES} {FROM} {SRC}", _matching),
    (rf"{DROP} {ANY}lines? {FROM} (?P<src>.+?) {WITH_LINES}", _matching),
    (rf"(?:insert|add|put) (?:the |a )?(?:new )?(?:line |text |string )?(?P<text>{QUOTE}) (?P<side>after|before|at|as) (?:the )?line(?: number)? (?P<n>\d+) (?:of|in) {SRC}", _insert),
    (rf"(?:insert|add|put) (?:the |a )?(?:new )?(?:line |text |string )?(?P<text>{QUOTE}) (?P<side>after|before|as) (?:the )?(?P<n>{ORDINAL}) line (?:of|in) {SRC}", _insert),
    (rf"(?:prepend|insert|add|put|write) (?:the |a )?(?:new )?(?:line |text |string |word )?(?P<text>{QUOTE}) (?:at|to|in)(?: the)? (?:top|beginning|start|head|front) of {SRC}", _insert),
    (rf"prepend (?:the |a )?(?:new )?(?:line |text |string |word )?(?P<text>{QUOTE}) to {SRC}", _insert),
    (rf"(?:{DROP}|trim|strip) {ANY}{EDGE}{IN_LINES} {FROM} {SRC}", _edges),
    (rf"(?:squeeze|collapse|compress|reduce|replace) {ANY}(?:multiple|repeated|consecutive|sequences of|runs of)(?: consecutive)? spaces? (?:(?:in)?to|with|by) (?:one|a single|a)(?: space)? (?:in|of|from) {SRC}", _squeezed),
    (rf"{DROP} {ANY}(?P<x>{SIGN_WORDS})(?: characters?)? {FROM} {SRC}", _signs_dropped),
    (rf"{DROP} {ANY}(?:occurrences? of |instances? of )(?:the )?(?P<noun>word |text |string |character )?(?P<x>{QUOTE}) {FROM} {SRC}", _signs_dropped),
    (r"(?:clear|empty|truncate|blank)(?: out)?(?: (?:all )?the contents? of)? (?P<src>.+?)(?: to (?:zero|0)(?: bytes?| length)?)?", lambda match, marked, source: [{"tool": "head", "argv": ["-c", "0"]}]),
    (rf"{DROP} (?:all |everything in )?(?:the )?contents? (?:of|from) (?:the file )(?P<src>‹[QP]\d+›)", lambda match, marked, source: [{"tool": "head", "argv": ["-c", "0"]}]),
    (rf"(?:add|append|insert|put) (?:the |a )?(?:text |string |word |character )?(?P<text>{QUOTE}) (?:to|at|in) the (?P<place>start|beginning|front|end) of (?:each|every) line (?:of|in) {SRC}", _affixed),
    (rf"(?:replace|substitute|change) (?:all |every |each |the )*(?:occurrences? of |instances? of )?(?:the )?(?P<noun>word |text |string )?(?P<x>{QUOTE}|{SIGN_WORDS}) (?:by|with|to|into) (?:the )?(?:word |text |string )?(?P<y>{QUOTE}|{SIGN_WORDS}) (?:in|of) {SRC}", _replaced),
    (rf"(?:replace|substitute|change) (?:only )?the first (?P<once>occurrence) of (?:the )?(?P<noun>word |text |string )?(?P<x>{QUOTE}) (?:by|with|to|into) (?P<y>{QUOTE}) (?:on|in|of) (?:each|every) line (?:of|in) {SRC}", _replaced),
]  # fmt: skip
# What is read as a wish for the new text.
SHOWING: list[tuple[str, Change]] = [
    (rf"(?:join|merge|concatenate|combine|put|print|show|display|output) {ANY}lines (?:of|in|from) (?P<src>.+?){ONE_LINE},? {SEP}", _joined),
    (rf"(?:join|print|show|display|output) (?P<src>‹[QP]\d+›) (?:on|as|in|into) (?:one|a single) line,? {SEP}", _joined),
    (rf"(?:print|show|display|output) {ANY}(?:lines|contents?) of (?P<src>.+?) (?:on|as|in) (?:one|a single) line,? {SEP}", _joined),
    (r"reverse (?:the )?(?:order of )?(?:the )?(?:characters|letters|text) (?:of|in|on) (?:each|every) line (?:of|in|from) (?P<src>.+)", _stage("rev")),
    (r"reverse (?:each|every) line (?:of|in|from) (?P<src>.+)", _stage("rev")),
    (r"reverse the (?:order of (?:the )?)?lines (?:of|in) (?P<src>.+)", _reversed),
    (r"(?:convert|change|translate|transform) (?:all |the )*(?:(?:contents?|text|letters|characters|lines) (?:of|in) )?(?P<src>.+?) (?:in)?to (?:all )?(?P<case>upper|lower|capital)[- ]?(?:case)?(?: letters)?", _cased),
    (rf"sort (?:the )?(?:(?:lines|contents?|entries|rows|words|numbers|values|names|text) (?:of|in|from) )?(?:the file )?(?P<src>‹[QP]\d+›){MODS}", _ordered),
]  # fmt: skip
# "Print FILE with ..."
SO = r"(?:the )?(?:contents? of |lines of |text of )?(?P<src>.+?),? "
PARTICIPLES: list[tuple[str, Change]] = [
    (rf"{SO}with (?:each|every) line reversed", _stage("rev")),
    (rf"{SO}with (?:the )?(?:characters|letters) (?:of|in) (?:each|every) line (?:reversed|in reverse(?: order)?)", _stage("rev")),
    (r"(?:each|every) line (?:of|in|from) (?P<src>.+?),? (?:reversed|backwards|in reverse)", _stage("rev")),
    (rf"{SO}with {ANY}{BLANK} {DROPPED}", _blank),
    (rf"{SO}without {ANY}{BLANK}", _blank),
    (rf"{SO}with {ANY}(?P<x>{SIGN_WORDS}) {DROPPED}", _signs_dropped),
    (rf"{SO}without {ANY}(?P<x>{SIGN_WORDS})", _signs_dropped),
    (rf"{SO}with {ANY}{EDGE}{IN_LINES} {DROPPED}", _edges),
    (rf"{SO}without {ANY}{EDGE}", _edges),
    (rf"{SO}(?:without|except(?: for)?|excluding) (?:the |its )?lines? {WITH_LINES}", _matching),
    (rf"{SO}(?:without|except(?: for)?|excluding|skipping|but not) (?:the |its )?(?P<end>last|final)(?: (?P<n>{NUMBER}))? lines?", _end_lines),
    (rf"{SO}(?:as|on|in) (?:one|a single) line,? {SEP}", _joined),
    (rf"{SO}with (?P<text>{QUOTE}) (?:added |prepended |appended )?(?:to|at) the (?P<place>start|beginning|front|end) of (?:each|every) line", _affixed),
]  # fmt: skip
SHOW_VERB = r"(?:print|show|display|output|cat|list)"


def _compiled(table: list[tuple[str, Change]], lead: str = "") -> list[tuple[re.Pattern[str], Change]]:
    return [(re.compile(f"{lead}{raw}", re.IGNORECASE), change) for raw, change in table]


TABLES = (
    (_compiled(PARTICIPLES, f"{SHOW_VERB} "), True),
    (_compiled(SHOWING), True),
    (_compiled(MUTATING), False),
)


def read_edit(text: str, marked: Marked) -> Edit | None:
    """A change of the text of one named file, each word of it understood, or None."""
    for table, only_prints in TABLES:
        for pattern, change in table:
            match = pattern.fullmatch(text)
            source = read_source(match["src"], marked) if match and match["src"] else None
            if match is None or source is None or len(source.paths) != 1:
                continue
            stages = change(match, marked, source)
            if stages is not None:
                return Edit(source, stages, only_prints)
    return None
