"""Which files are chosen: links, pipes, strange names and built directories are told of and not opened."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.audit import AuditSettings
from tests.tools.audit.repositories import git, made
from tools.audit.labels import label
from tools.audit.sources import Sources, sources
from tools.errors import AuditFailed

SETTINGS = AuditSettings()


def written(root: Path, *names: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a = 1\n")
    return root


def files(root: Path, settings: AuditSettings = SETTINGS) -> list[str]:
    return [source.file for source in sources(root, settings).files]


def skipped(found: Sources) -> list[tuple[str, str]]:
    return [(one.file, one.reason) for one in found.skipped]


def test_files_of_known_languages_in_the_order_of_their_paths(tmp_path: Path) -> None:
    root = written(
        tmp_path, "b.py", "a/z.py", "a/b.go", "README.md", "a.js", ".github/run.py", "Z.rs", "a-b.py"
    )
    found = sources(root, SETTINGS)
    expected = [".github/run.py", "Z.rs", "a-b.py", "a.js", "a/b.go", "a/z.py", "b.py"]
    assert [source.file for source in found.files] == expected
    assert {source.file: source.language for source in found.files}["a/b.go"] == "go"
    assert all(source.path == found.root / source.file and source.size == 6 for source in found.files)
    assert found.skipped == () and found.notes == ()


def test_built_and_fetched_directories_are_left_out_and_told(tmp_path: Path) -> None:
    root = written(
        tmp_path, "node_modules/a.js", "x/build/a.py", "x/__pycache__/a.py", "mine/pyvenv.cfg", "mine/a.py"
    )
    written(root, ".git/hooks/a.py", ".reflect/a.py", "builds/a.py")
    found = sources(root, SETTINGS)
    assert [source.file for source in found.files] == ["builds/a.py"]
    [note] = [note for note in found.notes if note.startswith("Directories")]
    assert "left out: build, mine, node_modules." in note


def test_links_are_told_once_and_not_followed(tmp_path: Path) -> None:
    root, outside = written(tmp_path / "root", "a.py"), written(tmp_path / "outside", "b.py")
    (root / "loop").symlink_to(root)
    (root / "out").symlink_to(outside)
    (root / "c.py").symlink_to(outside / "b.py")
    (root / "d.py").symlink_to("d.py")
    (root / "e.txt").symlink_to(outside / "b.py")
    found = sources(root, SETTINGS)
    assert [source.file for source in found.files] == ["a.py"]
    assert skipped(found) == [("c.py", "link"), ("d.py", "link"), ("loop", "link"), ("out", "link")]


def test_pipes_and_sockets_are_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path, "a.py")
    os.mkfifo(tmp_path / "b.py")
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("c.py")
        found = sources(tmp_path, SETTINGS)
    assert [source.file for source in found.files] == ["a.py"]
    assert skipped(found) == [("b.py", "unreadable"), ("c.py", "unreadable")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every directory")
def test_a_directory_without_permission_is_told(tmp_path: Path) -> None:
    root = written(tmp_path, "a.py", "closed/b.py")
    (root / "closed").chmod(0)
    found = sources(root, SETTINGS)
    (root / "closed").chmod(0o700)
    assert [source.file for source in found.files] == ["a.py"]
    assert skipped(found) == [("closed", "unreadable")]


def test_directories_deeper_than_any_path_are_told(tmp_path: Path) -> None:
    written(tmp_path, "a.py")
    here = os.open(tmp_path, os.O_RDONLY)
    for _ in range(25):
        os.mkdir("d" * 200, dir_fd=here)
        there = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = there
    os.close(here)
    found = sources(tmp_path, SETTINGS)
    assert [source.file for source in found.files] == ["a.py"]
    [(file, reason)] = skipped(found)
    assert file.startswith("ddd") and reason == "unreadable"


# What a system can name a file, with any bytes, read as `os.scandir` reads it.
NAMES = st.one_of(
    st.text(st.characters(min_codepoint=1, exclude_characters="/", codec="utf-8"), min_size=1, max_size=6),
    st.binary(min_size=1, max_size=6).filter(lambda name: not set(name) & set(b"\0/")).map(os.fsdecode),
)


@given(st.lists(NAMES))
def test_labels_differ_and_can_be_written_anywhere(names: list[str]) -> None:
    labels = [label(name) for name in set(names)]
    assert len(set(labels)) == len(labels)
    assert all(text.isprintable() or not text.isascii() for text in labels)
    assert "".join(labels).encode("utf-8").decode("utf-8") == "".join(labels)


def test_names_with_undecodable_bytes_and_line_feeds_are_files_like_others(tmp_path: Path) -> None:
    (tmp_path / "a\nb.py").write_text("a = 1\n")
    (tmp_path / os.fsdecode(b"c\xff.py")).write_text("a = 1\n")
    (tmp_path / "a\\nb.py").write_text("a = 1\n")
    found = sources(tmp_path, SETTINGS)
    assert [source.file for source in found.files] == ["a\\\\nb.py", "a\\nb.py", "c\\xff.py"]
    assert all(source.path.read_text() == "a = 1\n" for source in found.files)


def test_files_too_large_are_told(tmp_path: Path) -> None:
    written(tmp_path, "a.py")
    (tmp_path / "b.py").write_bytes(b"#" * 2_000)
    found = sources(tmp_path, AuditSettings(most_bytes=1_000))
    assert [source.file for source in found.files] == ["a.py"]
    assert skipped(found) == [("b.py", "too_large")]


def test_of_too_many_files_the_first_are_looked_at(tmp_path: Path) -> None:
    root = written(tmp_path, *(f"f{number:02}.py" for number in range(12)))
    found = sources(root, AuditSettings(most_files=10))
    assert [source.file for source in found.files] == [f"f{number:02}.py" for number in range(10)]
    [left] = found.skipped
    assert (left.file, left.reason) == (".", "too_many")
    assert "Of 12 source files, the first 10" in left.what and "f10.py" in left.what


@pytest.mark.parametrize(
    ("exclude", "left"),
    [
        ("tests/*", ["a.py", "b/c.py", "b/tests/d.py"]),
        ("tests", ["a.py", "b/c.py", "b/tests/d.py"]),
        ("**/tests/", ["a.py", "b/c.py"]),
        ("*.py", []),
        ("b/c.py", ["a.py", "b/tests/d.py", "tests/e.py"]),
        ("[ab]*", ["tests/e.py"]),
    ],
)
def test_globs_leave_out_files_and_directories(tmp_path: Path, exclude: str, left: list[str]) -> None:
    root = written(tmp_path, "a.py", "b/c.py", "b/tests/d.py", "tests/e.py")
    assert files(root, AuditSettings(exclude=(exclude,))) == left


def test_a_file_alone_is_the_whole_tree(tmp_path: Path) -> None:
    written(tmp_path, "a.py", "b.py")
    found = sources(tmp_path / "a.py", SETTINGS)
    assert [source.file for source in found.files] == ["a.py"]
    assert found.root == tmp_path.resolve()


def test_a_root_behind_a_link_is_where_it_leads(tmp_path: Path) -> None:
    written(tmp_path / "real", "a.py")
    (tmp_path / "link").symlink_to("real")
    assert files(tmp_path / "link") == ["a.py"]


def test_an_empty_tree_has_no_files(tmp_path: Path) -> None:
    assert sources(tmp_path, SETTINGS).files == ()


@pytest.mark.parametrize("name", ["nothing", "README.md", "pipe.py"])
def test_what_is_no_source_cannot_be_audited(tmp_path: Path, name: str) -> None:
    written(tmp_path, "README.md")
    os.mkfifo(tmp_path / "pipe.py")
    with pytest.raises(AuditFailed, match=name):
        sources(tmp_path / name, SETTINGS)


def test_what_git_ignores_is_left_out_unless_it_is_tracked(tmp_path: Path) -> None:
    root = written(
        made(tmp_path / "root"), "a.py", "made/b.py", "c_generated.py", "kept_generated.py", "sub/made/d.py"
    )
    (root / ".gitignore").write_text("made/\n*_generated.py\n")
    git(root, "add", "-f", "kept_generated.py")
    assert files(root) == ["a.py", "kept_generated.py"]
    assert files(root / "sub") == []


def test_a_repository_whose_settings_run_something_is_not_asked(tmp_path: Path) -> None:
    root = written(made(tmp_path), "a.py", "made/b.py")
    (root / ".gitignore").write_text("made/\n")
    git(root, "config", "core.fsmonitor", f"touch {root}/ran; true")
    found = sources(root, SETTINGS)
    assert [source.file for source in found.files] == ["a.py", "made/b.py"]
    assert any(note.startswith("What git ignores is not left out") for note in found.notes)
    assert not (root / "ran").exists()


def test_a_broken_repository_is_told(tmp_path: Path) -> None:
    written(tmp_path, "a.py", ".git/HEAD")
    found = sources(tmp_path, SETTINGS)
    assert [source.file for source in found.files] == ["a.py"]
    assert len(found.notes) == 1 and found.notes[0].startswith("What git ignores is not left out: git says")
