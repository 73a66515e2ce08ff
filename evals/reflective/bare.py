"""S0, the bare model: one prompt, one command, no plan, no second try, nothing checked.

The prompt is a sentence that asks for a command, three fixed examples (a base model obeys no instruction),
and the goal. The command runs in the sandbox that the graph's steps run in, and what it prints is the answer;
one that printed nothing claims nothing. A goal that needs no tool is put to the model as it stands, which is
more than a bare model could know by itself.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage

from models.errors import ModelError
from nodes.reflective.context import RunContext
from nodes.reflective.services import open_services
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

ASKED = "Reply with one Unix command that does what is asked, in the current directory, and nothing else."
EXAMPLES: list[BaseMessage] = [
    HumanMessage("how many lines does notes.txt have?"),
    AIMessage("wc -l notes.txt"),
    HumanMessage("show the first 3 lines of data.csv"),
    AIMessage("head -n 3 data.csv"),
    HumanMessage("is there a file called setup.cfg?"),
    AIMessage("find . -name setup.cfg"),
]
# What a model writes reaches no shell and no interpreter: these change files and start nothing else.
CHANGING = {"cp", "ln", "mkdir", "mv", "rm", "rmdir", "touch"}
FENCE = re.compile(r"```\w*\n?|`")
TOKENS = 200


@dataclass(frozen=True)
class BareRun:
    """What one prompt led to.

    Attributes:
        status: answered, could_not, or error.
        answer: what was printed, or said.
        commands: what ran.
        calls: of the model.
        tokens: of prompt and reply.
    """

    status: str
    answer: str
    commands: list[str] = field(default_factory=list)
    calls: int = 1
    tokens: int = 0


async def ask_bare(goal: str, root: Path, model: str, *, needs_tools: bool, changes: bool) -> BareRun:
    """One prompt and one command.

    Args:
        goal: what is asked.
        root: directory it is about.
        model: provider:model.
        needs_tools: whether a command is asked for.
        changes: whether the command may write.
    """
    services = open_services(RunContext(root=str(root), model=model))
    shown: list[BaseMessage] = [SystemMessage(ASKED), *EXAMPLES] if needs_tools else []
    # Only its first line is read, and the shipped base model would go on for many more.
    stop = ["\n"] if needs_tools and not services.models.can_judge("worker") else None
    try:
        reply = await services.models.text(
            "worker", [*shown, HumanMessage(goal)], stop=stop, max_tokens=TOKENS
        )
    except ModelError as error:
        return BareRun("error", str(error))
    finally:
        await services.models.aclose()
    spent = reply.usage.prompt_tokens + reply.usage.completion_tokens
    text = reply.text.strip()
    if not needs_tools:
        return BareRun("answered" if text else "could_not", text, tokens=spent)
    assert services.toolbox is not None
    command = first_command(text)
    done = await _run(command, services.toolbox, changes)
    return BareRun("answered" if done else "could_not", done, [command] if done else [], tokens=spent)


def first_command(text: str) -> str:
    """The first line of a reply that is not empty, without the signs that fence code in."""
    lines = [line.strip().removeprefix("$ ") for line in FENCE.sub("", text).splitlines()]
    return next((line for line in lines if line), "")


async def _run(command: str, toolbox: Toolbox, changes: bool) -> str:
    """What a command printed, or that it is done; empty when it failed."""
    call = ToolCall(tool="command", args={"command": command})
    if changes:
        try:
            words = shlex.split(command)
        except ValueError:
            return ""
        if not words or words[0] not in CHANGING:
            return ""
        call = ToolCall(tool="run", args={"argv": words})
    result = await toolbox.run(call, timeout=30)
    if not result.ok:
        return ""
    return toolbox.full_output(result).strip() or ("Done." if changes else "")
