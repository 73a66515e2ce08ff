"""Running checked stages: chains of processes, broken where a stage takes its operands from the input."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from tools.errors import ToolError
from tools.policy.check import check_argv
from tools.policy.paths import is_safe
from tools.process import BROKEN_PIPE, Confinement, Segment, opened, run_segment
from tools.stages import Vector

# Names and texts on their way between two chains; a list of a million paths is about 60 MB.
INTERMEDIATE_BYTES = 64 * 2**20
BATCH_BYTES = 100_000
BATCH_NAMES = 4000


@dataclass
class Outcome:
    """What a pipeline did.

    Attributes:
        stdout: output of the last stage.
        stderr: diagnostics of all stages.
        returncodes: exit code of every stage that ran.
        failed: index of the first stage whose exit code was not expected, or None.
        capped: True if an output reached its cap.
        left_out: names from the input that the path policy does not let through.
    """

    stdout: bytes = b""
    stderr: bytes = b""
    returncodes: list[int] = field(default_factory=list)
    failed: int | None = None
    capped: bool = False
    left_out: list[str] = field(default_factory=list)


async def run_pipeline(
    vectors: Sequence[Vector], stdin: bytes | None, limits: Confinement, cap: int
) -> Outcome:
    """Run all stages; stops after the first that fails.

    Args:
        vectors: checked stages.
        stdin: what the first stage reads, or None for nothing.
        limits: confinement of every process.
        cap: bytes of the last stage's output.
    """
    outcome = Outcome(stdout=stdin or b"")
    given = stdin is not None
    for chain in _chains(vectors):
        last = chain[-1] is vectors[-1]
        limit = cap if last else INTERMEDIATE_BYTES
        if chain[0].from_input:
            segment = await _over_operands(chain[0], outcome, limits, limit)
        else:
            segment = await _run(chain, outcome.stdout if given else None, limits, limit)
        given = True
        outcome.stdout = segment.stdout
        outcome.stderr += segment.stderr
        outcome.capped = segment.capped
        _judge(chain, segment, outcome)
        if outcome.failed is not None or outcome.capped:
            return outcome
    return outcome


def _chains(vectors: Sequence[Vector]) -> list[list[Vector]]:
    """Stages grouped so that a stage with operands from its input stands alone."""
    chains: list[list[Vector]] = []
    for vector in vectors:
        if vector.from_input or not chains or chains[-1][0].from_input:
            chains.append([vector])
        else:
            chains[-1].append(vector)
    return chains


async def _run(chain: Sequence[Vector], stdin: bytes | None, limits: Confinement, cap: int) -> Segment:
    commands = [[vector.tool, *vector.argv] for vector in chain]
    if stdin is None:
        return await run_segment(commands, None, limits, cap)
    source = await opened(lambda: _spooled(stdin))
    try:
        return await run_segment(commands, source, limits, cap)
    finally:
        await asyncio.to_thread(source.close)


def _spooled(content: bytes) -> IO[bytes]:
    source = tempfile.TemporaryFile()
    source.write(content)
    source.seek(0)
    return source


async def _over_operands(vector: Vector, outcome: Outcome, limits: Confinement, cap: int) -> Segment:
    """Run one tool over the names its input lists, in batches, as xargs does."""
    total = Segment()
    codes: list[int] = []
    names = _names(vector, outcome.stdout, limits.root, outcome.left_out)
    for command in await asyncio.to_thread(lambda: list(_commands(vector, names, limits.root, outcome))):
        part = await run_segment([command], None, limits, cap - len(total.stdout))
        total.stdout += part.stdout
        total.stderr += part.stderr
        codes += part.returncodes
        if part.capped:
            total.capped = True
            break
    total.returncodes = [_joined(vector.tool, codes)]
    return total


def _commands(vector: Vector, names: Iterator[str], root: Path, outcome: Outcome) -> Iterator[list[str]]:
    if vector.placeholder is None:
        separator = [] if "--" in vector.argv or vector.tool == "find" else ["--"]
        for batch in _batches(names, vector.per_run or BATCH_NAMES):
            yield [vector.tool, *vector.argv, *separator, *batch]
        return
    for name in names:
        words = [word.replace(vector.placeholder, name) for word in vector.written]
        try:
            # A name may make another word of what was checked, so the whole is checked again.
            yield [vector.tool, *check_argv(root, vector.tool, words)]
        except ToolError:
            outcome.left_out.append(name)


def _joined(tool: str, codes: Sequence[int]) -> int:
    """One exit code for all batches; for grep, 0 as soon as one batch matched and none went wrong."""
    if tool == "grep":
        if any(code not in (0, 1) for code in codes):
            return max(codes, key=abs)
        return 0 if 0 in codes else 1
    return max(codes, key=abs, default=0)


def _names(vector: Vector, listing: bytes, root: Path, left_out: list[str]) -> Iterator[str]:
    separator = b"\0" if vector.null_separated else b"\n"
    for raw in listing.split(separator):
        name = os.fsdecode(raw)
        if not name:
            continue
        if is_safe(root, name) and name != "-":
            yield f"./{name}" if name.startswith("-") else name
        else:
            left_out.append(name)


def _batches(names: Iterator[str], most: int) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for name in names:
        batch.append(name)
        size += len(name) + 1
        if size >= BATCH_BYTES or len(batch) >= most:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _judge(chain: Sequence[Vector], segment: Segment, outcome: Outcome) -> None:
    """Note the first stage that failed; a writer whose reader had enough did not."""
    start = len(outcome.returncodes)
    outcome.returncodes += segment.returncodes
    for index, (vector, code) in enumerate(zip(chain, segment.returncodes, strict=True)):
        had_enough = index < len(chain) - 1 and code in BROKEN_PIPE
        if code not in vector.expect_exit and not had_enough and outcome.failed is None:
            outcome.failed = start + index
