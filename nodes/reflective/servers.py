"""What a run has to do with servers whose tools it may use: which the goal wants, and what is to be told."""

from __future__ import annotations

from collections.abc import Sequence

from memory.recipes.tool_orders import says_to_use
from nodes.errors import PlanInvalid
from nodes.reflective.state import ReasoningState
from tools.mcp.servers import ToolServers
from tools.protocol import ToolCall
from tools.toolbox import Toolbox


def tools_asked_for(goal: str, servers: ToolServers) -> list[str]:
    """Names of servers' tools that a goal says to use, whether or not there are such tools."""
    return [
        name for name in servers.named_in(goal) if says_to_use(goal, name, asking=not servers.writes(name))
    ]


async def tools_to_use(goal: str, toolbox: Toolbox) -> list[str]:
    """Servers' tools that a goal says to use; only the servers it names are looked at.

    A name that an answering server does not list is a file's. Where the server does not answer nobody can
    tell, and the run had better say so.
    """
    servers = toolbox.servers
    wanted = tools_asked_for(goal, servers)
    await servers.look(name.partition(".")[0] for name in wanted)
    there = {tool.full_name for tool in servers.tools}
    return [name for name in wanted if name in there or not servers.answers(name)]


async def look_at_servers(toolbox: Toolbox, notes: Sequence[str]) -> list[str]:
    """List the tools of every server, for a planner; the notes, and what of them cannot be used."""
    await toolbox.servers.look()
    return list(dict.fromkeys([*notes, *toolbox.servers.problems]))


def out_of_reach(named: Sequence[str], toolbox: Toolbox) -> str | None:
    """Why a run that is to use a tool cannot, or None if it can."""
    there = {tool.full_name for tool in toolbox.servers.tools}
    lost = [name for name in named if name not in there]
    return f"{', '.join(lost)} cannot be used. {' '.join(toolbox.servers.problems)}" if lost else None


def check_used(state: ReasoningState, calls: Sequence[ToolCall]) -> None:
    """Hold a plan to the tools that the goal says to use; any one of them will do, in an earlier plan too.

    Raises:
        PlanInvalid: no call is of any of them, and no person has said what to do instead.
    """
    done = [step.tool_call for step in state.completed if step.tool_call]
    taken = {call.tool for call in [*done, *calls]}
    if state.server_tools and not state.corrected and not taken & set(state.server_tools):
        raise PlanInvalid(
            f"No step calls {' or '.join(state.server_tools)}.", "Use the tool that the request says."
        )
