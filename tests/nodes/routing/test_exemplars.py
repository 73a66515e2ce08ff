"""The exemplars of routing, and what ships with them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recipes.ballot import load
from memory.recipes.exemplars import LANGUAGES
from models.embeddings import MiniLMEmbedder
from nodes.collective.engines import ENGINES
from nodes.routing.cues import cues_of, marks
from nodes.routing.exemplars import digest, load_exemplars, read, shipped_file, vote
from nodes.routing.kinds import ENGINE_OF, KINDS

SHIPPED = ("multilingual-e5-small-q4", "minilm-l6-v2-int8")


def test_every_language_has_goals_of_every_kind() -> None:
    counts = Counter((one.language, one.kind) for one in load_exemplars())
    assert all(counts[language, kind] >= 3 for language in LANGUAGES for kind in KINDS)


def test_no_goal_stands_there_twice() -> None:
    counts = Counter((one.goal, one.language) for one in load_exemplars())
    assert [goal for goal, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("embedder", SHIPPED)
def test_what_ships_was_computed_from_what_ships(embedder: str) -> None:
    """After a change of exemplars, cues or signals: python -m evals.fit_routing."""
    electorate = load(shipped_file(embedder), digest(embedder))
    assert electorate is not None
    assert electorate.vectors.shape[0] == len(load_exemplars())
    assert electorate.weights.shape == (len(load_exemplars()), len(ENGINES) + len(KINDS))


def test_a_vote_names_every_engine_and_sums_to_one() -> None:
    votes = vote("is it better to walk or to ride?", MiniLMEmbedder())
    names = [name for name, _ in votes.shares]
    assert sorted(names) == sorted(ENGINES) and names[0] == "contractive"
    assert sum(share for _, share in votes.shares) == pytest.approx(1, abs=0.01)
    assert all(ENGINE_OF[votes.kinds[name]] == name for name in ENGINES)
    known = {one.goal: one.kind for one in load_exemplars()}
    assert all(known[votes.nearest[name]] == votes.kinds[name] for name in ENGINES)


@given(st.integers(0, len(ENGINES) - 1), st.floats(0.2, 5))
def test_the_engine_with_most_votes_comes_first(place: int, lead: float) -> None:
    row = np.zeros(len(ENGINES) + len(KINDS), np.float32)
    row[place] = lead
    votes = read(row, np.zeros(len(load_exemplars()), np.float32))
    assert votes.shares[0][0] == ENGINES[place]


@given(st.text(max_size=300))
def test_any_text_has_as_many_numbers_between_0_and_1_2(goal: str) -> None:
    numbers = marks(goal)
    assert numbers.shape == marks("hello").shape
    assert (numbers >= 0).all() and (numbers <= 1.21).all()


@pytest.mark.parametrize(
    "goal", ['find the text "security audit"', "open tests/test_audit.py", "print CITATION.cff"]
)
def test_quotations_and_names_of_files_are_no_cues(goal: str) -> None:
    assert not cues_of(goal).has("audit", "sources")
