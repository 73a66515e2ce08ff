from __future__ import annotations

import anyio
from hypothesis import given
from hypothesis import strategies as st

from cli.live import CONTROL, printable
from cli.mcp_server.progress import LONGEST, MOST_UNREAD, Progress

Sent = list[tuple[float, float | None, str | None]]


async def sent(progress: Progress) -> Sent:
    lines: Sent = []

    async def send(number: float, total: float | None, line: str | None) -> None:
        lines.append((number, total, line))

    progress.close()
    await progress.send_all(send)
    return lines


@given(texts=st.lists(st.text(max_size=400), max_size=30))
def test_lines_come_in_order_with_rising_numbers_and_nothing_that_acts(texts: list[str]) -> None:
    async def told() -> Sent:
        progress = Progress()
        for text in texts:
            progress.tell(text)
        return await sent(progress)

    lines = anyio.run(told)
    assert [number for number, _, _ in lines] == list(range(1, len(lines) + 1))
    assert all(total is None for _, total, _ in lines)
    told_lines = [line or "" for _, _, line in lines]
    assert all(0 < len(line) <= LONGEST and not CONTROL.search(line) for line in told_lines)
    assert [line[:9] for line in told_lines] == [
        " ".join(printable(text).split())[:9] for text in texts if printable(text).split()
    ]


async def test_a_client_that_does_not_read_holds_up_nothing_and_numbers_still_rise() -> None:
    progress = Progress()
    for number in range(2 * MOST_UNREAD):
        progress.tell(str(number))
    lines = await sent(progress)
    assert [line for _, _, line in lines] == [str(number) for number in range(MOST_UNREAD)]


async def test_what_comes_after_the_end_is_told_to_nobody() -> None:
    progress = Progress()
    progress.tell("before")
    progress.close()
    progress.tell("after")
    assert [line for _, _, line in await sent(progress)] == ["before"]
    # The stream is read by nobody any more; a late word from another thread must not fail either.
    progress.tell("long after")
