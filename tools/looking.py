"""A call that only reads, checked: programs joined by pipes, an audit, or an audit piped into programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.arguments import Stage
from tools.audit.asking import AUDIT, AuditCall, placed, typed
from tools.policy.vectors import refuse
from tools.sameness import Signature, signature
from tools.stages import Vector, parse_arguments, shown, stage_vector


@dataclass(frozen=True)
class Look:
    """What a call runs.

    Attributes:
        audit: runs first, within this process and workers of its own; None if there is none.
        vectors: programs, in order; the first one reads what the audit found.
    """

    audit: AuditCall | None
    vectors: tuple[Vector, ...]

    @property
    def programs(self) -> tuple[str, ...]:
        """Names of what runs, in order."""
        return (*([AUDIT] if self.audit else []), *(vector.tool for vector in self.vectors))

    @property
    def shown(self) -> str:
        """The call as a person would type it."""
        parts = [
            *([self.audit.shown] if self.audit else []),
            *([shown(self.vectors)] if self.vectors else []),
        ]
        return " | ".join(parts)

    def signature(self, root: Path) -> Signature:
        """What the call comes down to."""
        first = ((AUDIT, self.audit.path, self.audit.kernel, self.audit.limit),) if self.audit else ()
        return (*first, *signature(self.vectors, root))


def look_of(stages: Sequence[Stage], root: Path) -> Look:
    """Check the stages of a call.

    Raises:
        ToolError: a tool is unknown, its arguments are wrong, or the policy refuses something.
    """
    audits = [number for number, stage in enumerate(stages) if stage.tool == AUDIT]
    if audits and (audits != [0] or stages[0].from_input):
        raise refuse(AUDIT, "it reads no input", "Let it be the first stage, and name what it is to measure.")
    rest = tuple(stage_vector(stage, root) for stage in stages[len(audits) :])
    return Look(_audit(stages[0], root) if audits else None, rest)


def _audit(stage: Stage, root: Path) -> AuditCall:
    given = stage.args or {} if stage.argv is None else typed(stage.argv)
    asked = parse_arguments(AuditCall, AUDIT, given)
    assert isinstance(asked, AuditCall)
    return placed(asked, root)
