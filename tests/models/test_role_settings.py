from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import Settings
from models.identifiers import ModelId
from models.ollama_health import DEFAULT_ADDRESS
from models.role_settings import OPENAI_ADDRESS, candidates
from models.selection import ModelChoice

CHOICE = ModelChoice(ModelId("ollama", "a:1b"), "test")
LAYER = st.fixed_dictionaries(
    {}, optional={"temperature": st.floats(0, 2), "num_ctx": st.integers(256, 9999)}
)


@pytest.fixture(autouse=True)
def no_ollama_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_HOST", raising=False)


@given(LAYER, LAYER, LAYER)
def test_a_field_comes_from_the_role_else_the_tuning_else_the_default(
    role: dict[str, float], tuning: dict[str, float], default: dict[str, float]
) -> None:
    models = {"planner": role, "tuning": {"ollama:a:1b": tuning}, "default": default}
    (model,) = candidates(Settings.model_validate({"models": models}), CHOICE, "planner")
    standard = Settings().models.default
    for field in ("temperature", "num_ctx"):
        expected = role.get(field, tuning.get(field, default.get(field, getattr(standard, field))))
        assert getattr(model.settings, field) == expected


def test_another_roles_fields_do_not_leak() -> None:
    settings = Settings.model_validate({"models": {"planner": {"temperature": 1.5, "name": "ollama:b:1b"}}})
    (model,) = candidates(settings, CHOICE, "worker")
    assert model.model_id == CHOICE.model_id and model.settings.temperature == 0.0


def test_tuning_is_found_under_either_name_of_the_shipped_model() -> None:
    settings = Settings.model_validate({"models": {"tuning": {"embedded": {"num_ctx": 1000}}}})
    (model,) = candidates(settings, ModelChoice(ModelId.parse("embedded"), "test"), "worker")
    assert model.settings.num_ctx == 1000 and model.address == ""


def test_a_fallback_of_another_provider_does_not_take_the_address_and_key() -> None:
    default = {"base_url": "http://127.0.0.1:8000/v1", "api_key_env": "KEY", "fallback": "ollama:a:1b"}
    settings = Settings.model_validate({"models": {"default": default, "worker": {"name": "openai:x"}}})
    first, second = candidates(settings, CHOICE, "worker")
    assert first.address == "http://127.0.0.1:8000/v1" and first.settings.api_key_env == "KEY"
    assert second.address == DEFAULT_ADDRESS and second.settings.api_key_env is None


def test_a_fallback_of_the_same_provider_is_behind_the_same_address() -> None:
    default = {"base_url": "box:11434", "fallback": "ollama:b:1b"}
    settings = Settings.model_validate({"models": {"default": default}})
    assert [model.address for model in candidates(settings, CHOICE, "worker")] == ["http://box:11434"] * 2


ONE, SEVERAL = {"base_url": "one:1"}, {"base_urls": ["a:1/", "http://b:2", "http://a:1"]}


@pytest.mark.parametrize(
    ("default", "tuned", "worker", "addresses"),
    [
        (SEVERAL, {}, {}, ("http://a:1", "http://b:2")),
        (ONE | SEVERAL, {}, {}, ("http://a:1", "http://b:2")),
        (SEVERAL, {}, ONE, ("http://one:1",)),
        (SEVERAL, ONE, {}, ("http://one:1",)),
        (ONE, {}, SEVERAL, ("http://a:1", "http://b:2")),
        (ONE, SEVERAL, {}, ("http://a:1", "http://b:2")),
        ({}, SEVERAL, ONE, ("http://one:1",)),
        (ONE | {"base_urls": []}, {}, {}, ("http://one:1",)),
        ({"base_urls": ["only:1"]}, {}, {}, ("http://only:1",)),
    ],
)
def test_the_section_nearest_to_the_role_names_its_servers(
    default: Any, tuned: Any, worker: Any, addresses: tuple[str, ...]
) -> None:
    settings = Settings.model_validate(
        {"models": {"default": default, "tuning": {str(CHOICE.model_id): tuned}, "worker": worker}}
    )
    (model,) = candidates(settings, CHOICE, "worker")
    assert model.addresses == addresses and model.address == addresses[0]
    assert model.has_fleet == (len(addresses) > 1)
    assert model.at("http://b:2").address == "http://b:2" and model.at("http://b:2").addresses == addresses


def test_a_fallback_of_another_provider_has_its_own_servers() -> None:
    default = SEVERAL | {"fallback": "openai:x"}
    settings = Settings.model_validate({"models": {"default": default}})
    first, second = candidates(settings, CHOICE, "worker")
    assert first.has_fleet and second.addresses == (OPENAI_ADDRESS,)


def test_a_model_is_not_its_own_fallback() -> None:
    settings = Settings.model_validate({"models": {"default": {"fallback": "ollama:a:1b"}}})
    assert len(candidates(settings, CHOICE, "worker")) == 1


def test_openai_without_an_address_is_openai_whatever_the_environment_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    (model,) = candidates(Settings(), ModelChoice(ModelId("openai", "x"), "test"), "worker")
    assert model.address == OPENAI_ADDRESS
