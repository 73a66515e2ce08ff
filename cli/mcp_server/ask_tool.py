"""`ask`: a question about the files below the root, answered by the reflective graph."""

from __future__ import annotations

import asyncio
import io
import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pydantic import Field

from cli.ask_report import AskReport
from cli.live import NODE_WORDS, plain_line, print_report
from cli.mcp_server.engine_tool import Arguments, Call, EngineTool, Outcome, waiting_note
from cli.mcp_server.progress import Progress
from cli.running import EXIT_ENVIRONMENT, EXIT_WAITING, run_to_the_end
from configs.errors import RunEnded
from configs.prompting import render
from nodes.reflective.classify import MAX_GOAL_CHARS, check_goal
from nodes.reflective.context import RunContext

if TYPE_CHECKING:
    from langgraph.types import StreamMode


class AskArguments(Arguments):
    """What `ask` takes."""

    goal: str = Field(
        description="What to find out, in plain words, complete in itself: earlier calls are not remembered.",
        json_schema_extra={"minLength": 1, "maxLength": MAX_GOAL_CHARS},
    )


class NodesAndEvents:
    """Tells a client what the command line shows of a run of the reflective graph.

    Args:
        progress: of the call.
    """

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    @property
    def modes(self) -> list[StreamMode]:
        """See `cli.live.Live`."""
        return ["tasks", "custom"]

    def start(self, goal: str) -> None:
        """See `cli.live.Live`; the client knows what it asked."""

    def stop(self) -> None:
        """See `cli.live.Live`; the result follows."""

    def show(self, mode: str, chunk: Mapping[str, Any]) -> None:
        """See `cli.live.Live`."""
        if mode == "custom":
            self._progress.tell(plain_line(dict(chunk)))
        elif "input" in chunk:
            self._progress.tell(NODE_WORDS.get(chunk["name"], ""))


async def ask(call: Call, given: AskArguments) -> Outcome:
    """Run the goal in a thread of its own.

    Raises:
        ReflectError: it cannot be run, or was ended.
    """
    goal = check_goal(given.goal)
    site, thread = call.site, f"ask-{uuid.uuid4().hex[:12]}"
    go_on = site.go_on(thread)
    settings = await asyncio.to_thread(site.settings)
    # That changes are made unasked is what the person at a terminal may have chosen, not whoever calls.
    approval = "dry_run" if settings.tools.approval == "dry_run" else "ask"
    context = RunContext(root=str(site.root), model=site.model, profile=site.profile, approval=approval)
    call.announce(thread, go_on)
    try:
        report, code = await run_to_the_end(
            {"goal": goal},
            context,
            thread,
            settings,
            NodesAndEvents(call.progress),
            control=call.control,
            ask=False,
        )
    except RunEnded as error:
        raise RunEnded(error.what, f"Go on with: {go_on}") from error
    if code == EXIT_WAITING:
        what = "a judgement of its answer" if _is_review(report) else "an approval; the change was not made"
        report["notes"] = [*report["notes"], waiting_note(what, go_on)]
    text = io.StringIO()
    print_report(report, text, go_on)
    return Outcome(AskReport.model_validate(report), text.getvalue(), failed=code == EXIT_ENVIRONMENT)


def _is_review(report: Mapping[str, Any]) -> bool:
    return any(question.get("kind") == "review" for question in report["waiting_for"])


ASK = EngineTool(
    name="ask",
    title="Ask about files",
    description=render("mcp_ask"),
    arguments=AskArguments,
    result=AskReport,
    run=ask,
)
