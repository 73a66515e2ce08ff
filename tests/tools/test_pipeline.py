from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tools.places import LEVELS, Project, confinement
from tools import pipeline
from tools.parser import parse_command
from tools.pipeline import Outcome, run_pipeline
from tools.stages import Vector, stage_vector


def vectors(project: Project, text: str, *expect_exit: int) -> list[Vector]:
    stages = parse_command(text, project.root)
    for stage in stages if expect_exit else ():
        stage.expect_exit = expect_exit
    return [stage_vector(stage, project.root) for stage in stages]


async def run(
    project: Project,
    text: str,
    *expect_exit: int,
    stdin: bytes | None = None,
    level: str = "policy",
    cap: int = 100_000,
) -> Outcome:
    limits = confinement(project.root, level)
    return await run_pipeline(vectors(project, text, *expect_exit), stdin, limits, cap)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "text",
    [
        "cat notes.txt",
        "cat notes.txt | sort | uniq -c | sort -rn",
        "cat notes.txt | grep -v '^#' | wc -l",
        "find . -name '*.py' | xargs grep -l import",
        "find . -name '*.py' | xargs grep -rn import",
        "find src -type f -print0 | xargs -0 wc -l",
        "find . -type f -print0 | xargs -0 ls -d | sort | head -n 2",
        "ls src/b.py | xargs -r basename -a -s .py",
        "grep -rn hello src",
        "grep -r --include='*.py' import .",
        "grep -c alpha notes.txt a.py",
        "sort -u -k2,2 notes.txt",
        "cut -d' ' -f1 notes.txt | tr a-z A-Z | tac | nl",
        "diff notes.txt a.py",
        "comm -12 notes.txt notes.txt",
        "seq 1 5 | head -2",
        "seq 1 200000 | head -n 1",
        "stat -c '%s %n' a.py",
        "sha256sum notes.txt a.py",
        "du -sb src",
        "head -qn1 -- -dash.txt a.py",
        "ls -la src",
        "find . -newer notes.txt",
    ],
)
async def test_a_pipeline_gives_what_a_shell_gives(text: str, level: str, shared: Project) -> None:
    outcome = await run(shared, text, level=level)
    expected = shared.shell(text)
    assert outcome.stdout == expected.stdout
    assert outcome.returncodes[-1] == expected.returncode
    assert not outcome.left_out and not outcome.capped


