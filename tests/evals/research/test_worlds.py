"""Worlds are the same for the same seed, their gold spans exact, and everything planted is there."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.research.reading import says
from evals.research.values import Language
from evals.research.world import World, build_world

SEEDS = st.integers(0, 2)
FEW = settings(max_examples=3, deadline=None)


@cache
def world(seed: int) -> World:
    return build_world(seed)


def test_the_same_seed_gives_the_same_world_and_another_seed_another() -> None:
    again = build_world(0)
    assert [d.item for d in again.documents] == [d.item for d in world(0).documents]
    assert again.facts == world(0).facts != world(1).facts


@FEW
@given(SEEDS)
def test_a_gold_span_is_a_whole_sentence_that_says_its_value(seed: int) -> None:
    for document in world(seed).documents:
        text = document.item.description
        for statement in document.statements:
            span = document.text_of(statement)
            assert span == span.strip() and span == text[statement.start : statement.end]
            before = text[: statement.start]
            assert not before or before.endswith(("- ", "\n", " ", "。", "」"))
            assert text[statement.end : statement.end + 1] in ("", "\n", " ") or document.language == "zh"
            if statement.value.kind != "polarity":
                assert says(span, statement.value), (span, statement.value)


@FEW
@given(SEEDS)
def test_everything_planted_is_there(seed: int) -> None:
    made = world(seed)
    assert 55 <= len(made.documents) <= 80
    assert {d.site.tier for d in made.documents} == {0, 1, 2, 3, 4, 5}
    assert {d.language for d in made.documents} == {"en", "zh"}
    assert len({d.url for d in made.documents}) == len(made.documents)
    copies = [d for d in made.documents if d.copy_of]
    by_url = {d.url: d for d in made.documents}
    assert copies and all(by_url[d.copy_of].item.description == d.item.description for d in copies)
    canaries = [d for d in made.documents if d.canary]
    assert canaries and all(d.canary in d.item.description for d in canaries)
    assert any(s.stance == "old" for d in made.documents for s in d.statements)
    assert made.hidden and not any(made.telling(fact) for fact in made.hidden)
    assert all(made.sibling(made.sibling(subject)) == subject for subject in made.subjects)


@FEW
@given(SEEDS)
def test_a_contradiction_is_two_documents_that_differ_on_a_fact(seed: int) -> None:
    made = world(seed)
    assert len(made.contradictions) >= 10
    for found in made.contradictions:
        values = {
            url: s.value for d, s in made.statements[found.fact.id] for url in [d.url] if s.stance != "old"
        }
        assert values[found.holds] == found.fact.value != values[found.differs]


@FEW
@given(SEEDS)
def test_what_was_true_once_is_older_than_what_is_true_now(seed: int) -> None:
    made = world(seed)
    for fact in made.facts:
        told = made.statements[fact.id]
        old = [d.item.date for d, s in told if s.stance == "old"]
        new = [d.item.date for d, s in told if s.stance == "true"]
        assert all(
            before is not None and after is not None and before < after for before in old for after in new
        )


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_canary_is_ever_a_fact(language: Language) -> None:
    for document in world(0).documents:
        held = [document.text_of(s) for s in document.statements]
        assert not document.canary or not any(document.canary in text for text in held)
