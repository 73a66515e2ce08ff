"""Phrases that say which files are meant, each taken out of the text as it is understood.

What is left over, beside words that say nothing by themselves, is not understood: then there is no selection.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from memory.recipes.lexicon import load_lexicon
from memory.recipes.quantities import UNIT_BYTES
from memory.recipes.requests.lazy_pattern import LazyPattern
from memory.recipes.requests.marked import (
    BARE,
    EXTENSION,
    GLOB,
    KINDS_OF_SIGN,
    NAME,
    NUMBER,
    PATH,
    QUOTE,
    TEXT,
    Marked,
    number,
)
from memory.recipes.requests.selection import Content, Selection, glob_escape

Handler = Callable[[Selection, re.Match[str], Marked], bool]
NOISE = frozenset(
    "the all every each any of that which are is and have has with there exist exists existing been located found "
    "currently present whose also but only in recursively their its this these those on".split()
)
# "only" narrows nothing where each phrase beside it was understood.
THAT = r"(?:(?:that|which) (?:are |is |have |has |were |was |do |does )?|whose |who )?"
IN = r"(?:(?:located |found |stored |contained |residing |present |that are |which are )?(?:in|under|inside|within|below|beneath|from|of|at|throughout|across)(?: of)?)"
DIR = r"(?:sub-?)?(?:directory|folder|dir|tree|path)"
HERE = (
    rf"(?:\.|‹P\d+›(?!)|(?:the |this |my )?(?:current|present|working|root|this|whole|entire|project|same)(?: working)?"
    rf"(?: {DIR}(?: tree| structure| hierarchy)?)?|here|this {DIR}|(?:the |this )?(?:project|repo|repository|tree|workspace|root))"
)
BELOW = (
    r"(?:,? ?(?:(?:and|including|incl\.?) (?:in )?(?:all |any |(?:all )?(?:of )?its |their |the |everything )?"
    r"(?:sub-?(?:directories|folders|dirs|tree)|below(?: it)?|beneath(?: it)?|nested ones)|recursively)"
    r"(?: of it)?(?: recursively)?)"
)
UNITS = "|".join(sorted(UNIT_BYTES, key=len, reverse=True))
AMOUNT = rf"(?P<n>\d[\d,]*(?:\.\d+)?|{NUMBER}|an?) ?(?P<unit>{UNITS})"
MORE = r"(?:(?:larger|bigger|greater|more|heavier)(?: in size)? than|over|above|exceeding|at least|>=?|(?:a |with a )?(?:file )?size (?:of )?(?:greater|larger|bigger|more|over|above) ?(?:than)?|no (?:smaller|less) than)"
LESS = r"(?:(?:smaller|less|fewer|lighter)(?: in size)? than|under|below|at most|up to|<=?|(?:a |with a )?(?:file )?size (?:of )?(?:smaller|less|under|below) ?(?:than)?|no (?:larger|bigger|more) than|not exceeding)"
SPANS = {
    "second": 1 / 60,
    "minute": 1,
    "min": 1,
    "hour": 60,
    "day": 1440,
    "week": 10080,
    "fortnight": 20160,
    "month": 43200,
    "year": 525600,
}
SPAN = rf"(?:(?P<n>{NUMBER}|an?|few|couple of) )?(?P<unit>{'|'.join(SPANS)})s?"
DONE = r"(?P<what>modified|changed|edited|updated|written|touched|accessed|read|opened|created|added)"
CLOCK = {"accessed": "amin", "read": "amin", "opened": "amin"}
ACTOR = r"(?P<x>‹[QP]\d+›|[a-z_][\w-]*)"


# A word for a sign, and words for signs of a kind: unquoted they are no text themselves.
NAMED_SIGNS = {
    "spaces": " ",
    "blanks": " ",
    "underscores": "_",
    "underscore": "_",
    "dashes": "-",
    "hyphens": "-",
}


def _kind(letter: str | None, noun: str) -> Handler:
    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        if selection.noun != "entries":
            return False
        selection.kind, selection.noun = letter, noun
        if letter == "d":
            selection.mindepth = 1
        return True

    return handle


def _globs(selection: Selection, globs: list[str], denied: bool, ignore_case: bool = False) -> bool:
    selection.name_tests.append((tuple(globs), denied, ignore_case))
    return True


def _list(text: str, marked: Marked) -> list[str]:
    return [marked.value(part) for part in re.split(r"(?:,? (?:and/or|and|or) |, ?)", text) if part]


def _extension(text: str) -> str:
    return f"*.{glob_escape(text.lstrip('*').lstrip('.'))}"


def _extensions(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    return _globs(selection, [_extension(text) for text in _list(match["x"], marked)], bool(match["no"]))


def _patterns(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    globs = _list(match["x"], marked)
    if any("/" in glob.removeprefix("./") for glob in globs):
        return False
    return _globs(selection, [glob.removeprefix("./") for glob in globs], bool(match["no"]))


def _placed_glob(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    """`conf/*.conf` as the shell reads it: names in one directory, no hidden ones."""
    folder, _, glob = marked.value(match["x"]).rpartition("/")
    if folder in ("", "."):
        return _globs(selection, [glob], False)
    if selection.scope or "*" in folder or "?" in folder or not folder or selection.maxdepth:
        return False
    selection.scope, selection.maxdepth, selection.mindepth = [folder], 1, 1
    selection.noun = "entries" if selection.noun == "entries" else selection.noun
    return _globs(selection, [glob], False)


def _named(form: str) -> Handler:
    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        texts = [NAMED_SIGNS.get(text, text) for text in _list(match["x"], marked)]
        if any("/" in text or (text in KINDS_OF_SIGN and text in match["x"].split()) for text in texts):
            return False
        no = "no" in match.re.groupindex and bool(match["no"])
        globs = [
            text if form == "«»" and "*" in text else form.replace("«»", glob_escape(text)) for text in texts
        ]
        return _globs(selection, globs, no)

    return handle


def _one_file(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    if selection.noun != "entries":
        return False
    selection.kind, selection.noun = "f", "files"
    return _named("«»")(selection, match, marked)


def _ending(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    texts = _list(match["x"], marked)
    return _globs(selection, [f"*{glob_escape(text)}" for text in texts], bool(match["no"]))


def _test(**tests: object) -> Handler:
    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        if tests.keys() & selection.tests.keys():
            return False
        selection.tests |= tests
        return True

    return handle


def _perm(value: str) -> Handler:
    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        denied = "no" in match.re.groupindex and bool(match["no"])
        test = value if not denied else value.removeprefix("!") if value.startswith("!") else f"!{value}"
        selection.tests["perms"] = [*selection.tests.get("perms", []), test]
        return True

    return handle


def _mode(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    return _perm(marked.value(match["x"]).lstrip("0") or "0")(selection, match, marked)


def _size(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    amount = match["n"].lower().replace(",", "")
    size = (
        1 if amount in ("a", "an") else float(amount) if re.match(r"\d", amount) else number(amount)
    ) * UNIT_BYTES[match["unit"].lower()]
    words = match["how"].lower()
    if size != int(size):
        return False
    bytes_ = int(size)
    at_least = bool(re.search(r"at least|>=|no (?:smaller|less)", words))
    at_most = bool(re.search(r"at most|up to|<=|no (?:larger|bigger|more)|not exceeding", words))
    if re.fullmatch(rf"(?:with |that (?:are|is) )?{MORE}", words, re.IGNORECASE):
        selection.sizes.append(f"+{bytes_ - 1 if at_least else bytes_}c")
    elif re.fullmatch(rf"(?:with |that (?:are|is) )?{LESS}", words, re.IGNORECASE):
        selection.sizes.append(f"-{bytes_ + 1 if at_most else bytes_}c")
    else:
        selection.sizes.append(f"{bytes_}c")
    return True


def _sized(test: str) -> Handler:
    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        selection.sizes.append(test)
        return True

    return handle


def _between(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    unit = match["unit"].lower()
    low, high = (float(match[name].replace(",", "")) for name in ("low", "high"))
    least = int(low * UNIT_BYTES[(match["unit1"] or unit).lower()])
    selection.sizes += [f"+{least - 1}c"] if least else []
    selection.sizes.append(f"-{int(high * UNIT_BYTES[unit]) + 1}c")
    return least <= int(high * UNIT_BYTES[unit])


def _minutes(match: re.Match[str]) -> float | None:
    amount = (match["n"] or "1").lower()
    if amount in ("few", "couple of"):
        return None
    return SPANS[match["unit"].lower()] * (1 if amount in ("a", "an") else number(amount))


def _age(sign: str) -> Handler:
    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        minutes = _minutes(match)
        what = (match["what"] or "modified").lower() if "what" in match.re.groupindex else "modified"
        # When a file was made is kept by no tool here.
        if minutes is None or what in ("created", "added"):
            return False
        option = CLOCK.get(what, "mmin")
        if option in selection.tests:
            return False
        selection.tests[option] = f"{sign}{round(minutes)}" if minutes >= 1 else f"{sign}{minutes:.3f}"
        return True

    return handle


def _today(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    if "modified_after" in selection.tests:
        return False
    selection.tests["modified_after"] = "today 00:00"
    return True


def _yesterday(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    selection.tests |= {"modified_after": "yesterday 00:00", "modified_before": "today 00:00"}
    return True


def _date(side: str) -> Handler:
    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        after = "23:59:59" if match["how"].lower() == "after" else "00:00:00"
        if side in selection.tests:
            return False
        selection.tests[side] = f"{match['date']} {after}"
        return True

    return handle


def _newer(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    selection.tests["newer"] = marked.value(match["x"])
    return True


def _owner(test: str) -> Handler:
    def handle(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
        if test in selection.tests:
            return False
        selection.tests[test] = marked.value(match["x"])
        return True

    return handle


def _scope(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    found = _list(match["x"], marked)
    if selection.scope:
        return False
    selection.scope = [path.rstrip("/") or path for path in found]
    return True


def _here(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    if selection.scope:
        return False
    selection.scope = ["."]
    if re.search(r"\bonly\b", match[0], re.IGNORECASE):
        selection.mindepth, selection.maxdepth = 1, 1
    return True


def _excluded(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    # "containing a but not b" rules out a text, not a place.
    placed = re.search(rf"\b(?:in|under|inside|{DIR}|directories|folders)\b|‹P", match[0], re.IGNORECASE)
    if not placed and re.match(r"\W*(?:but not|not|that are not|which are not)\b", match[0], re.IGNORECASE):
        return False
    for path in _list(match["x"], marked):
        plain = path.rstrip("/").removeprefix("./")
        if "*" in plain or not plain:
            return False
        if "/" in plain:
            selection.excluded.append(plain)
        elif "." in plain.lstrip("."):
            selection.name_tests.append(((glob_escape(plain),), True, False))
        else:
            selection.pruned.append(plain)
    return True


def _flat(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    selection.mindepth, selection.maxdepth = 1, 1
    return True


def _deep(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    selection.maxdepth = number(match["n"])
    return True


def _content(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    named = [part for part in JOINT.split(match["x"]) if part]
    if any(part.lower() in KINDS_OF_SIGN or part in NAMED_SIGNS for part in named):
        return False
    texts = tuple(marked.value(part) for part in named)
    joints = {joint.strip(" ,").split(" ")[0].lower() for joint in JOINT.findall(match["x"])} - {""}
    how = (match["how"] or "").strip().lower()
    denied = bool(match["no"]) or how == "neither"
    all_of = "and" in joints or how == "both"
    # "not a and b" may rule out both together or each; "either a and b" says nothing.
    if len(joints) > 1 or (all_of and (denied or how == "either")) or (len(texts) > 1 and not joints):
        return False
    if ("nor" in joints) != (how == "neither") or (how == "both" and "or" in joints):
        return False
    if how and len(texts) < 2:
        return False
    is_word = (match["noun"] or "").strip() in ("word", "words")
    groups = [(text,) for text in texts] if all_of else [texts]
    for group in groups:
        word = is_word and all(re.fullmatch(r"\w+", text) for text in group)
        selection.contents.append(Content(group, denied, word))
    return True


def _nothing(selection: Selection, match: re.Match[str], marked: Marked) -> bool:
    return True


LISTED = r"(?:{x}(?:(?:,? (?:and/or|and|or) |, ?)(?!(?:in|under|with|that|which|are|is|of|from)\b){x})*)"
NAMES, PATHS, EXTENSIONS, GLOBS = (LISTED.replace("{x}", token) for token in (NAME, PATH, EXTENSION, GLOB))
TEXTS = LISTED.replace("{x}", TEXT)
JOINT = re.compile(r",? (?:and|or|nor) (?:the (?:words?|texts?|strings?) )?|, ", re.IGNORECASE)
# Texts of contents: several are joined by words that say whether any or all of them.
CONTENTS = rf"{TEXT}(?:(?:,? (?:and|or|nor) (?:the (?:words?|texts?|strings?) )?|, )(?!(?:in|under|with|that|which|are|is|of|from|not)\b){TEXT})*"
CONTENT_NOUN = r"(?P<noun> (?:words?|texts?|strings?|phrases?|substrings?))?"
CONTENT_HOW = r"(?P<how> (?:either|both|neither))?"
NOT = r"(?P<no>not |don't |do not |does not |doesn't |without |no |non-|never )?"
FILES = r"(?:(?:regular|ordinary|normal|plain|actual) )?files?"
EXCEPT = r"(?:,? ?(?:but )?(?:excluding|except(?: for)?|other than|ignoring|apart from|but not|not including|that are not|which are not|not) (?:the |any |all )?)"
DATE = r"(?P<date>\d{4}-\d\d-\d\d)"


def _compiled(pattern: str) -> LazyPattern:
    return LazyPattern(rf"(?<![^\s(,])(?:{pattern})(?=$|[\s,.;)])")


PHRASES: list[tuple[LazyPattern, Handler]] = [
    (_compiled(pattern), handler)
    for pattern, handler in [
        # names
        (rf"{THAT}(?:named|called)(?: exactly| either)? (?P<x>{NAMES})", _named("«»")),
        (rf"(?:with|whose|having)(?: the| a)? (?:file ?)?names?(?: is| are| of| equal to|(?<=with name)|(?<=with the name)|(?<=with names)|(?<=having name)) (?P<x>{NAMES})", _named("«»")),
        (rf"(?:whose |with (?:a |the )?|that have a |having a )(?:file ?)?names? (?:that )?(?P<no>(?:do not|does not|doesn't|don't|not) )?(?:contains?|containing|includes?|including|has|have|having|with)(?: the)?(?: word| text| string| substring)? (?P<x>{TEXTS})", _named("*«»*")),
        (rf"(?:that |which )?(?P<no>(?:do not|does not|don't|without|not) )?(?:contain(?:s|ing)?|have|having|with|has|includ(?:e|es|ing))(?: the)?(?: word| text| string| substring)? (?P<x>{TEXTS}) in (?:their|its|the) (?:file ?)?names?", _named("*«»*")),
        (rf"(?:whose |with (?:a |the )?|that have )?(?:(?:file ?)?names? )?(?:that |which )?(?P<no>(?:do not|does not|doesn't|don't|not) )?(?:start(?:s|ing)?|begin(?:s|ning)?)(?: with)(?: the)?(?: letters?| prefix| word| string| text)? (?P<x>{TEXTS})", _named("«»*")),
        (rf"(?:whose |with (?:a |the )?|that have )?(?:(?:file ?)?names? )?(?:that |which )?(?P<no>(?:do not|does not|doesn't|don't|not) )?(?:end(?:s|ing)?)(?: (?:in|with))(?: the)?(?: extensions?| suffix(?:es)?| letters?| string| text)? (?P<x>{LISTED.replace('{x}', rf'(?:{EXTENSION}|{TEXT})')})", _ending),
        (rf"(?P<no>without |not )?(?:(?:with|having|of|that have|of the|by|in)(?: the| an?)? )?(?:file )?extensions? (?:is |of |either )?(?P<x>{LISTED.replace('{x}', rf'(?:{EXTENSION}|‹Q[0-9]+›|{BARE})')})", _extensions),
        (rf"(?P<no>without |not )?(?:with|having|of)(?: the| an?)? (?P<x>{BARE}|{QUOTE}) (?:file )?extensions?", _extensions),
        (rf"(?P<no>without |not )?(?:with|having|in|of)(?: the| an?)? (?P<x>{EXTENSIONS}) (?:file )?(?:extensions?|suffix(?:es)?|endings?)", _extensions),
        (rf"(?:the )?{FILES} (?:named |called )?(?P<x>‹[QP]\d+›)", _one_file),
        (rf"(?:{THAT}(?P<no>not |don't |do not |does not )?match(?:es|ing)?(?: the)?(?: glob| pattern| wildcard| name)*) (?P<x>{GLOBS})", _patterns),
        (rf"(?P<no>{EXCEPT})(?:named |called |matching )?(?P<x>{GLOBS})(?: files?)?", _patterns),
        (r"(?P<x>‹G\d+›)(?: files)?", _placed_glob),
        (rf"(?P<no>{EXCEPT}|non-)(?P<x>{EXTENSIONS})(?: files?| ones)?", _extensions),
        (rf"(?P<no>(?!))?(?:(?:all |the )?{FILES} )?(?P<x>{EXTENSIONS})(?=(?: (?:files?|scripts?|documents?|ones|images?))?)", _extensions),
        (r"(?:whose |with (?:a |the )?|that have )?(?:file ?)?names? (?:that )?(?:contains?|containing|includes?|has|have|having|with) (?:a |any )?(?:spaces?|blanks?|white ?spaces?)|(?:with|having|containing|that contain|that have) (?:a |any )?(?:spaces?|blanks?|white ?spaces?) in (?:their|its|the) (?:file ?)?names?", lambda s, m, k: _globs(s, ["* *"], False)),
        # size
        (rf"(?:(?:with |having )?(?:an? )?(?:file )?sizes? )?(?:{THAT})?between (?P<low>\d[\d,.]*) ?(?P<unit1>{UNITS})? and (?P<high>\d[\d,.]*) ?(?P<unit>{UNITS})(?: in size| large| big| long)?", _between),
        (rf"{THAT}(?P<how>(?:with |having )?{MORE}) {AMOUNT}(?: in size| large| big| long)?", _size),
        (rf"{THAT}(?P<how>(?:with |having )?{LESS}) {AMOUNT}(?: in size| large| big| long)?", _size),
        (rf"{THAT}(?P<how>exactly|of exactly|with exactly|of size|with size|with a size of|having a size of|with size exactly) {AMOUNT}(?: in size| large| big| long)?", _size),
        # age
        (rf"{THAT}(?:been )?(?:not (?:been )?){DONE} (?:for|in|within|during) (?:over |more than |at least |the )?(?:last |past |previous )?{SPAN}", _age("+")),
        (rf"{THAT}(?:been )?(?:last )?{DONE} (?:more|longer|over|earlier)(?: than)? {SPAN} ago", _age("+")),
        (rf"{THAT}(?:been )?(?:last )?{DONE} (?:less|fewer|not more|under)(?: than)? {SPAN} ago", _age("-")),
        (rf"{THAT}(?:been )?(?:last )?{DONE} (?:(?:with)?in|during|over|for|less than)? ?(?:the )?(?:last|past|previous) {SPAN}", _age("-")),
        (rf"{THAT}(?:been )?(?:last )?{DONE} within {SPAN}", _age("-")),
        (rf"{THAT}(?:from|in|within|over) the (?:last|past|previous) {SPAN}", _age("-")),
        (rf"{THAT}(?:older|more) than {SPAN}(?: old)?", _age("+")),
        (rf"{THAT}(?:newer|younger|less|more recent) than {SPAN}(?: old)?", _age("-")),
        (rf"{THAT}(?:been )?(?:last )?(?:modified|changed|edited|updated) today", _today),
        (rf"{THAT}(?:been )?(?:last )?(?:modified|changed|edited|updated) yesterday", _yesterday),
        (rf"{THAT}(?:been )?(?:last )?(?:modified|changed|edited|updated) (?P<how>since|after|on or after) (?:the )?{DATE}", _date("modified_after")),
        (rf"{THAT}(?:been )?(?:last )?(?:modified|changed|edited|updated) (?P<how>before|prior to) (?:the )?{DATE}", _date("modified_before")),
        (rf"{THAT}(?:been )?(?:last )?(?:newer than|(?:modified|changed|updated) (?:after|more recently than|later than|since))(?: the)?(?: file)? (?P<x>{PATH})(?: was)?(?: last)?(?: modified| changed)?", _newer),
        # owner and permissions
        (rf"{THAT}(?:owned by|belong(?:s|ing)? to)(?: the)? group {ACTOR}", _owner("group")),
        (rf"{THAT}(?:owned by|belong(?:s|ing)? to)(?: the)?(?: user| owner)? {ACTOR}(?: user)?", _owner("user")),
        (rf"(?:with|having|in)(?: the)? group {ACTOR}", _owner("group")),
        (r"(?:with|having|that have|whose)(?: the| exactly| a)?(?: file)?(?: permissions?| modes?| permissions? (?:mode|bits|set to))(?: of| set to| are| is| equal to| exactly)? (?P<x>0?[0-7]{3,4})", _mode),
        (r"(?:with|having|that have)(?: the)? (?P<x>0?[0-7]{3,4}) (?:permissions?|mode|file permissions|permission mode)", _mode),
        (rf"{THAT}(?:world|other|everyone)[- ]?writ(?:e)?able|{THAT}(?P<no>not )?writ(?:e)?able by (?:everyone|others|anyone|all(?: users)?|the world|anybody)|that (?:everyone|anyone|anybody|others) can write(?: to)?", _perm("-o+w")),
        (rf"{THAT}(?:world|other|everyone)[- ]?readable|{THAT}(?P<no>not )?readable by (?:everyone|others|anyone|all(?: users)?|the world|anybody)|that (?:everyone|anyone|anybody|others) can read", _perm("-o+r")),
        (rf"{THAT}(?:world|other|everyone)[- ]?executable|{THAT}(?P<no>not )?executable by (?:everyone|others|anyone|all(?: users)?|the world|anybody)", _perm("-o+x")),
        (rf"{THAT}group[- ]?writ(?:e)?able|{THAT}writ(?:e)?able by (?:the|their|its) group", _perm("-g+w")),
        (rf"{THAT}(?:owner[- ]?)?executable by (?:the|their|its) (?:owner|user)|that (?:the|their|its) owner can execute", _perm("-u+x")),
        (rf"{THAT}read[- ]?only|{THAT}not writ(?:e)?able(?: by (?:anyone|anybody|everyone))?|without (?:any )?write permissions?(?: for anyone)?", _perm("!/222")),
        (rf"(?:with|that have|having) (?:the )?(?:setuid|suid)(?: bit)?(?: set)?|{THAT}(?:setuid|suid)", _perm("-4000")),
        (rf"(?:with|that have|having) (?:the )?(?:setgid|sgid)(?: bit)?(?: set)?|{THAT}(?:setgid|sgid)", _perm("-2000")),
        (r"(?:with|that have|having) (?:the )?sticky bit(?: set)?", _perm("-1000")),
        # content
        (rf"(?:that |which )?(?P<no>(?:do not|does not|don't|doesn't|not|without|never) )(?:contain(?:s|ing)?|mention(?:s|ing)?|includ(?:e|es|ing)|hav(?:e|ing)|match(?:ing)?)?{CONTENT_HOW}(?: of)?(?: the)?{CONTENT_NOUN} (?P<x>{CONTENTS})(?: (?:in|inside) (?:them|it|their contents?))?(?! in (?:their|its|the) (?:file ?)?names?)", _content),
        (rf"(?P<no>(?!))?(?:that |which )?(?:contain(?:s|ing)?|mention(?:s|ing)?|includ(?:e|es|ing)|holding|hold){CONTENT_HOW}(?: of)?(?: the)?{CONTENT_NOUN} (?P<x>{CONTENTS})(?: (?:in|inside) (?:them|it|their contents?))?(?! in (?:their|its|the) (?:file ?)?names?)", _content),
        (rf"(?P<no>(?:but )?(?:not|without)){CONTENT_HOW}(?: of)?(?: the)?(?P<noun> (?:words?|texts?|strings?|phrases?|substrings?)) (?P<x>{CONTENTS})(?: (?:in|inside) (?:them|it|their contents?))?", _content),
        (rf"(?P<no>but not){CONTENT_HOW}(?P<noun>(?!))? (?P<x>{QUOTE}(?:,? (?:and|or|nor) {QUOTE})*)(?: (?:in|inside) (?:them|it|their contents?))?", _content),
        (rf"(?P<no>(?!))?(?:with|having){CONTENT_HOW}(?: of)?(?: the)?(?P<noun> (?:words?|texts?|strings?|phrases?|substrings?)) (?P<x>{CONTENTS})(?: (?:in|inside) (?:them|it|their contents?))?", _content),
        # depth and scope
        (r"(?:,? ?(?:and |but )?(?:not (?:in|including|descending into|recursing into|searching|looking into|recursive(?:ly)? into)?|without (?:descending into|recursing into|going into|searching|including|recursing)?|excluding|ignoring|no)(?: (?:the|its|any|their))? ?sub-?(?:directories|folders|dirs)|(?:,? )?(?:non-?recursive(?:ly)?|not recursive(?:ly)?|without recursion|not recursing|top[- ]level only|only at the top level|at the top level|directly|immediate(?:ly)?))", _flat),
        (rf"(?:up to|at most|to|with|within|down to)?(?: a)?(?: maximum| max)? ?(?:depth (?:of )?(?P<n>{NUMBER})(?: levels?)?)", _deep),
        (rf"(?:up to|at most|no (?:more|deeper) than|only|to|down) ?(?P<n>{NUMBER}) (?:directory |folder )?levels?(?: (?:deep|down))?", _deep),
        (rf"{EXCEPT}(?:those |(?:the )?ones |anything |files |everything )?(?:(?:(?:that are |which are )?(?:located )?(?:in|under|inside|below|within)) )?(?:the )?(?:{DIR} )?(?P<x>{PATHS})(?: (?:sub-?)?(?:directory|folder|directories|folders))?(?: and its contents)?", _excluded),
        (rf"(?:(?:not|outside)(?: in| under| inside| of)?)(?: the)?(?: {DIR})? (?P<x>{PATHS})(?: {DIR})?", _excluded),
        (rf"(?:directly |only )?{IN} {HERE}(?: only)?(?P<sub>{BELOW})?", _here),
        (rf"{IN} (?:the |my |our )?(?:(?:directory|directories|folder|folders|dir|path|directory tree|sub-?directory|sub-?folder)(?: named| called)? )?(?P<x>{PATHS})(?: (?:directories|folders|{DIR})(?: tree| hierarchy| structure)?)?(?P<sub>{BELOW})?", _scope),
        (rf"{BELOW}", _nothing),
        # what kind of thing
        (r"(?:broken|dangling|dead|orphaned|invalid) (?:sym(?:bolic )?-?|soft )?links?", _kind("l", "broken links")),
        (r"(?:symbolic links?|sym-?links?|soft links?)", _kind("l", "symbolic links")),
        (rf"{FILES} (?:and|or) (?:sub-?)?(?:directories|directory|folders?|dirs)|(?:sub-?)?(?:directories|folders|dirs) and files|entries|items|everything|anything", _kind(None, "files and directories")),
        (r"(?:sub-?)?(?:directories|directory|folders?|dirs?)", _kind("d", "directories")),
        (r"hidden|dot(?=[ -]?files)", lambda s, m, k: _globs(s, [".*"], False)),
        (r"(?:non-hidden|not hidden|that are not hidden|visible)", lambda s, m, k: _globs(s, [".*"], True)),
        (r"(?:that (?:are|is) )?(?:empty|zero[- ](?:bytes?|length|size[d]?)|with no content|of zero size|(?:a )?(?:file )?size (?:of )?(?:0|zero)(?: bytes)?|with (?:a )?(?:file )?size (?:of )?(?:0|zero)(?: bytes)?|0[- ]bytes?)", _test(empty=True)),
        (r"(?:non-?empty|not empty|that are not empty)", _sized("+0c")),
        (rf"{THAT}(?P<no>not |non-)?(?:executables?(?= files?| scripts?|$)|(?:marked )?executable|can be executed)", _perm("/111")),
        (rf"{FILES}|dot-?files", _kind("f", "files")),
        (rf"(?P<no>(?!))?(?P<x>{GLOBS})", _patterns),
    ]
]  # fmt: skip
KIND_NOUN = r"(?: (?:source )?(?:files?|scripts?|documents?|modules?|sources?|ones))"
ANY_CASE = re.compile(
    r",? ?\b(?:case[- ]insensitiv(?:e|ely)|ignoring (?:the )?case|regardless of (?:the )?case)(?: (?:search|match))?\b",
    re.IGNORECASE,
)


def read_selection(text: str, marked: Marked) -> Selection | None:
    """The selection a noun phrase describes, or None where a word of it is not understood."""
    selection = Selection()
    rest, ignored = ANY_CASE.subn(" ", f" {text.strip()} ")
    rest = _take_kinds(rest, selection)
    for pattern, handler in PHRASES:
        while match := pattern.search(rest):
            if not handler(selection, match, marked):
                return None
            rest = f"{rest[: match.start()]} {rest[match.end() :]}"
            rest = re.sub(r"\s+", " ", rest)
    words = re.findall(r"[^\s,;()]+", rest)
    if any(word.lower() not in NOISE for word in words):
        return None
    if ignored and not selection.name_tests and not selection.contents:
        return None
    if ignored:
        selection.name_tests = [(globs, denied, True) for globs, denied, _ in selection.name_tests]
        selection.contents = [replace(content, ignore_case=True) for content in selection.contents]
    return _finished(selection, text)


def _finished(selection: Selection, text: str) -> Selection | None:
    """The selection with what its words imply, or None if nothing says what is selected."""
    if selection.noun == "broken links":
        selection.kind = None
        selection.tests["broken"] = True
    if selection.noun == "entries":
        if not selection.name_tests or selection.maxdepth is None and not re.search(r"‹[EG]\d+›", text):
            return None
        selection.kind, selection.noun = "f", "files"
    if selection.kind is None and selection.contents:
        return None
    if selection.noun == "files and directories":
        selection.mindepth = selection.mindepth or 1
    return selection


@cache
def _of_kind(noun: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Files of a kind, left out and wanted."""
    return (
        re.compile(rf"{EXCEPT}{noun}{KIND_NOUN}", re.IGNORECASE),
        re.compile(rf"{noun}{KIND_NOUN}|{noun}(?<=files)", re.IGNORECASE),
    )


def _take_kinds(rest: str, selection: Selection) -> str:
    for kind in load_lexicon().kinds:
        negated, wanted = _of_kind(kind.pattern.pattern)
        for pattern, denied in ((negated, True), (wanted, False)):
            if pattern.search(rest):
                selection.name_tests.append((kind.globs, denied, False))
                if not denied and selection.noun == "entries":
                    selection.kind, selection.noun = "f", "files"
                rest = pattern.sub(" ", rest, count=1)
    return rest
