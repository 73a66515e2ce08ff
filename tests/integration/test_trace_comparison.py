"""The A/B of what a planner is shown: every mode runs to its end, and shows what it says."""

import pytest

from evals.bench_trace import MODES, compared


@pytest.mark.integration
async def test_every_mode_ends_and_costs_what_it_shows() -> None:
    results = await compared()
    assert set(results) == set(MODES)
    for mode in MODES:
        assert results[mode]["stop_reasons"] == ["success"] * 3
    assert len({results[mode]["model_calls"] for mode in MODES}) == 1
    assert results["both"]["planner_prompt_tokens"] > results["trace"]["planner_prompt_tokens"]
    assert results["both"]["planner_prompt_tokens"] > results["examples"]["planner_prompt_tokens"]
