import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from models.structured import Unreadable, read_reply, wire_schema


class Step(BaseModel):
    command: str = Field(max_length=2000)


class Draft(BaseModel):
    """A draft."""

    title: str = Field("", max_length=100)
    steps: list[Step] = Field(min_length=1, max_length=7)
    confidence: float | None = Field(None, ge=0, le=1)


class Loose(BaseModel):
    note: str = ""


DRAFTS = st.builds(
    Draft,
    title=st.text(max_size=20),
    steps=st.lists(st.builds(Step, command=st.text(max_size=40)), min_size=1, max_size=3),
    confidence=st.none() | st.floats(0, 1),
)
PROSE = st.text(st.characters(exclude_characters="{}`", codec="utf-8"), max_size=40)


def read(
    text: str, schema: type[BaseModel] = Draft, *, constrained: bool = False, truncated: bool = False
) -> Any:
    return read_reply(text, schema, constrained=constrained, truncated=truncated)


@given(DRAFTS, st.booleans())
def test_a_bare_object_is_read(draft: Draft, constrained: bool) -> None:
    value, rung = read(f" \n{draft.model_dump_json()}\n", constrained=constrained)
    assert value == draft and rung == ("native" if constrained else "parsed")


@given(DRAFTS, PROSE, PROSE, st.sampled_from(["{}", "```json\n{}\n```", "```\n{}\n```"]))
def test_an_object_in_prose_or_a_fence_is_read(draft: Draft, before: str, after: str, form: str) -> None:
    value, rung = read(f"{before}\n{form.replace('{}', draft.model_dump_json())}\n{after}")
    assert value == draft and rung == "parsed"


@given(st.text(st.characters(exclude_characters="{"), max_size=300))
def test_prose_never_becomes_a_value(text: str) -> None:
    for schema in (Draft, Loose):
        with pytest.raises(Unreadable):
            read(text, schema)


@given(st.text(max_size=300))
def test_any_text_is_a_value_or_unreadable(text: str) -> None:
    try:
        value, _ = read(text)
    except Unreadable as error:
        assert str(error)
    else:
        assert value.steps


def test_a_broken_object_is_repaired() -> None:
    value, rung = read("Sure: {'steps': [{'command': 'ls -la'},], confidence: 0.5")
    assert value.steps[0].command == "ls -la" and rung == "repaired"


def test_a_brace_in_prose_is_not_repaired_into_a_value() -> None:
    with pytest.raises(Unreadable):
        read("Use {braces} as you like.", Loose)


def test_a_reply_that_was_cut_off_is_not_closed_for_it() -> None:
    with pytest.raises(Unreadable, match="cut off"):
        read('{"steps": [{"command": "rm -r /tmp/w', truncated=True)


def test_two_different_objects_are_ambiguous_and_two_equal_ones_are_not() -> None:
    one, other = (f'{{"steps": [{{"command": "{name}"}}]}}' for name in ("a", "b"))
    with pytest.raises(Unreadable, match="2 different"):
        read(f"{one} or {other}")
    assert read(f"{one}, as I said: {one}")[0].steps[0].command == "a"


def test_the_part_of_a_broken_object_is_not_taken_for_the_whole() -> None:
    with pytest.raises(Unreadable):
        read('{"steps": [{"note": "x"}, }}}', Loose)


def test_what_does_not_fit_is_named() -> None:
    with pytest.raises(Unreadable, match=r"steps.*confidence"):
        read('{"steps": [], "confidence": 3}')


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "{" * 50_000, '{"steps": NaN}', "[1, 2]"])
def test_hostile_nesting_is_unreadable_and_no_crash(text: str) -> None:
    with pytest.raises(Unreadable):
        read(text)


def test_the_schema_that_is_sent_has_no_bounds_and_requires_every_field() -> None:
    sent = wire_schema(Draft)
    assert sent["required"] == ["title", "steps", "confidence"] and sent["additionalProperties"] is False
    assert "title" in sent["properties"], "a field's name is not the schema's keyword of that name"
    assert not {"maxLength", "minimum", "maximum", "default", "description"} & set(
        json.dumps(sent).split('"')
    )
    assert sent["$defs"]["Step"]["required"] == ["command"] and sent["properties"]["steps"]["minItems"] == 1


def test_choices_stay_in_the_schema_that_is_sent() -> None:
    class Label(BaseModel):
        label: Literal["a", "b"]

    assert wire_schema(Label)["properties"]["label"]["enum"] == ["a", "b"]


@pytest.mark.parametrize(
    "cut",
    [
        '{"steps": [{"command": "ls"}, {"command": "cat',
        '{"steps": [{"command": "ls"}, {"comm',
        '{"steps": [{"command": "ls"}, ',
        '{"steps": [{"command": "ls"}',
        '{"steps": [{"command": "ls"}], "confidence": 0.',
        '{"steps": [{"command": "ls"}], "confidence":',
        "{'steps': [{'command': 'ls",
        '{"steps": [{"command": }]}',
    ],
)
def test_nothing_is_made_up_where_a_reply_stops(cut: str) -> None:
    with pytest.raises(Unreadable):
        read(cut)


@given(DRAFTS, st.data())
def test_a_reply_cut_anywhere_gives_what_was_written_or_nothing(draft: Draft, data: st.DataObject) -> None:
    whole = draft.model_dump_json()
    cut = whole[: data.draw(st.integers(0, len(whole)))]
    try:
        value, _ = read(cut)
    except Unreadable:
        return
    assert [step.command for step in value.steps] == [step.command for step in draft.steps]
    assert value.title in (draft.title, "")


@pytest.mark.parametrize("sign", ["\f", "\b", "/", "\\", "\n", "\t", "\r", '"', "\u2028", "\\f", "\\u000c"])
def test_a_repaired_reply_has_the_signs_that_were_written(sign: str) -> None:
    whole = json.dumps(
        {"title": "", "steps": [{"command": f"a{sign}b"}], "confidence": None}, ensure_ascii=False
    )
    assert read(whole[:-1])[0].steps[0].command == f"a{sign}b"


@pytest.mark.parametrize(
    ("reply", "command"),
    [
        ('\ufeff{"steps": [{"command": "ls"}]}', "ls"),
        ('"{\\"steps\\": [{\\"command\\": \\"ls\\"}]}"', "ls"),
        ("{“steps”: [{“command”: “ls”}]}", "ls"),
        ('[{"steps": [{"command": "ls"}]}]', "ls"),
        ('In {braces} I think: {"steps": [{"command": "ls"}]} {}', "ls"),
        ('{"steps": [{"command": "ls"}]}}}', "ls"),
        ('{"steps": [{"command": "ls"},]} // as you asked', "ls"),
    ],
)
def test_wrappings_of_models_are_taken_off(reply: str, command: str) -> None:
    assert read(reply)[0].steps[0].command == command


@pytest.mark.parametrize(
    "reply",
    [
        '{"steps": [{"command": "ls"}], "steps": [{"command": "cat a"}]}',
        '{"steps": [{"command": "ls", "command": "cat a"}]}',
        '[{"steps": [{"command": "ls"}]}, {"steps": [{"command": "cat a"}]}]',
        '{"steps": [{"command": "ls"}], "confidence": NaN}',
        '{"steps": [{"command": "ls"}], "confidence": Infinity}',
        '{"plan": {"steps": [{"command": "ls"}]}}',
        '{"steps": "ls"}',
        "I am sorry, I cannot help with that.",
        '{"steps":' + "[" * 50_000,
        "",
    ],
)
def test_what_says_two_things_or_none_is_unreadable(reply: str) -> None:
    with pytest.raises(Unreadable):
        read(reply)
