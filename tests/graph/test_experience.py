"""What runs teach later ones: plans that are used again, counters, links from failures to what worked."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from evals.ask import ask
from models.scripted import Script, register_script
from nodes.reflective.state import ReasoningState

GOAL = "which python files call load_all but never save_all?"
OTHER = "which python files call read_all but never write_all?"
COMMAND = "grep -rlw --include='*.py' load_all . --null | xargs -0 grep -Lw save_all"
PASSED = {"passed": True, "reason": "it does", "confidence": 0.9}
# No worker words the output, so it is shown whole; the verifier says what the answer in it is.
NAMES = ("one.py", "two.py", "four.py", "a.read_two.py", "three.py")
LINES = ("key = 1", "# only comments")
JUDGED: list[Any] = [
    *({"when": rf"(?m)^(?:\./)?{name}", "reply": {**PASSED, "answer": name}} for name in NAMES),
    *(
        {"when": rf"(?m)^{line}$", "reply": {**PASSED, "answer": line}}
        for line in ("key = 1", "# only comments")
    ),
    *[{**PASSED, "answer": "nothing"}] * 3,
]
Run = Callable[..., Awaitable[ReasoningState]]


def plan(*commands: str) -> dict[str, Any]:
    return {
        "objective": "find them",
        "steps": [{"description": f"step {number}", "command": c} for number, c in enumerate(commands, 1)],
        "validation": "",
        "confidence": 0.8,
    }


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    root.mkdir()
    (root / "one.py").write_text("from store import load_all\nload_all()\n")
    (root / "two.py").write_text("load_all()\nsave_all()\nread_all()\n")
    (root / "four.py").write_text("read_all()\nwrite_all()\n")
    return root


@pytest.fixture
def run(project: Path, request: pytest.FixtureRequest) -> Run:
    """One run with memory on; a role without replies fails when it is asked."""
    count = 0

    async def one(goal: str, settings: dict[str, Any] | None = None, **roles: list[Any]) -> ReasoningState:
        nonlocal count
        count += 1
        name = f"{request.node.name}-{count}"
        replies = {
            "worker": [""] * 3,
            "verifier": JUDGED,
            "critic": [{"error": "garbage"}] * 9,
            **roles,
        }
        register_script(name, Script(roles={"classifier": [{"complexity": "moderate"}], **replies}))
        home = str(project.parent / "home")
        chosen = {"experience__global_root": home, **(settings or {})}
        return await ask(goal, project, f"scripted:{name}", f"run-{count}", **chosen)

    return one


def events(project: Path, kind: str) -> list[dict[str, Any]]:
    lines = (project / ".reflect" / "experience" / "events.jsonl").read_text().splitlines()
    return [record for record in map(json.loads, lines) if record["event_type"] == kind]


async def test_a_repeated_goal_makes_no_planner_call(run: Run, project: Path) -> None:
    first = await run(GOAL, planner=[plan(COMMAND)])
    assert (first.status, first.plan and first.plan.source) == ("answered", "model")
    again = await run(GOAL)
    assert (again.status, again.plan and again.plan.source) == ("answered", "reused")
    assert "planner" not in again.usage and "classifier" not in again.usage
    assert again.final_answer == first.final_answer
    assert "one.py" in (again.final_answer or "")
    episode = events(project, "episode")[0]
    assert [line["meta"] for line in events(project, "feedback")] == [
        {"of": episode["event_id"], "helpful": 1}
    ]


async def test_the_files_are_looked_at_again(run: Run, project: Path) -> None:
    await run(GOAL, planner=[plan(COMMAND)])
    (project / "three.py").write_text("load_all()\n")
    again = await run(GOAL)
    assert again.plan is not None and again.plan.source == "reused"
    assert "three.py" in (again.final_answer or "")


async def test_other_names_are_filled_in(run: Run) -> None:
    await run(GOAL, planner=[plan(COMMAND)])
    other = await run(OTHER)
    assert other.plan is not None and other.plan.source == "reused"
    assert "two.py" in (other.final_answer or "")
    command = other.plan.steps[0].tool_call
    assert command is not None and "load_all" not in command.args["command"]


async def test_a_near_miss_is_planned_anew(run: Run) -> None:
    await run(GOAL, planner=[plan(COMMAND)])
    miss = await run(
        "which python files call load_all and also save_all?",
        planner=[plan("grep -rlw --include='*.py' load_all . --null | xargs -0 grep -lw save_all")],
    )
    assert miss.plan is not None and miss.plan.source == "model"
    assert "two.py" in (miss.final_answer or "")


async def test_a_plan_that_was_not_verified_is_not_used_again(run: Run) -> None:
    refused = {"passed": False, "reason": "it answers something else"}
    other = plan(COMMAND.replace("-rlw", "-rl"))
    first = await run(GOAL, planner=[plan(COMMAND), other], verifier=[refused] * 2)
    assert (first.status, first.stop_reason) == ("could_not", "verification_failed")
    again = await run(GOAL, planner=[plan(COMMAND)])
    assert again.plan is not None and again.plan.source == "model"


async def test_what_was_found_is_only_good_until_something_changes(run: Run, project: Path) -> None:
    found = plan("grep -Lw save_all one.py two.py")
    goal = "which of all the loaders forget to save, and in which files are they?"
    await run(goal, planner=[found])
    assert [record["meta"]["lasting"] for record in events(project, "episode")] == [False]
    again = await run(goal)
    assert again.plan is not None and again.plan.source == "reused"
    (project / "three.py").write_text("load_all()\n")
    anew = await run(goal, planner=[plan("grep -rLw --include='*.py' save_all .")])
    assert anew.plan is not None and anew.plan.source == "model"
    assert "three.py" in (anew.final_answer or "")


async def test_a_plan_that_fails_when_used_again_is_replaced_and_sinks(run: Run, project: Path) -> None:
    goal = "list all keys that conf/a.ini sets besides its comments and sort them"
    (project / "conf").mkdir()
    (project / "conf" / "a.ini").write_text("# a\nkey = 1\n")
    await run(goal, planner=[plan("grep -v '^#' conf/a.ini")])
    first = events(project, "episode")[0]["event_id"]
    (project / "conf" / "a.ini").write_text("# only comments\n")
    second = await run(goal, planner=[plan("cat conf/a.ini")])
    assert second.plan is not None and second.plan.source == "model"
    verdicts = [line["meta"] for line in events(project, "feedback") if line["meta"]["of"] == first]
    assert {"of": first, "harmful": 1} in verdicts
    third = await run(goal)
    assert third.plan is not None and third.plan.source == "reused" and third.plan.reused_from != first


async def test_failures_are_linked_to_the_plan_that_worked(run: Run, project: Path) -> None:
    done = await run(GOAL, planner=[plan(f"{COMMAND} nowhere.py"), plan(COMMAND)])
    assert (done.status, done.reflection_count) == ("answered", 1)
    failure, episode = events(project, "reflection")[0], events(project, "episode")[0]
    links = [line["meta"] for line in events(project, "feedback") if "resolved_by" in line["meta"]]
    assert links == [{"of": failure["event_id"], "resolved_by": episode["event_id"]}]


async def test_a_change_is_planned_anew_each_time(project: Path, run: Run) -> None:
    goal = "create a file called done.txt that says done"
    await run(goal, planner=[{"objective": goal, "steps": []}] * 3)
    assert events(project, "episode") == []


async def test_verified_plans_are_examples_for_the_planner(run: Run, project: Path) -> None:
    await run(GOAL, planner=[plan(COMMAND)])
    similar = "which python files call load_all but not save_all?"
    done = await run(similar, planner=[{"when": "never save_all", "reply": plan(COMMAND)}])
    assert done.plan is not None and done.plan.source == "model"
    assert [(used.use, used.goal) for used in done.recalled][:1] == [("example", GOAL)]


async def test_finding_nothing_with_other_values_is_no_answer(run: Run, project: Path) -> None:
    goal = "which python files are named after the call read_two or write_all?"
    (project / "a.read_two.py").write_text("")
    await run(goal, planner=[plan("find . -name '*read_two*' -name '*.py'")])
    found = plan("grep -rlw --include='*.py' read_all .")
    other = await run(goal.replace("read_two", "read_all"), planner=[found])
    assert [used.use for used in other.recalled][:1] == ["reused"]
    assert other.status == "answered" and other.plan is not None and other.plan.source == "model"


async def test_a_planner_may_say_that_nothing_is_the_answer(run: Run, project: Path) -> None:
    (project / "a.log").write_text("x\nx\n")
    (project / "b.log").write_text("x\ny\n")
    goal, command = "group the duplicate lines of {}.log and sort them", "sort {}.log | uniq -d"
    await run(goal.format("a"), planner=[plan(command.format("a"))])
    other = await run(goal.format("b"), planner=[plan(command.format("b"))])
    assert [used.use for used in other.recalled][:1] == ["reused"]
    assert (other.status, other.plan and other.plan.source) == ("answered", "model")


@pytest.mark.parametrize(
    ("command", "source"),
    [(COMMAND, "reused"), (COMMAND.replace(" .", " one.py two.py"), "model")],
)
async def test_another_project_only_takes_what_its_goal_says(
    run: Run, tmp_path: Path, command: str, source: str
) -> None:
    await run(GOAL, planner=[plan(command)])
    other = tmp_path / "other"
    other.mkdir()
    for name in ("one.py", "two.py"):
        (other / name).write_text("load_all()\n")
    name = f"other-{source}"
    roles = {"classifier": [{"complexity": "moderate"}], "worker": [""] * 3, "verifier": JUDGED}
    planner = [plan(COMMAND)]
    register_script(name, Script(roles=roles | ({"planner": planner} if source == "model" else {})))
    home = str(tmp_path / "home")
    done = await ask(GOAL, other, f"scripted:{name}", "run-other", experience__global_root=home)
    assert done.plan is not None and done.plan.source == source


async def test_a_plan_that_nobody_checked_is_not_used_again(run: Run, project: Path) -> None:
    await run(GOAL, planner=[plan(COMMAND)], settings={"reasoning__verify": "complex"})
    assert [record["meta"]["reusable"] for record in events(project, "episode")] == [False]


async def test_a_record_that_somebody_else_wrote_ends_no_run(run: Run, project: Path) -> None:
    await run(GOAL, planner=[plan(COMMAND)])
    file = project / ".reflect" / "experience" / "events.jsonl"
    record = next(one for one in events(project, "episode"))
    step = record["meta"]["plan"][0]
    broken: list[dict[str, Any]] = [
        {"plan": []},
        {"plan": [step] * 9},
        {"plan": [{"description": "x" * 9000, "command": COMMAND}]},
        {"plan": [{"description": "x", "command": "grep " + "x " * 100_000}]},
        {"plan": [{"description": "x", "command": COMMAND + "\0"}]},
        {"validation": "x" * 9000},
        {"slots": [{"kind": "number", "text": "many"}] * 2},
        {"slots": "none", "demands": 3, "key": record["meta"]["key"]},
    ]
    with file.open("a") as stream:
        for number, change in enumerate(broken):
            line = {**record, "event_id": f"foreign-{number}", "meta": {**record["meta"], **change}}
            stream.write(json.dumps(line) + "\n")
    again = await run(GOAL)
    assert again.status == "answered" and again.plan is not None and again.plan.source == "reused"
    similar = "which python files call load_all but not save_all?"
    done = await run(similar, planner=[plan(COMMAND)])
    assert done.status == "answered"
