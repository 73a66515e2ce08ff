"""A reply as a typed value: parse, else repair, else say what is wrong. The ladder's rungs are in `roles`."""

from __future__ import annotations

import json
import re
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ValidationError

Value = TypeVar("Value", bound=BaseModel)
Rung = Literal["native", "parsed", "repaired", "retried"]
FENCED = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL)


class Unreadable(ValueError):
    """A reply that holds no value of the schema; the message says why."""


def read_reply(text: str, schema: type[Value]) -> tuple[Value, Rung]:
    """The value in a reply, and how it was got out.

    Args:
        text: the model's reply.
        schema: what it should hold.

    Raises:
        Unreadable: no JSON object, or one that does not fit.
    """
    problem = "the reply holds no JSON object"
    for rung, candidate in _candidates(text):
        try:
            return schema.model_validate(candidate), rung
        except ValidationError as error:
            problem = "; ".join(
                f"{'.'.join(map(str, item['loc'])) or 'reply'}: {item['msg']}"
                for item in error.errors(include_url=False)[:4]
            )
    raise Unreadable(problem)


def _candidates(text: str) -> list[tuple[Rung, dict[str, Any]]]:
    """JSON objects in a reply: all of it, one in a fence, one within prose, then repaired ones."""
    found: list[tuple[Rung, dict[str, Any]]] = []
    stripped = text.strip()
    pieces = [stripped, *(match.strip() for match in FENCED.findall(text)), _braced(stripped)]
    for number, piece in enumerate(pieces):
        value = _load(piece)
        if isinstance(value, dict):
            found.append(("native" if number == 0 else "parsed", value))
    if not found and "{" in stripped:
        import json_repair

        # Only text that has an object to repair: prose alone would be turned into one that was never written.
        repaired = json_repair.loads(stripped[stripped.index("{") :])
        if isinstance(repaired, dict) and repaired:
            found.append(("repaired", repaired))
    return found


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _braced(text: str) -> str:
    """From the first opening to the last closing brace."""
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else ""
