"""The shell suite from end to end: a made-up benchmark, and three tasks of the real one."""

import json
import os
from pathlib import Path

import pytest

from configs.errors import UsageError
from evals.report import Planned, SuiteOptions, isolated_home
from evals.shell import __main__ as program
from evals.shell.bare import run_command
from evals.shell.stage import Stage, open_stage
from evals.shell.suite import Choices, Players, planned_cases
from evals.shell.tasks import Task, read_tasks
from evals.shell.trees import snapshot
from evals.shell.truth import TruthCache, run_gold
from tests.evals.shell.benchmark import write_benchmark

pytestmark = pytest.mark.integration


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    return write_benchmark(tmp_path / "assets")


def tasks_of(assets: Path) -> dict[str, Task]:
    return {task.id: task for task in read_tasks(assets, (2, 4))}


def test_the_set_up_script_builds_the_tree_and_nothing_else(tmp_path: Path, assets: Path) -> None:
    with open_stage(tmp_path / "place", assets) as stage:
        found = stage.fresh(tasks_of(assets)["2-0"])
        assert sorted(found) == [
            "attic", "attic/a b", "attic/a b/odd name.txt", "attic/box", "attic/box/list.txt", "attic/link",
            "attic/old.log",
        ]  # fmt: skip
        assert found["attic/link"] == "link box" and found["attic/box/list.txt"].startswith("file 0640")
        assert (stage.root / "attic/box/list.txt").read_text() == "one\ntwo\n"
        assert int((stage.root / "attic/old.log").stat().st_mtime) % 60 == 5
        assert stage.fresh(tasks_of(assets)["4-0"]) == {}
    assert not Path("/attic").exists() and not (tmp_path / "place" / "fs").exists()


async def test_gold_commands_run_in_a_copy_without_a_network(tmp_path: Path, assets: Path) -> None:
    tasks = tasks_of(assets)
    with open_stage(tmp_path / "place", assets) as stage:
        shown = await run_gold("cat /attic/box/list.txt; ls /sys/class/net; false", tasks["2-0"], stage)
        assert shown.output.startswith("one\ntwo\n") and "eth" not in shown.output and shown.returncode == 1
        wild = await run_gold(f"rm -rf /attic; touch {tmp_path}/escaped; echo gone", tasks["2-0"], stage)
        assert wild.output.startswith("gone\n") and wild.changes["attic"] == "gone"
        assert not (tmp_path / "escaped").exists()
        assert "attic" in stage.fresh(tasks["2-0"])
        made = await run_gold(tasks["2-1"].gold, tasks["2-1"], stage)
        assert list(made.changes) == ["cellar"]
        assert (await run_gold("no-such-program", tasks["2-0"], stage)).missing


async def test_gold_answers_are_found_twice_and_kept(tmp_path: Path, assets: Path) -> None:
    tasks = tasks_of(assets)
    with open_stage(tmp_path / "place", assets) as stage:
        cache = TruthCache(tmp_path / "gold", stage)
        truths = await cache.prepare(list(tasks.values()))
        assert truths["2-0"].stable == (True, True) and truths["2-0"].gold.output == "one\ntwo\n"
        assert truths["2-2"].usable == [] and truths["2-2"].stable[0] is False
        assert truths["4-0"].vacuous and not truths["2-1"].vacuous
        assert truths["4-1"].gold.output == f"{stage.root}\n"
        files = {path: path.stat().st_mtime_ns for path in (tmp_path / "gold").iterdir()}
        assert await cache.prepare(list(tasks.values())) == truths
        assert files == {path: path.stat().st_mtime_ns for path in (tmp_path / "gold").iterdir()}
        next(iter(files)).write_text("{")
        assert set(await cache.prepare(list(tasks.values()))) == set(tasks)


async def test_what_a_model_writes_reaches_no_shell(tmp_path: Path, assets: Path) -> None:
    with open_stage(tmp_path / "place", assets) as stage:
        before = stage.fresh(tasks_of(assets)["2-0"])
        for command in (
            "touch attic/x; touch attic/y", "bash -c 'touch attic/x'", "echo x > attic/x", "$(touch attic/x)",
            "env touch attic/x", "find . -exec touch attic/x ;", "awk 'BEGIN{system(\"touch attic/x\")}'",
            "/bin/sh -c id", "sh", "python3 -c 'open(\"attic/x\",\"w\")'", "touch attic/x && ls",
            "cat /etc/passwd",
        ):  # fmt: skip
            result = await run_command(command, stage.root)
            assert result.error is not None, command
            assert snapshot(stage.root) == before, command
        assert (await run_command("touch attic/x", stage.root)).ok
        assert set(snapshot(stage.root)) - set(before) == {"attic/x"}
        assert (await run_command(f"cat {stage.root}/attic/box/list.txt | wc -l", stage.root)).stdout == "2\n"


