"""A Postgres server of one's own: Debian's programs, a private directory, stopped by process id."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

USER, PASSWORD = "tester", "s3cret/p@ss"
QUOTED = "s3cret%2Fp%40ss"
_STARTING_SECONDS = 30.0


def programs() -> Path | None:
    """The directory of initdb and postgres, or None where they are not installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)
    config = shutil.which("pg_config")
    if config is not None:
        asked = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=True)
        found.append(Path(asked.stdout.strip()))
    able = [path for path in found if (path / "initdb").exists() and (path / "postgres").exists()]
    return able[-1] if able else None


@dataclass
class Server:
    """A running server.

    Attributes:
        bin: its programs.
        place: its directory; also that of its socket.
        port: at every address it listens on.
        listen: its addresses, divided by commas.
        durable: what it has committed outlives a crash of the machine, at the price of waiting for the disk.
        process: the server, or None while it is stopped.
    """

    bin: Path
    place: Path
    port: int
    listen: str = "127.0.0.1"
    durable: bool = False
    process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres", password: str = QUOTED, host: str = "127.0.0.1") -> str:
        """The address of a database."""
        return f"postgres://{USER}:{password}@{host}:{self.port}/{database}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = (
            f"fsync={'on' if self.durable else 'off'}",
            "max_connections=60",
            f"unix_socket_directories={self.place}",
            f"listen_addresses={self.listen}",
        )
        user, group = _as_unprivileged()
        self.process = subprocess.Popen(
            [
                str(self.bin / "postgres"),
                "-D",
                str(self.place / "data"),
                "-p",
                str(self.port),
                *(word for setting in settings for word in ("-c", setting)),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.place,
            user=user,
            group=group,
        )
        ready = [str(self.bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        deadline = time.monotonic() + _STARTING_SECONDS
        while subprocess.run(ready, check=False).returncode:
            if self.process.poll() is not None or time.monotonic() >= deadline:
                raise RuntimeError("Postgres does not start")
            time.sleep(0.05)

    def stop(self) -> None:
        """An immediate end, as a crash is for its clients."""
        if self.process is not None:
            self.process.send_signal(3)
            self.process.wait(20)
            self.process = None

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        """Run a statement; gives its rows."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@contextlib.contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[Server]:
    """A server with a role that must give its password; see `Server.durable`."""
    found = programs()
    if found is None:
        raise RuntimeError("no Postgres is installed (apt-get install postgresql)")
    place = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    try:
        user, group = _as_unprivileged()
        if user is not None and group is not None:
            os.chown(place, user, group)
        word = place / "password"
        word.write_text(PASSWORD)
        word.chmod(0o644)
        command = [str(found / "initdb"), "-D", str(place / "data"), "-U", USER, "-E", "UTF8", "-N"]
        command += ["--auth=scram-sha-256", f"--pwfile={word}", "--locale=C.UTF-8"]
        subprocess.run(command, check=True, capture_output=True, cwd=place, user=user, group=group)
        server = Server(found, place, _free_port(), durable=durable)
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _as_unprivileged() -> tuple[int | None, int | None]:
    """User and group to run as: Postgres refuses to run as root."""
    if os.geteuid() != 0:
        return None, None
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return entry.pw_uid, entry.pw_gid
