"""What the words of a goal say about the engine it needs: numbers beside its embedding, and reasons.

The words are those of `configs/routing/cues.yaml`. What is quoted, what names a file and what is only looked
for ("the word audit") says nothing about the engine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from memory.recipes.shipped import shipped_yaml
from memory.recipes.signals import FILE, IN_QUOTES, ends, fold, names_own_material, signals

# Looked at as a whole goal only (`nodes.routing.rules`), so it is no number.
NOT_COUNTED = frozenset({"greeting"})
MENTIONED = re.compile(
    r"\b(?:grep(?: for)?(?: the)?|the (?:words?|terms?|strings?|texts?|phrases?)|das wort|le mot|la palabra"
    r"|la parola) [\w-]+(?: (?!in\b|of\b|occurs?\b)[\w-]+)?"
)
# Any name with an ending, such as CITATION.cff, whatever `FILE` knows of it.
NAME = re.compile(r"(?<![\w.])[\w-]*[A-Za-z][\w-]*\.[A-Za-z]{1,5}(?![\w.])")
MOST_COUNTED = 3


@dataclass(frozen=True)
class Cues:
    """What was found in a goal.

    Attributes:
        words: what was found, by class; classes without any are left out.
        own: True if it names files or a project of the person.
    """

    words: Mapping[str, tuple[str, ...]]
    own: bool

    def has(self, *classes: str) -> bool:
        """True if a word of one of the classes was found."""
        return any(name in self.words for name in classes)


@cache
def patterns() -> dict[str, dict[str, re.Pattern[str]]]:
    """For every class, a pattern by language."""
    return {
        name: {
            language: re.compile(
                "|".join(words) if language == "zh" else rf"(?<!\w)(?:{'|'.join(words)})(?!\w)"
            )
            for language, words in languages.items()
        }
        for name, languages in shipped_yaml("routing", "cues.yaml").items()
    }


def said(goal: str) -> str:
    """The folded words of a goal that are its own: no quotations, names of files or words looked for."""
    return MENTIONED.sub(" ", fold(NAME.sub(" ", FILE.sub(" ", IN_QUOTES.sub(" ", ends(goal))))))


def cues_of(goal: str) -> Cues:
    """Every class with its words, in the language that has most of them."""
    text = said(goal)
    found: dict[str, tuple[str, ...]] = {}
    for name, languages in patterns().items():
        if name in NOT_COUNTED:
            continue
        words = max(
            ([match.group() for match in pattern.finditer(text)] for pattern in languages.values()), key=len
        )
        if words:
            found[name] = tuple(words)
    return Cues(found, names_own_material(goal))


def marks(goal: str) -> NDArray[np.float32]:
    """The numbers of a goal: those of its cues, then those of `memory.recipes.signals`, each 0 to 1.2."""
    cues = cues_of(goal)
    numbers: list[float] = [float(cues.own)]
    for name in patterns():
        if name not in NOT_COUNTED:
            count = len(cues.words.get(name, ()))
            numbers += [min(count, 1), min(count, MOST_COUNTED) / MOST_COUNTED]
    return np.concatenate([np.array(numbers, np.float32), signals(goal)])
