"""`reflect ask GOAL`: one run of the reflective graph, shown live, answered on stdout."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from configs.settings import Settings
    from nodes.reflective.context import RunContext
    from nodes.reflective.state import ReasoningState

EXIT_BY_STATUS = {"answered": 0, "partial": 1, "could_not": 1}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("ask", help="answer a question about the files below a directory")
    parser.add_argument("goal", nargs="+", help='what you want to know; "-" reads it from standard input')
    parser.add_argument(
        "--root", default=".", metavar="DIR", help="directory the goal is about (default: here)"
    )
    parser.add_argument(
        "--model", metavar="P:M", help="ollama:NAME, embedded, embedded:FILE.gguf, openai:NAME, scripted:FILE"
    )
    parser.add_argument("--strategy", metavar="S", help="wiring of the nodes (graph_v30)")
    parser.add_argument("--profile", metavar="P", help="safe, dev or sovereign")
    parser.add_argument(
        "--thread", metavar="ID", help="name of the thread; runs of one thread share checkpoints"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the goal and print the answer; returns the exit code."""
    from configs.loading import load_settings
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    flags = {"model": arguments.model, "profile": arguments.profile, "reasoning.strategy": arguments.strategy}
    given = {key: value for key, value in flags.items() if value is not None}
    settings = load_settings(root, given).settings
    with _ended_at_once_by_ctrl_c():
        _open_ahead(settings)
        from nodes.reflective.context import RunContext

        context = RunContext(
            root=str(root), model=arguments.model, profile=arguments.profile, strategy=arguments.strategy
        )
        goal = _goal(arguments.goal)
    thread = arguments.thread or f"ask-{uuid.uuid4().hex[:12]}"
    live = None if arguments.quiet else _live_view()
    state = asyncio.run(_run(goal, context, thread, settings, live))
    report = _report(state, thread, context)
    if arguments.json:
        _print_json(report)
    else:
        _print_text(report)
    if state.failure is not None and state.failure.environmental:
        return 2
    return EXIT_BY_STATUS.get(state.status, 2)


@contextlib.contextmanager
def _ended_at_once_by_ctrl_c() -> Iterator[None]:
    """Nothing is at stake while modules load, and an exception amid imports can leave their locks held."""

    def end(*_: object) -> None:
        os.write(2, b"reflect: interrupted\n")
        os._exit(130)

    before = signal.getsignal(signal.SIGINT)
    # A caller that ignores the signal, as a shell does for jobs in the background, keeps ignoring it.
    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _open_ahead(settings: Settings) -> None:
    """Load the embedding model beside the graph's imports: reading its weights needs the other core only.

    An error is left to the node that needs the model; it meets the same one and can name it in the answer.
    """

    def open_quietly() -> None:
        from models.embeddings import open_embedder
        from models.errors import ModelError

        with contextlib.suppress(ModelError):
            open_embedder(settings)

    # No daemon: a process that ends in the middle of native code is aborted, so its end waits for this.
    threading.Thread(target=open_quietly, name="open-embedder").start()


def _goal(words: list[str]) -> str:
    from nodes.reflective.classify import check_goal

    text = _piped() if words == ["-"] else " ".join(words)
    return check_goal(text.encode("utf-8", "replace").decode("utf-8"))


def _piped() -> str:
    """Standard input, whatever encoding the locale claims for it; empty when it is closed."""
    return sys.stdin.buffer.read().decode("utf-8", "replace") if sys.stdin else ""


def _live_view() -> Any:
    from cli.live import LiveView

    return LiveView(sys.stderr)


async def _run(goal: str, context: RunContext, thread: str, settings: Any, live: Any) -> ReasoningState:
    """Stream the graph with its checkpointer; the final state is the last `values` update."""
    from pathlib import Path

    from graph.reflective import build
    from memory.checkpoints import open_checkpointer
    from nodes.reflective.state import ReasoningState

    path = Path(context.root) / settings.checkpoints.path
    final: dict[str, Any] = {}
    async with open_checkpointer(path, settings.checkpoints.busy_timeout) as checkpointer:
        graph = build(checkpointer)
        stream = graph.astream(
            {"goal": goal},
            {"configurable": {"thread_id": thread}},
            context=context,
            stream_mode=["tasks", "custom", "values"],
            durability="sync",
        )
        if live is not None:
            live.start(goal)
        try:
            async for part in stream:
                mode, chunk = cast("tuple[str, dict[str, Any]]", part)
                if mode == "values":
                    final = chunk
                elif live is not None:
                    live.show(mode, chunk)
        finally:
            if live is not None:
                live.stop()
    return ReasoningState.model_validate(final)


def _report(state: ReasoningState, thread: str, context: RunContext) -> dict[str, Any]:
    """The one object `--json` prints; the text form shows parts of it."""
    from nodes.reflective.services import open_model_name

    steps = state.plan.steps if state.plan else []
    calls = list(state.usage.values())
    results = [step.result for step in steps if step.result]
    return {
        "answer": state.final_answer,
        "status": state.status,
        "stop_reason": state.stop_reason,
        "complexity": state.complexity.value if state.complexity else None,
        "complexity_source": state.complexity_source,
        "plan_source": state.plan.source if state.plan else None,
        "confidence": state.confidence,
        "steps": [
            {
                "num": step.num,
                "description": step.description,
                "tool_call": step.tool_call.model_dump() if step.tool_call else None,
                "status": step.status.value,
                "returncode": step.result.returncode if step.result else None,
            }
            for step in steps
        ],
        "reflections": [
            attempt.model_dump(mode="json", exclude={"probes"}) for attempt in state.reflection_attempts
        ],
        "evidence": [item.model_dump(mode="json") for item in state.evidence],
        "usage": {
            "calls": sum(item.calls for item in calls),
            "prompt_tokens": sum(item.prompt_tokens for item in calls),
            "completion_tokens": sum(item.completion_tokens for item in calls),
            "seconds": round(sum(item.seconds for item in calls), 3),
        },
        "thread_id": thread,
        "model": open_model_name(context, thread),
        "sandbox_level": results[-1].sandbox_level if results else "none",
        "notes": state.notes,
    }


def _print_json(report: dict[str, Any]) -> None:
    # Where the encoding cannot hold a character, JSON's own escape can.
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    sys.stdout.write(json.dumps(report, ensure_ascii=not is_utf8, indent=2) + "\n")
    sys.stdout.flush()


def _print_text(report: dict[str, Any]) -> None:
    from cli.live import print_report

    print_report(report, sys.stdout)
