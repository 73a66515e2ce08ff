"""Which answers have so little to do with each other that no model need be asked: far apart as vectors."""

from __future__ import annotations

import re
from collections.abc import Sequence

from configs.entailment import load_entailment
from models.embeddings import Embedder
from nodes.contractive.reading.wording import keys_of

_HAN = re.compile(r"[\u3400-\u9fff]")
_FEWEST_WORDS = 2


def can_be_placed(one: str, other: str) -> bool:
    """True if the distance of two answers as vectors can tell anything.

    It cannot of answers with fewer than two words of content, nor across scripts: "No" and "The test failed"
    say the same at a cosine of 0.09.
    """
    return min(_words(one), _words(other)) >= _FEWEST_WORDS and bool(_HAN.search(one)) == bool(
        _HAN.search(other)
    )


def far_apart(
    pairs: Sequence[tuple[str, str]], embedder: Embedder, unlike: float | None = None
) -> list[bool]:
    """For each pair of answers whether they are called different unasked; blocking.

    Args:
        pairs: answers.
        embedder: gives the vectors.
        unlike: cosine below which they are; by default as measured for this embedder (`configs.entailment`),
            and of one nobody measured no pair is far apart.
    """
    below = load_entailment().unlike.get(embedder.name) if unlike is None else unlike
    placed = [two for two in pairs if can_be_placed(*two)] if below is not None else []
    texts = sorted({text for two in placed for text in two})
    vectors = dict(zip(texts, embedder.embed(texts), strict=True)) if texts else {}
    return [
        below is not None
        and one in vectors
        and other in vectors
        and can_be_placed(one, other)
        and float(vectors[one] @ vectors[other]) < below
        for one, other in pairs
    ]


def _words(text: str) -> int:
    return sum(word.isalpha() for word in keys_of(text))
