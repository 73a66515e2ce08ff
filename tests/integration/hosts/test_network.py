"""Hosts with networks of their own, one Postgres, and a directory they share or do not."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from evals.fixture_repository import build_fixture_repository
from evals.postgres_server import Server, postgres_server, programs
from memory.ownership.connecting import UNHEARD
from tests.support.hosts import NetworkHost, network_hosts, why_not
from tests.support.processes import wait_until

pytestmark = pytest.mark.integration
GOAL = "How many lines does data/ships.csv have?"
ANSWER = "data/ships.csv has 5 lines."
HOLD = """
import asyncio, sys
from pathlib import Path
from configs.settings import Settings
from memory.effects import Slot
from memory.effects.opening import project_journal
from memory.threads import alone_on

async def hold(root):
    chosen = Settings.model_validate({"checkpoints": {"path": sys.argv[2]}})
    async with alone_on(root, "t", chosen, quiet=True):
        print(project_journal(root, chosen).begin(Slot("t", "task", 1, "h", "r"), {}).state, flush=True)
        await asyncio.sleep(float(sys.argv[3]))

asyncio.run(hold(Path(sys.argv[1])))
"""


@pytest.fixture(scope="module")
def far() -> Iterator[tuple[Server, list[NetworkHost]]]:
    """A server that listens to two hosts."""
    reason = why_not() or ("" if programs() else "no Postgres server is installed")
    if reason:
        pytest.skip(reason)
    with network_hosts(2) as hosts, postgres_server() as server:
        server.stop()
        server.listen = ",".join(["127.0.0.1", *(host.server for host in hosts)])
        with (server.place / "data" / "pg_hba.conf").open("a") as file:
            file.writelines(f"host all all {host.server}/24 scram-sha-256\n" for host in hosts)
        server.start()
        yield server, hosts


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return build_fixture_repository(tmp_path / "shared")


def reflect(
    host: NetworkHost, server: Server, root: Path, home: Path, *words: str
) -> subprocess.CompletedProcess[str]:
    variables = {"THE_URL": server.url(host=host.server), "REFLECT_EXPERIENCE__ENABLED": "false"}
    return host.run(
        "-m",
        "cli.main",
        *words,
        "--root",
        str(root),
        home=home,
        REFLECT_CHECKPOINTS__URL_ENV="THE_URL",
        **variables,
    )


def test_a_thread_of_one_host_is_resumed_by_another_in_the_same_directory_only(
    far: tuple[Server, list[NetworkHost]], project: Path, tmp_path: Path
) -> None:
    server, (first, second) = far
    asked = reflect(first, server, project, tmp_path, "ask", GOAL, "--thread", "asked", "--json", "--quiet")
    assert asked.returncode == 0 and json.loads(asked.stdout)["answer"] == ANSWER, asked.stderr
    resumed = reflect(second, server, project, tmp_path, "resume", "asked", "--json", "--quiet")
    assert resumed.returncode == 0 and json.loads(resumed.stdout)["answer"] == ANSWER, resumed.stderr
    elsewhere = build_fixture_repository(tmp_path / "own")
    refused = reflect(second, server, elsewhere, tmp_path, "resume", "asked", "--json")
    assert refused.returncode == 2 and "Traceback" not in refused.stderr
    assert "was begun in" in refused.stderr and "is another directory" in refused.stderr
    assert refused.stdout == "" and "s3cret" not in refused.stderr


def hold(host: NetworkHost, server: Server, root: Path, home: Path, seconds: float) -> subprocess.Popen[str]:
    """Have the thread, and tell what came of beginning an effect."""
    return host.start("-c", HOLD, str(root), server.url(host=host.server), str(seconds), home=home)


@pytest.mark.parametrize("lost", ["killed", "unplugged"])
def test_the_thread_of_a_host_that_is_lost_is_taken_over_and_its_effect_in_doubt(
    far: tuple[Server, list[NetworkHost]], project: Path, tmp_path: Path, lost: str
) -> None:
    server, (first, second) = far
    server.execute("DROP TABLE IF EXISTS reflect_effects, reflect_holds, reflect_places")
    one = hold(first, server, project, tmp_path, 300)
    try:
        assert one.stdout is not None and one.stdout.readline() == "intent\n"
        # On one machine the file would keep the second host off as well.
        (project / ".reflect" / "locks").rename(project / ".reflect" / "locks-of-the-first")
        two = hold(second, server, project, tmp_path, 0)
        assert not wait_until(4, lambda: two.poll() is not None)
        if lost == "killed":
            one.send_signal(signal.SIGKILL)
        else:
            first.cut()
        output, errors = two.communicate(timeout=3 * UNHEARD)
        assert (output, two.returncode) == ("uncertain\n", 0), errors
    finally:
        one.kill()
        one.communicate(timeout=20)
