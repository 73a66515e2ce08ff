import asyncio
from collections.abc import Iterator
from itertools import count
from typing import Any, Literal

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from configs.settings import Settings
from models.errors import ModelFailed, ModelMissing, ModelReplyInvalid, ModelTimeout, ModelUnavailable
from models.identifiers import ModelId
from models.roles import RoleModels
from models.scripted import Script, register_script
from models.selection import ModelChoice

NUMBERS: Iterator[int] = count()
ASK = [HumanMessage("which?")]


class Label(BaseModel):
    label: Literal["a", "b"]


def script(*replies: Any, **roles: list[Any]) -> str:
    """Registers a script under a name of its own."""
    name = f"roles-{next(NUMBERS)}"
    register_script(name, Script(roles=roles, default=list(replies)))
    return f"scripted:{name}"


def opened(model: str, **models: Any) -> RoleModels:
    return RoleModels(Settings.model_validate({"models": models}), ModelChoice(ModelId.parse(model), "test"))


async def test_text_comes_with_usage_and_without_thinking() -> None:
    name = script("<think>hm hm</think>Paris.")
    reply = await opened(name).text("worker", [SystemMessage("a b"), HumanMessage("c d e")])
    assert (reply.text, reply.thinking, reply.cut, reply.truncated) == ("Paris.", "hm hm", 0, False)
    assert (reply.usage.role, reply.usage.model, reply.usage.calls) == ("worker", name, 1)
    assert reply.usage.prompt_tokens == 5 and reply.usage.seconds > 0


async def test_each_role_follows_its_own_replies_and_a_new_run_starts_again() -> None:
    name = script(planner=["p1", "p2"], worker=["w1"])
    for _ in range(2):
        models = opened(name)
        said = [(await models.text(role, ASK)).text for role in ("planner", "worker", "planner")]
        assert said == ["p1", "w1", "p2"]


async def test_calls_at_once_share_one_script_position() -> None:
    models = opened(script(*(str(number) for number in range(20))))
    replies = await asyncio.gather(*(models.text("worker", ASK) for _ in range(20)))
    assert sorted(int(reply.text) for reply in replies) == list(range(20))


@pytest.mark.parametrize(
    ("replies", "rung", "calls"),
    [
        ([{"label": "b"}], "parsed", 1),
        (['I say ```json\n{"label": "b"}\n```'], "parsed", 1),
        (["{'label': 'b'"], "repaired", 1),
        (["no idea", {"label": "b"}], "retried", 2),
        ([{"error": "garbage"}, {"label": "b"}], "retried", 2),
        ([{"label": "c"}, {"label": "b"}], "retried", 2),
        (['<think>{"label": "a"}</think>{"label": "b"}'], "parsed", 1),
    ],
)
async def test_a_value_is_got_out_of_every_usual_reply(replies: list[Any], rung: str, calls: int) -> None:
    reply = await opened(script(*replies)).structured("classifier", ASK, Label)
    assert (reply.value.label, reply.rung, reply.usage.calls) == ("b", rung, calls)


async def test_the_retry_shows_the_bad_reply_and_what_was_wrong() -> None:
    name = script(
        {"when": r"(?s)which\?.*c-like.*does not fit: label", "reply": {"label": "a"}}, '{"label": "c-like"}'
    )
    assert (await opened(name).structured("classifier", ASK, Label)).value.label == "a"


async def test_a_reply_that_stays_unreadable_is_kept_with_its_cost() -> None:
    with pytest.raises(ModelReplyInvalid) as raised:
        await opened(script("one", "two")).structured("classifier", ASK, Label)
    assert raised.value.raw == "two" and raised.value.usage.calls == 2 and raised.value.remedy
    assert "classifier" in raised.value.what


async def test_the_fallback_answers_and_is_named_in_the_usage() -> None:
    main, spare = script({"error": "unavailable"}, "never asked again"), script("one", "two")
    models = opened(main, default={"fallback": spare})
    assert models.model_name("worker") == main
    replies = [await models.text("worker", ASK) for _ in range(2)]
    assert [(reply.text, reply.usage.model) for reply in replies] == [("one", spare), ("two", spare)]
    assert models.model_name("worker") == spare


@pytest.mark.parametrize("error", ["failed", "timeout"])
async def test_a_model_that_is_there_but_fails_is_not_replaced(error: str) -> None:
    models = opened(script({"error": error}), default={"fallback": script("spare")})
    with pytest.raises((ModelFailed, ModelTimeout)):
        await models.text("worker", ASK)


async def test_when_the_fallback_fails_too_both_are_told() -> None:
    models = opened(script({"error": "unavailable"}), default={"fallback": "scripted:/nowhere.yaml"})
    with pytest.raises(ModelUnavailable, match=r"server is down.*nowhere\.yaml"):
        await models.text("worker", ASK)


async def test_a_model_out_of_reach_without_fallback_is_tried_again() -> None:
    models = opened(script({"error": "missing"}, "back"))
    with pytest.raises(ModelMissing):
        await models.text("worker", ASK)
    assert (await models.text("worker", ASK)).text == "back"


async def test_the_roles_timeout_ends_the_whole_call() -> None:
    models = opened(script({"delay": 30, "reply": "late"}), worker={"timeout": 0.05})
    with pytest.raises(ModelTimeout, match=r"0\.05 seconds") as raised:
        await models.text("worker", ASK)
    assert "timeout" in raised.value.remedy


async def test_cancelling_is_not_an_error_of_the_model() -> None:
    call = asyncio.create_task(opened(script({"delay": 30, "reply": "late"})).text("worker", ASK))
    await asyncio.sleep(0.05)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_what_does_not_fit_the_window_is_cut_and_counted() -> None:
    examples = [HumanMessage("old " * 500), AIMessage("said " * 500)]
    models = opened(script("fine"), default={"num_ctx": 600, "max_tokens": 100})
    reply = await models.text("worker", [SystemMessage("rules"), *examples, *ASK])
    assert reply.cut == 4500 and reply.usage.prompt_tokens == 2


def test_the_shipped_base_model_does_not_judge_and_others_do() -> None:
    models = opened("embedded", critic={"name": "ollama:a"}, verifier={"name": "embedded:/x.gguf"})
    assert [models.can_judge(role) for role in ("worker", "critic", "verifier")] == [False, True, True]


async def test_a_role_whose_fallback_stepped_in_judges_no_better_than_the_fallback() -> None:
    models = opened(script({"error": "unavailable"}), default={"fallback": "embedded"})
    assert models.can_judge("verifier")
    models._out_of_reach.add(ModelId.parse(models.model_name("verifier")))
    assert not models.can_judge("verifier")


async def test_closing_lets_the_next_call_open_again() -> None:
    models = opened(script("one", "two"))
    assert (await models.text("worker", ASK)).text == "one"
    await models.aclose()
    assert (await models.text("worker", ASK)).text == "one"
