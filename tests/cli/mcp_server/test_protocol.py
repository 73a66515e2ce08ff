"""What the server says, asked in this process by the protocol's own client."""

from __future__ import annotations

import logging
from pathlib import Path

import jsonschema
import pytest
from mcp import Client, MCPError
from pydantic import BaseModel, Field

from cli.mcp_server.audit_tool import AUDIT, AuditArguments, audit, text_of
from cli.mcp_server.calls import Calls
from cli.mcp_server.engine_tool import Arguments, Call, EngineTool, Outcome, Site
from cli.mcp_server.offers import TOOLS
from cli.mcp_server.progress import Progress
from cli.mcp_server.protocol import described, server_of, whole_characters
from configs.errors import UsageError
from tools.audit.report import Audit, Place, Recommendation


class Words(Arguments):
    text: str
    times: int = Field(1, ge=1)


class Echo(BaseModel):
    said: str


async def echo(call: Call, given: Words) -> Outcome:
    for number in range(given.times):
        call.progress.tell(f"line {number}")
    if given.text == "refuse":
        raise UsageError("It is refused.", "Ask for something else.")
    if given.text == "crash":
        raise ZeroDivisionError("a secret of the server")
    return Outcome(Echo(said=given.text), f"said {given.text}", failed=given.text == "fail")


ECHO = EngineTool("echo", "Echo", "Use it to test.", Words, Echo, echo)


def client(root: Path, mode: str = "auto") -> Client:
    return Client(server_of(Site(root), Calls(), [ECHO]), mode=mode)


@pytest.mark.parametrize("tool", [*TOOLS, AUDIT], ids=lambda tool: tool.name)
def test_schemas_are_made_of_models_and_hold_every_field(tool: EngineTool[Arguments]) -> None:
    shown = described(tool)
    assert shown.output_schema is not None
    jsonschema.Draft202012Validator.check_schema(shown.input_schema)
    jsonschema.Draft202012Validator.check_schema(shown.output_schema)
    assert set(shown.input_schema["properties"]) == set(tool.arguments.model_fields)
    assert set(shown.output_schema["properties"]) == set(tool.result.model_fields)
    assert all("description" in one for one in shown.input_schema["properties"].values())
    assert "Use it" in (shown.description or "")
    assert shown.annotations is not None and shown.annotations.destructive_hint is False


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_result_is_structured_and_text_and_comes_after_its_progress(
    tmp_path: Path, mode: str
) -> None:
    seen: list[tuple[float, str | None]] = []

    async def told(number: float, total: float | None, message: str | None) -> None:
        seen.append((number, message))

    async with client(tmp_path, mode) as connected:
        result = await connected.call_tool("echo", {"text": "é", "times": 3}, progress_callback=told)
    assert seen == [(1, "line 0"), (2, "line 1"), (3, "line 2")]
    assert not result.is_error and result.structured_content == {"said": "é"}
    assert result.content[0].text == "said é"  # type: ignore[union-attr]


async def test_a_run_that_failed_is_an_error_that_still_has_its_result(tmp_path: Path) -> None:
    async with client(tmp_path) as connected:
        result = await connected.call_tool("echo", {"text": "fail"})
    assert result.is_error and result.structured_content == {"said": "fail"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"text": "refuse"}, "It is refused.\nAsk for something else."),
        (
            {"text": 1},
            "The arguments of echo do not fit: text: Input should be a valid string.\nIt takes: text, times",
        ),
        ({"text": "x", "times": 0}, "times: Input should be greater than or equal to 1"),
        ({"text": "x", "times": "2"}, "times: Input should be a valid integer"),
        ({"text": "x", "\x1b[31m": 1}, "\\x1b[31m: Extra inputs are not permitted"),
        ({}, "text: Field required"),
    ],
)
async def test_what_is_refused_says_what_to_do(
    tmp_path: Path, arguments: dict[str, object], told: str
) -> None:
    async with client(tmp_path) as connected:
        result = await connected.call_tool("echo", arguments)
    text = result.content[0].text  # type: ignore[union-attr]
    assert result.is_error and told in text and "\x1b" not in text and result.structured_content is None


async def test_a_long_value_that_does_not_fit_is_not_repeated(tmp_path: Path) -> None:
    async with client(tmp_path) as connected:
        result = await connected.call_tool("echo", {"text": ["y" * 100_000], "z" * 100_000: 1})
    assert result.is_error and len(str(result.content)) < 1000


async def test_a_crash_is_an_error_without_its_words_which_are_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        async with client(tmp_path) as connected:
            result = await connected.call_tool("echo", {"text": "crash"})
    assert (
        result.is_error and "ZeroDivisionError" in str(result.content) and "secret" not in str(result.content)
    )
    assert "a secret of the server" in caplog.text


async def test_an_unknown_tool_is_an_error_of_the_protocol(tmp_path: Path) -> None:
    async with client(tmp_path) as connected:
        with pytest.raises(MCPError, match="there are: echo"):
            await connected.call_tool("sing", {})


def test_halves_of_characters_are_replaced() -> None:
    assert whole_characters({"a\ud800": ["\udfff", 1, None, "é"]}) == {"a?": ["?", 1, None, "é"]}


# The tool whose kernels are not run yet


async def test_an_audit_looks_at_nothing_outside_of_the_root(tmp_path: Path) -> None:
    (tmp_path / "file.py").write_text("x = 1\n")
    call = Call(Site(tmp_path.resolve()), Progress())
    for path in ("..", "/etc", "file.py", "nowhere"):
        with pytest.raises(UsageError):
            await audit(call, AuditArguments(path=path))


def test_an_audit_is_told_with_its_places() -> None:
    place = Place(file="a.py", line=3, end_line=9)
    advice = Recommendation(
        rule="split_function",
        kernel="metrics",
        severity="high",
        place=place,
        what="f is long: 90.",
        measured=90,
    )
    text = text_of(Audit(recommendations=(advice,), notes=("The history is shallow.",)))
    assert "a.py:3 high: f is long: 90." in text and text.endswith("The history is shallow.")
