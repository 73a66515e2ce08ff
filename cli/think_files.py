"""What `reflect think` may be asked for together, and which files it may write: nothing of anybody else."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nodes.contractive.state import ContractiveState

OUTPUTS = ("export_trace", "export_mermaid")
REMEDY = "Name a file in another place, and go on with the run by --resume: nothing is asked again."


def check_arguments(arguments: argparse.Namespace) -> None:
    """Refuse, before anything runs, what cannot be meant, and files that are somebody else's.

    Raises:
        UsageError: no question, two of them, or an output that is not ours or cannot be.
    """
    from configs.errors import UsageError

    if refused := _refused(arguments):
        raise UsageError(*refused)
    for name in OUTPUTS:
        if given := getattr(arguments, name):
            _check_output(arguments, name, Path(given))


def _refused(arguments: argparse.Namespace) -> tuple[str, str] | None:
    asked, resumed, chat = bool(arguments.question), arguments.resume is not None, arguments.chat
    if chat and (asked or resumed or any(getattr(arguments, name) for name in OUTPUTS)):
        return (
            "--chat goes with no question, no --resume and no export.",
            "Ask in the chat; --thread ID goes on with one, /tree and /mermaid show the tree there.",
        )
    if chat and arguments.context == "-":
        return "--chat reads its questions from standard input.", "Name a file by --context."
    if asked and resumed:
        return "A question and --resume are both given.", "Leave out one of them."
    if not (asked or resumed or chat):
        return "There is nothing to think about: no question is given.", "Say what you want to know."
    if resumed and arguments.thread:
        return "--thread and --resume are both given.", "--resume names the thread by itself."
    if resumed and arguments.context:
        return "--context and --resume are both given.", "A run keeps the material it was begun with."
    if arguments.reading is not None and not resumed:
        return "--reading answers a run that waits, which --resume names.", "Add --resume ID."
    if arguments.question == ["-"] and arguments.context == "-":
        return "Question and --context are both read from standard input.", "Name a file for one of them."
    if arguments.peer == "none" and arguments.peer_model:
        return "--peer none and --peer-model are both given.", "Leave out one of them."
    return None


def write_files(arguments: argparse.Namespace, state: ContractiveState, root: Path) -> None:
    """Write the trace and the diagram that were asked for, each whole or not at all.

    Raises:
        UsageError: a file cannot be written, or became somebody else's while the run went on.
    """
    from cli.whole_files import write_whole
    from nodes.contractive.mermaid import to_mermaid
    from nodes.contractive.trace_export import trace_of, trace_text

    texts: dict[str, Callable[[], str]] = {
        "export_trace": lambda: trace_text(trace_of(state, root)),
        "export_mermaid": lambda: to_mermaid(state.tree),
    }
    problem: Exception | None = None
    for name in OUTPUTS:
        if given := getattr(arguments, name):
            try:
                _check_output(arguments, name, Path(given))
                write_whole(_flag(name), Path(given), texts[name](), REMEDY)
            except Exception as error:  # raised below: the other file is written all the same
                problem = problem or error
    if problem is not None:
        raise problem


def _check_output(arguments: argparse.Namespace, name: str, path: Path) -> None:
    """Refuse what cannot be written, and what would be lost.

    Raises:
        UsageError: it is a directory, has none, is another file of the command, or is not ours.
    """
    from cli.whole_files import check_output

    others = {_flag(other): getattr(arguments, other) for other in (*OUTPUTS, "context") if other != name}
    kind = "trace" if name == "export_trace" else "diagram"
    check_output(_flag(name), path, others, lambda file: _is_ours(name, file), f"{kind} of `reflect think`")


def _is_ours(name: str, path: Path) -> bool:
    """True for an earlier trace, or an earlier diagram."""
    from configs.errors import UsageError

    if name == "export_trace":
        from nodes.contractive.trace_export import read_trace

        try:
            read_trace(path)
        except UsageError:
            return False
        return True
    from nodes.contractive.mermaid import HEAD

    try:
        with path.open("rb") as stream:
            return stream.readline(len(HEAD) + 1) == f"{HEAD}\n".encode()
    except OSError:
        return False


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
