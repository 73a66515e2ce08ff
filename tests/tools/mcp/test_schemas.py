"""Schemas of servers, tamed: whatever fits the schema fits its copy, and checking the copy has an end."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.mcp.schemas import MOST_NODES, arguments_text, misfits, tamed

pytest.importorskip("jsonschema")
NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
PLAIN = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["object", "array", "integer", "string", "null", ["string", "null"]]),
        "enum": st.lists(VALUES, max_size=3),
        "required": st.lists(NAMES, max_size=2, unique=True),
        "minimum": st.integers(-2, 2),
        "maxLength": st.integers(0, 3),
        "minItems": st.integers(0, 2),
        "pattern": st.sampled_from(["^a", "b$"]),
        "const": VALUES,
    },
)
SCHEMAS = st.recursive(
    PLAIN,
    lambda inner: st.tuples(
        PLAIN,
        st.fixed_dictionaries(
            {},
            optional={
                "properties": st.dictionaries(NAMES, inner, max_size=3),
                "additionalProperties": st.booleans() | inner,
                "patternProperties": st.dictionaries(st.just("^a"), inner, max_size=1),
                "items": inner,
                "prefixItems": st.lists(inner, min_size=1, max_size=2),
                "anyOf": st.lists(inner, min_size=1, max_size=2),
                "oneOf": st.lists(inner, min_size=1, max_size=2),
                "allOf": st.lists(inner, min_size=1, max_size=2),
                "not": inner,
            },
        ),
    ).map(lambda parts: parts[0] | parts[1]),
    max_leaves=5,
)


@given(schema=SCHEMAS, value=VALUES)
def test_what_fits_a_schema_fits_its_copy(schema: dict[str, Any], value: Any) -> None:
    from jsonschema import Draft202012Validator

    if Draft202012Validator(schema).is_valid(value):
        assert misfits(tamed(schema), value) == []


@given(
    schema=st.dictionaries(
        st.sampled_from(["type", "enum", "required", "properties", "items", "allOf", "$ref", "minimum"]),
        VALUES,
    )
)
def test_a_schema_that_is_none_is_copied_into_one(schema: dict[str, Any]) -> None:
    from jsonschema import Draft202012Validator

    copy = tamed(schema)
    Draft202012Validator.check_schema(copy)
    misfits(copy, {"a": 1})
    assert isinstance(arguments_text(copy), str)


def test_references_are_followed_within_the_document_only_and_not_in_circles() -> None:
    tree = {"type": "object", "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/tree"}}}
    schema = {
        "$defs": {"tree": tree},
        "properties": {"t": {"$ref": "#/$defs/tree"}, "u": {"$ref": "http://x/y"}},
    }
    copy = tamed(schema)
    assert misfits(copy, {"t": {"v": 1, "next": {"v": "left to the server"}}, "u": 1}) == []
    assert misfits(copy, {"t": {"v": "one"}}) == ["t.v: 'one' is not of type 'integer'"]
    assert "$ref" not in str(copy)


def test_a_copy_is_bounded_however_much_its_references_stand_for() -> None:
    parts = {f"l{depth}": {"allOf": [{"$ref": f"#/$defs/l{depth + 1}"}] * 10} for depth in range(12)}
    copy = tamed({"$defs": parts, "allOf": [{"$ref": "#/$defs/l0"}]})
    assert str(copy).count("{") <= 4 * MOST_NODES
    deep: dict[str, Any] = {}
    for _ in range(500):
        deep = {"items": deep}
    assert str(tamed(deep)).count("items") < 40


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({}, ["'city' is a required property"]),
        ({"city": 3}, ["city: 3 is not of type 'string'"]),
        ({"city": "x", "dayz": 1}, ["Additional properties are not allowed ('dayz' was unexpected)"]),
        ({"city": "x", "unit": "\x1b[2J"}, ["unit: '\\x1b[2J' is not one of ['C', 'F']"]),
    ],
)
def test_what_does_not_fit_is_told_in_words_a_terminal_can_show(
    value: dict[str, Any], told: list[str]
) -> None:
    properties = {"city": {"type": "string"}, "unit": {"enum": ["C", "F"]}}
    schema = {"properties": properties, "required": ["city"], "additionalProperties": False}
    assert misfits(tamed(schema), value) == told
    assert len(misfits(tamed({"type": "string"}), ["y" * 9000])[0]) < 250


def test_arguments_are_told_in_a_line_those_needed_first() -> None:
    schema = {
        "properties": {
            "days": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "unit": {"enum": ["C", "F"]},
            "any\x1b": {},
            "city": {"$ref": "#/$defs/City"},
        },
        "required": ["city"],
        "$defs": {"City": {"type": "string"}},
    }
    told = 'city: string, days?: integer|null, unit?: "C"|"F", any\\x1b?: any'
    assert arguments_text(tamed(schema)) == told
    many = {"properties": {f"a{number}": {} for number in range(400)}}
    assert arguments_text(tamed(many)).endswith(", ...") and len(arguments_text(tamed(many))) < 400
