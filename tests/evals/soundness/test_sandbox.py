"""A probe's directory: everything in it, nothing out of it."""

from pathlib import Path

import pytest

from evals.soundness.sandbox import ProbeError, build, delete, rename, write


def test_files_links_and_empty_directories_are_made_as_written(tmp_path: Path) -> None:
    root = tmp_path / "sandbox"
    files = {"a b/ü.txt": "x\r\ny", "raw.bin": "\udcff\n", "hollow/": "", "-n": "", "two\nlines": "1"}
    build(root, files, {"loose": "nowhere", "out": "/etc", "a b/twin": "ü.txt"})
    assert (root / "a b/ü.txt").read_bytes() == b"x\r\ny"
    assert (root / "raw.bin").read_bytes() == b"\xff\n"
    assert (root / "hollow").is_dir() and (root / "two\nlines").read_text() == "1"
    assert (root / "loose").is_symlink() and (root / "a b/twin").read_bytes() == b"x\r\ny"


@pytest.mark.parametrize(
    "path", ["../x", "a/../../x", "/etc/x", "", "/", "..", "out/x", "out/deep/x", "a\0b"]
)
def test_nothing_is_written_or_taken_away_outside(tmp_path: Path, path: str) -> None:
    root, outside = tmp_path / "sandbox", tmp_path / "outside"
    outside.mkdir()
    (outside / "x").write_text("kept")
    build(root, {"a/one": "1"}, {"out": str(outside)})
    with pytest.raises(ProbeError):
        write(root, path, "new")
    with pytest.raises(ProbeError):
        delete(root, path)
    with pytest.raises(ProbeError):
        rename(root, "a/one", path)
    assert [file.name for file in outside.iterdir()] == ["x"]
    assert (outside / "x").read_text() == "kept" and (root / "a/one").read_text() == "1"


def test_what_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ProbeError):
        build(tmp_path / "one", {"a": "1", "a/b": "2"}, {})
    with pytest.raises(ProbeError):
        build(tmp_path / "two", {"a": "1"}, {"a": "b"})
    with pytest.raises(ProbeError):
        build(tmp_path / "three", {"a": "\ud800"}, {})
    root = tmp_path / "four"
    build(root, {"a": "1"}, {"link": "b"})
    with pytest.raises(ProbeError):
        delete(root, "none")
    with pytest.raises(ProbeError):
        rename(root, "none", "other")
    with pytest.raises(ProbeError):
        write(root, "link", "x")
    with pytest.raises(ProbeError):
        write(root, "n", 5)


def test_a_directory_goes_with_all_in_it_and_a_link_alone(tmp_path: Path) -> None:
    root = tmp_path / "sandbox"
    build(root, {"d/e/f": "1", "kept": "2"}, {"link": "kept"})
    delete(root, "d")
    delete(root, "link")
    assert [path.name for path in root.iterdir()] == ["kept"]
