import asyncio
import json
from pathlib import Path

import pytest

from configs.errors import SettingsError
from configs.loading import load_settings
from configs.settings import Settings
from tools.errors import SearchForbidden, SearchUnavailable
from tools.search.opening import open_backend


def settings(profile: str = "dev", **search: object) -> Settings:
    return Settings.model_validate(
        {"profile": profile, "research": {"search": {"embedder": "none", **search}}}
    )


def test_a_file_of_items_is_searched_with_its_problems_told(tmp_path: Path) -> None:
    items = [
        {"url": "https://a.example/1", "description": "台積電第三季營收成長。"},
        {"url": "https://a.example/1/", "description": "台積電第三季營收成長。"},
        {"url": "https://a.example/2", "description": ""},
        {"name": "no address"},
    ]
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, items)))
    backend = open_backend(settings(), tmp_path, "items.jsonl")
    found = asyncio.run(backend.search("台积电的营收", 5))
    assert [item.url for item in found] == ["https://a.example/1"]
    told = "\n".join(backend.notes)
    assert "items.jsonl:4" in told and "1 items" in told


def test_the_root_itself_is_the_corpus_when_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("The ferry opens in May.")
    backend = open_backend(settings(), tmp_path)
    assert backend.name == "folder"
    assert [item.url for item in asyncio.run(backend.search("ferry", 5))] == ["notes.md"]
    assert (tmp_path / ".reflect" / "research" / ".gitignore").read_text() == "*\n"


def test_an_index_is_not_written_out_of_the_root(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / ".reflect").symlink_to(outside)
    (root / "notes.md").write_text("The ferry opens in May.")
    assert asyncio.run(open_backend(settings(), root).search("ferry", 5))
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("place", ["outside", "../outside", "~/outside"])
def test_only_the_user_has_an_index_kept_outside_of_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    monkeypatch.setenv("HOME", str(tmp_path))
    file = root / ".reflect" / "config.yaml"
    file.parent.mkdir(parents=True)
    (root / "notes.md").write_text("The ferry opens in May.")
    index = str(outside) if place == "outside" else place
    file.write_text(json.dumps({"research": {"search": {"embedder": "none", "index": index}}}))
    with pytest.raises(SettingsError, match="lies outside"):
        load_settings(root)
    assert not outside.exists()
    loaded = load_settings(root, {"research.search.index": index}).settings
    assert asyncio.run(open_backend(loaded, root).search("ferry", 5))
    assert len(list(outside.iterdir())) > 1


@pytest.mark.parametrize("corpus", ["missing", "missing.jsonl", "picture.png", "chroma:missing#x"])
def test_a_corpus_that_is_none_is_an_error(tmp_path: Path, corpus: str) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    with pytest.raises(SearchUnavailable):
        open_backend(settings(), tmp_path, corpus)


@pytest.mark.parametrize("corpus", ["searxng", "duckduckgo"])
def test_searches_of_the_web_are_off_unless_allowed_and_never_sovereign(tmp_path: Path, corpus: str) -> None:
    url = "http://127.0.0.1:8080"
    with pytest.raises(SearchForbidden, match=r"not allowed.*research\.search\.web"):
        open_backend(settings(searxng_url=url), tmp_path, corpus)
    with pytest.raises(SearchForbidden, match="sovereign"):
        open_backend(settings("sovereign", web=True, searxng_url=url), tmp_path, corpus)


def test_searxng_needs_an_address(tmp_path: Path) -> None:
    with pytest.raises(SearchUnavailable, match="searxng_url"):
        open_backend(settings(web=True), tmp_path, "searxng")
