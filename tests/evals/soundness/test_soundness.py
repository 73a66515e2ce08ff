"""Generated claims through the product: nothing false is accepted, what is shown is."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from evals.soundness.generating import generate
from evals.soundness.probes import Probe
from evals.soundness.running import run_probes
from evals.soundness.scoring import score, summary


@given(st.integers(0, 10**9))
@settings(max_examples=4)
def test_what_is_accepted_is_so_and_shown(seed: int) -> None:
    probes = [Probe.model_validate(probe) for probe in generate(10, seed)]
    outcomes = asyncio.run(run_probes(probes))
    found = score(probes, outcomes)
    assert found.false_accepted == (), summary(probes, outcomes)
    assert found.insufficient_accepted == (), summary(probes, outcomes)
    assert found.errors == 0, summary(probes, outcomes)
