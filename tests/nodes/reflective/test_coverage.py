"""What a goal states and a command does not take up."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recipes.places import Place, Whereabouts, locate
from memory.recipes.reading import read_goal
from nodes.reflective.coverage import SIGNS, uncovered, unexplained, untaken

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


def lost(goal: str, *commands: str) -> list[str]:
    reading = read_goal(goal)
    return untaken(reading, locate(reading, PLACES), "\n".join(commands))


@pytest.mark.parametrize(
    ("goal", "command"),
    [
        ('how many files contain "harbour"?', "grep -rl port . | wc -l"),
        ("how many lines does data/ships.csv have?", "wc -l notes.txt"),
        ("how many lines does data/ships.csv have?", "ls"),
        ("which .md files mention the sea?", "grep -rl --include='*.py' sea ."),
        ("the 3 largest files", "find . -type f -size +1k | sort -n | head -n 30"),
        ("which files do not contain TODO?", "grep -rl TODO ."),
        ("which commit is the most recent?", "find . -type f | sort"),
    ],
)
def test_what_is_certainly_left_out_is_told(goal: str, command: str) -> None:
    assert lost(goal, command) != []


@pytest.mark.parametrize(
    ("goal", "command"),
    [
        ("which functions of storage are never called?", "grep -rn 'load_state(' ."),
        ("headings of README.md that CHANGELOG.md does not have", "sort README.md CHANGELOG.md | uniq -u"),
        ('how many lines mention "Port"?', "grep -rc '[Pp]ort' ."),
        ('which lines are like "a.b"?', "grep -rnE 'a[.]b' ."),
        ('does data/ships.csv say "Boreas"?', "cat data/ships.csv"),
        ("how many lines does data/ships.csv have?", "wc -l data/*.csv"),
        ("how many lines does data/ships.csv have?", "find data -name '*.csv' -print0 | xargs -0 wc -l"),
        ("ships longer than 200", "grep -E '2[0-9]{2}' data/ships.csv"),
        ("documents with a numbered list", "grep -rlE '^[0-9]+' docs"),
        ("the first 5 lines after the header of data/ships.csv", "head -n 6 data/ships.csv | tail -n 5"),
        ("files that do not contain TODO", "grep -rc TODO . "),
        ("which commit is the most recent?", "git log -1"),
    ],
)
def test_what_may_be_taken_up_in_other_words_is_no_reason_to_refuse(goal: str, command: str) -> None:
    assert lost(goal, command) == []


@settings(max_examples=25)
@given(st.text("abcdef", min_size=3, max_size=8), st.text("ghijkl", min_size=3, max_size=8))
def test_a_quoted_text_of_which_no_command_holds_a_word_is_left_out(text: str, other: str) -> None:
    goal = f'which files contain "{text}"?'
    assert lost(goal, f"grep -rl {other} .") == [f"the text {text!r}"]
    assert lost(goal, f"grep -rl {text} .") == []


@given(st.sampled_from(["wc -l {}", "sort {} | head -n 1", "grep -c x {}"]), st.booleans())
def test_whatever_is_certain_is_a_doubt_as_well_or_a_plain_negation(form: str, right: bool) -> None:
    goal = "how many lines does data/ships.csv have?"
    command = form.format("data/ships.csv" if right else "notes.txt")
    assert bool(lost(goal, command)) is not right
    assert right or missing(goal, command)


@pytest.mark.parametrize(
    ("command", "takes_up"),
    [
        ("grep -c x data/ships.csv", True),
        ("grep -c x data/ships_old.csv", False),
        ("grep -c x data/ships.dat", False),
        ("grep -rc x data", True),
        ("grep -c x data/*.csv", True),
        ("git log --oneline -- data/ships.csv", True),
    ],
)
def test_a_file_of_a_like_name_is_another_file(command: str, takes_up: bool) -> None:
    reading = read_goal("how many rows of data/ships.csv hold x?")
    told = untaken(reading, Whereabouts(files=("data/ships.csv",)), command)
    assert (told == []) is takes_up
