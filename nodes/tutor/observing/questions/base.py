"""What every question is: stages of a tool to run, and facts to read from its output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from nodes.tutor.facts import EntryKind, Fact
from tools.arguments import Stage

# The letters of find's %y.
KINDS: dict[str, EntryKind] = {
    "f": "file", "d": "directory", "l": "link", "p": "other", "s": "other", "b": "other", "c": "other",
}  # fmt: skip


class Unclear(ValueError):
    """An output does not have the form the question asked for, so nothing is read from it."""


@dataclass(frozen=True)
class Printed:
    """What the tool of a question printed.

    Attributes:
        returncode: its exit code.
        output: bytes, whole.
        errors: its diagnostics.
    """

    returncode: int
    output: bytes
    errors: str = ""


@dataclass(frozen=True)
class Depends:
    """What an answer depends on; fields as in `Footprint`."""

    paths: tuple[str, ...]
    deep: bool = False
    contents: bool = True


class Asked(BaseModel):
    """Base of all questions. Paths are relative to the sandbox and normal, see `places`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def stages(self) -> list[Stage]:
        """What to run; no path in it can be taken for an option."""
        raise NotImplementedError

    def depends(self) -> Depends:
        """What the facts could change with."""
        raise NotImplementedError

    def facts(self, printed: Printed) -> list[Fact]:
        """What the answer shows; nothing if the tool failed.

        Raises:
            Unclear: the output has another form than expected.
            UnicodeDecodeError: a name or text is no UTF-8.
        """
        raise NotImplementedError


def operand(path: str) -> str:
    """A path as a tool is given it: it never begins like an option or an expression."""
    return path if path == "." else f"./{path}"


def plain(name: str) -> str:
    """A path as a tool prints it, without what `operand` put in front."""
    return name.removeprefix("./")


def below(directory: str, name: str) -> str:
    """The path of what has a name relative to a directory."""
    return name if directory == "." else f"{directory}/{name}"


def fields(output: bytes, each: int) -> list[tuple[str, ...]]:
    """An output of fields that end with NUL, in records of so many.

    Raises:
        Unclear: it does not come out even.
    """
    if output and not output.endswith(b"\0"):
        raise Unclear("the output does not end with NUL")
    texts = [part.decode("utf-8") for part in output.split(b"\0")[:-1]]
    if len(texts) % each:
        raise Unclear("a record is not whole")
    return [tuple(texts[at : at + each]) for at in range(0, len(texts), each)]


def kind_of(letter: str) -> EntryKind:
    """What find's %y says.

    Raises:
        Unclear: find could not tell.
    """
    if letter not in KINDS:
        raise Unclear(f"the kind {letter!r} is unknown")
    return KINDS[letter]


def lines_of(text: str) -> list[str]:
    """Lines without their ends."""
    return text.removesuffix("\n").split("\n") if text else []


def paths_of(paths: Sequence[str]) -> list[str]:
    """`--` and the operands."""
    return ["--", *map(operand, paths)]
