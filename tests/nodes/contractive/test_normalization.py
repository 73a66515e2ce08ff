"""A restatement takes a question's place only if it asks the same."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from configs.prompting import render
from nodes.contractive.normalization import answer_type, by_code, guarded
from nodes.contractive.reading.kinds import kinds_asked
from nodes.contractive.restating.guard import LONGER, SHORTEST_LIMIT
from tests.nodes.contractive.labelled import restatements

FEW = settings(max_examples=15, deadline=None)
SETS = ("tuned", "held", "second", "third", "fourth", "fifth", "sixth")
CAUGHT, LET_THROUGH = 0.95, 0.85


@pytest.mark.parametrize("name", SETS)
def test_harmful_restatements_are_caught_and_harmless_ones_let_through(name: str) -> None:
    told = [(row, guarded(row.question, row.restated, row.earlier)) for row in restatements(name)]
    harmful = [why for row, why in told if row.label != "harmless"]
    harmless = [(row.restated, why) for row, why in told if row.label == "harmless"]
    missed = [row.restated for row, why in told if row.label != "harmless" and not why]
    assert sum(map(bool, harmful)) >= CAUGHT * len(harmful), missed
    assert sum(not why for _, why in harmless) >= LET_THROUGH * len(harmless), [
        one for one in harmless if one[1]
    ]


def test_there_are_enough_pairs_of_each_kind_and_language() -> None:
    rows = [row for name in SETS for row in restatements(name)]
    assert len({(row.question, row.restated) for row in rows}) == len(rows) >= 120
    assert {row.language for row in rows} == {"en", "zh", "de"}
    assert min(sum(row.label == "harmless" for row in restatements(name)) for name in SETS) >= 20


QUESTIONS = sorted({row.question for row in restatements("tuned")})
ASKED = st.sampled_from(QUESTIONS)


@FEW
@given(ASKED)
def test_a_question_may_stand_for_itself(question: str) -> None:
    assert guarded(question, question) == ""
    assert guarded(question, f"  {question}\n") == ""


@FEW
@given(ASKED, st.integers(1000, 9_999_999))
def test_no_number_may_be_added(question: str, number: int) -> None:
    assume(str(number) not in question)
    assert guarded(question, f"{question.rstrip('?.。？')} {number}?")


@FEW
@given(ASKED, st.sampled_from(["Zanzibar", "Ottokar Prohaska", "黑龙江"]))
def test_no_name_may_be_added(question: str, name: str) -> None:
    assert guarded(question, f"{question.rstrip('?.。？')} ({name})?")


@FEW
@given(ASKED, st.text(alphabet="ab cd", min_size=1, max_size=40))
def test_a_restatement_is_never_much_longer(question: str, more: str) -> None:
    filler = (more.strip() or "x") * (max(LONGER * len(question), SHORTEST_LIMIT) + 1)
    assert "long" in guarded(question, question + filler)


@FEW
@given(st.integers(2, 9999), st.integers(2, 9999), st.sampled_from(["km", "kg", "%", "euros"]))
def test_a_number_stays_with_its_unit(one: int, other: int, unit: str) -> None:
    assume(one != other)
    question = f"A barn holds {one} {unit}. How much is left after {other} {unit}?"
    assert guarded(question, f"How much is left of {one} {unit} in a barn after {other} {unit}?") in (
        "",
        "it loses `holds`",
    )
    assert guarded(question, f"A barn holds {other} {unit}. How much is left after {one} {unit}?")


@FEW
@given(st.text(max_size=60), st.text(max_size=60), st.lists(st.text(max_size=30), max_size=2))
def test_any_two_texts_can_be_compared(question: str, restated: str, earlier: list[str]) -> None:
    assert isinstance(guarded(question, restated, earlier), str)


@pytest.mark.parametrize(
    ("question", "kind", "constraints"),
    [
        ("How fast is the train in km/h?", "number", ["in km/h"]),
        ("Wann fiel die Mauer?", "date", []),
        ("Wer schrieb Faust? Antworte auf Englisch.", "who", ["Antworte auf Englisch"]),
        ("Ist 91 eine Primzahl?", "yes_no", []),
        ("铁的熔点是多少摄氏度？", "number", ["多少摄氏度"]),
        ("Write a Python function that reverses a string.", "code", []),
        ("Who discovered radium and when?", "open", []),
        ("Which is longer, the Nile or the Danube?", "either", []),
        ("Why is the sky blue?", "open", []),
    ],
)
def test_code_reads_the_type_of_the_answer_and_what_it_has_to_keep_to(
    question: str, kind: str, constraints: list[str]
) -> None:
    found = by_code(question)
    assert (found.answer_type, found.constraints, found.source) == (kind, constraints, "code")
    assert found.question == question and answer_type(question) == kind


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("Who discovered radium and when?", ("who", "when")),
        ("How old was he when he died?", ("number",)),
        ("Wo und wann wurde Mozart geboren?", ("where", "when")),
        ("谁发现了镭，是什么时候发现的？", ("who", "when")),
        ("你能告诉我谁写了《红楼梦》吗？", ("who",)),
        ("If it rains, how do I get home?", ("how",)),
        ("Explain in one sentence why the sky is blue.", ("why",)),
        ('What does "who are you?" mean?', ("what",)),
        ("The capital of Peru is Lima.", ()),
    ],
)
def test_each_part_of_a_question_has_its_kind(question: str, kinds: tuple[str, ...]) -> None:
    assert kinds_asked(question) == kinds


SLOTS = {
    "contractive_normalize": ("question", "earlier"),
    "contractive_peer": ("root", "question", "answer", "context", "constraints"),
    "contractive_peer_light": ("root", "question", "answer", "context", "constraints"),
    "contractive_revise": ("question", "answer", "issues", "advice", "context", "known"),
}


@pytest.mark.parametrize("name", SLOTS)
def test_prompts_quote_what_they_are_given_between_fences(name: str) -> None:
    values = {slot: f"<{slot} {{{{fence}}}}>" for slot in SLOTS[name]}
    told = render(name, fence="=====", **values)
    before, inside, after = (
        told.split("\n=====\n") if told.startswith("\n") else ("\n" + told).split("\n=====\n")
    )
    assert not before and after.strip()
    assert all(value in inside and value not in after for value in values.values())
    rules = render(f"{name}_rules", fence="=====")
    assert "`=====`" in rules and "never follow" in rules


def test_a_revision_ends_with_its_answer() -> None:
    told = render(
        "contractive_revise", fence="=", question="", answer="", issues="", advice="", context="", known=""
    )
    assert '"Answer: "' in told and '"Answer: "' in render("contractive_revise_rules", fence="=")
