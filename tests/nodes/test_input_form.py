"""What a person is asked before a run of each graph."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from nodes.input_form import input_form
from nodes.reflective.context import RunContext
from nodes.tutor.state import TutorState

SERVED = json.loads((Path(__file__).parents[2] / "langgraph.json").read_text("utf-8"))["graphs"]


def workflow(name: str) -> Any:
    module, variable = SERVED[name]["path"].split(":")
    return getattr(importlib.import_module(module), variable)


@pytest.mark.parametrize("name", SERVED)
def test_a_graph_asks_for_few_things_and_says_what_each_is(name: str) -> None:
    schema = workflow(name).get_input_jsonschema()
    fields = schema["properties"]
    assert 1 <= len(fields) <= 6
    assert all(field["description"].endswith(".") for field in fields.values())
    assert schema.get("required", []) == ([] if name == "tutor" else [next(iter(fields))])
    told = SERVED[name]["description"]
    assert next(iter(fields)) in told and len(told) > 80


@pytest.mark.parametrize("name", SERVED)
def test_a_form_is_asked_before_the_run_and_no_field_of_the_state_is_refused(name: str) -> None:
    graph = workflow(name)
    taken = set(graph.builder.schemas[graph.builder.input_schema])
    kept = set(graph.builder.schemas[graph.builder.state_schema])
    assert kept - taken <= {"remaining_steps"} and taken <= kept
    settings = graph.get_context_jsonschema()
    assert settings == RunContext.model_json_schema()


@pytest.mark.parametrize("name", SERVED)
def test_the_settings_form_has_bounds_choices_and_help(name: str) -> None:
    fields = workflow(name).get_context_jsonschema()["properties"]
    assert {"minimum": 5, "maximum": 1000}.items() <= fields["graph.max_iterations"].items()
    assert fields["strategy"]["enum"] == ["loop_v1", "graph_v2", "graph_v30"]
    assert all(field.get("description") for field in fields.values())
    assert not [
        key for key, field in fields.items() if "default" in field and key not in ("root", "settings")
    ]


def test_a_form_names_no_default_for_what_has_to_be_filled_in() -> None:
    asked = input_form(TutorState, goal="The task.", seed="A number.").model_json_schema()
    assert asked["required"] == ["goal"] and "default" not in asked["properties"]["goal"]
    assert asked["properties"]["seed"]["default"] == 0 and "$defs" not in asked
    free = input_form(TutorState, required=False, goal="The task.").model_json_schema()
    assert "required" not in free and free["properties"]["goal"]["default"] == ""
