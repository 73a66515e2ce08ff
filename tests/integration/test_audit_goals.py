"""Questions about a generated project, asked of the whole graph without a model, against radon and bandit."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from radon.complexity import cc_visit

from evals.ask import ask
from evals.requests.__main__ import SILENT
from nodes.reflective.audit_answers import LISTED
from nodes.reflective.state import ReasoningState
from tests.tools.audit.repositories import git

pytestmark = pytest.mark.integration
RISKY = ("eval(a)", "exec(a)", "assert a", "subprocess.call(a, shell=True)", "pickle.loads(a)", "pass")


def written(root: Path, seed: int) -> Path:
    """A package with branches and findings drawn at random, two modules that import each other, a history."""
    draw = random.Random(seed)
    (root / "pkg").mkdir(parents=True)
    for number in range(4):
        lines = [
            "import pickle",
            "import subprocess",
            f"import pkg.m{(number + 1) % 2}" if number < 2 else "",
        ]
        for name in range(draw.randint(1, 4)):
            lines += ["", "", f"def f{number}_{name}(a, b):", f"    {draw.choice(RISKY)}"]
            for _ in range(draw.randint(0, 9)):
                lines += [
                    f"    if {draw.choice(['a', 'a and b', 'a or b'])}:",
                    f"        {draw.choice(RISKY)}",
                ]
        (root / "pkg" / f"m{number}.py").write_text("\n".join(lines) + "\n")
    return root


def functions(root: Path) -> dict[str, int]:
    """Names with the complexity radon gives them."""
    files = sorted((root / "pkg").glob("*.py"))
    return {block.name: block.complexity for file in files for block in cc_visit(file.read_text())}


def findings(root: Path) -> list[tuple[str, str, int]]:
    """Severity, rule and line of what bandit's own command finds."""
    done = subprocess.run(
        [sys.executable, "-m", "bandit", "-q", "-r", "-f", "json", "pkg"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(done.stdout)["results"]
    return [(one["issue_severity"].lower(), one["test_id"], one["line_number"]) for one in found]


async def answer(goal: str, root: Path, tmp_path: Path) -> ReasoningState:
    script = tmp_path / "silent.yaml"
    script.write_text(SILENT)
    return await ask(goal, root, f"scripted:{script}", goal[:20].strip())


@pytest.mark.parametrize("seed", [1, 2])
async def test_figures_are_those_of_radon_and_bandit(seed: int, tmp_path: Path) -> None:
    root = written(tmp_path / "root", seed)
    known, warned = functions(root), findings(root)
    most = max(known.values())
    state = await answer("Which function in pkg has the highest cyclomatic complexity?", root, tmp_path)
    assert state.status == "answered" and state.usage == {}
    named = {name for name in known if f"{name} (pkg/" in (state.final_answer or "")}
    assert named == {name for name, complexity in known.items() if complexity == most}
    assert str(most) in (state.final_answer or "")
    there = len(cc_visit((root / "pkg" / "m1.py").read_text()))
    counted = await answer("how many functions does pkg/m1.py have?", root, tmp_path)
    assert re.match(rf"There (is|are) {there} functions? in pkg/m1.py", counted.final_answer or "")
    listed = await answer("List the security findings of this repository", root, tmp_path)
    text = listed.final_answer or ""
    assert text.startswith(f"{len(warned)} security finding")
    lines = [line.split() for line in text.splitlines()[1:] if not line.startswith("... and ")]
    told = Counter((level, rule, int(at.rpartition(":")[2])) for level, rule, at, *_ in lines)
    assert told <= Counter(warned) and told.total() == min(len(warned), LISTED)
    assert len(warned) <= LISTED or f"... and {len(warned) - LISTED} more" in text
    over = await answer("how many functions have a complexity above 5?", root, tmp_path)
    number = sum(complexity > 5 for complexity in known.values())
    assert (over.final_answer or "").startswith(f"{number} function" if number else "No function")


async def test_cycles_are_found_and_hotspots_only_where_there_is_a_history(tmp_path: Path) -> None:
    root = written(tmp_path / "root", 3)
    cycles = await answer("Are there import cycles?", root, tmp_path)
    assert cycles.status == "answered" and (cycles.final_answer or "").startswith("1 import cycle here")
    assert {"pkg/m0.py:3", "pkg/m1.py:3"} <= set((cycles.final_answer or "").split())
    without = await answer("Which files are the hotspots?", root, tmp_path)
    assert without.status == "could_not" and "no git history" in (without.final_answer or "")
    git(root, "init", "-q")
    changed = root / "pkg" / "m2.py"
    branches = "".join(f"    if a == {number}:\n        return b\n" for number in range(30))
    for number in range(3):
        changed.write_text(f"{changed.read_text()}\n\ndef g{number}(a, b):\n{branches}")
        git(root, "add", "pkg")
        git(root, "commit", "-qm", f"c{number}")
    with_it = await answer("where are the hotspots in this repository?", root, tmp_path)
    assert with_it.status == "answered"
    assert "pkg/m2.py:" in (with_it.final_answer or "") and "3 commits" in (with_it.final_answer or "")


async def test_a_model_that_makes_up_a_figure_is_not_believed(tmp_path: Path) -> None:
    root = written(tmp_path / "root", 4)
    step = {"description": "Measure", "command": "audit pkg --kernel ast_scan"}
    replies = {
        "classifier": {"complexity": "moderate"},
        "planner": {"steps": [step], "objective": "x", "validation": "v", "confidence": 0.9},
        "worker": "The package's branchiness figure is 98765.",
        "verifier": {"passed": True, "reason": "so it says", "confidence": 0.9},
    }
    script = tmp_path / "model.yaml"
    script.write_text(
        json.dumps({"roles": {role: [reply] for role, reply in replies.items()}, "repeat_last": True})
    )
    goal = "Which parts of the code in pkg should worry me, judged by how tangled its functions are?"
    state = await ask(goal, root, f"scripted:{script}", "made-up")
    assert state.status == "partial" and "98765" not in (state.final_answer or "")
    assert any(one.command.startswith("audit pkg --kernel ast_scan") for one in state.evidence)
