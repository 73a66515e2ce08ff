"""Arguments of the writing tools, described for whoever reads their schemas."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

# What one call may carry: about 20,000 lines, more than any model writes at once.
CONTENT_CHARACTERS = 2**20

Path = Annotated[
    str, Field(min_length=1, max_length=4096, description="Path below the root, relative to the root.")
]
Text = Annotated[str, Field(max_length=CONTENT_CHARACTERS)]


def _without_nul(word: str) -> str:
    if "\0" in word:
        raise ValueError("no argument of a program can hold a NUL byte")
    return word


Word = Annotated[str, Field(max_length=100_000), AfterValidator(_without_nul)]


class Arguments(BaseModel):
    """Arguments of one writing tool; unknown ones are mistakes."""

    model_config = ConfigDict(extra="forbid")


class WriteFile(Arguments):
    """Write a text file; missing directories are made, a file that exists is kept unless overwrite is set."""

    path: Path
    content: Text = Field(description="The whole text of the file, at most 1 MB of UTF-8.")
    overwrite: bool = Field(False, description="Replace the file if it exists.")


class EditFile(Arguments):
    """Replace an exact piece of a text file by another."""

    path: Path
    old: Text = Field(
        min_length=1,
        description="The text to replace, exactly as it stands in the file, without line numbers.",
    )
    new: Text = Field(description="The text to put in its place.")
    replace_all: bool = Field(
        False, description="Replace every occurrence; otherwise there must be just one."
    )


class AppendFile(Arguments):
    """Add text at the end of a text file, on a line of its own."""

    path: Path
    text: Text = Field(
        min_length=1, description="What to add; a line break is put in front if one is missing."
    )


class MakeDir(Arguments):
    """Make a directory and those above it that are missing."""

    path: Path


class Move(Arguments):
    """Move or rename a file, link or directory; nothing is overwritten."""

    source: Path
    target: Path = Field(description="The new path, not the directory to move into; it must not exist.")


class Delete(Arguments):
    """Move a file, link or directory to the project's trash, from where it can be restored."""

    path: Path


class Run(Arguments):
    """Run a program in the sandbox; it may change files below the root and has no network."""

    argv: list[Word] = Field(
        min_length=1,
        max_length=1000,
        description="Program and arguments, one word each. There is no shell: no pipes, globs or quotes.",
    )


class Python(Arguments):
    """Run Python code in an isolated interpreter in the sandbox, with the root as working directory."""

    code: Text = Field(min_length=1, description="A whole script; print what is to be seen.")


FILE_TOOLS: dict[str, type[Arguments]] = {
    "write_file": WriteFile, "edit_file": EditFile, "append_file": AppendFile, "make_dir": MakeDir,
    "move": Move, "delete": Delete,
}  # fmt: skip
COMMAND_TOOLS: dict[str, type[Arguments]] = {"run": Run, "python": Python}
WRITERS: dict[str, type[Arguments]] = {**FILE_TOOLS, **COMMAND_TOOLS}
