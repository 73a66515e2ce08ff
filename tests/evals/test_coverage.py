"""The cases of the coverage measure, and that it tells a refusal from none."""

import asyncio
from pathlib import Path

from evals.coverage import PlanCase, cases, refusal
from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.services import open_services


def test_there_are_right_and_wrong_plans_and_none_is_both() -> None:
    known = list(cases())
    plans = {
        kind: {(one.goal, one.commands) for one in known if one.kind == kind} for kind in ("right", "wrong")
    }
    assert len(plans["right"]) > 500 and len(plans["wrong"]) > 300
    assert len(known) == len({(one.goal, one.commands) for one in known})


async def test_a_plan_that_reads_another_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("x\n")
    register_script("coverage", Script())
    services = await asyncio.to_thread(
        open_services, RunContext(root=str(tmp_path), model="scripted:coverage")
    )
    goal = "how many lines does a.txt have?"
    assert await refusal(PlanCase("1", goal, ("wc -l a.txt",), "right"), services) is None
    assert "a.txt" in (await refusal(PlanCase("2", goal, ("wc -l b.txt",), "wrong"), services) or "")
