"""Which servers the settings let experience be kept on."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.errors import SettingsError
from configs.settings import Settings
from memory.errors import ExperiencePlaceInvalid, MemoryStoreError
from memory.experience.chroma_address import chroma_server
from memory.experience.places import ExperiencePlaces, experience_places

names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=20)


def settings(profile: str = "dev", **experience: object) -> Settings:
    return Settings.model_validate({"profile": profile, "experience": experience})


def test_nothing_is_shared_unless_a_setting_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("URL", "postgres://ann@db.example.org/records")
    assert experience_places(settings(project_id="ships")) == ExperiencePlaces("", "ships", None)
    places = experience_places(settings(url_env="URL"))
    assert (places.shared_as("global"), places.shared_as("project")) == ("global", "")
    named = experience_places(settings(url_env="URL", project_id="global"))
    assert (named.shared_as("global"), named.shared_as("project")) == ("global", "project:global")


@pytest.mark.parametrize("value", ["", "mysql://db", "postgres", "/tmp/x", "http://127.0.0.1:8000"])
def test_a_variable_that_holds_no_database(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("URL", value)
    with pytest.raises(ExperiencePlaceInvalid, match="url_env"):
        experience_places(settings(url_env="URL"))


@pytest.mark.parametrize(
    "value",
    ["", "127.0.0.1:8000", "ftp://host", "http://", "http://host:x", "http://host/path", "http://host?a=b",
     "http://good\\@evil", "postgres://host", "http://[::1", "http://host:70000"],
)  # fmt: skip
def test_a_variable_that_holds_no_chroma_server(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("URL", value)
    with pytest.raises(ExperiencePlaceInvalid, match="chroma_url_env") as told:
        experience_places(settings(chroma_url_env="URL"))
    assert not value or value not in told.value.what


@pytest.mark.parametrize(
    ("key", "here", "elsewhere"),
    [
        ("url_env", "postgres://ann:pw@localhost/x", "postgres://ann:pw@db.example.org/x"),
        ("url_env", "postgres:///x?host=/run/postgresql", "postgres://ann@127.0.0.1,10.0.0.2/x"),
        ("chroma_url_env", "http://127.0.0.1:8000", "http://10.0.0.2:8000"),
        ("chroma_url_env", "https://[::1]", "https://localhost.example.org"),
    ],
)
def test_a_profile_that_keeps_all_here_allows_this_machine_only(
    monkeypatch: pytest.MonkeyPatch, key: str, here: str, elsewhere: str
) -> None:
    for value in (here, elsewhere):
        monkeypatch.setenv("URL", value)
        assert experience_places(settings(**{key: "URL"})) != ExperiencePlaces()
    with pytest.raises(ExperiencePlaceInvalid, match="keeps all on this machine"):
        experience_places(settings("sovereign", **{key: "URL"}))
    monkeypatch.setenv("URL", here)
    assert experience_places(settings("sovereign", **{key: "URL"})) != ExperiencePlaces()


@given(name=names, password=names, port=st.integers(1, 65535))
def test_a_login_is_sent_and_never_shown(name: str, password: str, port: int) -> None:
    server = chroma_server(f"https://{quote(name, '')}:{quote(password, '')}@db.example.org:{port}")
    assert (server.host, server.port, server.secure) == ("db.example.org", port, True)
    assert base64.b64decode(server.authorization.removeprefix("Basic ")).decode() == f"{name}:{password}"
    assert str(server) == f"https://db.example.org:{port}" and server.authorization not in repr(server)
    token = chroma_server(f"http://{quote(name, '')}@db.example.org")
    assert (token.authorization, token.port) == (f"Bearer {name}", 8000)


def test_the_address_of_a_database_is_never_shown() -> None:
    assert "hush" not in repr(ExperiencePlaces("postgres://ann:hush@db/x", "ships"))


@given(st.text(max_size=60))
def test_any_text_is_an_address_or_told(text: str) -> None:
    try:
        server = chroma_server(text)
    except MemoryStoreError as error:
        assert error.remedy
    else:
        assert text.strip().lower().startswith("http") and server.host


def test_a_project_id_has_letters() -> None:
    with pytest.raises(ValueError, match="project_id"):
        settings(project_id="")
    assert issubclass(ExperiencePlaceInvalid, MemoryStoreError) and not issubclass(
        ExperiencePlaceInvalid, SettingsError
    )
