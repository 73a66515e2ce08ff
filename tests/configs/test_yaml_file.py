from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from configs.errors import SettingsError
from configs.yaml_file import MAX_BYTES, read_layer


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.yaml"


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Root may read every file, so a test about permissions must not run as root."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def _refused(file: Path, content: bytes | str) -> str:
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(SettingsError) as raised:
        read_layer(file)
    return str(raised.value)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only a comment\n", "---\n", "null\n", "{}\n", "graph:\n", "\ufeff"]
)
def test_a_file_that_sets_nothing_is_an_empty_layer(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")
    assert read_layer(file) == {}


def test_a_missing_file_is_an_empty_layer(file: Path) -> None:
    assert read_layer(file) == {}


def test_every_value_keeps_the_line_it_was_written_on(file: Path) -> None:
    file.write_text("# top\nmodel: a\n\ngraph:\n  # inner\n  max_iterations: 6\nreflect: {max_commands: 2}\n")
    origins = {key: setting.origin for key, setting in read_layer(file).items()}
    assert origins == {
        ("model",): f"file {file}:2",
        ("graph", "max_iterations"): f"file {file}:6",
        ("reflect", "max_commands"): f"file {file}:7",
    }


def test_an_alias_stands_for_the_value_it_names(file: Path) -> None:
    file.write_text("graph: {timeout_per_step: &limit 9}\nreflect: {shell_timeout: *limit}\n")
    assert read_layer(file)["reflect", "shell_timeout"].value == 9


@pytest.mark.parametrize(
    ("text", "place", "saw"),
    [
        ("graph:\n\tmax_iterations: 3", ":2:1:", r"found character '\t' that cannot start any token"),
        ("model: a\nprofile: 'dev", ":2:14:", "found unexpected end of stream"),
        ("model: a\n  profile: b", ":2:10:", "mapping values are not allowed here"),
        ("model: a\n---\nmodel: b", ":2:1:", "expected a single document"),
        ("model: *missing", ":1:8:", "found undefined alias 'missing'"),
        ("model: !!python/object:os.system x", ":1:8:", "could not determine a constructor"),
        ("experience: {project_root: 2024-13-45}", ":1:28:", "found a value its type cannot hold"),
        ("graph: !custom {max_iterations: 5}", ":1:8:", "could not determine a constructor"),
        ("? [a, b]\n: c", ":1:3:", "found a list or section where a key was expected"),
        ("model: a\nprofile: \x07", ":2:", "unprintable character"),
    ],
)
def test_corrupt_yaml_is_told_with_file_line_column_and_what_was_seen(
    file: Path, text: str, place: str, saw: str
) -> None:
    message = _refused(file, text)
    assert message.startswith(f"file {file}{place}")
    assert saw in message


def test_a_tab_is_told_to_become_spaces(file: Path) -> None:
    assert "Indent with spaces, never with a tab." in _refused(file, "graph:\n\tmax_iterations: 3")


def test_an_unknown_key_is_told_with_file_line_key_and_the_nearest_one(file: Path) -> None:
    assert _refused(file, "model: a\ngraph:\n  max_iteration: 3") == (
        f"file {file}:3: `graph.max_iteration` is not a setting. Did you mean `graph.max_iterations`?"
    )


def test_a_key_written_twice_is_told_with_both_lines(file: Path) -> None:
    message = _refused(file, "graph:\n  max_iterations: 5\n  max_iterations: 6\n")
    assert message.startswith(f"file {file}:3: `graph.max_iterations` is set twice, first on line 2.")


@pytest.mark.parametrize(("text", "kind"), [("\n- a\n- b", "a list"), ("\nhello", "a single value")])
def test_a_file_that_is_no_mapping_is_told_what_it_is(file: Path, text: str, kind: str) -> None:
    assert _refused(file, text).startswith(
        f"file {file}:2: the file holds {kind}, expected `key: value` lines."
    )


@pytest.mark.parametrize("content", [b"model: a\nprofile: \xff\xfe", b"model: a\n\xe9"])
def test_a_file_that_is_not_utf8_is_told_with_the_line(file: Path, content: bytes) -> None:
    assert _refused(file, content).startswith(f"file {file}:2: this is not UTF-8 text.")


def test_a_file_above_the_size_limit_is_refused_unread(file: Path) -> None:
    assert "is larger than 1 MB" in _refused(file, "#" * (MAX_BYTES + 1))


@pytest.mark.integration  # takes seconds
def test_a_file_at_the_size_limit_is_read(file: Path) -> None:
    file.write_text("model: a\n#" + "x" * (MAX_BYTES - 10))
    assert read_layer(file)["model",].value == "a"


def test_an_alias_bomb_is_refused(file: Path) -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    assert "found more than 10000 values" in _refused(file, "\n".join(rows))


def test_an_alias_of_itself_is_refused(file: Path) -> None:
    assert "aliases in a circle" in _refused(file, "model: &a [*a]")


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_deep_nesting_is_refused(file: Path, opening: str) -> None:
    assert "found more than 20 levels of nesting" in _refused(file, opening * 10_000)


def test_a_file_of_very_many_values_is_refused(file: Path) -> None:
    assert "found more than 10000 values" in _refused(file, "\n".join(f"k{n}: v" for n in range(6000)))


def test_a_directory_in_place_of_the_file_is_told(file: Path) -> None:
    file.mkdir()
    with pytest.raises(SettingsError, match=r"config\.yaml is a directory\."):
        read_layer(file)


def test_a_named_pipe_is_refused_without_waiting_for_its_writer(file: Path) -> None:
    os.mkfifo(file)
    with pytest.raises(SettingsError, match=r"config\.yaml is not a regular file\."):
        read_layer(file)


def test_a_link_to_nothing_is_told(file: Path) -> None:
    file.symlink_to(file.parent / "gone.yaml")
    with pytest.raises(SettingsError, match="link to a missing file"):
        read_layer(file)


def test_a_link_to_itself_is_told(file: Path) -> None:
    file.symlink_to(file)
    with pytest.raises(SettingsError, match="cannot be read: Too many levels of symbolic links"):
        read_layer(file)


def test_an_unreadable_file_is_told(file: Path) -> None:
    file.write_text("model: a\n")
    file.chmod(0)
    with ordinary_user(), pytest.raises(SettingsError, match="cannot be read: Permission denied"):
        read_layer(file)
