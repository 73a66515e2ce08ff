"""The graphs a batch can ask, by their names in langgraph.json: how each takes a goal.

A graph is built by the module of its name in `graph/`, where it runs; `ends.py` says what its end comes to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cli.batch.goal import Goal
from cli.research_command import new_run
from cli.think_command import check_question
from memory.thread_history import Kind
from nodes.collective.begin import check_goal as check_together
from nodes.reflective.classify import check_goal

ELSEWHERE: Mapping[str, str] = {"tutor": "is told a game and a seed, not a goal: see `reflect play`"}
"""Graphs of langgraph.json that take no goal, and why."""


@dataclass(frozen=True)
class BatchGraph:
    """A graph that takes a goal.

    Attributes:
        kind: of its threads.
        check: refuses, by a ReflectError, a goal it would not take.
        start: its input, for a goal and the name of its thread.
        takes_context: material can be given with a goal.
    """

    kind: Kind
    check: Callable[[str], object]
    start: Callable[[Goal, str], dict[str, Any]]
    takes_context: bool = False


def _engine(name: Kind, check: Callable[[str], object], asked: str = "goal") -> BatchGraph:
    """A graph that is told which engine it is, and takes material beside what is asked."""

    def start(goal: Goal, thread: str) -> dict[str, Any]:
        return {asked: goal.goal, "engine": name, "context": goal.context}

    return BatchGraph(name, check, start, takes_context=True)


GRAPHS: Mapping[str, BatchGraph] = {
    "reflective": BatchGraph("ask", check_goal, lambda goal, thread: {"goal": goal.goal}),
    "research": BatchGraph(
        "research", check_together, lambda goal, thread: new_run(goal.goal, "discovery", "", thread)
    ),
    "contractive": BatchGraph(
        "think",
        check_question,
        lambda goal, thread: {"question": goal.goal, "context": goal.context, "clarification": None},
        takes_context=True,
    ),
    "ensemble": _engine("ensemble", check_together),
    "hybrid": _engine("hybrid", check_together),
    "hierarchy": _engine("hierarchy", check_together, "question"),
    "specialists": BatchGraph(
        "specialists",
        check_together,
        lambda goal, thread: {"goal": goal.goal, "only": [], "engine": "specialists"},
    ),
    "auto": _engine("auto", check_goal),
}
