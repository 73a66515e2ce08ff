import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from configs.settings import Settings
from models.errors import ModelUnavailable
from models.fleet.health import look_at
from models.identifiers import ModelId
from models.ollama_health import OllamaStatus
from models.providers import call_options, close_model, open_chat_model
from models.role_settings import ResolvedModel, candidates
from models.selection import ModelChoice, choose_model

ROOT = Path(__file__).resolve().parent.parent.parent
HEAVY = (
    "xllamacpp",
    "langchain_ollama",
    "langchain_openai",
    "openai",
    "ollama",
    "onnxruntime",
    "tokenizers",
    "json_repair",
)
SCHEMA = {"type": "object", "properties": {}}


def resolved(name: str, **default: Any) -> ResolvedModel:
    settings = Settings.model_validate({"models": {"default": default}})
    return candidates(settings, ModelChoice(ModelId.parse(name), "test"), "worker")[0]


def test_no_providers_library_is_imported_before_it_is_used() -> None:
    code = (
        "import sys, json; import models.roles, models.selection, models.profile_rules, models.embeddings; "
        f"print(json.dumps([name for name in {HEAVY!r} if name in sys.modules]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == []


async def test_an_openai_model_of_this_machine_needs_no_key_and_no_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:3128")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model: Any = open_chat_model(resolved("openai:m", base_url="http://127.0.0.1:8000/v1"), "worker")
    assert (
        model.openai_api_base == "http://127.0.0.1:8000/v1"
        and model.openai_api_key.get_secret_value() == "none"
    )
    assert not model.http_client.trust_env and not model.http_async_client.trust_env
    await close_model(model)
    assert model.http_client.is_closed and model.http_async_client.is_closed


async def test_the_openai_key_goes_to_openai_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-" + "test")
    at_openai: Any = open_chat_model(resolved("openai:m"), "worker")
    elsewhere: Any = open_chat_model(resolved("openai:m", base_url="https://models.example/v1"), "worker")
    assert at_openai.openai_api_key.get_secret_value() == "sk-" + "test"
    assert elsewhere.openai_api_key.get_secret_value() == "none"
    await close_model(at_openai)
    await close_model(elsewhere)


@pytest.mark.parametrize("default", [{}, {"api_key_env": "MY_KEY", "base_url": "https://models.example/v1"}])
def test_a_key_that_is_not_set_is_asked_for_by_name(
    default: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("MY_KEY", raising=False)
    with pytest.raises(ModelUnavailable, match=default.get("api_key_env", "OPENAI_API_KEY")) as raised:
        open_chat_model(resolved("openai:m", **default), "worker")
    assert raised.value.remedy


@pytest.mark.parametrize("key", ["my-own-key\n", "my-own-key ", "my-own-key\r\nX: y", "my-own-k\u00e9y"])
def test_a_key_no_header_can_carry_is_refused_by_its_name_and_never_printed(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_KEY", key)
    model = resolved("openai:m", api_key_env="MY_KEY", base_url="http://127.0.0.1:1/v1")
    with pytest.raises(ModelUnavailable, match="MY_KEY") as raised:
        open_chat_model(model, "worker")
    looked = look_at(model, 1.0)
    assert not looked.answers and "cannot be sent" in looked.problem
    assert "my-own" not in f"{raised.value} {looked.problem}"


def test_each_provider_is_told_limit_and_schema_in_its_own_words() -> None:
    ollama = call_options(resolved("ollama:m", num_ctx=2000), ["END"], 7, SCHEMA)
    assert ollama["format"] == SCHEMA
    assert ollama["options"] == {
        "num_ctx": 2000,
        "temperature": 0.0,
        "seed": 0,
        "num_predict": 7,
        "stop": ["END"],
    }
    assert call_options(resolved("embedded"), None, 7, SCHEMA) == {"max_tokens": 7, "json_schema": SCHEMA}
    openai = call_options(resolved("openai:m"), ["END"], 7, SCHEMA)
    assert openai["max_tokens"] == 7 and openai["stop"] == ["END"]
    assert openai["extra_body"]["response_format"]["json_schema"]["schema"] == SCHEMA
    assert call_options(resolved("scripted:m"), None, 7, SCHEMA) == {}


@pytest.mark.parametrize(
    ("values", "model", "reason"),
    [
        ({"model": "embedded:x", "models": {"default": {"name": "ollama:a"}}}, "embedded:x", "as set"),
        ({"models": {"default": {"name": "ollama:a"}}}, "ollama:a", "models.default"),
        (
            {
                "models": {
                    role: {"name": f"ollama:{role}"}
                    for role in ("classifier", "planner", "worker", "verifier", "critic", "tutor")
                }
            },
            "ollama:worker",
            "every role",
        ),
    ],
)
def test_a_model_that_is_set_is_chosen_without_looking_for_others(
    values: dict[str, Any], model: str, reason: str
) -> None:
    choice = choose_model(Settings.model_validate(values))
    assert str(choice.model_id) == model and reason in choice.reason


def test_why_a_model_is_chosen_tells_no_login(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.selection.can_chat", lambda address, model, timeout: True)
    monkeypatch.setattr("models.selection.loaded_models", lambda address, timeout: ())
    there = {"http://bob:hunter2@box:1": OllamaStatus(True, "1", ("m",))}
    assert choose_model(Settings(), there).reason == "Ollama answers at http://[hidden]@box:1"
