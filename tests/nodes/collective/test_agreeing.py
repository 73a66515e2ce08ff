"""Which answers say the same, which is chosen, and how far it may be relied on."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.collective.agreeing import agreements, chosen_of
from nodes.collective.exchange import Cited, Finding
from nodes.collective.standing import (
    MOST_OF_MODELS,
    confidence_of,
    only_files_tell,
    status_of,
    unheld,
)
from nodes.collective.state import Agreement
from tests.nodes.collective.findings import found, looked

GOAL = "How many lines does a.txt have?"


def agreed(*findings: Finding, goal: str = GOAL) -> list[Agreement]:
    return asyncio.run(agreements(goal, findings, judge=None, embedder=None))


ANSWERS = st.sampled_from(["2", "3", "two", "17 lines", "I do not know.", "a.txt has 2 lines.", ""])
ONE = st.tuples(
    ANSWERS,
    st.sampled_from(["answered", "uncertain", "partial", "could_not", "error"]),
    st.booleans(),
    st.none() | st.floats(0, 1),
)


@given(st.lists(ONE, max_size=6), st.randoms())
def test_the_order_of_findings_does_not_matter(
    given: list[tuple[str, str, bool, float | None]], lot: object
) -> None:
    findings = [
        found(f"f{n}", answer, status=status, grounded=grounded, confidence=confidence)
        for n, (answer, status, grounded, confidence) in enumerate(given)
    ]
    shuffled = findings[:]
    lot.shuffle(shuffled)  # type: ignore[attr-defined]  # a random.Random
    one, other = agreed(*findings), agreed(*shuffled)
    assert one == other
    by_id = {finding.id: finding for finding in findings}
    members = [name for group in one for name in group.members]
    assert len(members) == len(set(members)) and all(by_id[name].answers for name in members)
    # Whatever rests on evidence goes before any number of models, and none of it is lost.
    assert {name for name in members if by_id[name].grounded} == {
        finding.id for finding in findings if finding.grounded and finding.answers
    }
    if any(group.grounded for group in one):
        assert one[0].grounded and chosen_of(one[0], by_id).grounded


def test_one_look_outweighs_any_number_of_models() -> None:
    models = [found(f"m{n}", "9", confidence=1.0) for n in range(20)]
    best, other = agreed(*models, looked("a.txt has 2 lines.", ("wc -l a.txt", "2 a.txt"), confidence=0.2))
    assert best.members == ["reflective"] and len(other.members) == 20


@pytest.mark.parametrize("answer", ["No file matches.", "There are none.", "Nothing was found.", "0"])
def test_what_a_look_found_is_an_answer_even_if_it_is_nothing(answer: str) -> None:
    [best, *_] = agreed(looked(answer, ("find . -name x", "")), found("direct", "There are 7."))
    assert best.members == ["reflective"] and best.answer


def test_numbers_are_clustered_by_what_they_say() -> None:
    groups = agreed(found("a", "nine"), found("b", "9"), found("c", "10"), goal="What is 3 times 3?")
    assert [sorted(one.members) for one in groups] == [["a", "b"], ["c"]]


def test_where_all_differ_each_stands_alone_and_the_surest_is_first() -> None:
    groups = agreed(
        found("a", "7", confidence=0.2), found("b", "8", confidence=0.9), found("c", "9"), goal="What is x?"
    )
    assert [one.members for one in groups] == [["b"], ["a"], ["c"]]
    best = groups[0]
    assert status_of(best, groups, found("b", "8"), []) == "uncertain"
    assert confidence_of(best, groups, found("b", "8", confidence=0.9)) == round(1 / 3, 4)


@given(
    st.integers(1, 9),
    st.integers(0, 9),
    st.none() | st.floats(0, 1),
    st.sampled_from(["answered", "uncertain"]),
)
def test_models_alone_are_never_sure(mine: int, others: int, stated: float | None, status: str) -> None:
    best = Agreement(answer="x", members=[f"m{n}" for n in range(mine)], confidence=stated)
    every = [best, *(Agreement(answer=f"y{n}", members=[f"o{n}"]) for n in range(others))]
    chosen = found("m0", "x", confidence=stated, status=status)
    confidence = confidence_of(best, every, chosen)
    assert 0 <= confidence <= min(MOST_OF_MODELS, round(stated or 0, 4), round(mine / (mine + others), 4))
    answered = status_of(best, every, chosen, []) == "answered"
    assert answered == (mine > 1 and mine > others and status == "answered")
    assert status_of(best, every, chosen, ["9"]) == "uncertain"


def test_evidence_carries_an_answer_alone_and_a_partial_one_stays_partial() -> None:
    for status, wanted in (("answered", "answered"), ("partial", "partial"), ("uncertain", "partial")):
        one = looked("2 lines", ("wc -l a.txt", "2 a.txt"), status=status, confidence=0.93)
        best = agreed(one)[0]
        assert status_of(best, [best], one, []) == wanted and confidence_of(best, [best], one) == 0.93


def test_a_fact_that_no_evidence_holds_is_found() -> None:
    cited = [Cited(kind="tool", where="wc -l a.txt", text="2 a.txt")]
    assert unheld([GOAL], "a.txt has 2 lines.", cited) == []
    assert unheld([GOAL], "a.txt has 3 lines.", cited) == ["3"]
    assert unheld([GOAL], "b.txt has 2 lines.", cited) == ["b.txt"]
    assert unheld(["What is 3 times 3?"], "3 times 3 is 9.", []) == ["9"]
    # That samples agree is no evidence.
    assert unheld(["What?"], "9", [Cited(kind="samples", where="4 of 4 samples", text="9")]) == ["9"]
    # Nothing printed is a count of 0, and what was cut may hold the rest.
    assert unheld([GOAL], "0", [Cited(kind="tool", where="find", text="")]) == []
    assert unheld([GOAL], "77", [Cited(kind="tool", where="cat", text="x" * 4000)]) == []


@pytest.mark.parametrize("status", ["could_not", "error"])
def test_who_should_have_looked_and_found_nothing_is_told_apart(status: str) -> None:
    blind = looked("I could not answer this.", status=status)
    assert only_files_tell([blind, found("direct", "9")]) is blind
    assert only_files_tell([blind.model_copy(update={"figures": {"needs_files": 0.0}})]) is None
    assert only_files_tell([blind, found("other", "2", grounded=True)]) is None
