"""Hosts in network namespaces of their own, which share records through Postgres until a link is cut."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.experience.open_indexes import close_indexes
from tests.integration.test_shared_records import WRITE, shared
from tests.support.corpus_hosts import Host, Writer
from tests.support.postgres import Server, postgres_server, programs
from tests.support.processes import wait_until

pytestmark = pytest.mark.integration


def ip(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["ip", *words], capture_output=True, text=True, check=False)


class Namespace:
    """A host's network: one cable to the machine the database is on.

    Args:
        number: tells it from others; its network is 10.213.NUMBER.0/24.
    """

    def __init__(self, number: int) -> None:
        self.name, self.cable = f"rg{os.getpid()}n{number}", f"rg{os.getpid()}c{number}"
        self.server, self.address = f"10.213.{number}.1", f"10.213.{number}.2"

    def make(self) -> str:
        """Why it cannot be made; empty when it was."""
        steps = [
            ["netns", "add", self.name],
            ["link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", self.name],
            ["addr", "add", f"{self.server}/24", "dev", self.cable],
            ["link", "set", self.cable, "up"],
            ["-n", self.name, "addr", "add", f"{self.address}/24", "dev", "eth0"],
            ["-n", self.name, "link", "set", "eth0", "up"],
            ["-n", self.name, "link", "set", "lo", "up"],
        ]
        return next((done.stderr for step in steps if (done := ip(*step)).returncode), "")

    def cut(self) -> None:
        ip("link", "set", self.cable, "down")

    def mend(self) -> None:
        ip("link", "set", self.cable, "up")

    def remove(self) -> None:
        ip("link", "del", self.cable)
        ip("netns", "del", self.name)

    def python(self) -> list[str]:
        return ["ip", "netns", "exec", self.name, sys.executable]


@pytest.fixture
def namespaces() -> Iterator[list[Namespace]]:
    made = [Namespace(number) for number in (1, 2)]
    try:
        reasons = [reason for one in made if (reason := one.make())]
        if reasons:
            pytest.skip(f"no network namespace can be made here: {reasons[0].strip()}")
        yield made
    finally:
        for one in made:
            one.remove()


@pytest.fixture
def server(namespaces: list[Namespace]) -> Iterator[Server]:
    if programs() is None:
        pytest.skip("no Postgres server is installed (apt-get install postgresql)")
    with postgres_server() as running:
        running.listen = "*"
        with (running.place / "data/pg_hba.conf").open("a") as rules:
            rules.write("host all all 10.213.0.0/16 scram-sha-256\n")
        running.stop()
        running.start()
        yield running
        close_indexes()


def has_records(server: Server) -> bool:
    [(table,)] = server.execute("SELECT to_regclass('reflect_experience')::text")
    return table is not None and bool(shared(server, "postgres"))


def test_a_host_that_is_cut_off_goes_on_and_catches_up(
    server: Server, namespaces: list[Namespace], tmp_path: Path
) -> None:
    places = [tmp_path / one.name for one in namespaces]
    writers = [
        Writer(
            WRITE,
            str(place),
            server.url().replace("127.0.0.1", one.server),
            "100000",
            one.name,
            python=one.python(),
        )
        for one, place in zip(namespaces, places, strict=True)
    ]
    acknowledged: set[str] = set()
    try:
        for writer in writers:
            writer.wait_for(10)
        # A first contact takes longer than ten lines of a file, on a machine at work.
        assert wait_until(60, lambda: has_records(server)), "no host has reached the server"
        namespaces[0].cut()
        for writer in writers:
            writer.wait_for(20)
        before = writers[0].acknowledged - set(shared(server, "postgres"))
        namespaces[0].mend()
        for writer in writers:
            writer.wait_for(10)
    finally:
        for writer in writers:
            acknowledged |= writer.kill()
    hosts = [Host(place, server.url()) for place in places]
    for host in (*hosts, *hosts):
        host.next_process().sync()
    rows = shared(server, "postgres")
    assert before, "while the cable was cut, records waited on their host"
    assert acknowledged <= set(rows) and all(host.ids() == Counter(rows.keys()) for host in hosts)
