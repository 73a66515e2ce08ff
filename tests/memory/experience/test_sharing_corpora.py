"""Which corpora of a project are shared with other hosts."""

from __future__ import annotations

from pathlib import Path

import pytest

from configs.files import SETTINGS_FILE
from configs.loading import load_settings
from memory.corpus import HybridExperience
from memory.corpus_opening import open_experience
from tests.support.hashing_embedder import HashingEmbedder

URL = "postgres://ann@127.0.0.1:1/records"


def opened(root: Path, home: Path, global_root: str) -> HybridExperience:
    """The corpora of a project whose own file names the global one."""
    (root / SETTINGS_FILE).parent.mkdir(parents=True, exist_ok=True)
    (root / SETTINGS_FILE).write_text(f"experience: {{global_root: {global_root}}}\n")
    env = {"REFLECT_EXPERIENCE__URL_ENV": "RECORDS"}
    return open_experience(load_settings(root, {}, env, home).settings, root, HashingEmbedder, home)


@pytest.mark.parametrize("named", ["shipped", "./.reflect/of-mine", "link"])
def test_a_directory_of_the_project_is_not_the_users_experience(
    named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECORDS", URL)
    root = tmp_path / "project"
    (root / "shipped").mkdir(parents=True)
    (root / "link").symlink_to("shipped")
    corpus = opened(root, tmp_path / "home", named)
    assert corpus.shared is not None
    assert (corpus.shared.shared_as, corpus.shared.mirror, corpus.shared.vectors.corpus) == ("", None, "")
    [told] = corpus.problems()
    assert "inside the project" in told and "global_root" in told


def test_the_usual_place_is_shared_wherever_the_project_lies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RECORDS", URL)
    corpus = opened(tmp_path, tmp_path / "home", "~/.reflect")
    assert corpus.shared is not None
    assert (corpus.shared.shared_as, corpus.problems()) == ("global", [])
