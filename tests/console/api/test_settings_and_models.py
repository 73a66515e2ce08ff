"""Settings with their layers, checks, and the models within reach, whether or not Ollama is there."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from starlette.testclient import TestClient

from configs.keys import dotted
from configs.layers import leaves
from configs.loading import load_settings
from console.api.models import in_time


def told(client: TestClient, path: str, **asked: Any) -> dict[str, Any]:
    answer = client.get(f"/console/api/{path}", params=asked)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def configure(directory: Path, text: str) -> None:
    (directory / ".reflect").mkdir(exist_ok=True)
    (directory / ".reflect" / "config.yaml").write_text(text)


def test_every_setting_is_told_with_the_layer_it_comes_from(
    client: TestClient, served: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(home, "graph: {max_iterations: 30}\nexperience: {top_k: 7}\n")
    configure(served, "experience: {top_k: 9}\n")
    monkeypatch.setenv("REFLECT_PROFILE", "safe")
    found = told(client, "settings")
    rows = {one["key"]: one for one in found["values"]}
    assert set(rows) == {dotted(key) for key, _, _ in leaves(load_settings(served).settings)}
    assert found["root"] == str(served)
    assert (rows["graph.max_iterations"]["value"], rows["experience.top_k"]["value"]) == (30, 9)
    assert str(home) in rows["graph.max_iterations"]["source"]
    assert str(served) in rows["experience.top_k"]["source"]
    assert rows["profile"]["source"] == "environment REFLECT_PROFILE"
    assert rows["reflect.enabled"]["source"] == "default"


def test_no_secret_of_a_setting_is_told(client: TestClient, home: Path) -> None:
    configure(
        home,
        "checkpoints: {path: 'postgres://me:hunter2@db/x'}\n"
        "models: {default: {api_key_env: sk-abcdefghijklmnop1234}}\n",
    )
    answer = client.get("/console/api/settings")
    assert answer.status_code == 200
    assert "hunter2" not in answer.text and "abcdefghijklmnop" not in answer.text


@pytest.mark.parametrize("text", ["graph: {max_iterations: many}", "a: [", "nothing_known: 1", "\x00"])
@pytest.mark.parametrize("path", ["settings", "models", "experience", "threads"])
def test_a_wrong_settings_file_is_told_by_its_name(
    client: TestClient, served: Path, text: str, path: str
) -> None:
    configure(served, text)
    answer = client.get(f"/console/api/{path}")
    assert answer.status_code == 400 and "config.yaml" in answer.json()["error"]


def test_a_project_may_not_give_what_only_its_user_may(client: TestClient, served: Path) -> None:
    configure(served, "checkpoints: {url_env: HOME}\n")
    assert client.get("/console/api/settings").status_code == 400


def test_what_a_trusted_project_gives_is_a_warning(client: TestClient, served: Path, home: Path) -> None:
    configure(served, "experience: {global_root: /tmp}\n")
    configure(home, f"trusted_projects: ['{served}']\n")
    assert "experience.global_root" in told(client, "settings")["warnings"][0]


def test_checks_are_those_of_the_doctor(client: TestClient, served: Path) -> None:
    checks = {one["name"]: one for one in told(client, "checks")["checks"]}
    assert {"python", "settings", "ollama", "model in use", "embeddings", "sandbox", "checkpoints"} <= set(
        checks
    )
    assert checks["ollama"]["level"] == "warning" and "ollama serve" in checks["ollama"]["remedy"]
    assert all(one["ok"] == (one["level"] != "problem") for one in checks.values())
    configure(served, "graph: {max_iterations: many}\n")
    [_, wrong] = told(client, "checks")["checks"]
    assert not wrong["ok"] and wrong["level"] == "problem"


def test_without_ollama_the_embedded_model_is_used_and_the_remedy_is_told(client: TestClient) -> None:
    found = told(client, "models")
    assert (found["default"], found["reason"]) == ("embedded:gemma-3-270m", "Ollama does not answer")
    assert [one["name"] for one in found["available"]] == ["embedded:gemma-3-270m"]
    assert found["available"][0]["size_bytes"] > 2e8
    assert "ollama serve" in found["problems"][0]


def test_each_of_several_servers_that_is_away_is_told(client: TestClient, home: Path) -> None:
    configure(home, "models: {default: {base_urls: ['none://one', 'none://two']}}\n")
    found = told(client, "models")
    assert found["default"] == "embedded:gemma-3-270m"
    away = [problem for problem in found["problems"] if "not running" in problem]
    assert ["none://one" in problem for problem in away] == [True, False]
    assert ["none://two" in problem for problem in away] == [False, True]


def test_a_login_in_an_address_is_told_nowhere(client: TestClient, home: Path) -> None:
    configure(home, "models: {default: {base_urls: ['none://bob:hunter2@one', 'none://bob:hunter2@two']}}\n")
    found = told(client, "models")
    assert "hunter2" not in str(found) and "[hidden]@one" in str(found["problems"])


def test_models_the_settings_name_can_be_chosen(client: TestClient, home: Path) -> None:
    configure(
        home,
        "model: openai:big\n"
        "models:\n"
        "  planner: {name: 'ollama:planner', fallback: embedded}\n"
        "  critic: {name: 'nobody knows'}\n"
        "  tuning: {'openai:tuned': {temperature: 1}}\n",
    )
    found = told(client, "models")
    named = {one["name"]: one["provider"] for one in found["available"]}
    assert named == {
        "embedded:gemma-3-270m": "embedded",
        "openai:big": "openai",
        "ollama:planner": "ollama",
        "openai:tuned": "openai",
    }
    assert (found["default"], found["reason"]) == ("openai:big", "as set")
    assert any("nobody knows" in problem for problem in found["problems"])


def test_a_model_the_profile_forbids_is_a_problem(client: TestClient, home: Path) -> None:
    configure(home, "model: openai:big\nprofile: sovereign\n")
    assert any("sovereign" in problem for problem in told(client, "models")["problems"])


def test_an_answer_does_not_wait_for_what_hangs() -> None:
    never = Event()
    try:
        assert in_time(never.wait, 0.01, "late") == "late"
        assert in_time(lambda: "there", 60, "late") == "there"
    finally:
        never.set()
