"""How requests for lines say which, where and how many: parts of patterns."""

from __future__ import annotations

import re

from memory.recipes.requests.marked import TEXT
from memory.recipes.requests.wording import COUNT, HOW_MANY

Match = re.Match[str]
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
UNIT = r"(?:lines?|words?|characters?|chars?|bytes?)"
SIGNS = r"(?:tabs?|spaces?|a space|a tab|a comma|a newline|an underscore|a dash|a hyphen|commas?|semicolons?|newlines?|colons|underscores|dashes|hyphens|dots|slashes)"
MODS = r"(?P<mods>(?:,? (?:in|by|on|numeric|alphabet|and|while|remov|without|as|unique|case|ignoring|using|from|revers|descend|ascend|according|largest|then)\S*\b.*)?)"
COUNTING = rf"(?:{COUNT}|{HOW_MANY})"
