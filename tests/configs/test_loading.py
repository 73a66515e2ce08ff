from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.errors import SettingsError, UsageError
from configs.keys import dotted, known_keys, parse_key
from configs.layers import Setting, nest
from configs.loading import load_settings
from configs.settings import Settings
from tests.configs.places import Places

_VALUES = {
    "graph.max_iterations": st.integers(5, 1000),
    "graph.max_plan_retries": st.integers(0, 10),
    "reasoning.max_reflections.complex": st.integers(0, 20),
    "tools.max_output_bytes": st.integers(4096, 500_000),
    "models.planner.num_ctx": st.integers(256, 9000),
    "profiles.safe.memory": st.booleans(),
    "profile": st.sampled_from(["safe", "dev", "sovereign"]),
    "model": st.sampled_from(["ollama:a", "scripted:b", None]),
}
_SOURCE = st.fixed_dictionaries({}, optional=_VALUES)


def _tree(flat: dict[str, Any]) -> dict[str, Any]:
    return nest({parse_key(key): Setting(value, "") for key, value in flat.items()})


def _variables(flat: dict[str, Any]) -> dict[str, str]:
    return {
        "REFLECT_" + key.upper().replace(".", "__"): value if isinstance(value, str) else json.dumps(value)
        for key, value in flat.items()
    }


def _value(loaded: Settings, key: str) -> Any:
    value: Any = loaded
    for name in parse_key(key):
        value = getattr(value, name)
    return value


@settings(max_examples=80, deadline=None)
@given(user=_SOURCE, project=_SOURCE, env=_SOURCE, flags=_SOURCE)
def test_the_highest_source_that_sets_a_key_wins_and_is_named_as_its_origin(
    user: dict[str, Any], project: dict[str, Any], env: dict[str, Any], flags: dict[str, Any]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        places = Places.under(Path(folder))
        places.write_user(_tree(user))
        places.write_project(_tree(project))
        # What a project may not raise by itself has tests of its own.
        loaded = places.load({**flags, "trust": True}, _variables(env))
        given_flags = {key: value for key, value in flags.items() if value is not None}
        origins = {
            "flag --": given_flags,
            "environment REFLECT_": env,
            f"file {places.project_file}:": project,
            f"file {places.user_file}:": user,
        }
        for key in _VALUES:
            winner = next((name for name, source in origins.items() if key in source), None)
            expected = origins[winner][key] if winner else _value(Settings.model_validate({}), key)
            assert _value(loaded.settings, key) == expected
            assert loaded.origins[key].startswith(winner or "default")


def test_a_project_file_keeps_the_users_other_keys_of_the_same_section(places: Places) -> None:
    places.write_user({"graph": {"timeout_per_step": 7.0, "max_iterations": 10}})
    places.write_project({"graph": {"max_iterations": 20}})
    loaded = places.load()
    assert loaded.settings.graph.timeout_per_step == 7.0
    assert loaded.settings.graph.max_iterations == 20
    assert loaded.origins["graph.timeout_per_step"] == f"file {places.user_file}:3"
    assert loaded.origins["graph.max_iterations"] == f"file {places.project_file}:2"


def test_without_any_source_the_settings_are_the_defaults_and_say_so(places: Places) -> None:
    loaded = places.load()
    assert loaded.settings == Settings.model_validate({})
    assert set(loaded.origins.values()) == {"default"}
    assert [(file.path, file.exists) for file in loaded.files] == [
        (places.user_file, False),
        (places.project_file, False),
    ]


def test_every_value_has_an_origin(places: Places) -> None:
    origins = places.load().origins
    sections = {dotted(key[:end]) for key in known_keys() for end in range(1, len(key))}
    assert set(origins) == {dotted(key) for key in known_keys()} - sections


def test_tuning_of_one_model_is_merged_key_by_key(places: Places) -> None:
    places.write_user({"models": {"tuning": {"ollama:qwen2.5:7b": {"num_ctx": 1000, "max_tokens": 9}}}})
    loaded = places.load(flags={"models.tuning[ollama:qwen2.5:7b].num_ctx": 2000})
    tuned = loaded.settings.models.tuning["ollama:qwen2.5:7b"]
    assert (tuned.num_ctx, tuned.max_tokens) == (2000, 9)
    assert loaded.origins["models.tuning[ollama:qwen2.5:7b].max_tokens"].startswith("file ")


def test_one_key_of_a_profile_leaves_the_others_as_they_were(places: Places) -> None:
    places.write_user({"profiles": {"safe": {"tools": "full"}}})
    profile = places.load().settings.profiles.safe
    assert (profile.tools, profile.models, profile.memory) == ("full", "cloud", False)


def test_only_what_was_set_counts_as_set(places: Places) -> None:
    places.write_project({"models": {"planner": {"num_ctx": 1000}}})
    assert places.load().settings.models.planner.model_fields_set == {"num_ctx"}


def test_a_project_that_is_the_home_directory_has_one_file(places: Places) -> None:
    assert len(load_settings(places.root, env={}, home=places.root).files) == 1


def test_the_process_environment_and_home_are_used_when_none_are_given(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(places.home))
    monkeypatch.setenv("REFLECT_PROFILE", "safe")
    places.write_user({"model": "ollama:mine"})
    loaded = load_settings(places.root)
    assert (loaded.settings.profile, loaded.settings.model) == ("safe", "ollama:mine")


def test_a_home_that_is_a_file_holds_no_settings(places: Places) -> None:
    assert load_settings(places.root, env={}, home=Path("/dev/null")).settings.model is None


def test_a_root_that_is_no_directory_is_the_callers_mistake(places: Places) -> None:
    with pytest.raises(UsageError, match="missing is not a directory"):
        load_settings(places.root / "missing", env={}, home=places.home)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("graph.max_iterations", "many", 'is the text "many", expected a whole number from 5 to 1000'),
        ("graph.max_iterations", 2, "is the number 2, expected a whole number from 5 to 1000"),
        ("graph.max_plan_retries", True, "is true, expected a whole number from 0 to 10"),
        ("graph.timeout_per_step", 0, "is the number 0, expected a number above 0 and of at most 3600"),
        ("graph.max_iterations", None, "is nothing (null), expected a whole number"),
        ("profile", "prod", 'is the text "prod", expected one of safe, dev, sovereign'),
        ("reflect.enabled", "maybe", 'is the text "maybe", expected true or false'),
        ("reflect.read_only", False, "is false, expected true."),
        ("reflect.allowed_tools", ["ls", 3], 'is the list ["ls", 3], expected a list of texts'),
        ("model", 5, "is the number 5, expected text, or null"),
        ("models.default.timeout", float("inf"), "is the number Infinity, expected a number above 0"),
        ("models.worker.num_ctx", 1, "is the number 1, expected a whole number of at least 256, or null"),
        ("graph", 3, "`graph` is the number 3, expected a section"),
    ],
)
def test_a_wrong_value_is_told_with_file_line_key_finding_and_expectation(
    places: Places, key: str, value: Any, said: str
) -> None:
    places.write_project(_tree({key: value}))
    line = len(key.split("."))
    with pytest.raises(SettingsError) as raised:
        places.load()
    assert raised.value.what.startswith(f"file {places.project_file}:{line}: `{key}` ")
    assert said in raised.value.what
    assert "pydantic" not in str(raised.value)


