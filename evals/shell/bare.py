"""S0: the bare model. One prompt, one command, run by the product's tools in the same sandbox."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from configs.loading import load_settings
from configs.prompting import render
from configs.settings import ToolSettings
from evals.shell.judge import Attempt
from models.errors import ModelError
from models.roles import RoleModels
from models.selection import choose_model
from tools.errors import ToolError
from tools.parser import parse_command
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox

SECONDS = 10.0
MAX_TOKENS = 100
FENCE = re.compile(r"```(?:\w*\n)?(.*?)(?:```|$)", re.DOTALL)
# What a model writes reaches no shell and no interpreter, not even through the tool that runs programs.
INTERPRETERS = re.compile(
    r"(?:.*/)?(?:(?:ba|da|z|k|c|tc|fi|a|r|mk)?sh|(?:python|perl|ruby|node|php|lua|tclsh|env|busybox|[gmn]?awk"
    r"|script|expect|ssh|su|sudo|xargs|find|nohup|nice|timeout|setsid|time|watch|strace)[\d.]*)"
)
EXAMPLES = [
    HumanMessage("how many lines does notes.txt have?"),
    AIMessage("wc -l notes.txt"),
    HumanMessage("show the first 3 lines of data.csv"),
    AIMessage("head -n 3 data.csv"),
    HumanMessage("is there a file called setup.cfg?"),
    AIMessage("find . -name setup.cfg"),
]


class BareModel:
    """The model with nothing around it; opened once for all tasks.

    Args:
        model: provider:model.
        root: directory the settings are read for.
        examples: show three fixed examples first, for a base model obeys no instruction.

    Raises:
        ModelError: there is no such model.
    """

    def __init__(self, model: str, root: Path, *, examples: bool = False) -> None:
        settings = load_settings(root, {"model": model}).settings
        self._models = RoleModels(settings, choose_model(settings))
        self._shown = EXAMPLES if examples else []
        self.calls = 0
        self.tokens = 0

    async def command(self, goal: str) -> str:
        """The one command it writes.

        Raises:
            ModelError: it cannot be reached.
        """
        messages = [SystemMessage(render("bare_command")), *self._shown, HumanMessage(goal)]
        # Only the first line is read, and the shipped base model would go on for many more.
        one_line = not self._models.can_judge("worker")
        command = await self._asked(messages, ["\n"]) if one_line else ""
        return command or await self._asked(messages, None)

    async def _asked(self, messages: Sequence[BaseMessage], stop: list[str] | None) -> str:
        reply = await self._models.text("worker", messages, stop=stop, max_tokens=MAX_TOKENS)
        self.calls += reply.usage.calls
        self.tokens += reply.usage.prompt_tokens + reply.usage.completion_tokens
        return first_command(reply.text)

    async def aclose(self) -> None:
        """Close its connection."""
        await self._models.aclose()


def first_command(reply: str) -> str:
    """The first line of a reply that is not a fence or a prompt's sign."""
    fenced = FENCE.search(reply)
    text = fenced[1] if fenced and fenced[1].strip() else reply
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0].removeprefix("$ ").strip("`").strip() if lines else ""


async def run_command(command: str, root: Path) -> ToolResult:
    """Run a command that a model wrote through the tools of a root, changes included.

    The read-only tools take it first. A single program they do not know is run by the tool that runs programs
    in a writable sandbox, as a list of words; what the policy refuses stays refused.
    """
    toolbox = Toolbox(root, ToolSettings(sandbox="bwrap"), "full", timeout=SECONDS)
    result = await toolbox.run(ToolCall(tool="command", args={"command": command}))
    if result.error_kind != "unknown_tool":
        return result
    argv = await asyncio.to_thread(_single_program, command, toolbox.root)
    if argv is None:
        return result
    return await toolbox.run(ToolCall(tool="run", args={"argv": argv}))


def _single_program(command: str, root: Path) -> list[str] | None:
    """The words of a command that is one program, or None."""
    try:
        stages = parse_command(command, root)
    except ToolError:
        return None
    if len(stages) != 1 or stages[0].tool is None or INTERPRETERS.fullmatch(stages[0].tool):
        return None
    return [stages[0].tool, *(stages[0].argv or ())]


async def attempt(bare: BareModel, goal: str, root: Path) -> Attempt:
    """One task by the bare model; changes of files are for the caller to find out."""
    try:
        command = await bare.command(goal)
    except ModelError as error:
        return Attempt(cause="model error", detail=str(error))
    if not command:
        return Attempt(cause="model wrote nothing")
    result = await run_command(command, root)
    if result.error_kind is not None:
        return Attempt(
            cause=REFUSALS.get(result.error_kind, "tool failed"), detail=f"{command}: {result.error}"
        )
    return Attempt(
        ran=True,
        outputs=[result.stdout + result.stderr],
        claims=result.ok,
        cause="" if result.ok else "command failed",
        detail=command,
    )


REFUSALS = {
    "refused": "refused by the policy",
    "unknown_tool": "refused by the policy",
    "bad_args": "refused by the policy",
    "access": "refused by the policy",
    "launch": "program not installed",
    "timeout": "timed out or too much output",
    "output_cap": "timed out or too much output",
}
