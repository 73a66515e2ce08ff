"""Data and programs in pages can be read by what reads them."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
import yaml

from configs.loading import load_settings
from configs.settings import Settings
from tests.docs.pages import Fence, pages

FENCES = [fence for page in pages() for fence in page.fences]
LANGUAGES = {"sh", "python", "json", "yaml", "toml", "mermaid", "text", "console", "markdown"}


def of(language: str) -> list[Fence]:
    return [fence for fence in FENCES if fence.language == language]


def test_every_block_names_its_language() -> None:
    assert [fence.place for fence in FENCES if fence.language not in LANGUAGES] == []


def test_json_and_toml_parse() -> None:
    assert of("json")
    for fence in of("json"):
        json.loads(fence.text)
    for fence in of("toml"):
        tomllib.loads(fence.text)


def test_python_compiles() -> None:
    assert of("python")
    for fence in of("python"):
        compile(fence.text, fence.place, "exec", flags=0x2000)  # top-level await, as a notebook allows it


@pytest.mark.parametrize("fence", of("yaml"), ids=lambda fence: fence.place)
def test_settings_are_ones_a_user_may_have(fence: Fence, tmp_path: Path) -> None:
    told = yaml.safe_load(fence.text)
    if not set(told) <= set(Settings.model_fields):
        assert fence.comment, f"{fence.place}: no settings; say before the block what it is"
        return
    (tmp_path / "home" / ".reflect").mkdir(parents=True)
    (tmp_path / "home" / ".reflect" / "config.yaml").write_text(fence.text, "utf-8")
    loaded = load_settings(tmp_path, env={}, home=tmp_path / "home")
    assert any(origin.startswith("file ") for origin in loaded.origins.values())
