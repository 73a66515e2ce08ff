from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from memory.errors import ProjectDirectoryUnwritable
from memory.json_lines import JsonLines
from memory.project_directory import ensure_project_directory


def test_the_directory_ignores_itself_and_an_ignore_file_of_yours_stays(tmp_path: Path) -> None:
    directory = ensure_project_directory(tmp_path)
    assert directory == tmp_path / ".reflect"
    assert (directory / ".gitignore").read_text() == "*\n"
    (directory / ".gitignore").write_text("mine\n")
    ensure_project_directory(tmp_path)
    assert (directory / ".gitignore").read_text() == "mine\n"


def test_whoever_writes_first_makes_the_ignore_file(tmp_path: Path) -> None:
    JsonLines(tmp_path / ".reflect" / "a" / "b.jsonl").append({})
    assert (tmp_path / ".reflect" / ".gitignore").read_text() == "*\n"


def test_a_store_elsewhere_gets_no_ignore_file(tmp_path: Path) -> None:
    JsonLines(tmp_path / "elsewhere" / "b.jsonl").append({})
    assert list(tmp_path.rglob(".gitignore")) == []


def test_only_the_nearest_project_is_touched(tmp_path: Path) -> None:
    project = tmp_path / ".reflect" / "project"
    project.mkdir(parents=True)
    JsonLines(project / ".reflect" / "b.jsonl").append({})
    assert list(tmp_path.rglob(".gitignore")) == [project / ".reflect" / ".gitignore"]


def test_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "project" / ".reflect").symlink_to(tmp_path / "outside")
    with pytest.raises(ProjectDirectoryUnwritable, match="leads out"):
        JsonLines(tmp_path / "project" / ".reflect" / "events.jsonl").append({})
    assert os.listdir(tmp_path / "outside") == []


def test_a_home_may_keep_its_memory_on_another_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    (tmp_path / "disk").mkdir()
    (tmp_path / "home" / ".reflect").symlink_to(tmp_path / "disk")
    JsonLines(tmp_path / "home" / ".reflect" / "experience" / "events.jsonl").append({})
    assert (tmp_path / "disk" / "experience" / "events.jsonl").is_file()


def test_a_file_in_its_place_is_reported_with_its_name(tmp_path: Path) -> None:
    (tmp_path / ".reflect").write_text("")
    with pytest.raises(ProjectDirectoryUnwritable, match=r"\.reflect"):
        ensure_project_directory(tmp_path)


@pytest.mark.integration
def test_git_status_stays_clean(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    JsonLines(tmp_path / ".reflect" / "experience" / "events.jsonl").append({})
    status = subprocess.run(
        ["git", "-C", str(tmp_path), "status", "--porcelain"], check=True, capture_output=True, text=True
    )
    assert status.stdout == ""
