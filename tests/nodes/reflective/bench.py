"""One node at a time, run as the graph runs it: real settings, tools and memory, a scripted model."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph

from models.scripted import Script, register_script
from nodes.reflective.context import RunContext
from nodes.reflective.services import Services, open_services
from nodes.reflective.state import ReasoningState

Node = Callable[..., Awaitable[Any]]
SHIPS = "name,length,flag\nBoreas,240,GR\nZephyr,95,NO\n"


@dataclass
class Bench:
    """A root, and the name of the runs on it."""

    root: Path
    name: str
    memory: bool = False
    contexts: int = 0

    def context(self, roles: dict[str, list[Any]] | None = None, **settings: Any) -> RunContext:
        """A caller's choices; keys of settings are written with `__` for dots, replies go by role.

        Each context has a script of its own, so that its services are opened anew.
        """
        self.contexts += 1
        script = f"{self.name}-{self.contexts}"
        register_script(script, Script(roles=roles or {}))
        chosen = {"experience.enabled": self.memory, "traces.enabled": self.memory}
        chosen |= {key.replace("__", "."): value for key, value in settings.items()}
        profile = chosen.pop("profile", None)
        return RunContext(root=str(self.root), model=f"scripted:{script}", profile=profile, settings=chosen)

    def services(self, roles: dict[str, list[Any]] | None = None, **settings: Any) -> Services:
        return open_services(self.context(roles, **settings))

    async def visit(self, node: Node, state: ReasoningState, context: RunContext) -> ReasoningState:
        """The state after one node."""
        final, _ = await self.watched(node, state, context)
        return final

    async def watched(
        self, node: Node, state: ReasoningState, context: RunContext
    ) -> tuple[ReasoningState, list[dict[str, Any]]]:
        """The state after one node, and the progress it sent."""
        graph: StateGraph[ReasoningState, RunContext, Any, Any] = StateGraph(ReasoningState, RunContext)
        graph.add_node("node", node)
        graph.add_edge(START, "node")
        graph.add_edge("node", END)
        given = state.model_dump(mode="json", exclude={"remaining_steps"})
        config: Any = {"configurable": {"thread_id": self.name}}
        sent: list[dict[str, Any]] = []
        final: Any = given
        stream = graph.compile().astream(given, config, context=context, stream_mode=["values", "custom"])
        async for mode, part in stream:
            if mode == "custom":
                sent.append(part)  # type: ignore[arg-type]  # what `progress` writes
            else:
                final = part
        return ReasoningState.model_validate(final), sent


def git(root: Path, *arguments: str, person: str = "Ada") -> str:
    """Run git as a person, with none of the machine's settings."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    for who in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{who}_NAME": person, f"GIT_{who}_EMAIL": f"{person.lower()}@example.org"}
    done = subprocess.run(
        ["git", *arguments], cwd=root, env=environment, capture_output=True, check=True, text=True
    )
    return done.stdout
