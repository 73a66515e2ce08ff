from __future__ import annotations

import errno
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.artifacts import excerpt, store


@settings(max_examples=50, deadline=None)
@given(content=st.binary(max_size=2000))
def test_what_is_stored_is_read_back_under_its_hash(
    content: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = store(tmp_path_factory.getbasetemp() / "artifacts", content)
    assert path.read_bytes() == content
    assert path.name == f"{hashlib.sha256(content).hexdigest()}.txt"


def test_the_directory_is_made_and_holds_nothing_else(tmp_path: Path) -> None:
    directory = tmp_path / "deep" / "artifacts"
    path = store(directory, b"text")
    assert list(directory.iterdir()) == [path]


def test_the_same_content_is_written_once(tmp_path: Path) -> None:
    first = store(tmp_path, b"text")
    before = first.stat()
    assert store(tmp_path, b"text") == first
    assert (first.stat().st_ino, first.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_many_writers_of_one_content_leave_one_whole_file(tmp_path: Path) -> None:
    content = os.urandom(300_000)
    with ThreadPoolExecutor(16) as pool:
        paths = set(pool.map(lambda _: store(tmp_path / "a", content), range(64)))
    (path,) = paths
    assert path.read_bytes() == content and list((tmp_path / "a").iterdir()) == [path]


def test_a_full_disk_leaves_no_half_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(source: str, target: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        store(tmp_path, b"text")
    assert list(tmp_path.iterdir()) == []


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OSError):
        store(tmp_path / "file" / "artifacts", b"text")


@given(text=st.text(min_size=20, max_size=200), limit=st.integers(2, 20))
def test_an_excerpt_holds_head_tail_and_the_number_left_out(text: str, limit: int) -> None:
    half = limit // 2
    shown = excerpt(text, limit, "artifacts/x.txt")
    assert shown.startswith(text[:half] + "\n[... ") and shown.endswith(" ...]\n" + text[-half:])
    assert f"[... {len(text) - 2 * half} characters left out; whole output: artifacts/x.txt ...]" in shown


@pytest.mark.parametrize("above", [False, True])
def test_nothing_is_stored_behind_a_link(tmp_path: Path, above: bool) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(OSError, match="symbolic link"):
        store(tmp_path / "link" / "thread" if above else tmp_path / "link", b"text")
    assert list((tmp_path / "outside").iterdir()) == []
