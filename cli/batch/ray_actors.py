"""Workers on a Ray cluster: actors, one goal at a time.

Actors rather than tasks: loading graphs and models takes seconds, and an actor does it once. Ray neither
restarts one nor calls it again (`max_restarts=0`, `max_task_retries=0`), the driver does: it counts the
deaths of a goal, looks at where a new worker is before it trusts it with one, and knows which process may
still be at work on a thread. What goes through Ray is a goal and its answer, and both stay out of its object
store unless large.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from cli.background_launch import package_directory
from cli.batch.crew import Died, Event, event_of
from cli.batch.goal import Goal
from cli.batch.orders import Orders
from cli.batch.ray_worker import RayWorker
from configs.errors import UsageError

OBJECT_STORE_BYTES = 100_000_000
"""Of a cluster of our own: answers of all workers are a few megabytes; Ray takes 75 MB at least."""

LOCAL: dict[str, Any] = {
    "address": "local",
    "object_store_memory": OBJECT_STORE_BYTES,
    "include_dashboard": False,
    # Nobody else has to reach it.
    "_node_ip_address": "127.0.0.1",
}
THIS_MACHINE = "auto"
"""The address that stands for a cluster of which this machine is a node."""
KNOCK_SECONDS = 5.0
_BEGIN = "Begin one by `ray start --head`, or leave out --address."
_INSTALL = "pip install 'reflective-graph[ray]', or --engine local."
LEAVING_SECONDS = 10.0
_LONGEST_REASON = 300


@dataclass
class _Worker:
    """An actor, and what is awaited of it."""

    actor: Any
    awaited: Any


class RayActors:
    """A crew of actors. It is opened by `ray_crew`.

    Args:
        ray: the module.
        orders: of the batch.
    """

    def __init__(self, ray: Any, orders: Orders) -> None:
        self._ray = ray
        self._orders = orders.dumps()
        self._class = ray.remote(
            num_cpus=1, max_restarts=0, max_task_retries=0, scheduling_strategy="SPREAD"
        )(RayWorker)
        self._workers: dict[int, _Worker] = {}
        self._numbers = count(1)

    def hire(self) -> int:
        """See `Crew`. On a cluster that has no room for it, it is ready when there is."""
        actor = self._class.remote(self._orders)
        number = next(self._numbers)
        self._workers[number] = _Worker(actor, actor.begin.remote())
        return number

    def give(self, worker: int, goal: Goal) -> None:
        """See `Crew`."""
        given = self._workers[worker]
        given.awaited = given.actor.answer.remote(json.dumps(goal.dump()))

    def happened(self, seconds: float) -> list[Event]:
        """See `Crew`."""
        numbers = {one.awaited: number for number, one in self._workers.items() if one.awaited is not None}
        if not numbers:
            return []
        awaited = list(numbers)
        ready, _ = self._ray.wait(awaited, num_returns=1, timeout=seconds)
        if ready:
            ready, _ = self._ray.wait(awaited, num_returns=len(awaited), timeout=0)
        return [self._heard(numbers[one]) for one in ready]

    def _heard(self, number: int) -> Event:
        worker = self._workers[number]
        awaited, worker.awaited = worker.awaited, None
        try:
            message: dict[str, Any] = json.loads(self._ray.get(awaited))
        except self._ray.exceptions.RayError as error:
            # It may only be out of reach; then it is ended, so that no other works on the thread with it.
            self.dismiss(number)
            return Died(number, _reason(error))
        return event_of(number, message)

    def dismiss(self, worker: int) -> None:
        """See `Crew`."""
        self._ray.kill(self._workers.pop(worker).actor, no_restart=True)

    def close(self) -> None:
        """See `Crew`."""
        leaving = [one.actor.leave.remote() for one in self._workers.values() if one.awaited is None]
        if leaving:
            self._ray.wait(leaving, num_returns=len(leaving), timeout=LEAVING_SECONDS)
        for number in list(self._workers):
            self.dismiss(number)


@contextlib.contextmanager
def ray_crew(orders: Orders, workers: int, address: str | None) -> Iterator[RayActors]:
    """Actors on a cluster: the one at the address, or one of our own that ends with the batch.

    Args:
        orders: of the batch.
        workers: how many are wanted; a cluster of our own has room for as many.
        address: HOST:PORT of a cluster, "auto" for the one of this machine, or None.

    Raises:
        UsageError: Ray is not installed, or there is no cluster at the address.
    """
    # Ray tells its makers how it is used unless it is told not to; read when it is loaded.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray
    except ImportError as error:
        raise UsageError("--engine ray needs Ray, which is not installed.", _INSTALL) from error
    if address is not None:
        reach(address)
    options = {"address": address} if address else {**LOCAL, "num_cpus": workers}
    try:
        # Ray puts the directory one stands in before all others where its workers look for modules; the one
        # of this package leads to it, and a project's may hold a module of any name.
        with contextlib.chdir(package_directory()):
            ray.init(
                log_to_driver=False,
                logging_level=logging.ERROR,
                **options,
            )
    except (ConnectionError, ValueError, RuntimeError) as error:
        where = f"at {address!r}" if address else "on this machine"
        raise UsageError(
            f"There is no Ray cluster to work on {where}: {_reason(error)}.",
            _BEGIN,
        ) from error
    crew = RayActors(ray, orders)
    try:
        yield crew
    finally:
        crew.close()
        ray.shutdown()


def reach(address: str) -> None:
    """Knock at a cluster's door: Ray itself would try for minutes, and end the process.

    Raises:
        UsageError: it is no address, or nobody listens there.
    """
    if address == THIS_MACHINE:
        return
    host, colon, port = address.rpartition(":")
    if not (host and colon and port.isdecimal() and int(port) < 2**16 and "/" not in host):
        raise UsageError(f"--address {address!r} is no HOST:PORT.", "Give that of the cluster's head node.")
    try:
        socket.create_connection((host.strip("[]"), int(port)), KNOCK_SECONDS).close()
    except OSError as error:
        raise UsageError(
            f"There is no Ray cluster to work on at {address!r}: {error.strerror or error}.", _BEGIN
        ) from error


def _reason(error: BaseException) -> str:
    """The first lines of what Ray says, in one."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:_LONGEST_REASON]}"
