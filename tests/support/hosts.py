"""Hosts as network namespaces: each with its own address, processes, and cable to this machine."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.processes import ROOT


@dataclass(frozen=True)
class NetworkHost:
    """A host.

    Attributes:
        name: of its namespace.
        cable: of its link, at this machine's end.
        server: address of this machine, as it sees it.
    """

    name: str
    cable: str
    server: str

    def start(self, *words: str, home: Path, **variables: str) -> subprocess.Popen[str]:
        """Start Python there; killing the process kills what it runs."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("REFLECT_")}
        environment = {**kept, "HOME": str(home), "PYTHONPATH": str(ROOT), **variables}
        environment.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
        apart = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
        return subprocess.Popen(
            ["ip", "netns", "exec", self.name, *apart, sys.executable, *words],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str, home: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run Python there to its end."""
        process = self.start(*words, home=home, **variables)
        try:
            output, errors = process.communicate(timeout=120)
        finally:
            process.kill()
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)

    def cut(self) -> None:
        """Pull the cable: nobody is told, packets just get lost."""
        _ip("link", "set", self.cable, "down")


def why_not() -> str:
    """Why this machine can have no such hosts; empty if it can."""
    if os.geteuid() != 0:
        return "only root may make network namespaces"
    try:
        _ip("netns", "add", "rg-probe")
        _ip("netns", "delete", "rg-probe")
    except (OSError, subprocess.CalledProcessError) as error:
        return f"network namespaces cannot be made here: {error}"
    return ""


@contextlib.contextmanager
def network_hosts(count: int) -> Iterator[list[NetworkHost]]:
    """Some hosts, gone afterwards."""
    hosts: list[NetworkHost] = []
    with contextlib.ExitStack() as stack:
        for number in range(count):
            net = f"10.{200 + number}.{os.getpid() // 250 % 250}"
            base = os.getpid() % 250 + 1
            name = f"rg{os.getpid() % 100_000}h{number}"
            host = NetworkHost(name, f"{name}o", f"{net}.{base}")
            _ip("netns", "add", name)
            stack.callback(_ip, "netns", "delete", name)
            _ip("link", "add", host.cable, "type", "veth", "peer", "name", f"{name}i", "netns", name)
            _ip("addr", "add", f"{host.server}/24", "dev", host.cable)
            _ip("link", "set", host.cable, "up")
            for words in (
                ("addr", "add", f"{net}.{base + 1}/24", "dev", f"{name}i"),
                ("link", "set", f"{name}i", "up"),
                ("link", "set", "lo", "up"),
            ):
                _ip("-n", name, *words)
            hosts.append(host)
        yield hosts


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)
