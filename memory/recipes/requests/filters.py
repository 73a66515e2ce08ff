"""Phrases that say which files are meant, each taken out of the text as it is understood.

What is left over, beside words that say nothing by themselves, is not understood: then there is no selection.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from memory.recipes.lexicon import load_lexicon
from memory.recipes.requests.filter_wording import (
    ACTOR,
    AMOUNT,
    BELOW,
    CONTENT_HOW,
    CONTENT_NOUN,
    CONTENTS,
    DATE,
    DIR,
    DONE,
    EXCEPT,
    EXTENSIONS,
    FILES,
    GLOBS,
    HERE,
    IN,
    KIND_NOUN,
    LESS,
    LISTED,
    MORE,
    NAMES,
    PATHS,
    SPAN,
    TEXTS,
    THAT,
    UNITS,
    Handler,
)
from memory.recipes.requests.filters_by_content import with_content
from memory.recipes.requests.filters_by_fact import (
    between_sizes,
    newer_than,
    of_age,
    of_date,
    of_fixed_size,
    of_size,
    of_today,
    of_yesterday,
    owned_by,
    that_is,
    with_mode,
    with_permission,
)
from memory.recipes.requests.filters_by_name import (
    add_globs,
    ending_in,
    glob_in_place,
    matching_glob,
    of_kind,
    one_file,
    with_extension,
    with_name,
)
from memory.recipes.requests.filters_by_place import (
    anywhere_below,
    here,
    in_place,
    not_below,
    not_in,
    so_deep,
)
from memory.recipes.requests.lazy_pattern import LazyPattern
from memory.recipes.requests.marked import BARE, EXTENSION, NUMBER, PATH, QUOTE, TEXT, Marked
from memory.recipes.requests.selection import Selection

# "only" narrows nothing where each phrase beside it was understood; "but" rules out what follows it.
NOISE = frozenset(
    "the all every each any of that which are is and have has with there exist exists existing been located found "
    "currently present whose also only in recursively their its this these those on".split()
)


def _compiled(pattern: str) -> LazyPattern:
    return LazyPattern(rf"(?<![^\s(,])(?:{pattern})(?=$|[\s,.;)])")


PHRASES: list[tuple[LazyPattern, Handler]] = [
    (_compiled(pattern), handler)
    for pattern, handler in [
        # names
        (rf"{THAT}(?:named|called)(?: exactly| either)? (?P<x>{NAMES})", with_name("«»")),
        (rf"(?:with|whose|having)(?: the| a)? (?:file ?)?names?(?: is| are| of| equal to|(?<=with name)|(?<=with the name)|(?<=with names)|(?<=having name)) (?P<x>{NAMES})", with_name("«»")),
        (rf"(?:whose |with (?:a |the )?|that have a |having a )(?:file ?)?names? (?:that )?(?P<no>(?:do not|does not|doesn't|don't|not) )?(?:contains?|containing|includes?|including|has|have|having|with)(?: the)?(?: word| text| string| substring)? (?P<x>{TEXTS})", with_name("*«»*")),
        (rf"(?:that |which )?(?P<no>(?:do not|does not|don't|without|not) )?(?:contain(?:s|ing)?|have|having|with|has|includ(?:e|es|ing))(?: the)?(?: word| text| string| substring)? (?P<x>{TEXTS}) in (?:their|its|the) (?:file ?)?names?", with_name("*«»*")),
        (rf"(?:whose |with (?:a |the )?|that have )?(?:(?:file ?)?names? )?(?:that |which )?(?P<no>(?:do not|does not|doesn't|don't|not) )?(?:start(?:s|ing)?|begin(?:s|ning)?)(?: with)(?: the)?(?: letters?| prefix| word| string| text)? (?P<x>{TEXTS})", with_name("«»*")),
        (rf"(?:whose |with (?:a |the )?|that have )?(?:(?:file ?)?names? )?(?:that |which )?(?P<no>(?:do not|does not|doesn't|don't|not) )?(?:end(?:s|ing)?)(?: (?:in|with))(?: the)?(?: extensions?| suffix(?:es)?| letters?| string| text)? (?P<x>{LISTED.replace('{x}', rf'(?:{EXTENSION}|{TEXT})')})", ending_in),
        (rf"(?P<no>without |not )?(?:(?:with|having|of|that have|of the|by|in)(?: the| an?)? )?(?:file )?extensions? (?:is |of |either )?(?P<x>{LISTED.replace('{x}', rf'(?:{EXTENSION}|‹Q[0-9]+›|{BARE})')})", with_extension),
        (rf"(?P<no>without |not )?(?:with|having|of)(?: the| an?)? (?P<x>{BARE}|{QUOTE}) (?:file )?extensions?", with_extension),
        (rf"(?P<no>without |not )?(?:with|having|in|of)(?: the| an?)? (?P<x>{EXTENSIONS}) (?:file )?(?:extensions?|suffix(?:es)?|endings?)", with_extension),
        (rf"(?:the )?{FILES} (?:named |called )?(?P<x>‹[QP]\d+›)", one_file),
        (rf"(?:{THAT}(?P<no>not |don't |do not |does not )?match(?:es|ing)?(?: the)?(?: glob| pattern| wildcard| name)*) (?P<x>{GLOBS})", matching_glob),
        (rf"(?P<no>{EXCEPT})(?:named |called |matching )?(?P<x>{GLOBS})(?: files?)?", matching_glob),
        (r"(?P<x>‹G\d+›)(?: files)?", glob_in_place),
        (rf"(?P<no>{EXCEPT}|non-)(?P<x>{EXTENSIONS})(?: files?| ones)?", with_extension),
        (rf"(?P<no>(?!))?(?:(?:all |the )?{FILES} )?(?P<x>{EXTENSIONS})(?=(?: (?:files?|scripts?|documents?|ones|images?))?)", with_extension),
        (r"(?:whose |with (?:a |the )?|that have )?(?:file ?)?names? (?:that )?(?:contains?|containing|includes?|has|have|having|with) (?:a |any )?(?:spaces?|blanks?|white ?spaces?)|(?:with|having|containing|that contain|that have) (?:a |any )?(?:spaces?|blanks?|white ?spaces?) in (?:their|its|the) (?:file ?)?names?", lambda s, m, k: add_globs(s, ["* *"], False)),
        # size
        (rf"(?:(?:with |having )?(?:an? )?(?:file )?sizes? )?(?:{THAT})?between (?P<low>\d[\d,.]*) ?(?P<unit1>{UNITS})? and (?P<high>\d[\d,.]*) ?(?P<unit>{UNITS})(?: in size| large| big| long)?", between_sizes),
        (rf"{THAT}(?P<how>(?:with |having )?{MORE}) {AMOUNT}(?: in size| large| big| long)?", of_size),
        (rf"{THAT}(?P<how>(?:with |having )?{LESS}) {AMOUNT}(?: in size| large| big| long)?", of_size),
        (rf"{THAT}(?P<how>exactly|of exactly|with exactly|of size|with size|with a size of|having a size of|with size exactly) {AMOUNT}(?: in size| large| big| long)?", of_size),
        # age
        (rf"{THAT}(?:been )?(?:not (?:been )?){DONE} (?:for|in|within|during) (?:over |more than |at least |the )?(?:last |past |previous )?{SPAN}", of_age("+")),
        (rf"{THAT}(?:been )?(?:last )?{DONE} (?:more|longer|over|earlier)(?: than)? {SPAN} ago", of_age("+")),
        (rf"{THAT}(?:been )?(?:last )?{DONE} (?:less|fewer|not more|under)(?: than)? {SPAN} ago", of_age("-")),
        (rf"{THAT}(?:been )?(?:last )?{DONE} (?:(?:with)?in|during|over|for|less than)? ?(?:the )?(?:last|past|previous) {SPAN}", of_age("-")),
        (rf"{THAT}(?:been )?(?:last )?{DONE} within {SPAN}", of_age("-")),
        (rf"{THAT}(?:from|in|within|over) the (?:last|past|previous) {SPAN}", of_age("-")),
        (rf"{THAT}(?:older|more) than {SPAN}(?: old)?", of_age("+")),
        (rf"{THAT}(?:newer|younger|less|more recent) than {SPAN}(?: old)?", of_age("-")),
        (rf"{THAT}(?:been )?(?:last )?(?:modified|changed|edited|updated) today", of_today),
        (rf"{THAT}(?:been )?(?:last )?(?:modified|changed|edited|updated) yesterday", of_yesterday),
        (rf"{THAT}(?:been )?(?:last )?(?:modified|changed|edited|updated) (?P<how>since|after|on or after) (?:the )?{DATE}", of_date("modified_after")),
        (rf"{THAT}(?:been )?(?:last )?(?:modified|changed|edited|updated) (?P<how>before|prior to) (?:the )?{DATE}", of_date("modified_before")),
        (rf"{THAT}(?:been )?(?:last )?(?:newer than|(?:modified|changed|updated) (?:after|more recently than|later than|since))(?: the)?(?: file)? (?P<x>{PATH})(?: was)?(?: last)?(?: modified| changed)?", newer_than),
        # owner and permissions
        (rf"{THAT}(?:owned by|belong(?:s|ing)? to)(?: the)? group {ACTOR}", owned_by("group")),
        (rf"{THAT}(?:owned by|belong(?:s|ing)? to)(?: the)?(?: user| owner)? {ACTOR}(?: user)?", owned_by("user")),
        (rf"(?:with|having|in)(?: the)? group {ACTOR}", owned_by("group")),
        (r"(?:with|having|that have|whose)(?: the| exactly| a)?(?: file)?(?: permissions?| modes?| permissions? (?:mode|bits|set to))(?: of| set to| are| is| equal to| exactly)? (?P<x>0?[0-7]{3,4})", with_mode),
        (r"(?:with|having|that have)(?: the)? (?P<x>0?[0-7]{3,4}) (?:permissions?|mode|file permissions|permission mode)", with_mode),
        (rf"{THAT}(?:world|other|everyone)[- ]?writ(?:e)?able|{THAT}(?P<no>not )?writ(?:e)?able by (?:everyone|others|anyone|all(?: users)?|the world|anybody)|that (?:everyone|anyone|anybody|others) can write(?: to)?", with_permission("-o+w")),
        (rf"{THAT}(?:world|other|everyone)[- ]?readable|{THAT}(?P<no>not )?readable by (?:everyone|others|anyone|all(?: users)?|the world|anybody)|that (?:everyone|anyone|anybody|others) can read", with_permission("-o+r")),
        (rf"{THAT}(?:world|other|everyone)[- ]?executable|{THAT}(?P<no>not )?executable by (?:everyone|others|anyone|all(?: users)?|the world|anybody)", with_permission("-o+x")),
        (rf"{THAT}group[- ]?writ(?:e)?able|{THAT}writ(?:e)?able by (?:the|their|its) group", with_permission("-g+w")),
        (rf"{THAT}(?:owner[- ]?)?executable by (?:the|their|its) (?:owner|user)|that (?:the|their|its) owner can execute", with_permission("-u+x")),
        (rf"{THAT}read[- ]?only|{THAT}not writ(?:e)?able(?: by (?:anyone|anybody|everyone))?|without (?:any )?write permissions?(?: for anyone)?", with_permission("!/222")),
        (rf"(?:with|that have|having) (?:the )?(?:setuid|suid)(?: bit)?(?: set)?|{THAT}(?:setuid|suid)", with_permission("-4000")),
        (rf"(?:with|that have|having) (?:the )?(?:setgid|sgid)(?: bit)?(?: set)?|{THAT}(?:setgid|sgid)", with_permission("-2000")),
        (r"(?:with|that have|having) (?:the )?sticky bit(?: set)?", with_permission("-1000")),
        # content
        (rf"(?:that |which )?(?P<no>(?:do not|does not|don't|doesn't|not|without|never) )(?:contain(?:s|ing)?|mention(?:s|ing)?|includ(?:e|es|ing)|hav(?:e|ing)|match(?:ing)?)?{CONTENT_HOW}(?: of)?(?: the)?{CONTENT_NOUN} (?P<x>{CONTENTS})(?: (?:in|inside) (?:them|it|their contents?))?(?! in (?:their|its|the) (?:file ?)?names?)", with_content),
        (rf"(?P<no>(?!))?(?:that |which )?(?:contain(?:s|ing)?|mention(?:s|ing)?|includ(?:e|es|ing)|holding|hold){CONTENT_HOW}(?: of)?(?: the)?{CONTENT_NOUN} (?P<x>{CONTENTS})(?: (?:in|inside) (?:them|it|their contents?))?(?! in (?:their|its|the) (?:file ?)?names?)", with_content),
        (rf"(?P<no>(?:but )?(?:not|without)){CONTENT_HOW}(?: of)?(?: the)?(?P<noun> (?:words?|texts?|strings?|phrases?|substrings?)) (?P<x>{CONTENTS})(?: (?:in|inside) (?:them|it|their contents?))?", with_content),
        (rf"(?P<no>but not){CONTENT_HOW}(?P<noun>(?!))? (?P<x>{QUOTE}(?:,? (?:and|or|nor) {QUOTE})*)(?: (?:in|inside) (?:them|it|their contents?))?", with_content),
        (rf"(?P<no>(?!))?(?:with|having){CONTENT_HOW}(?: of)?(?: the)?(?P<noun> (?:words?|texts?|strings?|phrases?|substrings?)) (?P<x>{CONTENTS})(?: (?:in|inside) (?:them|it|their contents?))?", with_content),
        # depth and scope
        (r"(?:,? ?(?:and |but )?(?:not (?:in|including|descending into|recursing into|searching|looking into|recursive(?:ly)? into)?|without (?:descending into|recursing into|going into|searching|including|recursing)?|excluding|ignoring|no)(?: (?:the|its|any|their))? ?sub-?(?:directories|folders|dirs)|(?:,? )?(?:non-?recursive(?:ly)?|not recursive(?:ly)?|without recursion|not recursing|top[- ]level only|only at the top level|at the top level|directly|immediate(?:ly)?))", not_below),
        (rf"(?:up to|at most|to|with|within|down to)?(?: a)?(?: maximum| max)? ?(?:depth (?:of )?(?P<n>{NUMBER})(?: levels?)?)", so_deep),
        (rf"(?:up to|at most|no (?:more|deeper) than|only|to|down) ?(?P<n>{NUMBER}) (?:directory |folder )?levels?(?: (?:deep|down))?", so_deep),
        (rf"{EXCEPT}(?:those |(?:the )?ones |anything |files |everything )?(?:(?:(?:that are |which are )?(?:located )?(?:in|under|inside|below|within)) )?(?:the )?(?:{DIR} )?(?P<x>{PATHS})(?: (?:sub-?)?(?:directory|folder|directories|folders))?(?: and its contents)?", not_in),
        (rf"(?:(?:not|outside)(?: in| under| inside| of)?)(?: the)?(?: {DIR})? (?P<x>{PATHS})(?: {DIR})?", not_in),
        (rf"(?:directly |only )?{IN} {HERE}(?: only)?(?P<sub>{BELOW})?", here),
        (rf"{IN} (?:the |my |our )?(?:(?:directory|directories|folder|folders|dir|path|directory tree|sub-?directory|sub-?folder)(?: named| called)? )?(?P<x>{PATHS})(?: (?:directories|folders|{DIR})(?: tree| hierarchy| structure)?)?(?P<sub>{BELOW})?", in_place),
        (rf"{BELOW}", anywhere_below),
        # what kind of thing
        (r"(?:broken|dangling|dead|orphaned|invalid) (?:sym(?:bolic )?-?|soft )?links?", of_kind("l", "broken links")),
        (r"(?:symbolic links?|sym-?links?|soft links?)", of_kind("l", "symbolic links")),
        (rf"{FILES} (?:and|or) (?:sub-?)?(?:directories|directory|folders?|dirs)|(?:sub-?)?(?:directories|folders|dirs) and files|entries|items|everything|anything", of_kind(None, "files and directories")),
        (r"(?:sub-?)?(?:directories|directory|folders?|dirs?)", of_kind("d", "directories")),
        (r"hidden|dot(?=[ -]?files)", lambda s, m, k: add_globs(s, [".*"], False)),
        (r"(?:non-hidden|not hidden|that are not hidden|visible)", lambda s, m, k: add_globs(s, [".*"], True)),
        (r"(?:that (?:are|is) )?(?:empty|zero[- ](?:bytes?|length|size[d]?)|with no content|of zero size|(?:a )?(?:file )?size (?:of )?(?:0|zero)(?: bytes)?|with (?:a )?(?:file )?size (?:of )?(?:0|zero)(?: bytes)?|0[- ]bytes?)", that_is(empty=True)),
        (r"(?:non-?empty|not empty|that are not empty)", of_fixed_size("+0c")),
        (rf"{THAT}(?P<no>not |non-)?(?:executables?(?= files?| scripts?|$)|(?:marked )?executable|can be executed)", with_permission("/111")),
        (rf"{FILES}|dot-?files", of_kind("f", "files")),
        (rf"(?P<no>(?!))?(?P<x>{GLOBS})", matching_glob),
    ]
]  # fmt: skip
# Files that are both, or files that are either: "hidden and empty files".
EITHER_OR_BOTH = re.compile(
    r"\b(?:hidden|(?:non-)?empty|executable|read-?only|writable)(?: files)? and (?:all |any |the )*(?:hidden|(?:non-)?empty|executable|read-?only|writable|‹[EG]\d+›)(?!\w)"
    r"|(?:‹[EG]\d+›|\bfiles) and (?:all |any |the )*(?:hidden|(?:non-)?empty|executable|read-?only|writable)(?: files| ones)?$",
    re.IGNORECASE,
)
# "Except a.txt and those older than a day": the second condition is ruled out too, or says which are meant.
RULED_OUT_BY_MORE = re.compile(
    rf"{EXCEPT}(?:those |ones |files? )?(?:named |called )?(?!(?:be|been|being|have|has|yet|ever)\b)(?:{PATHS}|{GLOBS}|{EXTENSIONS})(?: files?| ones)?(?:,? (?:and|or))? "
    r"(?:the |those |any |all |files? |ones |anything |everything )*"
    r"(?:older|newer|larger|smaller|bigger|containing|that|which|with|whose|modified|changed|accessed|owned|starting|beginning|ending|hidden|empty|executable)\b",
    re.IGNORECASE,
)
ANY_CASE = re.compile(
    r",? ?\b(?:case[- ]insensitiv(?:e|ely)|ignoring (?:the )?case|regardless of (?:the )?case)(?: (?:search|match))?\b",
    re.IGNORECASE,
)


def read_selection(text: str, marked: Marked) -> Selection | None:
    """The selection a noun phrase describes, or None where a word of it is not understood."""
    if EITHER_OR_BOTH.search(text) or RULED_OUT_BY_MORE.search(text):
        return None
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
def _files_of_kind(noun: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Files of a kind, left out and wanted."""
    return (
        re.compile(rf"{EXCEPT}{noun}{KIND_NOUN}", re.IGNORECASE),
        re.compile(rf"{noun}{KIND_NOUN}|{noun}(?<=files)", re.IGNORECASE),
    )


def _take_kinds(rest: str, selection: Selection) -> str:
    for kind in load_lexicon().kinds:
        negated, wanted = _files_of_kind(kind.pattern.pattern)
        for pattern, denied in ((negated, True), (wanted, False)):
            if pattern.search(rest):
                selection.name_tests.append((kind.globs, denied, False))
                if not denied and selection.noun == "entries":
                    selection.kind, selection.noun = "f", "files"
                rest = pattern.sub(" ", rest, count=1)
    return rest
