"""The generated project follows from its seed, and facts are what its files say."""

import ast
from pathlib import Path

import pytest

from evals.reflective import facts
from evals.reflective.changed_files import UNREADABLE, snapshot, with_operations
from evals.reflective.generated_project import Project, write_project

ONE = '''import json

LIMIT = 7


class C:
    def m(self): ...


def f():
    """Doc."""


def g(): ...
'''


@pytest.fixture(scope="module")
def places(project: Project, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    place = tmp_path_factory.mktemp("projects")
    others = {name: write_project(place / name, seed).root for name, seed in (("again", 11), ("b", 2))}
    return {"a": project.root, **others}


def test_the_same_seed_writes_the_same_bytes_and_another_one_others(places: dict[str, Path]) -> None:
    heads = {name: facts.FACTS["commit_message"](root) for name, root in places.items()}
    assert snapshot(places["a"]) == snapshot(places["again"]) and heads["a"] == heads["again"]
    assert snapshot(places["a"]) != snapshot(places["b"])
    assert _times(places["a"]) == _times(places["again"])


def _times(root: Path) -> dict[str, float]:
    return {path: (root / path).stat().st_mtime for path in facts.visible_files(root)}


def test_its_code_is_python(places: dict[str, Path]) -> None:
    for root in places.values():
        modules = list((root / "src").rglob("*.py"))
        assert len(modules) == 8
        for path in modules:
            ast.parse(path.read_text())


def test_a_copy_is_the_same_but_for_the_file_nobody_may_read(project: Project, tmp_path: Path) -> None:
    copy = project.copy_to(tmp_path / "second")
    assert snapshot(copy.root) == snapshot(project.root)
    assert _times(copy.root) == _times(project.root)
    assert (copy.root / UNREADABLE).stat().st_mode & 0o777 == 0


def test_a_place_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    with pytest.raises(FileExistsError):
        write_project(tmp_path, 0)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    for name, text in {
        "a.md": "# A\n\n## One\ntext\n## Two\n",
        "docs/b.md": "word word\n",
        "src/one.py": ONE,
        "src/two.py": "from one import f  # TODO: x\n",
        "tests/test_one.py": "",
        "node_modules/x.py": "def hidden(): ...\n",
        "t.csv": "k,v\na,1\nb,5\nb,2\n",
        "f.json": '{"x": true, "y": false}',
        "log": "ERROR a\nerror b\nINFO c\nERROR a\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("number_of_lines", {"path": "a.md"}, 5),
        ("number_of_words", {"path": "docs/b.md"}, 2),
        ("number_of_files", {"glob": "*.py"}, 3),
        ("names_of_files", {"glob": "*.md"}, ["a.md", "docs/b.md"]),
        ("total_lines", {"glob": "*.md"}, 6),
        ("most", {"glob": "*.md", "by": "lines"}, ["a.md"]),
        ("least", {"glob": "*.py", "under": "src", "by": "bytes"}, ["src/two.py"]),
        ("files_holding", {"pattern": "^def ", "glob": "*.py", "under": "src"}, ["src/one.py"]),
        ("files_holding", {"pattern": "import", "glob": "*.py", "without": "TODO"}, ["src/one.py"]),
        ("files_lacking", {"pattern": "TODO", "glob": "*.py", "under": "src"}, ["src/one.py"]),
        ("matching_lines", {"pattern": "ERROR", "glob": "log"}, 2),
        ("matching_lines", {"pattern": "ERROR", "glob": "log", "ignore_case": True}, 3),
        ("most_frequent", {"pattern": r"^\w+ (\w)", "glob": "log"}, ["a"]),
        ("different", {"pattern": r"^\w+ (\w)", "glob": "log"}, 3),
        ("found", {"pattern": r"^(\w+),\d", "glob": "t.csv"}, ["a", "b"]),
        ("largest_number", {"pattern": r",(\d)", "glob": "t.csv"}, 5),
        ("line_number", {"path": "src/one.py", "pattern": "^def g"}, 14),
        ("number_of_functions", {"path": "src/one.py"}, 3),
        ("number_of_functions", {"kind": "class"}, 1),
        ("names_defined", {"path": "src/one.py"}, ["f", "g"]),
        ("names_defined", {"path": "src/one.py", "kind": "method"}, ["m"]),
        ("first_functions", {"path": "src/one.py", "n": 1}, ["f"]),
        ("defined_in", {"name": "g"}, ["src/one.py"]),
        ("constant_value", {"name": "LIMIT"}, 7),
        ("importers", {"module": "json"}, ["src/one.py"]),
        ("importers", {"module": "one"}, ["src/two.py"]),
        ("module_with_most_functions", {}, ["src/one.py"]),
        ("untested_modules", {}, ["src/two.py"]),
        ("empty_files", {"under": "tests"}, ["tests/test_one.py"]),
        ("table_rows", {"path": "t.csv"}, 3),
        ("table_rows", {"path": "t.csv", "key": "k", "value": "b"}, 2),
        ("table_key_of_largest", {"path": "t.csv", "key": "k", "column": "v"}, ["b"]),
        ("true_keys", {"path": "f.json"}, ["x"]),
        ("sections", {"path": "a.md"}, 2),
        ("sections_of_longest", {"under": "docs"}, 0),
        ("holding_bytes", {"text": "word", "under": "docs"}, ["docs/b.md"]),
    ],
)
def test_a_fact_is_what_the_files_say(
    small: Path, name: str, arguments: dict[str, object], value: object
) -> None:
    assert facts.FACTS[name](small, **arguments) == value


def test_what_should_be_there_after_a_change_is_computed() -> None:
    before = {"a": b"one two", "b": b"x"}
    operations = [
        {"write": "c", "text": "new"},
        {"move": "b", "to": "d"},
        {"edit": "a", "old": "two", "new": "2"},
    ]
    assert with_operations(before, operations) == {"a": b"one 2", "c": b"new", "d": b"x"}
    assert with_operations(before, [{"delete": "a"}]) == {"b": b"x"}
    for impossible in ({"delete": "z"}, {"edit": "a", "old": "z", "new": ""}, {"sing": "a"}):
        with pytest.raises(ValueError):
            with_operations(before, [impossible])
    assert before == {"a": b"one two", "b": b"x"}
