import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.chat_reading import Ended, PipedReader, joined, readable, unfinished

LINES = st.text(st.characters(codec="utf-8", exclude_characters="\n\r\\`"), min_size=1)


async def lines_of(data: bytes) -> list[str]:
    reader, lines = PipedReader(io.BytesIO(data)), []
    while True:
        try:
            lines.append(await reader.read())
        except Ended:
            return lines


@given(st.lists(LINES, max_size=5))
async def test_each_line_of_a_pipe_is_a_goal(lines: list[str]) -> None:
    assert await lines_of("\n".join(lines).encode()) == lines
    assert await lines_of("".join(f"{line}\r\n" for line in lines).encode()) == lines


@given(st.lists(LINES.filter(lambda line: line.strip() != ""), min_size=1, max_size=4), st.booleans())
async def test_lines_that_belong_together_are_one_goal(lines: list[str], fenced: bool) -> None:
    text = "\n".join(["```", *lines, "```"]) if fenced else "\\\n".join(lines)
    assert await lines_of(f"{text}\nnext\n".encode()) == ["\n".join(lines), "next"]


async def test_what_is_unfinished_at_the_end_is_taken_as_it_is() -> None:
    assert await lines_of(b"first\\") == ["first"]
    assert await lines_of(b"```\nfirst\n") == ["first"]
    assert await lines_of(b"") == []


@given(st.binary(max_size=60))
async def test_any_bytes_are_lines(data: bytes) -> None:
    lines = await lines_of(data)
    assert all("\r\n" not in line and line.encode("utf-8") is not None for line in lines)


@pytest.mark.parametrize(
    ("text", "more"),
    [("a\\", True), ("a\\\\", False), ("a\\\\\\", True), ("```\na", True), ("```a```", False), ("a", False)],
)
def test_a_backslash_or_an_open_fence_asks_for_more(text: str, more: bool) -> None:
    assert unfinished(text) is more


@given(st.text())
def test_what_is_whole_is_left_as_it_is(text: str) -> None:
    if "`" not in text and "\\" not in text:
        assert joined(text) == text


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert readable("caf\udce9") == "caf\N{REPLACEMENT CHARACTER}" and readable("café") == "café"
