"""Why a run stops: pure questions to a state."""

from typing import Any

import pytest

from configs.contractive import ContractiveSettings
from nodes.contractive.conclude import _measure, _pass_of, is_confident, stop_of
from nodes.contractive.state import ROOT, Answer, ContractiveState, Measured, Merge, Pass, Question, Review

QUESTION = "How many crates are in the hall?"


def measured(answer: str = "9", entropy: float = 0.0, support: float = 1.0, **more: Any) -> Measured:
    values = {"entropy": entropy, "uncertainty": entropy, "support": support, "samples": 4, "kind": "answer"}
    return Measured(answer=answer, **{**values, **more})


def state(
    best: Measured | None, *, tried: Measured | None = None, splits: int = 1, reviews: Any = (), **more: Any
) -> ContractiveState:
    root = Question(
        id=ROOT,
        text=QUESTION,
        stage="DONE",
        tried=tried or best or Measured(samples=4),
        best=Answer(measured=best) if best else None,
        splits=splits,
        reviews=list(reviews),
        merges=more.pop("merges", []),
    )
    limits = more.pop("limits", ContractiveSettings())
    return ContractiveState(question=QUESTION, limits=limits, tree={ROOT: root}, **more)


def passes(*answers: str, fresh: int = 2, eps: float = 0.0, sampled: tuple[bool, ...] = ()) -> list[Pass]:
    made: list[Pass] = []
    for number, answer in enumerate(answers, start=1):
        values = {"fresh": fresh, "eps": eps, "sampled": sampled[number - 1] if sampled else True}
        made.append(Pass(number=number, answer=answer, kind="answer", uncertainty=0.8, **values))
        _measure(QUESTION, made)
    return made


UNSURE = measured("9", entropy=0.8, support=0.4)


def test_a_sure_answer_is_confident() -> None:
    assert stop_of(state(measured()), passes("9")) == "confident"


def test_an_answer_that_was_cut_off_is_never_confident() -> None:
    assert not is_confident(state(measured(truncated=True)))


def test_a_rejected_answer_is_never_confident() -> None:
    rejected = [Review(by="peer", verdict="reject", score=0.1)]
    assert not is_confident(state(measured(), reviews=rejected))
    assert stop_of(state(measured(), reviews=rejected), passes("9")) is None
    assert stop_of(state(measured(), reviews=rejected), passes("9", fresh=0)) == "no_new_evidence"


def test_doubt_with_new_evidence_goes_on_and_without_it_stops() -> None:
    assert stop_of(state(UNSURE), passes("9")) is None
    assert stop_of(state(UNSURE), passes("9", fresh=0)) == "no_new_evidence"
    assert stop_of(state(UNSURE, limits=ContractiveSettings(max_depth=0)), passes("9")) == "no_new_evidence"


def test_between_the_thresholds_nothing_is_split_again() -> None:
    between = measured("9", entropy=0.45, support=0.6)
    assert stop_of(state(between), passes("9")) == "no_new_evidence"


def test_the_last_pass_is_the_last() -> None:
    limits = ContractiveSettings(max_loops=2)
    assert stop_of(state(UNSURE, limits=limits), passes("9", "40")) == "max_loops"
    assert stop_of(state(None, limits=limits), passes("", "")) == "no_answer"


def test_rest_is_a_fixed_point_only_when_it_rested_twice() -> None:
    assert stop_of(state(UNSURE), passes("9", "9")) is None
    assert stop_of(state(UNSURE), passes("9", "9", "9")) == "fixed_point"


def test_passes_that_sampled_nothing_did_not_rest() -> None:
    """The answer that stands is the same again, and nobody asked for it."""
    asleep = passes("9", "9", "9", sampled=(True, False, False))
    assert [one.step for one in asleep] == [None, None, None]
    assert stop_of(state(UNSURE), asleep) is None
    awake = passes("9", "9", "9", "9", sampled=(True, True, False, True))
    assert [one.step for one in awake] == [None, 0.0, None, 0.0]
    assert stop_of(state(UNSURE), awake) == "fixed_point"
    assert stop_of(state(UNSURE), passes("9", "9", "9", "9", sampled=(True, True, True, False))) is None


def merged(**values: Any) -> Pass:
    """A second pass, whose merge is as given, after a try that came to 9."""
    return _pass_of(state(UNSURE, merges=[Merge(number=2, **values)], passes=passes("9")))


def test_the_figures_of_a_pass_are_those_of_its_own_samples() -> None:
    """Of a merge that was not kept too: X_n is what it said, and not the best so far."""
    told = merged(answer="40", sampled=True, after=0.9, support_after=0.3, entropy=0.7, noise=0.6)
    assert (told.answer, told.kind, told.sampled) == ("40", "answer", True)
    assert (told.entropy, told.uncertainty, told.support, told.eps) == (0.7, 0.9, 0.3, 0.6)
    silent = merged(answer="", sampled=True, after=1.0)
    assert (silent.answer, silent.kind, silent.sampled) == ("", "empty", True)


def test_a_merge_there_was_nothing_for_is_no_sampling() -> None:
    told = merged(answer="9", reason="a part that is required has none: 0.1")
    assert (told.answer, told.sampled, told.uncertainty) == ("9", False, 0.8)


def test_two_answers_by_turns_are_a_cycle() -> None:
    assert stop_of(state(UNSURE), passes("9", "400", "9", "400")) == "cycle"


def test_steps_that_grow_twice_diverge() -> None:
    growing = passes("1000", "1010", "1100", "3000")
    assert [one.ratio is not None and one.ratio > 1 for one in growing[2:]] == [True, True]
    assert stop_of(state(UNSURE), growing) == "diverging"


def test_steps_that_shrink_contract() -> None:
    shrinking = passes("1000", "2000", "1800", "1850")
    assert all(one.ratio is not None and one.ratio < 1 for one in shrinking[2:])
    assert stop_of(state(UNSURE), shrinking) is None


@pytest.mark.parametrize("limit", ["budget", "timeout"])
def test_a_limit_that_was_met_comes_first(limit: Any) -> None:
    assert stop_of(state(measured(), hindrances=[limit]), passes("9")) == limit


def test_when_no_call_came_through_it_is_an_error_and_not_a_fixed_point() -> None:
    failed = Measured(failed=4, problems=["The server is down."])
    assert stop_of(state(None, tried=failed), passes("")) == "error"


def test_a_model_that_says_nothing_has_no_answer() -> None:
    silent = Measured(samples=4, kind="empty")
    assert stop_of(state(None, tried=silent), passes("", fresh=0)) == "no_answer"
