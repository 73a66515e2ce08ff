"""What the words of a goal say about the work it needs, in six languages: numbers beside its embedding."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

from memory.recipes.shipped import shipped_yaml

# Classes of `configs/exemplars/signals.yaml` that are no numbers of their own.
NOT_COUNTED = frozenset({"own", "common"})
CHINESE = re.compile(r"[\u3400-\u9fff]")
EXTENSION = (
    r"pyi?|[jt]sx?|rs|go|java|kt|[ch]|[ch]pp|cc|rb|php|sh|bash|md|rst|txt|csv|tsv|jsonl?|ya?ml|toml|ini|cfg|conf|xml"
    r"|html?|s?css|sql|log|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|mp[34]|wav|zip|tar|gz|bak|tmp|lock|ipynb|parquet"
    r"|db|sqlite|diff|patch|tex|bib"
)
# Names of software that look like files.
SOFTWARE = r"(?!(?:node|vue|next|nuxt|d3|three|express|react|angular|ember|backbone|chart|moment)\.js\b)"
URL = re.compile(r"\b\w+://\S+|\bwww\.\S+")
FILE = re.compile(
    rf"(?<![\w.@/-]){SOFTWARE}(?:[~.]{{0,2}}/)?(?:[\w.-]+/)*[\w-][\w.-]*\.(?:{EXTENSION})(?!\w|\.\w)"
    r"|(?<![\w.@/-])(?:[~.]{1,2}/[\w.-]+|(?:[\w.-]+/){2,}[\w.-]*|[\w.-]{3,}/(?![\w/])|/(?:[\w.-]+/)+[\w.-]*)",
    re.IGNORECASE,
)
DOTTED = re.compile(rf"(?<![\w.])\.(?:env|git\w+|dockerignore|editorconfig|{EXTENSION})(?!\w)", re.IGNORECASE)
GLOB = re.compile(r"\*\.\w+|\w\*(?!\w)")
IDENTIFIER = re.compile(
    r"(?<!\w)(?:[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Z]\w*[a-z]\w*[A-Z]\w*|\w+\(\))", re.ASCII
)
# Commands that are no words of a sentence: whoever types one wants to see what it prints.
COMMAND = re.compile(
    r"\s*(?:(?:ls|pwd|wc|du|df|tree|stat)(?:\s+[-./~*]\S*)*(?:\s+\S+)?"
    r"|git (?:status|log|diff|show|branch|blame|stash|tag|remote)\b.*)\s*"
)
HASH = re.compile(r"(?<!\w)(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}(?!\w)")
QUOTED = re.compile(r"[\"“«'`„].{1,60}?[\"”»'`“]")
# Apostrophes stand in words as well, so they quote nothing here unless blanks are around them.
IN_QUOTES = re.compile(r"\"[^\"]+\"|“[^”]+”|«[^»]+»|„[^“”]+[“”]|`[^`]+`|(?<!\w)'[^']+'(?!\w)")
SUM = re.compile(r"\d\s*[-+*/x×^%]\s*\d|\d+\s*%")
ACCENTED = re.compile(r"[À-ÖØ-öø-ÿœ¿¡]")
WORD = re.compile(r"[a-z]+'?")
# Chinese writes about 1.7 characters a word.
CHARACTERS_A_WORD = 1.7
# Of a long goal the ends are read: what is asked stands there, and reading takes time.
MOST_CHARACTERS = 1200
# No name of a file is longer, and patterns of names are slow on one endless word.
LONGEST_NAME = 255


def fold(text: str) -> str:
    """Text in lower case, without accents, invisible characters and repeated white space.

    Goals are typed with and without all of these, and mean the same.
    """
    plain = unicodedata.normalize("NFKC", text.replace("’", "'"))
    visible = "".join(
        char for char in plain if unicodedata.category(char) not in ("Cf", "Cc") or char in "\n\t"
    )
    parts = unicodedata.normalize("NFKD", visible.lower())
    bare = "".join(char for char in parts if not unicodedata.combining(char))
    return " ".join(unicodedata.normalize("NFC", bare).split())


@cache
def _patterns() -> dict[str, list[re.Pattern[str]]]:
    """For every class of words, one pattern a language."""
    data = shipped_yaml("exemplars", "signals.yaml")
    return {
        name: [
            re.compile("|".join(words) if language == "zh" else rf"(?<!\w)(?:{'|'.join(words)})(?!\w)")
            for language, words in languages.items()
        ]
        for name, languages in data.items()
        if name != "common"
    }


@cache
def _common_words() -> dict[str, frozenset[str]]:
    return {
        language: frozenset(words)
        for language, words in shipped_yaml("exemplars", "signals.yaml")["common"].items()
    }


def ends(text: str) -> str:
    """The text, or both ends of a long one."""
    half = MOST_CHARACTERS // 2
    return text if len(text) <= MOST_CHARACTERS else f"{text[:half]} {text[-half:]}"


def is_english(goal: str, least: int = 0) -> bool:
    """True unless another of the six languages explains more words of the goal.

    What is quoted, and names of files, are in no language.

    Args:
        goal: any text, as typed.
        least: English words it must hold; with 0, what holds no word of any language is English.
    """
    said = FILE.sub(" ", IN_QUOTES.sub(" ", ends(goal)))
    words = WORD.findall(fold(said))
    known = {language: sum(word in common for word in words) for language, common in _common_words().items()}
    foreign = len(CHINESE.findall(said)) + len(ACCENTED.findall(said))
    return known["en"] >= max(*known.values(), min(foreign, 3), least)


def names_own_material(goal: str) -> bool:
    """True if a file, a path, the user's project or a bare command is named: nobody knows these by heart."""
    if COMMAND.fullmatch(ends(goal)):
        return True
    words = unicodedata.normalize("NFKC", goal).split()
    visible = URL.sub(" ", " ".join(word for word in words if len(word) <= LONGEST_NAME))
    if FILE.search(visible) or GLOB.search(visible):
        return True
    folded = fold(goal)
    return any(pattern.search(folded) for pattern in _patterns()["own"])


def words_of(name: str, goal: str) -> tuple[str, ...]:
    """The words of a class of `signals.yaml` in a goal, folded, in the language that has most of them."""
    folded = fold(goal)
    found = [[match.group() for match in pattern.finditer(folded)] for pattern in _patterns()[name]]
    most: list[str] = max(found, key=len)
    return tuple(most)


def asks_for_change(goal: str) -> bool:
    """True if a word of the goal asks for something to be made, altered or removed."""
    folded = fold(goal)
    return any(pattern.search(folded) for pattern in _patterns()["change"])


def signals(goal: str) -> NDArray[np.float32]:
    """What is counted in one goal; every number lies between 0 and 1.2."""
    goal = ends(goal)
    folded = fold(goal)
    numbers: list[float] = []
    for name, patterns in _patterns().items():
        if name not in NOT_COUNTED:
            most = max(sum(1 for _ in pattern.finditer(folded)) for pattern in patterns)
            numbers += [min(most, 1), min(most, 3) / 3]
    length = len(folded.split()) + len(CHINESE.findall(folded)) / CHARACTERS_A_WORD
    numbers += [
        bool(FILE.search(goal)),
        bool(DOTTED.search(goal)),
        bool(GLOB.search(goal)),
        bool(IDENTIFIER.search(goal)),
        bool(HASH.search(goal)),
        bool(QUOTED.search(goal)),
        bool(SUM.search(goal)),
        any(char.isdigit() for char in goal),
        min(float(np.log1p(length)) / 4, 1.2),
        length <= 2,
        "?" in goal or "？" in goal,
    ]
    return np.array(numbers, np.float32)
