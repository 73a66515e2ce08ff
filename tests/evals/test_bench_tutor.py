"""What is timed of the proof game is what it is called, and nothing is timed that went wrong."""

import asyncio
from typing import get_args

import pytest

from configs.tutor import Arm
from evals.bench_tutor import ARMS, figures, move_times, part_times, proof_times
from evals.tutor_workloads import FromMemory, built, moves, seen_once
from nodes.tutor.claims import PREDICATES
from nodes.tutor.observations import Observation


@pytest.fixture(scope="module")
def seen() -> Observation:
    return asyncio.run(seen_once())


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("size", [1, 3])
async def test_every_kind_of_move_comes_out_as_it_must(seen: Observation, size: int, arm: Arm) -> None:
    times = await move_times(FromMemory(seen), size, arm, 2)
    kinds = {"PROPOSE", "ASSERT validated", "ASSERT refuted", "CHALLENGE", "LINK", "ASK", "illegal"}
    assert set(times) == {*kinds, "menu"}
    assert all(len(times[kind]) == 2 for kind in kinds)


async def test_the_moves_are_what_they_are_called(seen: Observation) -> None:
    tutor = await built(FromMemory(seen), 2)
    statuses = {}
    for move in moves(tutor, 2, 0):
        statuses[move.kind] = (await tutor.play(move.given)).status
    assert statuses == {
        "PROPOSE": None, "ASSERT validated": "validated", "ASSERT refuted": "refuted",
        "CHALLENGE": "validated", "": "proposed", "LINK": "refuted", "ASK": None, "illegal": None,
    }  # fmt: skip


async def test_an_observation_of_the_bench_counts(seen: Observation) -> None:
    tutor = await built(FromMemory(seen), 3)
    kept = [Observation.model_validate(node.data) for node in tutor.graph.of_kind("observation")]
    assert all(one.intact for one in kept) and len({one.stdout for one in kept}) == 3
    assert len(tutor.graph.of_kind("entity")) > 3 and set(get_args(Arm)) >= set(ARMS)


async def test_a_game_is_exported_and_replayed(seen: Observation) -> None:
    assert {"export", "replay", "parse"} < set(await part_times(FromMemory(seen), 2, 1))


async def test_claims_of_every_predicate_are_examined() -> None:
    times = await proof_times(1, 2)
    assert set(times) == set(PREDICATES)
    assert all(len(some["first"]) == len(some["again"]) == 1 for some in times.values())


def test_figures_are_of_all_repetitions() -> None:
    times = {"move": [(4.0, 3.0), (1.0, 1.0), (2.0, 0.5)]}
    assert figures(times) == {"move": {"p50": 2.0, "p95": 4.0, "fastest": 1.0, "cpu_p50": 1.0}}
