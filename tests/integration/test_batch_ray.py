"""`reflect batch --engine ray`, on a cluster of its own and on one of several nodes that are killed."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.batches import (
    QUIET,
    BatchPlace,
    descendants,
    effects,
    ended,
    lives,
    makes,
    talks,
    workers_of,
)
from tests.support.postgres import postgres_server, programs
from tests.support.processes import wait_until
from tests.support.ray_cluster import RayCluster, ray_cluster

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="the extra ray is not installed"),
]

WORKER = "ray::RayWorker"
TALK = "default: [{delay: 0.4, reply: A counter with a queue.}]\nrepeat_last: true\n"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[RayCluster]:
    with ray_cluster(tmp_path, nodes=2, processors=1, **QUIET) as running:
        yield running


def test_a_cluster_of_its_own_is_begun_and_ended_with_the_batch(project: Path) -> None:
    place = BatchPlace(project, ("--engine", "ray"))
    place.goals(*talks(3), *makes(1))
    driver = place.begin("--json", "--model", place.script(TALK))
    assert place.reached(1)
    below = descendants(driver.pid)
    assert len(workers_of(driver.pid, WORKER)) == 2
    assert not any("usage_stats_enabled=1" in command for command in below.values())
    code, out, err = ended(driver)
    report = json.loads(out)
    assert (code, report["succeeded"], report["refused"], report["engine"]) == (3, 3, 1, "ray"), err
    assert wait_until(30, lambda: not any(lives(pid) for pid in below)), "nothing of Ray stays behind"


def test_workers_a_node_and_the_driver_are_killed_and_no_goal_is_lost(
    project: Path, cluster: RayCluster
) -> None:
    place = BatchPlace(project, ("--engine", "ray", "--address", cluster.address, "--yes"))
    goals = talks(10) + makes(6)
    place.goals(*goals)
    model = place.script(TALK)
    driver = place.begin("--model", model)
    assert place.reached(1)
    workers = workers_of(cluster.process.pid, WORKER)
    assert len(workers) == 2, "one on each node"
    os.kill(workers[0], signal.SIGKILL)
    assert place.reached(4)
    cluster.remove(2)
    assert place.reached(7)
    driver.kill()
    ended(driver)
    # Nobody works for a driver that is gone.
    assert wait_until(60, lambda: workers_of(cluster.process.pid, WORKER) == [])
    done = len(place.lines())
    assert 7 <= done < len(goals)
    code, out, err = ended(place.begin("--resume", "--model", model))
    assert code == 0, err
    assert sorted(line["id"] for line in place.lines()) == sorted(goal["id"] for goal in goals)
    assert out.splitlines()[-1].startswith("16 goals: 16 succeeded, 0 failed, 0 refused")
    assert f"{done} done before" in err and effects(place) == 6


@pytest.mark.skipif(programs() is None, reason="no Postgres is installed")
def test_with_threads_in_postgres_a_worker_goes_on_with_what_another_began(
    project: Path, tmp_path: Path
) -> None:
    with postgres_server() as server:
        threads = {"THREADS_URL": server.url(), "REFLECT_CHECKPOINTS__URL_ENV": "THREADS_URL"}
        with ray_cluster(tmp_path, nodes=2, processors=1, **QUIET, **threads) as cluster:
            place = BatchPlace(project, ("--engine", "ray", "--address", cluster.address, "--yes"))
            place.goals(*talks(4), *makes(4))
            model = place.script(TALK)
            # Workers have Postgres in their environment, and the command has not.
            code, _, err = ended(place.begin("--model", model))
            assert code == 2 and "nobody could go on" in err and place.lines() == []
            driver = place.begin("--model", model, **threads)
            assert place.reached(1)
            os.kill(workers_of(cluster.process.pid, WORKER)[0], signal.SIGKILL)
            code, out, err = ended(driver)
        found = server.execute("SELECT count(DISTINCT thread_id) FROM checkpoints")
    assert code == 0, err
    assert out.splitlines()[-1].startswith("8 goals: 8 succeeded") and len(place.lines()) == 8
    assert found == [(8,)] and not (project / ".reflect" / "checkpoints.sqlite").exists()


def test_an_address_without_a_cluster_is_refused(project: Path) -> None:
    place = BatchPlace(project, ("--engine", "ray", "--address", "127.0.0.1:1"))
    place.goals(*talks(1))
    code, out, err = ended(place.begin("--model", place.script(TALK)))
    assert code == 2 and out == "" and place.lines() == []
    assert "There is no Ray cluster" in err and "Traceback" not in err
