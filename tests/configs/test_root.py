"""Which texts name a root."""

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from configs import root
from configs.errors import RootMissing, UsageError
from configs.root import resolve_root


def test_a_root_is_absolute_and_free_of_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    monkeypatch.chdir(tmp_path)
    assert resolve_root("link") == tmp_path.resolve() / "real"


def test_the_home_directory_may_be_written_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert resolve_root("~") == tmp_path.resolve()


@pytest.mark.parametrize(("name", "problem"), [("missing", "does not exist"), ("file.txt", "is a file")])
def test_what_is_no_directory_is_refused_by_name(tmp_path: Path, name: str, problem: str) -> None:
    (tmp_path / "file.txt").write_text("")
    with pytest.raises(UsageError, match=f"{name}.*{problem}") as raised:
        resolve_root(str(tmp_path / name))
    assert "--root" in raised.value.remedy


def test_a_current_directory_that_was_deleted_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    with pytest.raises(UsageError, match="no longer exists"):
        resolve_root(".")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list every directory")
def test_a_directory_that_may_not_be_listed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0)
    with pytest.raises(UsageError, match="cannot be read"):
        resolve_root(str(tmp_path / "closed"))


def test_a_server_that_works_elsewhere_starts_from_what_it_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "served" / "below").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    assert root.starting_point() == tmp_path
    monkeypatch.setattr(root, "_served", None)
    root.serve(tmp_path / "served")
    assert root.starting_point() == tmp_path / "served"
    assert resolve_root(".") == (tmp_path / "served").resolve()
    assert resolve_root("below") == (tmp_path / "served" / "below").resolve()
    assert resolve_root(str(tmp_path)) == tmp_path.resolve()


@given(st.text(max_size=20) | st.sampled_from(["\0", "a\0b", "\ud800", "~nobody-of-this-name", "x" * 5000]))
@example("x" * 300)
def test_no_text_is_more_than_refused(text: str) -> None:
    try:
        assert resolve_root(text).is_dir()
    except UsageError as error:
        assert repr(text) in error.what and error.remedy


def test_what_is_missing_is_told_from_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "file.txt").write_text("")
    (tmp_path / "circle").symlink_to("circle")
    for name in ("missing", "file.txt/below"):
        with pytest.raises(RootMissing):
            resolve_root(str(tmp_path / name))
    for name in ("file.txt", "circle"):
        with pytest.raises(UsageError) as raised:
            resolve_root(str(tmp_path / name))
        assert not isinstance(raised.value, RootMissing)
