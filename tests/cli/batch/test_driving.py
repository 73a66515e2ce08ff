"""The driver with a crew that lives in this process: its workers die when a test says so."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.batch.answer import Outcome, told
from cli.batch.crew import Answered, Died, Event, Left, Ready, Unfit
from cli.batch.driving import GRACE_SECONDS, MOST_FAILED_STARTS, MOST_LEFT, Driving
from cli.batch.goal import Goal
from cli.batch.meeting import met
from cli.batch.orders import Facts, this_machine
from cli.batch.results import Results, open_results
from cli.batch.stopping import Stopping
from configs.errors import UsageError, WorkersLost
from configs.settings import Settings

Fate = Callable[[Goal | None], str]
"""What becomes of a worker that has a goal, or is about to begin: lives, dies, unfit, left or sleeps."""


class Hands:
    """A crew whose workers answer at once, or meet their fate.

    Attributes:
        given: every goal that was given, in order.
        most: workers that were there at once.
    """

    def __init__(self, fate: Fate, rng: random.Random, facts: Facts) -> None:
        self._fate = fate
        self._rng = rng
        self._facts = facts
        self._workers: dict[int, Goal | None] = {}
        self._pending: dict[int, str] = {}
        self._hired = 0
        self.given: list[str] = []
        self.most = 0

    def hire(self) -> int:
        self._hired += 1
        self._workers[self._hired] = None
        self._pending[self._hired] = "begin"
        self.most = max(self.most, len(self._workers))
        return self._hired

    def give(self, worker: int, goal: Goal) -> None:
        assert self._workers[worker] is None, "it has one already"
        assert goal not in self._workers.values(), "another worker has it"
        self._workers[worker] = goal
        self._pending[worker] = "answer"
        self.given.append(goal.id)

    def happened(self, seconds: float) -> list[Event]:
        numbers = sorted(self._pending)
        self._rng.shuffle(numbers)
        events = [self._event(one) for one in numbers[: self._rng.randint(0, len(numbers))]]
        return [event for event in events if event is not None]

    def _event(self, worker: int) -> Event | None:
        goal, fate = self._workers[worker], self._fate(self._workers[worker])
        if fate == "sleeps":
            return None
        del self._pending[worker]
        if fate == "dies":
            self.dismiss(worker)
            return Died(worker, "a test said so")
        if fate == "unfit":
            return Unfit(worker, "There is no model.", "Name one.")
        if goal is None:
            return Ready(worker, self._facts)
        self._workers[worker] = None
        if fate == "left":
            return Left(worker, "The database is away.")
        return Answered(worker, told({"answer": f"of {goal.id}"}, 0).dump())

    def dismiss(self, worker: int) -> None:
        del self._workers[worker]
        self._pending.pop(worker, None)

    def close(self) -> None:
        self._workers.clear()


class Silent:
    """Is told and says nothing."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.outcomes: Counter[str] = Counter()

    def moved(self, under_way: int, workers: int) -> None:
        pass

    def ended(self, goal: Goal, outcome: Outcome) -> None:
        self.outcomes[outcome] += 1

    def note(self, text: str) -> None:
        self.notes.append(text)


HERE = Facts(pid=1, machine=this_machine(), host="here", sees=True, threads="")


@contextmanager
def driving(
    folder: Path, fate: Fate, goals: list[Goal], **given: Any
) -> Iterator[tuple[Driving, Results, Hands]]:
    root = folder / "project"
    root.mkdir(exist_ok=True)
    rng, facts = random.Random(given.pop("seed", 0)), given.pop("facts", HERE)
    chosen = {"workers": 3, "most_deaths": 3, "timeout": None, "stopping": Stopping(), **given}
    with (
        open_results(folder / "out.jsonl", goals, resume=True) as results,
        met(root, Settings(), results.batch) as meeting,
    ):
        hands = Hands(fate, rng, replace(facts, threads=facts.threads or meeting.threads))
        yield Driving(hands, results, meeting, watcher=Silent(), **chosen), results, hands


