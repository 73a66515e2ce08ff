"""What bash makes of an honest command, for comparison.

It runs in the very project the tools ran in, right after them, so that no path, inode, time or order of a
directory can differ, with the environment the tools get and an empty input. Two things are taken out of the
comparison:

- the line of `..` that `ls -a` prints, the `total` above it and the widths of the columns, for a sandbox
  shows another directory above the root;
- bash tells the exit code of the last stage only, and xargs tells 123 for any failure of its tool (1 to 125),
  while the toolbox tells the first stage that failed, and the tool's own code. So the codes are compared
  stage by stage: equal to bash's `PIPESTATUS`, except that a failed xargs stage may say what its tool said.
  `tool < FILE` is `cat FILE | tool` to the toolbox, whose cat is left out.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from tools.process import environment
from tools.protocol import ToolResult

SECONDS = 20
XARGS_FAILED = 123
# 128 + SIGPIPE: bash's code of a writer whose reader had enough.
BROKEN_PIPE = 141
PARENT_LINE = re.compile(r"^[^\n]* \.\.(?: ->[^\n]*)?\n", re.MULTILINE)


class Answer(NamedTuple):
    """What bash printed and the exit code of each stage."""

    stdout: str
    codes: list[int]


def ask_bash(command: str, root: Path) -> Answer:
    """Run an honest command in bash.

    Raises:
        subprocess.TimeoutExpired: it does not end.
    """
    with tempfile.TemporaryFile() as codes:
        os.set_inheritable(codes.fileno(), True)
        script = f"{command}\nprintf '%s ' \"${{PIPESTATUS[@]}}\" >&{codes.fileno()}"
        done = subprocess.run(
            ["/bin/bash", "-c", script],
            cwd=root,
            # The one setting of git's that the tools fix and that shows: names as they are.
            env=environment(root)
            | {
                "GIT_CONFIG_COUNT": "1",
                "GIT_CONFIG_KEY_0": "core.quotePath",
                "GIT_CONFIG_VALUE_0": "false",
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            pass_fds=[codes.fileno()],
        )
        codes.seek(0)
        statuses = [int(code) for code in codes.read().split()]
    return Answer(done.stdout.decode("utf-8", "backslashreplace"), statuses)


def disagreement(result: ToolResult, stdout: str, answer: Answer) -> str:
    """Why a result is not what bash gave; empty if it is.

    Args:
        result: what the toolbox says.
        stdout: its whole output.
        answer: what bash says.
    """
    if result.error is not None:
        return f"{result.error_kind}: {result.error}"
    if _comparable(stdout) != _comparable(answer.stdout):
        return f"printed {stdout[:200]!r} ({result.stderr[:200]!r}), bash {answer.stdout[:200]!r}"
    codes = result.stage_returncodes
    if len(codes) == len(answer.codes) + 1 and result.command.startswith("cat -- "):
        codes = codes[1:]
    # A writer that catches SIGPIPE, as sort does to remove its files, may say so instead of dying of it.
    said_so = "Broken pipe" in result.stderr
    codes = [BROKEN_PIPE if said_so and code else code for code in codes[:-1]] + codes[-1:]
    if len(codes) != len(answer.codes) or not all(map(_same_code, codes, answer.codes)):
        return f"exit codes {codes} ({result.stderr[:200]!r}), bash {answer.codes}"
    if result.returncode != answer.codes[-1] and result.returncode == 0:
        return f"says 0, bash {answer.codes[-1]}"
    return ""


def _comparable(stdout: str) -> str:
    without = PARENT_LINE.sub("", stdout)
    if without == stdout:
        return stdout
    return re.sub(r" +", " ", re.sub(r"^total \S+\n", "", without, flags=re.MULTILINE))


def _same_code(ours: int, theirs: int) -> bool:
    if ours in (-13, BROKEN_PIPE):
        ours = BROKEN_PIPE
    # Whether a writer is still writing when its reader ends is a matter of time.
    if BROKEN_PIPE in (ours, theirs):
        return {ours, theirs} <= {0, BROKEN_PIPE}
    return ours == theirs or (theirs == XARGS_FAILED and 0 < ours <= 125)
