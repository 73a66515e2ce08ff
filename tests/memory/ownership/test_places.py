from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from memory.errors import ProjectDirectoryUnwritable
from memory.ownership.places import FILE, Place, place_of


def test_a_project_is_the_same_under_every_path_and_after_a_move(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    first = place_of(tmp_path / "a")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert place_of(tmp_path / "link").identity == first.identity
    moved = (tmp_path / "a").rename(tmp_path / "b")
    assert place_of(moved).identity == first.identity
    assert str(tmp_path / "a") in first.shown and str(tmp_path / "b") in place_of(moved).shown


def test_a_copy_and_another_directory_at_the_same_path_are_other_projects(tmp_path: Path) -> None:
    root = tmp_path / "a"
    root.mkdir()
    first = place_of(root)
    copied = Path(shutil.copytree(root, tmp_path / "copy"))
    assert place_of(copied).identity != first.identity
    # Kept, so that its inode is not given to another file.
    root.rename(tmp_path / "kept")
    root.mkdir()
    assert place_of(root).identity != first.identity


def test_of_many_that_name_a_project_at_once_all_get_the_same_name(tmp_path: Path) -> None:
    found: list[Place] = []
    gate = threading.Barrier(8)

    def name() -> None:
        gate.wait()
        found.append(place_of(tmp_path))

    threads = [threading.Thread(target=name) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and len(set(found)) == 1
    assert sorted(path.name for path in (tmp_path / ".reflect").iterdir()) == [".gitignore", FILE]


def test_a_name_that_is_a_link_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("secret")
    (tmp_path / ".reflect").mkdir()
    (tmp_path / ".reflect" / FILE).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ProjectDirectoryUnwritable, match="link"):
        place_of(tmp_path)
    (tmp_path / "elsewhere").unlink()
    with pytest.raises(ProjectDirectoryUnwritable):
        place_of(tmp_path)
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("content", [b"", b"\xff\x00", b"../../etc", b"a" * 33])
def test_a_damaged_name_is_told_and_left(tmp_path: Path, content: bytes) -> None:
    place_of(tmp_path)
    path = tmp_path / ".reflect" / FILE
    path.write_bytes(content)
    with pytest.raises(ProjectDirectoryUnwritable, match="does not hold the name"):
        place_of(tmp_path)
    assert path.read_bytes() == content
