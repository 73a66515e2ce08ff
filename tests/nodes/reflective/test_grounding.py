"""Which facts of an answer the evidence holds."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from nodes.reflective.grounding import ORDINAL_WORDS, facts_in, ungrounded

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
        ("The version is 1.2.3.", "1.2.4"),
        ("It listens on 10.0.0.1", "10.0.0.2"),
        ("The count is 123.", "1,2,3"),
        ("The sum is 240112.", "Boreas,240,112"),
        ("There are 479.", "6ff479d"),
        ("There are 3 files.", "file3.txt"),
        ("The hash is 6FF479D.", "6ff479e"),
        ("The file is .gitignore.", "a.gitignore"),
        ("The file is data.7z.", "data.zip"),
        ("It is app.properties.", "app.props"),
        ("It is src/b.py.", "src/b.py.bak"),
        ("It is data.py.", "meta-data.py"),
        ("The Makefile has it.", "make"),
        ("There are fifteen files.", "5"),
        ("There are twenty-five files.", "20 5"),
        ("There are two hundred files.", "100"),
        ("There are 42_000 lines.", "42 000"),
        ("The mask is 0x1F.", "0 1"),
        ("The ticket is AB-999.", "AB-99"),
        ("999. That is how many.", "99"),
        ("These are they:\n1. a\n999. files", "1 99"),
        ("It says 'no ships today'.", "no ships"),
        ("It says «no ships».", "ships"),
        ("Call loadState() for it.", "load state"),
        ("It was on 2024-03-02.", "2024-03-01 02"),
        ("It began at 12:30.", "12:31 30"),
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
        ("There are twenty-five files.", "25 total"),
        ("It was made on 2024-03-01.", "2024-03-01T09:00:00+00:00"),
        ("It began at 09:00.", "2024-03-01T09:00:00+00:00"),
        ("Between v0.1.0..v0.2.0 lie some.", "v0.1.0 v0.2.0"),
        ("The others are 240 and 112.", "Boreas,240,112"),
        ("It is .gitignore.", "./.gitignore"),
        ("1. a\n2. b\n3. c", ""),
        ("Don't ask about the ships' and dogs' names.", ""),
    ],
)
def test_the_same_fact_written_otherwise_is_held(answer: str, evidence: str) -> None:
    assert ungrounded(answer, [evidence]) == []


@given(st.text("ab_cZ019.,:-/ '\"`\n+@T()\u00e9", max_size=60), st.text("xyz 9\n", max_size=10))
def test_an_output_shown_as_it_is_is_grounded(output: str, other: str) -> None:
    assert ungrounded(output, [other, output]) == []
    assert ungrounded(output.strip(), [output]) == []


@given(st.text("ab. ,\n:", max_size=30), st.integers(1000, 10**9), st.text("ab. ,\n:", max_size=30))
def test_no_surrounding_text_hides_a_number(before: str, number: int, after: str) -> None:
    assume(before[-1:] not in ("a", "b") and after[:1] not in ("a", "b"))
    assert ungrounded(f"{before}{number}{after}", ["ab 12 files"]) != []


def test_facts_come_in_order_and_once() -> None:
    assert facts_in("a/b.py has 3 lines, a/b.py has 3.") == ["a/b.py", "3"]


def test_a_quoted_character_does_not_turn_what_follows_inside_out() -> None:
    assert ungrounded('These speak of "E" or "seen" or "x".', ['E was seen, and "x"']) == []
    assert ungrounded('It says "E" and "fallen mast".', ["E"]) == ["fallen mast"]


def test_what_is_quoted_within_lines_opens_no_quotation_over_lines() -> None:
    told = 'line 3: name = ""\nline 4: other = "x"\nline 5: last = ""'
    assert not ungrounded(told, ['a.py:3:name = ""', 'a.py:4:other = "x"', 'a.py:5:last = ""', "line 3 4 5"])
    assert ungrounded('It says "alpha\nbeta".', ["alpha stands here", "beta there"]) == ["alpha\nbeta"]


@pytest.mark.parametrize(("digits", "word"), sorted(ORDINAL_WORDS.items()))
def test_an_ordinal_may_be_written_in_digits(digits: str, word: str) -> None:
    assert ungrounded(f"The {digits} largest is a.md.", [f"the {word} largest of a.md"]) == []
    assert ungrounded(f"The {digits} largest is a.md.", ["the largest of a.md"]) == [digits]
    assert ungrounded(f"There are {digits[:-2]} files.", [f"the {word} largest"]) == [digits[:-2]]
