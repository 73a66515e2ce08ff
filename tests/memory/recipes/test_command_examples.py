"""The sheet of goals and commands, and which of it is shown for a goal."""

import asyncio
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import ToolSettings
from memory.recipes.changes import wants_change
from memory.recipes.command_examples import CommandExample, load_command_examples, nearest_examples
from tests.support.hashing_embedder import HashingEmbedder
from tools.policy.check import NAMES
from tools.protocol import ToolCall
from tools.toolbox import Toolbox

SHEET = load_command_examples()
# What a right command may complain of where nothing of what it names exists.
MISSING = re.compile(r"No such file or directory|is not the name of (?:a known user|an existing group)")
# Sums of further lengths, which need no pattern of their own.
UNSHOWN = {"sha1sum", "sha224sum", "sha384sum", "sha512sum"}


def below(root: Path, command: str) -> ToolCall:
    """The command with its absolute paths moved below a root."""
    return ToolCall(tool="command", args={"command": re.sub(r"(?<=\s)/(?=\w)", f"{root}/", command)})


@pytest.fixture
def toolbox(tmp_path: Path) -> Toolbox:
    return Toolbox(tmp_path, ToolSettings(sandbox="policy"))


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "vectors"))


def repository(root: Path) -> None:
    """Two commits with a tag each, of the files that the sheet's questions about history name."""
    person = {f"GIT_{who}_{what}": "t@x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1", **person}
    (root / "src").mkdir()
    for arguments in ("init -q", "commit -q -m one", "tag v2.0", "commit -q -m two", "tag v2.1"):
        if arguments.startswith("commit"):
            for name in ("src/engine.py", "Makefile"):
                (root / name).write_text(f"# {arguments}\n" * 50)
            subprocess.run(["git", "add", "."], cwd=root, env=environment, check=True)
        subprocess.run(["git", *arguments.split()], cwd=root, env=environment, check=True)


def test_no_goal_and_no_command_stands_twice() -> None:
    assert len(SHEET) >= 150
    for values in ([pair.goal.lower() for pair in SHEET], [pair.command for pair in SHEET]):
        assert [value for value, times in Counter(values).items() if times > 1] == []


@pytest.mark.parametrize("pair", SHEET, ids=lambda pair: pair.command)
def test_a_goal_asks_for_no_change_and_its_command_is_let_through(
    pair: CommandExample, toolbox: Toolbox
) -> None:
    assert not wants_change(pair.goal)
    assert pair.goal == pair.goal.strip() and "\n" not in pair.goal + pair.command
    toolbox.check(below(toolbox.root, pair.command))


def test_every_tool_of_the_policy_is_shown(toolbox: Toolbox) -> None:
    shown = {name for pair in SHEET for name in toolbox.programs(below(toolbox.root, pair.command))}
    assert NAMES - UNSHOWN == shown


@pytest.mark.integration  # takes seconds
async def test_commands_complain_of_nothing_but_missing_files(toolbox: Toolbox) -> None:
    repository(toolbox.root)
    busy = asyncio.Semaphore(4)

    async def complaints(pair: CommandExample) -> list[str]:
        async with busy:
            result = await toolbox.run(below(toolbox.root, pair.command))
        lines = [line for line in result.stderr.splitlines() if not MISSING.search(line)]
        silent = result.returncode not in (0, 1) and not result.stderr
        return [*lines, *([result.error] if result.error else []), *(["failed"] if silent else [])]

    found = await asyncio.gather(*map(complaints, SHEET))
    assert {pair.command: said for pair, said in zip(SHEET, found, strict=True) if said} == {}


def test_a_goal_of_the_sheet_is_its_own_nearest_and_stands_last() -> None:
    embedder = HashingEmbedder(dimension=1024)
    for pair in SHEET:
        assert nearest_examples(pair.goal, embedder)[-1] == pair


@given(st.text(max_size=60), st.integers(0, 300))
def test_the_nearest_are_the_most_alike_in_rising_order(goal: str, count: int) -> None:
    embedder = HashingEmbedder()
    near = nearest_examples(goal, embedder, count)
    assert len(set(near)) == len(near) == min(count, len(SHEET))
    vector = embedder.embed([goal])[0]

    def alike(pairs: list[CommandExample]) -> list[float]:
        return [float(embedder.embed([pair.goal])[0] @ vector) for pair in pairs]

    cosines = alike(near)
    assert all(later >= earlier - 1e-5 for earlier, later in zip(cosines, cosines[1:], strict=False))
    others = alike([pair for pair in SHEET if pair not in near])
    assert not near or not others or max(others) <= cosines[0] + 1e-5


def test_the_sheet_is_embedded_once() -> None:
    embedder = HashingEmbedder("counted")
    nearest_examples("Count the masts", embedder)
    nearest_examples("Count the sails", embedder)
    assert sorted(embedder.embedded) == sorted(
        [*(pair.goal for pair in SHEET), "Count the masts", "Count the sails"]
    )
