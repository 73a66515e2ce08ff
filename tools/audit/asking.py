"""What a plan may ask of the audit kernels: `audit PATH --kernel KERNEL --limit N`, typed or as a command."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ConfigDict, Field

from tools.audit.kernels import Kernel
from tools.errors import CommandRefused
from tools.policy.options import Allowed
from tools.policy.paths import check_path
from tools.policy.vectors import check_size, normalise

AUDIT = "audit"
MOST_ROWS = 10_000


class AuditCall(BaseModel):
    """Measure source code: `audit PATH --kernel K --limit N`. K is ast_scan (functions by complexity, counts), metrics (modules, import cycles, duplicates), security (findings), hotspots, history, documentation (what has no docstring), risk, or recommendations."""  # noqa: E501  # one line of a prompt

    model_config = ConfigDict(extra="forbid")

    path: str = Field(".", min_length=1, max_length=4096)
    kernel: Kernel = "recommendations"
    limit: int = Field(20, ge=1, le=MOST_ROWS)

    @property
    def shown_words(self) -> list[str]:
        """Its arguments as a person would type them."""
        options = ["--kernel", self.kernel, "--limit", str(self.limit)]
        return [*options, "--", self.path] if self.path.startswith("-") else [self.path, *options]

    @property
    def shown(self) -> str:
        """The call as a person would type it."""
        return shlex.join([AUDIT, *self.shown_words])


def _is_limit(value: str) -> bool:
    return re.fullmatch(r"[0-9]{1,9}", value) is not None and 1 <= int(value) <= MOST_ROWS


OPTIONS = Allowed(
    long={"kernel": lambda value: value in get_args(Kernel), "limit": _is_limit}, operands="paths", most=1
)


def typed(argv: Sequence[str]) -> Mapping[str, object]:
    """The arguments an argument vector stands for, to be validated.

    Raises:
        CommandRefused: an option is unknown or has a value it does not take, or there are two paths.
    """
    check_size(AUDIT, argv)
    try:
        options, operands = normalise(AUDIT, argv, OPTIONS)
    except CommandRefused as error:
        kernels = ", ".join(get_args(Kernel))
        raise CommandRefused(
            error.what, f"Write audit PATH --kernel K --limit N, where K is one of {kernels}."
        ) from error
    pairs = (option.removeprefix("--").split("=", 1) for option in options)
    return dict(pairs) | ({"path": operands[0]} if operands else {})


def placed(asked: AuditCall, root: Path) -> AuditCall:
    """What is asked, with its path relative to the root and in its plain form.

    Raises:
        CommandRefused: the path leads outside the root, or to what is no file and no directory.
    """
    path = check_path(root, asked.path)
    if path == "-":
        raise CommandRefused("audit reads no input.", "Name a directory or a source file.")
    plain = os.path.normpath(os.path.relpath(path, root) if os.path.isabs(path) else path)
    check_path(root, plain)  # behind a link, what `..` leads to is another place
    return asked.model_copy(update={"path": plain})
