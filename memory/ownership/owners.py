"""Owners of what stands in a shared database: processes of any host, and whether they still live."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from pathlib import Path

from memory.ownership.processes import boot, is_alive, this_process

_NAMESPACE = Path("/proc/self/ns/pid")


@dataclass(frozen=True)
class Owner:
    """A process.

    Attributes:
        number: the advisory lock it has while it is connected.
        namespace: where its process id counts: on one machine, each container has its own.
        process: what `memory.ownership.processes` calls it.
        host: what its host calls itself, for people; two hosts may have one name.
    """

    number: int
    namespace: str
    process: str
    host: str

    @classmethod
    def here(cls, number: int) -> Owner:
        """This process."""
        return cls(number, _namespace(), this_process(), socket.gethostname())

    @classmethod
    def read(cls, text: str) -> Owner | None:
        """The owner a text names; None if it names none."""
        words = text.split(" ", 5)
        if len(words) != 6 or not words[0].isdigit():
            return None
        return cls(int(words[0]), words[1], " ".join(words[2:5]), words[5])

    def __str__(self) -> str:
        """As it is kept."""
        return f"{self.number} {self.namespace} {self.process} {self.host}"

    @property
    def told(self) -> str:
        """For people: which process, and of which host."""
        return f"process {self.process.split(' ')[1]} on {self.host or 'a host without a name'}"

    def seen_from_here(self) -> bool | None:
        """Whether it lives, where this process can look; None for one of another host or container."""
        # Without /proc nothing can be told.
        if "" in (self.namespace, _namespace()) or boot() == "unknown":
            return None
        if self.namespace != _namespace() or self.process.split(" ")[0] != boot():
            return None
        return is_alive(self.process)


def _namespace() -> str:
    try:
        return os.readlink(_NAMESPACE)
    except OSError:
        return ""
