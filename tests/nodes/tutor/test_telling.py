"""What stands outside of the fence is one line that code wrote, whatever files and keys are called."""

from hypothesis import given
from hypothesis import strategies as st

from nodes.tutor.telling import LONGEST_LINE, of_verdict
from nodes.tutor.verdicts import validated


@given(st.text(), st.text())
def test_a_name_in_a_reason_makes_no_line_of_its_own(name: str, cite: str) -> None:
    verdict = validated(f"{name} is read by the line that failed.", frozenset({"o1"}))
    told = of_verdict("c1", verdict, "validated", {cite: "it is not as it was observed"})
    assert told.splitlines() == [told] and told.isprintable()
    assert len(told) <= 2 * LONGEST_LINE + 100


def test_a_reason_without_names_is_told_as_it_is() -> None:
    assert of_verdict("c1", validated("There are 3.", frozenset()), "validated", {}) == (
        "c1 is validated. There are 3."
    )
