"""`reflect think QUESTION`: contractive reasoning; the answer, how sure it is, and how it came about.

Exit codes: 0 an answer, also one that is said to be uncertain (as a research report of low confidence is a
report; `status` in the JSON tells them apart); 1 no answer; 2 environment or usage error; 3 waiting for a
clarification.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import shlex
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.think_files import check_arguments

if TYPE_CHECKING:
    from configs.settings import Settings

EXIT_BY_STATUS = {"answered": 0, "uncertain": 0, "no_answer": 1}
EXIT_ENVIRONMENT = 2
EXIT_WAITING = 3
# Flags that are settings, and the setting each of them is.
SETTING_BY_NAME = {
    "preset": "contractive.preset",
    "max_depth": "contractive.max_depth",
    "entropy_decompose_threshold": "contractive.entropy_decompose_threshold",
    "max_tokens": "contractive.max_global_tokens",
    "samples": "contractive.k_entropy_samples",
    "peer": "contractive.peer",
    "peer_model": "models.critic.name",
}
# What a run is gone on with: all that is not in its state, or might not be yet.
KEPT = (
    "root", "model", "profile", *SETTING_BY_NAME, "export_trace", "export_mermaid",
    "ask", "print_events", "json", "quiet",
)  # fmt: skip
LONGEST_CONTEXT = 200_000


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "think", help="reason about a question: samples that disagree split it into parts"
    )
    parser.add_argument("question", nargs="*", help='what you want to know; "-" reads it from standard input')
    parser.add_argument("--context", metavar="FILE", help='text the answer may rest on; "-": standard input')
    parser.add_argument("--preset", metavar="P", help="factual, complex, math, exploration, fast or deep")
    parser.add_argument(
        "--model", metavar="P:M", help="ollama:NAME, embedded, embedded:FILE.gguf, openai:NAME, scripted:FILE"
    )
    parser.add_argument("--peer-model", metavar="P:M", help="who reviews (default: the model itself)")
    parser.add_argument(
        "--peer", choices=("none", "light", "full"), help="nobody reviews, a short verdict, or with advice"
    )
    parser.add_argument("--max-depth", type=int, metavar="N", help="levels of parts below the question")
    parser.add_argument(
        "--entropy-decompose-threshold", type=float, metavar="X", help="0 to 1; from here on it is split"
    )
    parser.add_argument("--max-tokens", type=int, metavar="N", help="of all prompts and replies together")
    parser.add_argument("--samples", type=int, metavar="N", help="samples of a question at first")
    parser.add_argument(
        "--print-events", action="store_true", help="print events as JSON lines, then the result"
    )
    parser.add_argument("--export-trace", metavar="F", help="write the run as one JSON document")
    parser.add_argument("--export-mermaid", metavar="F", help="write the tree as a Mermaid flowchart")
    parser.add_argument(
        "--chat", action="store_true", help="one question after another; /help lists commands"
    )
    parser.add_argument(
        "--thread", metavar="ID", help="name of the run; a chat goes on with what it remembers"
    )
    parser.add_argument("--resume", metavar="ID", help="go on with a run that was interrupted, or waits")
    parser.add_argument("--ask", action="store_true", help="ask what an ambiguous question means")
    parser.add_argument(
        "--reading", metavar="R", help="with --resume: which reading is meant, by number or words"
    )
    parser.add_argument("--root", default=".", metavar="DIR", help="project that keeps settings and threads")
    parser.add_argument("--profile", metavar="P", help="safe, dev or sovereign")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Think, print, write; the exit codes are those of the module."""
    from configs.root import resolve_root

    check_arguments(arguments)
    root = resolve_root(arguments.root)
    chosen, settings = chosen_of(arguments, root)
    if arguments.chat:
        from cli.think_chat_command import chat

        return chat(arguments, root, chosen, material_of(arguments.context))
    thread = arguments.resume or arguments.thread or f"think-{uuid.uuid4().hex[:12]}"
    start = None if arguments.resume else start_of(arguments)
    return _thought(arguments, root, settings, chosen, thread, start)


def _thought(
    arguments: argparse.Namespace,
    root: Path,
    settings: Settings,
    chosen: dict[str, Any],
    thread: str,
    start: dict[str, Any] | None,
) -> int:
    from cli.ask_command import ended_at_once_by_ctrl_c

    go_on = resume_line(thread, arguments)
    with ended_at_once_by_ctrl_c():
        from cli.think_files import write_files
        from cli.think_live import view_of
        from cli.think_output import print_result, tell_notes
        from cli.think_running import Thinking
        from nodes.contractive.events import result_of
        from nodes.reflective.context import RunContext

        context = RunContext(
            root=str(root), model=arguments.model, profile=arguments.profile, settings=chosen
        )
        if start is not None:
            check_question(start["question"])
    if not arguments.quiet:
        sys.stderr.write(f"If this is cut short, go on with: {go_on}\n")
        sys.stderr.flush()
    view = view_of(quiet=arguments.quiet, events=arguments.print_events)
    # A tree makes many objects, each round of which would have Python look through all that was imported.
    gc.freeze()
    thinking = Thinking(context, thread, settings, go_on, view, quiet=arguments.quiet)
    state, waiting = asyncio.run(thinking.to_the_end(start, reading=arguments.reading))
    result = result_of(state, thread, waiting)
    try:
        if not waiting:
            write_files(arguments, state, root)
    finally:
        # Whichever of the two fails, the other one has the answer.
        print_result(result, as_json=arguments.json, as_line=arguments.print_events)
    if waiting:
        sys.stderr.write(f"Waiting for an answer; go on with: {go_on} --reading=NUMBER\n")
        return EXIT_WAITING
    if not arguments.quiet:
        tell_notes(result)
    return EXIT_BY_STATUS.get(result.status, EXIT_ENVIRONMENT)


