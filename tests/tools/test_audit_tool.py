"""The tool `audit` in the toolbox: three ways to call it, and honest about what it cannot look at."""

import json
from pathlib import Path
from typing import Any

import pytest
from radon.complexity import cc_visit

from configs.audit import AuditSettings
from configs.settings import ToolSettings
from tools.protocol import ToolCall, ToolResult
from tools.toolbox import Toolbox

CODE = """\
def plain():
    return 1


def branching(a, b):
    if a and b:
        for each in a:
            if each:
                return eval(each)
    return None
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("project") / "root"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text(CODE)
    (root / "src" / "with space.py").write_text("import os\n")
    (root / "src" / "broken.py").write_text("def (:\n")
    (root / "many.py").write_text("\n\n".join(f"def f{number}(a):\n    return a" for number in range(80)))
    (root / "notes.txt").write_text("no code\n")
    (root / "empty").mkdir()
    (root.parent / "secret.py").write_text("def secret(): pass\n")
    (root / "out.py").symlink_to(root.parent / "secret.py")
    return root


def toolbox(root: Path, audit: AuditSettings | None = None, **more: Any) -> Toolbox:
    settings = AuditSettings(processes=1) if audit is None else audit
    return Toolbox(root, ToolSettings(sandbox="policy"), audit=settings, **more)


async def run(tools: Toolbox, command: str, **more: Any) -> ToolResult:
    return await tools.run(ToolCall(tool="command", args={"command": command}), **more)


async def test_typed_as_a_command_or_in_a_pipeline_it_is_the_same_call(root: Path) -> None:
    tools = toolbox(root)
    args = {"path": "src/a.py", "kernel": "ast_scan", "limit": 5}
    calls = [
        ToolCall(tool="audit", args=args),
        ToolCall(tool="command", args={"command": "audit ./src/a.py --limit 5 --kernel=ast_scan"}),
        ToolCall(tool="pipeline", args={"stages": [{"tool": "audit", "args": args}]}),
    ]
    results = [await tools.run(call) for call in calls]
    assert len({result.stdout for result in results}) == 1 and all(result.ok for result in results)
    assert len({tools.signature(call) for call in calls}) == 1
    assert {result.command for result in results} == {"audit src/a.py --kernel ast_scan --limit 5"}
    told = json.loads(results[0].stdout)
    assert {(row["function"], row["at"], row["cyclomatic"]) for row in told["functions"]} == {
        (block.name, f"src/a.py:{block.lineno}", block.complexity) for block in cc_visit(CODE)
    }


async def test_what_it_finds_goes_through_a_pipe_but_nothing_goes_into_it(root: Path) -> None:
    tools = toolbox(root)
    result = await run(tools, "audit src --kernel security | grep -c B307")
    assert (result.ok, result.stdout, result.stage_returncodes) == (True, "1\n", [0, 0])
    for command in ("ls | audit", "find . -name '*.py' | xargs audit", "audit - "):
        assert (await run(tools, command)).error_kind == "refused"
    refused = await run(tools, "audit src", stdin="src/a.py")
    assert refused.error_kind == "bad_args" and refused.stdout == ""


async def test_a_file_that_cannot_be_parsed_is_told_and_a_link_is_not_followed(root: Path) -> None:
    told = json.loads((await run(toolbox(root), "audit . --kernel ast_scan --limit 500")).stdout)
    left_out = {row["file"]: row["reason"] for row in told["left_out"]}
    assert left_out == {"src/broken.py": "syntax", "out.py": "link"}
    assert "secret" not in {row["function"] for row in told["functions"]}
    assert told["totals"]["functions"] == 82 and told["totals"]["not_parsed"] == 1


@pytest.mark.parametrize(
    ("command", "returncode", "said"),
    [
        ("audit nowhere", 2, "nowhere: No such file or directory"),
        ("audit notes.txt", 1, "notes.txt: not a source file of a language that is known"),
        ("audit nowhere | wc -l", 2, "No such file"),
    ],
)
async def test_a_place_that_cannot_be_audited_fails_and_says_why(
    root: Path, command: str, returncode: int, said: str
) -> None:
    result = await run(toolbox(root), command)
    assert (result.ok, result.returncode, result.stdout) == (False, returncode, "") and said in result.stderr


@pytest.mark.parametrize("command", ["audit ..", "audit /etc", "audit out.py", "audit src ../secret.py"])
async def test_a_place_outside_the_root_is_refused(root: Path, command: str) -> None:
    result = await run(toolbox(root), command)
    assert (result.returncode, result.error_kind, result.stdout) == (-1, "refused", "")


async def test_an_empty_directory_gives_nothing_and_says_so(root: Path) -> None:
    result = await run(toolbox(root), "audit empty --kernel security")
    told = json.loads(result.stdout)
    assert result.ok and told["files"] == 0 and told["findings"] == []
    assert "No source file of a known language is there." in told["notes"]


async def test_what_the_limits_and_the_settings_leave_out_is_told(root: Path) -> None:
    few = AuditSettings(most_files=1, exclude=("many.py",), processes=1)
    result = await run(toolbox(root, few), "audit . --kernel ast_scan")
    told = json.loads(result.stdout)
    assert told["files"] == 1 and "too_many" in {row["reason"] for row in told["left_out"]}
    assert "The setting audit.exclude leaves out many.py." in told["notes"]


async def test_a_path_behind_a_link_is_the_one_that_was_checked(root: Path) -> None:
    """A shorter spelling of it would lead outside: `alias/../leads` is pkg/leads, `leads` is not."""
    (root / "pkg" / "deep").mkdir(parents=True)
    (root / "pkg" / "leads").mkdir()
    (root / "pkg" / "leads" / "inner.py").write_text("def inner(): pass\n")
    (root / "alias").symlink_to("pkg/deep")
    (root / "leads").symlink_to(root.parent)
    result = await run(toolbox(root), "audit alias/../leads --kernel ast_scan")
    assert result.error_kind == "refused" and "secret" not in result.stdout
    linked = await run(toolbox(root), "audit alias --kernel ast_scan")
    assert json.loads(linked.stdout)["files"] == 0


async def test_a_long_output_goes_to_an_artifact(root: Path, tmp_path: Path) -> None:
    tools = toolbox(root, artifacts=tmp_path / "kept")
    result = await run(tools, "audit many.py --kernel ast_scan --limit 80")
    assert result.ok and result.artifact and "characters left out" in result.stdout
    assert len(json.loads(tools.full_output(result))["functions"]) == 80


async def test_it_takes_no_longer_and_says_no_more_than_it_may(root: Path) -> None:
    late = await run(toolbox(root), "audit .", timeout=0.01)
    assert (late.returncode, late.error_kind, late.stdout) == (-1, "timeout", "")
    short = Toolbox(root, ToolSettings(sandbox="policy", max_output_bytes=1000))
    cut = await run(short, "audit many.py --kernel ast_scan --limit 80")
    assert (cut.ok, cut.returncode, cut.error_kind, cut.truncated) == (False, -1, "output_cap", True)


async def test_it_only_reads_and_is_offered_to_every_profile_and_to_chat_models(root: Path) -> None:
    for access in ("read", "read_write", "full"):
        tools = Toolbox(root, ToolSettings(sandbox="policy"), access)  # type: ignore[arg-type]  # three words
        assert "audit" in tools.names and "- audit: " in tools.describe()
        assert not tools.writes(ToolCall(tool="audit")) and "audit" not in tools.writers
    [tool] = [tool for tool in toolbox(root).langchain_tools() if tool.name == "audit"]
    result = ToolResult.model_validate_json(await tool.ainvoke({"path": "src/a.py", "kernel": "security"}))
    assert result.ok and [row["rule"] for row in json.loads(result.stdout)["findings"]] == ["B307"]
