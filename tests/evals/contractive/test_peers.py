"""Who reviews in which scenario."""

from __future__ import annotations

import pytest

from evals.contractive.peers import billions, family, larger_of_family, of_another_family, peer_for

INSTALLED = ("qwen2.5:7b", "qwen2.5:14b", "llama3.2:3b", "mistral:7b-instruct", "smollm2:135m", "phi4")


def nobody() -> tuple[str, ...]:
    raise AssertionError("nothing had to be looked for")


def test_only_scenarios_with_a_review_have_a_peer_and_light_ones_the_model_itself() -> None:
    for scenario in ("S0", "S1", "S2"):
        assert peer_for(scenario, "embedded", other="o:x", strong="o:y", installed=nobody).model == ""
    for scenario in ("S3", "S6"):
        assert peer_for(scenario, "embedded", other="o:x", strong="o:y", installed=nobody).model == "embedded"


def test_a_peer_that_is_named_is_taken_unasked() -> None:
    named = peer_for("S4", "ollama:a", other="openai:x", strong=None, installed=nobody)
    assert named.model == "openai:x" and named.options == ("--peer-model", "openai:x")
    assert peer_for("S5", "ollama:a", other=None, strong="openai:y", installed=nobody).model == "openai:y"


def test_models_that_are_installed_are_looked_through() -> None:
    def peer(scenario: str, model: str) -> str:
        return peer_for(scenario, model, other=None, strong=None, installed=lambda: INSTALLED).model

    assert peer("S4", "ollama:qwen2.5:7b") == "ollama:mistral:7b-instruct"
    assert peer("S5", "ollama:qwen2.5:7b") == "ollama:qwen2.5:14b"
    assert peer("S5", "ollama:qwen2.5:14b") == "ollama:qwen2.5:14b"
    assert peer("S5", "ollama:phi4") == "ollama:phi4"


@pytest.mark.parametrize("model", ["ollama:qwen2.5:7b", "embedded", "scripted:x"])
def test_where_none_fits_the_model_reviews_itself_and_that_is_told(model: str) -> None:
    for scenario in ("S4", "S5"):
        found = peer_for(scenario, model, other=None, strong=None, installed=lambda: ("qwen2.5:7b",))
        assert found.model == model and "the model itself" in found.told


@pytest.mark.parametrize(
    ("name", "of", "size"),
    [
        ("qwen2.5:7b-instruct-q4_K_M", "qwen", 7.0),
        ("smollm2:135m", "smollm", 0.135),
        ("granite3.1-moe:3b", "granite", 3.0),
        ("mixtral:8x7b", "mixtral", 56.0),
        ("hf.co/someone/llama-3.2-1B-GGUF", "llama", 1.0),
        ("phi4", "phi", None),
        ("gemma3:latest", "gemma", None),
    ],
)
def test_families_and_sizes_are_read_from_names(name: str, of: str, size: float | None) -> None:
    assert family(name) == of and billions(name) == size


def test_sizes_decide_between_several() -> None:
    assert of_another_family("llama3.2:3b", ["qwen2.5:0.5b", "qwen2.5:3b", "qwen2.5:32b"]) == "qwen2.5:3b"
    assert of_another_family("llama3.2:3b", ["llama3.1:8b"]) is None
    assert larger_of_family("llama3.2:3b", ["llama3.1:8b", "llama3.1:70b", "qwen2.5:72b"]) == "llama3.1:70b"
    assert larger_of_family("llama3.2:3b", ["llama3.2:1b", "llama3.2:3b"]) is None
