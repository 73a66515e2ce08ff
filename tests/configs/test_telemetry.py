"""Where telemetry may go: not where a project says, and in profile sovereign nowhere but here."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from configs.errors import SettingsError
from tests.configs.places import Places

HERE = ["http://localhost:4318", "http://127.0.0.1:4318/", "https://127.8.9.1", "http://[::1]:4318/otlp"]
ELSEWHERE = [
    "http://collector:4318",
    "https://otlp.example.org",
    "http://192.168.1.2:4318",
    "http://localhost.example.org",
    "http://127.0.0.1.nip.io:4318",
    "http://0.0.0.0:4318",
    "http://[::ffff:8.8.8.8]:4318",
    "http://localhost.:4318",
    "http://2130706433:4318",
]
NO_ADDRESS = [
    "localhost:4318",
    "grpc://localhost:4317",
    "http://",
    "http:// localhost",
    "http://user:password@localhost:4318",
    "http://localhost@collector.example",
    "http://localhost:4318/?key=1",
    "http://localhost:4318/#x",
    "http://collector.example\\@localhost",
    "http://localhost:99999",
    "",
]
ANY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places.under(tmp_path)


@pytest.mark.parametrize("profile", ["safe", "dev", "sovereign"])
@pytest.mark.parametrize("endpoint", [*HERE, *ELSEWHERE, *NO_ADDRESS])
def test_only_this_machine_is_told_in_profile_sovereign(places: Places, profile: str, endpoint: str) -> None:
    given_flags = {"profile": profile, "telemetry.endpoint": endpoint}
    refused = endpoint in NO_ADDRESS or (profile == "sovereign" and endpoint not in HERE)
    if not refused:
        assert places.load(given_flags).settings.telemetry.endpoint == endpoint
        return
    with pytest.raises(SettingsError, match=r"flag --telemetry.endpoint: `telemetry.endpoint` is") as raised:
        places.load(given_flags)
    assert "password" not in str(raised.value) and raised.value.remedy


def test_a_profile_that_is_made_local_is_as_strict(places: Places) -> None:
    flags = {"profile": "safe", "profiles.safe.models": "local", "telemetry.endpoint": ELSEWHERE[0]}
    with pytest.raises(SettingsError, match="the profile 'safe' sends nothing to other machines"):
        places.load(flags)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("endpoint", HERE[0]),
        ("endpoint", ELSEWHERE[0]),
        ("headers_env", "AWS_SECRET_ACCESS_KEY"),
        ("content", True),
        ("file", "../elsewhere.jsonl"),
        ("file", "/tmp/elsewhere.jsonl"),
    ],
)
def test_a_project_may_not_say_where_it_goes_nor_that_texts_are_told(
    places: Places, key: str, value: object
) -> None:
    places.write_project({"telemetry": {key: value}})
    with pytest.raises(SettingsError, match=f"telemetry.{key}"):
        places.load()
    assert getattr(places.load(env={"REFLECT_TRUST": "1"}).settings.telemetry, key) == value


def test_a_project_may_not_change_the_users_endpoint_nor_turn_texts_on_beside_it(places: Places) -> None:
    places.write_user({"telemetry": {"endpoint": ELSEWHERE[0], "content": False}})
    for said in ({"endpoint": HERE[0]}, {"content": True}, {"endpoint": None}):
        places.write_project({"telemetry": said})
        with pytest.raises(SettingsError):
            places.load()


@ANY
@given(name=st.sampled_from(["t.jsonl", ".reflect/telemetry.jsonl", "logs/a/b.json"]))
def test_a_project_may_name_a_file_of_its_own(places: Places, name: str) -> None:
    places.write_project({"telemetry": {"file": name}})
    loaded = places.load().settings.telemetry
    assert (loaded.file, loaded.endpoint, loaded.content) == (name, None, False)
