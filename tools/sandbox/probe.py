"""Which isolation this machine gives: tried once per process, logged, and stored with every result."""

from __future__ import annotations

import logging
import subprocess
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

from configs.settings import SandboxChoice
from tools.errors import SandboxUnavailable
from tools.sandbox.bwrap import bwrap_binary
from tools.sandbox.command import confined
from tools.sandbox.confinement import Confinement, Sandbox
from tools.sandbox.landlock import landlock_abi
from tools.sandbox.protected import Ground
from tools.sandbox.syscalls import seccomp_filter

log = logging.getLogger(__name__)
PROBE_SECONDS = 5.0
MEMORY_BYTES = 2**30
REMEDIES = {
    "bwrap": "Install bubblewrap and allow user namespaces, or set tools.sandbox to auto.",
    "landlock": "Use Linux 6.2 or newer with Landlock and install libseccomp2, or set tools.sandbox to auto.",
    "required": "Install bubblewrap and allow user namespaces, or set tools.sandbox to auto.",
}


@cache
def probe() -> Sandbox:
    """The highest level that works here, found by running the smallest command under each."""
    tried: list[str] = []
    for attempt in (probe_bwrap, probe_landlock):
        found = attempt()
        if found.level != "policy":
            sandbox = replace(found, reason="; ".join(tried))
            log.info("tools run under %s%s", sandbox.level, f": {sandbox.reason}" if tried else "")
            return sandbox
        tried.append(found.reason)
    sandbox = replace(policy_only(), reason="; ".join(tried))
    log.warning("tools run under the policy only: %s", sandbox.reason)
    return sandbox


@cache
def probe_bwrap() -> Sandbox:
    """Bubblewrap, if it works; else the policy, and why."""
    binary = bwrap_binary()
    if binary is None:
        return Sandbox("policy", None, "bubblewrap is not installed")
    sandbox = Sandbox("bwrap", binary, filtered=_compiles(namespaced=True) == "")
    problem = _tried(sandbox, "bubblewrap")
    if problem and sandbox.filtered:
        sandbox = replace(sandbox, filtered=False)
        problem = _tried(sandbox, "bubblewrap")
    return Sandbox("policy", None, problem) if problem else sandbox


@cache
def probe_landlock() -> Sandbox:
    """Landlock with a seccomp filter, if both work; else the policy, and why."""
    try:
        landlock_abi()
    except SandboxUnavailable as error:
        return Sandbox("policy", None, error.what.rstrip("."))
    problem = _compiles(namespaced=False)
    if problem:
        return Sandbox("policy", None, problem)
    sandbox = Sandbox("landlock", filtered=True)
    problem = _tried(sandbox, "Landlock")
    return Sandbox("policy", None, problem) if problem else sandbox


@cache
def policy_only() -> Sandbox:
    """No isolation; the filter holds all the same where it works."""
    sandbox = Sandbox("policy", None, "chosen by tools.sandbox", filtered=True)
    if _compiles(namespaced=False) or _tried(sandbox, "the filter"):
        return replace(sandbox, filtered=False)
    return sandbox


def _compiles(*, namespaced: bool) -> str:
    """Empty, or why there is no filter."""
    try:
        seccomp_filter(forks=False, writable=False, namespaced=namespaced, scoped=False)
    except SandboxUnavailable as error:
        return error.what.rstrip(".")
    return ""


def _tried(sandbox: Sandbox, name: str) -> str:
    """Empty, or why the smallest command does not run."""
    environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    with tempfile.TemporaryDirectory() as place:
        limits = Confinement(Path(place).resolve(), sandbox, MEMORY_BYTES, PROBE_SECONDS)
        try:
            with confined(["/usr/bin/env", "true"], "env", limits, environment, Ground()) as start:
                done = subprocess.run(
                    start.words,
                    env=environment,
                    pass_fds=start.descriptors,
                    capture_output=True,
                    text=True,
                    timeout=PROBE_SECONDS,
                    check=False,
                )
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"{name} does not start: {error}"
    return f"{name} fails here: {done.stderr.strip()}" if done.returncode != 0 else ""


def choose(setting: SandboxChoice) -> Sandbox:
    """The sandbox a setting asks for.

    Raises:
        SandboxUnavailable: a level is named, or isolation required, and does not work here.
    """
    if setting == "policy":
        return policy_only()
    found = {"bwrap": probe_bwrap, "landlock": probe_landlock}.get(setting, probe)()
    if setting != "auto" and found.level == "policy":
        raise SandboxUnavailable(f"tools.sandbox is {setting!r}, but {found.reason}.", REMEDIES[setting])
    return found
