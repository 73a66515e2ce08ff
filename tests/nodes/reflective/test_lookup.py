"""Which names of a goal exist: looked up by the same tools as every step uses."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodes.reflective.lookup import (
    below_root,
    forget_lookups,
    ignored_paths,
    is_slip,
    locate_goal,
    near_names,
)
from nodes.reflective.services import Services
from tests.nodes.reflective.bench import Bench, git
from tools.toolbox import Toolbox

ODD = st.text("ab\u00e9\u00df+@-", min_size=1, max_size=6).map(lambda text: f"q{text}q")
quick = settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def tools(services: Services) -> Toolbox:
    assert services.toolbox is not None
    return services.toolbox


async def test_a_name_is_found_wherever_it_stands(bench: Bench) -> None:
    services = bench.services()
    located = await locate_goal("how many lines does storage.py have?", services, tools(services))
    assert located.whereabouts.files == ("src/storage.py",) and located.whereabouts.missing == ()


async def test_a_directory_is_told_from_a_file(bench: Bench) -> None:
    services = bench.services()
    located = await locate_goal("how many python files are in src?", services, tools(services))
    assert located.whereabouts.directories == ("src",) and located.whereabouts.files == ()


async def test_a_name_that_does_not_exist_is_missing(bench: Bench) -> None:
    services = bench.services()
    located = await locate_goal("how many lines does zebra.py have?", services, tools(services))
    assert located.whereabouts.missing == ("zebra.py",)


@quick
@given(ODD)
async def test_an_odd_name_is_found_when_it_exists_and_missing_when_not(bench: Bench, name: str) -> None:
    services = bench.services()
    path = bench.root / "data" / f"{name}.txt"
    goal = f"how many lines does data/{name}.txt have?"
    path.write_text("x\n")
    located = await locate_goal(goal, services, tools(services))
    assert located.whereabouts.files == (f"data/{name}.txt",) and not located.whereabouts.missing
    path.unlink()
    # What was found holds until a step runs, and no longer.
    assert await locate_goal(goal, services, tools(services)) is located
    forget_lookups(services)
    located = await locate_goal(goal, services, tools(services))
    assert located.whereabouts.missing != ()


async def test_directories_that_are_not_searched_are_told_only_if_they_exist(bench: Bench) -> None:
    services = bench.services()
    (bench.root / "node_modules" / "x").mkdir(parents=True)
    located = await locate_goal("how many files are there?", services, tools(services))
    assert "node_modules" in located.skipped_names and "__pycache__" not in located.skipped_names


async def test_a_directory_that_the_goal_names_is_searched(bench: Bench) -> None:
    services = bench.services()
    (bench.root / "node_modules").mkdir()
    located = await locate_goal("how many files are in node_modules?", services, tools(services))
    assert "node_modules" not in located.skipped_names
    assert located.whereabouts.directories == ("node_modules",)


async def test_what_git_ignores_is_git_s_own_list(bench: Bench) -> None:
    services = bench.services()
    assert await ignored_paths(tools(services)) == ()
    git(bench.root, "init", "-q")
    (bench.root / ".gitignore").write_text("*.log\nout/\n")
    (bench.root / "out").mkdir()
    (bench.root / "out" / "x").write_text("x")
    (bench.root / "odd é\n.log").write_text("x")
    ignored = await ignored_paths(tools(services))
    assert {path for path in ignored if not path.startswith(".reflect")} == {"out", "odd é\n.log"}


async def test_an_ignored_directory_that_the_goal_names_is_not_left_out(bench: Bench) -> None:
    services = bench.services()
    git(bench.root, "init", "-q")
    (bench.root / ".gitignore").write_text("gen/\nout/\n")
    for name in ("gen", "out"):
        (bench.root / name / "deep").mkdir(parents=True)
        (bench.root / name / "deep" / "x.py").write_text("x")
    located = await locate_goal("how many python files are in gen/deep?", services, tools(services))
    assert located.whereabouts.directories == ("gen/deep",)
    assert located.skipped_paths == ("out",)


async def test_files_of_a_named_directory_are_not_left_out_when_git_ignores_them_all(bench: Bench) -> None:
    services = bench.services()
    git(bench.root, "init", "-q")
    (bench.root / ".gitignore").write_text("*.log\n")
    for name in ("logs", "kept"):
        (bench.root / name).mkdir()
        (bench.root / name / "a.log").write_text("x")
    (bench.root / "kept" / "notes.md").write_text("x")
    located = await locate_goal("how many files are in logs and kept?", services, tools(services))
    assert located.whereabouts.directories == ("logs", "kept")
    skipped = {path for path in located.skipped_paths if not path.startswith(".reflect")}
    assert skipped == {"kept/a.log"}


async def test_log_files_are_not_left_out_of_what_is_asked_about_them(bench: Bench) -> None:
    services = bench.services()
    git(bench.root, "init", "-q")
    (bench.root / ".gitignore").write_text("*.log\n*.tmp\nvar/log/\n")
    for name in ("logs/a.log", "b.tmp", "var/log/c.log", "var/d.txt"):
        (bench.root / name).parent.mkdir(parents=True, exist_ok=True)
        (bench.root / name).write_text("x")
    for goal, skipped in (
        ("how many log files are there?", {"b.tmp"}),
        ("how many files are there?", {"b.tmp", "logs", "logs/a.log", "var/log"}),
    ):
        located = await locate_goal(goal, services, tools(services))
        assert {path for path in located.skipped_paths if not path.startswith(".reflect")} == skipped


async def test_names_that_resemble_a_missing_one_come_nearest_first(bench: Bench) -> None:
    services = bench.services()
    (bench.root / "data" / "shops.csv").write_text("")
    near = await near_names("data/ship.csv", services, tools(services))
    assert near[0] == "data/ships.csv" and "data/shops.csv" in near
    assert await near_names("wholly-different", services, tools(services)) == []


async def test_at_most_five_names_are_suggested(bench: Bench) -> None:
    services = bench.services()
    for number in range(9):
        (bench.root / str(number)).mkdir()
        (bench.root / str(number) / "harbour.py").write_text("")
    assert len(await near_names("harbor.py", services, tools(services))) == 5


@pytest.mark.parametrize(
    ("written", "path", "slip"),
    [
        ("storge.py", "src/storage.py", True),
        ("src/Storage.PY", "src/storage.py", True),
        ("parser.py", "src/storage.py", False),
        ("zebra.py", "berths.py", False),
    ],
)
def test_only_a_name_that_is_nearly_the_same_is_a_slip(written: str, path: str, slip: bool) -> None:
    assert is_slip(written, path) is slip


@given(st.text("abcdefgh", min_size=6, max_size=12), st.integers(0, 5))
def test_one_letter_left_out_of_a_long_name_is_a_slip(name: str, position: int) -> None:
    assert is_slip(f"{name[:position]}{name[position + 1 :]}.py", f"src/{name}.py")
    assert is_slip(f"{name}.py", f"src/{name}.py")


def test_only_paths_of_the_root_are_written_from_the_root(bench: Bench) -> None:
    box = tools(bench.services())
    root = str(bench.root)
    for goal, short in {
        f"how many files are in {root}?": "how many files are in this directory?",
        f"how many lines does '{root}/a.txt' have?": "how many lines does 'a.txt' have?",
        f"list {root}/src.": "list src.",
    }.items():
        assert below_root(goal, box) == short
    # The root's name with more behind it, another path's end, and a text to look for.
    for kept in (
        *(f"how many files are in {root}{more}?" for more in (".bak", "2", "-old", "~", "+x", "@1")),
        f"how many files are in /mnt{root}?",
        f"which files contain '{root}/a.txt'?",
    ):
        assert below_root(kept, box) == kept
