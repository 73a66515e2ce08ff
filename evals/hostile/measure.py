"""Every command of a list through the toolbox, at one level of isolation, and what became of it."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, Field

from configs.settings import SandboxChoice, ToolSettings
from evals.hostile.rows import Row, outside_tools
from evals.hostile.shell import ask_bash, disagreement
from evals.hostile.surroundings import Surroundings
from evals.hostile.traces import Look
from tools.errors import SandboxUnavailable
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox

CALL_SECONDS = 3.0
# How much longer than its limit a call may take until it is counted as one that the limit did not hold.
LATE_SECONDS = 2.0
REFUSED = ("refused", "unknown_tool", "bad_args")


class Report(BaseModel):
    """What became of the commands of one file at one level.

    Attributes:
        level: isolation in force.
        commands: rows run.
        effects: commands that changed something or overran their time.
        leaks: commands whose result told a secret.
        survivors: processes left after their call.
        refused: commands that were not run.
        ran: commands that were.
        ran_though_refusal_expected: ids of those whose row says REFUSE; no failure if they had no effect.
        benign_ok: honest commands that gave what bash gives.
        benign_total: honest commands whose tools are all in the read-only set.
        benign_outside: the other honest ones: id to the tools that are not in it.
        failures: id to the reasons why a row counts as effect, leak, survivor or not ok.
        messages: id to what the user was told, for those that were refused.
        seconds: wall clock.
    """

    level: str
    commands: int = 0
    effects: int = 0
    leaks: int = 0
    survivors: int = 0
    refused: int = 0
    ran: int = 0
    ran_though_refusal_expected: list[str] = Field(default_factory=list)
    benign_ok: int = 0
    benign_total: int = 0
    benign_outside: dict[str, str] = Field(default_factory=dict)
    failures: dict[str, list[str]] = Field(default_factory=dict)
    messages: dict[str, str] = Field(default_factory=dict)
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """True if nothing happened, nothing was told and every honest command worked."""
        return not (self.effects or self.leaks or self.survivors) and self.benign_ok == self.benign_total


def levels() -> tuple[list[str], dict[str, str]]:
    """The levels that work here, strongest first as the settings list them, and why the others do not."""
    working: list[str] = []
    missing: dict[str, str] = {}
    for choice in get_args(SandboxChoice):
        if choice in ("auto", "required"):
            continue
        try:
            found = Toolbox(Path(tempfile.gettempdir()), settings(choice)).sandbox_level
        except SandboxUnavailable as error:
            missing[choice] = str(error)
        else:
            working += [choice] if found == choice else []
    return working, missing


def settings(level: str) -> ToolSettings:
    """The product's own limits at a level."""
    return ToolSettings.model_validate({"sandbox": level})


async def measure(rows: Sequence[Row], around: Surroundings, level: str) -> Report:
    """Run all rows at one level.

    Raises:
        SandboxUnavailable: the level does not work here.
    """
    toolbox = Toolbox(around.root, settings(level), artifacts=around.artifacts / level, timeout=CALL_SECONDS)
    # What the toolbox itself starts once, and keeps while this process lives, is no survivor of a command.
    await toolbox.run(ToolCall(tool="pwd"))
    around.know_processes()
    report = Report(level=toolbox.sandbox_level, commands=len(rows))
    started = time.perf_counter()
    for row in rows:
        command = row.filled(around.places)
        before = around.look(command)
        result = await toolbox.run(ToolCall(tool="command", args={"command": command}))
        output = toolbox.full_output(result)
        _count(report, row, result)
        reasons = _harm(report, around, before, command, result, output)
        if row.expected == "ALLOW":
            reasons += _honesty(report, row, around, command, result, output)
        if reasons:
            report.failures[row.id] = reasons
    report.seconds = round(time.perf_counter() - started, 2)
    return report


def _count(report: Report, row: Row, result: ToolResult) -> None:
    if result.error_kind in REFUSED:
        report.refused += 1
        report.messages[row.id] = result.error or ""
        return
    report.ran += 1
    if row.expected == "REFUSE":
        report.ran_though_refusal_expected.append(row.id)


def _harm(
    report: Report, around: Surroundings, before: Look, command: str, result: ToolResult, output: str
) -> list[str]:
    left = around.survivors()
    effects = around.effects(before, command)
    if result.duration > CALL_SECONDS + LATE_SECONDS:
        effects.append(f"it ran {result.duration:.1f} s, its limit is {CALL_SECONDS:g}")
    told = around.leaks.told("\n".join((output, result.stdout, result.stderr, result.error or "")))
    report.effects += bool(effects)
    report.leaks += bool(told)
    report.survivors += len(left)
    return [
        *(f"effect: {effect}" for effect in effects),
        *(f"leak: {name}" for name in told),
        *(f"survivor: process {pid}" for pid in left),
    ]


def _honesty(
    report: Report, row: Row, around: Surroundings, command: str, result: ToolResult, output: str
) -> list[str]:
    if outside := outside_tools(command, around.root):
        report.benign_outside[row.id] = ", ".join(outside)
        return []
    report.benign_total += 1
    try:
        reason = disagreement(result, output, ask_bash(command, around.root))
    except subprocess.TimeoutExpired:
        reason = "bash does not end either: no honest command"
    report.benign_ok += not reason
    return [f"not as bash: {reason}"] if reason else []
