"""Requests for lines of text: some of them by place or content, sorted, counted or changed on the way out."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from memory.recipes.recipe import AnswerTemplate
from memory.recipes.requests.draft import Draft, Facts, Parsed, Stage, counted, read_step, shown
from memory.recipes.requests.lazy_pattern import LazyPattern
from memory.recipes.requests.marked import KINDS_OF_SIGN, NUMBER, ORDINAL, TEXT, Marked, number
from memory.recipes.requests.sources import Source, read_source
from memory.recipes.requests.wording import COUNT, FIND, HOW_MANY, SHOW

Match = re.Match[str]
Builder = Callable[[Match, Marked, Source, Facts], Draft | None]
OF = r"(?:of|in|from|for|within|inside|contained in|present in|found in)"
SRC = r"(?P<src>.+)"
LINES = r"(?:(?:all |only |every |each |any |just )*(?:of )?(?:the )?(?:lines?|rows|entries))"
NOUN = r"(?:the |a |an )?(?:(?P<noun>words?|texts?|strings?|phrase|pattern|regex|regular expression|substring|keyword|term|letter|character) )?"
HOW = (
    r"(?P<how>contain(?:s|ing)?|match(?:es|ing)?|includ(?:e|es|ing)|hav(?:e|ing)|has|with|mention(?:s|ing)?|"
    r"(?:start(?:s|ing)?|begin(?:s|ning)?) (?:with|in)|end(?:s|ing)? (?:with|in))"
)
PREDICATE = (
    rf"(?:(?:that|which) )?(?P<no>(?:do not|does not|don't|doesn't|not|without|never) )?{HOW} (?:either |both )?{NOUN}(?P<x>{TEXT})"
    rf"(?: (?P<join>and|or)(?: also)?(?: contain(?:s|ing)?)? (?:the (?:word|string|text) )?(?P<y>{TEXT}))?"
)
NUMBERED = re.compile(
    r",? ?(?:(?:and|with|including|together with|along with|showing|prefixed (?:with|by)|preceded by)(?: show| print| display)? )(?:their |its |the )?line[- ]?numbers?(?: of each(?: match| line)?)?(?= |$)",
    re.IGNORECASE,
)
ANY_CASE = re.compile(
    r",? ?\(?(?:case[- ]insensitiv(?:e|ely)|ignoring (?:the )?case|regardless of (?:the )?case|ignore case)\)?(?= |$)",
    re.IGNORECASE,
)
UNITS = {
    "line": "lines",
    "word": "words",
    "character": "chars",
    "char": "chars",
    "letter": "chars",
    "byte": "bytes",
}
UNIT = r"(?:lines?|words?|characters?|chars?|bytes?)"


def ere(text: str) -> str:
    """A text as an extended regular expression that matches itself only."""
    return re.sub(r"([.\\*+?\[\](){}^$|])", r"\\\1", text)


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


def _whole(
    match: Match, marked: Marked, source: Source, facts: Facts, line_number: bool = False
) -> Draft | None:
    tool: dict[str, Any] = {"number": True} if line_number else {}
    return shown(f"Print {source.described()}", source.through(facts, "cat", **tool), "It is empty.")


def _ends(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    if (
        source.several
        and not source.each
        and source.selection is not None
        and not re.search(r"\bfiles\b", match["src"])
    ):
        return None
    first = match["end"].lower() in ("first", "top", "initial", "starting", "leading", "beginning", "opening")
    amount = match["n"]
    unit = match["unit"].lower()
    if not amount and unit.endswith("s"):
        amount = "10" if unit == "lines" else None
    if not amount and unit in ("byte", "character", "char", "line"):
        amount = "1"
    if amount is None:
        return None
    option = "-n" if unit.startswith("line") else "-c"
    if option == "-c" and unit.startswith("char") and source.several:
        return None
    tool = "head" if first else "tail"
    argv = ["-q", option, str(number(amount))]
    if option == "-n" and source.several:
        tool, argv = _ends_apart(first, number(amount))
    run: Stage = {"tool": tool, "argv": argv} | ({"expect_exit": [0, 1]} if tool == "grep" else {})
    if source.selection is None:
        stages = [run | {"argv": [*argv, "--", *source.at(facts)]}]
    else:
        stages = [*source.listed(facts), run | {"from_input": True, "null_separated": True}]
    return shown(f"Print the {match['end']} {unit} of {source.described()}", stages, "It is empty.")


def _ends_apart(first: bool, amount: int) -> tuple[str, list[str]]:
    """The tool and options for lines of several files; head and tail join a last line without a line break."""
    if first:
        return "grep", ["-h", "-a", "-m", str(amount), "-e", ""]
    return ("sed", ["-s", "-n", "-e", "$p"]) if amount == 1 else ("tail", ["-v", "-n", str(amount)])


def _span(
    match: Match, marked: Marked, source: Source, facts: Facts, line_number: bool = False
) -> Draft | None:
    groups = match.groupdict()
    first = number(groups.get("a") or groups.get("ord") or "")
    last = number(groups["b"]) if groups.get("b") else first
    if source.several or not 0 < first <= last:
        return None
    span = f"{first},{last}p" if last > first else f"{first}p"
    stages: list[Stage] = [{"tool": "sed", "argv": ["-n", span, "--", *source.at(facts)]}]
    return (
        None
        if line_number
        else shown(f"Print the lines {first} to {last}", stages, f"{source.described()} has no such line.")
    )


def _without_ends(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    if source.several:
        return None
    amount = number(match["n"]) if match["n"] else 1
    if match["end"].lower() in ("first", "header", "top"):
        stages: list[Stage] = [{"tool": "tail", "argv": ["-n", f"+{amount + 1}", "--", *source.at(facts)]}]
    else:
        stages = [{"tool": "head", "argv": ["-n", f"-{amount}", "--", *source.at(facts)]}]
    return shown("Leave lines out", stages, "Nothing is left.")


def patterns_of(match: Match, marked: Marked) -> list[dict[str, Any]] | None:
    """Arguments of one grep, or of two that must both match."""
    how = (match["how"] or "").lower()
    noun = (match["noun"] or "").lower()
    texts = [marked.value(match["x"])] + ([marked.value(match["y"])] if match["y"] else [])
    join = (match["join"] or "").lower()
    if any("\n" in text for text in texts) or (match["no"] and join):
        return None
    unquoted = [match[name].lower() for name in ("x", "y") if match[name] and not match[name].startswith("‹")]
    if any(word in KINDS_OF_SIGN for word in unquoted):
        return None
    word = noun in ("word", "words") and all(re.fullmatch(r"\w+", text) for text in texts)
    raw = "pattern" in noun or "reg" in noun
    unsaid = ("pattern" in noun or how.startswith("match")) and "reg" not in noun
    if unsaid and not all(re.fullmatch(r"[\w ,:;=/@#%&-]+", text) for text in texts):
        return None  # whether it is a regular expression is not said
    wrap = {"start": "^{}", "begin": "^{}", "end": "{}$"}
    form = next((shape for key, shape in wrap.items() if how.startswith(key)), "{}")
    written = [form.format(text if raw else ere(text)) for text in texts]
    base: dict[str, Any] = (
        {"extended": True} | ({"word": True} if word else {}) | ({"invert": True} if match["no"] else {})
    )
    if join == "or":
        return [{**base, "pattern": "|".join(f"({text})" for text in written)}]
    return [{**base, "pattern": text} for text in written]


def _grep(match: Match, marked: Marked, source: Source, facts: Facts, **options: bool) -> Draft | None:
    greps = patterns_of(match, marked)
    if greps is None or (len(greps) > 1 and source.several):
        return None
    prefix = {"with_filename": True} if source.several else {}
    first = source.through(facts, "grep", **{**greps[0], **options, **prefix, "skip_binary": True})
    stages = [
        *first,
        *({"tool": "grep", "args": {**grep, **_without_numbers(options)}} for grep in greps[1:]),
    ]
    stages = [stage | ({"expect_exit": [0, 1]} if stage["tool"] == "grep" else {}) for stage in stages]
    none = f"No line of {source.described()} does."
    return shown(f"Search {source.described()}", stages, none, expect_exit=[0, 1])


def _line_numbers(
    match: Match, marked: Marked, source: Source, facts: Facts, **options: bool
) -> Draft | None:
    greps = patterns_of(match, marked)
    if greps is None or len(greps) > 1 or source.several:
        return None
    args = {**greps[0], **options, "line_number": True}
    stages = source.through(facts, "grep", **args)
    stages[-1]["expect_exit"] = [0, 1]
    return shown("Number the lines", [*stages, {"tool": "cut", "argv": ["-d:", "-f1"]}], "No line does.")


def _without_numbers(options: dict[str, bool]) -> dict[str, bool]:
    return {name: value for name, value in options.items() if name != "line_number"}


def _grep_count(match: Match, marked: Marked, source: Source, facts: Facts, **options: bool) -> Draft | None:
    greps = patterns_of(match, marked)
    if greps is None:
        return None
    per_file = source.each or _for_each(match)
    if per_file:
        if len(greps) > 1:
            return None
        stages = source.through(
            facts, "grep", **{**greps[0], **options, "count": True, "with_filename": True}
        )
        stages[-1]["expect_exit"] = [0, 1]
        return shown("Count the lines", stages, "There are no such files.", expect_exit=[0, 1])
    stages = source.text(facts)
    for grep in greps[:-1]:
        stages.append({"tool": "grep", "args": {**grep, **options}, "expect_exit": [0, 1]})
    stages.append({"tool": "grep", "args": {**greps[-1], **options, "count": True}, "expect_exit": [0, 1]})
    return counted("Count the lines", stages, f"lines of {source.described()}", expect_exit=[0, 1])


def _for_each(match: Match) -> bool:
    return bool(re.match(r"(?:each|every)\b", match["src"])) or bool(match.groupdict().get("each"))


def _occurrences(match: Match, marked: Marked, source: Source, facts: Facts, **options: bool) -> Draft | None:
    if source.each:
        return None
    text = marked.value(match["x"])
    word = (match["noun"] or "").lower() == "word" and re.fullmatch(r"\w+", text) is not None
    args: dict[str, Any] = {"pattern": text, "fixed": True, "only_matching": True, **options}
    args |= {"word": True} if word else {}
    search: Stage = {"tool": "grep", "args": args, "expect_exit": [0, 1]}
    stages = [*source.text(facts), search, {"tool": "wc", "args": {"lines": True}}]
    return counted(f"Count {text!r}", stages, f"in {source.described()}")


def _counts(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    words = [re.sub(r"s$", "", word.lower()) for word in re.findall(UNIT, match["units"], re.IGNORECASE)]
    flags = {UNITS[word]: True for word in words}
    if source.each or _for_each(match) or len(source.paths) > 1:
        answer = AnswerTemplate(
            reader="counted",
            none="There are no such files.",
            one="${count} ${path}",
            many="${listing}",
            row="${count} ${path}",
        )
        if len(flags) > 1:
            return None
        return Draft([read_step("Count in each file", source.through(facts, "wc", **flags))], answer)
    what = f"{', '.join(words)} count of {source.described()}"
    if source.selection is None and len(flags) > 1:
        stages = source.through(facts, "wc", **flags)
        return shown(f"Count in {source.described()}", stages)
    if "words" in flags and len(flags) > 1:
        return None  # between two files a word may end where no byte stands
    read = source.text(facts) if "words" in flags else source.content(facts)
    return counted(f"Count in {source.described()}", [*read, {"tool": "wc", "args": flags}], what)


def _sorted(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    if source.several:
        return None
    args = sort_order(match["mods"] or "", source)
    if args is None:
        return None
    groups = match.groupdict()
    if (groups.get("unique") or "").strip() or re.search(
        r"unique|distinct", groups.get("lead") or "", re.IGNORECASE
    ):
        args["unique"] = True
    return shown(f"Sort {source.described()}", source.through(facts, "sort", **args), "It is empty.")


ORDERS = [
    (r"(?:in )?(?:numeric(?:al)?(?:ly)?(?: order)?|by (?:numeric(?:al)? )?(?:value|number)|as numbers)", {"numeric": True}),
    (r"(?:in )?(?:reverse(?:d)?|descending|decreasing)(?: alphabetical)?(?: (?P<num>numeric(?:al)?))?(?: order)?|from (?:largest|highest|biggest) to (?:smallest|lowest)|largest first", {"reverse": True}),
    (r"(?:in )?(?:ascending|increasing|alphabetic(?:al)?|lexicographic(?:al)?|dictionary)(?:ly| order)?(?: (?P<num>numeric(?:al)?))?(?: order)?|alphabetically", {}),
    (r"(?:and |while )?(?:remov(?:e|ing)|eliminat(?:e|ing)|drop(?:ping)?|without|delet(?:e|ing)|no)(?: the| any| all)? (?:duplicates?|duplicated? lines|repeated lines)(?: lines)?|uniquely|(?:and )?(?:keep|show|print)(?:ing)? (?:only )?(?:the )?unique (?:lines|ones|values)", {"unique": True}),
    (r"(?:case[- ]insensitively|ignoring case)", {"ignore_case": True}),
]  # fmt: skip
BY_COLUMN = re.compile(
    rf"(?:by|on|using|according to) (?:the )?(?:(?P<ord>{ORDINAL}) (?:column|field)|(?:column|field)(?: number)? (?P<col>{NUMBER}))(?: (?P<num>numerically|as (?:a )?numbers?))?",
    re.IGNORECASE,
)


def sort_order(mods: str, source: Source) -> dict[str, Any] | None:
    """Arguments of sort for what a request says of the order, or None."""
    rest = f" {mods.strip()} "
    args: dict[str, Any] = {}
    by_column = BY_COLUMN.search(rest)
    if by_column:
        column = number(by_column["ord"] or by_column["col"])
        separator = delimiter_of(source)
        args["key"] = f"{column},{column}{'n' if by_column['num'] else ''}"
        args |= {"field_separator": separator} if separator else {}
        rest = rest.replace(by_column[0], " ")
    for pattern, found in ORDERS:
        match = re.search(rf"(?<= )(?:{pattern})(?=[ ,])", rest, re.IGNORECASE)
        if match:
            args |= found
            args |= {"numeric": True} if "num" in match.re.groupindex and match["num"] else {}
            rest = rest.replace(match[0], " ", 1)
    if by_column and args.get("reverse"):
        args["key"] += "r"
        del args["reverse"]
    if by_column and args.pop("numeric", False) and "n" not in args["key"]:
        args["key"] += "n"
    if by_column and args.get("unique"):
        return None  # sort would compare keys only
    return args if not re.sub(r"\b(?:and|then)\b|[ ,]", "", rest) else None


def delimiter_of(source: Source) -> str | None:
    """What separates the columns of a file by its name; None for white space."""
    if source.selection is not None:
        names = [glob for globs, denied, _ in source.selection.name_tests if not denied for glob in globs]
    else:
        names = list(source.paths)
    endings = {name.rsplit(".", 1)[-1].lower() for name in names}
    return "," if endings == {"csv"} else "\t" if endings == {"tsv"} else None


def _unique(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    kind = match["kind"].lower()
    stages = source.text(facts)
    if match["unit"].lower().startswith("word"):
        stages = [*stages, {"tool": "tr", "argv": ["-s", "[:space:]", "\\n"]}, _filled()]
    ordered: Stage = {"tool": "sort", "args": {}}
    if kind in ("duplicate", "duplicated", "repeated", "duplicates"):
        stages = [*stages, ordered, {"tool": "uniq", "argv": ["-d"]}]
        none = "No line occurs twice."
    else:
        stages = [*stages, {"tool": "sort", "args": {"unique": True}}]
        none = "It is empty."
    if re.match(rf"{COUNT}|{HOW_MANY}", match[0], re.IGNORECASE):
        return counted(
            "Count the lines",
            [*stages, {"tool": "wc", "args": {"lines": True}}],
            f"{kind} in {source.described()}",
        )
    return shown(f"Lines of {source.described()}", stages, none)


def _filled() -> Stage:
    return {"tool": "grep", "argv": ["."], "expect_exit": [0, 1]}


def _frequency(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    stages = source.text(facts)
    unit = match["unit"].lower()
    if unit.startswith("word"):
        stages = [*stages, {"tool": "tr", "argv": ["-cs", "[:alnum:]_'-", "\\n"]}, _filled()]
    elif not unit.startswith(("line", "entr", "value", "name")):
        return None
    groups = match.groupdict()
    tally: list[Stage] = [{"tool": "sort", "args": {}}, {"tool": "uniq", "args": {"count": True}}]
    rare = (groups.get("rank") or "").lower().startswith("least")
    if groups.get("rank"):
        tally.append({"tool": "sort", "args": {"key": "1,1n" if rare else "1,1nr"}})
        if not unit.endswith("s") or groups.get("n"):
            tally.append({"tool": "head", "args": {"lines": number(groups["n"]) if groups.get("n") else 1}})
    return shown(f"Tally {source.described()}", [*stages, *tally, _unindented()], "It is empty.")


def _unindented() -> Stage:
    return {"tool": "sed", "argv": ["s/^ *//"]}


def _extreme(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    reader: Any = "shortest_line" if match["which"].lower().startswith("short") else "longest_line"
    length_only = match.groupdict().get("length") or match.groupdict().get("len2")
    one = "${length} characters" if length_only else "${text}\n(${length} characters)"
    answer = AnswerTemplate(reader=reader, none="It is empty.", one=one)
    return Draft([read_step(f"Read {source.described()}", source.text(facts))], answer)


def _case(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    upper = match["case"].lower().startswith(("upper", "capital"))
    # tr works on bytes: other letters than these would stay as they are.
    sets = ["[:lower:]", "[:upper:]"] if upper else ["[:upper:]", "[:lower:]"]
    return shown("Change the case", [*source.text(facts), {"tool": "tr", "argv": sets}], "It is empty.")


def _tool(tool: str, argv: list[str] | None = None) -> Callable[..., Draft | None]:
    def build(match: Match, marked: Marked, source: Source, facts: Facts, **options: bool) -> Draft | None:
        stages = [*source.text(facts), {"tool": tool, "argv": argv or []}]
        return shown(f"{tool} of {source.described()}", stages, "It is empty.")

    return build


def _blank(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    count = bool(re.match(rf"{COUNT}|{HOW_MANY}", match[0], re.IGNORECASE))
    invert = {"invert": True} if "no" in match.re.groupindex and match["no"] else {}
    args = {"pattern": "^[[:space:]]*$" if match["word"].lower() == "blank" else "^$", **invert}
    stage: Stage = {"tool": "grep", "args": args | ({"count": True} if count else {}), "expect_exit": [0, 1]}
    stages = [*source.text(facts), stage]
    if count:
        return counted("Count the lines", stages, f"lines of {source.described()}", expect_exit=[0, 1])
    return shown("Leave lines out", stages, "There are none.", expect_exit=[0, 1])


def _replaced(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    words = {"tabs": "\t", "tab": "\t", "spaces": " ", "space": " ", "a space": " ", "commas": ",", "comma": ",",
             "semicolons": ";", "semicolon": ";", "newlines": "\n", "newline": "\n", "colons": ":", "underscores": "_",
             "dashes": "-", "hyphens": "-", "dots": ".", "slashes": "/", "a comma": ",", "a tab": "\t", "a newline": "\n",
             "an underscore": "_", "a dash": "-", "a hyphen": "-"}  # fmt: skip
    old, new = (words.get(match[name].lower(), marked.value(match[name])) for name in ("x", "y"))
    if len(old) == 1 and len(new) == 1:
        escaped = {"\t": "\\t", "\n": "\\n", "\\": "\\\\", "-": "-", "[": "\\["}
        argv = [escaped.get(old, old), escaped.get(new, new)]
        return shown("Replace", [*source.text(facts), {"tool": "tr", "argv": ["--", *argv]}], "It is empty.")
    if "\n" in old + new:
        return None
    left = re.sub(r"([.\\*\[\]^$/])", r"\\\1", old).replace("\t", "\\t")
    right = re.sub(r"([\\&/])", r"\\\1", new).replace("\t", "\\t")
    return shown(
        "Replace", [*source.text(facts), {"tool": "sed", "argv": [f"s/{left}/{right}/g"]}], "It is empty."
    )


def _parity(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    if source.several:
        return None
    span = "1~2p" if match["parity"].lower() == "odd" else "2~2p"
    stages: list[Stage] = [{"tool": "sed", "argv": ["-n", span, "--", *source.at(facts)]}]
    return shown(f"Print the {match['parity']} lines", stages, "There are none.")


def _length(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    amount = number(match["n"])
    longer = match["how"].lower() in ("longer", "more")
    if amount > 1000 or source.several or (not longer and amount < 1):
        return None
    pattern = f".{{{amount + 1},}}" if longer else f"^.{{0,{amount - 1}}}$"
    count = re.fullmatch(COUNTING, match["verb"], re.IGNORECASE) is not None
    args = {"pattern": pattern, "extended": True} | ({"count": True} if count else {})
    stages = [*source.text(facts), {"tool": "grep", "args": args, "expect_exit": [0, 1]}]
    if count:
        return counted("Count the lines", stages, f"lines of {source.described()}", expect_exit=[0, 1])
    return shown("Search the lines", stages, "There are none.", expect_exit=[0, 1])


def _characters(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    groups = match.groupdict()
    if groups.get("n") is not None or groups.get("first"):
        span = f"1-{number(groups['n'] or '1')}"
    else:
        span = f"{groups['a']}-{groups['b']}"
    stages = [*source.text(facts), {"tool": "cut", "argv": [f"-c{span}"]}]
    return shown("Cut the lines", stages, "It is empty.")


def _count_character(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    signs = {
        "comma": ",",
        "tab": "\\t",
        "space": " ",
        "semicolon": ";",
        "colon": ":",
        "dot": ".",
        "newline": "\\n",
    }
    sign = signs[match["sign"].lower().rstrip("s")]
    stages = [
        *source.text(facts),
        {"tool": "tr", "argv": ["-cd", sign]},
        {"tool": "wc", "args": {"bytes": True}},
    ]
    return counted("Count the signs", stages, f"{match['sign']} in {source.described()}")


SIGNS = r"(?:tabs?|spaces?|a space|a tab|a comma|a newline|an underscore|a dash|a hyphen|commas?|semicolons?|newlines?|colons|underscores|dashes|hyphens|dots|slashes)"
MODS = r"(?P<mods>(?:,? (?:in|by|on|numeric|alphabet|and|while|remov|without|as|unique|case|ignoring|using|from|revers|descend|ascend|according|largest|then)\S*\b.*)?)"
COUNTING = rf"(?:{COUNT}|{HOW_MANY})"
_T = list[tuple[str, str, Callable[..., Draft | None], str]]
RAW: _T = [
    ("count-lines-with", rf"{COUNTING} {LINES} {PREDICATE} {OF} (?P<src>.+?)(?P<each> (?:for|in|per|of) each(?: file)?)?", _grep_count, "i"),
    ("count-lines-with", rf"(?:{COUNTING}|{SHOW} the number of) {LINES} {PREDICATE} for (?P<src>(?:each|every) .+)", _grep_count, "i"),
    ("count-lines-with", rf"{COUNTING} {LINES} {OF} (?P<src>.+?) {PREDICATE}", _grep_count, "i"),
    ("lines-with", rf"(?:{SHOW}|{FIND}|grep) {LINES} {PREDICATE} {OF} {SRC}", _grep, "ni"),
    ("lines-with", rf"(?:{SHOW}|{FIND}|grep) {LINES} {OF} (?P<src>.+?) {PREDICATE}", _grep, "ni"),
    ("line-numbers", rf"(?:{SHOW}|{FIND}) (?:the |all )*line numbers? of (?:the |all )*{LINES} {PREDICATE} {OF} {SRC}", _line_numbers, "i"),
    ("search", rf"(?:search(?: recursively)? for|look for|grep|grep for|find)(?P<how>(?!))?(?P<no>(?!))? (?:(?:all |any |every |the )*(?:occurrences?|instances?|matches|mentions?) of )?(?:the )?(?:(?P<noun>word|text|string|phrase) )?(?P<x>‹Q\d+›|(?<=word )\S+|(?<=string )\S+|(?<=text )\S+)(?P<join>(?!))?(?P<y>(?!))? (?:in|inside|within) {SRC}", _grep, "ni"),
    ("search", rf"(?:search|grep) (?P<src>.+?) for(?P<how>(?!))?(?P<no>(?!))? (?:the )?(?:(?P<noun>word|text|string|phrase) )?(?P<x>{TEXT})(?P<join>(?!))?(?P<y>(?!))?", _grep, "ni"),
    ("occurrences", rf"(?:{COUNTING}|what is the number of) ?(?:the )?(?:number of )?(?:times|occurrences?|appearances?|instances?|matches)(?: of| that|)? (?:the )?(?:(?P<noun>word|text|string|phrase|substring|pattern|character|letter) )?(?P<x>{TEXT})(?: (?:occurs?|appears?|is (?:used|found|mentioned)|shows up))? {OF} {SRC}", _occurrences, "i"),
    ("occurrences", rf"(?:count |show |tell me |print )?(?:how many times|how often) (?:does |do |is )?(?:the )?(?:(?P<noun>word|text|string|phrase|substring|character|letter) )?(?P<x>{TEXT}) (?:occurs?|appears?|used|is (?:used|found|mentioned)|found|mentioned|shows? up) {OF} {SRC}", _occurrences, "i"),
    ("count-sign", rf"{COUNTING} (?:the )?(?P<sign>commas?|tabs?|spaces?|semicolons?|colons?|dots?)(?: are)? {OF} {SRC}", _count_character, ""),
    ("counts", rf"(?:{COUNTING}|count(?: the)?|{SHOW} the) (?P<units>{UNIT}(?:(?:,? and |, ){UNIT})*)(?: (?:are there|are|there are|count|counts))? {OF} {SRC}", _counts, ""),
    ("counts", rf"(?:{SHOW}|what is|calculate|compute|count)? ?(?:the )?(?P<units>{UNIT})[- ]?counts?(?: (?:of|for|in)) {SRC}", _counts, ""),
    ("ends", rf"{SHOW} (?:only )?(?:the )?(?P<end>first|last|top|bottom|initial|final|leading)(?: (?P<n>{NUMBER}))? (?P<unit>lines?|bytes?|characters?|chars?) {OF} {SRC}", _ends, ""),
    ("span", rf"{SHOW} (?:only )?(?:the )?lines?(?: numbers?)? (?P<a>\d+) ?(?:to|-|–|through|until|and|up to)(?: line)? ?(?P<b>\d+)(?: \(?inclusive\)?)? {OF} {SRC}", _span, ""),
    ("span", rf"{SHOW} (?:only )?(?:the )?lines? (?:between|from)(?: lines?)? (?P<a>\d+) (?:to|and|through) (?P<b>\d+) {OF} {SRC}", _span, ""),
    ("span", rf"(?:{SHOW}|what is) (?:only )?(?:the )?(?:(?P<ord>{ORDINAL}) line|line(?: number)? #?(?P<a>\d+)) {OF} {SRC}", _span, ""),
    ("without-ends", rf"{SHOW} (?P<src>.+?) (?:without|except|excluding|skipping|but not|omitting) (?:the |its )?(?P<end>first|last|header|top)(?: (?P<n>{NUMBER}))? ?(?:lines?|rows?)?", _without_ends, ""),
    ("without-ends", rf"{SHOW} (?:all |every |everything |all the )?(?:lines? )?(?:but|except(?: for)?) (?:the )?(?P<end>first|last)(?: (?P<n>{NUMBER}))? lines? {OF} {SRC}", _without_ends, ""),
    ("extreme", rf"(?:{SHOW}|{FIND}|what is|which is)? ?(?:the )?(?P<length>length of the )?(?P<which>longest|shortest)(?: non-?empty)? line(?P<len2> length)? {OF} {SRC}", _extreme, ""),
    ("frequency", rf"(?:{SHOW}|{FIND}|what is|what are|which is)? ?(?:the )?(?:top )?(?:(?P<n>{NUMBER}) )?(?P<rank>most (?:frequent|common|used|repeated|frequently used|often used)|least (?:frequent|common)|commonest) (?P<unit>words?|lines?|entry|entries|values?|names?) (?:of|in|from) (?P<src>.+?)(?:,? (?:with|and) (?:their |the )?(?:counts?|frequenc(?:y|ies)|number of occurrences))?", _frequency, ""),
    ("tally", rf"(?:{SHOW}|count) (?:the )?(?:number of )?(?:times|occurrences|frequency)(?: of)? (?:each|every) (?P<unit>words?|lines?|value|name|entry)(?: (?:occurs|appears))? {OF} {SRC}", _frequency, ""),
    ("tally", rf"(?:{SHOW}|count) how (?:many times|often) (?:each|every) (?P<unit>words?|lines?|value|name|entry) (?:occurs|appears) {OF} {SRC}", _frequency, ""),
    ("tally", rf"{SHOW} (?:the |all )?(?:unique|distinct) (?P<unit>words|lines|values|names|entries) (?:of|in|from) (?P<src>.+?),? (?:with|together with|along with|and) (?:how (?:many times|often) each(?: (?:one|line|word))? (?:occurs|appears)|(?:their|the) (?:counts?|frequency|frequencies|number of occurrences)|the number of times (?:each|they) (?:one )?(?:occurs?|appears?))", _frequency, ""),
    ("unique", rf"(?:{COUNTING}|{SHOW}|{FIND}) (?:all |only )*(?:the )?(?P<kind>duplicated?|repeated) (?P<unit>lines|values|words|entries|names) (?:are )?(?:of|in|from) {SRC}", _unique, ""),
    ("unique", rf"(?:{COUNTING}|{SHOW}|{FIND}) (?:all |only )*(?:the )?(?:sorted )?(?P<kind>unique|distinct|different)(?: sorted)? (?P<unit>lines|values|words|entries|names) (?:are (?:there )?)?(?:of|in|from) (?P<src>.+?)(?:,? (?:in )?(?:sorted|alphabetical)(?: order)?)?", _unique, ""),
    ("sorted", rf"(?:sort|order)(?: and (?:print|show|display|output))? (?:the )?(?:(?:lines|contents?|entries|rows|words|numbers|values|names|text) (?:of|in|from) )?(?:the file )?(?P<src>‹[QP]\d+›){MODS}", _sorted, ""),
    ("sorted", rf"{SHOW} (?:the )?(?:sorted )?(?:lines|contents?|entries|rows|words|numbers|values|names)(?: of| in| from) (?P<src>‹[QP]\d+›),? (?:sorted|in sorted order)(?P<mods>(?: .+)?)", _sorted, ""),
    ("sorted", rf"{SHOW} (?:the )?(?P<src>‹[QP]\d+›),? sorted(?P<mods>(?: .+)?)", _sorted, ""),
    ("reverse-lines", rf"(?:{SHOW}|reverse) (?:the )?(?:(?:lines|order of (?:the )?lines) (?:of|in|from) )?(?P<src>‹[QP]\d+›),? (?:in reverse(?:d)?(?: line)? order|(?:with (?:its|the) )?lines? reversed|from (?:bottom to top|the last line to the first|last (?:line )?to first)|backwards by line|in reverse, line by line|line by line in reverse order)", _tool("tac"), ""),
    ("reverse-lines", r"reverse the (?:order of (?:the )?)?lines (?:of|in) (?P<src>.+?)(?: and (?:print|show|display) (?:it|them|the result))?", _tool("tac"), ""),
    ("reverse-lines", r"(?:print|show|display|output) (?:the )?(?:contents?|lines) of (?P<src>.+?) in reverse(?: order)?", _tool("tac"), ""),
    ("whole", r"(?:concatenate|join|merge) (?P<src>.+?)(?: and (?:print|show|display|output) (?:it|them|the (?:result|output)))?", _whole, ""),
    ("parity", rf"{SHOW} (?:only |all )*(?:the )?(?P<parity>odd|even)(?:[- ]numbered)? lines {OF} {SRC}", _parity, ""),
    ("length", rf"(?P<verb>{COUNTING}|{SHOW}|{FIND}) {LINES} {OF} (?P<src>.+?) (?:that are |which are |with )?(?P<how>longer|shorter|more|fewer|less) than (?P<n>{NUMBER})(?: characters| chars)?(?: long)?", _length, ""),
    ("length", rf"(?P<verb>{COUNTING}|{SHOW}|{FIND}) {LINES} (?:that are |which are |with )?(?P<how>longer|shorter|more|fewer|less) than (?P<n>{NUMBER})(?: characters| chars)?(?: long)? {OF} {SRC}", _length, ""),
    ("blank", r"(?P<no>remove|delete|strip|drop) (?:all |the |any )*(?P<word>empty|blank) lines from (?P<src>.+?) and (?:print|show|display|output) (?:it|the (?:result|output|rest))", _blank, ""),
    ("number-lines", r"(?:number (?:all |every |each )?(?:the )?lines (?:of|in) (?P<src>.+?)(?: and (?:print|show|display) (?:it|them))?)", lambda m, k, s, f: _whole(m, k, s, f, line_number=True), ""),
    ("reverse-each", r"reverse (?:the (?:order of (?:the )?)?characters (?:of|in) )(?:each|every) line (?:of|in) (?P<src>.+)", _tool("rev"), ""),
    ("reverse-each", r"(?:print|show|display) (?:each|every) line (?:of|in) (?P<src>.+?) (?:reversed|backwards|in reverse)", _tool("rev"), ""),
    ("case", r"(?:convert|change|turn|transform|translate) (?:the |all )?(?:contents?|text|letters|everything|characters)? ?(?:of |in )?(?P<src>‹[QP]\d+›) (?:in)?to (?P<case>upper|lower|capital)[- ]?(?:case)?(?: letters)? and (?:print|show|display|output) (?:it|the result|the output)", _case, ""),
    ("case", rf"{SHOW} (?:the )?(?:contents? of |text of )?(?P<src>‹[QP]\d+›) (?:in|as|converted to|in all) (?P<case>upper|lower|capital)[- ]?(?:case)?(?: letters)?", _case, ""),
    ("blank", rf"{COUNTING} (?P<no>non-?)?(?P<word>empty|blank) lines(?: are)?(?: there)? {OF} {SRC}", _blank, ""),
    ("blank", rf"{SHOW} (?:the |all )*(?P<no>non-?)(?P<word>empty|blank) lines {OF} {SRC}", _blank, ""),
    ("blank", rf"{SHOW} (?:the )?(?:contents? of )?(?P<src>.+?) (?P<no>without|excluding|skipping|omitting|except)(?: the| any| its)? (?P<word>empty|blank) lines", _blank, ""),
    ("replaced", rf"(?:replace|substitute|change) (?:all |every |each |the )*(?:occurrences? of )?(?P<x>{SIGNS}|‹Q\d+›) (?:by|with|to|into) (?P<y>{SIGNS}|‹Q\d+›) in (?P<src>.+?) and (?:show|print|display|output) (?:it|the result|the output|the (?:new |changed )?text)", _replaced, ""),
    ("replaced", rf"{SHOW} (?:the contents? of )?(?P<src>.+?) with (?:all |every |each |the )*(?:occurrences? of )?(?P<x>{SIGNS}|‹Q\d+›) (?:replaced (?:by|with)|changed (?:to|into)) (?P<y>{SIGNS}|‹Q\d+›)", _replaced, ""),
    ("characters", rf"{SHOW} (?:the )?(?:characters? (?P<a>\d+) ?(?:to|-|through) ?(?P<b>\d+)|(?P<first>first) (?:(?P<n>{NUMBER}) )?characters?) (?:of|in|from) (?:each|every) line (?:of|in|from) {SRC}", _characters, ""),
    ("whole", rf"(?:{SHOW}|cat|open) (?:the )?(?:(?:whole|full|entire|complete) )?(?:(?:contents?|text)(?: of)? )?(?P<src>.+)", _whole, "n"),
]  # fmt: skip
TEMPLATES = [(name, LazyPattern(raw), build, kinds) for name, raw, build, kinds in RAW]
