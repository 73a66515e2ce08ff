"""Tasks are read from the package's files, and samples are stable."""

import importlib.util
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from configs.errors import UsageError
from evals.report import as_program
from evals.shell.__main__ import main
from evals.shell.tasks import Task, chosen, installed_assets, read_tasks, set_up_script
from tests.evals.shell.benchmark import ROWS, write_benchmark


def many(number: int) -> list[Task]:
    return [Task(id=f"2-{n}", file_system=2, query="q", gold="g", gold2="g") for n in range(number)]


def test_tasks_keep_the_order_and_the_words_of_the_package(tmp_path: Path) -> None:
    tasks = read_tasks(write_benchmark(tmp_path / "assets"), (2, 4))
    assert [task.id for task in tasks] == ["2-0", "2-1", "2-2", "4-0", "4-1"]
    assert [task.query for task in tasks] == [row["query"] for rows in ROWS.values() for row in rows]
    assert [task.difficulty for task in tasks] == [0, 0, 0, 2, 0]


@pytest.mark.parametrize(
    "content", ["", "{}", '[{"query": "q"}]', '[{"query": "", "gold": "g", "gold2": "g"}]']
)
def test_a_file_that_holds_no_tasks_is_an_error_that_names_it(tmp_path: Path, content: str) -> None:
    assets = write_benchmark(tmp_path / "assets")
    (assets / "datasets" / "nl2bash_fs_2.json").write_text(content)
    with pytest.raises(UsageError, match="nl2bash_fs_2.json"):
        read_tasks(assets, (2,))


def test_a_missing_script_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="setup_nl2b_fs_3.sh"):
        set_up_script(write_benchmark(tmp_path / "assets"), 3)


def test_without_the_package_the_program_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    found = importlib.util.find_spec

    def without(name: str, package: str | None = None) -> object:
        return None if name == "icalfa" else found(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    with pytest.raises(UsageError):
        installed_assets()
    assert as_program(lambda: main(["--limit", "1"])) == 2
    assert "pip install --no-deps icalfa" in capsys.readouterr().err


@settings(max_examples=40, deadline=None)
@given(total=st.integers(1, 200), seed=st.integers(), data=st.data())
def test_a_smaller_sample_is_part_of_a_larger_one(total: int, seed: int, data: st.DataObject) -> None:
    tasks = many(total)
    more = data.draw(st.integers(1, total))
    fewer = data.draw(st.integers(1, more))
    large, small = chosen(tasks, (), more, seed), chosen(tasks, (), fewer, seed)
    assert len(large) == more and len(small) == fewer
    assert {task.id for task in small} <= {task.id for task in large}
    assert large == [task for task in tasks if task in large]
    assert chosen(tasks, (), more, seed) == large


def test_tasks_can_be_named() -> None:
    assert [task.id for task in chosen(many(5), ("2-3", "2-0"), None, 0)] == ["2-3", "2-0"]
    with pytest.raises(UsageError, match="2-9"):
        chosen(many(5), ("2-9",), None, 0)


@pytest.mark.parametrize("setting", ["graph.max_plan_retries", "=1"])
def test_a_setting_without_a_value_is_refused(setting: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_program(lambda: main(["--set", setting])) == 2
    assert "--set" in capsys.readouterr().err
