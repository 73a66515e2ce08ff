"""Which tools there are."""

from __future__ import annotations

from typing import Any

from cli.mcp_server.ask_tool import ASK
from cli.mcp_server.audit_tool import AUDIT
from cli.mcp_server.engine_tool import EngineTool
from cli.mcp_server.experience_tool import SEARCH_EXPERIENCE
from cli.mcp_server.research_tool import RESEARCH
from cli.mcp_server.think_tool import THINK

TOOLS: tuple[EngineTool[Any], ...] = (ASK, RESEARCH, THINK, SEARCH_EXPERIENCE, AUDIT)
