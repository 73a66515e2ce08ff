"""The names of the kernels."""

from __future__ import annotations

from typing import Literal

Kernel = Literal[
    "ast_scan", "metrics", "history", "hotspots", "security", "risk", "recommendations", "documentation"
]
