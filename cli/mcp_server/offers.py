"""Which tools there are."""

from __future__ import annotations

from typing import Any

from cli.mcp_server.ask_tool import ASK
from cli.mcp_server.engine_tool import EngineTool
from cli.mcp_server.experience_tool import SEARCH_EXPERIENCE
from cli.mcp_server.research_tool import RESEARCH
from cli.mcp_server.think_tool import THINK

# `cli.mcp_server.audit_tool.AUDIT` joins them once `tools.audit.pipeline` runs its kernels.
TOOLS: tuple[EngineTool[Any], ...] = (ASK, RESEARCH, THINK, SEARCH_EXPERIENCE)
