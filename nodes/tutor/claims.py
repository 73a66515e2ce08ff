"""Typed claims: what is said of the files, in a form that code can prove. Free text proves nothing."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Predicate = Literal[
    "exists",
    "absent",
    "count",
    "equals",
    "contains",
    "not_contains",
    "value_of",
    "greater",
    "less",
    "before",
    "after",
    "causes",
    "defines",
    "imports",
    "cycle",
    "changed_between",
]
PREDICATES: tuple[str, ...] = get_args(Predicate)


def _one_or_two(scope: object) -> object:
    return tuple(scope) if isinstance(scope, list) else scope


class Claim(BaseModel):
    """Something that is so, or is not.

    Which subjects, values, units and scopes belong to a predicate is told in `proving/forms.py`.

    Attributes:
        predicate: what is said of the subject.
        subject: path, name pattern, `path:line`, literal text, or key path.
        value: JSON, compared by type: 1, 1.0, true and "1" are four values.
        unit: what a number counts, or how texts are compared.
        scope: directory or file the claim is about; of `changed_between`, the old and the new one.
        label: words beside it, for people; never looked at.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    predicate: Predicate
    subject: str
    value: Any = True
    unit: str | None = None
    scope: Annotated[str | tuple[str, str] | None, BeforeValidator(_one_or_two)] = None
    label: str = Field("", max_length=400)

    @property
    def key(self) -> str:
        """The same text for the same claim, whatever its label."""
        return json.dumps(
            [self.predicate, self.subject, self.value, self.unit, self.scope],
            ensure_ascii=False,
            sort_keys=True,
        )

    def __hash__(self) -> int:
        """By `key`, since values may be lists."""
        return hash(self.key)
