"""A project and what lies around it: secrets beside the root, links that lead to them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from configs.settings import ToolSettings
from tools.protocol import ToolCall, ToolResult
from tools.sandbox.confinement import Confinement, Sandbox
from tools.sandbox.probe import policy_only, probe_bwrap, probe_landlock
from tools.toolbox import Toolbox

SECRET = "TOPSECRET-4711"
FILES = {
    "notes.txt": "gamma 3\nalpha 1\nbeta 2\nalpha 1\n",
    "a.py": "import os\nprint(os)\n",
    "src/b.py": "import sys\n\n\nhello = 1\n",
    "src/with space.md": "# title\nhello\n",
    "-dash.txt": "hello dash\n",
}
LEVELS = ("bwrap", "landlock", "policy")


class Project:
    """A root with ordinary files and, beside it, what must not be read.

    Links: `link_out` to a secret file, `dirlink` to its directory, `link_in` to `notes.txt`.
    """

    def __init__(self, place: Path) -> None:
        self.root, self.outside = place / "root", place / "outside"
        self.secret = self.outside / "secret.txt"
        for name, text in FILES.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        self.outside.mkdir()
        self.secret.write_text(f"{SECRET}\n")
        (self.root / "link_out").symlink_to(self.secret)
        (self.root / "dirlink").symlink_to(self.outside)
        (self.root / "link_in").symlink_to("notes.txt")

    def toolbox(self, level: str = "policy", *, artifacts: Path | None = None, **settings: object) -> Toolbox:
        sandbox(level)
        chosen = ToolSettings.model_validate({"sandbox": level, **settings})
        return Toolbox(self.root, chosen, artifacts=artifacts, timeout=20)

    async def command(self, text: str, level: str = "policy") -> ToolResult:
        """Run a command string."""
        return await self.toolbox(level).run(ToolCall(tool="command", args={"command": text}))

    def shell(self, text: str) -> subprocess.CompletedProcess[bytes]:
        """What bash makes of the same text here."""
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}
        return subprocess.run(
            ["bash", "-c", text], cwd=self.root, env=environment, capture_output=True, check=False
        )

    def git(self, *arguments: str, root: Path | None = None) -> str:
        """Run git as the owner of the project, with none of the machine's settings."""
        person = {f"GIT_{who}_{what}": "t@x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", **person}
        done = subprocess.run(
            ["git", *arguments], cwd=root or self.root, env=environment, capture_output=True, check=True
        )
        return done.stdout.decode()

    def snapshot(self) -> dict[str, tuple[object, ...]]:
        """Everything of a file that a writer would change, for all files inside and beside the root."""
        found: dict[str, tuple[object, ...]] = {}
        for path in sorted(self.root.parent.rglob("*")):
            status = path.lstat()
            link = os.readlink(path) if path.is_symlink() else ""
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            name = str(path.relative_to(self.root.parent))
            found[name] = (status.st_mode, status.st_uid, status.st_mtime_ns, link, content)
        return found


def needs_bubblewrap() -> Sandbox:
    """The sandbox of this machine; the test is skipped, with the reason, where there is none."""
    return sandbox("bwrap")


def sandbox(level: str) -> Sandbox:
    """The level itself; the test is skipped, with the reason, where it does not work."""
    found = {"bwrap": probe_bwrap, "landlock": probe_landlock, "policy": policy_only}[level]()
    if found.level != level:
        pytest.skip(f"no {level}: {found.reason}")
    return found


def confinement(
    root: Path, level: str, *, seconds: float = 20, memory_mb: int = 1024, **more: Any
) -> Confinement:
    """Limits under which any program may start others, as shells in tests do."""
    return Confinement(root, sandbox(level), memory_mb * 2**20, seconds, **{"forks": True, **more})


def living(mark: str) -> list[str]:
    """Command lines of all living processes that hold the mark."""
    found = []
    for place in Path("/proc").iterdir():
        if place.name.isdigit() and int(place.name) != os.getpid():
            try:
                line = (place / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                continue  # it ended between the look and the reading
            if mark in line:
                found.append(line)
    return found
