"""What an answer to a request is worth, held against the output of a reference command."""

from __future__ import annotations

import math
import re
import subprocess
import tarfile
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from nodes.reflective.state import ReasoningState

Verdict = Literal["right", "declined", "wrong"]
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?")


class Request(BaseModel):
    """One request.

    Attributes:
        id: name of the request.
        goal: what is asked; `{root}` stands for the tree's absolute path.
        judge: how the answer is compared: lines (as a set), ordered (as a list), number, has (every line is
            held), yes, no, state (the tree afterwards), or "archive SOURCE NAME".
        reference: command whose output, or whose effect, is right.
        tree: name of the tree it is asked of.
    """

    model_config = ConfigDict(extra="forbid")

    id: str
    goal: str
    judge: str
    reference: str
    tree: Literal["files", "service"] = "files"


def run_reference(request: Request, root: Path) -> str:
    """Output of the reference command in the tree.

    Raises:
        subprocess.CalledProcessError: the command is wrong, unless its exit code is the answer.
    """
    command = request.reference.replace("{root}", str(root))
    done = subprocess.run(["bash", "-c", command], cwd=root, capture_output=True, text=True, check=False)
    if done.stderr:
        raise subprocess.CalledProcessError(done.returncode, command, done.stdout, done.stderr)
    return done.stdout


def snapshot(root: Path) -> dict[str, tuple[str, int, bytes]]:
    """Kind, mode and content of everything below the root but this program's own files."""
    found: dict[str, tuple[str, int, bytes]] = {}
    for path in root.rglob("*"):
        name = path.relative_to(root)
        if name.parts[0] == ".reflect":
            continue
        if path.is_symlink():
            found[str(name)] = ("link", 0, str(path.readlink()).encode())
        elif path.is_dir():
            found[str(name)] = ("directory", path.stat().st_mode & 0o777, b"")
        else:
            found[str(name)] = ("file", path.stat().st_mode & 0o777, path.read_bytes())
    return found


def judge(request: Request, state: ReasoningState, root: Path, expected: str, reference: Path) -> Verdict:
    """What a run was worth.

    Args:
        request: what was asked.
        state: the run's final state.
        root: the tree after the run.
        expected: output of the reference command.
        reference: another tree, after the reference command.
    """
    changed = snapshot(root) != snapshot(reference)
    if state.status != "answered":
        return "declined" if request.judge == "state" or not changed else "wrong"
    if request.judge.startswith("archive"):
        return "right" if _is_archived(request.judge.split()[1:], root) else "wrong"
    if changed:
        return "wrong"
    return "right" if request.judge == "state" or _holds(request, state, root, expected) else "wrong"


def _holds(request: Request, state: ReasoningState, root: Path, expected: str) -> bool:
    answer = state.final_answer or ""
    if request.judge in ("yes", "no"):
        return answer.lower().startswith(request.judge)
    if request.judge == "number":
        numbers = NUMBER.findall(answer)
        wanted = float(expected.strip())
        return bool(numbers) and math.isclose(float(numbers[0].replace(",", "")), wanted, rel_tol=1e-3)
    wanted_lines = [_plain(line, root) for line in expected.splitlines()]
    if request.judge == "has":
        return all(
            line in " ".join(_plain(part, root) for part in answer.splitlines()) for line in wanted_lines
        )
    lines = [_plain(line, root) for line in answer.splitlines()]
    filled = [line for line in lines if line]
    expected_lines = [line for line in wanted_lines if line]
    return (
        filled == expected_lines if request.judge == "ordered" else sorted(filled) == sorted(expected_lines)
    )


def _plain(line: str, root: Path) -> str:
    """A line without the root, "./" and tabs: how a fact is set out is left to whoever answers."""
    text = line.replace(f"{root}/", "").replace(str(root), ".")
    text = re.sub(r"(?<!\S)\./", "", text.replace("\t", " "))
    return " ".join(text.split()).replace(": ", ":") or ""


def _is_archived(words: list[str], root: Path) -> bool:
    source, name = words
    if not (root / name).is_file():
        return False
    with tarfile.open(root / name) as archive:
        members = {member.name.removeprefix("./") for member in archive.getmembers() if member.isfile()}
    files = {str(path.relative_to(root)) for path in (root / source).rglob("*") if path.is_file()}
    return members == files or members == {str(Path(path).relative_to(Path(source).parent)) for path in files}
