"""A place that only a project's own settings name lies below its root; the user may name any."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from configs.errors import SettingsError
from configs.keys import dotted, known_keys, place_at
from configs.layers import Setting, nest
from configs.loading import load_settings
from configs.locations import linked_out, located, locations
from tests.configs.places import Places

KEYS = st.sampled_from(sorted(locations()))
STEPS = st.sampled_from(["a", "..", ".", "out", "in", "loop", "new", "~", "a b"])
STARTS = st.sampled_from(["", "", "~/", "~", "/", "//", "ROOT/", "ROOT/../", "OUTSIDE/", "HOME/"])
WORDS = st.builds(lambda start, steps: start + "/".join(steps), STARTS, st.lists(STEPS, max_size=4))
ANY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def linked(places: Places) -> Places:
    """A project with a folder, a link in, a link out, and links in a circle."""
    (places.root / "a").mkdir()
    (places.root.parent / "outside").mkdir()
    for name, target in {"out": "../outside", "in": "a", "loop": "loop"}.items():
        (places.root / name).symlink_to(target)
    return places


def value_of(words: str, places: Places) -> str:
    for name, path in {
        "ROOT": places.root,
        "OUTSIDE": places.root.parent / "outside",
        "HOME": places.home,
    }.items():
        words = words.replace(name, str(path))
    return words


def tree(key: tuple[str, ...], value: object) -> dict[str, Any]:
    return nest({key: Setting(value, "")})


def is_below(places: Places, value: str) -> bool:
    """Where the system itself would end up, asked without any of the code under test."""
    tilde = value == "~" or value.startswith("~/")
    path = os.path.join(places.root, str(places.home) + value[1:] if tilde else os.path.expanduser(value))
    real, root = os.path.realpath(path), os.path.realpath(places.root)
    return os.path.commonpath([real, root]) == root


def refused(places: Places, **loading: Any) -> str:
    try:
        places.load(**loading)
    except SettingsError as error:
        return str(error)
    return ""


@ANY
@given(key=KEYS, words=WORDS)
def test_what_the_project_names_is_taken_only_below_the_root(
    linked: Places, key: tuple[str, ...], words: str
) -> None:
    value = value_of(words, linked)
    linked.write_project(tree(key, value))
    told = refused(linked)
    if told and "No home directory is known" in told:
        assert value.startswith("~") and value[1:2] not in ("", "/")
        return
    shipped = value == "~/.reflect" and key == ("experience", "global_root")
    assert bool(told) == (not is_below(linked, value) and not shipped), value
    if told:
        assert f"{linked.project_file}:" in told and dotted(key) in told and "lies outside" in told


@pytest.mark.parametrize("key", sorted(locations()), ids=dotted)
def test_no_setting_of_the_project_leads_out_in_any_known_way(linked: Places, key: tuple[str, ...]) -> None:
    for words in (
        "..",
        "../x",
        "a/../../x",
        "/x",
        "~",
        "~/x",
        "OUTSIDE",
        "out",
        "out/x",
        "ROOT/out/x",
        "in/../../x",
    ):
        linked.write_project(tree(key, value_of(words, linked)))
        assert dotted(key) in refused(linked), words
    for words in ("", ".", "new/x", "a/../x", "in/x", "ROOT/x", "out/../x"):
        linked.write_project(tree(key, value_of(words, linked)))
        # Where a link leads out, what is above it lies outside as well.
        assert bool(refused(linked)) == (words == "out/../x"), words


@ANY
@given(key=KEYS, words=WORDS, source=st.sampled_from(["user", "environment", "flag"]))
def test_what_the_user_names_is_never_refused_for_where_it_lies(
    linked: Places, key: tuple[str, ...], words: str, source: str
) -> None:
    value = value_of(words, linked)
    told = ""
    # What the project says below it does not count.
    linked.write_project(tree(key, "/elsewhere") if source != "user" else {})
    linked.write_user(tree(key, value) if source == "user" else {})
    if source == "environment" and value:
        told = refused(linked, env={"REFLECT_" + "__".join(key).upper(): value})
    elif source != "environment":
        told = refused(linked, flags={dotted(key): value} if source == "flag" else None)
    assert "lies outside" not in told
    assert not told or "No home directory is known" in told


@ANY
@given(key=KEYS, words=WORDS, users=WORDS)
def test_both_may_name_one_place_outside_if_the_user_means_it_to_lie_there(
    linked: Places, key: tuple[str, ...], words: str, users: str
) -> None:
    value, own = value_of(words, linked), value_of(users, linked)
    linked.write_user(tree(key, own))
    linked.write_project(tree(key, value))
    if refused(linked) or is_below(linked, value):
        return
    place = located(linked.root, value, linked.home)
    known = [own, "~/.reflect"] if key == ("experience", "global_root") else [own]
    same = [
        one
        for one in known
        if os.path.realpath(located(linked.root, one, linked.home)) == os.path.realpath(place)
    ]
    # A link below the root is no word of the user's.
    assert any(
        not Path(os.path.normpath(located(linked.root, one, linked.home))).is_relative_to(linked.root)
        for one in same
    )


def test_the_user_allows_a_place_by_naming_it_too(linked: Places) -> None:
    outside = str(linked.root.parent / "outside")
    linked.write_project({"traces": {"path": "out/logs"}, "research": {"search": {"index": outside}}})
    linked.write_user(
        {"traces": {"path": f"{outside}/logs"}, "research": {"search": {"index": "../outside"}}}
    )
    assert linked.load().settings.traces.path == "out/logs"
    linked.write_user({"traces": {"path": "out/logs"}, "research": {"search": {"index": outside}}})
    assert "traces.path" in refused(linked)


def test_the_settings_of_the_home_directory_are_the_users(linked: Places) -> None:
    linked.write_user({"traces": {"path": "/elsewhere"}})
    assert load_settings(linked.home, env={}, home=linked.home).settings.traces.path == "/elsewhere"
    other = linked.home.with_name("linked-home")
    other.symlink_to(linked.home)
    assert load_settings(linked.home, env={}, home=other).settings.traces.path == "/elsewhere"


def test_without_a_home_the_one_file_is_the_projects(linked: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", nobody)
    linked.write_project({"experience": {"global_root": "/elsewhere"}})
    with pytest.raises(SettingsError, match="lies outside"):
        load_settings(linked.root, env={})


@pytest.mark.parametrize("value", ["postgres://db.example/threads", "postgresql://db.example/threads"])
def test_an_address_of_a_server_is_no_place_on_the_disk(linked: Places, value: str) -> None:
    linked.write_project({"checkpoints": {"path": value}})
    assert linked.load({"trust": True}).settings.checkpoints.path == value
    told = refused(linked)
    assert "checkpoints.path" in told and "a server" in told and "lies outside" not in told
    linked.write_user({"checkpoints": {"path": value}})
    assert linked.load().settings.checkpoints.path == value
    linked.write_project({"traces": {"path": f"{value}/../../../../../elsewhere"}})
    assert "traces.path" in refused(linked)


def test_a_nul_is_told(linked: Places) -> None:
    linked.write_user({"traces": {"path": "a\0b"}})
    assert "traces.path" in refused(linked)


def test_every_setting_whose_default_is_a_place_is_known_to_be_one() -> None:
    fields = {key: place_at(key) for key in known_keys()}
    places = {
        key
        for key, field in fields.items()
        if isinstance(field, FieldInfo) and isinstance(field.default, str) and {"/", "."} & set(field.default)
    }
    # One that is unset by default does not look like a place.
    assert places | {("telemetry", "file")} == set(locations())


@ANY
@given(words=WORDS)
def test_only_a_link_leads_out_what_is_meant_to_lie_below_the_root(linked: Places, words: str) -> None:
    value = value_of(words, linked)
    try:
        out = linked_out(linked.root, value)
    except SettingsError:
        assert value.startswith("~")
        return
    if out:
        assert not value.startswith(("/", "~")) and not is_below(linked, value)
        assert {"out", "loop", "in"} & set(value.split("/"))
    elif not value.startswith(("/", "~")):
        assert is_below(linked, value) or ".." in value.split("/")
