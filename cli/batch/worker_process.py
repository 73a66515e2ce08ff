"""A worker on this machine: a process that reads goals from a socket and writes what became of them.

When its driver is gone, however that came about, it ends at once: the goal stays in its thread, and whoever
goes on with the batch finds it there.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from cli.background_process import forget_own_path

EXIT_ORPHANED = 75
"""As sysexits.h has it: a failure that passes, and the work can be tried again."""
LEAVE: dict[str, Any] = {"leave": True}


def main(descriptor: int) -> int:
    """Answer goals until there is an end of them; returns the exit code."""
    # What this process starts must not keep the socket when it is gone.
    os.set_inheritable(descriptor, False)
    driver = Connection(descriptor)
    from cli.main import quiet_environment

    quiet_environment()
    orders = driver.recv_bytes().decode()
    heard: SimpleQueue[dict[str, Any]] = SimpleQueue()
    threading.Thread(target=_listen, args=(driver, heard), daemon=True).start()
    return _work(orders, driver, heard)


def _listen(driver: Connection, heard: SimpleQueue[dict[str, Any]]) -> None:
    """Hand on what the driver says; without a driver nobody waits for the work."""
    while True:
        try:
            heard.put(json.loads(driver.recv_bytes()))
        except (EOFError, OSError):
            os._exit(EXIT_ORPHANED)


def _work(orders: str, driver: Connection, heard: SimpleQueue[dict[str, Any]]) -> int:
    from cli.batch.answering import Answerer
    from cli.batch.goal import Goal
    from cli.batch.orders import Orders
    from configs.errors import ReflectError

    try:
        answerer = Answerer(Orders.loads(orders))
    except ReflectError as error:
        _say(driver, {"unfit": [error.what, error.remedy]})
        return error.exit_code
    _say(driver, {"ready": answerer.facts().dumps()})
    while (told := heard.get()) != LEAVE:
        _say(driver, answerer.reply(Goal(**told)))
    answerer.close()
    return 0


def _say(driver: Connection, message: dict[str, Any]) -> None:
    driver.send_bytes(json.dumps(message).encode())


if __name__ == "__main__":
    forget_own_path()
    sys.exit(main(int(sys.argv[1])))
