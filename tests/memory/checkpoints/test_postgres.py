"""Addresses of Postgres servers: told apart from files, and never shown with their password."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import empty_checkpoint

from configs.redaction import shown
from configs.settings import CheckpointSettings, Settings
from memory.checkpoints import checkpoint_place, open_checkpointer, open_project_checkpointer
from memory.checkpoints.postgres import is_on_this_machine, is_postgres, shown_address, without_password
from memory.errors import CheckpointPlaceInvalid, CheckpointUnwritable, MemoryPackageMissing

passwords = st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=8, max_size=20).filter(
    lambda text: "hidden" not in text and text not in "postgres://ann@db.example.org:5433/threads"
)


@settings(deadline=None)  # the first example imports the driver
@given(passwords)
def test_no_message_shows_the_password(password: str) -> None:
    url = f"postgres://ann:{quote(password, safe='')}@db.example.org:5433/threads"
    message = f'connection to {url} failed: password "{password}" for "ann"'
    for text in (without_password(message, url), shown_address(url), shown("path", url)):
        assert password not in text and quote(password, safe="") not in text
    assert shown_address(url) == "postgres://ann@db.example.org:5433/threads"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
@pytest.mark.parametrize("password", ["hu/sh", "hu?s#h", "hu sh", "hu@sh"])
def test_settings_hide_a_password_that_is_written_wrong(scheme: str, password: str) -> None:
    assert shown("path", f"{scheme}://ann:{password}@host/d") == f'"{scheme}://[hidden]@host/d"'


@pytest.mark.parametrize("url", ["postgres://u:hush@h/d?nothing=1", "postgres://u:hush@[::1/d"])
async def test_an_address_that_cannot_be_read_is_told_without_it(url: str) -> None:
    with pytest.raises(CheckpointPlaceInvalid) as told:
        async with open_checkpointer(url, 1.0):
            pytest.fail("it was opened")
    assert "hush" not in str(told.value) and told.value.__cause__ is None and "%XX" in told.value.remedy


def test_a_place_is_a_file_or_an_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert checkpoint_place(tmp_path, CheckpointSettings()) == tmp_path / ".reflect" / "checkpoints.sqlite"
    url = "postgresql://u@h/d"
    assert is_postgres(url) and not is_postgres("postgres/file.sqlite")
    assert checkpoint_place(tmp_path, CheckpointSettings(path=url)) == url
    named = CheckpointSettings(url_env="THE_URL")
    for wrong in (None, "", "mysql://u@h/d", "file.sqlite"):
        monkeypatch.delenv("THE_URL", raising=False)
        if wrong is not None:
            monkeypatch.setenv("THE_URL", wrong)
        with pytest.raises(CheckpointPlaceInvalid, match="url_env"):
            checkpoint_place(tmp_path, named)
    monkeypatch.setenv("THE_URL", f" {url} ")
    assert checkpoint_place(tmp_path, named) == url


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("postgres://u@localhost/d", True),
        ("postgres://u@127.0.0.1:5433/d", True),
        ("postgres://u@[::1]/d", True),
        ("postgres:///d", True),
        ("postgres:///d?host=/run/postgresql", True),
        ("postgres://u@db.example.org/d", False),
        ("postgres://u@localhost,10.0.0.7/d", False),
        ("postgres://u@localhost/d?hostaddr=10.0.0.7", False),
        ("postgres:///d?service=far", False),
    ],
)
async def test_a_sovereign_profile_keeps_threads_on_this_machine(
    tmp_path: Path, url: str, here: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PGHOST", "PGSERVICE", "PGHOSTADDR"):
        monkeypatch.delenv(name, raising=False)
    assert is_on_this_machine(url) is here
    if not here:
        with pytest.raises(CheckpointPlaceInvalid, match="sovereign"):
            async with open_project_checkpointer(
                tmp_path, Settings(profile="sovereign", checkpoints=CheckpointSettings(path=url))
            ):
                pytest.fail("it was opened")


def test_what_an_address_leaves_open_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGHOST", "db.example.org")
    assert not is_on_this_machine("postgres:///d")


@pytest.mark.parametrize("missing", ["psycopg", "psycopg_pool", "langgraph.checkpoint.postgres.aio"])
async def test_without_the_driver_there_is_a_remedy(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "memory.checkpoints.postgres_saver", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MemoryPackageMissing, match=r"pip install 'reflective-graph\[postgres\]'"):
        async with open_checkpointer("postgres://u@127.0.0.1/d", 1.0):
            pytest.fail("it was opened")


async def test_a_host_whose_clock_is_behind_saves_no_step_that_would_not_be_the_newest() -> None:
    from memory.checkpoints.postgres_saver import PostgresSaver

    late, early = (empty_checkpoint() for _ in range(2))
    late["id"], early["id"] = sorted((late["id"], early["id"]), reverse=True)
    place: RunnableConfig = {
        "configurable": {"thread_id": "t", "checkpoint_ns": "", "checkpoint_id": late["id"]}
    }
    # It comes to no connection.
    saver = PostgresSaver(cast(Any, None), None)
    with pytest.raises(CheckpointUnwritable, match="clock is behind") as raised:
        await saver.aput(place, early, {"source": "loop", "step": 1}, {})
    assert "NTP" in raised.value.remedy
