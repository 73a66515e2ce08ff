"""What words of a goal settle by themselves."""

from __future__ import annotations

import pytest

from nodes.collective.engines import ENGINES
from nodes.routing.cues import cues_of
from nodes.routing.exemplars import load_exemplars
from nodes.routing.kinds import ENGINE_OF, kinds_of
from nodes.routing.rules import Ruled, by_rule


def ruled(goal: str) -> Ruled | None:
    return by_rule(goal, cues_of(goal))


def kind(goal: str) -> str | None:
    found = ruled(goal)
    return found.kind if found is not None else None


def test_no_rule_sends_an_exemplar_to_another_engine() -> None:
    sent = [(one, found) for one in load_exemplars() if (found := ruled(one.goal))]
    assert len(sent) > 100
    assert [both for both in sent if ENGINE_OF[both[1].kind] != ENGINE_OF[both[0].kind]] == []


@pytest.mark.parametrize("engine", ENGINES)
def test_a_person_who_names_an_engine_gets_it(engine: str) -> None:
    found = ruled(f"use the {engine} engine: how old is the oldest tree?")
    assert found is not None and ENGINE_OF[found.kind] == engine and engine in found.why


def test_two_engines_that_are_named_are_no_order() -> None:
    goal = "ask the reflective engine, then ask the contractive engine, whether trees sleep"
    assert kind(goal) is None


def test_an_engine_in_quotation_marks_is_text() -> None:
    assert kind('what could somebody mean by "use the research engine"') != kinds_of("research")[0]


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("prove that 101 is a prime", "reasoning"),
        ("prove that no file below lib imports re", "proof"),
        ("prove that notes.txt is empty", "proof"),
        ("prove that any two triangles with equal sides are congruent", "reasoning"),
    ],
)
def test_claims_about_files_are_for_the_tutor_those_of_mathematics_are_not(goal: str, expected: str) -> None:
    assert kind(goal) == expected


@pytest.mark.parametrize("goal", ["Hi!", "  hello there ", "Danke!", "¡Hola!", "merci beaucoup.", "你好！"])
def test_talk_and_nothing_else_is_answered_directly(goal: str) -> None:
    assert kind(goal) == "greeting"


@pytest.mark.parametrize("goal", ["hello.py", "hi, audit this code base", "thanks, now count the files"])
def test_talk_with_a_request_is_no_talk(goal: str) -> None:
    assert kind(goal) != "greeting"


@pytest.mark.parametrize("what", ["benchmark", "literature review", "code smell", "second opinion", "audit"])
def test_what_a_word_means_is_a_fact_whatever_the_word(what: str) -> None:
    assert kind(f"what is a {what}?") == "factual"
    assert kind(f"define {what}") == "factual"


@pytest.mark.parametrize("word", ["audit", "proof", "consensus", "vulnerability", "benchmark"])
def test_a_word_that_is_looked_for_says_nothing_about_the_work(word: str) -> None:
    assert kind(f"which files contain the word {word}") == "factual"
    assert kind(f'count the text "{word}" in docs/') == "factual"
