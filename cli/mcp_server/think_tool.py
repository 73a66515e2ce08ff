"""`think`: contractive reasoning about a question, with what is certain about its answer."""

from __future__ import annotations

import asyncio
import uuid
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from cli.live import printable
from cli.mcp_server.engine_tool import Arguments, Call, EngineTool, Outcome, waiting_note
from cli.mcp_server.progress import Progress
from cli.think_command import (
    EXIT_BY_STATUS,
    EXIT_ENVIRONMENT,
    KEPT,
    LONGEST_CONTEXT,
    check_question,
    resume_line,
)
from cli.think_live import line_of
from cli.think_output import readings_of, text_of
from cli.think_running import Thinking
from configs.contractive import Preset
from configs.errors import UsageError
from configs.prompting import render
from nodes.contractive.events import ResultLine, result_of
from nodes.contractive.state import LONGEST_QUESTION, ContractiveState
from nodes.reflective.context import RunContext


class ThinkArguments(Arguments):
    """What `think` takes."""

    question: str = Field(
        description="The question, complete in itself.",
        json_schema_extra={"minLength": 1, "maxLength": LONGEST_QUESTION},
    )
    context: str = Field(
        "",
        description="Text the answer may rest on; the text itself, no path.",
        json_schema_extra={"maxLength": LONGEST_CONTEXT},
    )
    preset: Preset | None = Field(None, description="Values that go together for one kind of question.")


class Events:
    """Tells a client what the command line shows of a contractive run.

    Args:
        progress: of the call.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def show(self, event: Mapping[str, Any]) -> None:
        """See `cli.think_live.View`."""
        self._progress.tell(line_of(event))


async def think(call: Call, given: ThinkArguments) -> Outcome:
    """Think about the question in a thread of its own.

    Raises:
        ReflectError: it cannot be run, or was ended.
    """
    question = given.question.strip()
    check_question(question)
    if len(given.context) > LONGEST_CONTEXT:
        raise UsageError(
            f"The context has {len(given.context)} characters; {LONGEST_CONTEXT} is the limit.",
            "Give the part that matters, or put it in a file below the root and use research.",
        )
    site, thread = call.site, f"think-{uuid.uuid4().hex[:12]}"
    kept = {"root": str(site.root), "model": site.model, "profile": site.profile, "preset": given.preset}
    go_on = resume_line(thread, Namespace(**dict.fromkeys(KEPT) | kept))
    chosen = {"contractive.preset": given.preset} if given.preset else {}
    settings = await asyncio.to_thread(site.settings, **chosen)
    context = RunContext(root=str(site.root), model=site.model, profile=site.profile, settings=chosen)
    call.announce(thread, go_on)
    thinking = Thinking(
        context,
        thread,
        settings,
        go_on,
        Events(call.progress),
        quiet=True,
        person=_nobody,
        control=call.control,
    )
    start = {"question": question, "context": given.context, "clarification": None}
    state, waiting = await thinking.to_the_end(start)
    return _outcome(state, thread, waiting, go_on)


async def _nobody(question: Mapping[str, Any]) -> str | None:
    """Leaves a question open."""
    return None


def _outcome(state: ContractiveState, thread: str, waiting: list[dict[str, Any]], go_on: str) -> Outcome:
    result = result_of(state, thread, waiting)
    if waiting:
        note = waiting_note("a word on what its question means", f"{go_on} --reading=NUMBER")
        asked = "\n".join(f"This can mean more than one thing: {readings_of(one)}" for one in waiting)
        return Outcome(result.model_copy(update={"notes": [*result.notes, note]}), f"{asked}\n{note}")
    failed = EXIT_BY_STATUS.get(result.status, EXIT_ENVIRONMENT) == EXIT_ENVIRONMENT
    told = f"{printable(result.failure)}\n" if result.failure else ""
    return Outcome(result, told if failed else told + text_of(result), failed=failed)


THINK = EngineTool(
    name="think",
    title="Think about a question",
    description=render("mcp_think"),
    arguments=ThinkArguments,
    result=ResultLine,
    run=think,
)
