"""The weights of shared words are those the tuned sets give."""

import pytest

from evals.entropy.fitting import fitted, tuned_pairs
from nodes.contractive.reading.likeness import WEIGHTS


def test_the_weights_in_use_are_the_fitted_ones() -> None:
    assert fitted(tuned_pairs()) == pytest.approx(WEIGHTS, abs=0.3)


def test_pairs_that_share_words_and_agree_raise_the_weight_of_words() -> None:
    agreeing = fitted([((1.0, 1.0), True), ((0.9, 0.8), True), ((0.1, 0.0), False), ((0.2, 0.1), False)])
    turned = fitted([((1.0, 1.0), False), ((0.9, 0.8), False), ((0.1, 0.0), True), ((0.2, 0.1), True)])
    assert agreeing[1] > 0 > turned[1] and agreeing[1] == pytest.approx(-turned[1])
