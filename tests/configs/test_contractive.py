"""Presets, scenarios and the table of models: stated numbers, and which of them goes before which."""

from typing import Any, get_args

import pytest
from pydantic import ValidationError

from configs.contractive import (
    ContractiveSettings,
    Preset,
    Scenario,
    of_model,
    of_scenario,
    resolved,
    shipped,
)
from configs.errors import SettingsError
from configs.settings import Settings
from tests.configs.places import Places

ANY = "ollama:some-model"


def preset(name: Any) -> ContractiveSettings:
    return resolved(ContractiveSettings(preset=name), ANY)


def test_the_defaults_are_the_documented_ones() -> None:
    given = Settings().contractive
    assert (given.max_depth, given.max_loops, given.max_concurrent_branches) == (4, 10, 4)
    assert (given.max_global_tokens, given.max_branch_tokens) == (64_000, 16_000)
    assert (given.entropy_decompose_threshold, given.entropy_collapse_threshold) == (0.5, 0.4)
    assert (given.entropy_gamma_min_reduction, given.k_entropy_samples) == (0.05, 4)
    assert (given.min_relevance_threshold, given.max_rebranch_attempts, given.timeout_sec) == (0.15, 2, 120)


def test_every_preset_and_scenario_is_one_of_the_schema() -> None:
    assert set(shipped()["presets"]) == set(get_args(Preset))
    assert set(shipped()["scenarios"]) == set(get_args(Scenario))
    for values in [*shipped()["presets"].values(), *shipped()["scenarios"].values()]:
        assert ContractiveSettings(**values).model_fields_set == set(values)


def test_presets_are_what_their_names_say() -> None:
    factual, complex_, math = preset("factual"), preset("complex"), preset("math")
    exploration, fast, deep = preset("exploration"), preset("fast"), preset("deep")
    default = ContractiveSettings()
    assert factual.entropy_decompose_threshold > default.entropy_decompose_threshold
    assert factual.max_loops < default.max_loops
    assert complex_.entropy_decompose_threshold < default.entropy_decompose_threshold
    assert complex_.k_entropy_samples > default.k_entropy_samples and complex_.peer == "full"
    assert math.entropy_decompose_threshold < default.entropy_decompose_threshold
    assert math.max_depth > default.max_depth
    others = (factual, complex_, math, fast, deep)
    assert exploration.entropy_decompose_threshold < min(one.entropy_decompose_threshold for one in others)
    assert exploration.max_depth >= max(one.max_depth for one in others)
    assert fast.max_depth == min(one.max_depth for one in (*others, exploration)) and fast.max_loops == 1
    assert fast.max_global_tokens < default.max_global_tokens
    assert deep.max_depth > default.max_depth and deep.max_loops == max(one.max_loops for one in others)


def test_what_is_set_by_name_goes_before_a_preset_and_a_preset_before_the_table() -> None:
    model = "ollama:granite3.1-moe:3b"
    assert resolved(ContractiveSettings(), model).entropy_decompose_threshold == 0.4
    assert resolved(ContractiveSettings(preset="fast"), model).entropy_decompose_threshold == 0.6
    own = ContractiveSettings(preset="fast", entropy_decompose_threshold=0.9)
    assert resolved(own, model).entropy_decompose_threshold == 0.9
    assert resolved(own, model).max_depth == 1


@pytest.mark.parametrize(
    ("model", "threshold", "depth"),
    [
        ("ollama:granite3.1-moe:3b", 0.4, 4),
        ("ollama:mistral:7b-instruct", 0.5, 3),
        ("ollama:qwen2.5:7b", 0.5, 3),
        ("openai:qwen2.5:7b-instruct", 0.5, 3),
        ("ollama:llama3.2:3b", 0.4, 3),
        ("ollama:llama3.1:70b", 0.6, 4),
    ],
)
def test_the_table_of_models(model: str, threshold: float, depth: int) -> None:
    assert of_model(model) == {"entropy_decompose_threshold": threshold, "max_depth": depth}


def test_a_model_that_is_not_in_the_table_gets_the_defaults() -> None:
    assert of_model("ollama:qwen2.5:14b") == {} == of_model("scripted:x")
    assert resolved(ContractiveSettings(), ANY) == ContractiveSettings()


def test_an_embedded_engine_is_asked_one_thing_after_the_other_unless_told_otherwise() -> None:
    assert resolved(ContractiveSettings(), "embedded:gemma-3-270m").max_concurrent_calls == 1
    assert resolved(ContractiveSettings(max_concurrent_calls=2), "embedded:x.gguf").max_concurrent_calls == 2


def test_scenarios_differ_as_they_should() -> None:
    assert of_scenario("S1")["peer"] == of_scenario("S2")["peer"] == "none"
    assert of_scenario("S2")["max_depth"] == 0
    assert of_scenario("S3")["peer"] == "light" and of_scenario("S4")["peer"] == "full"
    assert of_scenario("S6")["clarify"] is True
    of_scenario("S1")["peer"] = "full"
    assert of_scenario("S1")["peer"] == "none"


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_depth": -1},
        {"entropy_decompose_threshold": 1.5},
        {"k_entropy_samples": 0},
        {"peer": "off"},
        {"preset": "best"},
        {"max_global_tokens": 0},
        {"unknown": 1},
    ],
)
def test_wrong_values_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ContractiveSettings(**wrong)


def test_a_project_may_set_them_and_only_what_it_sets_counts_as_set(places: Places) -> None:
    places.write_project({"contractive": {"preset": "math", "max_depth": 2}})
    found = places.load().settings.contractive
    assert found.model_fields_set == {"preset", "max_depth"}
    assert (resolved(found, ANY).max_depth, resolved(found, ANY).entropy_decompose_threshold) == (2, 0.3)
    places.write_project({"contractive": {"preset": "best"}})
    with pytest.raises(SettingsError, match="contractive.preset"):
        places.load()
