"""What a store's filters and conditions on namespaces mean, as LangGraph's own stores take them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langgraph.store.base import MatchCondition

_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": operator.eq,
    "$ne": operator.ne,
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}


def holds(value: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a value has what a filter names: `{"type": "episode"}`, `{"helpful": {"$gte": 1}}`.

    Raises:
        ValueError: the filter has an operator that no store knows.
    """
    return all(_compares(value.get(name), condition) for name, condition in wanted.items())


def _compares(actual: Any, condition: Any) -> bool:
    if not isinstance(condition, Mapping) or not any(name.startswith("$") for name in condition):
        return bool(actual == condition)
    return all(_one(actual, name, expected) for name, expected in condition.items())


def _one(actual: Any, name: str, expected: Any) -> bool:
    if name not in _COMPARISONS:
        known = ", ".join(_COMPARISONS)
        raise ValueError(f"A filter holds the operator {name!r}; known are {known}.")
    try:
        return bool(_COMPARISONS[name](actual, expected))
    except TypeError:
        # Text is neither more nor less than a number, and nothing is more than what is missing.
        return False


def matches(namespace: tuple[str, ...], conditions: Sequence[MatchCondition]) -> bool:
    """Whether a namespace begins and ends as conditions say; a star stands for any one label."""
    return all(_fits(namespace, condition) for condition in conditions)


def _fits(namespace: tuple[str, ...], condition: MatchCondition) -> bool:
    path = tuple(condition.path)
    if len(path) > len(namespace):
        return False
    part = (
        namespace[: len(path)]
        if condition.match_type == "prefix"
        else namespace[len(namespace) - len(path) :]
    )
    return all(label in ("*", own) for label, own in zip(path, part, strict=True))
