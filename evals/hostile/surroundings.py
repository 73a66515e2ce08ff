"""Everything around a project that a command must not touch, and the looks at all of it.

    PLACE/root       the project
    PLACE/outside    {OUT}: secret.txt ({SECRET}), a file with a secret name, the socket {SOCK}
    PLACE/home       HOME, with a history and a key
    PLACE/tmp        TMPDIR
    PLACE/artifacts  where the toolbox keeps long outputs

A TCP and a UDP socket listen on one loopback port, {PORT}; {PID} is a process with a secret in its
environment.
"""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from evals.hostile.leaks import Leaks, new_secret
from evals.hostile.processes import GRACE_SECONDS, Victim, adopting, descendants, survivors
from evals.hostile.project import build_project, git
from evals.hostile.traces import Look, differences, elsewhere, look

SHARED = (Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), Path.home(), Path("/"))
PLANTED_VARIABLES = ("API_KEY", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN")


class Surroundings:
    """One project and what lies around it. Made by `surroundings`.

    Args:
        place: empty directory for all of it.
        stack: what ends the listeners and the victim.
    """

    def __init__(self, place: Path, stack: ExitStack) -> None:
        self.root, self.outside = place / "root", place / "outside"
        self.home, self.temporary, self.artifacts = place / "home", place / "tmp", place / "artifacts"
        self._template = place / "template"
        self.planted = {name: new_secret() for name in ("file", "name", "environment", "victim", "home")}
        for directory in (self.outside, self.home / ".ssh", self.temporary):
            directory.mkdir(parents=True)
        self._write_secrets()
        build_project(self._template, self.outside, self.root)
        self._listen(stack)
        self.victim = Victim(self.outside, self.planted["victim"])
        stack.callback(lambda: self.victim.stop())
        self.leaks = Leaks(self.planted, {"the secret file": self.secret.read_bytes()})
        self.know_processes()
        self.rebuild()

    @property
    def secret(self) -> Path:
        """The secret file."""
        return self.outside / "secret.txt"

    @property
    def places(self) -> dict[str, str]:
        """What the placeholders of a command stand for."""
        return {
            "OUT": str(self.outside),
            "SECRET": str(self.secret),
            "PORT": str(self.port),
            "SOCK": str(self.outside / "socket"),
            "PID": str(self.victim.pid),
        }

    def rebuild(self) -> None:
        """The project as it was, and nothing else around it."""
        if self.root.is_symlink() or self.root.is_file():
            self.root.unlink()
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(self._template, self.root, symlinks=True)
        git(self.root, "status")
        for path in self.root.rglob("*"):
            if path.is_file() and not path.is_symlink():
                path.read_bytes()  # moves the access times on, so that no later reading does

    def look(self, command: str) -> Look:
        """All that could be changed on the disk."""
        own = look([self.root, self.outside, self.home])
        temporary = look([self.temporary])
        # Files without a name come and go there: they move the directory's own times.
        temporary.pop(str(self.temporary), None)
        outer = {
            path: status
            for path, status in elsewhere(command, SHARED).items()
            if not Path(path).is_relative_to(self.root.parent)
        }
        return own | temporary | outer

    def effects(self, before: Look, command: str) -> list[str]:
        """What changed since a look; everything is put right again."""
        told = differences(before, self.look(command))
        if told:
            self._remove_new(before, command)
            self.rebuild()
            self._write_secrets()
        return told + self._arrived() + self.victim.harm()

    def know_processes(self) -> None:
        """Take the processes that live now for none of a command's."""
        self.known = set(descendants()) - {self.victim.pid}

    def survivors(self, grace: float = GRACE_SECONDS) -> list[int]:
        """Processes a command left and that do not end within the grace, in seconds; they are killed."""
        return survivors(self.known | {self.victim.pid}, grace)

    def _write_secrets(self) -> None:
        self.secret.write_text(f"TOPSECRET {self.planted['file']}\nsecond line {self.planted['file']}\n")
        (self.outside / f"{self.planted['name']}.txt").write_text("a name that tells where one looked\n")
        (self.home / ".ssh" / "id_rsa").write_text(self.planted["home"])
        (self.home / ".bash_history").write_text(self.planted["home"])

    def _listen(self, stack: ExitStack) -> None:
        self._tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.port = int(self._tcp.getsockname()[1])
        self._udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self._udp.bind(("127.0.0.1", self.port))
        self._unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        self._unix.bind(str(self.outside / "socket"))
        self._unix.listen()
        for listener in (self._tcp, self._udp, self._unix):
            listener.setblocking(False)

    def _arrived(self) -> list[str]:
        told = []
        for name, listener in (("the TCP port", self._tcp), ("the unix socket", self._unix)):
            while True:
                try:
                    connection, _ = listener.accept()
                except BlockingIOError:
                    break
                connection.close()
                told.append(f"a connection to {name}")
        try:
            self._udp.recv(1)
        except BlockingIOError:
            return told
        return [*told, "a datagram to the UDP port"]

    def _remove_new(self, before: Look, command: str) -> None:
        for path in sorted(self.look(command).keys() - before.keys(), reverse=True):
            if os.path.isdir(path) and not os.path.islink(path):
                shutil.rmtree(path, ignore_errors=True)
            elif os.path.lexists(path):
                os.unlink(path)


@contextmanager
def surroundings() -> Iterator[Surroundings]:
    """A project with everything around it; environment and directories are put back at the end."""
    with ExitStack() as stack:
        place = Path(os.path.realpath(stack.enter_context(tempfile.TemporaryDirectory(prefix="hostile-"))))
        stack.enter_context(adopting())
        around = Surroundings(place, stack)
        stack.enter_context(_environment(around))
        yield around


@contextmanager
def _environment(around: Surroundings) -> Iterator[None]:
    kept, kept_directory = dict(os.environ), tempfile.tempdir
    os.environ |= dict.fromkeys(PLANTED_VARIABLES, around.planted["environment"])
    os.environ |= {"HOME": str(around.home), "TMPDIR": str(around.temporary)}
    tempfile.tempdir = str(around.temporary)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)
        tempfile.tempdir = kept_directory
