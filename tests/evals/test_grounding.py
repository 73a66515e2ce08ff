"""Both error rates of grounding, over answers that a seeded generator makes in six languages."""

import pytest

from evals.grounding import MAKERS, PROSE, measure, statements
from nodes.reflective.grounding import ungrounded


@pytest.mark.parametrize("seed", [11])
def test_few_grounded_answers_are_refused_and_few_others_let_through(seed: int) -> None:
    report = measure(seed, 12)
    assert report["statements"] == 12 * len(MAKERS)
    assert report["grounded_refused_share"] <= 0.01, report["grounded_refused"]
    assert report["ungrounded_passed_share"] <= 0.01, report["ungrounded_passed"]


@pytest.mark.parametrize("text", PROSE)
def test_prose_states_no_fact(text: str) -> None:
    assert ungrounded(text, ["a.txt:1:x"]) == []


def test_the_generator_changes_the_fact_and_nothing_else() -> None:
    for one in statements(3, 5):
        assert one.grounded != one.ungrounded and one.evidence
