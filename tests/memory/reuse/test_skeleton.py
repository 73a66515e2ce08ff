import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.reuse.skeleton import skeleton_of

PLACES = {"docs": "docs", "harbour": "src/harbour", "models.py": "src/harbour/models.py"}
NAMES = st.from_regex(r"[a-z]{2,8}_[a-z]{2,8}", fullmatch=True)


@pytest.mark.parametrize(
    ("goal", "key", "values"),
    [
        ("Which files import load_ships but not os?", "which files import <name> but not os", ["load_ships"]),
        ("which lines in `src/a.py` hold TODO", "which lines in <path> hold <name>", ["src/a.py", "TODO"]),
        (
            "the 3 largest *.md files in docs",
            "<number> largest <extension> files in <path>",
            ["3", ".md", "docs"],
        ),
        ('show lines with "a b" in harbour', "lines with <text> in <path>", ["a b", "harbour"]),
        ("commits by Alice since 2024-05-01", "commits by <name> since <date>", ["Alice", "2024-05-01"]),
        ("Bob's commits", "<name> 's commits", ["Bob"]),
        ("files with .txt at the end", "files with <extension> at end", [".txt"]),
        ('lines with "say  please  now"', "lines with <text>", ["say  please  now"]),
        ('lines with "in this project"', "lines with <text>", ["in this project"]),
        ("commits before Friday in Python", "commits before friday in python", []),
        ("what changed in v0.2.0", "what changed in <name>", ["v0.2.0"]),
    ],
)
def test_values_are_taken_out_of_the_question(goal: str, key: str, values: list[str]) -> None:
    skeleton = skeleton_of(goal, PLACES)
    assert skeleton.key == key
    assert [slot.text for slot in skeleton.slots] == values


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("which is the largest file", "which is the smallest file"),
        ("files containing foo_bar", "files not containing foo_bar"),
        ("files that import nothing", "files that import load_all"),
        ("modules importing requests", "modules importing nobody"),
        ("files in docs", "files outside docs"),
        ("functions in models.py that docs mentions", "functions in models.py that docs does not mention"),
        ("lines that start with TODO", "lines that end with TODO"),
        ("the first 3 commits", "the last 3 commits"),
        ("how many files mention TODO", "which files mention TODO"),
        ("show models.py", "find models.py"),
        ("Welche Dateien enthalten Tests", "Welche Dateien enthalten Klassen"),
        ("files larger than 10 kB", "files larger than 10 MB"),
        ("lines that contain the word please", "lines that contain the word thanks"),
        ("lines starting please", "lines starting thanks"),
        ("files with please in them", "files with kindly in them"),
        ("how often is the word the written", "how often is the word a written"),
        ("lines that end with ;", "lines that end with ,"),
        ("lines that end with ?", "lines that end with ."),
        ("well tested modules", "tested modules"),
        ("find the entry point", "show the entry point"),
        ("size of the project", "size of the repository"),
        ("what is in the project", "what is in the repository"),
        ("DO NOT LIST FILES THAT MENTION SHIPS", "LIST FILES THAT MENTION SHIPS"),
    ],
)
def test_another_question_has_another_skeleton(one: str, other: str) -> None:
    assert skeleton_of(one, PLACES).key != skeleton_of(other, PLACES).key


@pytest.mark.parametrize(
    "said",
    [
        "{}?",
        "please {}",
        "Hi, can you tell me {}? Thanks!",
        "could you please list {}",
        "{} in this repository",
        "just curious: {}",
        "show me the {}",
        "{}, if you don't mind",
    ],
)
def test_courtesies_change_nothing(said: str) -> None:
    goal = "classes that inherit from Base and have no docstring"
    assert skeleton_of(said.format(goal)).key == skeleton_of(goal).key


@given(NAMES, NAMES, st.integers(1, 999), st.integers(1, 999))
def test_only_values_differ(name: str, other: str, number: int, another: int) -> None:
    goal = "which {1} functions call {0} but are never tested"
    one, two = skeleton_of(goal.format(name, number)), skeleton_of(goal.format(other, another))
    assert one.key == two.key
    assert [slot.text for slot in one.slots] == [str(number), name]


@given(st.text(max_size=200))
def test_any_text_has_a_skeleton_that_does_not_change(goal: str) -> None:
    skeleton = skeleton_of(goal)
    assert skeleton == skeleton_of(goal)
    assert skeleton.key.count("<") >= len(skeleton.slots)
