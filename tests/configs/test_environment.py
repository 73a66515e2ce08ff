from __future__ import annotations

import pytest

from configs.environment import read_layer
from configs.errors import SettingsError
from tests.configs.places import Places


def _refused(env: dict[str, str]) -> str:
    with pytest.raises(SettingsError) as raised:
        read_layer(env)
    return str(raised.value)


def test_two_underscores_lead_into_a_section(places: Places) -> None:
    loaded = places.load(env={"REFLECT_REASONING__MAX_REFLECTIONS__COMPLEX": "5"})
    assert loaded.settings.reasoning.max_reflections.complex == 5
    assert loaded.origins["reasoning.max_reflections.complex"] == (
        "environment REFLECT_REASONING__MAX_REFLECTIONS__COMPLEX"
    )


def test_lists_and_maps_are_json(places: Places) -> None:
    loaded = places.load(
        env={"REFLECT_TOOLS__IGNORE": '["a", "b"]', "REFLECT_MODELS__TUNING": '{"x:Y": {"num_ctx": 300}}'}
    ).settings
    assert loaded.tools.ignore == ("a", "b")
    assert loaded.models.tuning["x:Y"].num_ctx == 300


def test_a_variable_for_a_key_wins_over_json_for_its_section(places: Places) -> None:
    graph = places.load(
        env={
            "REFLECT_GRAPH__MAX_ITERATIONS": "20",
            "REFLECT_GRAPH": '{"max_iterations": 9, "timeout_per_step": 3}',
        }
    ).settings.graph
    assert (graph.max_iterations, graph.timeout_per_step) == (20, 3)


def test_null_unsets_and_an_empty_variable_is_absent(places: Places) -> None:
    places.write_project({"model": "ollama:a", "embeddings": {"base_url": "http://host"}})
    loaded = places.load(env={"REFLECT_MODEL": "", "REFLECT_EMBEDDINGS__BASE_URL": "null"}).settings
    assert (loaded.model, loaded.embeddings.base_url) == ("ollama:a", None)


@pytest.mark.parametrize("word", ["true", "True", "TRUE"])
def test_true_is_read_for_a_setting_that_can_only_be_true(places: Places, word: str) -> None:
    assert places.load(env={"REFLECT_REFLECT__READ_ONLY": word}).settings.reflect.read_only is True


def test_variables_that_are_not_settings_are_passed_over() -> None:
    assert read_layer({"REFLECT_API_TOKEN": "secret", "OLLAMA_HOST": "x", "PATH": "/bin"}) == {}


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("REFLECT_GRAF", "REFLECT_GRAPH"),
        ("REFLECT_GRAPH_MAX_ITERATIONS", "REFLECT_GRAPH__MAX_ITERATIONS"),
        ("REFLECT_MAX_ITERATIONS", "REFLECT_GRAPH__MAX_ITERATIONS"),
        ("REFLECT_API_TOKENS", "REFLECT_API_TOKEN"),
        ("REFLECT_PROFIL", "REFLECT_PROFILE"),
    ],
)
def test_an_unknown_variable_is_told_with_the_nearest_one(name: str, near: str) -> None:
    message = _refused({name: "hush"})
    assert message.startswith(f"environment {name}: ")
    assert message.endswith(f"Did you mean {near}?")
    assert "hush" not in message


def test_a_name_below_a_map_is_sent_to_json() -> None:
    assert "Set REFLECT_MODELS__TUNING to a JSON object." in _refused(
        {"REFLECT_MODELS__TUNING__X__NUM_CTX": "3"}
    )


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("REFLECT_TOOLS__IGNORE", "a,b", "not a JSON list (Expecting value, character 1)"),
        ("REFLECT_GRAPH", '{"max_iterations": }', "not a JSON object (Expecting value, character 20)"),
        ("REFLECT_GRAPH", "3", "not a JSON object"),
        ("REFLECT_GRAPH", "null", "not a JSON object"),
        ("REFLECT_GRAPH", "[" * 100_000, "not a JSON object"),
        ("REFLECT_GRAPH", '{"max_iteration": 5}', "Did you mean `graph.max_iterations`?"),
    ],
)
def test_json_that_does_not_fit_is_told_with_the_variable(name: str, text: str, said: str) -> None:
    message = _refused({name: text})
    assert message.startswith(f"environment {name}: ")
    assert said in message


def test_broken_json_is_told_without_its_text() -> None:
    assert "hunter2" not in _refused({"REFLECT_EMBEDDINGS": '{"base_url": "http://me:hunter2@host"'})


@pytest.mark.parametrize(
    "env",
    [
        {"REFLECT_MODEL": "a\udcff"},
        {"REFLECT_TOOLS__IGNORE": '["\\ud800"]'},
        {"REFLECT_MODELS__TUNING": '{"\\ud800": {"num_ctx": 300}}'},
    ],
)
def test_bytes_that_are_no_text_are_refused(places: Places, env: dict[str, str]) -> None:
    with pytest.raises(SettingsError, match="not UTF-8 text") as raised:
        places.load(env=env)
    assert str(raised.value).encode("utf-8")


def test_a_wrong_value_is_told_with_the_variable(places: Places) -> None:
    with pytest.raises(SettingsError) as raised:
        places.load(env={"REFLECT_GRAPH__MAX_ITERATIONS": "many"})
    assert raised.value.what == (
        'environment REFLECT_GRAPH__MAX_ITERATIONS: `graph.max_iterations` is the text "many", '
        "expected a whole number from 5 to 1000."
    )
