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
from tools.process import BROKEN_PIPE, STDERR_BYTES, Segment, opened, run_segment
from tools.sandbox.confinement import Confinement
from tools.stages import Vector

# Names and texts on their way between two chains; a list of a million paths is about 60 MB.
INTERMEDIATE_BYTES = 64 * 2**20
BATCH_BYTES = 100_000
CHUNK = 65_536
# PATH_MAX is 4096: what is cut here is refused as a name, because no path is so long.
NAME_BYTES = 2 * 4096
LEFT_OUT = 100
LISTS_WITHOUT = {"-L", "--files-without-match"}
BATCH_NAMES = 4000


@dataclass
class Outcome:
    """What a pipeline did.

    Attributes:
        stdout: output of the last stage that ran.
        stderr: diagnostics of all stages.
        returncodes: exit code of every stage that ran.
        failed: index of the first stage whose exit code was not expected, or None.
        capped: True if an output reached its cap.
        left_out: the first names from the input that the path policy does not let through.
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

    What one chain hands to the next goes through a file, so that memory does not grow with it.

    Args:
        vectors: checked stages.
        stdin: what the first stage reads, or None for nothing.
        limits: confinement of every process.
        cap: bytes of the last stage's output.

    Raises:
        SandboxUnavailable: a tool is not installed.
        OSError: a process cannot be started.
    """
    outcome = Outcome()
    source = await opened(lambda: _spooled(stdin)) if stdin is not None else None
    try:
        for chain in _chains(vectors):
            last = chain[-1] is vectors[-1]
            into = None if last else await opened(tempfile.TemporaryFile)
            try:
                segment = await _run(
                    chain, source, limits, cap if last else INTERMEDIATE_BYTES, into, outcome
                )
                _judge(chain, segment, outcome)
                stopped = outcome.failed is not None or outcome.capped
                if into is not None and stopped:
                    outcome.stdout = await asyncio.to_thread(_beginning, into, cap)
            finally:
                if source is not None:
                    source.close()
                source = into
            if stopped:
                break
    finally:
        if source is not None:
            source.close()
    return outcome


def _spooled(content: bytes) -> IO[bytes]:
    source = tempfile.TemporaryFile()
    source.write(content)
    source.seek(0)
    return source


def _beginning(file: IO[bytes], size: int) -> bytes:
    file.seek(0)
    return file.read(size)


def _chains(vectors: Sequence[Vector]) -> list[list[Vector]]:
    """Stages grouped so that a stage with operands from its input stands alone."""
    chains: list[list[Vector]] = []
    for vector in vectors:
        if vector.from_input or not chains or chains[-1][0].from_input:
            chains.append([vector])
        else:
            chains[-1].append(vector)
    return chains


async def _run(
    chain: Sequence[Vector],
    source: IO[bytes] | None,
    limits: Confinement,
    cap: int,
    into: IO[bytes] | None,
    outcome: Outcome,
) -> Segment:
    if chain[0].from_input:
        segment = await _over_operands(chain[0], source, limits, cap, into, outcome.left_out)
    else:
        commands = [[vector.tool, *vector.argv] for vector in chain]
        segment = await run_segment(commands, source, limits, cap, into=into)
    if into is not None:
        into.seek(0)
    outcome.stdout = segment.stdout
    outcome.stderr = (outcome.stderr + segment.stderr)[:STDERR_BYTES]
    outcome.capped = segment.capped
    return segment


async def _over_operands(
    vector: Vector,
    source: IO[bytes] | None,
    limits: Confinement,
    cap: int,
    into: IO[bytes] | None,
    left_out: list[str],
) -> Segment:
    """Run one tool over the names its input lists, in batches, as xargs does."""
    total, written = Segment(), 0
    codes: list[int] = []
    commands = _commands(vector, _names(vector, source, limits.root, left_out), limits.root, left_out)
    while command := await asyncio.to_thread(next, commands, None):
        part = await run_segment([command], None, limits, cap - written, into=into)
        written = len(total.stdout) + len(part.stdout) if into is None else into.tell()
        total.stdout += part.stdout
        total.stderr = (total.stderr + part.stderr)[:STDERR_BYTES]
        codes += part.returncodes
        if part.capped:
            total.capped = True
            break
    total.returncodes = [_joined(vector.tool, codes)]
    return total


def _commands(vector: Vector, names: Iterator[str], root: Path, left_out: list[str]) -> Iterator[list[str]]:
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
            left_out.append(name)


def _joined(tool: str, codes: Sequence[int]) -> int:
    """One exit code for all batches; for grep, 0 as soon as one batch matched and none went wrong."""
    if tool == "grep":
        if any(code not in (0, 1) for code in codes):
            return max(codes, key=abs)
        return 0 if 0 in codes else 1
    return max(codes, key=abs, default=0)


def _names(vector: Vector, listing: IO[bytes] | None, root: Path, left_out: list[str]) -> Iterator[str]:
    for raw in _records(listing, b"\0" if vector.null_separated else b"\n"):
        name = os.fsdecode(raw)
        if not name:
            continue
        if is_safe(root, name) and name != "-":
            yield f"./{name}" if name.startswith("-") else name
        elif len(left_out) < LEFT_OUT:
            left_out.append(name)


def _records(listing: IO[bytes] | None, separator: bytes) -> Iterator[bytes]:
    """What stands between separators; of what is longer than any path, the beginning."""
    rest = b""
    while listing is not None and (chunk := listing.read(CHUNK)):
        *whole, rest = (rest + chunk).split(separator)
        yield from whole
        rest = rest[:NAME_BYTES]
    yield rest


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


def _meant(vector: Vector, code: int) -> int:
    """The exit code in the sense of what was asked.

    `grep -L` exits 1 where no line matched, which is what it looks for; GNU grep 3.2 to 3.4 exited 0 then.
    """
    lists_without = vector.tool == "grep" and LISTS_WITHOUT & set(vector.argv)
    return 0 if lists_without and code == 1 else code


def _judge(chain: Sequence[Vector], segment: Segment, outcome: Outcome) -> None:
    """Note the first stage that failed; a writer whose reader had enough did not."""
    start = len(outcome.returncodes)
    codes = [_meant(vector, code) for vector, code in zip(chain, segment.returncodes, strict=True)]
    outcome.returncodes += codes
    for index, (vector, code) in enumerate(zip(chain, codes, strict=True)):
        had_enough = index < len(chain) - 1 and code in BROKEN_PIPE
        if code not in vector.expect_exit and not had_enough and outcome.failed is None:
            outcome.failed = start + index
