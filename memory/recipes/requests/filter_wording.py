"""How requests say which files are meant: parts of patterns."""

from __future__ import annotations

import re
from collections.abc import Callable

from memory.recipes.quantities import UNIT_BYTES
from memory.recipes.recency import MINUTES
from memory.recipes.requests.marked import EXTENSION, GLOB, NAME, NUMBER, PATH, TEXT, Marked
from memory.recipes.requests.selection import Selection

Handler = Callable[[Selection, re.Match[str], Marked], bool]
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
SPANS = {"second": 1 / 60, **MINUTES, "min": 1}
"""Minutes of each unit."""

SPAN = rf"(?:(?P<n>{NUMBER}|an?|few|couple of) )?(?P<unit>{'|'.join(SPANS)})s?"
DONE = r"(?P<what>modified|changed|edited|updated|written|touched|accessed|read|opened|created|added)"
ACTOR = r"(?P<x>‹[QP]\d+›|[a-z_][\w-]*)"
LISTED = r"(?:{x}(?:(?:,? (?:and/or|and|or) |, ?)(?!(?:in|under|with|that|which|are|is|of|from)\b){x})*)"
NAMES, PATHS, EXTENSIONS, GLOBS = (LISTED.replace("{x}", token) for token in (NAME, PATH, EXTENSION, GLOB))
TEXTS = LISTED.replace("{x}", TEXT)
# Texts of contents: several are joined by words that say whether any or all of them.
CONTENTS = rf"{TEXT}(?:(?:,? (?:and|or|nor) (?:the (?:words?|texts?|strings?) )?|, )(?!(?:in|under|with|that|which|are|is|of|from|not)\b){TEXT})*"
CONTENT_NOUN = r"(?P<noun> (?:words?|texts?|strings?|phrases?|substrings?))?"
CONTENT_HOW = r"(?P<how> (?:either|both|neither))?"
NOT = r"(?P<no>not |don't |do not |does not |doesn't |without |no |non-|never )?"
FILES = r"(?:(?:regular|ordinary|normal|plain|actual) )?files?"
EXCEPT = r"(?:,? ?(?:but )?(?:excluding|except(?: for)?|other than|ignoring|apart from|but not|not including|that are not|which are not|not) (?:the |any |all )?)"
DATE = r"(?P<date>\d{4}-\d\d-\d\d)"
KIND_NOUN = r"(?: (?:source )?(?:files?|scripts?|documents?|modules?|sources?|ones))"
