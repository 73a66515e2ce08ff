import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.chat_history import KEPT, LARGEST, LONGEST, NAME, ProjectHistory


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=40), max_size=6))
def test_what_was_typed_comes_back_newest_first(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    directory = tmp_path_factory.mktemp("history")
    for line in lines:
        ProjectHistory(directory).store_string(line)
    assert list(ProjectHistory(directory).load_history_strings()) == lines[::-1]


def test_only_its_owner_reads_it_whatever_it_was_before(tmp_path: Path) -> None:
    file = tmp_path / NAME
    file.write_text("\n# then\n+before\n")
    file.chmod(0o644)
    history = ProjectHistory(tmp_path)
    assert list(history.load_history_strings()) == ["before"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "elsewhere"
    target.write_text("")
    (tmp_path / NAME).symlink_to(target)
    history = ProjectHistory(tmp_path)
    history.store_string("secret")
    assert list(history.load_history_strings()) == [] and target.read_text() == "" and history.problem


def test_a_directory_that_cannot_be_written_costs_the_history_only(tmp_path: Path) -> None:
    history = ProjectHistory(tmp_path / "nowhere")
    history.store_string("a")
    assert "nowhere" in history.problem


def test_a_pasted_file_is_not_kept_and_bytes_of_any_kind_are_read(tmp_path: Path) -> None:
    history = ProjectHistory(tmp_path)
    history.store_string("x" * (LONGEST + 1))
    assert not (tmp_path / NAME).exists()
    (tmp_path / NAME).write_bytes(os.urandom(2000) + b"\n# now\n+last\n")
    assert next(iter(history.load_history_strings())) == "last"


def test_a_file_that_grew_large_is_cut_to_its_newest_lines(tmp_path: Path) -> None:
    entry = "\n# then\n+" + "x" * 90 + "\n"
    (tmp_path / NAME).write_text(entry * (LARGEST // len(entry) + 1) + "\n# now\n+last\n")
    loaded = list(ProjectHistory(tmp_path).load_history_strings())
    assert loaded[0] == "last" and set(loaded[1:]) == {"x" * 90}
    assert (tmp_path / NAME).stat().st_size <= KEPT