def test_every_wrong_value_is_told_at_once(places: Places) -> None:
    places.write_project({"model": 5, "profile": "prod"})
    with pytest.raises(SettingsError) as raised:
        places.load(flags={"graph.max_iterations": 1})
    assert [line.split("`")[1] for line in raised.value.what.splitlines()] == [
        "model",
        "profile",
        "graph.max_iterations",
    ]


@pytest.mark.parametrize(
    ("flag", "near"),
    [
        ("graph.max_iteration", "Did you mean `graph.max_iterations`?"),
        ("profil", "Did you mean `profile`?"),
        ("max_commands", "Did you mean `reflect.max_commands`?"),
        ("qqqqqq", "`reflect config show` lists every key."),
        ("", "`reflect config show` lists every key."),
    ],
)
def test_an_unknown_flag_is_told_with_the_nearest_key(places: Places, flag: str, near: str) -> None:
    with pytest.raises(SettingsError, match="is not a setting") as raised:
        places.load(flags={flag: "x"})
    assert raised.value.what.startswith(f"flag --{flag}: ")
    assert raised.value.remedy == near


def test_a_flag_of_none_was_not_given(places: Places) -> None:
    assert places.load(flags={"profile": None}).origins["profile"] == "default"


def test_no_secret_is_told_in_an_error(places: Places) -> None:
    key, password = "sk-proj-abcdefghijklmnop", "hunter2hunter2"
    places.write_project(
        {"models": {"default": {"api_key_env": [key], "base_url": [f"http://me:{password}@host/"]}}}
    )
    with pytest.raises(SettingsError) as raised:
        places.load()
    assert key not in str(raised.value)
    assert password not in str(raised.value)
    assert str(raised.value).count("[hidden]") == 2
