"""What a server's tool answered, in the terms of our protocol; long outputs go to an artifact."""

from __future__ import annotations

from typing import Any

from configs.redaction import escaped
from tools.mcp.calling import Answer
from tools.telling import Keeping, kept

# As much of what a failing tool says as anybody reads.
MOST_FAILURE_CHARS = 4000


def told_answer(answer: Answer, keeping: Keeping, *, writes: bool) -> dict[str, Any]:
    """Fields of a ToolResult; blocking, it may write a file.

    Args:
        answer: what the tool answered.
        keeping: where long outputs go, and how long any may be.
        writes: the tool may have changed something, so that an answer too long to keep is a success all the
            same: called a failure, it would be tried again.
    """
    remarks = list(answer.remarks)
    if answer.failed:
        text = answer.output.decode("utf-8", "replace")[:MOST_FAILURE_CHARS].strip()
        said = "\n".join(map(escaped, text.splitlines()))
        return {
            "returncode": 1,
            "stderr": "\n".join([said or "it says that it failed, and not why", *remarks]),
        }
    fields: dict[str, Any] = {"returncode": 0}
    if len(answer.output) > keeping.cap:
        told = f"output cut at {keeping.cap} bytes"
        remarks.append(told)
        if not writes:
            fields = {"returncode": -1, "truncated": True, "error": told, "error_kind": "output_cap"}
    stored = kept(_cut(answer.output, keeping.cap), keeping)
    return fields | stored | {"stderr": "\n".join([*remarks, stored.get("stderr", "")]).strip()}


def _cut(output: bytes, most: int) -> bytes:
    """At most so many bytes, ending with a whole character."""
    return output[:most].decode("utf-8", "ignore").encode("utf-8") if len(output) > most else output
