from __future__ import annotations

import asyncio
import os
import tempfile
import uuid
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.processes import wait_until
from tests.tools.places import LEVELS, Project, confinement, living
from tools.errors import SandboxUnavailable
from tools.process import STDERR_BYTES, Segment, environment, program, run_segment
from tools.sandbox.confinement import OPEN_FILES

pytestmark = pytest.mark.parametrize("level", LEVELS)
CAP = 1_000_000


async def run(
    project: Project,
    level: str,
    *commands: Sequence[str],
    stdin: bytes | None = None,
    cap: int = CAP,
    **limits: float,
) -> Segment:
    source = None
    if stdin is not None:
        source = tempfile.TemporaryFile()
        source.write(stdin)
        source.seek(0)
    try:
        bounds = confinement(project.root, level, **limits)  # type: ignore[arg-type]  # seconds or memory_mb
        return await run_segment(commands, source, bounds, cap)
    finally:
        if source is not None:
            source.close()


def shell(script: str) -> list[str]:
    return ["sh", "-c", script]


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


def mark() -> str:
    """A text that stands in the command line of one test's processes only."""
    return f"mark-{uuid.uuid4().hex}"


async def test_a_chain_gives_the_last_output_and_every_exit_code(shared: Project, level: str) -> None:
    segment = await run(shared, level, ["cat", "notes.txt"], ["sort", "-u"], ["wc", "-l"])
    assert segment == Segment(b"3\n", b"", [0, 0, 0], False)


async def test_the_first_reads_the_given_input_and_otherwise_nothing(shared: Project, level: str) -> None:
    assert (await run(shared, level, ["cat"], stdin=b"\0\xff\n")).stdout == b"\0\xff\n"
    assert (await run(shared, level, ["cat"])).stdout == b""


async def test_exit_codes_and_diagnostics_of_all_are_kept(shared: Project, level: str) -> None:
    segment = await run(shared, level, shell("echo one >&2; exit 3"), shell("echo two >&2; exit 4"))
    assert segment.returncodes == [3, 4] and sorted(segment.stderr.split()) == [b"one", b"two"]


async def test_a_writer_whose_reader_has_enough_ends(shared: Project, level: str) -> None:
    segment = await run(shared, level, ["seq", "1", "100000000"], ["head", "-n", "2"])
    assert segment.stdout == b"1\n2\n" and segment.returncodes[1] == 0
    assert segment.returncodes[0] in (-13, 141)


@pytest.mark.parametrize(("size", "capped"), [(999, False), (1000, False), (1001, True)])
async def test_the_cap_is_exact(size: int, capped: bool, shared: Project, level: str) -> None:
    segment = await run(shared, level, ["yes", "x"], ["head", "-c", str(size)], cap=1000)
    assert (len(segment.stdout), segment.capped) == (min(size, 1000), capped)


async def test_an_endless_output_is_stopped_at_the_cap_and_nothing_survives(
    shared: Project, level: str
) -> None:
    name = mark()
    segment = await run(shared, level, ["yes", name], ["grep", name], cap=50_000)
    assert segment.capped and len(segment.stdout) == 50_000
    assert wait_until(5, lambda: living(name) == []), living(name)


async def test_a_flood_of_diagnostics_ends_the_process_and_keeps_the_beginning(
    shared: Project, level: str
) -> None:
    segment = await run(shared, level, shell("yes complaint >&2"))
    assert segment.returncodes != [0]
    assert len(segment.stderr) == STDERR_BYTES and segment.stderr.startswith(b"complaint\n")


@pytest.mark.parametrize(
    "script",
    [
        "sleep 300 # {}",
        "sh -c 'sleep 300; : {}' & sh -c 'sleep 300; : {}' & wait # {}",
        "trap '' TERM INT HUP; while :; do sleep 0.1; done # {}",
    ],
)
async def test_a_timeout_kills_the_whole_group(script: str, shared: Project, level: str) -> None:
    name = mark()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.3):
            await run(shared, level, shell(script.format(name, name, name)), shell(f"cat # {name}"))
    assert wait_until(5, lambda: living(name) == []), living(name)


async def test_a_cancelled_task_leaves_no_child_and_no_open_file(shared: Project, level: str) -> None:
    await run(shared, level, ["pwd"])
    name, before = mark(), open_files()
    task = asyncio.create_task(run(shared, level, shell(f"sleep 300; : {name}"), ["cat"], ["cat"]))
    while len(living(name)) == 0:
        await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert wait_until(5, lambda: living(name) == []), living(name)
    await asyncio.sleep(0)
    assert open_files() == before


@pytest.mark.integration  # it starts a hundred processes
async def test_many_runs_at_once_mix_nothing_and_leave_no_open_file(shared: Project, level: str) -> None:
    await run(shared, level, ["pwd"])
    before = open_files()
    names = [str(number) for number in range(20)]
    segments = await asyncio.gather(*(run(shared, level, ["seq", n, n], ["cat"]) for n in names))
    assert [segment.stdout.decode().strip() for segment in segments] == names
    await asyncio.sleep(0)
    assert open_files() == before


async def test_a_task_cancelled_while_it_starts_leaves_no_child(shared: Project, level: str) -> None:
    name = mark()
    for step in range(30):
        tasks = [asyncio.create_task(run(shared, level, shell(f"sleep 300; : {name}"))) for _ in range(4)]
        await asyncio.sleep(step * 0.0007)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    assert wait_until(3, lambda: living(name) == []), living(name)


