"""Whether a goal asks for a change of files, or only for an answer."""

from __future__ import annotations

import re
from functools import lru_cache

from memory.recipes.ground import written
from memory.recipes.lexicon import load_lexicon
from memory.recipes.orders import orders_change
from memory.recipes.requests.read import changes_files, only_shows

# "In config.ini, replace ...": the place is said before the verb.
PLACE = re.compile(
    r"^(?:in|inside|within|under|below|at the (?:end|top|start) of) [^,;?]{1,80}, (?=\w)", re.IGNORECASE
)
# "Set debug to false in config.ini": what is set is a word of the file's own.
SETTING = re.compile(
    r"^(?:(?:please|now|then|can you|could you) )*"
    r"(?:set|change|switch|bump|turn|raise|lower|increase|decrease)"
    r" (?:the )?(?!of\b|in\b)[\w.-]+(?: [\w.-]+){0,4}?"
    r" (?:(?:in|of|within|inside) \S*[./]\w+\b.*? )?(?:to|from|on|off|by)\b.*"
    r"(?<![\w.])[\w./-]*[\w-]\.[A-Za-z]\w{0,7}(?!\w)",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)
def wants_change(goal: str) -> bool:
    """True if the goal asks for something to be made, altered, removed or run, in any of six languages.

    What is not clearly asked for is a question: a plan for it may change nothing, whoever writes the plan.
    """
    if only_shows(goal):
        return False
    text = written(goal)
    changes = load_lexicon().changes
    if changes.search(text) or SETTING.search(text) or changes_files(goal):
        return True
    place = PLACE.match(text)
    return (place is not None and changes.search(text[place.end() :]) is not None) or orders_change(goal)
