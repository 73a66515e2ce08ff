"""CLARIFY: a person is asked what an ambiguous question means, and the answer binds."""

from __future__ import annotations

from typing import Any

from langgraph.runtime import Runtime
from langgraph.types import interrupt

from nodes.contractive.normalization import by_code
from nodes.contractive.open_calls import forget
from nodes.contractive.state import ROOT, ContractiveState
from nodes.contractive.telling import happened
from nodes.reflective.context import RunContext

AS_ASKED = "as asked"
LONGEST_ANSWER = 1000


async def clarify(state: ContractiveState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    """Ask which reading is meant; a number, one of the readings, own words, or `as asked`."""
    root = state.taken_up(ROOT)
    assert root.normal is not None
    readings = [*root.normal.readings, AS_ASKED]
    # While a person thinks, the time of the run stands still.
    forget(state.run_id)
    answer = interrupt({"kind": "clarify", "question": root.text, "readings": readings})
    meant = _meant(answer, readings)
    if meant != AS_ASKED:
        code = by_code(f"{root.text} (meant: {meant})")
        root.normal = root.normal.model_copy(
            update={"question": f"{root.normal.question} (meant: {meant})", "constraints": code.constraints}
        )
    root.events.append(happened("normalized", ROOT, clarified=meant))
    return {"tree": {ROOT: root.model_dump(mode="json")}, "clarification": meant}


def _meant(answer: Any, readings: list[str]) -> str:
    """The reading a person chose; what is none of them is taken as their own words."""
    told = answer.get("reading", "") if isinstance(answer, dict) else answer
    text = str(told).strip()
    if text.isdecimal() and 1 <= int(text) <= len(readings):
        return readings[int(text) - 1]
    return text[:LONGEST_ANSWER] or AS_ASKED
