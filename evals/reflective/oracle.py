"""Somebody who knows: for each scenario a script with the right plan, and first the trap where there is one.

It answers through the ordinary scripted provider, so prompts, the output ladder, plan checks and tools are
those of any model. A reply holds what every form of question asks for (a plan, one command, one step, a
diagnosis); a reader takes the fields it knows.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from evals.reflective import facts
from evals.reflective.scenario import Cannot, Changed, Known, Scenario, Step, Worded
from models.scripted import Script

NOT_CONFIRMED = {"passed": False, "reason": "The outputs do not answer the request.", "confidence": 0.9}
CONFIRMED = {"passed": True, "reason": "The outputs answer the request.", "confidence": 0.95}


def oracle_script(scenario: Scenario, root: Path) -> Script:
    """The replies for one run of a scenario.

    Args:
        scenario: what is asked.
        root: the project as it is before the run, from which the answer is computed.
    """
    plans = [_reply(scenario, steps) for steps in (scenario.trap, scenario.oracle) if steps]
    plans = plans or [_reply(scenario, [])]
    return Script(
        roles={
            "classifier": [{"complexity": scenario.complexity[0]}],
            "planner": plans,
            # Where the critic plans as well, it has seen the first plan fail.
            "critic": [plans[-1]],
            "verifier": [*_confirming(scenario, root), NOT_CONFIRMED],
            # Without words of its own, the output is shown as it is.
            "worker": [scenario.says],
        },
        repeat_last=True,
    )


def bare_script(scenario: Scenario) -> Script:
    """What somebody who knows, but has one try and sees nothing, replies: the first plan as one command."""
    steps = scenario.trap or scenario.oracle
    words = scenario.says or " && ".join(_command(step) for step in steps)
    return Script(default=[words], repeat_last=True)


def _reply(scenario: Scenario, steps: list[Step]) -> dict[str, Any]:
    written = [_step(number, step) for number, step in enumerate(steps, start=1)]
    last = written[-1] if written else {}
    return {
        "objective": scenario.description,
        "steps": written,
        "validation": "The last output is what was asked for.",
        "confidence": 0.9,
        **last,
        "category": "other",
        "diagnosis": "The first plan took something for granted that is not so.",
        "fragile": "It did not look first.",
        "lesson": "Look at what is there before relying on a name, an option or an output.",
        "new_plan_summary": "Use what is there.",
    }


def _step(number: int, step: Step) -> dict[str, Any]:
    if isinstance(step, str):
        return {
            "description": f"Step {number}",
            "command": step,
            "tool": "command",
            "args": {"command": step},
        }
    return {"description": f"Step {number}", "command": "", **step}


def _command(step: Step) -> str:
    """A step as one command line; calls of writing tools in the words of a shell."""
    if isinstance(step, str):
        return step
    args = step["args"]
    match step["tool"]:
        case "move":
            return f"mv '{args['source']}' '{args['target']}'"
        case "delete":
            return f"rm '{args['path']}'"
        case "make_dir":
            return f"mkdir -p '{args['path']}'"
        case "edit_file":
            return f"sed -i 's/{args['old']}/{args['new']}/' '{args['path']}'"
        case _:
            return f"tee '{args['path']}'"


def _confirming(scenario: Scenario, root: Path) -> list[dict[str, Any]]:
    """A verdict that passes what shows the right answer; where there is none, nothing passes."""
    expected = scenario.expected_answer
    if isinstance(expected, Cannot):
        return []
    answer = ""
    if isinstance(expected, Known):
        value = facts.FACTS[expected.fact](root, **expected.args)
        pattern = _pattern(expected.kind, value)
        # Who knows says what the answer is; of several that tie, the first, which the output may not show.
        answer = ", ".join(value if isinstance(value, list) and expected.kind == "set" else _first(value))
    elif isinstance(expected, Worded):
        pattern = "".join(f"(?=.*(?:{one}))" for one in expected.patterns)
    else:
        assert isinstance(expected, Changed)
        # Whether the files are as they should be is looked at on the disk, afterwards.
        pattern = ""
    return [{"when": f"(?is){pattern}", "reply": {**CONFIRMED, "answer": answer}}]


def _first(value: facts.Value) -> list[str]:
    return value[:1] if isinstance(value, list) else [str(value)]


def _pattern(kind: str, value: facts.Value) -> str:
    """Matches a prompt that shows the value: a number as such, one of several, or all of a set."""
    members = value if isinstance(value, list) else [str(value)]
    names = [re.escape(member.rsplit("/", 1)[-1]) for member in members]
    whole = [rf"(?<![\w-]){name}(?![\w-])" for name in names]
    if kind == "set":
        return "".join(f"(?=.*{one})" for one in whole)
    return f".*(?:{'|'.join(whole)})"
