"""How likely a proposed part is to be on the topic of the question it is a part of. Pure.

A logistic over the centred cosine to the root question and to the parent, and the words shared with both as
BM25 counts them (Robertson and Zaragoza, 2009; k1 1.2, b 0.75) over the largest count there can be. Fitted on
the tuned half of `evals.parts`, three parts of four taken to be on topic, so that a threshold is a cut of
probabilities. Half of the parts on topic share no word with their question ("What is a rainbow table?" to "Is
it safe to store passwords as SHA-256 hashes?"), so no shared word is no ground to drop one, and without an
embedding model nothing is dropped at 0.15.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from configs.relevance import WORDS, TopicWeights, load_part_weights
from nodes.contractive.meanings import Meanings
from nodes.contractive.reading.frames import one_word
from nodes.contractive.reading.wording import keys_of

K1 = 1.2
B = 0.75
USUAL_WORDS = 8
"""Content words of a question, the mean of the tuned half of `evals.parts`."""


def relevances(root: str, parent: str, parts: Sequence[str], meanings: Meanings | None = None) -> list[float]:
    """The probability of each part to be on topic, 0 to 1.

    Args:
        root: the question of the whole tree.
        parent: the question that is split; may be the root.
        parts: questions that were proposed.
        meanings: vectors of all of them; a text without one, or a model nobody measured, is judged by words.
    """
    return [relevance(root, parent, part, meanings) for part in parts]


def relevance(root: str, parent: str, part: str, meanings: Meanings | None = None) -> float:
    """The probability of one part to be on topic, 0 to 1; see `relevances`."""
    shares = max(overlap(part, root), overlap(part, parent))
    near = nearnesses(root, parent, part, meanings)
    if meanings is None or near is None:
        return _logistic(load_part_weights().topic[WORDS], 0.0, 0.0, shares)
    return _logistic(load_part_weights().topic[meanings.model], max(near), min(near), shares)


def overlap(part: str, question: str) -> float:
    """Words of a part that a question has, 0 to 1: BM25 over what it would be if it had every one.

    Args:
        part: the query.
        question: the document; a word counts in any of its forms.
    """
    wanted = set(keys_of(part))
    held = keys_of(question)
    if not wanted or not held:
        return 0.0
    length = K1 * (1 - B + B * len(held) / USUAL_WORDS)
    counts = [sum(one_word(word, other) for other in held) for word in wanted]
    return sum(count * (K1 + 1) / (count + length) for count in counts) / (len(wanted) * (K1 + 1))


def nearnesses(root: str, parent: str, part: str, meanings: Meanings | None) -> tuple[float, float] | None:
    """Nearness to the root and to the parent; None where the model says nothing of these texts."""
    if meanings is None or not meanings.measured_for(root, parent, part):
        return None
    to_root, to_parent = meanings.nearness(root, part), meanings.nearness(parent, part)
    return None if to_root is None or to_parent is None else (to_root, to_parent)


def _logistic(weights: TopicWeights, near: float, far: float, shares: float) -> float:
    told = weights.constant + weights.near * near + weights.far * far + weights.overlap * shares
    return 1 / (1 + exp(-told))
