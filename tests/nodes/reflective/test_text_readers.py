"""Plain output, numbers and lines as rows, against what Python makes of the same text."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recipes.recipe import AnswerTemplate
from nodes.reflective.compose import compose
from nodes.reflective.grounding import ungrounded
from nodes.reflective.text_readers import CUT, MOST_CHARACTERS, longest_line, numbers, output, shortest_line

TEMPLATE = AnswerTemplate(reader="output", one="${text}")


@given(values=st.lists(st.integers(-(10**40), 10**40), min_size=1, max_size=8))
def test_numbers_are_added_exactly(values: list[int]) -> None:
    (row,) = numbers("\n".join(map(str, values)) + "\n", TEMPLATE)
    assert (row["sum"], row["greatest"], row["least"]) == (
        str(sum(values)),
        str(max(values)),
        str(min(values)),
    )
    assert abs(Fraction(str(row["mean"])) - Fraction(sum(values), len(values))) < Fraction(1, 10**8)


def test_tenths_stay_tenths() -> None:
    assert numbers("0.1\n0.2\n", TEMPLATE)[0]["sum"] == "0.3"
    assert numbers("100\n200\n", TEMPLATE)[0]["mean"] == "150"


@pytest.mark.parametrize("text", ["", "\n", "age\n3\n", "1\nx\n2\n", "1,5\n", "nan\n", "1e3\n", "0x10\n"])
def test_what_is_no_number_gives_no_sum(text: str) -> None:
    assert numbers(text, TEMPLATE) == []


@given(lines=st.lists(st.text(alphabet="abc d", max_size=6), max_size=6))
def test_longest_and_shortest(lines: list[str]) -> None:
    text = "".join(f"{line}\n" for line in lines)
    filled = [line for line in lines if line.strip()]
    if not filled:
        assert longest_line(text, TEMPLATE) == shortest_line(text, TEMPLATE) == []
        return
    (long,), (short,) = longest_line(text, TEMPLATE), shortest_line(text, TEMPLATE)
    assert long["length"] == max(map(len, filled)) and short["length"] == min(map(len, filled))
    assert long["text"] in filled and short["text"] in filled


def test_output_is_told_as_it_is_but_for_dots_in_front_and_never_cut_without_a_word() -> None:
    assert output("./a\n./b c\n.hidden\n../x\n", TEMPLATE) == [{"text": "a\nb c\n.hidden\n../x"}]
    assert output("", TEMPLATE) == [] and output("\n", TEMPLATE) == [{"text": "(an empty line)"}]
    (row,) = output("x" * 99 + "\n" + ("y" * 99 + "\n") * (MOST_CHARACTERS // 100 + 5), TEMPLATE)
    assert str(row["text"]).endswith(CUT) and len(str(row["text"])) <= MOST_CHARACTERS + len(CUT)


def test_a_sum_is_evidence_of_its_own() -> None:
    template = AnswerTemplate(reader="numbers", one="${sum}")
    composed = compose("3\n4\n", template, {})
    assert composed.text == "7" and ungrounded("7", ["3\n4\n", *composed.computed]) == []
    assert ungrounded("8", ["3\n4\n", *composed.computed]) == ["8"]
