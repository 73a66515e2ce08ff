"""The provers that reason over several lines and files, by predicate."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from nodes.tutor.claims import Claim
from nodes.tutor.proving.causes import prove_causes
from nodes.tutor.proving.changes import prove_changed_between
from nodes.tutor.proving.cycles import prove_cycle
from nodes.tutor.proving.defines import prove_defines
from nodes.tutor.proving.imports import prove_imports
from nodes.tutor.proving.order import prove_after, prove_before
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict

REASONING_PROVERS: Mapping[str, Callable[[Claim, World], Verdict]] = {
    "before": prove_before,
    "after": prove_after,
    "causes": prove_causes,
    "defines": prove_defines,
    "imports": prove_imports,
    "cycle": prove_cycle,
    "changed_between": prove_changed_between,
}
