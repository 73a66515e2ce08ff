"""A Ray cluster of several nodes on this machine, in a process of its own that is told what to do by lines.

Its first line of output is JSON with the address. A line "remove N" kills node N with all its workers, and is
answered when it is gone; the end of input ends all.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.processes import ROOT

STORE_BYTES = 80 * 2**20


@dataclass
class RayCluster:
    """A running cluster.

    Attributes:
        address: host:port of its head.
        process: that holds it.
    """

    address: str
    process: subprocess.Popen[str]

    def remove(self, number: int) -> None:
        """Kill a node, 1 being the first beside the head."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"remove {number}\n")
        self.process.stdin.flush()
        assert self.process.stdout.readline() == f"removed {number}\n"


@contextlib.contextmanager
def ray_cluster(home: Path, *, nodes: int, processors: int, **variables: str) -> Iterator[RayCluster]:
    """A cluster whose head has no processor for workers, and whose nodes have some each.

    Args:
        home: of all that runs there.
        nodes: beside the head.
        processors: of each of them.
        variables: of the environment of workers.
    """
    command = [sys.executable, "-m", "tests.support.ray_cluster", str(nodes), str(processors)]
    environment = os.environ | {"HOME": str(home), "RAY_USAGE_STATS_ENABLED": "0", **variables}
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            yield RayCluster(json.loads(process.stdout.readline())["address"], process)
        finally:
            process.stdin.close()
            process.wait(60)


def main(nodes: int, processors: int) -> None:
    """Hold the cluster until the input ends."""
    from ray.cluster_utils import Cluster

    size = {"object_store_memory": STORE_BYTES}
    cluster = Cluster(
        initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False, **size}
    )
    added = [cluster.add_node(num_cpus=processors, **size) for _ in range(nodes)]
    cluster.wait_for_nodes()
    _say(json.dumps({"address": cluster.address}))
    for line in sys.stdin:
        number = int(line.split()[1])
        cluster.remove_node(added[number - 1], allow_graceful=False)
        _say(f"removed {number}")
    cluster.shutdown()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
