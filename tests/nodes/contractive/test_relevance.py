"""On topic or off: what embeddings and words say together, and that words alone drop nothing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.contractive import ContractiveSettings
from models.multilingual_embeddings import E5Embedder
from nodes.contractive.meanings import Meanings, meanings_of
from nodes.contractive.relevance import overlap, relevance, relevances
from tests.support.hashing_embedder import HashingEmbedder

ROOT = "Can I sterilise the bottle by boiling it?"
PARENT = "At which temperature do germs die?"
PART = "What is the boiling point of water?"


def placed(root: float, parent: float, model: str = E5Embedder.name) -> Meanings:
    """A part at these cosines to root and parent."""
    rows = np.zeros((3, 3), np.float32)
    rows[0, 0] = rows[1, 1] = 1
    rows[2] = root, parent, np.sqrt(max(0.0, 1 - root**2 - parent**2))
    texts = {ROOT: 0, PARENT: 1, PART: 2}
    return Meanings(model, texts, np.zeros(3, np.int64), rows, rows)


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=25, deadline=None)
def test_without_an_embedder_nothing_is_dropped(root: str, parent: str, part: str) -> None:
    assert 1 >= relevance(root, parent, part) > ContractiveSettings().min_relevance_threshold


@given(st.floats(-0.7, 0.7), st.floats(-0.7, 0.7), st.floats(0, 0.2))
@settings(max_examples=25)
def test_nearer_to_either_is_never_less_relevant(root: float, parent: float, more: float) -> None:
    before = relevance(ROOT, PARENT, PART, placed(root, parent))
    assert before <= relevance(ROOT, PARENT, PART, placed(min(root + more, 0.7), parent)) + 1e-9
    assert before <= relevance(ROOT, PARENT, PART, placed(root, min(parent + more, 0.7))) + 1e-9


def test_far_from_both_is_off_topic_and_near_to_one_is_not() -> None:
    threshold = ContractiveSettings().min_relevance_threshold
    assert relevance(ROOT, PARENT, PART, placed(-0.1, -0.1)) < threshold
    assert relevance(ROOT, PARENT, PART, placed(0.0, 0.4)) > threshold
    assert relevance(ROOT, PARENT, PART, placed(0.4, 0.0)) > threshold


def test_words_decide_for_texts_and_models_nobody_measured() -> None:
    by_words = relevance(ROOT, PARENT, PART)
    assert relevance(ROOT, PARENT, PART, placed(-0.5, -0.5, "ollama-other")) == by_words
    assert relevance(ROOT, PARENT, "Who knows?", placed(-0.5, -0.5)) == relevance(ROOT, PARENT, "Who knows?")
    # MiniLM reads English only.
    han = Meanings(
        "minilm-l6-v2-int8",
        {"水幾度沸騰？": 0, "瓶子煮多久？": 1},
        np.zeros(2, np.int64),
        np.eye(2, dtype=np.float32),
        np.eye(2, dtype=np.float32),
    )
    assert relevance("水幾度沸騰？", "水幾度沸騰？", "瓶子煮多久？", han) > 0.15


@pytest.mark.parametrize(
    ("part", "question", "least", "most"),
    [
        ("boiling the bottle", "Can the bottle be boiled?", 0.4, 1.0),
        ("boiling the bottle", "boiled, boiling bottle, bottles", 0.5, 1.0),
        ("Who won?", "Can the bottle be boiled?", 0.0, 0.0),
        ("", "Can the bottle be boiled?", 0.0, 0.0),
        ("瓶子煮多久？", "瓶子可以煮嗎？", 0.2, 1.0),
    ],
)
def test_overlap_counts_words_in_any_form(part: str, question: str, least: float, most: float) -> None:
    assert least <= overlap(part, question) <= most


def test_vectors_are_relative_to_what_questions_have_in_common() -> None:
    embedder = HashingEmbedder()
    meanings = meanings_of([ROOT, PARENT, PART, ROOT], embedder)
    assert meanings.nearness(ROOT, ROOT) == pytest.approx(1.0, abs=1e-5)
    assert meanings.nearness(ROOT, "another") is None and not meanings.measured_for(ROOT)
    embedded = len(embedder.embedded)
    meanings_of([ROOT], embedder)
    assert len(embedder.embedded) == embedded + 1
    assert len(relevances(ROOT, PARENT, [PART, ""], meanings)) == 2
    assert meanings_of([], embedder).nearness("", "") is None