def resuming(arguments: argparse.Namespace) -> argparse.Namespace:
    """What `reflect resume` was given, as if `reflect think --resume` had been."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    # No name is read as an option: it stands behind a sign of equality.
    given = parser.parse_args(["think", f"--resume={arguments.thread}"])
    for name in ("root", "model", "profile", "json", "quiet"):
        setattr(given, name, getattr(arguments, name))
    return given


def resume_line(thread: str, arguments: argparse.Namespace) -> str:
    """The command that goes on with a run, with the choices it was begun with."""
    words = ["reflect", "think", f"--resume={thread}"]
    for name in KEPT:
        given = getattr(arguments, name)
        flag = f"--{name.replace('_', '-')}"
        if given is True:
            words.append(flag)
        elif given is not None and given is not False and (name, given) != ("root", "."):
            words.append(f"{flag}={given}")
    return shlex.join(words)


def chosen_of(arguments: argparse.Namespace, root: Path) -> tuple[dict[str, Any], Settings]:
    """The flags that are settings, by dotted key, with what follows from them; and all settings.

    Raises:
        SettingsError: a value is refused.
    """
    from configs.contractive import resolved
    from configs.loading import load_settings

    named = {key: getattr(arguments, name) for name, key in SETTING_BY_NAME.items()}
    chosen = {key: value for key, value in named.items() if value is not None}
    if arguments.ask:
        chosen["contractive.clarify"] = True
    short = {name: given for name in ("model", "profile") if (given := getattr(arguments, name))}
    settings = load_settings(root, {**chosen, **short}).settings
    decided = resolved(settings.contractive, settings.model or "")
    if arguments.samples is not None and arguments.samples > decided.k_max_samples:
        chosen["contractive.k_max_samples"] = arguments.samples
    # Who names a reviewer wants a review.
    if arguments.peer_model and decided.peer == "none":
        chosen["contractive.peer"] = "full"
    return chosen, settings


def start_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The input of a new run.

    Raises:
        UsageError: the question is empty, or the material cannot be read.
    """
    from configs.errors import UsageError

    words = arguments.question
    text = decoded(sys.stdin.buffer.read() if sys.stdin else b"") if words == ["-"] else " ".join(words)
    question = text.encode("utf-8", "replace").decode("utf-8").strip()
    if not question:
        raise UsageError(
            "There is nothing to think about: the question is empty.", "Say what you want to know."
        )
    return {"question": question, "context": material_of(arguments.context), "clarification": None}


def check_question(question: str) -> None:
    """Refuse what no run would take.

    Raises:
        UsageError: it is empty, or longer than a question.
    """
    from configs.errors import UsageError
    from nodes.contractive.state import LONGEST_QUESTION

    if not question.strip():
        raise UsageError(
            "There is nothing to think about: the question is empty.", "Say what you want to know."
        )
    if len(question) > LONGEST_QUESTION:
        raise UsageError(
            f"The question has {len(question)} characters; {LONGEST_QUESTION} is the most.",
            "Give the material by --context FILE, and ask about it.",
        )


def material_of(named: str | None) -> str:
    """The text of --context; "" without one.

    Raises:
        UsageError: it cannot be read, is no text, or is too much of it.
    """
    from configs.errors import UsageError
    from configs.redaction import path_text

    if named is None:
        return ""
    path = Path(named)
    what = "Standard input" if named == "-" else path_text(path)
    try:
        if named == "-":
            data = sys.stdin.buffer.read(4 * LONGEST_CONTEXT + 1) if sys.stdin else b""
        else:
            with path.open("rb") as stream:
                data = stream.read(4 * LONGEST_CONTEXT + 1)
    except OSError as error:
        raise UsageError(
            f"--context {what} cannot be read: {error.strerror or error}.", "Name a file of text."
        ) from error
    if b"\0" in data:
        raise UsageError(f"--context {what} is no text: it holds a zero byte.", "Give its text instead.")
    text = decoded(data)
    if len(text) > LONGEST_CONTEXT:
        raise UsageError(
            f"--context {what} has over {LONGEST_CONTEXT} characters.",
            "Give the part that matters, or use `reflect research --corpus`.",
        )
    return text


def decoded(data: bytes) -> str:
    """Bytes as text, whatever the locale says; a mark of the byte order is no part of it."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff")
