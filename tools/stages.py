"""Stages into safe argument vectors: typed arguments or argv, the same policy for both."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from tools.arguments import TOOLS, Stage
from tools.errors import BadArguments
from tools.policy.check import check_argv, check_listed

SHOWN_CHARS = 2000


@dataclass(frozen=True)
class Vector:
    """One stage, checked.

    Attributes:
        tool: name of the program.
        argv: its arguments.
        from_input: its last arguments are the paths its input lists.
        null_separated: how they are separated.
        per_run: how many of them go to one run, if that was said.
        placeholder: text in `written` that each of them stands for, one a run.
        expect_exit: exit codes that are no failure.
        written: the arguments as they were given.
    """

    tool: str
    argv: tuple[str, ...]
    from_input: bool
    null_separated: bool
    expect_exit: tuple[int, ...]
    written: tuple[str, ...]
    per_run: int | None = None
    placeholder: str | None = None

    @property
    def shown(self) -> str:
        """The stage as a person would type it; git without the settings that keep it safe."""
        as_written = self.tool == "git" or self.placeholder is not None
        words = [self.tool, *(self.written if as_written else self.argv)]
        if not self.from_input:
            return shlex.join(words)
        options = ["-0"] if self.null_separated else []
        options += [f"-n{self.per_run}"] if self.per_run else []
        options += [f"-I{self.placeholder}"] if self.placeholder else []
        return shlex.join(["xargs", *options, "-r", *words])


def explain(error: ValidationError) -> str:
    """A validation error in words: which argument, what is wrong with it."""
    parts = []
    for item in error.errors(include_url=False):
        where = ".".join(str(part) for part in item["loc"]) or "arguments"
        parts.append(f"{where}: {item['msg']}")
    return "; ".join(parts[:5])


def parse_arguments(model: type[BaseModel], tool: str, args: object) -> BaseModel:
    """Arguments as the tool's model.

    Raises:
        BadArguments: says which argument does not fit.
    """
    try:
        return model.model_validate(args)
    except ValidationError as error:
        fields = ", ".join(field.alias or name for name, field in model.model_fields.items())
        raise BadArguments(f"{tool}: {explain(error)}.", f"Its arguments are: {fields}.") from error


def stage_vector(stage: Stage, root: Path) -> Vector:
    """Check one stage.

    Raises:
        ToolError: unknown tool, wrong arguments, or something the policy refuses.
    """
    argv: Sequence[str]
    if stage.argv is not None:
        argv = stage.argv
    elif stage.tool in TOOLS:
        parsed = parse_arguments(TOOLS[stage.tool], stage.tool, stage.args or {})
        argv = parsed.argv()  # type: ignore[attr-defined]  # every model in TOOLS is an Arguments
    else:
        argv = []
    checked = check_argv(root, stage.tool, argv)
    listed = "--files0-from=-" in checked
    if stage.from_input and stage.placeholder is None:
        check_listed(stage.tool)
    words = tuple(word for word in checked if word != "--files0-from=-")
    # Names that arrive on the input pass the same policy as operands, so the tool gets them as operands.
    return Vector(
        stage.tool,
        words,
        stage.from_input or listed,
        stage.null_separated or listed,
        tuple(stage.expect_exit),
        tuple(argv),
        stage.per_run,
        stage.placeholder,
    )


def encodable(text: str) -> str:
    """A text as UTF-8 can hold it: lone surrogates, which stand for undecodable bytes, as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def shown(vectors: Sequence[Vector]) -> str:
    """A pipeline as a person would type it, cut to a readable length."""
    text = encodable(" | ".join(vector.shown for vector in vectors))
    return text if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS] + " ..."
