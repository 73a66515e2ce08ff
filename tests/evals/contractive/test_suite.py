"""The suite's own options, plans and records; runs of the graph are in tests/integration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from configs.contractive import of_scenario
from configs.errors import ReflectError
from evals.contractive.noisy import NOISY, register
from evals.contractive.peers import Peer
from evals.contractive.running import as_asked, case_of, prompt_of, run_case, seed_of, settings_of
from evals.contractive.suite import SCENARIOS, arguments_of, main, planned_cases, scenarios_of
from evals.contractive.task_files import tasks
from evals.report import Planned, isolated_home, suite_options
from models.errors import ModelMissing, ModelUnavailable
from models.scripted import Script, register_script
from nodes.contractive.state import Answer, ContractiveState, Measured, Metrics, Pass, Question, Review

TASKS = tasks()


def options(*words: str) -> Any:
    arguments = arguments_of(words)
    return arguments, suite_options(arguments)


@pytest.fixture
def home() -> Iterator[Path]:
    with isolated_home() as place:
        register()
        yield place


def test_scenarios_are_named_in_one_of_two_ways() -> None:
    arguments, given = options("--scenarios", "s0, S3,S0")
    assert scenarios_of(arguments.scenarios, given) == ["S0", "S3"]
    arguments, given = options("--strategy", "S2")
    assert scenarios_of(arguments.scenarios, given) == ["S2"]
    arguments, given = options()
    assert scenarios_of(arguments.scenarios, given) == list(SCENARIOS)


@pytest.mark.parametrize(
    "words",
    [
        ("--scenarios", "S7"),
        ("--scenarios", ","),
        ("--scenarios", "S1", "--strategy", "S1"),
        ("--only", "maths-77", "--scenarios", "S0", "--model", NOISY),
        ("--model", "nonsense"),
        ("--peer-model", "nonsense"),
    ],
)
def test_slips_are_told(words: tuple[str, ...]) -> None:
    with pytest.raises(ReflectError):
        main(words)


def test_every_task_is_planned_for_every_scenario_and_settings_tell_them_apart() -> None:
    _, given = options("--model", "a:x", "--model", "a:y", "--repeat", "2")
    peers = {(scenario, model): Peer("a:z") for scenario in ("S0", "S4") for model in ("a:x", "a:y")}
    chosen = [TASKS["maths-01"], TASKS["code-01"]]
    planned = planned_cases(chosen, given, ["S0", "S4"], peers)
    assert len({one.key for one in planned}) == len(planned) == 16
    other = {key: Peer("a:other") for key in peers}
    again = planned_cases(chosen, given, ["S0", "S4"], other)
    changed = [one.settings != two.settings for one, two in zip(planned, again, strict=True)]
    assert changed == [one.variant == "S4" for one in planned]


def test_a_scenario_sets_what_the_configuration_says_and_who_reviews() -> None:
    settings = settings_of("S6", Peer("p:m"))
    assert settings["models.critic.name"] == "p:m" and settings["contractive.clarify"] is True
    assert {key.removeprefix("contractive.") for key in settings if key.startswith("contractive.")} == set(
        of_scenario("S6")
    )
    assert "models.critic.name" not in settings_of("S2", Peer(""))


def test_the_scripted_person_means_what_was_asked() -> None:
    question = "How many are left?"
    assert (
        as_asked({"readings": ["How many went?", "How  many are LEFT?", "as asked"]}, question)
        == "How  many are LEFT?"
    )
    assert as_asked({"readings": ["How many went?", "How many stayed?", "as asked"]}, question) == "as asked"
    assert as_asked({"readings": ["one"]}, question) == as_asked("?", question) == "as asked"


def test_every_repetition_has_its_own_seed_and_none_is_0() -> None:
    seeds = [seed_of(Planned(id="x", variant="S1", repeat=n, seed=s)) for n in range(3) for s in range(3)]
    assert len(set(seeds)) == 9 and min(seeds) > 0


def test_the_bare_model_is_shown_the_context_and_the_question_and_no_more() -> None:
    task = TASKS["regulation-01"]
    assert prompt_of(task) == f"{task.context}\n\n{task.question}"
    assert prompt_of(TASKS["maths-01"]) == TASKS["maths-01"].question


async def test_the_bare_model_is_asked_once(home: Path) -> None:
    task = TASKS["maths-01"]
    cases = [
        await run_case(Planned(id=task.id, variant="S0", model=NOISY, seed=seed), task, Peer(""))
        for seed in range(12)
    ]
    assert {case.model_calls for case in cases} == {1} and min(case.tokens for case in cases) > 10
    assert {case.passed for case in cases} == {True, False}
    assert all(case.false_success <= (not case.passed) for case in cases)


async def test_a_bare_model_that_is_not_there_ends_the_measurement(home: Path) -> None:
    task = TASKS["maths-01"]
    gone = Planned(id=task.id, variant="S0", model="scripted:no-such-script.yaml")
    with pytest.raises(ModelMissing):
        await run_case(gone, task, Peer(""))


async def test_a_bare_model_that_breaks_off_is_an_error_and_no_answer(home: Path) -> None:
    register_script("breaks", Script(default=[{"error": "failed"}]))
    task = TASKS["maths-01"]
    case = await run_case(Planned(id=task.id, variant="S0", model="scripted:breaks"), task, Peer(""))
    assert (case.status, case.passed, case.false_success) == ("error", False, False) and case.detail


def test_a_model_that_never_answers_has_no_figures(capsys: pytest.CaptureFixture[str]) -> None:
    register_script("breaks", Script(default=[{"error": "failed"}], repeat_last=True))
    with pytest.raises(ModelUnavailable, match="No run with scripted:breaks"):
        main(["--scenarios", "S0", "--model", "scripted:breaks", "--limit", "2"])


def finished(status: str, text: str, **more: Any) -> ContractiveState:
    best = Answer(measured=Measured(answer=text, text=text, uncertainty=0.25, support=0.75, samples=4))
    root = Question(id="0", text="?", best=best if text else None, reviews=[Review(by="peer")])
    given: dict[str, Any] = {
        "status": status,
        "final_answer": text,
        "confidence": 0.75 if text else 0.0,
        "stop_reason": "confident",
        "tree": {"0": root},
        "passes": [Pass(number=1), Pass(number=2, ratio=0.5)],
        "metrics": Metrics(calls=7, tokens=900, questions=3, split=1, reviewed=2, approved=1),
    } | more
    return ContractiveState.model_validate(given)


def test_what_a_run_says_is_held_against_the_task() -> None:
    task, peer = TASKS["maths-01"], Peer("p:m", "as asked for")
    planned = Planned(id=task.id, variant="S4", model="m:x")
    right = case_of(planned, task, finished("answered", "9 bags"), peer)
    assert right.passed and not right.false_success and right.confidence == 0.75 and right.detail == ""
    assert (right.model_calls, right.tokens, right.steps) == (7, 900, 2)
    assert right.extra["uncertainty"] == 0.25 and right.extra["ratios"] == [0.5]
    assert (right.extra["split"], right.extra["questions"]) == (1, 3)
    assert (right.extra["peer"], right.extra["peer_told"]) == ("p:m", "as asked for")
    sure = case_of(planned, task, finished("answered", "8 bags"), peer)
    assert not sure.passed and sure.false_success and "9" in sure.detail
    unsure = case_of(planned, task, finished("uncertain", "8 bags"), peer)
    assert not unsure.passed and not unsure.false_success and unsure.extra["answered"]


def test_a_run_without_an_answer_answered_nothing() -> None:
    task = TASKS["maths-01"]
    planned = Planned(id=task.id, variant="S2", model="m:x")
    silent = case_of(planned, task, finished("no_answer", "", stop_reason="no_answer"), Peer(""))
    assert not silent.passed and silent.confidence is None and silent.extra["answered"] is False
    assert silent.extra["uncertainty"] == 1.0
    broken = case_of(planned, task, finished("error", "9", stop_reason="error"), Peer(""))
    assert not broken.passed