async def test_many_outputs_cut_at_once_all_end(shared: Project, level: str) -> None:
    async with asyncio.timeout(20):
        segments = await asyncio.gather(*(run(shared, level, ["yes"], cap=400_000) for _ in range(24)))
    assert all(segment.capped and len(segment.stdout) == 400_000 for segment in segments)


async def test_what_does_not_start_leaves_nothing_of_the_chain(shared: Project, level: str) -> None:
    await run(shared, level, ["pwd"])
    name, before = mark(), open_files()
    with pytest.raises(SandboxUnavailable, match="'no-such-tool' is not installed"):
        await run(shared, level, shell(f"sleep 300; : {name}"), ["no-such-tool"])
    assert wait_until(5, lambda: living(name) == []), living(name)
    await asyncio.sleep(0)
    assert open_files() == before


@pytest.mark.integration  # it fills the memory it is allowed
async def test_memory_is_bounded(shared: Project, level: str) -> None:
    # One line without an end: grep keeps a line whole.
    line = [["yes", "y"], ["tr", "-d", "\\n"], ["head", "-c", "200000000"]]
    segment = await run(shared, level, *line, ["grep", "-a", "x"], memory_mb=128)
    assert segment.returncodes[-1] == 2 and b"memory exhausted" in segment.stderr
    assert (await run(shared, level, *line, ["grep", "-ac", "x"], memory_mb=1024)).returncodes[-1] == 1


async def test_what_is_not_known_to_start_others_cannot(project: Project, level: str) -> None:
    limits = confinement(project.root, level, forks=False)
    if not limits.sandbox.filtered:
        pytest.skip("no system-call filter here")
    segment = await run_segment([shell("/bin/true; echo done")], None, limits, CAP)
    assert segment.returncodes == [2] and b"Cannot fork" in segment.stderr


@pytest.mark.skipif(os.getuid() == 0, reason="no number of processes binds root")
async def test_the_number_of_processes_is_bounded(project: Project, level: str) -> None:
    if level == "policy":
        pytest.skip("a writable root is refused there")
    limits = confinement(project.root, level, writable=True)
    script = "i=0; while [ $i -lt 400 ]; do sleep 5 & i=$((i+1)); done; echo made $i"
    segment = await run_segment([shell(script)], None, limits, CAP)
    assert b"Cannot fork" in segment.stderr and b"made" not in segment.stdout


async def test_open_files_are_bounded(shared: Project, level: str) -> None:
    assert (await run(shared, level, shell("ulimit -n"))).stdout == f"{OPEN_FILES}\n".encode()


async def test_output_can_go_to_a_file(shared: Project, level: str, tmp_path: Path) -> None:
    with (tmp_path / "into").open("wb") as into:
        limits = confinement(shared.root, level)
        segment = await run_segment([["seq", "1", "100000"]], None, limits, 1000, into=into)
    assert segment.capped and segment.stdout == b""
    assert (tmp_path / "into").read_bytes() == "".join(f"{n}\n" for n in range(1, 1000)).encode()[:1000]


@pytest.mark.integration  # a second of computing at each level
async def test_computing_time_is_bounded(shared: Project, level: str) -> None:
    segment = await run(shared, level, shell("ulimit -t; ulimit -c"), seconds=7)
    assert segment.stdout == b"8\n0\n"
    assert (await run(shared, level, shell("while :; do :; done"), seconds=0)).returncodes[0] in (-9, 137)


async def test_no_variable_of_the_caller_gets_in(
    shared: Project, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("API_KEY", "GIT_DIR", "GIT_EXTERNAL_DIFF", "GREP_OPTIONS", "LESSOPEN", "BASH_ENV"):
        monkeypatch.setenv(name, "TOPSECRET")
    segment = await run(shared, level, ["env"])
    found = dict(line.split("=", 1) for line in segment.stdout.decode().splitlines())
    found.pop("PWD", None)
    if level == "landlock":
        assert found.pop("TMPDIR").startswith(tempfile.gettempdir())
    assert found == environment(shared.root)


async def test_names_that_are_no_text_reach_the_tool_as_their_bytes(project: Project, level: str) -> None:
    name = os.fsdecode(b"caf\xe9\n\xff")
    (project.root / name).write_text("here")
    assert (await run(project, level, ["cat", name])).stdout == b"here"


def test_programs_are_the_systems_own(level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    false_cat = tmp_path / "cat"
    false_cat.write_text("#!/bin/sh\n")
    false_cat.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    program.cache_clear()
    assert program("cat") in ("/usr/bin/cat", "/bin/cat")


@pytest.mark.parametrize("loop", ["asyncio", "uvloop"])
async def test_no_loop_closes_what_it_reads_from_twice(loop: str, shared: Project, level: str) -> None:
    """A second close may hit a file that another thread has opened since."""
    runner = pytest.importorskip("uvloop").run if loop == "uvloop" else asyncio.run
    closed: list[int] = []
    real = os.fdopen, os.close

    def closing(descriptor: int) -> None:
        os.fstat(descriptor)  # raises for one that is closed already
        closed.append(descriptor)
        real[1](descriptor)

    async def scenario() -> None:
        for _ in range(3):
            segment = await run(shared, level, ["cat", "notes.txt"], ["wc", "-l"])
            assert segment.stdout == b"4\n"
        await asyncio.sleep(0.05)

    await asyncio.to_thread(runner, scenario())  # what a process keeps open for its tools and its loop
    before = open_files()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "close", closing)
        patched.setattr(os, "fdopen", lambda *given, **named: pytest.fail("a file object closes it, too"))
        await asyncio.to_thread(runner, scenario())
    assert closed and open_files() <= before
