"""A thousand true claims and a thousand false ones, all played in real sandboxes."""

from __future__ import annotations

from importlib.resources import files

import pytest

from evals.soundness.generating import FALSE, TRUE, generate
from evals.soundness.probes import Probe
from evals.soundness.running import run_probes
from evals.soundness.scoring import score, summary

pytestmark = pytest.mark.integration

SEED = 20240501


async def test_no_false_claim_is_accepted_and_honest_ones_are() -> None:
    probes = [Probe.model_validate(probe) for probe in generate(2000, SEED, (TRUE, FALSE))]
    outcomes = await run_probes(probes)
    found = score(probes, outcomes)
    told = summary(probes, outcomes)
    assert found.true_probes >= 1000 and found.false_probes >= 1000, told
    assert found.false_accepted == () and found.errors == 0, told
    assert found.met, told


async def test_true_claims_without_enough_evidence_are_not_accepted() -> None:
    probes = [Probe.model_validate(probe) for probe in generate(250, SEED, ("insufficient",))]
    outcomes = await run_probes(probes)
    found = score(probes, outcomes)
    assert found.insufficient >= 225, summary(probes, outcomes)
    assert found.insufficient_accepted == () and found.met, summary(probes, outcomes)


async def test_probes_written_by_hand_are_judged_rightly() -> None:
    lines = (files("evals.soundness") / "written.jsonl").read_text("utf-8").splitlines()
    probes = [Probe.model_validate_json(line) for line in lines]
    found = score(probes, outcomes := await run_probes(probes))
    told = summary(probes, outcomes)
    assert found.true_probes > 200 and found.false_probes > 400, told
    assert found.false_accepted == () and found.errors == 0, told
    assert found.true_accepted == found.true_probes, told
