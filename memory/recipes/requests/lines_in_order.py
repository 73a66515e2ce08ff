"""Lines sorted, without or with what is there twice, and how often each is there."""

from __future__ import annotations

import re
from typing import Any

from memory.recipes.requests.draft import Draft, Facts, Stage, counted, shown
from memory.recipes.requests.line_wording import Match
from memory.recipes.requests.marked import NUMBER, ORDINAL, Marked, number
from memory.recipes.requests.sources import Source
from memory.recipes.requests.wording import COUNT, HOW_MANY


def in_order(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show lines sorted."""
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


def unique(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show or count different lines or words, or those that are there twice."""
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


def tally(match: Match, marked: Marked, source: Source, facts: Facts) -> Draft | None:
    """Show how often each line or word is there, the most frequent first when asked so."""
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
