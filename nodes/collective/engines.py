"""The engines a question may be given to, by the names langgraph.json has for them."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Engine: TypeAlias = Literal[
    "reflective", "contractive", "research", "tutor", "specialists", "ensemble", "hierarchy", "hybrid"
]
ENGINES: tuple[Engine, ...] = get_args(Engine)
