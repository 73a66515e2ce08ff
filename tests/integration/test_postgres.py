"""Threads in a Postgres database of the tests' own: resumed, encrypted, pruned, forked, refused."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.types import Command

from configs.settings import CheckpointSettings, Settings
from evals.fixture_repository import build_fixture_repository
from memory.checkpoints import open_checkpointer, server_checkpointer
from memory.errors import (
    CheckpointCorrupt,
    CheckpointEncrypted,
    CheckpointUnreachable,
    CheckpointUnwritable,
)
from memory.thread_deletion import delete_thread
from memory.thread_history import newest_moment, thread_history
from memory.threads import describe_threads, list_threads, prune_checkpoints
from tests.memory.checkpoints.places import SECRETS, run_secretly
from tests.memory.checkpoints.test_sqlite import THREAD, VALUE, graph
from tests.memory.counting import Counting
from tests.support.postgres import PASSWORD, QUOTED, Server, postgres_server, programs
from tests.support.processes import ROOT

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(
        programs() is None, reason="no Postgres server is installed (apt-get install postgresql)"
    ),
]
KEY = bytes(range(32))
GOAL = "How many lines does data/ships.csv have?"
ANSWER = "data/ships.csv has 5 lines."


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with postgres_server() as running:
        yield running


@pytest.fixture
def database(server: Server, request: pytest.FixtureRequest) -> str:
    """Address of an empty database."""
    names = {row[0] for row in server.execute("SELECT datname FROM pg_database")}
    name = f"d{len(names)}"
    server.execute(f"CREATE DATABASE {name}")
    return server.url(name)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_fixture_repository(tmp_path_factory.mktemp("postgres"))


def rows(url: str, table: str) -> list[tuple[Any, ...]]:
    import psycopg

    with psycopg.connect(url) as connection:
        return connection.execute(f"SELECT * FROM {table}".encode()).fetchall()


def everything(url: str) -> bytes:
    """All that is kept, as bytes."""
    tables = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")
    kept: bytes = b""
    for table in tables:
        for row in rows(url, table):
            kept += b"".join(value if isinstance(value, bytes) else repr(value).encode() for value in row)
    return kept


def reflect(project: Path, home: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(home), "REFLECT_EXPERIENCE__ENABLED": "false", **variables}
    environment.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    return subprocess.run(
        [sys.executable, "-m", "cli.main", *words, "--root", str(project)],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


async def test_what_a_state_holds_comes_back(database: str) -> None:
    async with open_checkpointer(database, 5) as saver:
        await run_secretly(saver)
        counting = Counting(4, 3)
        await counting.run(saver, "c", None)
    async with open_checkpointer(database, 5) as saver:
        moment = await newest_moment(saver, "t1")
        assert moment is not None and moment.waiting
        assert (moment.values["goal"], moment.values["answer"]) == (SECRETS[0], SECRETS[2])
        assert await counting.finish(saver, "c") == counting.end


async def test_texts_postgres_has_no_json_for_are_kept(database: str) -> None:
    odd = "half \ud83d a pair"
    async with open_checkpointer(database, 5) as saver:
        for text in ("a\0b", "\x01\x1f", odd.encode("utf-8", "replace").decode()):
            counting = Counting(1, 99)
            counting.count = lambda state, text=text: {"seen": [text], "ballast": text}  # type: ignore[assignment,misc]
            await counting.run(saver, "odd", None)
            moment = await newest_moment(saver, "odd")
            assert moment is not None and moment.values["ballast"] == text


@pytest.mark.parametrize("key", [KEY, None])
async def test_no_secret_of_a_run_is_in_the_tables_of_an_encrypted_database(
    database: str, key: bytes | None
) -> None:
    async with open_checkpointer(database, 5, key=key) as saver:
        await run_secretly(saver)
    kept = everything(database)
    assert [secret for secret in SECRETS if secret.encode() in kept] == ([] if key else SECRETS)
    assert rows(database, "checkpoint_writes") and rows(database, "checkpoint_blobs")


@pytest.mark.parametrize("wrong", [bytes(range(1, 33)), None])
async def test_a_wrong_or_missing_key_is_told_at_opening(database: str, wrong: bytes | None) -> None:
    async with open_checkpointer(database, 5, key=KEY) as saver:
        await run_secretly(saver)
    with pytest.raises(CheckpointEncrypted):
        async with open_checkpointer(database, 5, key=wrong):
            pytest.fail("it was opened")


async def test_a_thread_that_was_begun_in_the_clear_goes_on_encrypted(database: str) -> None:
    counting = Counting(6, 3)
    async with open_checkpointer(database, 5) as saver:
        await counting.run(saver, "t", 2)
    async with open_checkpointer(database, 5, key=KEY) as saver:
        assert await counting.finish(saver, "t") == counting.end
        assert (await thread_history(saver, "t"))[1].values["seen"] == []


async def test_a_thread_that_another_saver_began_keeps_its_plain_values(database: str) -> None:
    async with AsyncPostgresSaver.from_conn_string(database) as plain:
        await plain.setup()
        await run_secretly(plain)
    assert SECRETS[0] in json.dumps([row[5] for row in rows(database, "checkpoints")])
    async with open_checkpointer(database, 5, key=KEY) as saver:
        ended = await run_secretly(saver, given=Command(resume="yes"))
        assert (ended["goal"], ended["answer"], ended["decided"]) == (SECRETS[0], SECRETS[2], "yes")
        newest = await newest_moment(saver, "t1")
        assert newest is not None and newest.values["goal"] == SECRETS[0]
        await saver.drop_old("t1", 1, None, only_count=False)
    # Checkpoints share what did not change: it stays as it was first written, until the state gives it up.
    assert [secret for secret in SECRETS if secret.encode() in everything(database)] == [SECRETS[1]]


async def test_a_run_that_is_rolled_back_leaves_the_thread_as_it_was_before(database: str) -> None:
    async with open_checkpointer(database, 10.0) as saver:
        compiled = graph().compile(checkpointer=saver)
        for run_id in ("first", "second"):
            given: RunnableConfig = {**THREAD, "metadata": {"run_id": run_id}}
            await compiled.ainvoke({"value": {"by": run_id}}, given)
        before = [state.config async for state in compiled.aget_state_history(THREAD)]
        await saver.adelete_for_runs(["second", "nobody's"])
        after = [state async for state in compiled.aget_state_history(THREAD)]
        assert (await compiled.aget_state(THREAD)).values == {"value": VALUE}
    assert 0 < len(after) < len(before) and [state.config for state in after] == before[-len(after) :]
    assert {(state.metadata or {})["run_id"] for state in after} == {"first"}


async def test_many_processes_make_the_tables_at_once(database: str) -> None:
    async def run(number: int) -> None:
        counting = Counting(3, 99)
        async with open_checkpointer(database, 10, key=KEY) as saver:
            await counting.run(saver, f"t{number}", None)

    await asyncio.gather(*(run(number) for number in range(6)))
    async with open_checkpointer(database, 5, key=KEY) as saver:
        assert len(await saver.heads()) == 6
    assert len(rows(database, "checkpoint_encryption")) == 1


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(length=st.integers(1, 5), asks=st.integers(1, 6), stop=st.integers(1, 6), keep=st.integers(1, 3))
async def test_a_pruned_thread_comes_to_the_same_end(
    server: Server, tmp_path: Path, length: int, asks: int, stop: int, keep: int
) -> None:
    url = server.url()
    chosen = Settings(checkpoints=CheckpointSettings(path=url))
    counting = Counting(length, asks)
    async with open_checkpointer(url, 5) as saver:
        await saver.adelete_thread("t")
        await counting.run(saver, "t", stop)
        before = await thread_history(saver, "t")
        counted = await prune_checkpoints(tmp_path, chosen, keep=keep, dry_run=True)
        pruned = await prune_checkpoints(tmp_path, chosen, keep=keep)
        after = await thread_history(saver, "t")
        assert counted.rows.checkpoints == pruned.rows.checkpoints == len(before) - len(after)
        assert [(moment.checkpoint_id, moment.values) for moment in after] == [
            (moment.checkpoint_id, moment.values) for moment in before[-keep:]
        ]
        assert await counting.finish(saver, "t") == counting.end
    await prune_checkpoints(tmp_path, chosen)
    [newest] = server.execute(
        "SELECT checkpoint -> 'channel_versions' FROM checkpoints WHERE thread_id = 't'"
    )
    versions = set(dict(newest[0]).items())  # type: ignore[call-overload]  # a JSON object
    blobs = server.execute("SELECT channel, version FROM checkpoint_blobs WHERE thread_id = 't'")
    assert set(blobs) <= versions and ("seen", dict(versions)["seen"]) in blobs


async def test_threads_are_listed_and_deleted(database: str, tmp_path: Path) -> None:
    chosen = Settings(checkpoints=CheckpointSettings(path=database))
    async with open_checkpointer(database, 5) as saver:
        for thread in ("first", "second"):
            await Counting(3, 2).run(saver, thread, None)
    assert await list_threads(tmp_path, chosen) == ["second", "first"]
    assert {summary.newest.standing for summary in await describe_threads(tmp_path, chosen)} == {
        "waiting for an approval"
    }
    deleted = await delete_thread(tmp_path, chosen, "first")
    assert deleted.checkpoints == 3 and await list_threads(tmp_path, chosen) == ["second"]
    assert b"first" not in everything(database)


@pytest.mark.parametrize(("password", "name"), [("wrong-pass", "postgres"), (QUOTED, "nodatabase")])
async def test_a_login_that_is_refused(server: Server, password: str, name: str) -> None:
    with pytest.raises(CheckpointUnreachable) as told:
        async with open_checkpointer(server.url(name, password), 5):
            pytest.fail("it was opened")
    assert "password" in told.value.remedy and "wrong-pass" not in str(told.value)
    assert PASSWORD not in str(told.value) and "tester" in told.value.what


async def test_tables_of_something_else_and_rights_that_lack(server: Server, database: str) -> None:
    name = database.rpartition("/")[2]
    server.execute("CREATE TABLE checkpoints (mine INTEGER)", name)
    with pytest.raises(CheckpointCorrupt, match="thread_id"):
        async with open_checkpointer(database, 5) as saver:
            await saver.heads()
    server.execute("CREATE ROLE reader LOGIN PASSWORD 'reads-only'")
    url = server.url("postgres").replace(f"tester:{QUOTED}", "reader:reads-only")
    with pytest.raises(CheckpointUnwritable, match="permission denied"):
        async with open_checkpointer(url, 5) as saver:
            await Counting(1, 99).run(saver, "t", None)


async def test_a_server_that_goes_away_in_a_run_is_told_and_the_run_goes_on_later(server: Server) -> None:
    counting = Counting(30, 99)
    with pytest.raises(CheckpointUnreachable, match="resume"):
        async with open_checkpointer(server.url(), 5) as saver:
            await counting.run(saver, "cut", 4)
            server.stop()
            await counting.finish(saver, "cut")
    with pytest.raises(CheckpointUnreachable, match="refused"):
        async with open_checkpointer(server.url(), 5):
            pytest.fail("it was opened")
    server.start()
    async with open_checkpointer(server.url(), 5) as saver:
        assert await counting.finish(saver, "cut") == counting.end


async def test_a_pool_outlives_a_restart_of_the_server(server: Server) -> None:
    counting = Counting(4, 2)
    async with open_checkpointer(server.url(), 5, pooled=True) as saver:
        await counting.run(saver, "pooled", None)
        server.stop()
        server.start()
        assert await counting.finish(saver, "pooled") == counting.end


async def test_the_server_of_langgraph_opens_what_the_settings_name(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("THE_URL", server.url())
    monkeypatch.setenv("REFLECT_CHECKPOINTS__URL_ENV", "THE_URL")
    monkeypatch.chdir(tmp_path)
    counting = Counting(5, 99)
    async with server_checkpointer() as saver:
        await asyncio.gather(*(counting.run(saver, f"served-{number}", None) for number in range(6)))
        for number in range(6):
            moment = await newest_moment(saver, f"served-{number}")
            assert moment is not None and moment.values["seen"] == counting.end
    assert not (tmp_path / ".reflect").exists()


def test_the_command_asks_resumes_lists_forks_and_prunes(
    database: str, project: Path, tmp_path: Path
) -> None:
    variables = {
        "THE_URL": database,
        "THE_KEY": KEY.hex(),
        "REFLECT_CHECKPOINTS__URL_ENV": "THE_URL",
        "REFLECT_CHECKPOINTS__ENCRYPTION_KEY_ENV": "THE_KEY",
    }

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        done = reflect(project, tmp_path, *words, **variables)
        assert done.returncode == 0, done.stderr
        return done

    assert json.loads(run("ask", GOAL, "--thread", "t", "--json", "--quiet").stdout)["answer"] == ANSWER
    assert json.loads(run("resume", "t", "--json", "--quiet").stdout)["answer"] == ANSWER
    steps = [moment["step"] for moment in json.loads(run("history", "t", "--json").stdout)]
    assert steps == [-1, 0, 1, 2, 3]
    forked = json.loads(run("fork", "t", "--at", "1", "--as", "f", "--json", "--quiet").stdout)
    assert forked["answer"] == ANSWER and forked["thread_id"] == "f"
    # Four of the one and two of the fork, which begins at the step it was copied from.
    assert run("threads", "prune").stdout == "6 checkpoints of 2 threads deleted\n"
    listed = json.loads(run("threads", "list", "--json").stdout)
    assert [(thread["thread"], thread["standing"]) for thread in listed] == [
        ("f", "answered"),
        ("t", "answered"),
    ]
    assert b"ships" not in everything(database)
    assert not (project / ".reflect" / "checkpoints.sqlite").exists()


def test_the_command_tells_a_server_that_is_not_there_in_one_message(project: Path, tmp_path: Path) -> None:
    url = "postgres://ann:hush-hush@127.0.0.1:1/threads"
    for words in (["ask", GOAL], ["threads", "list"], ["history", "t"], ["fork", "t", "--at", "1"]):
        done = reflect(project, tmp_path, *words, REFLECT_CHECKPOINTS__PATH=url)
        assert done.returncode == 2 and "Traceback" not in done.stderr
        assert "postgres://ann@127.0.0.1:1/threads" in done.stderr and "hush" not in done.stderr + done.stdout
