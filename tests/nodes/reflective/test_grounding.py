"""Which facts of an answer the evidence holds."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nodes.reflective.grounding import facts_in, ungrounded

NAME = st.text("abcdefghijklmnop", min_size=3, max_size=8)
PATHS = st.builds(lambda folder, name: f"{folder}/{name}.py", NAME, NAME)
NUMBERS = st.integers(2, 10**7)
BEFORE = st.sampled_from(["", "The answer is ", "It has (", "**", "- ", "1. There are ", "Total: "])
AFTER = st.sampled_from(["", ".", " lines", ")", "**", "!", " in all.", "KB", "%", ", as asked"])


@given(NUMBERS, NUMBERS, BEFORE, AFTER)
def test_a_number_that_no_evidence_holds_is_found_whatever_stands_around_it(
    told: int, seen: int, before: str, after: str
) -> None:
    assume(told != seen)
    assert ungrounded(f"{before}{told}{after}", [f"{seen} README.md"]) != []
    assert ungrounded(f"{before}{seen}{after}", [f"{seen} README.md"]) == []


@given(PATHS, PATHS, BEFORE)
def test_a_path_that_no_evidence_holds_is_found(told: str, seen: str, before: str) -> None:
    assume(told not in seen)
    assert told in ungrounded(f"{before}{told} is the one.", [f"./{seen}:3:x"])
    assert ungrounded(f"{before}{seen} is the one.", [f"./{seen}:3:x"]) == []


@given(st.lists(st.one_of(PATHS, NUMBERS.map(str)), min_size=1, max_size=6))
def test_an_answer_made_of_its_evidence_is_grounded(facts: list[str]) -> None:
    evidence = [f"{fact}\n" for fact in facts]
    assert ungrounded("Found: " + ", ".join(facts) + ".", evidence) == []


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("It is in a.py.", "data.py"),
        ("The commit is 6ff479d.", "6ff479e Fix"),
        ("Release v1.2.3 did it.", "v1.2.30"),
        ("There are three files.", "a\nb\n4 files"),
        ("It takes 5KB.", "4 kb"),
        ('It says "no ships today".', "no ships tomorrow"),
        ("It says `rm -rf build`.", "rm -r build"),
        ("It grew by 1.5 percent.", "1.55"),
        ("There are 1,200 lines.", "12000"),
        ("The name is test_parser2.", "test_parser"),
        ("It is called load_config.", "load_configs"),
    ],
)
def test_a_fact_that_only_resembles_the_evidence_is_not_held(answer: str, evidence: str) -> None:
    assert ungrounded(answer, [evidence]) != []


@pytest.mark.parametrize(
    ("answer", "evidence"),
    [
        ("There are 1,200 lines.", "1200 total"),
        ("It is 2.50 MB.", "2.5"),
        ("There are three files.", "how many: 3"),
        ("README.md is the largest.", "  130 ./README.md"),
        ("src/app/ holds it.", "src/app/main.py"),
        ("1. First\n2. Second", "First Second"),
        ("Yes, e.g. in the docs.", ""),
        ("Commit 6ff479d by Bob.", "6ff479d  Bob"),
        ("The SHA-256 is equal.", ""),
    ],
)
def test_the_same_fact_written_otherwise_is_held(answer: str, evidence: str) -> None:
    assert ungrounded(answer, [evidence]) == []


def test_facts_come_in_order_and_once() -> None:
    assert facts_in("a/b.py has 3 lines, a/b.py has 3.") == ["a/b.py", "3"]
