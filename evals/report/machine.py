"""What a measurement ran on: facts others need to compare, and nothing that names the machine."""

from __future__ import annotations

import hashlib
import os
import platform
import shlex
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from configs.loading import load_settings
from models.embedded_weights import weights_path
from models.errors import ModelError
from models.identifiers import ModelId
from models.ollama_health import model_digest as ollama_digest
from models.ollama_health import ollama_addresses

PACKAGES = ("langgraph", "langchain-core", "langchain-ollama", "xllamacpp", "onnxruntime", "chromadb")
UNKNOWN = "unknown"


def circumstances(suite: str, typed: Sequence[str] | None = None) -> dict[str, Any]:
    """How a report came about: fields `suite`, `at`, `command` and `machine` of a `Report`.

    Args:
        suite: its name after `reflect eval`.
        typed: the words behind that; those of this process when None.
    """
    return {
        "suite": suite,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join(["reflect", "eval", suite, *(sys.argv[1:] if typed is None else typed)]),
        "machine": machine_facts(),
    }


def machine_facts() -> dict[str, str | int | float]:
    """Processor, usable cores, memory in GB, system, versions of Python and of the packages that matter."""
    facts: dict[str, str | int | float] = {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 0,
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9, 1),
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
        "python": platform.python_version(),
    }
    for name in PACKAGES:
        try:
            facts[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return facts


def _processor() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text("utf-8", "replace")
    except OSError:
        return platform.machine()
    named = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("model name")]
    return named[0] if named else platform.machine()


@cache
def model_digest(model: str) -> str:
    """What tells a model's weights from others of its name: Ollama's digest, or the SHA-256 of the file.

    Args:
        model: provider:model, as written; a script registered in this process has no file and no digest.

    Raises:
        ModelError: the name is none, or the weights of an embedded model cannot be used.
    """
    parsed = ModelId.parse(model)
    if parsed.provider == "ollama":
        settings = load_settings(Path.cwd()).settings
        addresses = ollama_addresses(settings, "worker")
        found = (ollama_digest(address, parsed.name, timeout=5) for address in addresses)
        return next(filter(None, found), UNKNOWN)
    if parsed.provider == "embedded":
        return _sha256(weights_path(parsed.name))
    if parsed.provider == "scripted":
        path = Path(parsed.name).expanduser()
        return _sha256(path) if path.is_file() else UNKNOWN
    return UNKNOWN


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
    except OSError as error:
        raise ModelError(
            f"{path.name} cannot be read: {error.strerror}.", "Check its permissions."
        ) from error