def options_for(model: str) -> SuiteOptions:
    return SuiteOptions(
        models=(model,), strategies=(), repeat=1, limit=None, only=(), seed=0,
        json_to=None, html_to=None, resume=None, jobs=1,
    )  # fmt: skip


async def test_the_gold_command_itself_passes_and_others_do_not(tmp_path: Path, assets: Path) -> None:
    tasks = tasks_of(assets)
    with isolated_home(), open_stage(tmp_path / "place", assets) as stage:
        truths = await TruthCache(tmp_path / "gold", stage).prepare(list(tasks.values()))
        listed = f"cat {stage.root}/attic/box/list.txt"
        replies = [listed, "mkdir cellar", "echo 1", "true", "pwd", "mkdir attic/cellar", "touch cellar"]
        script = tmp_path / "script.yaml"
        script.write_text(json.dumps({"default": replies}))
        players = Players(stage, tasks, truths, Choices())
        model = f"scripted:{script}"
        planned = planned_cases(list(tasks.values()), options_for(model), ["S0"], stage.root, Choices())
        assert [one.id for one in planned] == ["2-0", "2-1", "2-2", "4-0", "4-1"]
        passed = {one.id: (await players(one)).passed for one in planned}
        again = [await players(planned[1]) for _ in range(2)]
        await players.aclose()
    assert passed["2-0"] and passed["2-1"] and not passed["2-2"]
    assert [case.passed for case in again] == [False, False]
    assert all(case.false_success for case in again)


async def test_a_strategy_plays_a_task_and_leaves_nothing_behind(tmp_path: Path, assets: Path) -> None:
    tasks = tasks_of(assets)
    script = tmp_path / "script.yaml"
    script.write_text(json.dumps({"default": ["no"], "repeat_last": True}))
    with isolated_home(), open_stage(tmp_path / "place", assets) as stage:
        truths = await TruthCache(tmp_path / "gold", stage).prepare([tasks["2-0"]])
        one = Planned(id="2-0", variant="graph_v30", model=f"scripted:{script}")
        players = Players(stage, tasks, truths, Choices())
        first, second = await players(one), await players(one)
        assert (first.passed, first.status) == (second.passed, second.status)
        assert first.status in ("answered", "partial", "could_not") and str(stage.root) in first.goal
        assert ".reflect" not in stage.fresh(tasks["2-0"])


def test_a_place_is_for_one_process_and_one_owner(tmp_path: Path, assets: Path) -> None:
    with open_stage(tmp_path / "place", assets) as first:
        assert isinstance(first, Stage)
        with pytest.raises(UsageError, match="Another process"), open_stage(tmp_path / "place", assets):
            pass
    os.symlink(tmp_path / "place", tmp_path / "other")
    with pytest.raises(UsageError, match="link"), open_stage(tmp_path / "other", assets):
        pass


def test_three_tasks_of_the_real_benchmark(tmp_path: Path) -> None:
    try:
        program.installed_assets()
    except UsageError:
        pytest.skip("icalfa is not installed")
    script = tmp_path / "script.yaml"
    script.write_text(json.dumps({"default": ["ls"], "repeat_last": True}))
    report = tmp_path / "report.json"
    words = ["--model", f"scripted:{script}", "--strategy", "S0", "--strategy", "graph_v30", "--limit", "3"]
    words += [
        "--place",
        str(tmp_path / "place"),
        "--json",
        str(report),
        "--resume",
        str(tmp_path / "done.jsonl"),
    ]
    assert program.main(words) in (0, 1)
    first = json.loads(report.read_text())
    assert len(first["cases"]) == 6 and {case["variant"] for case in first["cases"]} == {"S0", "graph_v30"}
    assert all(case["extra"]["decidable"] in (True, False) and case["status"] for case in first["cases"])
    assert program.main(words) in (0, 1)
    assert json.loads(report.read_text())["cases"] == first["cases"]
    assert len((tmp_path / "done.jsonl").read_text().splitlines()) == 6
