"""What git leaves out of a tree, asked of git itself, which runs nothing that the repository names."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from configs.redaction import escaped
from tools.errors import ToolError
from tools.policy.check import check_argv
from tools.programs import environment, program
from tools.sandbox.command import confined
from tools.sandbox.confinement import Confinement
from tools.sandbox.probe import probe
from tools.sandbox.protected import Ground

_SECONDS = 60.0
_MEMORY_BYTES = 2 * 2**30
_QUESTION = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")


def ignored_by_git(root: Path) -> tuple[frozenset[str], str]:
    """Paths below the root that git ignores.

    It runs git in the sandbox, so call it in a thread.

    Args:
        root: resolved; a repository if it holds `.git`, and nothing above it is looked at.

    Returns:
        The paths as `os.fsdecode` gives them, directories with a slash at the end; and a note if git could
        not be asked, else an empty string.
    """
    if not os.path.lexists(root / ".git"):
        return frozenset(), ""
    try:
        answer = _asked(root, check_argv(root, "git", list(_QUESTION)))
    except ToolError as error:
        return frozenset(), f"What git ignores is not left out: {error.what}"
    except (OSError, subprocess.SubprocessError) as error:
        return frozenset(), f"What git ignores is not left out: git cannot be asked ({type(error).__name__})."
    if answer.returncode != 0:
        told = escaped(answer.stderr.decode("utf-8", "replace").strip())[:200]
        return frozenset(), f"What git ignores is not left out: git says {told!r}."
    return frozenset(os.fsdecode(path) for path in answer.stdout.split(b"\0") if path), ""


def _asked(root: Path, argv: list[str]) -> subprocess.CompletedProcess[bytes]:
    inside = environment(root)
    limits = Confinement(root, probe(), _MEMORY_BYTES, _SECONDS)
    with confined([program("git"), *argv], "git", limits, inside, Ground()) as start:
        return subprocess.run(
            start.words,
            cwd=root,
            env=inside,
            stdin=subprocess.DEVNULL,
            pass_fds=start.descriptors,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
