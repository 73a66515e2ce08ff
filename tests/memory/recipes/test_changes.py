import json
from pathlib import Path

import pytest

from memory.recipes.changes import wants_change

QUESTIONS = Path(__file__).resolve().parents[3] / "evals" / "questions"

CHANGES = [
    "create a file notes.txt with hi there",
    "please delete the build folder",
    "Can you rename draft.md to final.md?",
    "move src/a.py to lib/a.py",
    "in one go, count the files and save the result to counts.txt",
    "write a script count.py that counts lines",
    "replace 'foo' with 'bar' in config.ini",
    "fix the typo in README.md",
    "run the tests",
    "Run `make lint`",
    "mkdir docs/old",
    "I want you to append a line to CHANGELOG.md",
    "list the python files and write them to files.txt",
    "change the files here as agreed",
    "set DEBUG to false in settings.py",
]
QUESTIONS_OF_OURS = [
    "which commits deleted files?",
    "make a list of the python files",
    "write a short summary of README.md",
    "what changed in the last commit?",
    "who moved data/tasks.txt?",
    "how do I create a file?",
    "make targets in the Makefile - count them",
    "show the changes of the last week",
    "add up the sizes of all csv files",
    "what does make run do",
    "create a table of file sizes",
    "where is the function that removes ships defined?",
    "remove_ship: where is it called?",
    "what would running the tests do",
    "sort the python files by size",
    "can you run me through the code in parser.py?",
    "let's start with what is in README.md",
    "generate a histogram of file sizes",
    "write a short description of main.py",
    "make a guess which file is biggest",
    "count the lines in a.txt and put the number in words",
    "convert the total size of docs/ to megabytes",
]


@pytest.mark.parametrize("goal", CHANGES)
def test_a_request_for_a_change_is_seen(goal: str) -> None:
    assert wants_change(goal)


@pytest.mark.parametrize("goal", QUESTIONS_OF_OURS)
def test_a_question_asks_for_no_change(goal: str) -> None:
    assert not wants_change(goal)


@pytest.mark.integration  # takes seconds
def test_no_question_of_the_question_sets_is_taken_for_a_change() -> None:
    goals = [
        json.loads(line)["goal"]
        for path in [*QUESTIONS.glob("held_out_*.jsonl"), QUESTIONS / "tuned.jsonl"]
        for line in path.read_text("utf-8").splitlines()
    ]
    assert len(goals) > 500
    assert [goal for goal in goals if wants_change(goal)] == []
