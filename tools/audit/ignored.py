"""What git leaves out of a tree, asked of git itself, which runs nothing that the repository names."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from configs.redaction import escaped
from configs.settings import SandboxChoice
from tools.audit.repository import Repository, repository_of
from tools.errors import ToolError
from tools.policy.check import check_argv
from tools.programs import environment, program
from tools.sandbox.command import confined
from tools.sandbox.confinement import Confinement, Sandbox
from tools.sandbox.probe import choose
from tools.sandbox.protected import Ground

_SECONDS = 60.0
_MEMORY_BYTES = 2 * 2**30
_UNKNOWN = "What git ignores is not left out:"
_QUESTION = ("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")


def ignored_by_git(root: Path, sandbox: SandboxChoice = "auto") -> tuple[frozenset[str], str]:
    """Paths below the root that git ignores.

    It runs git in the sandbox, so call it in a thread.

    Args:
        root: resolved; the repository it belongs to may begin further up.
        sandbox: isolation wanted for git.

    Returns:
        The paths as `os.fsdecode` gives them, directories with a slash at the end; and a note if git could
        not be asked, else an empty string.
    """
    try:
        repository = repository_of(root)
        if repository is None:
            return frozenset(), ""
        if repository.linked:
            return frozenset(), f"{_UNKNOWN} in a linked working tree git is not asked."
        answer = _asked(repository, choose(sandbox))
    except ToolError as error:
        return frozenset(), f"{_UNKNOWN} {error.what}"
    except (OSError, subprocess.SubprocessError) as error:
        return frozenset(), f"{_UNKNOWN} git cannot be asked ({type(error).__name__})."
    if answer.returncode != 0:
        told = escaped(answer.stderr.decode("utf-8", "replace").strip())[:200]
        return frozenset(), f"{_UNKNOWN} git says {told!r}."
    below = os.fsencode(repository.prefix)
    paths = (path for path in answer.stdout.split(b"\0") if path.startswith(below) and path != below)
    return frozenset(os.fsdecode(path.removeprefix(below)) for path in paths), ""


def _asked(repository: Repository, sandbox: Sandbox) -> subprocess.CompletedProcess[bytes]:
    top = repository.top
    inside = environment(top)
    limits = Confinement(top, sandbox, _MEMORY_BYTES, _SECONDS)
    with confined(
        [program("git"), *check_argv(top, "git", _QUESTION)], "git", limits, inside, Ground()
    ) as start:
        return subprocess.run(
            start.words,
            cwd=top,
            env=inside,
            stdin=subprocess.DEVNULL,
            pass_fds=start.descriptors,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
