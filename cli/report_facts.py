"""What an item says of itself, in the shape a report has; the items of a plain search are anybody's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KINDS = ("ResearchReport", "NoDataReport", "ErrorReport")
# A list holds one form, a mapping the forms of those of its values that are read by shape.
FORM: Mapping[str, Any] = {
    "sentences": [{"start": 0, "end": 0, "spans": [{}]}],
    "sources": [{}],
    "contradictions": [{"stances": [{"copies": [""]}]}],
    "removed_sentences": [{}],
    "timeline": [{}],
    "notes": [""],
    "confidence_reasons": [""],
}


def report_facts(item: Mapping[str, Any]) -> dict[str, Any]:
    """The item's `schema_object` as a report's; of something that is no report, nothing.

    Args:
        item: an NLWeb Item: a report, or in a run without reports any document.
    """
    facts = item.get("schema_object")
    if not isinstance(facts, Mapping) or facts.get("@type", KINDS[0]) not in KINDS:
        return {}
    return dict(_shaped(facts, FORM))


def _shaped(value: Any, form: Any) -> Any:
    """The value where it has the form; where it has not, the least that does."""
    if isinstance(form, list):
        values = value if isinstance(value, list) else []
        return [_shaped(one, form[0]) for one in values if isinstance(one, type(form[0]))]
    if isinstance(form, Mapping):
        return {**value, **{name: _shaped(value[name], form[name]) for name in form if name in value}}
    return value if isinstance(value, type(form)) else form