def lines(folder: Path) -> dict[str, dict[str, Any]]:
    read = [json.loads(line) for line in (folder / "out.jsonl").read_text().splitlines()]
    by_id = {line["id"]: line for line in read}
    assert len(by_id) == len(read), "a goal has two lines"
    return by_id


def asked(count: int) -> list[Goal]:
    return [Goal(str(number), f"goal {number}", "reflective") for number in range(count)]


@settings(max_examples=60, deadline=None)
@given(
    count=st.integers(1, 25),
    workers=st.integers(1, 5),
    most_deaths=st.integers(1, 4),
    risk=st.floats(0, 0.6),
    seed=st.integers(0, 10**6),
)
def test_every_goal_has_one_line_however_workers_die(
    tmp_path_factory: pytest.TempPathFactory,
    count: int,
    workers: int,
    most_deaths: int,
    risk: float,
    seed: int,
) -> None:
    folder, rng, deaths = tmp_path_factory.mktemp("driving"), random.Random(seed), Counter[str]()

    def fate(goal: Goal | None) -> str:
        if goal is None or rng.random() >= risk:
            return "lives"
        deaths[goal.id] += 1
        return "dies"

    goals = asked(count)
    with driving(folder, fate, goals, workers=workers, most_deaths=most_deaths, seed=seed) as (run, _, hands):
        run.run(goals)
    found = lines(folder)
    assert set(found) == {goal.id for goal in goals}
    for name, line in found.items():
        assert line["deaths"] == deaths[name] <= most_deaths
        assert (line["outcome"] == "failed") == (deaths[name] == most_deaths)
        assert hands.given.count(name) == deaths[name] + (line["outcome"] == "succeeded")
        assert (line["error"] or {}).get("kind") == ("WorkerDied" if line["outcome"] == "failed" else None)
    assert run.deaths == deaths.total() and hands.most <= min(workers, count)


@settings(max_examples=30, deadline=None)
@given(stop_after=st.integers(0, 12), asked_for=st.integers(1, 2), seed=st.integers(0, 10**6))
def test_whoever_is_stopped_is_gone_on_with_and_no_goal_is_asked_twice(
    tmp_path_factory: pytest.TempPathFactory, stop_after: int, asked_for: int, seed: int
) -> None:
    folder, goals, stopping = tmp_path_factory.mktemp("stopped"), asked(10), Stopping()
    answered = 0

    def fate(goal: Goal | None) -> str:
        nonlocal answered
        answered += goal is not None
        if answered >= stop_after:
            stopping.asked = asked_for
        return "lives"

    with driving(folder, fate, goals, stopping=stopping, seed=seed) as (run, results, hands):
        run.run(goals)
        first = list(hands.given)
        left = results.left(goals)
    if asked_for == 1:
        assert set(first) == set(lines(folder)), "what is under way is finished"
    with driving(folder, lambda goal: "lives", goals, seed=seed) as (run, _, hands):
        run.run(left)
    assert set(lines(folder)) == {goal.id for goal in goals}
    assert {goal.id for goal in left} == set(hands.given)


def test_a_worker_that_is_deaf_to_the_end_of_its_time_is_ended(tmp_path: Path) -> None:
    goals = asked(3)

    def fate(goal: Goal | None) -> str:
        return "sleeps" if goal == goals[1] else "lives"

    # All times are over already, so that no test waits for one.
    with driving(tmp_path, fate, goals, timeout=-GRACE_SECONDS - 1.0, workers=1) as (run, _, _hands):
        run.run(goals)
    found = lines(tmp_path)
    assert found["1"]["outcome"] == "failed" and found["1"]["error"]["kind"] == "TimedOut"
    assert found["1"]["thread_id"] == goals[1].thread(run.results.batch) and run.deaths == 0


