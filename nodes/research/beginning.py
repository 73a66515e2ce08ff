"""What a run rests on from its first step on."""

from __future__ import annotations

import hashlib
import secrets
from datetime import UTC, datetime
from typing import Any

from configs.settings import Role
from memory.trace.iteration_log import iterations_directory
from models.roles import RoleModels
from nodes.reflective.services import Services, thread_id
from nodes.research.bookkeeping import research_settings
from nodes.research.replaying import load_manifest
from nodes.research.state import Asked, ResearchLimits, ResearchState

QUERY_ID_CHARS = 12
# What the caller chooses; all else belongs to the run.
GIVEN = frozenset(
    "query mode query_id corpus items temporal_context clarify ambiguity replay remaining_steps".split()
)
ROLES: tuple[Role, ...] = ("analyst", "critic", "writer")


def beginning(services: Services, state: ResearchState) -> dict[str, Any]:
    """What the run rests on from its first step on, so that a resumed or replayed one rests on the same.

    Raises:
        TraceUnwritable: its logs would lie outside of the root, by a link.
        ReplayImpossible: the manifest cannot be used.
    """
    settings = research_settings(services, state)
    # Refused before any model is asked.
    iterations_directory(services.root, services.settings)
    limits = ResearchLimits(
        enabled=settings.enabled,
        iterations=settings.max_iterations,
        searches=settings.max_searches,
        rewrites=settings.max_rewrites,
    )
    asked = Asked(
        query=state.query,
        temporal_context=state.temporal_context,
        clarify=state.clarify,
        ambiguity=state.ambiguity,
    )
    if state.replay:
        recorded = load_manifest(state.replay)
        return {
            "asked": asked,
            "query_id": state.query_id or recorded.query_id,
            "today": recorded.today,
            "seed": recorded.seed,
            "judges": recorded.judges,
            "models": recorded.models,
            "windows": recorded.windows,
            "limits": limits,
        }
    today = datetime.now(UTC).date().isoformat()
    return {
        "asked": asked,
        "query_id": state.query_id or thread_id() or _query_id(state.query),
        "today": today,
        "seed": secrets.token_hex(16),
        "judges": _can_judge(services.models),
        "models": {role: services.models.model_name(role) for role in ROLES},
        "windows": {role: services.models.window(role) for role in ROLES},
        "limits": limits,
    }


def anew() -> dict[str, Any]:
    """What a run of an earlier query left in the thread, put back to its beginning."""
    fresh = ResearchState()
    return {name: getattr(fresh, name) for name in ResearchState.model_fields if name not in GIVEN}


def _can_judge(models: RoleModels) -> bool:
    return all(models.can_judge(role) for role in ROLES)


def _query_id(query: str) -> str:
    digest = hashlib.sha256(query.encode("utf-8", "backslashreplace")).hexdigest()
    return f"research-{datetime.now(UTC):%Y%m%d-%H%M%S}-{digest[:QUERY_ID_CHARS]}"
