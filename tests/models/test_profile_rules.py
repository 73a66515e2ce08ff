from typing import Any

import pytest

from configs.settings import Settings
from models.errors import ModelForbidden
from models.identifiers import ModelId
from models.profile_rules import check_models_allowed
from models.selection import ModelChoice

REMOTE = "https://models.example/v1"
LOCAL = "http://127.0.0.1:8000/v1"


@pytest.fixture(autouse=True)
def no_ollama_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_HOST", raising=False)


def check(profile: str, model: str, **sections: Any) -> None:
    settings = Settings.model_validate({"profile": profile, **sections})
    check_models_allowed(settings, ModelChoice(ModelId.parse(model), "test"))


@pytest.mark.parametrize(
    ("model", "models"),
    [
        ("embedded", {}),
        ("ollama:a", {}),
        ("scripted:x", {}),
        ("openai:a", {"default": {"base_url": LOCAL}}),
        ("ollama:a", {"default": {"base_url": "http://[::1]:11434"}}),
        ("openai:a", {"default": {"base_urls": [LOCAL, "http://[::1]:2/v1", "localhost:3"]}}),
        ("openai:a", {"default": {"base_urls": [REMOTE]}, "tuning": {"openai:a": {"base_url": LOCAL}}}),
    ],
)
def test_sovereign_allows_models_of_this_machine(model: str, models: dict[str, Any]) -> None:
    check("sovereign", model, models=models)


@pytest.mark.parametrize(
    ("model", "models"),
    [
        ("openai:a", {}),
        ("openai:a", {"default": {"base_url": REMOTE}}),
        ("ollama:a", {"default": {"base_url": "http://192.168.1.5:11434"}}),
        ("embedded", {"critic": {"name": "openai:a", "base_url": REMOTE}}),
        ("embedded", {"default": {"fallback": "openai:a"}}),
        ("ollama:a", {"default": {"base_url": LOCAL}, "tuning": {"ollama:a": {"base_url": REMOTE}}}),
        (
            "openai:a",
            {
                "default": {"base_url": LOCAL, "fallback": "ollama:b"},
                "tuning": {"ollama:b": {"base_url": REMOTE}},
            },
        ),
        ("openai:a", {"default": {"base_url": "http://127.0.0.1@models.example/v1"}}),
        ("openai:a", {"default": {"base_url": "http://[::1"}}),
        ("openai:a", {"default": {"base_urls": [LOCAL, REMOTE]}}),
        ("ollama:a", {"default": {"base_urls": [LOCAL, "gpu:11434", LOCAL]}}),
        ("ollama:a", {"default": {"base_url": LOCAL, "base_urls": [LOCAL, "gpu:11434"]}}),
        ("ollama:b", {"default": {"base_urls": [LOCAL, "gpu:1"], "fallback": "ollama:a"}}),
        ("embedded", {"critic": {"name": "openai:a", "base_urls": [LOCAL, REMOTE]}}),
        ("openai:a", {"default": {"base_url": LOCAL}, "tuning": {"openai:a": {"base_urls": [REMOTE]}}}),
    ],
)
def test_sovereign_refuses_every_way_to_a_remote_model(model: str, models: dict[str, Any]) -> None:
    with pytest.raises(ModelForbidden) as raised:
        check("sovereign", model, models=models)
    assert "sovereign" in raised.value.what and raised.value.remedy


def test_sovereign_refuses_a_remote_ollama_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "ollama.example:11434")
    with pytest.raises(ModelForbidden, match="ollama.example"):
        check("sovereign", "ollama:a")


def test_sovereign_refuses_remote_embeddings() -> None:
    with pytest.raises(ModelForbidden, match="embeddings"):
        check("sovereign", "embedded", embeddings={"name": "ollama:e", "base_url": "http://models.example"})
    check("sovereign", "embedded", embeddings={"name": "ollama:e"})


@pytest.mark.parametrize("model", ["embedded", "ollama:a"])
def test_safe_refuses_models_of_this_machine(model: str) -> None:
    with pytest.raises(ModelForbidden, match="safe"):
        check("safe", model)


def test_safe_allows_a_remote_model() -> None:
    check("safe", "openai:a", models={"default": {"base_url": REMOTE}})


def test_safe_refuses_a_single_local_server_among_remote_ones() -> None:
    check("safe", "openai:a", models={"default": {"base_urls": [REMOTE, "https://other.example/v1"]}})
    with pytest.raises(ModelForbidden, match="127.0.0.1"):
        check("safe", "openai:a", models={"default": {"base_urls": [REMOTE, LOCAL]}})


def test_dev_allows_both() -> None:
    check("dev", "embedded")
    check("dev", "openai:a", models={"default": {"base_url": REMOTE}})
