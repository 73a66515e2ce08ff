"""A notebook run as a reader would run it, in a kernel that is watched, and what it showed."""

from __future__ import annotations

import base64
import io
import os
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from PIL import Image
from traitlets.config import Config

from tests.support.processes import ROOT

SECONDS = 300
# In every Python process that the kernel starts, too. What C libraries open by themselves is not seen.
WATCH = """
import os, sys

OURS, LOG = (*os.environ["WATCHED_OURS"].split(os.pathsep), "/dev/", "/proc/"), os.environ["WATCHED_LOG"]
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT

def watch(event, args):
    if event in ("socket.connect", "socket.sendto", "socket.getaddrinfo"):
        note(event, args[-1] if event != "socket.getaddrinfo" else args[0])
    elif event == "open" and isinstance(args[0], (str, bytes)) and (args[2] or 0) & WRITING:
        note_path(event, args[0])
    elif event in ("os.mkdir", "os.rename", "os.remove", "sqlite3.connect"):
        note_path(event, args[0])

def note_path(event, path):
    path = os.path.abspath(os.fsdecode(path))
    if not path.startswith(OURS) and "__pycache__" not in path:
        note(event, path)

def note(event, what):
    if not (isinstance(what, str) and event.startswith("socket") and what.startswith("/")):
        file = os.open(LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.write(file, f"{event} {what}\\n".encode())
        os.close(file)

sys.addaudithook(watch)
"""


@dataclass(frozen=True)
class Shown:
    """What a run of a notebook showed and did.

    Attributes:
        cells: code cells, with their outputs.
        left: files and directories that are still there afterwards, in home, temporary or working directory.
        strayed: what was written elsewhere, and sockets to anywhere.
        place: directory of this run.
    """

    cells: list[nbformat.NotebookNode]
    left: list[str]
    strayed: list[str]
    place: Path

    def printed(self, fragment: str = "") -> str:
        """What the only cell that holds a piece of code printed; what all printed, without one."""
        chosen = [cell for cell in self.cells if fragment in cell.source]
        assert chosen and (len(chosen) == 1 or not fragment), f"{len(chosen)} cells hold {fragment!r}"
        return "".join(text for cell in chosen for text in streams(cell, "stdout"))

    @property
    def complaints(self) -> list[str]:
        """Errors, and whatever stands on standard error."""
        errors = [o.evalue for cell in self.cells for o in cell.outputs if o.output_type == "error"]
        return [*errors, *(text for cell in self.cells for text in streams(cell, "stderr"))]

    @property
    def plots(self) -> list[Image.Image]:
        """The pictures, in order."""
        found = [o.data.get("image/png") for cell in self.cells for o in cell.outputs if "data" in o]
        return [Image.open(io.BytesIO(base64.b64decode(png))) for png in found if png]

    @property
    def texts(self) -> str:
        """Everything that is text in its outputs."""
        data = [o.data.get("text/plain", "") for cell in self.cells for o in cell.outputs if "data" in o]
        return "\n".join([self.printed(), *self.complaints, *data])


def streams(cell: nbformat.NotebookNode, name: str) -> list[str]:
    """What a cell wrote to a stream."""
    return [o.text for o in cell.outputs if o.output_type == "stream" and o.name == name]


async def shown_by(path: Path, place: Path) -> Shown:
    """Run a notebook below an empty directory, with a home of its own.

    Args:
        path: of the notebook.
        place: a directory with a short name, for sockets of the kernel lie in it.
    """
    for name in ("home", "tmp", "cwd", "beside"):
        (place / name).mkdir()
    beside = place / "beside"
    (beside / "sitecustomize.py").write_text(WATCH, "utf-8")
    notebook = nbformat.read(path, 4)
    # No network stands between this process and the kernel either.
    kernel = Config(KernelManager={"transport": "ipc", "connection_file": str(beside / "kernel.json")})
    client = NotebookClient(
        notebook, config=kernel, timeout=SECONDS, resources={"metadata": {"path": str(place / "cwd")}}
    )
    await client.async_execute(env=_environment(place))
    ours = [place / "home", place / "tmp", place / "cwd"]
    log = beside / "strayed"
    return Shown(
        cells=[cell for cell in notebook.cells if cell.cell_type == "code"],
        left=[str(file.relative_to(place)) for directory in ours for file in directory.rglob("*")],
        strayed=log.read_text("utf-8").splitlines() if log.exists() else [],
        place=place,
    )


def _environment(place: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("REFLECT_", "XDG_"))}
    # Vectors of the shipped exemplars are computed once per machine, not once per test.
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return kept | {
        "XDG_CACHE_HOME": str(cache),
        "HOME": str(place / "home"),
        "TMPDIR": str(place / "tmp"),
        "IPYTHONDIR": str(place / "beside" / "ipython"),
        "MPLCONFIGDIR": str(place / "beside" / "matplotlib"),
        "PYTHONPATH": os.pathsep.join([str(place / "beside"), str(ROOT)]),
        "WATCHED_OURS": os.pathsep.join([str(place), str(cache / "reflective-graph")]),
        "WATCHED_LOG": str(place / "beside" / "strayed"),
    }
