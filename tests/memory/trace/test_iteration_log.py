import json
from pathlib import Path

import pytest

from memory.errors import TraceUnwritable
from memory.trace.iteration_log import IterationLogger


def test_files_are_named_by_iteration_and_agent(tmp_path: Path) -> None:
    logger = IterationLogger(tmp_path, "q1")
    path = logger.log_agent_output(2, "critic", "prompt", {"status": "PASS"}, {"seconds": 0.1})
    assert path == tmp_path / "q1/iteration_2_critic.json"
    assert json.loads(path.read_text())["output_response"] == {"status": "PASS"}
    assert logger.log_summary(2, "reported", "strict", {}).name == "session_summary.json"


def test_nothing_is_overwritten_and_nothing_written_twice(tmp_path: Path) -> None:
    logger = IterationLogger(tmp_path, "q1")
    first = logger.write("x", {"a": 1})
    assert logger.write("x", {"a": 1}) == first
    assert logger.write("x", {"a": 2}).name == "x_2.json"
    assert json.loads(first.read_text()) == {"a": 1}


def test_secrets_are_redacted_and_files_private(tmp_path: Path) -> None:
    path = IterationLogger(tmp_path, "q").log_agent_output(1, "analyst", "password: hunter2secret", {}, {})
    assert "hunter2secret" not in path.read_text() and path.stat().st_mode & 0o077 == 0


def test_an_id_that_is_no_name_stays_below_the_directory(tmp_path: Path) -> None:
    path = IterationLogger(tmp_path / "logs", "../../x").write("a", {})
    assert path.resolve().is_relative_to((tmp_path / "logs").resolve())


def test_a_link_in_the_place_of_a_log_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "q").mkdir()
    outside = tmp_path / "outside"
    (tmp_path / "q/a.json").symlink_to(outside)
    assert IterationLogger(tmp_path, "q").write("a", {"b": 1}).name == "a_2.json" and not outside.exists()


def test_a_directory_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(TraceUnwritable):
        IterationLogger(tmp_path / "file", "q").write("a", {})


def test_logs_keep_themselves_out_of_git(tmp_path: Path) -> None:
    for number in (1, 2):
        IterationLogger(tmp_path / "iterations", f"q{number}").log_summary(1, "PASS", "strict", {})
    assert (tmp_path / "iterations" / ".gitignore").read_text() == "*\n"
