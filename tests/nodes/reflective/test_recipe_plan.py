"""Plans from recipes, made and run on a project, against what Python counts."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from models.embeddings import Embedder
from nodes.reflective.compose import compose
from nodes.reflective.execute import run_step, succeeded
from nodes.reflective.lookup import locate_goal
from nodes.reflective.recipe_plan import plan_from_recipe, request_plan
from nodes.reflective.request_facts import look_up
from nodes.reflective.services import Services
from nodes.reflective.state import Plan, ReasoningState, ReflectionAttempt, StepStatus
from tests.nodes.reflective.bench import Bench, git
from tests.support.hashing_embedder import HashingEmbedder
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox


def tools(services: Services) -> Toolbox:
    assert services.toolbox is not None
    return services.toolbox


def embedder() -> Embedder:
    return HashingEmbedder()


async def plan_for(bench: Bench, goal: str, *failed: ToolCall | None) -> Plan | None:
    services = bench.services()
    located = await locate_goal(goal, services, tools(services))
    attempts = [
        ReflectionAttempt(timestamp="t", failed_step=1, error="e", failed_call=call) for call in failed
    ]
    return plan_from_recipe(located, attempts, embedder)


async def answered(bench: Bench, goal: str) -> str | None:
    """What the plan of a recipe answers, run in the graph as one node."""
    plan = await plan_for(bench, goal)
    assert plan is not None and plan.answer is not None
    services = bench.services()
    outputs: list[str] = []

    async def node(state: ReasoningState) -> dict[str, object]:
        for step in plan.steps:
            done = await run_step(step, plan, tools(services), services)
            assert done.status is StepStatus.SUCCESS, done.result
            outputs.append(tools(services).full_output(done.result))  # type: ignore[arg-type]  # it ran
        return {}

    await bench.visit(node, ReasoningState(goal=goal), bench.context())
    return compose(outputs[-1], plan.answer, plan.slots).text


def python_files(root: Path) -> int:
    return sum(1 for path in root.rglob("*.py") if path.is_file())


@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.sets(st.text("ab '\n\"é$", min_size=1, max_size=4), max_size=5))
async def test_files_are_counted_as_python_counts_them(bench: Bench, names: set[str]) -> None:
    written = [bench.root / "src" / f"x{name}.py" for name in names]
    for path in written:
        path.write_text("x = 1\n")
    count = python_files(bench.root)
    answer = await answered(bench, "How many python files are there?")
    for path in written:
        path.unlink()
    assert answer is not None and str(count) in answer or (count == 1 and "one" in str(answer).lower())


async def test_a_plan_is_made_without_a_model_and_says_which_recipe_it_is(bench: Bench) -> None:
    plan = await plan_for(bench, "How many lines does data/ships.csv have?")
    assert plan is not None and plan.source == "recipe" and plan.recipe
    assert plan.answer is not None and plan.confidence == 0.95
    assert all(step.tool_call is not None and step.tool_call.tool == "pipeline" for step in plan.steps)
    assert await answered(bench, "How many lines does data/ships.csv have?") == "data/ships.csv has 3 lines."


async def test_every_call_of_a_plan_is_one_the_tools_accept(bench: Bench) -> None:
    toolbox = tools(bench.services())
    for goal in ("Which python file has the most lines?", 'which files contain "alpha"?', "List all files"):
        plan = await plan_for(bench, goal)
        assert plan is not None, goal
        for step in plan.steps:
            assert step.tool_call is not None
            toolbox.check(step.tool_call)


async def test_a_call_that_failed_is_not_planned_again(bench: Bench) -> None:
    goal = "How many lines does data/ships.csv have?"
    plan = await plan_for(bench, goal)
    assert plan is not None
    again = await plan_for(bench, goal, plan.steps[0].tool_call)
    assert again is None or again.steps[0].tool_call != plan.steps[0].tool_call


@pytest.mark.parametrize(
    "goal", ["why is the sea salty?", "which captain's ship is Boreas moored with, judging by flag"]
)
async def test_a_goal_that_no_recipe_covers_has_no_plan(bench: Bench, goal: str) -> None:
    assert await plan_for(bench, goal) is None


async def test_what_git_ignores_is_not_counted_unless_asked_for(bench: Bench) -> None:
    git(bench.root, "init", "-q")
    (bench.root / ".gitignore").write_text("gen/\n")
    (bench.root / "gen").mkdir()
    for number in range(5):
        (bench.root / "gen" / f"{number}.py").write_text("x = 1\n")
    everywhere = await answered(bench, "How many python files are there?")
    inside = await answered(bench, "How many python files are in gen?")
    assert everywhere is not None and "1" in everywhere and "6" not in everywhere
    assert inside is not None and "5" in inside


async def test_directories_that_are_never_a_project_are_not_searched(bench: Bench) -> None:
    (bench.root / "node_modules").mkdir()
    (bench.root / "node_modules" / "x.py").write_text("x = 1\n")
    answer = await answered(bench, "How many python files are there?")
    assert answer is not None and "2" not in answer


@pytest.mark.parametrize("word", ["blue", "unused", "broken"])
async def test_a_word_that_no_plan_takes_up_is_in_the_way_of_a_conclusion(bench: Bench, word: str) -> None:
    plain = await plan_for(bench, "How many python files are there?")
    assert plain is not None and (plain.confidence, plain.conclusive) == (0.95, True)
    doubtful = await plan_for(bench, f"How many {word} python files are there?")
    assert doubtful is not None and (doubtful.confidence, doubtful.conclusive) == (0.6, False)


async def request_for(bench: Bench, goal: str) -> Plan | None:
    services = bench.services()
    return request_plan(await locate_goal(goal, services, tools(services)), goal)


async def carried_out(bench: Bench, plan: Plan | None, *, only_checks: bool = False) -> list[bool]:
    """Which steps of a change succeed, each judged as EXECUTE judges it."""
    assert plan is not None
    box = Toolbox(bench.root, bench.services().settings.tools, "full")
    calls = [(step, step.tool_call) for step in plan.steps if step.tool_call is not None]
    chosen = [(step, call) for step, call in calls if not (only_checks and box.writes(call))]
    return [succeeded(step, await box.run(call)) for step, call in chosen]


@pytest.mark.parametrize("folder", ["node_modules", "docs"])
async def test_the_look_that_shows_a_deletion_fails_while_it_is_not_made(bench: Bench, folder: str) -> None:
    (bench.root / folder).mkdir()
    plan = await request_for(bench, f"delete the folder {folder}")
    assert await carried_out(bench, plan, only_checks=True) == [False]


async def test_a_link_that_leads_nowhere_is_no_success(bench: Bench) -> None:
    (bench.root / "deep" / "sub").mkdir(parents=True)
    (bench.root / "short").symlink_to("deep/sub")
    (bench.root / "top.txt").write_text("x")
    plan = await request_for(bench, "create a symbolic link short/l to top.txt")
    assert not all(await carried_out(bench, plan))
    assert all(await carried_out(bench, await request_for(bench, "create a symbolic link deep/l to top.txt")))


async def test_a_colon_in_the_name_of_an_archive_names_no_host(bench: Bench) -> None:
    plan = await request_for(bench, "pack the folder data into '-ox=y:z.tar'")
    assert all(await carried_out(bench, plan))
    assert (bench.root / "-ox=y:z.tar").exists()


async def test_a_path_that_leads_back_through_a_link_is_not_shortened_to_another(bench: Bench) -> None:
    (bench.root / "deep" / "sub").mkdir(parents=True)
    (bench.root / "short").symlink_to("deep/sub")
    for place in (bench.root, bench.root / "deep"):
        (place / "kept.txt").write_text("x")
    assert await request_for(bench, "delete the file short/../kept.txt") is None


async def test_what_is_to_be_deleted_as_empty_is_not_deleted_unseen(bench: Bench) -> None:
    assert await request_for(bench, "delete the empty folder data") is None
    assert await request_for(bench, "delete the folder data") is not None


async def test_a_search_that_missed_some_files_names_none_for_a_change(bench: Bench) -> None:
    class Blinded(Toolbox):
        async def run(self, call: ToolCall, **how: object) -> ToolResult:
            done = await super().run(call)
            blind = call.tool == "pipeline"
            return done.model_copy(update={"returncode": 1, "error": "cannot open"}) if blind else done

    settings_ = bench.services().settings.tools
    goal = "delete all .csv files"
    assert (await look_up(goal, {}, Toolbox(bench.root, settings_))).listings == [["./data/ships.csv"]]
    assert (await look_up(goal, {}, Blinded(bench.root, settings_))).listings == [[]]


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("count the lines containing 'x' in all .log files", "2"),
        ("count the lines containing 'x' in p.log and q.log", "2"),
        ("count the occurrences of the word 'x' in all .log files", "2"),
        ("count the words in all .log files", "4"),
        ("count the bytes in all .log files", "10"),
        ("show the unique lines in all .log files", "foo x\nx bar"),
        ("show the first line of each .log file", "foo x\nx bar"),
        ("show the last line of each .log file", "foo x\nx bar"),
        ("show the last 2 lines of p.log and q.log", "==> p.log <==\nfoo x\n==> q.log <==\nx bar"),
    ],
)
async def test_a_file_without_a_last_line_break_is_not_joined_to_the_next(
    bench: Bench, goal: str, told: str
) -> None:
    (bench.root / "p.log").write_text("foo x")
    (bench.root / "q.log").write_text("x bar")
    assert await requested(bench, goal) == told


@pytest.mark.parametrize(
    ("goal", "told"),
    [
        ("check whether the folder notes exists", "No."),
        ("check whether the file 'a[1].txt' exists", "No."),
        ("check whether the file data/ships.csv exists", "Yes: data/ships.csv"),
        ("check whether the file src/ships.csv exists", "No."),
        ("check whether the file /etc/passwd exists", None),
        ("check whether the file ../project/a1.txt exists", None),
        ("check whether the file ../other exists", None),
    ],
)
async def test_what_exists_is_told_of_its_kind_of_its_name_and_of_the_root(
    bench: Bench, goal: str, told: str | None
) -> None:
    for name in ("src/notes", "lib/notes", "a1.txt"):
        (bench.root / name).parent.mkdir(exist_ok=True)
        (bench.root / name).write_text("x")
    assert await requested(bench, goal) == told


@pytest.mark.parametrize(
    "goal",
    [
        "how many lines does ~/ships.csv have?",
        "how many lines does ~/data/ships.csv have?",
        "how many files are in ~?",
        "how many files are in /",
        "how many files are in ..?",
        "how many files are in the directory ../..",
        "find all python files in /usr",
        "list python files under /opt/",
    ],
)
async def test_a_place_outside_the_root_is_not_taken_for_the_root(bench: Bench, goal: str) -> None:
    (bench.root / "ships.csv").write_text("x")
    assert await plan_for(bench, goal) is None
    assert await plan_for(bench, "how many files are in .") is not None


@pytest.mark.parametrize("name", ["/etc/passwd", "~/.profile", "../other.txt"])
async def test_no_recipe_says_that_a_file_outside_the_root_does_not_exist(bench: Bench, name: str) -> None:
    assert await plan_for(bench, f"does the file {name} exist?") is None
    assert await plan_for(bench, "does the file other.txt exist?") is not None


async def requested(bench: Bench, goal: str) -> str | None:
    """What the plan of a request that is wholly understood answers."""
    plan = await request_for(bench, goal)
    if plan is None or plan.answer is None:
        return None
    box = tools(bench.services())
    (step,) = plan.steps
    assert step.tool_call is not None
    result = await box.run(step.tool_call)
    assert succeeded(step, result), result
    return compose(result.stdout, plan.answer, plan.slots).text


async def test_bytes_that_are_no_text_are_not_written_back_as_their_escapes(bench: Bench) -> None:
    goal = "remove the blank lines from odd.txt in place"
    (bench.root / "odd.txt").write_bytes(b"caf\xe9\n\nx\n")
    assert await request_for(bench, goal) is None
    (bench.root / "odd.txt").write_bytes("caf\u00e9\n\nx\n".encode())
    assert await request_for(bench, goal) is not None
