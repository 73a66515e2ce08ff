"""Which isolation this machine gives: tried once per process, logged, and stored with every result."""

from __future__ import annotations

import logging
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from configs.settings import SandboxChoice
from tools.errors import SandboxUnavailable
from tools.sandbox.bwrap import bwrap_binary, wrapped

log = logging.getLogger(__name__)
PROBE_SECONDS = 5.0


@dataclass(frozen=True)
class Sandbox:
    """The isolation in force.

    Attributes:
        level: "bwrap" or "policy".
        binary: bwrap, for the level of that name.
        reason: why the level is not higher, empty for bwrap.
    """

    level: str
    binary: Path | None = None
    reason: str = ""


@cache
def probe() -> Sandbox:
    """Try bubblewrap with the smallest command."""
    binary = bwrap_binary()
    if binary is None:
        return _fallen_back("bubblewrap is not installed")
    with tempfile.TemporaryDirectory() as name:
        command = wrapped(binary, Path(name).resolve(), ["/usr/bin/env", "true"], {"PATH": "/usr/bin:/bin"})
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=PROBE_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return _fallen_back(f"bubblewrap does not start: {error}")
    if done.returncode != 0:
        return _fallen_back(f"bubblewrap fails here: {done.stderr.strip()}")
    return Sandbox("bwrap", binary)


def _fallen_back(reason: str) -> Sandbox:
    log.warning("tools run under the policy only: %s", reason)
    return Sandbox("policy", None, reason)


def choose(setting: SandboxChoice) -> Sandbox:
    """The sandbox a setting asks for.

    Raises:
        SandboxUnavailable: isolation is required and does not work here.
    """
    if setting == "policy":
        return Sandbox("policy", None, "chosen by tools.sandbox")
    found = probe()
    if setting in ("required", "bwrap") and found.level != "bwrap":
        raise SandboxUnavailable(
            f"tools.sandbox is {setting!r}, but {found.reason}.",
            "Install bubblewrap and allow user namespaces, or set tools.sandbox to auto.",
        )
    return found
