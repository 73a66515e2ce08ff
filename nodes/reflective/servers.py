"""What a run has to do with servers whose tools it may use: whom a goal names, and what is to be told."""

from __future__ import annotations

from collections.abc import Sequence

from memory.recipes.tool_orders import says_to_use
from tools.protocol import ToolCall
from tools.toolbox import Toolbox


async def tools_named(goal: str, toolbox: Toolbox) -> list[str]:
    """Tools of servers that a goal names in full, which no recipe may take for files.

    Only the servers it names are looked at.
    """
    named = toolbox.servers.named_in(goal)
    if not named:
        return []
    await toolbox.servers.look(name.partition(".")[0] for name in named)
    there = {tool.full_name for tool in toolbox.servers.tools}
    # Of a server that cannot be used nobody knows whether a name is a tool's or a file's: the wording tells.
    dead = [name for name in named if not toolbox.servers.answers(name) and says_to_use(goal, name)]
    return [name for name in named if name in there or name in dead]


def change_ordered(goal: str, named: Sequence[str], toolbox: Toolbox) -> list[str]:
    """Those of the named tools that may change something and that the goal says to use."""
    return [name for name in named if toolbox.writes(ToolCall(tool=name)) and says_to_use(goal, name)]


async def look_at_servers(toolbox: Toolbox, notes: Sequence[str]) -> list[str]:
    """List the tools of every server, for a planner; the notes, and what of them cannot be used."""
    await toolbox.servers.look()
    return list(dict.fromkeys([*notes, *toolbox.servers.problems]))


def out_of_reach(named: Sequence[str], toolbox: Toolbox) -> str | None:
    """Why a run that is to use a tool cannot, or None if it can."""
    there = {tool.full_name for tool in toolbox.servers.tools}
    lost = [name for name in named if name not in there]
    return f"{', '.join(lost)} cannot be used. {' '.join(toolbox.servers.problems)}" if lost else None


def unused(named: Sequence[str], calls: Sequence[ToolCall]) -> list[str]:
    """The tools a goal names if no call is of any of them; without them it would be another goal."""
    return list(named) if named and not {call.tool for call in calls} & set(named) else []
