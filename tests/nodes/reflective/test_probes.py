"""Which class an error belongs to, and which read-only calls show why it happened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import ToolSettings
from memory.recipes.places import Whereabouts
from memory.recipes.reading import read_goal
from nodes.reflective.lookup import Located
from nodes.reflective.probes import (
    CATEGORIES,
    REMEDIES,
    category_of,
    nearest_parent,
    paths_in_error,
    probes_for,
    remedy_for,
)
from nodes.reflective.state import PlanStep
from tests.nodes.reflective.bench import Bench
from tools.protocol import ToolResult
from tools.toolbox import Toolbox

NAMES = [*(name for name, _ in CATEGORIES), "other"]


def located(*missing: str) -> Located:
    return Located(read_goal("look"), Whereabouts(missing=missing), (), ())


def failed(error_kind: str | None) -> PlanStep:
    result = ToolResult(tool="command", returncode=-1, error="x", error_kind=error_kind)
    return PlanStep(num=1, description="d", result=result)


@pytest.mark.parametrize(
    ("error", "category"),
    [
        ("grep: none.csv: No such file or directory", "missing_path"),
        ("wc: cannot access 'x'", "missing_path"),
        ("cat: x: Permission denied", "permission"),
        ("ls: unrecognized option '--wrong'", "unknown_option"),
        ("find: unknown predicate `-nam'", "unknown_option"),
        ("fatal: not a git repository (or any parent)", "not_a_repository"),
        ("your current branch 'main' does not have any commits yet", "not_a_repository"),
        ("Step 1 failed (exit -1): timed out after 60 seconds", "timeout"),
        ("output cut at 1000 bytes, so the call was stopped", "output_cap"),
        ("rm is refused: it is not in the read-only set", "refused"),
        ("Step 1 failed (exit 0): it printed nothing", "empty_output"),
        ("The output holds no answer.", "empty_output"),
        ("something quite new", "other"),
    ],
)
def test_an_error_is_classed_by_what_it_says(error: str, category: str) -> None:
    assert category_of(None, error) == category


@pytest.mark.parametrize("kind", ["timeout", "output_cap", "refused"])
def test_the_tool_layers_own_word_counts_more_than_the_text(kind: str) -> None:
    assert category_of(failed(kind), "No such file or directory") == kind
    assert category_of(failed("launch"), "No such file or directory") == "missing_path"


@given(st.text(max_size=80))
def test_every_error_has_a_class_and_every_class_a_remedy_that_keeps_the_errors_words(error: str) -> None:
    category = category_of(None, error)
    diagnosis, instead = remedy_for(category, error)
    assert category in REMEDIES and diagnosis.endswith(error) and instead


@pytest.mark.parametrize("category", NAMES)
def test_every_probe_is_a_call_the_tools_accept(category: str, bench: Bench) -> None:
    toolbox = Toolbox(bench.root, ToolSettings(sandbox="policy"))
    probes = probes_for(category, None, located("data/none.csv", "none.txt"))
    assert probes
    for probe in probes:
        toolbox.check(probe)


def test_for_a_missing_path_the_directory_it_should_be_in_is_listed() -> None:
    listed = [probe.args["path"] for probe in probes_for("missing_path", None, located("data/x.csv", "y"))]
    assert listed == [".", "data"]


@pytest.mark.parametrize(
    ("error", "paths"),
    [
        ("cat: data/x.csv: No such file or directory", ["data/x.csv"]),
        ("ls: cannot access 'a b/c': No such file or directory", ["a b/c"]),
        ("find: ‘deep/er’: Permission denied", ["deep/er"]),
        ("something else", []),
    ],
)
def test_the_paths_a_tool_complains_of_are_found(error: str, paths: list[str]) -> None:
    assert paths_in_error(error) == paths


@pytest.mark.parametrize(
    ("path", "parent"),
    [("data/x/y.csv", "data"), ("none/y", "."), ("../x/y", "."), ("/etc/passwd", "."), ("x", "."), ("", ".")],
)
def test_the_nearest_parent_lies_below_the_root(path: str, parent: str, bench: Bench) -> None:
    assert nearest_parent(bench.root.resolve(), path) == parent


def test_an_unknown_option_shows_the_help_of_the_tool_that_complained(bench: Bench) -> None:
    result = ToolResult(
        tool="command", returncode=2, stderr="grep: unknown option -- Q", command="ls | grep -Q"
    )
    step = PlanStep(num=1, description="d", result=result)
    probe = probes_for("unknown_option", step, located())[0]
    assert probe.args["command"].startswith("grep --help | head")
    Toolbox(bench.root, ToolSettings(sandbox="policy")).check(probe)


def test_an_option_the_tools_refuse_is_an_unknown_option() -> None:
    assert (
        category_of(failed("refused"), "grep -Q: it is not a read-only option of this tool")
        == "unknown_option"
    )
