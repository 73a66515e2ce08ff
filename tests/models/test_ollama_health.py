import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ollama._client import _parse_host

from configs.settings import Settings
from models.ollama_health import (
    DEFAULT_ADDRESS,
    default_ollama_address,
    embedding_address,
    ollama_address,
    ollama_addresses,
    ollama_status,
    request_to,
)

PORTS = st.one_of(st.just(""), st.integers(1, 65535).map(lambda port: f":{port}"))
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


def explicit(address: str) -> str:
    """The address with its port written out, as Ollama's client writes it."""
    scheme, _, rest = address.partition("://")
    return address if ":" in rest.rpartition("]")[2] else address + DEFAULT_PORTS[scheme]


@given(
    st.sampled_from(["", "http://", "https://"]),
    st.sampled_from(["box", "10.0.0.7", "[::1]", "a.example"]),
    PORTS,
)
def test_ollama_host_means_what_ollamas_own_client_reads(scheme: str, host: str, port: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OLLAMA_HOST", f"{scheme}{host}{port}")
        assert explicit(default_ollama_address()) == _parse_host(f"{scheme}{host}{port}")


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("", DEFAULT_ADDRESS),
        ("  ", DEFAULT_ADDRESS),
        (":1234", "http://127.0.0.1:1234"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:99", "http://127.0.0.1:99"),
        ("http://0.0.0.0:99/", "http://127.0.0.1:99"),
    ],
)
def test_a_listening_address_becomes_one_to_connect_to(
    host: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert default_ollama_address() == address


def test_a_base_url_wins_over_ollama_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "box:1")
    settings = Settings.model_validate(
        {"models": {"default": {"base_url": "one:2/"}, "worker": {"base_url": "https://two"}}}
    )
    assert ollama_address(settings, "planner") == "http://one:2"
    assert ollama_address(settings, "worker") == "https://two"
    assert ollama_address(Settings(), "worker") == "http://box:1"


def test_several_addresses_win_over_one_and_a_roles_own_over_the_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", "box:1")
    several = {"base_url": "one:1", "base_urls": ["a:1", "b:2/", "http://a:1"]}
    settings = Settings.model_validate({"models": {"default": several, "worker": {"base_url": "two:2"}}})
    assert ollama_addresses(settings, "planner") == ("http://a:1", "http://b:2")
    assert ollama_addresses(settings, "worker") == ("http://two:2",)
    assert ollama_addresses(Settings(), "worker") == ("http://box:1",)


def test_embeddings_have_their_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OLLAMA_HOST", raising=False)
    settings = Settings.model_validate({"models": {"default": {"base_url": "http://vllm:8000/v1"}}})
    assert embedding_address(settings) == DEFAULT_ADDRESS


def test_an_address_of_another_kind_is_told() -> None:
    status = ollama_status("ftp://box", 0.1)
    assert not status.reachable and "ftp://box" in status.problem


@pytest.mark.parametrize("login", ["token", "me:p%40ss", "me:", "me:a:b"])
def test_a_look_sends_the_credentials_that_the_client_of_the_chat_sends(login: str) -> None:
    sent: list[str] = []

    def answered(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers["Authorization"])
        return httpx.Response(200)

    with httpx.Client(base_url=f"http://{login}@box:1", transport=httpx.MockTransport(answered)) as client:
        client.get("/x")
    assert [request_to(f"http://{login}@box:1/x").get_header("Authorization")] == sent
