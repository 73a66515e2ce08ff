"""A root full of traps and, beside it, what must never change."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from tools.protocol import ToolCall

State = dict[bytes, tuple[object, ...]]


def call(tool: str, **args: Any) -> ToolCall:
    return ToolCall(tool=tool, args=args)


class World:
    """`root` with files, a repository, links of every kind and a hard link; `outside` that none may touch."""

    def __init__(self, place: Path) -> None:
        self.root, self.outside = place / "root", place / "outside"
        for directory in (self.root / "src/deep", self.root / ".git/hooks", self.outside / "sub"):
            directory.mkdir(parents=True)
        (self.root / "a.txt").write_text("one\ntwo\nthree\n")
        (self.root / "src/b.txt").write_text("alpha\nbeta\n")
        (self.root / "src/deep/c.bin").write_bytes(b"\0\1\2\xff")
        (self.root / ".git/config").write_text("[core]\n")
        (self.outside / "secret.txt").write_text("secret\n")
        (self.outside / "sub/more.txt").write_text("more\n")
        links = {
            "in": "src", "in_file": "src/b.txt",
            "out": str(self.outside), "out_file": "../outside/secret.txt",
            "out_new": "../outside/new.txt", "dangling": "src/not_there", "loop": "loop", "up": "..",
            "proc": "/proc/self/cwd", "git": ".git", "src/back": "../..", "root": "/",
        }  # fmt: skip
        for name, target in links.items():
            (self.root / name).symlink_to(target)
        os.link(self.outside / "secret.txt", self.root / "hard.txt")
        os.mkfifo(self.root / "pipe")

    def guarded(self) -> State:
        """Everything beside the root, and the repository."""
        return {**state(self.outside), **state(self.root / ".git")}

    def inside(self) -> State:
        """Everything in the root but the trash."""
        return state(self.root, leave_out=b".reflect")


def state(top: Path, leave_out: bytes = b"") -> State:
    """Names, kinds, contents and modes below a directory; no link is followed."""
    found: State = {}
    left = [os.fsencode(top)]
    while left:
        directory = left.pop()
        with os.scandir(directory) as entries:
            for entry in entries:
                if leave_out and entry.name == leave_out:
                    continue
                status = entry.stat(follow_symlinks=False)
                content: bytes | str = b""
                if entry.is_symlink():
                    content = os.readlink(entry.path)
                elif entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)
                elif entry.is_file(follow_symlinks=False):
                    with open(entry.path, "rb") as file:
                        content = file.read()
                found[entry.path] = (status.st_mode, status.st_ino, content)
    return found


def leftovers(top: Path) -> list[Path]:
    return [path for path in top.rglob("*") if path.name.endswith(".reflect-new")]
