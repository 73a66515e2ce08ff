"""Semantic entropy, the majority, and when there are enough samples."""

import random
from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contractive.answers import short_answer
from nodes.contractive.clusters import clusters, compared
from nodes.contractive.entropy import (
    LEAST,
    THRESHOLD,
    Estimate,
    enough,
    entropy,
    estimate,
    hopeless,
    stability,
)

sizes = st.lists(st.integers(1, 6), min_size=1, max_size=8)
ANSWERS = [
    "Paris",
    "The answer is Paris.",
    "**Paris**",
    "Lyon",
    "42",
    "42.0",
    "1.5 km",
    "1500 m",
    "",
    "I don't know.",
    "Yes",
    "No",
]


def estimated(question: str, samples: list[str]) -> Estimate:
    answers = [short_answer(sample, question) for sample in samples]
    return estimate(clusters(answers, compared(question, answers)))


@given(sizes)
@settings(max_examples=30)
def test_entropy_lies_between_none_and_all(partition: list[int]) -> None:
    value = entropy(partition)
    assert 0 <= value <= 1
    assert (value == 0) == (len(partition) == 1)
    assert (value == 1) == (len(partition) > 1 and max(partition) == 1)


@given(sizes, st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_entropy_knows_no_order(partition: list[int], rng: random.Random) -> None:
    shuffled = partition[:]
    rng.shuffle(shuffled)
    assert entropy(shuffled) == entropy(partition)


@given(sizes)
@settings(max_examples=30)
def test_one_more_of_the_majority_never_raises_entropy(partition: list[int]) -> None:
    partition.sort()
    assert entropy([*partition[:-1], partition[-1] + 1]) <= entropy(partition) + 1e-12


def test_entropy_is_that_of_the_formula() -> None:
    # - (3/4 ln 3/4 + 1/4 ln 1/4) / ln 4
    assert isclose(entropy([3, 1]), 0.4056390622295664)


@pytest.mark.parametrize("partition", [[], [2, 0], [-1]])
def test_no_samples_have_no_entropy(partition: list[int]) -> None:
    with pytest.raises(ValueError):
        entropy(partition)


@given(st.text(max_size=60), st.text(max_size=60), st.integers(1, 6))
@settings(max_examples=20, deadline=None)
def test_samples_that_are_alike_have_no_entropy(question: str, sample: str, count: int) -> None:
    assert estimated(question, [sample] * count).entropy == 0


@given(st.lists(st.sampled_from(ANSWERS), min_size=2, max_size=8), st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_the_order_of_samples_does_not_matter(samples: list[str], rng: random.Random) -> None:
    shuffled = samples[:]
    rng.shuffle(shuffled)
    one, other = estimated("What is it?", samples), estimated("What is it?", shuffled)
    assert (one.entropy, one.answer, one.support, one.kind) == (
        other.entropy,
        other.answer,
        other.support,
        other.kind,
    )
    groups = [
        sorted(sorted(told[place] for place in found.members) for found in which.clusters)
        for which, told in ((one, samples), (other, shuffled))
    ]
    assert groups[0] == groups[1]


def test_a_bridge_of_rounding_does_not_join_what_differs() -> None:
    found = estimated("What is the value?", ["3.1416", "3.14", "3.1384", "3.1416", "3.1384"])
    assert all(
        not {"3.1416", "3.1384"} <= {["3.1416", "3.14", "3.1384", "3.1416", "3.1384"][p] for p in c.members}
        for c in found.clusters
    )


def test_refusals_and_empty_samples_are_classes_of_their_own() -> None:
    found = estimated("How many?", ["I don't know.", "無法回答", "", "...", "7", "seven", "The answer is 7."])
    assert [(one.kind, len(one.members)) for one in found.clusters] == [
        ("answer", 3),
        ("empty", 2),
        ("refusal", 2),
    ]
    assert found.answer == "7" and found.support == pytest.approx(3 / 7)


def test_certain_refusal_is_no_answer() -> None:
    found = estimated("How many?", ["I don't know.", "I cannot say.", "Unknown"])
    assert (found.entropy, found.kind, found.answer, found.support) == (0.0, "refusal", "", 0.0)


def test_the_length_of_the_question_counts_for_nothing() -> None:
    samples = ["Paris", "Lyon", "Paris"]
    assert (
        estimated("Which city?", samples).entropy
        == estimated("Tell me please, " * 20 + "which city?", samples).entropy
    )


@given(st.integers(0, 12), st.integers(0, 12))
@settings(max_examples=30)
def test_stability_grows_with_the_lead_of_the_majority(first: int, second: int) -> None:
    high, low = max(first, second), min(first, second)
    assert 0.5 <= stability([high, low]) <= 1
    assert stability([high + 1, low]) > stability([high, low])


def test_stability_is_the_beta_posterior() -> None:
    # Beta(4, 1) lies above one half with probability 1 - 0.5 ** 4.
    assert stability([3]) == 15 / 16 and stability([2, 2]) == 0.5 and stability([]) == 0.5


def test_sampling_stops_between_three_and_ten() -> None:
    assert not enough([2]) and not enough([3]) and enough([4])
    assert not enough([3, 2]) and not enough([5, 4]) and enough([5, 5])
    assert enough([3], threshold=0.9) and not enough([2], threshold=0.0)


@given(sizes, st.floats(0, 1))
@settings(max_examples=30)
def test_ten_are_always_enough_and_two_never(partition: list[int], threshold: float) -> None:
    total = sum(partition)
    if total >= 10 or total < 3:
        assert enough(partition, threshold) == (total >= 10)
    else:
        assert enough(partition, threshold) == (stability(partition) >= threshold)


@given(sizes, st.integers(3, 30))
def test_what_is_enough_is_never_hopeless(partition: list[int], most: int) -> None:
    assert not (enough(partition, most=most) and hopeless(partition, most))


@given(st.integers(0, 5), st.integers(0, 15), st.integers(10, 40))
def test_a_clear_majority_is_never_hopeless(others: int, more: int, most: int) -> None:
    # Four fifths of ten samples are a majority that is sure: P(p > 1/2) for Beta(9, 3) is 0.967.
    assert not hopeless([4 * others + more + 1, *[1] * others], most)
    assert not hopeless([4 * others + more + 1, others] if others else [more + 1], most)


@given(sizes, st.integers(10, 30))
def test_one_more_of_the_majority_never_takes_hope_away(partition: list[int], most: int) -> None:
    partition.sort()
    if sum(partition) >= LEAST and not hopeless(partition, most):
        assert not hopeless([*partition[:-1], partition[-1] + 1], most)


def test_many_samples_have_a_stability() -> None:
    assert stability([600, 600]) == 0.5 < stability([900, 600])


@given(st.integers(2, 5), st.integers(1, 4), st.integers(10, 200))
def test_samples_that_are_evenly_split_are_hopeless(clusters: int, each: int, most: int) -> None:
    split = [each] * clusters
    assert hopeless(split, most) == (LEAST <= sum(split) < most)


@given(sizes, st.integers(3, 30))
@settings(max_examples=50)
def test_hopeless_is_what_the_same_proportions_would_not_make_sure(partition: list[int], most: int) -> None:
    times = -(-most // sum(partition))
    whole = [size * times for size in partition]
    if hopeless(partition, sum(whole)):
        assert stability(whole) < THRESHOLD
