import subprocess
from pathlib import Path

import pytest

from evals.fixture_repository import build_fixture_repository


def facts(root: Path) -> tuple[str, dict[str, tuple[int, int]]]:
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    found = [
        path for path in root.rglob("*") if path.is_file() and ".git" not in path.relative_to(root).parts
    ]
    return head, {str(p.relative_to(root)): (p.stat().st_size, p.stat().st_mtime_ns) for p in found}


def test_the_project_is_the_same_every_time(tmp_path: Path) -> None:
    one = build_fixture_repository(tmp_path / "one")
    other = build_fixture_repository(tmp_path / "other")
    assert facts(one) == facts(other)


def test_a_place_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError):
        build_fixture_repository(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
