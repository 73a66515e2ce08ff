"""A program of the sandbox as a child of this process, which is started without copying the process.

LangGraph's server runs on uvloop, which forks for every program: it copied the page tables of 450 MB on the
loop's own thread, 80 ms each time, while all other runs waited. `subprocess` starts a child with `vfork`,
which copies nothing, and takes a millisecond or two. It does so in one thread that lives as long as this
process: the parent-death signal of a child fires when the thread that started it ends.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import IO

from tools.errors import SandboxUnavailable

log = logging.getLogger(__name__)
Stream = int | IO[bytes]
UNKNOWN = 255
"""Exit code of a program that something else in this process waited for; no success, as nobody saw one."""


class Child:
    """One program that runs, or has ended.

    Args:
        popen: just started.
        ended: is given the exit code, once.

    Attributes:
        ended: as given; whoever waits for it must not cancel it, see `wait`.
    """

    def __init__(self, popen: subprocess.Popen[bytes], ended: asyncio.Future[int]) -> None:
        self._popen = popen
        self.ended = ended

    @property
    def pid(self) -> int:
        """Its process id, and that of its group."""
        return self._popen.pid

    @property
    def returncode(self) -> int | None:
        """The exit code, negative for a signal; None until it was waited for."""
        return self._popen.returncode

    async def wait(self) -> int:
        """Wait for its end; gives the exit code. Any number of tasks may wait."""
        return await asyncio.shield(self.ended)


def begin(
    words: Sequence[str],
    streams: tuple[Stream, Stream, Stream],
    directory: str | os.PathLike[str],
    environment: dict[str, str],
    descriptors: Sequence[int],
) -> asyncio.Future[subprocess.Popen[bytes]]:
    """Begin to start a program in a session and a group of its own.

    What comes back is no task, which the end of a loop would cancel: once the thread works on it, the program
    starts, and uses the streams, whatever becomes of the caller. So wait until it is done (`asyncio.wait`
    leaves it alone), keep the streams open as long, and hand its result to `watched`.

    Args:
        words: the program and its arguments; surrogates stand for bytes that are no UTF-8.
        streams: its standard input, output and error.
        directory: where it works.
        environment: all variables it has.
        descriptors: further ones that it inherits.

    Returns:
        The program just started, or the OSError that says why it cannot be.

    Raises:
        SandboxUnavailable: nobody could tell how the program ends.
        OSError: there is no thread to start it in; it is not started later either.
    """
    if signal.getsignal(signal.SIGCHLD) is signal.SIG_IGN:
        raise SandboxUnavailable(
            "SIGCHLD is ignored in this process, so the system does not tell how a program ends.",
            "Start this process from one that does not ignore it, such as a shell without `trap '' CHLD`.",
        )
    global _starter
    loop = asyncio.get_running_loop()
    with _turn:
        try:
            return loop.run_in_executor(
                _starter, _popen, words, streams, directory, environment, tuple(descriptors)
            )
        except RuntimeError as error:
            # Its program stays in the queue, and would start together with the next one.
            _starter.shutdown(wait=False, cancel_futures=True)
            _starter = _new_starter()
            raise OSError(errno.EAGAIN, f"No thread can start a program: {error}") from error


def watched(popen: subprocess.Popen[bytes]) -> Child:
    """The child that a program just started is; its end is noticed from now on.

    Raises:
        OSError: its end cannot be watched for; it was killed.
    """
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()
    try:
        try:
            descriptor = os.pidfd_open(popen.pid)
        except OSError:
            # A kernel or a container that has no descriptors of processes (pidfd_open(2)).
            _wait_in_thread(popen, loop, ended)
        else:
            _wait_for_descriptor(descriptor, popen, loop, ended)
    except BaseException:
        # It may have ended, and a process without SIGCHLD has no trace of it then.
        with suppress(ProcessLookupError):
            os.killpg(popen.pid, signal.SIGKILL)
        _exit_code(popen)
        raise
    return Child(popen, ended)


def _wait_for_descriptor(
    descriptor: int,
    popen: subprocess.Popen[bytes],
    loop: asyncio.AbstractEventLoop,
    ended: asyncio.Future[int],
) -> None:
    def reap() -> None:
        loop.remove_reader(descriptor)
        os.close(descriptor)
        _tell(ended, _exit_code(popen))

    try:
        loop.add_reader(descriptor, reap)
    except BaseException:
        os.close(descriptor)
        raise


def _wait_in_thread(
    popen: subprocess.Popen[bytes], loop: asyncio.AbstractEventLoop, ended: asyncio.Future[int]
) -> None:
    """Wait in a thread of its own.

    Those of the loop's executor are few: taken by programs that wait for their input, they would not be there
    for whoever hands it to them.
    """

    def wait() -> None:
        code = _exit_code(popen)
        # The loop may be closed, and then nobody waits any more.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_tell, ended, code)

    try:
        threading.Thread(target=wait, name=f"waits-for-{popen.pid}", daemon=True).start()
    except RuntimeError as error:
        raise OSError(errno.EAGAIN, f"No thread can wait for a program: {error}") from error


def _exit_code(popen: subprocess.Popen[bytes]) -> int:
    """Wait for a program; gives its exit code. `Popen.wait` would take one it cannot learn for success."""
    try:
        _, status = os.waitpid(popen.pid, 0)
        code = os.waitstatus_to_exitcode(status)
    except ChildProcessError:
        log.warning("somebody else waited for process %s: its exit code is not known", popen.pid)
        code = UNKNOWN
    popen.returncode = code
    return code


def _tell(ended: asyncio.Future[int], code: int) -> None:
    if not ended.done():
        ended.set_result(code)


def _popen(
    words: Sequence[str],
    streams: tuple[Stream, Stream, Stream],
    directory: str | os.PathLike[str],
    environment: dict[str, str],
    descriptors: tuple[int, ...],
) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [word.encode("utf-8", "surrogateescape") for word in words],
        stdin=streams[0],
        stdout=streams[1],
        stderr=streams[2],
        cwd=directory,
        env=environment,
        start_new_session=True,
        pass_fds=descriptors,
    )


def _new_starter() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, thread_name_prefix="starter")


def _begin_again() -> None:
    """A fork of this process has none of its threads."""
    global _starter, _turn
    _starter, _turn = _new_starter(), threading.Lock()


_starter, _turn = _new_starter(), threading.Lock()
os.register_at_fork(after_in_child=_begin_again)
