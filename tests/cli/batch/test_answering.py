"""One goal in a worker, with real graphs and a scripted model."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from cli.batch import answering
from cli.batch.answering import Answerer
from cli.batch.goal import Goal
from cli.batch.orders import Facts, Orders
from cli.batch.ray_worker import RayWorker
from configs.errors import RootMissing
from models.errors import ModelError
from models.scripted import Script, register_script

COUNT = Goal("count", "How many python files are there?", "reflective")
MAKE = Goal("make", "make a directory named made", "reflective")
TALK = Goal("talk", "what is a semaphore?", "reflective")
THINK = Goal("think", "what is a semaphore?", "contractive", "A semaphore is a counter.")
EXPECTED = {
    "status",
    "answer",
    "confidence",
    "evidence",
    "thread_id",
    "waiting_for",
    "notes",
    "usage",
    "error",
}


@pytest.fixture(autouse=True)
def quiet(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLECT_EXPERIENCE__ENABLED", "false")
    register_script("talk", Script(default=["A counter with a queue."], repeat_last=True))
    register_script("slow", Script(default=[{"delay": 0.5, "reply": "late"}], repeat_last=True))


def orders(root: Path, *goals: Goal, **given: object) -> Orders:
    graphs = tuple({goal.graph for goal in goals})
    chosen = {"batch": "b", "root": str(root), "graphs": graphs, "model": "scripted:talk", **given}
    return Orders.loads(json.dumps(chosen | {name: None for name in _unset(chosen)} | _unmarked(chosen)))


def _unset(chosen: dict[str, object]) -> list[str]:
    return [name for name in ("profile", "strategy", "approval", "timeout") if name not in chosen]


def _unmarked(chosen: dict[str, object]) -> dict[str, str]:
    return {name: "" for name in ("mark", "word", "directory") if name not in chosen}


@pytest.fixture
def counted(project: Path) -> Iterator[Answerer]:
    with closing(Answerer(orders(project, COUNT, THINK))) as answerer:
        yield answerer


def test_a_goal_is_answered_with_its_evidence_and_a_second_time_from_its_thread(
    project: Path, counted: Answerer
) -> None:
    first = counted.answer(COUNT)
    assert first.outcome == "succeeded" and first.record["answer"] == "There are 10 *.py files."
    assert set(first.record) >= EXPECTED and first.record["evidence"][0]["command"].startswith("find ")
    assert first.record["thread_id"] == COUNT.thread("b") and first.record["exit_code"] == 0
    # Whoever has the goal next finds the thread at its end: nothing is looked up anew.
    (project / "one_more.py").write_text("")
    again = counted.answer(COUNT)
    assert {**again.record, "seconds": 0} == {**first.record, "seconds": 0}


def test_another_graph_tells_the_same_fields(counted: Answerer) -> None:
    told = counted.answer(THINK)
    assert told.outcome == "succeeded" and set(told.record) >= EXPECTED
    assert "counter" in told.record["answer"] and told.record["evidence"][0]["kind"] == "samples"
    assert told.record["samples"] > 0, "what `reflect think --json` prints stands beside"


def test_nobody_is_asked_so_a_change_is_refused_until_it_is_allowed(project: Path) -> None:
    with closing(Answerer(orders(project, MAKE))) as answerer:
        told = answerer.answer(MAKE)
    assert told.outcome == "refused" and told.record["exit_code"] == 3 and told.record["error"] is None
    assert told.record["waiting_for"][0]["tool"] == "make_dir" and not (project / "made").exists()
    with closing(Answerer(orders(project, MAKE, batch="dry", approval="dry_run"))) as answerer:
        told = answerer.answer(MAKE)
    assert told.outcome == "refused" and "make_dir made" in told.record["answer"]
    assert told.record["error"] is None and not (project / "made").exists()
    with closing(Answerer(orders(project, MAKE, batch="yes", approval="yes"))) as answerer:
        assert answerer.answer(MAKE).outcome == "succeeded" and (project / "made").is_dir()


def test_a_run_that_takes_too_long_is_ended_before_its_next_step_and_can_be_gone_on_with(
    project: Path,
) -> None:
    with closing(Answerer(orders(project, TALK, model="scripted:slow", timeout=0.1))) as answerer:
        told = answerer.answer(TALK)
    assert told.outcome == "failed" and told.record["error"]["kind"] == "TimedOut"
    with closing(Answerer(orders(project, TALK))) as answerer:
        assert answerer.answer(TALK).outcome == "succeeded"


def test_what_one_goal_meets_is_its_error_and_the_next_one_is_answered(project: Path) -> None:
    register_script("broken", Script(default=[{"error": "failed"}], repeat_last=True))
    with closing(Answerer(orders(project, TALK, COUNT, model="scripted:broken"))) as answerer:
        told, well = answerer.answer(TALK), answerer.answer(COUNT)
    assert told.outcome == "failed" and told.record["error"]["what"] and told.record["answer"] != ""
    assert well.outcome == "succeeded"


def test_a_thread_of_another_kind_is_an_error_of_the_goal(project: Path) -> None:
    class Elsewhere(Goal):
        """Is answered in the thread of another goal."""

        def thread(self, batch: str) -> str:
            return COUNT.thread(batch)

    stranger = Elsewhere(THINK.id, THINK.goal, THINK.graph, THINK.context)
    with closing(Answerer(orders(project, COUNT, THINK))) as answerer:
        assert answerer.answer(COUNT).outcome == "succeeded"
        told = answerer.answer(stranger)
    assert told.outcome == "failed" and told.record["error"]["kind"] == "UsageError"


def test_a_goal_waits_for_its_threads_place_and_is_gone_on_with(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REFLECT_CHECKPOINTS__BUSY_TIMEOUT", "0.05")
    monkeypatch.setattr(answering, "PAUSES", (0.3,) * 40)
    with closing(Answerer(orders(project, COUNT, TALK))) as answerer:
        assert answerer.answer(COUNT).outcome == "succeeded"
        holder = sqlite3.connect(project / ".reflect" / "checkpoints.sqlite", check_same_thread=False)
        holder.execute("BEGIN EXCLUSIVE")
        release = threading.Timer(0.5, holder.rollback)
        release.start()
        told = answerer.answer(TALK)
        release.join()
        holder.close()
    assert told.outcome == "succeeded" and told.record["error"] is None


@pytest.mark.parametrize(("pauses", "timeout"), [((0.01,), None), ((0.01, 3600.0), 60.0)])
def test_a_goal_whose_threads_stay_away_is_given_back_and_answered_later(
    project: Path, monkeypatch: pytest.MonkeyPatch, pauses: tuple[float, ...], timeout: float | None
) -> None:
    monkeypatch.setenv("REFLECT_CHECKPOINTS__BUSY_TIMEOUT", "0.05")
    monkeypatch.setattr(answering, "PAUSES", pauses)
    with closing(Answerer(orders(project, COUNT, TALK, timeout=timeout))) as answerer:
        assert answerer.answer(COUNT).outcome == "succeeded"
        with closing(sqlite3.connect(project / ".reflect" / "checkpoints.sqlite")) as holder:
            holder.execute("BEGIN EXCLUSIVE")
            back = answerer.reply(TALK)
            holder.rollback()
        assert list(back) == ["left"] and "checkpoints.sqlite" in back["left"]
        assert answerer.reply(TALK)["answer"]["outcome"] == "succeeded"


def test_a_worker_without_project_or_model_says_so_before_it_takes_a_goal(project: Path) -> None:
    with pytest.raises(RootMissing):
        Answerer(orders(project / "no", COUNT))
    with pytest.raises(ModelError):
        Answerer(orders(project, COUNT, model="nothing:at-all"))


def test_a_worker_that_begins_elsewhere_finds_a_file_named_from_where_its_driver_stands(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "driver"
    place.mkdir()
    (place / "talk.yaml").write_text("{default: [A counter.], repeat_last: true}")
    monkeypatch.chdir(tmp_path)
    chosen = orders(project, THINK, model="scripted:talk.yaml", directory=str(place))
    worker = RayWorker(chosen.dumps())
    assert "ready" in json.loads(worker.begin())
    told = json.loads(worker.answer(json.dumps(THINK.dump())))["answer"]["record"]
    worker.leave()
    assert told["usage"] and "talk.yaml" not in str(told["error"])
    gone = RayWorker(replace(chosen, directory=str(place / "gone")).dumps())
    what, remedy = json.loads(gone.begin())["unfit"]
    assert "gone" in what and remedy


def test_a_worker_tells_where_it_is_and_whether_it_sees_the_mark(project: Path) -> None:
    (project / "mark").write_text("word")
    for word, sees in (("word", True), ("another", False)):
        chosen = orders(project, COUNT, mark=str(project / "mark"), word=word)
        with closing(Answerer(chosen)) as answerer:
            facts = answerer.facts()
        assert facts.sees == sees and Facts.loads(facts.dumps()) == facts
    gone = orders(project, COUNT, mark=str(project / "gone"), word="word")
    with closing(Answerer(gone)) as answerer:
        assert not answerer.facts().sees
