"""What processes did, in the terms of the protocol; long outputs go to an artifact."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools.artifacts import excerpt, store
from tools.pipeline import Outcome
from tools.stages import encodable

NAMES_TOLD = 10


@dataclass(frozen=True)
class Keeping:
    """Where outputs are kept.

    Attributes:
        artifacts: directory for long ones; without it all are kept whole in the result.
        state_bytes: outputs longer than this are long.
        cap: bytes after which a process was stopped.
        named: how the directory is written in results, relative to the root if it lies below it.
    """

    artifacts: Path | None
    state_bytes: int
    cap: int
    named: str = "artifacts"


def told(outcome: Outcome, keeping: Keeping) -> dict[str, Any]:
    """Fields of a ToolResult for what a pipeline or a program did."""
    failed = outcome.failed
    fields: dict[str, Any] = {
        "returncode": outcome.returncodes[failed] if failed is not None else outcome.returncodes[-1],
        "stderr": outcome.stderr.decode("utf-8", "backslashreplace"),
        "stage_returncodes": outcome.returncodes,
        "truncated": outcome.capped,
    }
    if outcome.left_out:
        names = encodable(", ".join(outcome.left_out[:NAMES_TOLD]))
        fields["stderr"] += f"left out, because they lead outside the root: {names}\n"
    if outcome.capped:
        fields |= {
            "returncode": -1,
            "error": f"output cut at {keeping.cap} bytes, so the call was stopped",
            "error_kind": "output_cap",
        }
    stored = kept(outcome.stdout, keeping)
    return fields | stored | {"stderr": fields["stderr"] + stored.get("stderr", "")}


def kept(stdout: bytes, keeping: Keeping) -> dict[str, Any]:
    """Fields that hold an output: whole, or its head and tail and where the whole is."""
    text = stdout.decode("utf-8", "backslashreplace")
    if keeping.artifacts is None or len(stdout) <= keeping.state_bytes:
        return {"stdout": text}
    try:
        path = store(keeping.artifacts, text.encode("utf-8"))
    except OSError as error:
        # Nothing is lost: the state grows instead, and the reader is told.
        return {"stdout": text, "stderr": f"the output could not be kept in a file: {error}\n"}
    where = f"{keeping.named}/{path.name}"
    return {"stdout": excerpt(text, keeping.state_bytes, where), "artifact": where}
