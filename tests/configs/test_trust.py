"""A project that the user trusts says whatever it likes; nobody else can vouch for it."""

from __future__ import annotations

from typing import Any

import pytest

from configs.errors import SettingsError
from configs.loading import LoadedSettings, load_settings
from tests.configs.places import Places

RAISING = {"tools": {"approval": "yes"}, "traces": {"path": "/elsewhere"}}


@pytest.fixture
def raising(places: Places) -> Places:
    places.write_project(RAISING)
    return places


def is_taken(loaded: LoadedSettings) -> bool:
    return (loaded.settings.tools.approval, loaded.settings.traces.path) == ("yes", "/elsewhere")


@pytest.mark.parametrize(
    "how",
    [{"env": {"REFLECT_TRUST": "1"}}, {"env": {"REFLECT_TRUST": "true"}}, {"flags": {"trust": True}}],
)
def test_one_run_trusts_the_project_it_runs_in(raising: Places, how: dict[str, Any]) -> None:
    loaded = raising.load(**how)
    assert is_taken(loaded) and set(loaded.trust.keys) == {"traces.path", "tools.approval"}
    assert loaded.trust.origin in ("environment REFLECT_TRUST", "flag --trust")


@pytest.mark.parametrize("word", ["", "0", "false", "null"])
def test_a_variable_that_does_not_say_yes_trusts_nothing(raising: Places, word: str) -> None:
    with pytest.raises(SettingsError, match="tools.approval|REFLECT_TRUST|`trust`"):
        raising.load(env={"REFLECT_TRUST": word})


def test_a_listed_project_is_trusted_and_no_other(raising: Places) -> None:
    link = raising.root.parent / "link"
    link.symlink_to(raising.root)
    for listed in (str(raising.root), f"{raising.root}/", str(link), f"{raising.root}/../project"):
        raising.write_user({"trusted_projects": ["/nowhere", listed]})
        assert is_taken(raising.load())
        assert raising.load().trust.origin == f"file {raising.user_file}:1"
    for listed in (str(raising.root.parent), f"{raising.root}/.reflect", "/", f"{raising.root}x"):
        raising.write_user({"trusted_projects": [listed]})
        with pytest.raises(SettingsError, match="tools.approval"):
            raising.load()


def test_a_place_below_the_home_is_listed_with_its_sign(places: Places) -> None:
    other = Places(places.home, places.home / "work")
    other.project_file.parent.mkdir(parents=True)
    other.write_project(RAISING)
    other.write_user({"trusted_projects": ["~/work"]})
    assert is_taken(other.load())


@pytest.mark.parametrize("listed", [".", "", "project", "../project"])
def test_a_path_that_means_another_place_in_each_project_is_refused(raising: Places, listed: str) -> None:
    raising.write_user({"trusted_projects": [listed]})
    with pytest.raises(SettingsError, match="no full path"):
        raising.load()


def test_a_project_cannot_vouch_for_itself(places: Places) -> None:
    for vouching in ({"trust": True}, {"trusted_projects": [str(places.root)]}):
        places.write_project(RAISING | vouching)
        with pytest.raises(SettingsError, match="vouch for itself"):
            places.load()


def test_the_line_to_write_is_told_and_works(raising: Places) -> None:
    with pytest.raises(SettingsError) as raised:
        raising.load()
    line = raised.value.remedy.split("put `")[1].split("`")[0]
    assert str(raising.user_file) in raised.value.remedy
    raising.user_file.write_text(line + "\n", "utf-8")
    assert is_taken(raising.load())


def test_the_users_own_file_needs_no_trust(places: Places) -> None:
    places.write_user(RAISING)
    assert is_taken(places.load()) and places.load().trust.keys == ()
    assert is_taken(load_settings(places.home, env={}, home=places.home))


def test_a_trusted_project_that_raises_nothing_says_so(places: Places) -> None:
    places.write_project({"tools": {"approval": "dry_run"}})
    assert places.load({"trust": True}).trust.keys == ()
