import json

import httpx
import ollama
import openai
import pytest

from configs.settings import DefaultModelSettings
from models.errors import (
    ModelError,
    ModelFailed,
    ModelMissing,
    ModelReplyInvalid,
    ModelRequestRefused,
    ModelTimeout,
    ModelUnavailable,
)
from models.identifiers import ModelId
from models.provider_errors import translate
from models.role_settings import ResolvedModel
from models.usage import Usage

REQUEST = httpx.Request("POST", "http://box:1/x")


def model(provider: str) -> ResolvedModel:
    address = "http://box:1" if provider in ("ollama", "openai") else ""
    return ResolvedModel(ModelId.parse(f"{provider}:m"), DefaultModelSettings(), address)


def openai_status(kind: type[openai.APIStatusError], status: int) -> openai.APIStatusError:
    return kind("no", response=httpx.Response(status, request=REQUEST), body=None)


def json_error() -> Exception:
    try:
        json.loads('{"model": "x", "mess')
    except ValueError as error:
        return error
    raise AssertionError("half a line is no JSON")


@pytest.mark.parametrize(
    ("provider", "error", "kind", "said"),
    [
        ("ollama", httpx.ConnectError("refused"), ModelUnavailable, "ollama serve"),
        ("ollama", ConnectionError("Failed to connect to Ollama."), ModelUnavailable, "ollama serve"),
        ("ollama", httpx.ConnectTimeout("slow"), ModelUnavailable, "http://box:1"),
        ("ollama", httpx.ReadTimeout(""), ModelTimeout, "120 seconds"),
        ("ollama", TimeoutError(), ModelTimeout, "120 seconds"),
        ("ollama", ollama.ResponseError("model 'm' not found", 404), ModelMissing, "ollama pull m"),
        ("ollama", ollama.ResponseError("runner has terminated", 500), ModelFailed, "runner has terminated"),
        (
            "ollama",
            ollama.ResponseError("does not support chat", 400),
            ModelRequestRefused,
            "does not support chat",
        ),
        ("ollama", ollama.ResponseError("unexpected EOF"), ModelFailed, "unexpected EOF"),
        ("ollama", httpx.RemoteProtocolError("peer closed connection"), ModelFailed, "broke off"),
        ("ollama", httpx.ReadError("reset"), ModelFailed, "broke off"),
        ("ollama", json_error(), ModelFailed, "broke off"),
        ("ollama", httpx.UnsupportedProtocol("missing scheme"), ModelUnavailable, "base_url"),
        ("openai", openai.APIConnectionError(request=REQUEST), ModelUnavailable, "Start the server"),
        ("openai", openai.APITimeoutError(REQUEST), ModelTimeout, "120 seconds"),
        ("openai", openai_status(openai.NotFoundError, 404), ModelMissing, "name"),
        ("openai", openai_status(openai.AuthenticationError, 401), ModelUnavailable, "api_key_env"),
        ("openai", openai_status(openai.BadRequestError, 400), ModelRequestRefused, "400"),
        ("openai", openai_status(openai.RateLimitError, 429), ModelUnavailable, "429"),
        ("openai", openai_status(openai.InternalServerError, 503), ModelFailed, "503"),
        ("embedded", RuntimeError("engine"), ModelFailed, "engine"),
        ("scripted", KeyError(), ModelFailed, "KeyError"),
    ],
)
def test_every_librarys_error_becomes_ours_with_a_remedy(
    provider: str, error: Exception, kind: type[ModelError], said: str
) -> None:
    found = translate(error, model(provider))
    assert type(found) is kind
    assert found.remedy and said in str(found)
    assert f"{provider}:m" in found.what or "http://box:1" in found.what


def test_our_own_errors_pass_through() -> None:
    error = ModelMissing("gone", "look")
    assert translate(error, model("embedded")) is error


def test_a_long_detail_is_bounded() -> None:
    assert len(translate(RuntimeError("x" * 10_000), model("embedded")).what) < 700


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (httpx.RemoteProtocolError("peer closed connection"), True),
        (httpx.ReadError("reset"), True),
        (httpx.ConnectTimeout("slow"), True),
        (ConnectionResetError(), True),
        (ollama.ResponseError("runner has terminated", 500), True),
        (openai_status(openai.InternalServerError, 503), True),
        (httpx.ConnectError("refused"), False),
        (httpx.ReadTimeout(""), False),
        (TimeoutError(), False),
        (ollama.ResponseError("model 'm' not found", 404), False),
        (ollama.ResponseError("does not support chat", 400), False),
        (openai_status(openai.RateLimitError, 429), False),
        (openai_status(openai.AuthenticationError, 401), False),
    ],
    ids=lambda value: type(value).__name__,
)
def test_only_a_lost_connection_and_a_servers_own_error_may_pass(error: Exception, again: bool) -> None:
    assert translate(error, model("ollama")).transient is again


def test_what_openai_wraps_is_looked_at() -> None:
    lost = openai.APIConnectionError(request=REQUEST)
    lost.__cause__ = httpx.RemoteProtocolError("peer closed connection")
    refused = openai.APIConnectionError(request=REQUEST)
    refused.__cause__ = httpx.ConnectError("refused")
    assert translate(lost, model("openai")).transient and not translate(refused, model("openai")).transient


def test_no_error_of_a_model_tells_the_login_of_its_address() -> None:
    address = "http://bob:hunter2@box:1"
    lost = ResolvedModel(ModelId.parse("ollama:m"), DefaultModelSettings(), address)
    told = [
        translate(error, lost)
        for error in (
            TimeoutError(),
            httpx.ConnectError("refused"),
            ollama.ResponseError("no such option", 400),
        )
    ]
    told.append(ModelReplyInvalid(f"No reply of {address}.", f"Ask {address}.", "raw", Usage("worker", "m")))
    for error in told:
        assert "hunter2" not in f"{error} {error.what} {error.remedy}" and "[hidden]@box:1" in error.what
