"""What runs side by side share: found out once, by whoever asks first, unless that fails."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nodes.reflective.complexity import alike
from nodes.reflective.surroundings import Surroundings, looking_around, surroundings

NAMES = st.from_regex(r"[a-z]{1,6}(/[a-z]{1,6})?\.(txt|py)", fullmatch=True)


async def test_many_that_ask_at_once_make_it_once() -> None:
    shared, made = Surroundings(), []

    async def find_out(name: str) -> str:
        made.append(name)
        await asyncio.sleep(0)
        return name.upper()

    told = await asyncio.gather(*(shared.once("key", find_out, name) for name in ("a", "b", "c")))
    assert told == ["A", "A", "A"] and made == ["a"]
    assert await shared.once("other", find_out, "d") == "D" and made == ["a", "d"]


async def test_what_failed_is_tried_again_by_the_next() -> None:
    shared = Surroundings()

    async def fails() -> int:
        raise OSError("no")

    async def works() -> int:
        return 1

    with pytest.raises(OSError, match="no"):
        await shared.once("key", fails)
    assert await shared.once("key", works) == 1
    assert await shared.once("key", fails) == 1


async def test_who_is_cancelled_while_waiting_leaves_the_work_to_the_others() -> None:
    shared, go = Surroundings(), asyncio.Event()

    async def slow() -> int:
        await go.wait()
        return 1

    first, second = (asyncio.create_task(shared.once("key", slow)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    await asyncio.sleep(0)
    go.set()
    assert await second == 1
    with pytest.raises(asyncio.CancelledError):
        await first


def test_a_run_by_itself_shares_nothing() -> None:
    shared = Surroundings()
    with looking_around(shared):
        assert surroundings() is shared
    assert surroundings() is None


@given(NAMES, NAMES)
def test_goals_that_differ_by_the_name_of_a_file_only_are_alike(one: str, other: str) -> None:
    goals = [f"What does {name} tell about the weather?" for name in (one, other)]
    same_kind = one.rsplit(".", 1)[1] == other.rsplit(".", 1)[1]
    assert (alike(goals[0]) == alike(goals[1])) is same_kind
    assert alike(goals[0]) != alike(goals[0].replace("weather", "tides"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("compare a.txt with b.txt", "compare a.txt with a.txt"),
        ('which files contain "a.txt"?', 'which files contain "b.txt"?'),
        ("show the first 3 lines of a.txt", "show the first 4 lines of a.txt"),
        ("list ./", "list ../"),
        ("count a.py", "count a.txt"),
    ],
)
def test_what_may_be_judged_otherwise_is_not_alike(one: str, other: str) -> None:
    assert alike(one) != alike(other)
