"""What a player asks for, as stages of Unix tools: typed arguments, checked strictly, or a command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

from nodes.tutor.moves import Request
from tools.arguments import Command, Stage
from tools.errors import BadArguments, UnknownTool
from tools.parser import parse_command
from tools.stages import parse_arguments

Operand = Annotated[StrictStr, Field(min_length=1, max_length=4096)]
Count = Annotated[StrictInt, Field(ge=0, le=1_000_000_000)]
COMMAND = "command"
# Of these, an exit code of 1 says that nothing matched, or that something differs.
EXPECTED = {"grep": (0, 1), "diff": (0, 1)}


class _Typed(BaseModel):
    """Arguments of one tool; what is not named here is a mistake, and so is a value of another type."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def argv(self) -> list[str]:
        """The tool's own options and operands."""
        raise NotImplementedError

    def flags(self, **letters: str) -> list[str]:
        """An option for each field that is true."""
        return [f"-{letter}" for name, letter in letters.items() if getattr(self, name)]


class _Cat(_Typed):
    path: Operand
    number: StrictBool = False

    def argv(self) -> list[str]:
        return [*self.flags(number="n"), *_operands(self.path)]


class _Part(_Typed):
    path: Operand
    lines: Count = 10

    def argv(self) -> list[str]:
        return ["-n", str(self.lines), *_operands(self.path)]


class _Grep(_Typed):
    pattern: Annotated[StrictStr, Field(max_length=4000)]
    path: Operand | None = None
    recursive: StrictBool = False
    count: StrictBool = False
    ignore_case: StrictBool = False
    fixed: StrictBool = False
    word: StrictBool = False
    line_number: StrictBool = False
    invert: StrictBool = False
    files_with_matches: StrictBool = False

    def argv(self) -> list[str]:
        if self.path is None and not self.recursive:
            raise BadArguments("grep: path is missing.", "Name a file, or set recursive.")
        flags = self.flags(
            recursive="r", count="c", ignore_case="i", fixed="F", word="w", line_number="n", invert="v",
            files_with_matches="l",
        )  # fmt: skip
        return [*flags, "-e", self.pattern, *_operands(self.path or ".")]


class _Wc(_Typed):
    path: Operand | None = None
    paths: Annotated[list[Operand], Field(min_length=1, max_length=1000)] | None = None
    lines: StrictBool = False
    words: StrictBool = False
    bytes: StrictBool = False

    def argv(self) -> list[str]:
        if (self.path is None) == (self.paths is None):
            raise BadArguments("wc: one of path and paths is needed.", "Name a file, or a list of files.")
        paths = [self.path] if self.path is not None else self.paths or []
        return [*self.flags(lines="l", words="w", bytes="c"), *_operands(*paths)]


class _Ls(_Typed):
    path: Operand = "."
    all: StrictBool = False
    long: StrictBool = False
    recursive: StrictBool = False

    def argv(self) -> list[str]:
        return [*self.flags(all="a", long="l", recursive="R"), *_operands(self.path)]


class _Find(_Typed):
    path: Operand = "."
    name: StrictStr | None = None
    type: Literal["f", "d", "l"] | None = None
    maxdepth: Count | None = None

    def argv(self) -> list[str]:
        starts = _operands(self.path)[1:]
        # What begins like a part of the expression is none when it is a path.
        words = [f"./{start}" if start[0] in "(!)," else start for start in starts]
        words += ["-maxdepth", str(self.maxdepth)] if self.maxdepth is not None else []
        words += ["-type", self.type] if self.type is not None else []
        return [*words, "-name", self.name] if self.name is not None else words


class _Stat(_Typed):
    path: Operand

    def argv(self) -> list[str]:
        return _operands(self.path)


class _Diff(_Typed):
    paths: Annotated[list[Operand], Field(min_length=2, max_length=2)]
    brief: StrictBool = False

    def argv(self) -> list[str]:
        return [*self.flags(brief="q"), *_operands(*self.paths)]


TYPED: dict[str, type[_Typed]] = {
    "cat": _Cat, "head": _Part, "tail": _Part, "grep": _Grep, "wc": _Wc, "ls": _Ls, "find": _Find,
    "stat": _Stat, "diff": _Diff,
}  # fmt: skip


def _operands(*paths: str) -> list[str]:
    """`--` and the paths; one that begins with a dash is no option and not the input."""
    return ["--", *(f"./{path}" if path.startswith("-") else path for path in paths)]


def stages_of(request: Request, root: Path) -> tuple[str, dict[str, Any], list[Stage]]:
    """What to run for a request.

    Returns:
        Name of the tool, "command" for a command line; its arguments; the stages.

    Raises:
        ToolError: an unknown tool, arguments of another form, or a text that is no command line.
    """
    tool, args, raw = request.tool, request.args, request.raw
    if raw and (tool or args):
        raise BadArguments("A request has a tool or a command line, not both.", "Leave one out.")
    written = _written_call(raw)
    if written is not None:
        tool, args, raw = *written, ""
    if raw:
        stages = parse_command(_checked_command(raw), root)
        return COMMAND, {"command": raw}, [_expecting(stage) for stage in stages]
    if tool not in TYPED:
        raise UnknownTool(f"There is no tool {tool!r}.", f"Use one of {', '.join(TYPED)}.")
    typed = parse_arguments(TYPED[tool], tool, args)
    assert isinstance(typed, _Typed)
    return tool, dict(args), [_expecting(Stage(tool=tool, argv=typed.argv()))]


def _checked_command(raw: str) -> str:
    command = parse_arguments(Command, COMMAND, {"command": raw})
    assert isinstance(command, Command)
    return command.command


def _expecting(stage: Stage) -> Stage:
    return stage.model_copy(update={"expect_exit": EXPECTED.get(stage.tool, (0,))})


def _written_call(raw: str) -> tuple[str, dict[str, Any]] | None:
    """The call that a text of JSON holds; None if the text is no JSON object.

    Raises:
        BadArguments: it is one of another form.
    """
    if not raw.lstrip().startswith("{"):
        return None
    try:
        call = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    form = isinstance(call.get("tool"), str) and isinstance(call.get("args", {}), dict)
    if not form or not call.keys() <= {"tool", "args"}:
        raise BadArguments('A call in JSON is {"tool": NAME, "args": {...}}.', "Write no other fields.")
    return call["tool"], call.get("args", {})
