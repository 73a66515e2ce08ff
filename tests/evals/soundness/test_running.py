"""Probes through the product: what is shown is accepted, what is not is not, what is broken is told."""

from __future__ import annotations

from typing import Any

import pytest

from evals.soundness.probes import BadLine, Probe
from evals.soundness.running import Outcome, run_probe, run_probes

FILES = {"a.txt": "one\ntwo\n", "b.txt": "three\n"}
CAT = {"tool": "cat", "args": {"path": "a.txt"}}
ECHO = {"raw": "echo one two three"}
HOLDS = {"predicate": "contains", "subject": "a.txt", "value": "two"}


async def result(
    actions: list[Any], cites: list[Any], claim: Any = HOLDS, files: dict[str, str] = FILES, **more: Any
) -> Outcome:
    return await run_probe(
        Probe.model_validate(
            {"id": "p", "files": files, "actions": actions, "claim": claim, "cites": cites, **more}
        )
    )


def step(name: str, **args: Any) -> dict[str, Any]:
    return {"tool": f"host:{name}", "args": args}


@pytest.mark.parametrize("action", [CAT, {"raw": "cat a.txt"}, {"raw": "grep -n two a.txt"}])
async def test_honest_evidence_is_accepted(action: Any) -> None:
    assert (await result([action], [0])).result == "accepted"


async def test_the_claim_is_about_the_end_and_steps_count_in_the_indexes() -> None:
    changed = step("write", path="a.txt", content="one\n2\n")
    assert (await result([CAT, changed], [0])).result == "undecidable"
    assert (await result([CAT, changed, CAT], [2])).result == "refuted"
    assert (await result([changed, CAT], [1], claim={**HOLDS, "value": "2"})).result == "accepted"
    for gone in (step("delete", path="a.txt"), step("rename", path="a.txt", to="c/d.txt")):
        assert (await result([CAT, gone], [0])).result == "undecidable"
    moved = step("rename", path="a.txt", to="c/d.txt")
    there = {"tool": "cat", "args": {"path": "c/d.txt"}}
    assert (await result([moved, there], [1], claim={**HOLDS, "subject": "c/d.txt"})).result == "accepted"


@pytest.mark.parametrize("cite", [-1, 1, 7, True, False, None, "0", "o0", "oo0", 0.0, {"index": 0}, [0]])
async def test_only_an_index_of_an_action_that_showed_something_supports(cite: Any) -> None:
    actions = [CAT, ECHO]
    assert (await result(actions, [cite])).result == "undecidable"
    assert (await result(actions, [cite, 0])).result == "accepted"


@pytest.mark.parametrize("action", ["two", None, 5, [], {}, {"tool": "cat", "args": 5}, {"tool": "rm"}, ECHO])
async def test_what_is_no_tool_call_brings_nothing_and_is_no_error(action: Any) -> None:
    outcome = await result([action], [0])
    assert outcome.result == "undecidable"
    assert list(outcome.refused) == [0]


@pytest.mark.parametrize(
    "claim", [None, "two", {}, {**HOLDS, "more": 1}, {**HOLDS, "subject": "../a.txt"}, {**HOLDS, "value": 5}]
)
async def test_what_is_no_claim_is_refused(claim: Any) -> None:
    assert (await result([CAT], [0], claim=claim)).result == "refused"


@pytest.mark.parametrize(
    "field", ["stdout", "output", "args", "footprint.digest", "game", "seal", "returncode"]
)
async def test_altered_evidence_does_not_count(field: str) -> None:
    altered = step("tamper", observation=0, field=field, old="two", new="too")
    outcome = await result([CAT, altered], [0])
    assert outcome.result == "undecidable" and "not as it was observed" in outcome.why
    assert (await result([CAT, CAT, altered], [1])).result == "accepted"


@pytest.mark.parametrize(
    "broken",
    [
        step("tamper", observation=5, field="stdout", old="a", new="b"),
        step("tamper", observation=True, field="stdout", old="a", new="b"),
        step("write", path="../out.txt", content="x"),
        step("write", path="a.txt"),
        step("delete", path="none.txt"),
        step("rename", path="none.txt", to="b"),
        step("chmod", path="a.txt"),
    ],
    ids=str,
)
async def test_a_step_that_cannot_be_made_is_an_error(broken: Any) -> None:
    assert (await result([CAT, broken], [0])).result == "errors"


async def test_a_sandbox_that_cannot_be_made_is_an_error() -> None:
    assert (await result([CAT], [0], files={**FILES, "../up.txt": "x"})).result == "errors"
    assert (await result([CAT], [0], links={"a.txt": "b.txt"})).result == "errors"


async def test_another_games_observation_is_kept_out_by_the_game_itself() -> None:
    other = {"files": {"a.txt": "one\nfour\n"}, "actions": [CAT]}
    claim = {**HOLDS, "value": "four"}
    outcome = await result([CAT], ["other:0"], claim=claim, other_game=other)
    assert outcome.result == "undecidable" and "other:0: it is not as it was observed" in outcome.why
    both = await result([CAT], ["other:0", 0], claim=claim, other_game=other)
    assert both.result == "refuted"


async def test_links_are_made_and_lead_nowhere() -> None:
    links = {"out": "/etc", "loose": "gone"}
    exists = {"predicate": "exists", "subject": "loose", "unit": "file"}
    look = {"tool": "find", "args": {"path": "."}}
    assert (await result([look], [0], claim=exists, links=links)).result != "accepted"
    passwd = {"predicate": "exists", "subject": "out/passwd"}
    assert (await result([look], [0], claim=passwd, links=links)).result != "accepted"


async def test_outcomes_come_in_the_order_of_the_probes() -> None:
    probes: list[Probe | BadLine] = [
        Probe(id=f"p{number}", files=FILES, actions=[CAT] * (number % 3), claim=HOLDS, cites=[0])
        for number in range(7)
    ]
    probes.insert(3, BadLine(id="4", why="line 4 is not JSON"))
    outcomes = await run_probes(probes)
    assert [outcome.id for outcome in outcomes] == ["p0", "p1", "p2", "4", "p3", "p4", "p5", "p6"]
    expected = [
        "undecidable",
        "accepted",
        "accepted",
        "errors",
        "undecidable",
        "accepted",
        "accepted",
        "undecidable",
    ]
    assert [outcome.result for outcome in outcomes] == expected
