"""What all workers of a batch are told once, before their first goal. It is JSON on its way to them."""

from __future__ import annotations

import hashlib
import json
import os
import socket
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, cast

from configs.errors import UsageError
from configs.settings import ApprovalChoice, ProfileName, Strategy
from nodes.reflective.context import RunContext


@dataclass(frozen=True)
class Orders:
    """Choices of a batch.

    Attributes:
        batch: its name.
        root: the project, absolute, under the same name wherever a worker is.
        graphs: that are asked.
        model, profile, strategy, approval: of every run; None leaves them to the settings.
        timeout: seconds a goal may take, loading not counted; None for no limit.
        directory: absolute, from which relative names of files are meant; empty to leave
            a worker where it is.
        mark, word: a file of the project and what stands in it, by which a worker knows that it sees the
            project its driver sees; empty where it cannot be elsewhere.
    """

    batch: str
    root: str
    graphs: tuple[str, ...]
    model: str | None = None
    profile: ProfileName | None = None
    strategy: Strategy | None = None
    approval: ApprovalChoice | None = None
    timeout: float | None = None
    mark: str = ""
    word: str = ""
    directory: str = ""

    def context(self) -> RunContext:
        """The choices of each run."""
        return RunContext(
            root=self.root,
            model=self.model,
            profile=self.profile,
            strategy=self.strategy,
            approval=self.approval,
        )

    def dumps(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, text: str) -> Orders:
        """From JSON."""
        told = cast(dict[str, Any], json.loads(text))
        given = {one.name: told[one.name] for one in fields(cls)}
        return cls(**{**given, "graphs": tuple(given["graphs"])})


@dataclass(frozen=True)
class Facts:
    """What a worker says of itself when it is ready.

    Attributes:
        pid: of its process.
        machine: id of the kernel it runs on, the same for all that share one.
        host: name of the machine.
        sees: it reads the word of the orders in the project's file.
        threads: a hash of the place it keeps threads in, as its own settings and variables name it.
    """

    pid: int
    machine: str
    host: str
    sees: bool
    threads: str

    def dumps(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def loads(cls, text: str) -> Facts:
        """From JSON."""
        return cls(**json.loads(text))


def stand_in(directory: str) -> None:
    """Have this process stand where the driver does: a model's file may be named from there.

    Args:
        directory: of the orders.

    Raises:
        UsageError: it cannot, as on a machine that has no such directory.
    """
    if not directory:
        return
    try:
        os.chdir(directory)
    except OSError as error:
        raise UsageError(
            f"A worker on {socket.gethostname()} cannot stand in {directory!r}, where the batch was begun: "
            f"{error.strerror}.",
            "Begin the batch in a directory that every machine has, such as the project.",
        ) from error


def place_hash(place: Path | str, word: str) -> str:
    """The place threads are kept in, in a form that can be compared and tells no password.

    Args:
        place: a file or a URL.
        word: of the batch, which makes it another hash in each.
    """
    return hashlib.sha256(f"{word} {place}".encode()).hexdigest()


def this_machine() -> str:
    """The id of this boot of this kernel, which processes in other network namespaces share."""
    return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
