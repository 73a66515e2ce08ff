"""What a person is asked before a run: a few fields of a graph's state, in words.

LangGraph shows a graph's input schema as a form in Studio, and hands it to clients of `/mcp`. A state has
fields by the dozen that are nodes' own. They are still taken where a caller gives them, as tests, forks and
other graphs do; only the schema does not name them.
"""

from __future__ import annotations

from typing import Any, get_type_hints

from langgraph.managed.base import is_managed_value
from pydantic import BaseModel, GetJsonSchemaHandler, create_model
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema


def input_form(state: type[BaseModel], *, required: bool = True, **told: str) -> type[BaseModel]:
    """A graph's input: all fields of its state, of which the schema names those that are told.

    Args:
        state: the state's class.
        required: whether the first of them has to be filled in; else all have a default.
        told: what each field is, for people, in the form's order.
    """

    def schema_of(
        cls: type[BaseModel], core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        schema = handler.resolve_ref_schema(handler(core_schema))
        asked = {name: schema["properties"][name] | {"description": text} for name, text in told.items()}
        first = next(iter(asked))
        if required:
            asked[first].pop("default", None)
            schema["required"] = [first]
        schema["properties"] = asked
        return schema

    hook: dict[str, Any] = {"__get_pydantic_json_schema__": classmethod(schema_of), "__module__": __name__}
    base = type(f"{state.__name__}Form", (BaseModel,), hook)
    hints = get_type_hints(state, include_extras=True)
    fields: dict[str, Any] = {
        name: (hints[name], field)
        for name, field in state.model_fields.items()
        if not _is_managed(hints[name])
    }
    return create_model(f"{state.__name__}Input", __base__=base, __module__=__name__, **fields)


def _is_managed(hint: Any) -> bool:
    """Whether LangGraph itself gives a field its value, such as the steps that are left."""
    return any(is_managed_value(one) for one in getattr(hint, "__metadata__", ()))