@pytest.mark.integration  # takes seconds
@settings(max_examples=25, deadline=None)
@given(
    names=st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\0/"), min_size=1, max_size=12), max_size=8
    )
)
async def test_names_of_any_kind_travel_between_stages(
    names: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    project = Project(tmp_path_factory.mktemp("names"))
    made = set()
    for name in set(names) - {".", ".."}:
        if len(os.fsencode(name)) <= 200:
            (project.root / "src" / name).write_bytes(b"a line\n")
            made.add(name)
    outcome = await run(project, "find src -type f -print0 | xargs -0 grep -lZ 'a line' --")
    found = {os.fsdecode(name).removeprefix("src/") for name in outcome.stdout.split(b"\0")[:-1]}
    assert found == made and not outcome.left_out


async def test_a_list_given_to_wc_is_counted_with_its_total(shared: Project) -> None:
    text = "find src -type f -print0 | wc -l --files0-from=-"
    outcome, expected = await run(shared, text), shared.shell(text)
    lines = [[line.split() for line in each.splitlines()] for each in (outcome.stdout, expected.stdout)]
    assert lines[0] == lines[1]


async def test_names_that_lead_outside_are_left_out_and_named(project: Project) -> None:
    listing = b"notes.txt\nlink_out\n../outside/secret.txt\n/etc/passwd\n-\n\ndirlink/secret.txt\n-dash.txt\n"
    outcome = await run(project, "cat | xargs cat", stdin=listing)
    assert outcome.stdout == ((project.root / "notes.txt").read_text() + "hello dash\n").encode()
    assert outcome.left_out == ["link_out", "../outside/secret.txt", "/etc/passwd", "-", "dirlink/secret.txt"]
    assert outcome.failed is None


async def test_names_that_look_like_options_are_names(project: Project) -> None:
    for name in ("--output=pwned", "-r", "--", "-o"):
        (project.root / name).write_text(f"in {name}\n")
    outcome = await run(project, "find . -maxdepth 1 -name '-*' -printf '%f\\n' | sort | xargs cat")
    assert sorted(outcome.stdout.decode().splitlines()) == sorted(
        ["hello dash", "in --", "in --output=pwned", "in -o", "in -r"]
    )


async def test_a_list_into_a_tool_that_would_write_its_second_operand_is_refused(project: Project) -> None:
    before = project.snapshot()
    result = await project.command("find . -name '*.py' | sort | xargs uniq")
    assert result.error_kind == "refused" and project.snapshot() == before


async def test_an_empty_list_runs_nothing_and_is_no_failure(shared: Project) -> None:
    outcome = await run(shared, "find . -name nothing | xargs cat")
    assert (outcome.stdout, outcome.returncodes, outcome.failed) == (b"", [0, 0], None)
    outcome = await run(shared, "find . -name nothing | xargs grep x")
    assert (outcome.returncodes, outcome.failed) == ([0, 1], 1)


async def test_many_names_are_read_in_batches_and_joined(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "BATCH_NAMES", 3)
    for number in range(10):
        (project.root / f"n{number}.log").write_text(f"{number}\n" if number != 4 else "needle\n")
    text = "find . -name 'n?.log' | sort | xargs"
    assert (await run(project, f"{text} cat")).stdout.decode().split() == list("0123") + ["needle"] + list(
        "56789"
    )
    assert (await run(project, f"{text} grep -h needle")).returncodes == [0, 0, 0]
    assert (await run(project, f"{text} grep -h absent")).returncodes == [0, 0, 1]
    outcome = await run(project, f"{text} grep -hP '('")
    assert (outcome.returncodes[-1], outcome.failed) == (2, 2) and b"parenthesis" in outcome.stderr


async def test_batches_are_bounded_in_bytes(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "BATCH_BYTES", 20)
    outcome = await run(project, "find src notes.txt a.py -type f -print0 | xargs -0 wc -l")
    assert outcome.stdout.count(b" total\n") == 2 and outcome.stdout.count(b"\n") == 6


@pytest.mark.parametrize(
    ("text", "returncodes", "failed"),
    [
        ("grep absent notes.txt", [1], 0),
        ("cat missing | wc -l", [1, 0], 0),
        ("cat notes.txt | grep absent | wc -l", [0, 1, 0], 1),
        ("find nowhere | xargs cat", [1], 0),
        ("seq 1 1000000 | head -n 1", [-13, 0], None),
        ("seq 1 1000000 | head -n 1 | grep 2", [-13, 0, 1], 2),
        ("cat notes.txt | xargs cat | wc -l", [0, 1], 1),
    ],
)
async def test_the_first_stage_that_failed_is_told_and_stops_the_rest(
    text: str, returncodes: list[int], failed: int | None, shared: Project
) -> None:
    outcome = await run(shared, text)
    assert (outcome.returncodes, outcome.failed) == (returncodes, failed)


async def test_an_expected_exit_code_is_no_failure(shared: Project) -> None:
    outcome = await run(shared, "grep absent notes.txt | wc -l", 0, 1)
    assert (outcome.stdout, outcome.returncodes, outcome.failed) == (b"0\n", [1, 0], None)


async def test_given_input_of_any_size_reaches_the_first_stage(shared: Project) -> None:
    text = os.urandom(3_000_000)
    assert (await run(shared, "wc -c", stdin=text)).stdout == b"3000000\n"
    assert (await run(shared, "cat | cat", stdin=text, cap=3_000_000)).stdout == text
    assert (await run(shared, "wc -c", stdin=b"")).stdout == b"0\n"


async def test_the_cap_stops_single_chains_and_batches(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome = await run(project, "seq 1 1000000", cap=1000)
    assert outcome.capped and len(outcome.stdout) == 1000
    monkeypatch.setattr(pipeline, "BATCH_NAMES", 1)
    for number in range(4):
        (project.root / f"{number}.log").write_text("x" * 400)
    outcome = await run(project, "find . -name '*.log' | xargs cat", cap=1000)
    assert outcome.capped and outcome.stdout == b"x" * 1000


async def test_a_list_too_long_to_pass_on_stops_the_pipeline(
    shared: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "INTERMEDIATE_BYTES", 10)
    outcome = await run(shared, "find . | xargs cat")
    assert outcome.capped and len(outcome.returncodes) == 1


@pytest.mark.parametrize(
    ("text", "listed"),
    [
        ("grep -L xyzzy notes.txt", b"notes.txt\n"),
        ("grep -L . notes.txt", b""),
        ("grep --files-without-match xyzzy notes.txt", b"notes.txt\n"),
        ("find . -name notes.txt | xargs grep -L xyzzy | sort", b"./notes.txt\n"),
        ("grep -rL xyzzy notes.txt | wc -l", b"1\n"),
    ],
)
async def test_files_without_a_match_are_no_failure(project: Project, text: str, listed: bytes) -> None:
    outcome = await run(project, text)
    assert outcome.stdout.replace(b" ", b"") == listed
    assert outcome.failed is None and set(outcome.returncodes) == {0}


async def test_files_without_a_match_that_cannot_be_read_are_one(project: Project) -> None:
    assert (await run(project, "grep -L xyzzy nowhere.txt")).failed == 0
