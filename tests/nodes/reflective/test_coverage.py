"""What a goal states and a command does not take up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.recipes.places import Place, Whereabouts, locate
from memory.recipes.reading import read_goal
from nodes.reflective.coverage import SIGNS, uncovered, unexplained

PLACES = (Place("data/ships.csv", False), Place("src", True))


def missing(goal: str, *commands: str) -> list[str]:
    reading = read_goal(goal)
    return uncovered(reading, locate(reading, PLACES), "\n".join(commands))


@pytest.mark.parametrize(
    ("goal", "lacks", "covers"),
    [
        ('how many files contain "harbour"?', "grep -rl port . | wc -l", "grep -rl harbour . | wc -l"),
        ("how many lines does data/ships.csv have?", "wc -l notes.txt", "wc -l data/ships.csv"),
        ("how many python files are there?", "find . -type f | wc -l", "find . -name '*.py' | wc -l"),
        ("how many python files are there?", "find . -name '*.py'", "find . -name '*.py' | wc -l"),
        ("the 3 largest files", "find . -size +1k | sort -n | head -n 30", "ls -S | head -n 3"),
        ("which commit is the most recent?", "find . | sort", "git log -1"),
        ("which files do not contain TODO?", "grep -rl TODO .", "grep -rL TODO ."),
        ('which files contain "abc", ignoring case?', "grep -rl abc .", "grep -rli abc ."),
    ],
)
def test_a_command_that_leaves_out_part_of_the_goal_is_found_out(goal: str, lacks: str, covers: str) -> None:
    assert missing(goal, lacks) != []
    assert missing(goal, covers) == []


@given(st.integers(2, 500), st.integers(2, 500))
def test_a_number_asked_for_must_stand_in_a_command_by_itself(asked: int, given_: int) -> None:
    text = f"find . -type f -printf '%s %p\\n' | sort -rn | head -n {given_}"
    told = missing(f"show the {asked} largest files", text)
    assert (f"the number {asked}" in told) is (asked != given_)


@given(st.text("abcdef", min_size=3, max_size=8), st.text("ghijkl", min_size=3, max_size=8))
def test_a_quoted_text_must_stand_in_a_command(text: str, other: str) -> None:
    goal = f'which files contain "{text}"?'
    assert f"the text {text!r}" in missing(goal, f"grep -rl {other} .")
    assert f"the text {text!r}" not in missing(goal, f"grep -rl {text} .")


def test_one_of_several_commands_may_take_a_part_up() -> None:
    goal = "how many lines does data/ships.csv have?"
    assert missing(goal, "ls", "wc -l data/ships.csv") == []


def test_a_ruled_out_place_must_be_named_too() -> None:
    reading = read_goal("how many python files are there outside src?")
    told = uncovered(reading, Whereabouts(excluded=("src",)), "find . -name '*.py' | wc -l")
    assert "the path src" in told


def test_words_that_no_command_takes_up_are_told() -> None:
    reading = read_goal("which captain's ship is Boreas moored with, judging by flag?")
    words = unexplained(reading, "grep Boreas data/ships.csv")
    assert "captain" in " ".join(words).lower() and "boreas" not in [word.lower() for word in words]
    assert unexplained(reading, " ".join(reading.residue)) == []


def test_the_signs_are_of_demands_a_reading_knows() -> None:
    assert {"rank", "negated", "count", "case", "recency"} <= set(SIGNS)
