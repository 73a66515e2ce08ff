"""Programs that may write: any argv, or Python code, in the sandbox with the root writable."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import IO

from pydantic import BaseModel

from tools.errors import BadArguments, NotInstalled, SandboxUnavailable
from tools.pipeline import Outcome
from tools.process import opened, run_segment
from tools.programs import TRUSTED
from tools.sandbox.confinement import Confinement, Sandbox
from tools.writing.arguments import Python, Run

SYSTEM = Path("/usr")


def check_program(arguments: BaseModel, sandbox: Sandbox) -> None:
    """What can be said before a program runs.

    Raises:
        SandboxUnavailable: there is no isolation here, and without it a program could write anywhere.
        NotInstalled: the program is not in the system's own directories.
    """
    if sandbox.level == "policy":
        raise SandboxUnavailable(
            f"Programs run only in a sandbox, and there is none: {sandbox.reason or sandbox.level}.",
            "Install bubblewrap and allow user namespaces, and do not set tools.sandbox to policy.",
        )
    if not isinstance(arguments, Run):
        return
    name = arguments.argv[0]
    if not name or ("/" not in name and shutil.which(name, path=TRUSTED) is None):
        raise NotInstalled(
            f"The program {name!r} is not in {TRUSTED}.", "Install it, or name one below the root as ./NAME."
        )


async def run_program(arguments: BaseModel, stdin: bytes | None, limits: Confinement, cap: int) -> Outcome:
    """Run a program or code; every process of it is dead when this returns or is cancelled.

    Args:
        arguments: of `run` or `python`.
        stdin: what a program reads; code reads nothing.
        limits: confinement; the root is made writable here.
        cap: bytes of output after which everything is killed.

    Raises:
        ToolError: it cannot be confined, or `stdin` is given to code.
        OSError: it cannot be started.
    """
    # Finding programs reads directories, and a server's loop must not.
    await asyncio.to_thread(check_program, arguments, limits.sandbox)
    writable = replace(limits, writable=True)
    if isinstance(arguments, Python):
        if stdin is not None:
            raise BadArguments("python reads no input.", "Let the code open a file instead.")
        command, readable = await asyncio.to_thread(lambda: (_interpreter(), _installation(limits.root)))
        stdin = arguments.code.encode("utf-8", "surrogatepass")
        writable = replace(writable, readable=readable)
    else:
        assert isinstance(arguments, Run)
        command = arguments.argv
    source = None if stdin is None else await opened(lambda: _spooled(stdin))
    try:
        segment = await run_segment([command], source, writable, cap)
    finally:
        if source is not None:
            await asyncio.to_thread(source.close)
    code = segment.returncodes[0]
    return Outcome(segment.stdout, segment.stderr, [code], None if code == 0 else 0, segment.capped)


def _spooled(content: bytes) -> IO[bytes]:
    source = tempfile.TemporaryFile()
    source.write(content)
    source.seek(0)
    return source


def _interpreter() -> list[str]:
    """This interpreter without the virtual environment around it; `-` reads the code from the input."""
    return [os.path.realpath(sys.executable), "-I", "-"]


def _installation(root: Path) -> tuple[Path, ...]:
    """What the interpreter needs beside the system's directories, unless the root lies in it."""
    prefixes = {Path(os.path.realpath(prefix)) for prefix in (sys.base_prefix, sys.base_exec_prefix)}
    return tuple(
        prefix
        for prefix in sorted(prefixes)
        if not prefix.is_relative_to(SYSTEM) and not root.is_relative_to(prefix)
    )
