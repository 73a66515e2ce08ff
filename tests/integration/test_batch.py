"""`reflect batch --engine local` as real processes: workers and drivers are killed in the middle."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from tests.support.batches import BatchPlace, at_work, effects, ended, lives, makes, talks, workers_of
from tests.support.processes import wait_until

pytestmark = pytest.mark.integration

WORKER = "cli.batch.worker_process"
TALK = "default: [{delay: 0.4, reply: A counter with a queue.}]\nrepeat_last: true\n"
DEAF = "default: [{delay: 600, reply: late}]\nrepeat_last: true\n"


@pytest.fixture
def place(project: Path) -> BatchPlace:
    return BatchPlace(project)


def test_goals_of_several_graphs_have_a_line_each_and_the_report_counts(place: BatchPlace) -> None:
    place.goals(
        {"id": "count", "goal": "How many python files are there?"},
        {"id": "make", "goal": "make a directory named made"},
        {"id": "think", "goal": "what is a semaphore?", "graph": "contractive", "context": "It counts."},
        {"goal": "Which functions have no docstring?", "graph": "specialists"},
        {"id": "auto", "goal": "How many python files are there?", "graph": "auto"},
        {"id": "nothing", "goal": "What do the papers say about herons?", "graph": "research"},
    )
    model = place.script(TALK)
    code, out, err = ended(place.begin("--json", "--model", model))
    report, lines = json.loads(out), {line["id"]: line for line in place.lines()}
    assert set(lines) == {"count", "make", "think", "4", "auto", "nothing"}
    assert lines["count"]["answer"] == lines["auto"]["answer"] == "There are 10 *.py files."
    assert lines["count"]["evidence"] and lines["auto"]["evidence"] and lines["4"]["evidence"]
    assert lines["make"]["outcome"] == "refused" and not (place.project / "made").exists()
    assert lines["nothing"]["outcome"] == "failed" and lines["nothing"]["error"]["what"]
    counted = [line["outcome"] for line in lines.values()]
    assert {name: report[name] for name in ("succeeded", "failed", "refused")} == {
        name: counted.count(name) for name in ("succeeded", "failed", "refused")
    }
    assert (code, report["exit_code"], report["left"], report["goals"]) == (1, 1, 0, 6)
    assert "Nobody is asked" in err and "6 of 6 done" in err and "ETA" in err


def test_workers_that_are_killed_cost_no_goal_and_repeat_no_change(place: BatchPlace) -> None:
    place.goals(*talks(6), *makes(6))
    driver = place.begin("--yes", "--model", place.script(TALK))
    for count in (1, 4, 7):
        assert place.reached(count)
        for worker in workers_of(driver.pid, WORKER)[:1]:
            os.kill(worker, signal.SIGKILL)
    code, out, err = ended(driver)
    lines = place.lines()
    assert code == 0, err
    assert sorted(line["id"] for line in lines) == sorted(goal["id"] for goal in talks(6) + makes(6))
    assert {line["outcome"] for line in lines} == {"succeeded"} and "Workers that died: " in out
    assert effects(place) == 6 and all((place.project / f"made-{number}").is_dir() for number in range(6))


def test_a_driver_that_is_killed_takes_its_workers_along_and_another_goes_on(place: BatchPlace) -> None:
    place.goals(*talks(4), *makes(4))
    model = place.script(TALK)
    driver = place.begin("--yes", "--model", model)
    assert place.reached(3)
    workers = workers_of(driver.pid, WORKER)
    driver.kill()
    ended(driver)
    assert len(workers) == 2 and wait_until(30, lambda: not any(lives(worker) for worker in workers))
    # What a power cut leaves of a line.
    with place.out.open("ab") as file:
        file.write(b'{"id": "t3", "outc')
    again = place.begin("--yes", "--model", model)
    code, _, err = ended(again)
    assert code == 2 and "--resume" in err, "what was begun is not begun anew by mistake"
    code, out, err = ended(place.begin("--yes", "--resume", "--model", model))
    assert code == 0, err
    assert "that a crash had cut was taken away" in err and "done before" in err
    assert sorted(line["id"] for line in place.lines()) == sorted(goal["id"] for goal in talks(4) + makes(4))
    assert out.splitlines()[-1].startswith("8 goals: 8 succeeded, 0 failed, 0 refused")
    assert effects(place) == 4
    before = place.out.read_bytes()
    code, out, _ = ended(place.begin("--resume", "--model", model))
    assert code == 0 and place.out.read_bytes() == before, "nothing is left to be done"


def test_a_goal_that_kills_its_workers_fails_and_the_others_are_answered(place: BatchPlace) -> None:
    place.goals(*talks(2), {"id": "poison", "goal": "what is poison?"})
    script = "default: [{when: poison, delay: 600, reply: late}, A counter.]\nrepeat_last: true\n"
    driver = place.begin("--deaths", "2", "--workers", "1", "--model", place.script(script))
    assert place.reached(2)
    for _ in range(2):
        assert wait_until(60, lambda: at_work(driver.pid))
        (worker,) = workers_of(driver.pid, WORKER)
        os.kill(worker, signal.SIGKILL)
        assert wait_until(60, lambda gone=worker: not lives(gone))
    code, out, _ = ended(driver)
    lines = {line["id"]: line for line in place.lines()}
    assert code == 1 and out.splitlines()[-1].startswith("3 goals: 2 succeeded, 1 failed, 0 refused")
    assert lines["poison"]["error"]["kind"] == "WorkerDied" and "SIGKILL" in lines["poison"]["error"]["what"]
    assert lines["poison"]["deaths"] == 2 and lines["poison"]["thread_id"].startswith("batch-")


def test_one_interruption_finishes_what_is_under_way_and_two_stop_at_once(place: BatchPlace) -> None:
    place.goals(*talks(8))
    slow = place.script(TALK.replace("0.4", "2"))
    driver = place.begin("--model", slow)
    assert place.reached(1)
    driver.send_signal(signal.SIGINT)
    code, out, _ = ended(driver)
    first = len(place.lines())
    assert code == 130 and 1 <= first <= 4 and "--resume" in out
    assert out.splitlines()[-1].endswith(")") and f"{8 - first} left" in out.splitlines()[-1]
    deaf = place.script(DEAF)
    driver = place.begin("--resume", "--model", deaf)
    assert wait_until(60, lambda: at_work(driver.pid))
    workers = workers_of(driver.pid, WORKER)
    driver.send_signal(signal.SIGINT)
    assert not wait_until(1, lambda: driver.poll() is not None), "it finishes what is under way"
    driver.send_signal(signal.SIGTERM)
    code, _, _ = ended(driver, 30)
    assert code == 130 and len(place.lines()) == first and not any(lives(one) for one in workers)
    code, _, err = ended(place.begin("--resume", "--model", place.script(TALK)))
    assert code == 0, err
    assert len(place.lines()) == 8 == len({line["id"] for line in place.lines()})


def test_a_goal_whose_time_is_over_is_a_failed_line_also_if_its_worker_is_deaf(place: BatchPlace) -> None:
    place.goals(*talks(1), {"id": "count", "goal": "How many python files are there?"})
    code, _, err = ended(place.begin("--timeout", "1", "--workers", "1", "--model", place.script(DEAF)))
    lines = {line["id"]: line for line in place.lines()}
    assert code == 1, err
    assert lines["t0"]["error"]["kind"] == "TimedOut" and lines["count"]["outcome"] == "succeeded"


def test_workers_that_may_not_use_the_model_stop_the_batch_before_any_goal(place: BatchPlace) -> None:
    place.goals(*talks(2))
    code, out, err = ended(place.begin("--profile", "sovereign", "--model", "openai:gpt-5"))
    assert code == 2 and place.lines() == [] and out == "" and "sovereign" in err
    # Nothing was begun, so nothing has to be resumed.
    code, _, err = ended(place.begin("--model", place.script(TALK)))
    assert code == 0 and len(place.lines()) == 2, err
