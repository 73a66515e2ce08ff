"""What is counted beside calls: recoveries, and memories that were made use of."""

from __future__ import annotations

from typing import Literal

from models.telemetry import names
from models.telemetry.scope import Value, recorded

Recovery = Literal[
    "reflection", "step_retry", "reply_repaired", "reply_retried", "host_failover", "model_fallback"
]
Helped = Literal["yes", "no", "unknown"]


def recovered(kind: Recovery) -> None:
    """Count something that went wrong and was put right.

    Args:
        kind: a reflection or a step worded anew led to an answer; a reply that did not fit was repaired or
            asked for again; another server answered, or a fallback in a model's place.
    """
    _count(names.RECOVERIES, {names.RECOVERY: kind})


def memory_hit(use: str, helped: Helped) -> None:
    """Count a record of past runs that a run made use of.

    Args:
        use: reused, example or lesson, as `nodes.reflective.state.Recalled` has it.
        helped: whether the run came to a good end with it.
    """
    _count(names.MEMORY_HITS, {names.MEMORY_USE: use, names.MEMORY_HELPED: helped})


def _count(name: str, attributes: dict[str, Value]) -> None:
    at = recorded()
    if at is not None:
        at[1].count(name, 1, attributes)
