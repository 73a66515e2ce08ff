import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from models.errors import ModelError, ModelFailed, ModelMissing, ModelTimeout, ModelUnavailable
from models.scripted import GARBAGE, Script, ScriptedChatModel, load_script, register_script


def model(role: str = "worker", **script: Any) -> ScriptedChatModel:
    return ScriptedChatModel(script=Script.model_validate(script), role=role, label="demo")


def ask(chat: ScriptedChatModel, prompt: str = "hi") -> str:
    return str(chat.invoke([HumanMessage(prompt)]).text)


@given(st.lists(st.text(), min_size=1, max_size=5))
def test_replies_come_in_order_and_then_run_out_with_script_and_role_named(replies: list[str]) -> None:
    chat = model(roles={"worker": replies})
    assert [ask(chat) for _ in replies] == replies
    with pytest.raises(ModelFailed, match=r"'demo'.*worker"):
        ask(chat)


def test_the_last_reply_repeats_when_told_to() -> None:
    chat = model(default=["a", "b"], repeat_last=True)
    assert [ask(chat) for _ in range(4)] == ["a", "b", "b", "b"]


def test_a_role_without_replies_takes_the_default_ones() -> None:
    assert ask(model("planner", roles={"worker": ["w"]}, default=["d"])) == "d"


@pytest.mark.parametrize(
    "value",
    [{"a": [1, None]}, [1, 2], {"reply": "x"}, {"error": "failed", "code": 1}, 7],
)
def test_other_values_are_dumped_as_json(value: Any) -> None:
    assert json.loads(ask(model(default=[value]))) == value


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("unavailable", ModelUnavailable),
        ("missing", ModelMissing),
        ("timeout", ModelTimeout),
        ("failed", ModelFailed),
    ],
)
def test_errors_are_raised_with_a_remedy(name: str, kind: type[ModelError]) -> None:
    chat = model(default=[{"error": name}, "after"])
    with pytest.raises(kind) as raised:
        ask(chat)
    assert raised.value.remedy and ask(chat) == "after"


def test_garbage_is_a_reply_that_holds_no_object() -> None:
    assert ask(model(default=[{"error": "garbage"}])) == GARBAGE and "{" not in GARBAGE


def test_a_condition_on_the_prompt_picks_its_reply_and_is_not_used_up() -> None:
    chat = model(default=[{"when": "lar+gest", "reply": {"n": 1}}, "first", "second"])
    assert [ask(chat, prompt) for prompt in ("x", "the largest", "largest?", "y")] == [
        "first",
        '{"n": 1}',
        '{"n": 1}',
        "second",
    ]


async def test_a_delay_waits_and_can_end_in_an_error() -> None:
    chat = model(default=[{"delay": 5, "reply": "late"}, {"delay": 0.01, "reply": {"error": "failed"}}])
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await chat.ainvoke([HumanMessage("hi")])
    with pytest.raises(ModelFailed):
        await chat.ainvoke([HumanMessage("hi")])


@given(st.text())
async def test_a_stream_is_the_reply_in_words_and_counts_as_the_whole_does(text: str) -> None:
    chunks = [chunk async for chunk in model(default=[text]).astream([HumanMessage("four words are here")])]
    whole = await model(default=[text]).ainvoke([HumanMessage("four words are here")])
    assert "".join(chunk.text for chunk in chunks) == whole.text == text
    assert [chunk.usage_metadata for chunk in chunks if chunk.usage_metadata] == [whole.usage_metadata]
    assert len([chunk for chunk in chunks if chunk.text.strip()]) == len(text.split())


async def test_the_words_of_a_paced_reply_come_before_it_ends() -> None:
    chat = model(
        default=[{"pace": 0.01, "reply": {"delay": 0, "reply": "one two"}}, {"pace": 60, "reply": "late on"}]
    )
    assert (await chat.ainvoke([HumanMessage("hi")])).text == "one two"
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await chat.ainvoke([HumanMessage("hi")])


async def test_an_error_of_the_script_is_raised_in_a_stream_too() -> None:
    with pytest.raises(ModelFailed):
        [chunk async for chunk in model(default=[{"error": "failed"}]).astream([HumanMessage("hi")])]


def test_threads_share_one_position() -> None:
    chat = model(default=[str(number) for number in range(200)])
    said: list[str] = []
    threads = [threading.Thread(target=lambda: said.extend(ask(chat) for _ in range(50))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said, key=int) == [str(number) for number in range(200)]


def test_usage_is_counted_in_words() -> None:
    reply = model(default=["one two three"]).invoke([HumanMessage("four words are here")])
    assert reply.usage_metadata == {"input_tokens": 4, "output_tokens": 3, "total_tokens": 7}


def test_a_script_is_read_from_yaml(tmp_path: Path) -> None:
    file = tmp_path / "demo.yaml"
    file.write_text("roles:\n  worker: [hello, {a: 1}]\nrepeat_last: true\n", "utf-8")
    script = load_script(str(file))
    assert script.roles == {"worker": ["hello", {"a": 1}]} and script.repeat_last


def test_a_registered_script_is_found_by_name() -> None:
    script = Script(default=["x"])
    register_script("test-registered", script)
    assert load_script("test-registered") is script


def test_a_script_that_does_not_exist_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"nowhere\.yaml"):
        load_script(str(tmp_path / "nowhere.yaml"))


@pytest.mark.parametrize(
    "text",
    [
        "roles: [",
        "- a list",
        "roels: {}",
        "default: [{error: explode}]",
        "default: [{when: '(', reply: x}]",
        "default: [{when: x}]",
        "default: [{delay: soon, reply: x}]",
        "default: [{pace: slow, reply: x}]",
        "roles: {worker: [{delay: 1, reply: {when: '['}}]}",
        "",
    ],
)
def test_a_script_with_a_mistake_is_refused_when_it_is_read(text: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(ModelFailed, match=r"wrong\.yaml"):
        load_script(str(file))


class Seeded(Script):
    """Says what it was asked with."""

    def decide_seeded(self, role: str, prompt: str, seed: int | None) -> Any:
        return f"{role} {seed}"


async def test_a_script_sees_the_seed_of_a_call_and_none_of_a_call_without() -> None:
    chat = ScriptedChatModel(script=Seeded(), role="worker")
    said = [await chat.ainvoke([HumanMessage("?")], seed=7), await chat.ainvoke([HumanMessage("?")])]
    assert [one.text for one in said] == ["worker 7", "worker None"]
    assert chat.invoke([HumanMessage("?")], seed=8).text == "worker 8"
    streamed = [piece.text async for piece in chat.astream([HumanMessage("?")], seed=9)]
    assert "".join(streamed) == "worker 9"


async def test_a_seed_is_no_matter_to_a_script_that_does_not_ask_for_it() -> None:
    chat = model(default=["a", "b"])
    assert [(await chat.ainvoke([HumanMessage("?")], seed=1)).text for _ in range(2)] == ["a", "b"]
