"""The reference of settings leaves none out, tells what is true, and is what docs/settings.md holds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from pydantic.fields import FieldInfo

from cli.main import main
from cli.settings_page import page
from cli.settings_reference import PINNED, groups
from configs.environment import read_layer
from configs.errors import SettingsError
from configs.keys import dotted, known_keys, place_at
from configs.loading import load_settings
from tests.support.processes import ROOT

ROWS = {row.key: row for group in groups() for row in group.rows}


def test_the_page_in_docs_is_up_to_date() -> None:
    kept = (ROOT / "docs" / "settings.md").read_text("utf-8")
    assert kept == page(), "run: reflect config reference > docs/settings.md"


def test_every_setting_has_one_row_and_no_row_is_of_anything_else() -> None:
    told = [key for row in ROWS.values() for key in row.keys if "NAME" not in key]
    settings = {dotted(key) for key in known_keys() if isinstance(place_at(key), FieldInfo)}
    assert len(told) == len(set(told)) and set(told) == settings


def test_entries_of_maps_are_told_as_well() -> None:
    assert {"mcp.servers.NAME.command", "research.search.mcp.NAME.tool", "models.tuning.NAME.num_ctx"} <= set(
        ROWS
    )


def test_every_setting_says_what_it_does_and_what_it_takes() -> None:
    unsaid = [row.key for row in ROWS.values() if not row.meaning.endswith(".")]
    assert unsaid == [], "give these fields a description, as a sentence"
    unreadable = [row.key for row in ROWS.values() if re.search("class '|typing|^$", row.takes)]
    assert unreadable == []


MAPS = {
    "models.tuning": ("num_ctx", 999),
    "mcp.servers": ("command", ["a"]),
    "research.search.mcp": ("command", ["a"]),
}


def test_every_variable_sets_the_setting_it_stands_beside() -> None:
    given, wanted = {}, {}
    for row in ROWS.values():
        for key in row.keys if row.variable else ():
            variable = row.variable.replace("__ROLE__", f"__{key.split('.')[-2:][0]}__".upper())
            given[variable] = json.dumps({"entry": dict([MAPS[key]])}) if key in MAPS else "null"
            wanted[f"{key}.entry.{MAPS[key][0]}" if key in MAPS else key] = f"environment {variable}"
    assert {dotted(key): setting.origin for key, setting in read_layer(given).items()} == wanted


def test_what_a_profile_decides_is_said_of_settings_and_profiles_that_exist() -> None:
    assert set(PINNED) <= set(ROWS)
    assert {name for told in PINNED.values() for name in told} <= {"safe", "sovereign"}


def _given(key: str, value: object) -> dict[str, Any]:
    names = key.split(".")
    tree: Any = value
    for name in reversed(names):
        tree = {name: tree}
    return dict(tree)


FORBIDDEN = [
    ("trust", True, "no"),
    ("mcp.servers", {"a": {"command": ["b"]}}, "no"),
    ("checkpoints.url_env", "DATABASE", "no"),
    ("tools.approval", "yes", "no higher than yours: dry_run, ask, yes"),
    ("profiles.dev.tools", "full", "no higher than yours: none, read_write, full"),
    ("traces.path", "/tmp/elsewhere", "below the root"),
    ("models.default.base_url", "http://models.example:1", "servers you know"),
    ("models.default.base_urls", ["http://127.0.0.1:1"], "no"),
    ("embeddings.base_url", "http://models.example:1", "servers you know"),
]


@pytest.mark.parametrize(("key", "value", "told"), FORBIDDEN, ids=[key for key, _, _ in FORBIDDEN])
def test_what_a_project_may_not_say_is_told_and_refused(
    tmp_path: Path, key: str, value: object, told: str
) -> None:
    root = tmp_path / "project"
    (root / ".reflect").mkdir(parents=True)
    (root / ".reflect" / "config.yaml").write_text(yaml.safe_dump(_given(key, value)))
    assert ROWS[key].project == told
    with pytest.raises(SettingsError, match=key):
        load_settings(root, env={}, home=tmp_path / "home")
    trusting = load_settings(root, env={"REFLECT_TRUST": "1"}, home=tmp_path / "home")
    assert trusting.trust.origin == "environment REFLECT_TRUST"


def test_what_a_project_may_say_counts(tmp_path: Path) -> None:
    (tmp_path / ".reflect").mkdir()
    (tmp_path / ".reflect" / "config.yaml").write_text("graph: {max_iterations: 7}\n")
    assert ROWS["graph.max_iterations"].project == "yes"
    loaded = load_settings(tmp_path, env={}, home=tmp_path / "home")
    assert loaded.settings.graph.max_iterations == 7


def test_the_command_prints_the_page_or_the_same_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "reference"]) == 0
    assert capsys.readouterr().out == page()
    assert main(["config", "reference", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == set(ROWS)
    assert told["graph.max_iterations"]["variable"] == "REFLECT_GRAPH__MAX_ITERATIONS"
    assert told["graph.max_iterations"]["takes"] == "a whole number from 5 to 1000"
