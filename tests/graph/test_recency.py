"""Questions about when files changed, from the goal to the answer, without a model."""

from __future__ import annotations

import os
from datetime import datetime, time, timedelta
from pathlib import Path

import pytest

from evals.ask import ask
from models.scripted import Script, register_script

NAMES = ("now.md", "yesterday.md", "month.md", "years.md")


@pytest.fixture
def dated(tmp_path: Path) -> Path:
    """A directory with files that were changed now, yesterday at noon, 20 days and 1000 days ago."""
    now = datetime.now()
    noon_yesterday = datetime.combine(now.date() - timedelta(days=1), time(12))
    ages = (now, noon_yesterday, now - timedelta(days=20), now - timedelta(days=1000))
    for name, at in zip(NAMES, ages, strict=True):
        (tmp_path / name).write_text("one\n")
        os.utime(tmp_path / name, (at.timestamp(), at.timestamp()))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("in the last minute", {"now.md"}),
        ("in the last 20 minutes", {"now.md"}),
        ("in the last 2 days", {"now.md", "yesterday.md"}),
        ("in the last two days", {"now.md", "yesterday.md"}),
        ("in the last month", {"now.md", "yesterday.md", "month.md"}),
        ("within the past 5 weeks", {"now.md", "yesterday.md", "month.md"}),
        ("yesterday", {"yesterday.md"}),
        ("since yesterday", {"now.md", "yesterday.md"}),
        ("today", {"now.md"}),
    ],
)
async def test_files_are_found_and_counted_by_when_they_changed(
    dated: Path, words: str, meant: set[str]
) -> None:
    register_script("recency", Script())
    listed = await ask(f"Which files were changed {words}?", dated, "scripted:recency", f"list {words}")
    counted = await ask(f"How many files were changed {words}?", dated, "scripted:recency", f"count {words}")
    for state in (listed, counted):
        assert (state.status, state.stop_reason, state.usage) == ("answered", "success", {})
    assert {name for name in NAMES if name in (listed.final_answer or "")} == meant
    answer = (counted.final_answer or "").splitlines()[0]
    assert answer.startswith(
        f"There are {len(meant)} files" if len(meant) > 1 else f"There is 1: {min(meant)}"
    )
