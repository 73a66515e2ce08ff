"""A question, or a restatement of it, as the checks read it. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from nodes.contractive.reading.courtesies import bare_question
from nodes.contractive.reading.kinds import Kind, kinds_asked
from nodes.contractive.reading.leanings import leanings
from nodes.contractive.reading.synonyms import with_turns
from nodes.contractive.restating.amounts import Amount, amounts
from nodes.contractive.restating.marks import without_marks
from nodes.contractive.restating.words import Word, words_of
from nodes.research.checking.folding import fold

_LEADING = re.compile(r"^\W*(?:(?:and|but|so|und|aber)\s+)?(?:(?:what|how) about|was ist mit|wie (?:ist|sieht) es (?:mit|aus mit)|and|but|und|aber)\s+(?=\S)", re.IGNORECASE)  # fmt: skip


@dataclass(frozen=True)
class Told:
    """A text as the checks read it.

    Attributes:
        text: as written.
        language: that of the question, zh, de or en.
    """

    text: str
    language: str

    @cached_property
    def whole(self) -> str:
        """Folded."""
        return fold(self.text).strip()

    @cached_property
    def bare(self) -> str:
        """Without the courtesies around it."""
        return _LEADING.sub("", bare_question(self.whole, self.language))

    @cached_property
    def unmarked(self) -> str:
        """Without what must stand word for word."""
        return without_marks(self.bare)

    @cached_property
    def turned(self) -> str:
        """The same with its turns of phrase as single words."""
        return with_turns(self.unmarked, self.language)

    @cached_property
    def words(self) -> list[Word]:
        """Those that carry it."""
        return words_of(self.bare, self.language)

    @cached_property
    def amounts(self) -> list[Amount]:
        """Its numbers, those in quotes and code aside."""
        return amounts(self.unmarked, self.language)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """What its parts ask for."""
        return kinds_asked(self.text, self.language)

    @cached_property
    def tags(self) -> frozenset[str]:
        """What small words turn it."""
        text = self.turned if self.language == "zh" else self.unmarked
        return leanings(text, self.language)
