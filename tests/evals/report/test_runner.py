"""Every case runs once, however often a measurement is interrupted."""

import asyncio
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.errors import UsageError
from evals.report import Case, Planned, isolated_home, run_cases, settings_digest
from memory.json_lines import JsonLines


def planned(number: int, **others: str) -> list[Planned]:
    return [Planned(id=f"case-{n}", variant="graph_v30", **others) for n in range(number)]


class Ran:
    """Runs cases, and breaks at one of them."""

    def __init__(self, breaks_at: str | None = None) -> None:
        self.ids: list[str] = []
        self.breaks_at = breaks_at

    async def __call__(self, one: Planned) -> Case:
        if one.id == self.breaks_at:
            raise RuntimeError("broken")
        self.ids.append(one.id)
        await asyncio.sleep(0)
        return Case(id=one.id, group="g", variant=one.variant, passed=True)


@settings(max_examples=15, deadline=None)
@given(number=st.integers(1, 12), breaks=st.integers(0, 11), jobs=st.integers(1, 4))
async def test_a_broken_measurement_goes_on_where_it_stopped(
    tmp_path_factory: pytest.TempPathFactory, number: int, breaks: int, jobs: int
) -> None:
    resume = tmp_path_factory.mktemp("resume") / "cases.jsonl"
    first = Ran(f"case-{breaks}")
    try:
        await run_cases(planned(number), first, resume=resume, jobs=jobs)
        assert breaks >= number
    except RuntimeError:
        assert breaks < number
    kept = (
        {line.split('"id": "')[1].split('"')[0] for line in resume.read_text().splitlines()}
        if resume.exists()
        else set()
    )
    second = Ran()
    cases = await run_cases(planned(number), second, resume=resume, jobs=jobs)
    assert [case.id for case in cases] == [one.id for one in planned(number)]
    assert not kept & set(second.ids)
    assert len(second.ids) == len(set(second.ids)) == number - len(kept)


async def test_a_case_that_is_being_written_when_another_one_breaks_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resume = tmp_path / "cases.jsonl"
    writing, broken = threading.Event(), threading.Event()
    extend = JsonLines.extend

    def slow_extend(self: JsonLines, records: Sequence[dict[str, Any]]) -> None:
        writing.set()
        broken.wait(10)
        extend(self, records)

    async def run_one(one: Planned) -> Case:
        if one.id == "case-1":
            await asyncio.to_thread(writing.wait, 10)
            asyncio.get_running_loop().call_later(0.02, broken.set)
            raise RuntimeError("broken")
        return Case(id=one.id, group="g", variant=one.variant, passed=True)

    monkeypatch.setattr(JsonLines, "extend", slow_extend)
    with pytest.raises(RuntimeError, match="broken"):
        await run_cases(planned(2), run_one, resume=resume, jobs=2)
    assert [json.loads(line)["case"]["id"] for line in resume.read_text().splitlines()] == ["case-0"]


async def test_a_changed_setting_is_measured_anew(tmp_path: Path) -> None:
    resume = tmp_path / "cases.jsonl"
    for setting, runs in (({"a": 1}, 2), ({"a": 1}, 0), ({"a": 2}, 2)):
        ran = Ran()
        await run_cases(planned(2, settings=settings_digest(setting)), ran, resume=resume)
        assert len(ran.ids) == runs


async def test_a_line_that_was_cut_off_is_a_case_that_runs_again(tmp_path: Path) -> None:
    resume = tmp_path / "cases.jsonl"
    await run_cases(planned(3), Ran(), resume=resume)
    resume.write_bytes(resume.read_bytes()[:-20])
    again = Ran()
    assert len(await run_cases(planned(3), again, resume=resume)) == 3
    assert again.ids == ["case-2"]
    last = Ran()
    await run_cases(planned(3), last, resume=resume)
    assert last.ids == []


async def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    resume = tmp_path / "mine.jsonl"
    resume.write_text('{"mine": 1}\n')
    with pytest.raises(UsageError, match="something else"):
        await run_cases(planned(1), Ran(), resume=resume)
    assert resume.read_text() == '{"mine": 1}\n'


async def test_two_measurements_do_not_share_a_file(tmp_path: Path) -> None:
    resume = tmp_path / "cases.jsonl"

    async def nested(one: Planned) -> Case:
        with pytest.raises(UsageError, match="Another process"):
            await run_cases(planned(1), Ran(), resume=resume)
        return Case(id=one.id, group="g", variant="graph_v30", passed=True)

    assert len(await run_cases(planned(1), nested, resume=resume)) == 1


async def test_the_same_case_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="the same"):
        await run_cases([*planned(1), *planned(1)], Ran())


async def test_progress_counts_to_the_end() -> None:
    told: list[tuple[int, int]] = []
    await run_cases(planned(4), Ran(), progress=lambda _, done, total: told.append((done, total)), jobs=2)
    assert told == [(n, 4) for n in range(1, 5)]


def test_a_home_of_its_own_is_gone_afterwards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    with isolated_home() as home:
        assert Path.home() == home and not list(home.iterdir())
    assert Path.home() == tmp_path and not home.exists()
