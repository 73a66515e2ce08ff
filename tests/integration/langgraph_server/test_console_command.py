"""`reflect console` as a person starts it, and ends it."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_client

from cli.console_serving import chosen_port
from configs.errors import UsageError
from tests.integration.langgraph_server.conftest import scripted
from tests.integration.langgraph_server.test_threads import SUM, held, summing
from tests.support.langgraph_server import answers, environment_of
from tests.support.processes import free_port, wait_until
from tests.tools.places import living

pytestmark = pytest.mark.integration
COMMAND = [sys.executable, "-m", "cli.main", "console", "--no-browser"]
HOLE = "console-hole.bin"


class Trap:
    """A pickle that leaves a file where it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (open, (str(self.path), "w"))


@contextlib.contextmanager
def console(tmp_path: Path, root: Path, **variables: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, in a group of its own; its process and its address."""
    port = free_port()
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    process = subprocess.Popen(
        [*COMMAND, "--root", str(root), "--port", str(port)],
        cwd=tmp_path,
        env=environment_of(home, **variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        assert wait_until(90, lambda: answers(url) or process.poll() is not None)
        yield process, url
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def group_is_gone(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
async def test_a_signal_ends_the_console_its_runs_and_their_tools(
    tmp_path: Path, project: Path, number: signal.Signals, code: int
) -> None:
    held(project, HOLE)
    with console(tmp_path, project) as (process, url):
        assert httpx.get(f"{url}/console/").status_code in (200, 503)
        async with get_client(url=url) as client:
            thread = (await client.threads.create())["thread_id"]
            context: Any = {"model": scripted(tmp_path, summing(HOLE))}
            # Nobody names a root: it is the one the console was started for.
            await client.runs.create(thread, "reflective", input={"goal": SUM}, context=context)
            assert wait_until(60, lambda: living(HOLE))
        process.send_signal(number)
        _, told = process.communicate(timeout=60)
        assert process.returncode == code, told
        assert wait_until(10, lambda: group_is_gone(process.pid)) and living(HOLE) == []
    assert f"Console: {url}/console/" in told and "Traceback" not in told, told
    assert "Studio UI" not in told
    assert (project / ".reflect" / "checkpoints.sqlite").exists()


def test_a_port_that_is_taken_is_a_message(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [*COMMAND, "--port", str(port)],
            cwd=tmp_path,
            env=environment_of(tmp_path),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2 and f"port {port}" in done.stderr and "Traceback" not in done.stderr


def test_what_a_project_brings_along_is_not_unpickled(tmp_path: Path, project: Path) -> None:
    caught = tmp_path / "caught"
    (project / ".langgraph_api").mkdir()
    for name in (".langgraph_ops.pckl", ".langgraph_retry_counter.pckl", "store.pckl"):
        (project / ".langgraph_api" / name).write_bytes(pickle.dumps(Trap(caught)))
    with console(tmp_path, project, REFLECT_API_TOKEN="a-token") as (_, url):
        assert answers(url)
        assert httpx.get(f"{url}/info").status_code == 401
        assert httpx.get(f"{url}/info", headers={"Authorization": "Bearer a-token"}).status_code == 200
    assert not caught.exists()
    kept = list((tmp_path / "home" / ".reflect" / "server").glob("project-*/.langgraph_api"))
    assert len(kept) == 1


def test_a_usual_port_that_is_taken_costs_no_console(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        port = chosen_port("127.0.0.1", None, usual=taken)
        assert port != taken and f"port {port} instead" in capsys.readouterr().err
        with pytest.raises(UsageError, match=str(taken)):
            chosen_port("127.0.0.1", taken)
    assert chosen_port("127.0.0.1", None, usual=taken) == taken
    assert capsys.readouterr().err == ""
