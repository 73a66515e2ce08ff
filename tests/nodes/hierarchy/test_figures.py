"""The number an answer states, and what is computed of several: exactly what Python says, or nothing."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.hierarchy.aims import Aim
from nodes.hierarchy.composing import PartAnswer, composed
from nodes.hierarchy.figures import figure_of, figure_text, made_of
from nodes.reflective.grounding import ungrounded

COUNTS = st.integers(0, 10**7)


@settings(max_examples=80)
@given(COUNTS, st.sampled_from(["functions", "lines", "classes", "TODO comments", "entries"]))
def test_the_number_before_what_is_counted(count: int, what: str) -> None:
    asked = f"How many {what} are in pkg/v2_3.py?"
    assert figure_of(asked, f"pkg/v2_3.py has {count} {what}:\nline 3: x\nline 99: y") == count
    assert figure_of(asked, f"pkg/v2_3.py has {count:,} {what}.") == count


@pytest.mark.parametrize(
    ("question", "answer", "figure"),
    [
        ("How many functions are in b.py?", "b.py defines one function, line 2: def m(self):", 1),
        ("How many functions are in b.py?", "b.py defines no functions.", 0),
        ("how many TODO comments are in docs/a.md?", "There is one TODO: docs/a.md:3: TODO here", 1),
        ("What is the size of a.py?", "a.py: 60 bytes", 60),
        ("How many lines are in a.py?", "Either 3 lines or 4 lines.", None),
        ("How many lines are in a.py?", "12 of 40 files were read.", None),
        ("What does a.py define?", "It defines 3 things.", None),
        ("How many lines are in a.py?", "", None),
    ],
)
def test_a_figure_is_taken_only_where_it_is_plain(question: str, answer: str, figure: int | None) -> None:
    assert figure_of(question, answer) == figure


@settings(max_examples=80)
@given(st.lists(COUNTS, min_size=2, max_size=9))
def test_what_is_computed_is_what_the_figures_give(counts: list[int]) -> None:
    figures = {f"m{number}.py": Decimal(count) for number, count in enumerate(counts)}
    assert made_of("total", figures)[1] == str(sum(counts))
    assert made_of("average", figures)[1] == figure_text(Decimal(sum(counts)) / len(counts))
    if len(counts) == 2:
        assert made_of("difference", figures)[1] == str(max(counts) - min(counts))
    if len(set(counts)) > 1:
        most = made_of("most", figures)[1]
        assert all((name in most) == (value == max(counts)) for name, value in figures.items())
        least = made_of("least", figures)[1]
        assert all((name in least) == (value == min(counts)) for name, value in figures.items())


PARTS = st.lists(
    st.builds(
        lambda number, count, support: (number, count, support),
        st.integers(0, 40),
        st.none() | st.integers(0, 5000),
        st.floats(0.1, 1),
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda one: one[0],
)


@settings(max_examples=100)
@given(PARTS, st.sets(st.sampled_from(["total", "average", "difference", "most", "least"])))
def test_a_composed_answer_holds_nothing_of_its_own(
    drawn: list[tuple[int, int | None, float]], aims: set[Aim]
) -> None:
    parts = [
        PartAnswer(
            f"0.{n}", f"How many lines are in f{n}.py?", f"f{n}.py", f"f{n}.py has {count} lines.", support
        )
        if count is not None
        else PartAnswer(f"0.{n}", f"How many lines are in f{n}.py?", f"f{n}.py", absent="it was not read")
        for n, count, support in drawn
    ]
    made = composed(parts, sorted(aims))
    counts = [count for _, count, _ in drawn if count is not None]
    if made is None:
        assert not counts
        return
    missing = len(parts) - len(counts)
    computed = [
        str(sum(counts)),
        figure_text(Decimal(sum(counts)) / len(counts)),
        str(max(counts) - min(counts)),
    ]
    evidence = [part.answer for part in parts] + ([" ".join(computed)] if not missing else [])
    names = " ".join(part.about for part in parts)
    assert ungrounded(made.text, [*evidence, names, "two three four five six seven eight"]) == []
    assert (made.support <= 0.5) if missing else (made.support == min(support for *_, support in drawn))
    assert all(f"{part.about}: no answer" in made.text for part in parts if not part.answer)


@given(st.floats(0, 0.5))
def test_nothing_is_computed_of_a_figure_nobody_stands_by(support: float) -> None:
    sure = PartAnswer("0.1", "How many lines are in a.py?", "a.py", "a.py has 3 lines.", 1.0)
    guess = PartAnswer("0.2", "How many lines are in b.py?", "b.py", "b.py has 40 lines.", support)
    made = composed([sure, guess], ["total", "most"])
    assert made is not None and "43" not in made.text and "Most:" not in made.text
    assert "The total is not given" in made.text and "b.py has 40 lines." in made.text
