"""File systems of the benchmark: built by its own scripts inside the sandbox, copied afresh for each use."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from configs.errors import UsageError
from evals.shell.places import SYSTEM
from tools.errors import SandboxUnavailable
from tools.process import environment
from tools.sandbox.bwrap import ALL_NEEDED, system_places
from tools.sandbox.confinement import Sandbox
from tools.sandbox.probe import probe_bwrap

BUILD_SECONDS = 60
# What a script makes "now" is said to be half a day old, so that no gold command's "within the last hour" or
# "within the last day" changes its meaning between the gold run and the model's.
AGED_SECONDS = 12 * 3600
PRIVATE = ".reflect"


def required_sandbox() -> Sandbox:
    """Bubblewrap, without which no gold command may run.

    Raises:
        SandboxUnavailable: it does not work here.
    """
    sandbox = probe_bwrap()
    if sandbox.level != "bwrap":
        raise SandboxUnavailable(
            f"The benchmark's own commands run only in bubblewrap, and {sandbox.reason}.",
            "Install bubblewrap and allow user namespaces.",
        )
    return sandbox


def build(script: Path, template: Path, sandbox: Sandbox) -> None:
    """Run a set-up script as bash in a container-like root, and keep what it made at the root.

    The script sees the system read-only, no network, and nothing else of this machine. Some of its lines fail
    in the benchmark's own image too (they use options of another `date` or `touch`), so its exit code says
    nothing; a script that makes nothing at all leaves an empty directory.

    Args:
        script: bash, as the package ships it.
        template: directory that is filled; replaced if it exists.
        sandbox: bubblewrap.

    Raises:
        UsageError: the script does not end.
    """
    root = template.with_name(f"{template.name}.root")
    for path in (root, template):
        remove(path)
        path.mkdir(parents=True)
    began = time.time()
    assert sandbox.binary is not None
    words = [str(sandbox.binary), "--unshare-all", "--die-with-parent", "--clearenv", "--cap-drop", "ALL"]
    words += ["--bind", str(root), "/", *system_places(ALL_NEEDED), "--dev", "/dev", "--tmpfs", "/tmp"]
    words += ["--chdir", "/"]
    for name, value in environment(Path("/")).items():
        words += ["--setenv", name, value]
    words += ["--", "/usr/bin/bash", "-s"]
    try:
        subprocess.run(
            words, input=script.read_bytes(), capture_output=True, timeout=BUILD_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise UsageError(f"{script} did not end within {BUILD_SECONDS} s.", "Reinstall icalfa.") from error
    for entry in sorted(root.iterdir()):
        if entry.name not in SYSTEM:
            shutil.move(entry, template / entry.name)
    remove(root)
    _age(template, began)


def _age(template: Path, began: float) -> None:
    """Give what was made just now one time in the past; what the script dated itself keeps its date."""
    then = int(began) - AGED_SECONDS
    for path in sorted(template.rglob("*"), reverse=True):
        if path.lstat().st_mtime >= began - 1:
            os.utime(path, (then, then), follow_symlinks=False)
    os.utime(template, (then, then))


def copy(template: Path, root: Path) -> None:
    """Make a directory hold a fresh copy of a template, and nothing else; times and permissions are kept."""
    remove(root)
    shutil.copytree(template, root, symlinks=True)


def remove(path: Path) -> None:
    """Delete a tree, whatever permissions a command gave to its directories."""
    if path.is_dir() and not path.is_symlink():
        os.chmod(path, stat.S_IRWXU)
        # Top down: a directory is opened to its owner before it is listed.
        for place, directories, _ in os.walk(path):
            for inner in (os.path.join(place, name) for name in directories):
                if not os.path.islink(inner):
                    os.chmod(inner, stat.S_IRWXU)
        shutil.rmtree(path)


def snapshot(root: Path) -> dict[str, str]:
    """Every path below a directory with its kind, permissions and content; not its times.

    `.reflect` is left out: it is where the product keeps its own records.
    """
    return {shown(path.relative_to(root)): _described(path) for path in _below(root)}


def _below(root: Path) -> Iterator[Path]:
    for place, directories, files in os.walk(root):
        if Path(place) == root:
            directories[:] = [name for name in directories if name != PRIVATE]
        for name in sorted((*directories, *files)):
            yield Path(place) / name


def _described(path: Path) -> str:
    told = path.lstat()
    mode = f"{stat.S_IMODE(told.st_mode):04o}"
    if stat.S_ISLNK(told.st_mode):
        return f"link {os.fsencode(os.readlink(path)).decode('utf-8', 'backslashreplace')}"
    if stat.S_ISDIR(told.st_mode):
        return f"directory {mode}"
    if not stat.S_ISREG(told.st_mode):
        return f"special {mode}"
    with _readable(path, told.st_mode), path.open("rb") as file:
        return f"file {mode} {hashlib.file_digest(file, 'sha256').hexdigest()}"


class _readable:
    """Lets the owner read a file whose permissions say otherwise, and puts them back."""

    def __init__(self, path: Path, mode: int) -> None:
        self._path, self._mode = path, stat.S_IMODE(mode)

    def __enter__(self) -> None:
        if not self._mode & stat.S_IRUSR:
            os.chmod(self._path, self._mode | stat.S_IRUSR)

    def __exit__(self, *_: object) -> None:
        if not self._mode & stat.S_IRUSR:
            os.chmod(self._path, self._mode)


def shown(path: Path) -> str:
    """A path as text that JSON can hold."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def changes(before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    """What was made or altered, with what it is now, and what is gone."""
    gone = {name: "gone" for name in before if name not in after}
    return gone | {name: what for name, what in after.items() if before.get(name) != what}
