"""The entropy suite: its sets are sound, and its figures come from the estimator."""

from collections import Counter

import pytest

from configs.errors import UsageError
from evals.entropy.figures import metrics_of, plots_of, tables_of
from evals.entropy.measuring import BY_CODE, BY_JUDGE, measured
from evals.entropy.sample_set import SampleSet, sample_sets
from evals.entropy.suite import main
from evals.report import Case, Planned
from nodes.contractive.entailment import Entails


def test_there_are_enough_sets_of_every_kind_a_third_of_them_held_back() -> None:
    sets = sample_sets().values()
    kinds = Counter(one.kind for one in sets)
    assert len(sets) >= 140 and min(kinds.values()) >= 10
    assert sum(one.held for one in sets) >= len(sets) // 3


def test_a_set_knows_which_of_its_samples_belong_together() -> None:
    one = SampleSet(id="tiny-01", question="?", samples=({"a": "1"}, {"b": "2"}, {"a": "one"}))
    assert one.sizes == [2, 1] and one.together == {(0, 1): False, (0, 2): True, (1, 2): False}


async def run(one: SampleSet) -> Case:
    return await measured(Planned(id=one.id, variant=BY_CODE), one)


async def test_a_set_that_is_clustered_otherwise_does_not_pass() -> None:
    right = await run(
        SampleSet(id="tiny-01", question="How many?", samples=({"a": "4"}, {"a": "four"}, {"b": "5"}))
    )
    assert right.passed and right.extra["entropy"] == right.extra["true_entropy"] > 0
    merged = await run(
        SampleSet(id="tiny-02", question="How many?", samples=({"a": "4"}, {"b": "four"}, {"c": "5"}))
    )
    assert not merged.passed and merged.false_success and "'4' and 'four' are different" in merged.detail
    split = await run(
        SampleSet(id="tiny-03", question="How many?", samples=({"a": "4"}, {"a": "5"}, {"a": "4"}))
    )
    assert not split.passed and not split.false_success and split.extra["pairs_right"] == 1
    misread = await run(
        SampleSet(id="tiny-04", question="How many?", samples=({"a": ""}, {"b": "4"}, {"b": "4"}))
    )
    assert not misread.passed and misread.status == "exact" and "was read as empty" in misread.detail


async def test_a_judge_settles_what_code_cannot_tell() -> None:
    one = SampleSet(
        id="tiny-05",
        question="Why did it sink?",
        samples=({"a": "It hit ice."}, {"a": "A collision."}, {"b": "Fire."}),
    )

    async def judge(question: str, first: str, second: str) -> Entails:
        return "contradicts" if "Fire" in first + second else "entails"

    assert not (await run(one)).passed
    case = await measured(Planned(id=one.id, variant=BY_JUDGE, model="m"), one, judge)
    assert case.passed and case.model_calls == 4


async def test_figures_miss_their_targets_when_cases_do() -> None:
    right = SampleSet(
        id="negated-90", question="Is it safe?", samples=({"a": "safe"}, {"b": "not safe"}, {"a": "yes"})
    )
    wrong = SampleSet(
        id="negated-91", question="How many?", samples=({"a": "4"}, {"b": "four"}, {"c": "5"}), held=True
    )
    cases = [await run(right), await run(wrong)]
    figures = {metric.name: metric for metric in metrics_of(cases, 0)}
    assert figures["code: exact partition, tuned on"].met is True
    assert figures["code: exact partition, held back"].met is False
    assert figures["code: contradictions are kept apart"].value == 0.5
    assert tables_of(cases)[0].rows == [["code", "negated", "1 of 1", "0 of 1", "83.3%"]]
    assert plots_of(cases) == []


@pytest.mark.parametrize(
    "options", [["--strategy", "judge"], ["--prefilter", "0.8"], ["--only", "no-such-set"]]
)
def test_options_that_mean_nothing_are_refused(options: list[str]) -> None:
    with pytest.raises(UsageError):
        main(options)


def test_every_target_is_met_by_code_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--limit", "150"]) == 0
    assert "exact partition" in capsys.readouterr().out
