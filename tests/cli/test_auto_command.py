"""`reflect auto`: which engine, why, and its own command's answer."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path

import pytest

from cli.auto_command import BY_ENGINE, Delegate, answer_of, command_words, own_parser
from cli.auto_command import add_parser as add_auto
from nodes.collective.engines import ENGINES, Engine
from nodes.routing.playing import FREE, Game
from tests.cli.conftest import Reflect, Scripted

QUESTION = "How many python files are there?"
HOSTILE = ("--yes", "-", "--thread", "$(touch x)", "--goal=x", '"; rm -rf .')


@pytest.fixture(autouse=True)
def no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFLECT_EXPERIENCE__ENABLED", "false")


def test_the_person_is_told_which_engine_and_why_then_gets_its_answer(
    reflect: Reflect, project: Path, scripted: Scripted
) -> None:
    ran = reflect("auto", QUESTION, "--root", project, "--model", scripted(), "--quiet")
    asked = reflect("ask", QUESTION, "--root", project, "--model", scripted(), "--quiet")
    first = ran.err.splitlines()[0]
    assert first.startswith("engine: reflective, because ") and first.endswith(".")
    assert ran.code == asked.code == 0
    assert ran.out.splitlines()[:4] == asked.out.splitlines()[:4] and "10 *.py files" in ran.out


def test_json_has_the_decision_and_the_answer(reflect: Reflect, project: Path, scripted: Scripted) -> None:
    ran = reflect("auto", QUESTION, "--root", project, "--model", scripted(), "--quiet", "--json")
    report = json.loads(ran.out)
    assert report["decision"]["engine"] == report["engine"] == "reflective"
    assert report["decision"]["why"] and report["decision"]["source"] == "signals"
    assert report["answer"] == report["result"]["answer"] == "There are 10 *.py files."
    assert report["command"].startswith("reflect ask ")


def test_a_dry_run_decides_and_does_nothing_else(reflect: Reflect, project: Path) -> None:
    ran = reflect("auto", "--dry-run", "--json", "--root", project, "prove that no file below src imports os")
    assert ran.code == 0 and json.loads(ran.out)["decision"]["engine"] == "tutor"
    assert not (project / ".reflect").exists()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_person_may_choose(reflect: Reflect, project: Path, engine: str) -> None:
    ran = reflect("auto", "--engine", engine, "--dry-run", "--json", "--root", project, QUESTION)
    decision = json.loads(ran.out)["decision"]
    assert (decision["engine"], decision["source"]) == (engine, "person")


def test_a_benchmark_names_its_command_and_is_no_success(reflect: Reflect, project: Path) -> None:
    ran = reflect("auto", "benchmark llama3.2:1b", "--root", project)
    assert ran.code == 1 and "reflect eval tutor --model ollama:llama3.2:1b" in ran.out
    assert not (project / ".reflect").exists()


def test_an_engine_that_is_not_installed_is_named_and_another_runs(
    reflect: Reflect, project: Path, scripted: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    for delegate in (Delegate("hybrid", "cli.nowhere"), Delegate("nobody", "cli.ask_command")):
        monkeypatch.setitem(BY_ENGINE, "hybrid", delegate)  # type: ignore[arg-type]  # a dict, at run time
        options = ("--root", project, "--model", scripted(), "--quiet", "--json")
        ran = reflect("auto", "--engine", "hybrid", *options, QUESTION)
        assert "hybrid would be the right engine and is not installed: reflective runs instead." in ran.err
        report = json.loads(ran.out)
        assert (report["decision"]["engine"], report["engine"]) == ("hybrid", "reflective")
        assert ran.code == 0 and report["answer"] == "There are 10 *.py files."


def test_an_empty_goal_is_refused(reflect: Reflect, project: Path) -> None:
    ran = reflect("auto", " ", "--root", project)
    assert ran.code == 2 and "empty" in ran.err and not ran.out


@pytest.mark.parametrize("engine", [name for name in ENGINES if own_parser(name) is not None])
@pytest.mark.parametrize("goal", HOSTILE)
def test_a_goal_reaches_the_engines_command_as_it_is(engine: Engine, goal: str) -> None:
    parser = ArgumentParser()
    add_auto(parser.add_subparsers())
    given = parser.parse_args(["auto", "--thread=-t", "--quiet", "--", goal])
    game = Game(FREE, goal=goal) if engine == "tutor" else None
    words = command_words(given, engine, goal, game)
    own = own_parser(engine)
    assert own is not None
    parsed = vars(own.parse_args(words))
    field = "question" if engine == "contractive" else "query" if engine == "research" else "goal"
    assert parsed[field] in (goal, [goal])
    assert parsed["thread"] == "-t" and parsed["quiet"] and not parsed.get("yes")


def test_a_generated_game_is_begun_by_name_and_seed() -> None:
    parser = ArgumentParser()
    add_auto(parser.add_subparsers())
    given = parser.parse_args(["auto", "play B04 with seed 7"])
    words = command_words(given, "tutor", "play B04 with seed 7", Game("B04", 7))
    assert words[0] == "play" and words[-2:] == ["--seed=7", "B04"]


def test_answers_are_found_in_what_each_command_prints() -> None:
    claim = {"predicate": "count", "subject": "*.py", "value": 3, "unit": "files", "scope": "."}
    assert answer_of({"answer": "42"}) == "42"
    assert answer_of([{"description": "It is so [1]."}]) == "It is so [1]."
    assert answer_of({"answer": [{"claim": claim}]}) == "count *.py files = 3 in ."
    assert answer_of({"answer": ""}) is answer_of([]) is answer_of(None) is None
