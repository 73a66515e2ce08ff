"""The suite's scenarios: enough, of every family, and none that cannot be judged."""

from collections import Counter
from pathlib import Path
from typing import get_args

import pytest

from configs.errors import UsageError
from evals.reflective import facts
from evals.reflective.changed_files import snapshot, with_operations
from evals.reflective.generated_project import Project
from evals.reflective.oracle import bare_script, oracle_script
from evals.reflective.scenario import Cannot, Changed, Family, Known, Scenario, load_scenarios


@pytest.fixture
def scenarios(project: Project) -> list[Scenario]:
    return load_scenarios(project.slots)


def test_there_are_enough_of_every_family_and_language(scenarios: list[Scenario]) -> None:
    families = Counter(scenario.family for scenario in scenarios)
    assert len(scenarios) >= 90 and set(families) == set(get_args(Family))
    assert min(families.values()) >= 8
    assert {scenario.language for scenario in scenarios} == {"en", "fr", "de", "es", "it", "zh"}
    assert all(scenario.trap for scenario in scenarios if scenario.family == "recovery")


def test_every_answer_can_be_computed_and_says_something(project: Project, scenarios: list[Scenario]) -> None:
    for scenario in scenarios:
        expected = scenario.expected_answer
        if isinstance(expected, Known):
            value = facts.FACTS[expected.fact](project.root, **expected.args)
            assert isinstance(value, int) == (expected.kind == "number"), scenario.id
            assert value or scenario.id in ("ct-warnings-and-belt",), scenario.id
        elif isinstance(expected, Changed):
            files = snapshot(project.root)
            assert with_operations(files, expected.operations) != files, scenario.id
        assert isinstance(expected, Cannot) == (scenario.family == "impossible")


def test_bypass_scenarios_need_no_tool_and_others_do(scenarios: list[Scenario]) -> None:
    for scenario in scenarios:
        alone = scenario.family == "bypass"
        assert alone == (scenario.complexity == ["bypass"]) and alone == (scenario.max_steps == 0)
        assert bool(scenario.says) if alone else bool(scenario.oracle), scenario.id


def test_the_oracle_knows_a_plan_for_every_scenario(project: Project, scenarios: list[Scenario]) -> None:
    for scenario in scenarios:
        script = oracle_script(scenario, project.root)
        planned = script.roles["planner"]
        assert len(planned) == 1 + bool(scenario.trap), scenario.id
        assert bare_script(scenario).default != [""]
        passes = [reply for reply in script.roles["verifier"] if "when" in reply]
        assert bool(passes) == (scenario.family != "impossible")


def test_a_slot_nobody_fills_and_an_id_given_twice_are_refused(tmp_path: Path) -> None:
    entry = (
        "- {id: a, description: d, input: '${nothing}', complexity: [simple], "
        "expected_answer: {kind: cannot}}\n"
    )
    file = tmp_path / "counting.yaml"
    file.write_text(entry)
    with pytest.raises(UsageError, match="unknown slot"):
        load_scenarios({}, [file])
    file.write_text(entry.replace("${nothing}", "x") * 2)
    with pytest.raises(UsageError, match="same id"):
        load_scenarios({}, [file])
