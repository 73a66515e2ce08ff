"""What a look at a server means, whatever it answers; no server is asked here."""

from __future__ import annotations

import urllib.error
import urllib.request
from email.message import Message
from typing import Any

import pytest

from cli.host_checks import host_checks
from configs.settings import Settings
from models.fleet.health import look_at
from models.identifiers import ModelId
from models.ollama_health import opener_for
from models.role_settings import candidates
from models.selection import ModelChoice


def refusing(monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    def listed(address: str, key: str, timeout: float) -> Any:
        raise urllib.error.HTTPError(address, status, "no", Message(), None)

    monkeypatch.setattr("models.openai_health._listed", listed)


@pytest.mark.parametrize(
    ("status", "answers"), [(401, True), (403, True), (404, True), (429, False), (503, False)]
)
def test_who_refuses_to_list_its_models_may_answer_a_call(
    status: int, answers: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusing(monkeypatch, status)
    model = candidates(Settings(), ModelChoice(ModelId.parse("openai:m"), "test"), "worker")[0]
    found = look_at(model.at("http://box:1/v1"), 1.0)
    assert (found.answers, found.models) == (answers, None)


def test_the_doctor_speaks_of_a_key_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refusing(monkeypatch, 401)
    urls = ["http://one:1/v1", "http://two:1/v1"]
    checks = host_checks(
        Settings.model_validate({"model": "openai:m", "models": {"default": {"base_urls": urls}}})
    )
    assert [check.verdict for check in checks] == ["warning", "warning"]
    assert all("401" in check.found and "api_key_env" in check.remedy for check in checks)


@pytest.mark.parametrize(("address", "through"), [("http://127.0.0.1:1", False), ("http://box:1", True)])
def test_a_look_takes_the_way_of_a_call(address: str, through: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://proxy.example:3128")
    proxies = [one for one in opener_for(address).handlers if isinstance(one, urllib.request.ProxyHandler)]
    assert any(one.proxies for one in proxies) == through  # type: ignore[attr-defined]  # its constructor sets it


def test_a_look_at_ollama_takes_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def opener(address: str) -> Any:
        asked.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("models.ollama_health.opener_for", opener)
    model = candidates(Settings(), ModelChoice(ModelId.parse("ollama:m"), "test"), "worker")[0]
    assert not look_at(model.at("http://box:1"), 1.0).answers and asked == ["http://box:1"]
