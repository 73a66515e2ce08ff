"""Requests for facts: of one file or directory, of two compared, and of where the tools run."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from memory.recipes.recipe import AnswerTemplate
from memory.recipes.requests.draft import Draft, Facts, Parsed, read_step, shown
from memory.recipes.requests.filter_wording import PATHS
from memory.recipes.requests.marked import PATH, TEXT, Marked
from memory.recipes.requests.selection import glob_escape
from memory.recipes.requests.wording import COUNT, FIND, SHOW

SAY = rf"(?:{SHOW}|{FIND}|{COUNT}|calculate|compute|determine|check|what (?:is|are)|what's|who is|when was|generate)"
THING = rf"(?:the )?(?:(?:text |regular )?(?:file|directory|folder|script|symbolic link|symlink|link|path)(?: named| called)? )?(?P<x>{PATH})(?: (?:file|directory|folder|script))?"
SHA = r"sha-?(?P<bits>1|224|256|384|512)"
FORMATS: list[tuple[str, str, str]] = [
    ("octal", r"(?:(?:the )?(?:octal|numeric(?:al)?) (?:file )?(?:permissions?|modes?)(?: bits)?|(?:the )?(?:file )?(?:permissions?|mode)(?= .+ (?:in|as) (?:octal|numeric)))", "%a %n"),
    ("permissions", r"(?:the )?(?:file |access )?(?:permissions?|mode|rights)(?: bits)?", "%A %a %n"),
    ("owner-group", r"(?:the )?(?:owner and (?:the )?group|user and group|ownership)(?: owner)?", "%U %G %n"),
    ("owner", r"(?:the )?(?:owner|user)(?: name)?", "%U"),
    ("group", r"(?:the )?(?:group(?: owner)?)(?: name)?", "%G"),
    ("size", r"(?:the )?(?:(?:file )?size|number of bytes)(?: in bytes)?", "%s"),
    ("modified", r"(?:the )?(?:last )?(?:modification|modified|change) (?:time|date|timestamp)(?: and (?:time|date))?|(?:the )?(?:date|time) of (?:the )?last (?:modification|change)|when", "%y"),
    ("accessed", r"(?:the )?(?:last )?access (?:time|date|timestamp)", "%x"),
    ("inode", r"(?:the )?inode(?: number)?", "%i"),
    ("links", r"(?:the )?(?:number of (?:hard )?links|(?:hard )?link count)", "%h"),
    ("details", r"(?:the )?(?:details|detailed information|long listing|metadata|status|all (?:the )?(?:attributes|information))(?: about)?", "%A %U %G %s %y %n"),
]  # fmt: skip
OTHERS: list[tuple[str, str, str]] = [
    ("md5sum", r"(?:the )?md-?5(?: ?sum)?(?: ?(?:checksum|hash|digest|sum))?", "md5sum"),
    ("sha", rf"(?:the )?{SHA}(?: ?sum)?(?: ?(?:checksum|hash|digest|sum))?", ""),
    ("type", r"(?:the )?(?:file )?type|(?:the )?(?:kind|type) of (?:file|the file)", "file"),
    ("full-path", r"(?:the )?(?:full|absolute|complete|real)(?: file)? ?path(?:name)?", "realpath"),
    ("base-name", r"(?:the )?(?:base ?name|file ?name part|last (?:part|component)(?: of the path)?)", "basename"),
    ("directory-name", r"(?:the )?(?:dir(?:ectory)? ?name|director(?:y|ies) (?:part|portion|component)|parent (?:directory|folder)|(?:directory|folder) (?:that contains|containing|of))", "dirname"),
    ("link-target", r"(?:the )?(?:target|destination)|where", "readlink"),
    ("disk-usage", r"(?:the )?(?:total )?(?:disk (?:usage|space used)|disk usage|space used)(?: in human[- ]readable (?:form|format))?", "du"),
]  # fmt: skip
OF = r"(?:of|for|about|on|by)"
# What all patterns of a kind hold; looking for it spares compiling and trying them.
OF_A_PATH = re.compile(rf" {OF} ", re.IGNORECASE)
COMPARED = re.compile(r"same|identical|equal|differ|compare", re.IGNORECASE)
SYSTEM: list[tuple[str, str, tuple[str, list[str]]]] = [
    ("pwd", r"(?:the )?(?:full |absolute )?(?:path (?:of|to) )?(?:the )?(?:current|present)(?: working)? (?:directory|folder|dir)(?: path| name)?|(?:the )?working directory|pwd|the path of this (?:directory|folder)", ("pwd", [])),
    ("date", r"(?:the )?(?:current |today's )?date(?: in (?:the )?(?:format|form) (?:YYYY-MM-DD|%Y-%m-%d)| in iso format)|today's date|today", ("date", ["+%Y-%m-%d"])),
    ("date-time", r"(?:the )?(?:current )?(?:system )?(?:date and time|date|time and date|time|timestamp)(?: now| and date)?", ("date", ["+%Y-%m-%d %H:%M:%S"])),
    ("year", r"(?:the )?current year", ("date", ["+%Y"])),
    ("month", r"(?:the )?current month", ("date", ["+%B"])),
    ("weekday", r"(?:the )?(?:current )?(?:day of the week|weekday)(?: today| of today)?", ("date", ["+%A"])),
    ("epoch", r"(?:the )?(?:current )?(?:unix|epoch) (?:timestamp|time)(?: in seconds)?", ("date", ["+%s"])),
    ("user", r"(?:the )?(?:current|logged[- ]in|my|name of the current|effective) user(?:'s)?(?: ?name)?|who am i|whoami|(?:the )?user ?name(?: of the current user)?", ("id", ["-un"])),
    ("user-id", r"(?:the )?(?:current )?user(?:'s)? (?:id|ID)(?: number)?(?: of the current user)?|uid", ("id", ["-u"])),
    ("groups", r"(?:the )?(?:groups (?:of )?(?:the )?current user(?: belongs to| is in)?|current user's groups)", ("id", ["-Gn"])),
    ("kernel", r"(?:the )?(?:kernel name|(?:name of the )?operating system(?: name)?|os name|name of the (?:kernel|os))", ("uname", ["-s"])),
    ("kernel-version", r"(?:the )?(?:linux )?kernel (?:version|release)(?: number)?", ("uname", ["-r"])),
    ("architecture", r"(?:the )?(?:machine|hardware|system|cpu|processor)(?: hardware)? (?:architecture|name|type)|(?:the )?architecture of (?:this|the) (?:machine|system)", ("uname", ["-m"])),
    ("disk-free", r"(?:the )?(?:free|available) (?:disk )?space(?: on (?:the |this )?(?:disk|file ?system|current file ?system))?|(?:the )?disk space usage", ("df", ["-h", "--", "."])),
]  # fmt: skip
SAME = [
    rf"(?:(?:check|tell(?: me)?|determine|find out|see|test|verify) (?:whether |if ))?(?:are )?(?:the )?(?:files )?(?P<x>{PATH}) and (?P<y>{PATH})(?: are)?(?: the)? (?P<same>identical|same|equal|different|differ)(?: or not| files| in content| content| contents)?",
    rf"(?:(?:check|tell(?: me)?|determine|find out|see|test|verify) (?:whether |if ))?(?:do )?(?:the )?(?:files )?(?P<x>{PATH}) and (?P<y>{PATH}) (?P<same>have (?:the )?same|have identical|have different|differ)(?: contents?)?(?: or not)?",
    rf"(?:is )?(?:the )?(?:file )?(?P<x>{PATH}) (?P<same>identical to|the same as|equal to|different from) (?:the )?(?:file )?(?P<y>{PATH})",
]
DIFF = rf"(?:(?:{SHOW}|{FIND}) (?:the |all )*differences? between (?:the )?(?:files |contents of )?|compare (?:the )?(?:files |contents of )?|diff )(?P<x>{PATH}) (?:and|with|to) (?P<y>{PATH})(?: line by line)?(?: and (?:show|print|display|list) (?:the |all )?differences)?"
YES = r"(?:(?:check|tell(?: me)?|determine|find out|see|test|verify) (?:whether |if )|is (?:there )?|does )"
IS: list[tuple[str, str, dict[str, Any]]] = [
    ("exists", rf"{YES}(?:there is )?(?:an? |the )?(?P<kind>file|directory|folder)?(?: named| called)? ?(?P<x>{PATH})(?: (?:file|directory|folder))?(?: already)? (?:exists?|is there|there)", {}),
    ("exists", rf"{YES}(?:there is )?an? (?P<kind>file|directory|folder)(?: named| called) (?P<x>{PATH})(?: exists?)?", {}),
    ("empty", rf"{YES}(?:the )?(?P<kind>file|directory|folder)? ?(?P<x>{PATH}) (?:is )?empty", {"empty": True}),
    ("executable", rf"{YES}(?:the )?(?P<kind>file|script)? ?(?P<x>{PATH}) (?:is )?executable", {"perms": ["/111"]}),
    ("a-directory", rf"{YES}(?P<kind>)(?P<x>{PATH}) (?:is )?a (?:directory|folder)", {"type": "d"}),
    ("a-file", rf"{YES}(?P<kind>)(?P<x>{PATH}) (?:is )?a (?:regular )?file", {"type": "f"}),
    ("a-link", rf"{YES}(?P<kind>)(?P<x>{PATH}) (?:is )?a (?:symbolic link|symlink)", {"type": "l"}),
]  # fmt: skip


def read_fact(text: str, marked: Marked) -> Parsed | None:
    """A request for a fact, or None."""
    return (
        _system(text)
        or _contains(text, marked)
        or _same(text, marked)
        or _is(text, marked)
        or _of_path(text, marked)
    )


def _full(pattern: str, text: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, text, re.IGNORECASE)


def _system(text: str) -> Parsed | None:
    if re.match(r"(?:list|enumerate)\b", text, re.IGNORECASE):
        return None  # "list the current directory" asks what is in it
    if (date := _date(text)) is not None:
        return date
    for name, words, (tool, argv) in SYSTEM:
        if _full(rf"(?:{SAY}|what is the) (?:{words})|{words}", text):
            draft = shown("Ask the system", [{"tool": tool, "argv": argv}])
            return Parsed(name, lambda facts, draft=draft: draft)  # type: ignore[misc]  # bound at once
    return None


DAYS = r"(?:(?P<named>today(?:'s date)?|yesterday(?:'s date)?|tomorrow(?:'s date)?|(?:the )?(?:current )?date(?: of (?:today|(?P<of>yesterday|tomorrow)))?)|(?:the )?date (?:it was )?(?P<n>\d+) (?P<unit>day|week|month|year)s? (?:(?P<ago>ago)|from (?:now|today)))"
DATE_FORMATS = {"yyyy-mm-dd": "%Y-%m-%d", "dd/mm/yyyy": "%d/%m/%Y", "mm/dd/yyyy": "%m/%d/%Y", "dd-mm-yyyy": "%d-%m-%Y", "yyyymmdd": "%Y%m%d", "yyyy/mm/dd": "%Y/%m/%d", "mm-dd-yyyy": "%m-%d-%Y", "dd.mm.yyyy": "%d.%m.%Y"}  # fmt: skip


def _date(text: str) -> Parsed | None:
    """A day's date in a given form; today's date in none of them is read elsewhere."""
    match = _full(
        rf"(?:{SAY}|what was|what will be) (?:what |the )?{DAYS}(?: (?:was|is|will be))?(?:,? (?:in|using|as|with) (?:the )?(?:format |form )?(?P<form>[YMDymd/.-]{{8,10}})(?: format| form)?)?",
        text,
    )
    if match is None or (match["form"] and match["form"].lower() not in DATE_FORMATS):
        return None
    day = (
        "yesterday"
        if "yesterday" in match[0].lower()
        else "tomorrow"
        if "tomorrow" in match[0].lower()
        else None
    )
    if match["n"]:
        day = f"{match['n']} {match['unit'].lower()}s{' ago' if match['ago'] else ''}"
    if day is None and not match["form"]:
        return None
    form = DATE_FORMATS[match["form"].lower()] if match["form"] else "%Y-%m-%d"
    draft = shown("Ask the clock", [{"tool": "date", "argv": [*(["-d", day] if day else []), f"+{form}"]}])
    return Parsed("date", lambda facts: draft)


def _same(text: str, marked: Marked) -> Parsed | None:
    if not COMPARED.search(text):
        return None
    match = next((found for pattern in SAME if (found := _full(pattern, text))), None)
    compared = _full(DIFF, text)
    found = match or compared
    if found is None:
        return None
    names = (marked.value(found["x"]), marked.value(found["y"]))

    def build(facts: Facts) -> Draft | None:
        if any(facts.kind(name) not in ("file", "link") for name in names):
            return None
        paths = [facts.place(name) for name in names]
        if compared:
            stages = [{"tool": "diff", "argv": ["--", *paths], "expect_exit": [0, 1]}]
            return shown("Compare", stages, "They are identical.", expect_exit=[0, 1])
        stages = [{"tool": "diff", "argv": ["-q", "--", *paths], "expect_exit": [0, 1]}]
        asks_difference = "differ" in found["same"].lower()
        equal, unequal = ("No, they are identical.", "Yes, they differ.") if asks_difference else (
            "Yes, they are identical.", "No, they differ."
        )  # fmt: skip
        answer = AnswerTemplate(reader="output", none=equal, one=unequal)
        return Draft([read_step("Compare", stages, expect_exit=[0, 1])], answer)

    return Parsed("compare", build, names)


def _contains(text: str, marked: Marked) -> Parsed | None:
    if not re.match(YES, text, re.IGNORECASE):
        return None
    match = _full(
        rf"{YES}(?:the )?(?:file )?(?P<x>{PATH}) contains? (?:the )?(?P<noun>word|text|string|phrase)? ?(?P<y>{TEXT})",
        text,
    )
    if match is None:
        return None
    path, sought = marked.value(match["x"]), marked.value(match["y"])
    word = {"word": True} if (match["noun"] or "").lower() == "word" and re.fullmatch(r"\w+", sought) else {}

    def build(facts: Facts) -> Draft | None:
        if facts.kind(path) not in ("file", "link"):
            return None
        args = {"pattern": sought, "fixed": True, "paths": [facts.place(path)], **word}
        stages = [{"tool": "grep", "args": args, "expect_exit": [0, 1]}]
        answer = AnswerTemplate(reader="output", none="No.", one="Yes:\n${text}")
        return Draft([read_step("Search", stages, expect_exit=[0, 1])], answer)

    return Parsed("contains", build, (path,))


def _is(text: str, marked: Marked) -> Parsed | None:
    if not re.match(YES, text, re.IGNORECASE):
        return None
    for name, pattern, tests in IS:
        match = _full(pattern, text)
        if match is None:
            continue
        path = marked.value(match["x"])
        kinds = {
            "file": ("file", "link"),
            "script": ("file",),
            "directory": ("directory",),
            "folder": ("directory",),
        }
        wanted = kinds.get((match["kind"] or "").lower())
        return Parsed(name, _checked(name, path, wanted, tests), (path,))
    return None


def _checked(
    name: str, path: str, wanted: tuple[str, ...] | None, tests: dict[str, Any]
) -> Callable[[Facts], Draft | None]:
    def build(facts: Facts) -> Draft | None:
        kind = facts.kind(path)
        if name == "exists":
            if ".." in path.split("/"):
                return None
            if kind is not None and wanted is not None and kind not in wanted:
                return None
            tests_ = (
                {"paths": [facts.place(path)], "maxdepth": 0} if kind else _sought(path, wanted, facts.root)
            )
            if tests_ is None:
                return None
        elif kind is None or (wanted is not None and kind not in wanted):
            return None
        else:
            tests_ = {"paths": [facts.place(path)], "maxdepth": 0, **tests}
        answer = AnswerTemplate(reader="output", none="No.", one="Yes: ${text}")
        return Draft([read_step("Look", [{"tool": "find", "args": tests_}])], answer)

    return build


def _sought(path: str, wanted: tuple[str, ...] | None, root: str) -> dict[str, Any] | None:
    """Arguments that find what is not at a path itself; None for one outside the root, where nobody looks."""
    inside = path.rstrip("/").removeprefix(f"{root}/").removeprefix("./")
    if inside.startswith(("/", "~")) or ".." in inside.split("/"):
        return None
    named = glob_escape(inside)
    tests: dict[str, Any] = {"path_glob": [f"./{named}"]} if "/" in inside else {"names": [named]}
    kind = {} if wanted is None else {"type": "d" if wanted == ("directory",) else "f"}
    return {"paths": ["."], **tests, **kind}


def _of_path(text: str, marked: Marked) -> Parsed | None:
    rest = re.sub(r"^(?:who|which user) owns (?:the file )?", "show the owner of ", text, flags=re.IGNORECASE)
    rest = re.sub(
        r"^when was (.+?) (?:last )?(?:modified|changed|updated|edited)(?: last)?$",
        r"show when of \1",
        rest,
        flags=re.IGNORECASE,
    )
    rest = re.sub(
        r"^(?:where|what) does (.+?) (?:point(?: to)?|lead(?: to)?)$",
        r"show where of \1",
        rest,
        flags=re.IGNORECASE,
    )
    rest = re.sub(r"^what (?:kind|type) of file is ", "show the type of ", rest, flags=re.IGNORECASE)
    rest = re.sub(r"^how (?:big|large) is ", "show the size of ", rest, flags=re.IGNORECASE)
    if not OF_A_PATH.search(rest):
        return None
    tail = r"(?P<octal>,? (?:in|as) (?:octal|numeric)(?: form| format| notation| mode)?)?(?P<bytes>,? in bytes)?(?P<human>,? in (?:a )?human[- ]readable (?:form|format))?"
    for name, words, form in [*FORMATS, *OTHERS]:
        pattern = rf"(?:{SAY} )?(?:{words}) {OF} {THING.replace(f'(?P<x>{PATH})', f'(?P<x>{PATHS})')}{tail}"
        match = _full(pattern, rest)
        if match is None:
            continue
        paths = tuple(marked.value(part) for part in re.split(r"(?:,? and |, )", match["x"]))
        if match["human"] and name not in ("disk-usage", "size"):
            continue
        bits = match["bits"] if "bits" in match.re.groupindex else None
        return Parsed(name, _fact(name, form, paths, match, bits), paths)
    return None


def _fact(
    name: str, form: str, paths: tuple[str, ...], match: re.Match[str], bits: str | None
) -> Callable[[Facts], Draft | None]:
    def build(facts: Facts) -> Draft | None:
        if name in ("base-name", "directory-name"):
            argv = ["-a", "--", *paths] if form == "basename" else ["--", *paths]
            return shown("Take the path apart", [{"tool": form, "argv": argv}])
        if any(facts.kind(path) is None for path in paths):
            return None
        at = [facts.place(path) for path in paths]
        kinds = {facts.kind(path) for path in paths}
        if "%" in form:
            if name == "size" and kinds == {"directory"}:
                return shown(
                    "Measure", [{"tool": "du", "argv": ["-sb" if match["bytes"] else "-sh", "--", *at]}]
                )
            if name == "size" and (kinds != {"file"} or match["human"]):
                return None
            if name == "details" and kinds == {"directory"}:
                return shown("Look", [{"tool": "ls", "argv": ["-l", "--", *at]}])
            shape = "%a %n" if match["octal"] and name == "permissions" else form
            shape = shape if len(paths) == 1 or shape.endswith("%n") else f"{shape} %n"
            return shown("Look", [{"tool": "stat", "args": {"format": shape, "paths": at}}])
        if name == "link-target" and kinds != {"link"}:
            return None
        if name in ("sha", "md5sum") and not kinds <= {"file", "link"}:
            return None
        tool = f"sha{bits}sum" if bits else form
        argv = {
            "realpath": ["-s"],
            "du": ["-sh"] if match["human"] else ["-s", "-B1"] if match["bytes"] else ["-sk"],
            "file": [],
        }.get(tool, [])
        return shown("Look", [{"tool": tool, "argv": [*argv, "--", *at]}])

    return build
