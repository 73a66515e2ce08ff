"""A review by code gives the verdict an answer deserves, and says what would mend it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contractive.answers import short_answer
from nodes.contractive.pre_review import UNSURE, confidence, pre_review
from nodes.contractive.state import VERDICTS, Answer, Measured, Normalization, Question, Review
from nodes.contractive.verdicts import verdict_of
from tests.nodes.contractive.labelled import reviewed

FEW = settings(max_examples=20, deadline=None)
SETS = ("tuned", "held")
"""The later ones are measured by tests.integration.test_later_labels."""
RIGHT = 0.9


def review(question: str, text: str, *, support: float = 1.0, entropy: float = 0.0) -> Review:
    short = short_answer(text, question)
    measured = Measured(
        answer=short.text if short.kind in ("answer", "code") else "",
        text=text,
        kind=short.kind,
        support=support,
        entropy=entropy,
        samples=4,
    )
    return pre_review(Question(id="0", text=question), Answer(measured=measured))


@pytest.mark.parametrize("name", SETS)
def test_verdicts_are_those_people_gave(name: str) -> None:
    rows = reviewed(name)
    told = [(row, review(row.question, row.answer, support=row.support, entropy=row.entropy)) for row in rows]
    wrong = [
        (row.verdict, one.verdict, row.question, row.answer)
        for row, one in told
        if one.verdict != row.verdict
    ]
    assert len(wrong) <= (1 - RIGHT) * len(rows), wrong
    # An answer that is none is never let through, and one that is good is never thrown away.
    assert not [entry for entry in wrong if {entry[0], entry[1]} == {"reject", "approved"}]


def test_there_are_enough_rows_of_every_verdict() -> None:
    rows = [row for name in SETS for row in reviewed(name)]
    assert len(rows) >= 80 and {row.verdict for row in rows} == set(VERDICTS)


QUESTIONS = sorted({row.question for row in reviewed("tuned")})


@FEW
@given(
    st.sampled_from(QUESTIONS), st.sampled_from(["", "  ", "...", "N/A"]), st.floats(0, 1), st.floats(0, 1)
)
def test_nothing_is_rejected_whatever_the_samples_say(
    question: str, text: str, support: float, entropy: float
) -> None:
    told = review(question, text, support=support, entropy=entropy)
    assert (told.verdict, told.score) == ("reject", 0.0) and told.advice


@FEW
@given(st.sampled_from(QUESTIONS), st.sampled_from(["{}", "{}.", "Question: {}", "**{}**"]))
def test_an_echo_scores_nothing(question: str, form: str) -> None:
    told = review(question, form.format(question))
    assert (told.verdict, told.score) == ("reject", 0.0)


@FEW
@given(
    st.sampled_from(QUESTIONS),
    st.sampled_from(
        [
            "I cannot answer without more data.",
            "I don't know.",
            "I'm sorry, but I can't help with that.",
            "我不知道。",
            "Ich weiß es nicht.",
            "There is not enough information to say.",
        ]
    ),
)
def test_a_refusal_scores_nothing(question: str, text: str) -> None:
    assert review(question, text).score == 0.0


@FEW
@given(st.sampled_from(QUESTIONS), st.text(max_size=120), st.floats(0, 1), st.floats(0, 1))
def test_a_verdict_is_that_of_its_score(question: str, text: str, support: float, entropy: float) -> None:
    told = review(question, text, support=support, entropy=entropy)
    assert told.by == "code" and 0 <= told.score <= 1 and told.verdict == verdict_of(told.score)
    assert bool(told.issues) == bool(told.advice)
    assert told.score == 1.0 or support < 1 or entropy > 0 or told.issues


@FEW
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_agreement_never_lowers_a_score(one: float, other: float, low: float, high: float) -> None:
    lesser, greater = sorted((one, other))
    calm, wild = sorted((low, high))
    worse, better = (
        confidence(Measured(support=support, entropy=entropy))
        for support, entropy in ((lesser, wild), (greater, calm))
    )
    assert UNSURE <= worse <= better <= 1.0


@pytest.mark.parametrize(
    ("question", "constraint", "answer"),
    [
        ("What is the speed of the train?", " Answer in km/h.", "The train travels at 60 km/h."),
        ("Which gases are noble?", " Name three gases.", "Helium, neon and argon"),
        ("What is DNA?", " Answer in one sentence.", "DNA is the molecule that carries genes."),
        ("What is 2 plus 2?", " Give only the number.", "4"),
        ("Is Pluto a planet?", " Answer yes or no.", "No"),
        ("What is pi?", " Round to two decimals.", "3.14"),
        ("Which city is the capital of Italy?", " Answer in German.", "Die Hauptstadt von Italien ist Rom."),
    ],
)
def test_a_constraint_that_is_kept_never_lowers_the_score(
    question: str, constraint: str, answer: str
) -> None:
    assert review(question + constraint, answer).score >= review(question, answer).score == 1.0


@pytest.mark.parametrize(
    ("question", "answer", "advice"),
    [
        ("How fast is the train in km/h?", "very fast", "Give the answer as a number in km/h."),
        ("How fast is the train in km/h?", "16.7 m/s", "Give the answer as a number in km/h."),
        ("When was it built?", "by Eiffel", "Give a date or a time as the answer."),
        ("Is Pluto a planet?", "It was found by Tombaugh in Arizona.", "Begin the answer with yes or no."),
        ("Name three gases.", "- helium\n- neon", "Give exactly 3 items, no more and no fewer."),
        ("Who found radium and when?", "Marie Curie", "Answer every part of the question, also when."),
        (
            "Who wrote Faust? Answer in German.",
            "It was written by the poet Goethe.",
            "Write the answer in German.",
        ),
    ],
)
def test_advice_tells_what_would_mend_it(question: str, answer: str, advice: str) -> None:
    assert review(question, answer).advice == advice


def test_more_constraints_broken_are_worse_and_never_throw_an_answer_away() -> None:
    question = "What is a volcano?"
    text = "A volcano is a mountain. It spits fire and it is in Italy."
    limits = (
        " Answer in one sentence.",
        " Answer in German.",
        " Give it as JSON.",
        " Answer in at most 3 words.",
    )
    told = [review(question + "".join(limits[:count]), text) for count in range(len(limits) + 1)]
    scores = [one.score for one in told]
    assert (
        scores == sorted(scores, reverse=True) and scores[0] == 1.0 and told[-1].verdict == "major_revision"
    )


def test_the_restated_question_is_what_counts() -> None:
    question = Question(
        id="0",
        text="and in km/h?",
        normal=Normalization(question="How fast is the train in km/h?", source="model"),
    )
    measured = Measured(answer="60 m/s", text="60 m/s", kind="answer", support=1.0, samples=1)
    told = pre_review(question, Answer(measured=measured, source="revision"))
    assert told.verdict == "minor_revision" and told.of == "revision"
