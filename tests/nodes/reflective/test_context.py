"""The form of a run: every setting is in it, what is filled in holds, and what is left empty stays unset."""

from __future__ import annotations

import json
import typing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from configs.loading import load_settings
from configs.settings import Settings
from nodes.reflective.context import SHORT_NAMES, RunContext

FORM = RunContext.model_json_schema()["properties"]
BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}


def every_setting(model: type[BaseModel] = Settings, prefix: str = "") -> list[tuple[str, Any]]:
    """Walks the schema by itself, so that a setting the form forgets is found."""
    found: list[tuple[str, Any]] = []
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            found += every_setting(field.annotation, f"{prefix}{name}.")
        else:
            found.append((f"{prefix}{name}", field))
    return found


def in_form(key: str) -> dict[str, Any]:
    short = {long: name for name, long in SHORT_NAMES.items()}
    return typing.cast("dict[str, Any]", FORM[short.get(key, key)])


@pytest.mark.parametrize(
    ("key", "field"), every_setting(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_setting_is_in_the_form_with_its_words_and_bounds(key: str, field: Any) -> None:
    shown = in_form(key)
    assert field.description is None or field.description in shown["description"]
    bounds = {
        BOUNDS[kind]: getattr(rule, kind)
        for rule in field.metadata
        for kind in BOUNDS
        if getattr(rule, kind, None) is not None
    }
    assert bounds.items() <= shown.items()
    assert shown.keys() & {"type", "enum", "const", "anyOf"} and "$ref" not in json.dumps(shown)


def test_the_default_is_told_and_never_sent_back() -> None:
    assert in_form("graph.max_iterations")["description"].endswith("Default: 50.")
    assert in_form("model")["description"].endswith("Default: unset.")
    assert [
        name for name, shown in FORM.items() if "default" in shown and name not in ("root", "settings")
    ] == []


def test_a_setting_that_is_filled_in_is_set_by_its_dotted_key(tmp_path: Path) -> None:
    filled = {
        "graph.max_iterations": 20,
        "tools.ignore": ["old"],
        "model": "",
        "graph.max_plan_retries": None,
    }
    context = RunContext(root=str(tmp_path), **filled)  # type: ignore[arg-type]  # a form's values
    assert context.flags() == {"graph.max_iterations": 20, "tools.ignore": ["old"]}
    settings = load_settings(tmp_path, context.flags(), {}, tmp_path).settings
    assert (settings.graph.max_iterations, settings.tools.ignore) == (20, ("old",))


def test_callers_that_give_one_mapping_are_served_as_before() -> None:
    context = RunContext(root=".", model="m", settings={"graph.max_iterations": 20})
    assert context.flags() == {"graph.max_iterations": 20, "model": "m"}
    assert RunContext.model_validate_json(context.model_dump_json()) == context


@pytest.mark.parametrize("name", ["graph.max_iteration", "graph", "reasoning", "x"])
def test_what_is_no_setting_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        RunContext.model_validate({name: 1})


@given(st.sets(st.sampled_from([key for key, _ in every_setting()])))
def test_any_form_left_empty_sets_nothing(keys: set[str]) -> None:
    assert RunContext.model_validate(dict.fromkeys(keys)).flags() == {}