def test_workers_that_cannot_work_stop_the_batch_and_cost_no_goal(tmp_path: Path) -> None:
    goals = asked(4)
    with driving(tmp_path, lambda goal: "unfit", goals) as (run, results, hands):
        with pytest.raises(UsageError, match="no model"):
            run.run(goals)
        assert hands.given == [] and results.left(goals) == goals
    with driving(tmp_path, lambda goal: "dies", goals) as (run, results, hands):
        with pytest.raises(WorkersLost):
            run.run(goals)
        assert run.deaths == MOST_FAILED_STARTS and hands.given == [] and results.left(goals) == goals


@pytest.mark.parametrize("unfit", [1, MOST_FAILED_STARTS - 1, MOST_FAILED_STARTS])
def test_a_later_worker_that_is_unfit_for_a_moment_ends_no_batch(tmp_path: Path, unfit: int) -> None:
    goals, begun, died = asked(5), 0, False

    def fate(goal: Goal | None) -> str:
        nonlocal begun, died
        if goal is None:
            begun += 1
            return "unfit" if 1 < begun <= 1 + unfit else "lives"
        if died:
            return "lives"
        died = True
        return "dies"

    with driving(tmp_path, fate, goals, workers=1) as (run, results, _):
        if unfit == MOST_FAILED_STARTS:
            with pytest.raises(WorkersLost, match="no model"):
                run.run(goals)
            assert results.left(goals) == goals
            return
        run.run(goals)
    assert set(lines(tmp_path)) == {goal.id for goal in goals}


def test_a_goal_that_is_given_back_is_asked_again_behind_all_others(tmp_path: Path) -> None:
    goals, back = asked(6), Counter[str]()

    def fate(goal: Goal | None) -> str:
        if goal is None or goal.id not in "02" or back[goal.id] == 2:
            return "lives"
        back[goal.id] += 1
        return "left"

    with driving(tmp_path, fate, goals, workers=1) as (run, _, hands):
        run.run(goals)
    assert hands.given == [*"012345", *"02", *"02"] and run.deaths == 0
    assert {line["outcome"] for line in lines(tmp_path).values()} == {"succeeded"}


def test_when_all_goals_are_given_back_the_batch_ends_and_no_goal_has_a_line(tmp_path: Path) -> None:
    goals = asked(4)
    with driving(tmp_path, lambda goal: "left" if goal else "lives", goals) as (run, results, hands):
        with pytest.raises(WorkersLost, match="database is away"):
            run.run(goals)
        assert len(hands.given) >= 3 * MOST_LEFT and results.left(goals) == goals
    with driving(tmp_path, lambda goal: "lives", goals) as (run, results, _):
        run.run(goals)
    assert set(lines(tmp_path)) == {goal.id for goal in goals}


@pytest.mark.parametrize("change", [{"machine": "another"}, {"sees": False}, {"threads": "elsewhere"}])
def test_a_worker_that_cannot_see_the_threads_gets_no_goal(tmp_path: Path, change: dict[str, Any]) -> None:
    goals, elsewhere = asked(2), replace(HERE, **change)
    with driving(tmp_path, lambda goal: "lives", goals, facts=elsewhere) as (run, results, hands):
        with pytest.raises(UsageError, match="nobody could go on"):
            run.run(goals)
        assert hands.given == [] and results.left(goals) == goals


@pytest.mark.parametrize("profile, anywhere", [("dev", True), ("sovereign", False)])
def test_with_postgres_a_worker_may_be_elsewhere_unless_all_stays_here(
    tmp_path: Path, profile: str, anywhere: bool
) -> None:
    place = {"checkpoints": {"path": "postgres://me@db.example/threads"}, "profile": profile}
    with met(tmp_path, Settings.model_validate(place), "b") as meeting:
        elsewhere = Facts(1, "another", "there", False, meeting.threads)
        assert meeting.mark.read_text() == meeting.word
        if anywhere:
            meeting.check(elsewhere)
        else:
            with pytest.raises(UsageError, match="sovereign"):
                meeting.check(elsewhere)
        meeting.check(replace(HERE, threads=meeting.threads))
    assert not meeting.mark.exists()
