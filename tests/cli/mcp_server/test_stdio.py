from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.mcp_server import stdio
from cli.mcp_server.stdio import Wire


@dataclass
class Pipes:
    """A wire, and the client's ends of it."""

    wire: Wire
    to: int
    back: int
    closed: set[int]

    def close(self, number: int) -> None:
        if number not in self.closed:
            os.close(number)
            self.closed.add(number)

    async def messages(self) -> list[str]:
        return [line async for line in self.wire]


def opened() -> Pipes:
    source, to = os.pipe()
    back, sink = os.pipe()
    return Pipes(Wire(source, sink), to, back, set())


@pytest.fixture
def pipes() -> Iterator[Pipes]:
    made = opened()
    yield made
    made.close(made.to)
    made.close(made.back)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.text(st.characters(exclude_characters="\n", codec="utf-8"), max_size=60), max_size=12),
    chunk=st.integers(1, 40),
)
def test_messages_arrive_whole_however_they_are_cut(lines: list[str], chunk: int) -> None:
    made = opened()
    patched = pytest.MonkeyPatch()
    patched.setattr(stdio, "_CHUNK", chunk)
    try:
        os.write(made.to, "".join(f"{line}\n" for line in lines).encode() + b"half a message")
        made.close(made.to)
        assert asyncio.run(made.messages()) == lines
    finally:
        patched.undo()
        made.close(made.back)


async def test_bytes_that_are_no_text_are_still_a_line(pipes: Pipes) -> None:
    os.write(pipes.to, b"\xff\xfe\n")
    pipes.close(pipes.to)
    assert await pipes.messages() == ["\ufffd\ufffd"]


async def test_a_message_without_an_end_ends_the_connection(
    pipes: Pipes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stdio, "LONGEST_MESSAGE", 100)
    os.write(pipes.to, b"short\n" + b"x" * 101)
    assert await asyncio.wait_for(pipes.messages(), 5) == ["short"]
    assert "over 100 bytes" in pipes.wire.problem


async def test_what_is_written_comes_out_in_order(pipes: Pipes) -> None:
    for text in ("one\n", "zwei é\n"):
        await pipes.wire.write(text)
        assert not pipes.wire.settled
        await pipes.wire.flush()
    assert pipes.wire.settled and os.read(pipes.back, 100) == "one\nzwei é\n".encode()


async def test_a_client_that_went_away_gets_nothing_and_fails_nobody(pipes: Pipes) -> None:
    pipes.close(pipes.back)
    await pipes.wire.write("message\n")
    await pipes.wire.flush()
    assert pipes.wire.settled and not pipes.wire.problem
    os.write(pipes.to, b"late\n")
    assert await asyncio.wait_for(pipes.messages(), 5) == []


async def test_a_line_that_breaks_is_told_unless_the_client_just_went_away(tmp_path: Path) -> None:
    sink = os.open("/dev/full", os.O_WRONLY)
    source = os.open(tmp_path, os.O_RDONLY)
    try:
        wire = Wire(source, sink)
        assert [line async for line in wire] == [] and "directory" in wire.problem
        wire = Wire(source, sink)
        await wire.write("message")
        await wire.flush()
        assert wire.settled and "space" in wire.problem
    finally:
        os.close(sink)
        os.close(source)
