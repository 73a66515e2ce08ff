"""The parts suite: its sets are sound, and its figures come from the gate."""

from collections import Counter

import numpy as np
import pytest

from configs.errors import UsageError
from evals.parts.figures import metrics_of, plots_of, tables_of
from evals.parts.fitting import fitted, threshold
from evals.parts.labelled import LabelledQuestion, labelled_questions
from evals.parts.measuring import BY_EMBEDDING, BY_WORDS, half_of, measured
from evals.parts.suite import main
from evals.report import Planned


def question(**given: object) -> LabelledQuestion:
    return LabelledQuestion.model_validate(
        {"id": "tiny-01", "question": "What is the weight of ice?", **given}
    )


def test_there_are_enough_questions_of_every_field_half_of_them_held_back() -> None:
    every = labelled_questions().values()
    fields = Counter(one.field for one in every if one.parts and not one.root)
    assert {"maths", "code", "reasoning", "science", "regulation", "general"} <= set(fields)
    assert sum(fields.values()) >= 60 and min(fields.values()) >= 11
    assert 0.45 <= sum(one.held for one in every) / len(every) <= 0.65
    pairs = Counter(kind for one in every for _, kind in one.pairs())
    assert pairs["same"] >= 300 and pairs["near"] >= 300 and pairs["part"] >= 300


def test_no_labelled_text_stands_on_both_sides() -> None:
    for one in labelled_questions().values():
        texts = [text for text, _ in one.pairs()]
        assert len(set(texts)) == len(texts) and one.question not in texts, one.id
        assert not {*one.parts} & {*one.drift, *one.unrelated}, one.id


def test_what_goes_wrong_is_told() -> None:
    right = question(same=["How heavy is ice?"], near=["What is the weight of steel?"])
    case = measured(Planned(id=right.id, variant=BY_WORDS), right, None)
    assert case.passed and case.extra["pairs"] == [["same", True], ["near", False]]
    turned = question(near=["What is the weight of ice"], same=["What is the weight of steel?"], held=True)
    case = measured(Planned(id=turned.id, variant=BY_WORDS), turned, None)
    assert not case.passed and "steel stands for ice" in case.detail and half_of(turned) == "held back"


def test_figures_count_each_half_by_itself() -> None:
    sound = question(parts=["How is ice weighed?"], same=["How heavy is ice?"], near=["What is ice made of?"])
    turned = question(
        id="tiny-02", held=True, same=["What is the weight of steel?"], near=["How heavy is ice?"]
    )
    cases = [measured(Planned(id=one.id, variant=BY_WORDS), one, None) for one in (sound, turned)]
    figures = {metric.name: metric for metric in metrics_of(cases, 0)}
    assert figures["words, tuned on: repeats caught"].met is True
    assert figures["words, held back: repeats caught"].met is False
    assert figures["words, held back: other questions taken"].value == 0.0
    assert figures["words, tuned on: parts on topic kept"].value == 1.0
    assert tables_of(cases)[0].rows == [["words", "tiny", "1 of 2", "2 of 3"]]
    assert plots_of(cases) == []
    shown = [case.model_copy(update={"variant": BY_EMBEDDING}) for case in cases]
    assert plots_of(shown) == []


def test_a_weight_of_the_wrong_sign_is_left_out() -> None:
    rows = np.array([[0.9, 0.1], [0.8, 0.3], [0.2, 0.2], [0.1, 0.4], [0.7, 0.9], [0.3, 0.0]])
    labels = np.array([1, 1, 0, 0, 1, 0], float)
    free = fitted(rows, labels, np.ones(6))
    assert free[1] > 0 > fitted(rows, 1 - labels, np.ones(6))[1]
    bound = fitted(rows, labels, np.ones(6), (-1, 0))
    assert bound[1] == 0.0 and bound[2] != free[2]


def test_the_threshold_weighs_what_passes_and_what_is_refused() -> None:
    likely, same = np.array([0.2, 0.6, 0.7, 0.9]), np.array([False, True, True, True])
    assert 0.2 < threshold(likely, same, 3, 1) < 0.6
    mixed = np.array([0.4, 0.5]), np.array([True, False])
    assert threshold(*mixed, 100, 1) > 0.5 > threshold(*mixed, 1, 100)


@pytest.mark.parametrize("options", [["--model", "scripted:x"], ["--only", "no-such-question"]])
def test_options_that_mean_nothing_are_refused(options: list[str]) -> None:
    with pytest.raises(UsageError):
        main(options)


def test_a_few_questions_by_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", "short-01", "--strategy", "words"]) == 0
    assert "repeats caught" in capsys.readouterr().out
