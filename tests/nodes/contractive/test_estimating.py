"""From samples to an estimate in one call."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.errors import ModelFailed
from nodes.contractive.answers import short_answer
from nodes.contractive.distance import distance
from nodes.contractive.entailment import Entails
from nodes.contractive.estimating import Estimated, estimated

QUESTION = "How far is it?"
SAMPLES = ["1.5 km", "1500 m", "**2 km**", "I don't know.", ""]


async def by_code(question: str, samples: list[str | None]) -> Estimated:
    return await estimated(question, samples, judge=None, embedder=None)


async def test_samples_come_to_one_estimate() -> None:
    found = await by_code(QUESTION, ["1.5 km", "It is 1500 m away.", "2 km"])
    assert found.estimate is not None and found.failed == 0
    assert [one.members for one in found.estimate.clusters] == [(0, 1), (2,)]
    assert found.estimate.answer in ("1.5 km", "1500 m") or "1500" in found.estimate.answer
    assert [one.kind for one in found.answers if one] == ["answer"] * 3


@given(st.lists(st.sampled_from([*SAMPLES, None]), max_size=7))
@settings(max_examples=30, deadline=None)
async def test_failed_calls_are_left_out_and_counted(samples: list[str | None]) -> None:
    found = await by_code(QUESTION, samples)
    told = [sample for sample in samples if sample is not None]
    without = await by_code(QUESTION, list(told))
    assert found.failed == len(samples) - len(told) and found.noise == without.noise
    assert [answer for answer in found.answers if answer] == list(without.answers)
    assert [answer is None for answer in found.answers] == [sample is None for sample in samples]
    if found.estimate is None or without.estimate is None:
        assert found.estimate is without.estimate and not told
        return
    assert found.estimate.entropy == without.estimate.entropy
    # Members are places among all samples, so what a cluster holds can be looked up in them.
    places = sorted(place for one in found.estimate.clusters for place in one.members)
    assert places == [place for place, sample in enumerate(samples) if sample is not None]
    for one in found.estimate.clusters:
        assert {short_answer(samples[at] or "", QUESTION).kind for at in one.members} == {one.kind}


@given(st.lists(st.sampled_from(SAMPLES), max_size=6))
@settings(max_examples=20, deadline=None)
async def test_noise_is_the_mean_distance_of_two_samples(samples: list[str]) -> None:
    read = [short_answer(sample, QUESTION) for sample in samples]
    apart = [distance(QUESTION, one, other) for one, other in combinations(read, 2)]
    found = await by_code(QUESTION, list(samples))
    assert found.noise == pytest.approx(sum(apart) / len(apart) if apart else 0.0)


async def test_a_judge_is_asked_only_what_code_cannot_tell() -> None:
    asked: list[tuple[str, str]] = []

    async def judge(question: str, first: str, second: str) -> Entails:
        asked.append((first, second))
        return "entails"

    question = "Why did the ship sink?"
    samples = ["It hit an iceberg.", "A collision with ice.", "It hit an iceberg."]
    alone = await by_code(question, list(samples))
    judged = await estimated(question, samples, judge=judge, embedder=None)
    assert alone.estimate is not None and judged.estimate is not None
    assert alone.estimate.entropy > 0 == judged.estimate.entropy and judged.noise == 0
    assert len(asked) == 2
    await estimated("How far?", ["1 km", "1000 m", "2 km"], judge=judge, embedder=None)
    assert len(asked) == 2


async def test_a_judge_that_fails_leaves_what_code_says() -> None:
    async def broken(question: str, first: str, second: str) -> Entails:
        raise ModelFailed("The connection was lost.", "Try again.")

    question, samples = "Why did the ship sink?", ["It hit an iceberg.", "A collision with ice."]
    judged = await estimated(question, samples, judge=broken, embedder=None)
    assert judged == await by_code(question, list(samples))
