"""The graphs of langgraph.json: words of people from `graphs.yaml`, types and bounds from their states."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pydantic import BaseModel, ConfigDict

from console.shapes import Example, GraphAbout, InputField
from memory.recipes.shipped import parse_yaml
from memory.thread_history import Kind
from nodes.collective.hybrid.state import HybridState
from nodes.collective.state import CollectiveState
from nodes.contractive.state import ContractiveState
from nodes.hierarchy.state import HierarchyState
from nodes.reflective.state import ReasoningState
from nodes.research.state import ResearchState
from nodes.routing.state import AutoState
from nodes.specialists.state import SpecialistsState
from nodes.tutor.games.generating import GAMES
from nodes.tutor.open_games import FREE
from nodes.tutor.state import TutorState

STATES: Mapping[str, type[BaseModel]] = {
    "reflective": ReasoningState,
    "research": ResearchState,
    "contractive": ContractiveState,
    "tutor": TutorState,
    "ensemble": CollectiveState,
    "hybrid": HybridState,
    "hierarchy": HierarchyState,
    "specialists": SpecialistsState,
    "auto": AutoState,
}
"""By the name a graph has in langgraph.json."""
_OF_KIND: Mapping[Kind, str] = {
    "ask": "reflective",
    "think": "contractive",
    "play": "tutor",
}
# What a state takes as text because nodes below know the choices.
_CHOICES: Mapping[tuple[str, str], tuple[str, ...]] = {("tutor", "game"): (*GAMES, FREE)}


class _FieldWords(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    title: str
    help: str
    long: bool = False


class _ExampleWords(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str
    input: dict[str, Any] | None = None


class _GraphWords(BaseModel):
    model_config = ConfigDict(extra="forbid")
    title: str
    summary: str
    fields: list[_FieldWords]
    examples: list[_ExampleWords]


def graph_of_kind(kind: Kind) -> str:
    """The graph whose thread it is."""
    return _OF_KIND.get(kind, kind)


@cache
def graphs() -> tuple[GraphAbout, ...]:
    """All graphs, in the order of langgraph.json."""
    told = parse_yaml((files("console.api") / "graphs.yaml").read_text("utf-8"))
    return tuple(
        _graph(name, state, _GraphWords.model_validate(told[name])) for name, state in STATES.items()
    )


def _graph(name: str, state: type[BaseModel], words: _GraphWords) -> GraphAbout:
    schema = state.model_json_schema()
    asked = words.fields[0].name
    return GraphAbout(
        name=name,
        title=words.title,
        summary=words.summary,
        fields=tuple(_field(name, one, schema, required=one.name == asked) for one in words.fields),
        examples=tuple(
            Example(text=one.text, input=one.input or {asked: one.text}) for one in words.examples
        ),
    )


def _field(graph: str, words: _FieldWords, schema: Mapping[str, Any], *, required: bool) -> InputField:
    found = _plain(schema["properties"][words.name], schema)
    of_items = _plain(found.get("items", {}), schema)
    choices = _CHOICES.get((graph, words.name)) or found.get("enum") or of_items.get("enum") or ()
    kind = "choice" if choices and found["type"] == "string" else _KINDS[found["type"]]
    return InputField.model_validate(
        {
            "name": words.name,
            "title": words.title,
            "help": words.help,
            "kind": "long_text" if kind == "text" and words.long else kind,
            "required": required,
            "default": found.get("default"),
            "choices": tuple(choices),
            "minimum": found.get("minimum"),
            "maximum": found.get("maximum"),
        }
    )


_KINDS = {"string": "text", "integer": "integer", "number": "number", "boolean": "boolean", "array": "list"}


def _plain(node: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A property with its reference put in place; of one that may be null, what it is else."""
    if "$ref" in node:
        node = {**schema["$defs"][node["$ref"].removeprefix("#/$defs/")], **node}
    options = [one for one in node.get("anyOf", ()) if one.get("type") != "null"]
    return {**node, **_plain(options[0], schema)} if options else node
