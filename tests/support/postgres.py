"""A Postgres server of the tests' own: Debian's programs, a private directory, stopped by process id."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.processes import free_port

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
        port: on 127.0.0.1.
        process: the server, or None while it is stopped.
    """

    bin: Path
    place: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    def url(self, database: str = "postgres", password: str = QUOTED) -> str:
        return f"postgres://{USER}:{password}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        settings = ("fsync=off", "max_connections=60", f"unix_socket_directories={self.place}")
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
            **_as_unprivileged(),
        )
        ready = [str(self.bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        deadline = time.monotonic() + _STARTING_SECONDS
        while subprocess.run(ready, check=False).returncode:
            assert self.process.poll() is None and time.monotonic() < deadline, "Postgres does not start"
            time.sleep(0.05)

    def stop(self) -> None:
        """An immediate end, as a crash is for its clients."""
        if self.process is not None:
            self.process.send_signal(3)
            self.process.wait(20)
            self.process = None

    def execute(self, statement: str, database: str = "postgres") -> list[tuple[object, ...]]:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@contextlib.contextmanager
def postgres_server() -> Iterator[Server]:
    """A server with a role that must give its password."""
    found = programs()
    assert found is not None, "no Postgres is installed"
    place = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    try:
        options = _as_unprivileged()
        if options:
            os.chown(place, int(options["user"]), int(options["group"]))
        word = place / "password"
        word.write_text(PASSWORD)
        word.chmod(0o644)
        command = [str(found / "initdb"), "-D", str(place / "data"), "-U", USER, "-E", "UTF8", "-N"]
        command += ["--auth=scram-sha-256", f"--pwfile={word}", "--locale=C.UTF-8"]
        subprocess.run(command, check=True, capture_output=True, cwd=place, **_as_unprivileged())
        server = Server(found, place, free_port())
        try:
            server.start()
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _as_unprivileged() -> dict[str, int]:
    """Postgres refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid}
