"""`reflect research QUERY`: a report from documents, every sentence checked against its source."""

from __future__ import annotations

import argparse
import asyncio
import sys
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.research_files import check_outputs

if TYPE_CHECKING:
    from configs.settings import Settings

EXIT_BY_STATUS = {"reported": 0, "no_data": 1, "error": 2}
EXIT_BY_KIND = {"NoDataReport": 1, "ErrorReport": 2}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "research", help="research a question over documents, each sentence checked"
    )
    parser.add_argument("query", nargs="*", help='what you want to know; "-" reads it from standard input')
    parser.add_argument(
        "--mode",
        choices=("strict", "discovery", "monitor"),
        help="strict: tiers 1 and 2 only (default: discovery)",
    )
    parser.add_argument("--corpus", metavar="DIR", help="folder of documents, or a .jsonl of NLWeb Items")
    parser.add_argument(
        "--sources", metavar="FILE", help="research these NLWeb Items (JSONL) only; searches nothing"
    )
    parser.add_argument("--html", metavar="FILE", help="write the report as one page")
    parser.add_argument("--items", metavar="FILE", help="write the resulting NLWeb Items as JSONL")
    parser.add_argument("--from", dest="start", metavar="DATE", help="use nothing older, e.g. 2024-01-31")
    parser.add_argument("--to", dest="end", metavar="DATE", help="use nothing newer, e.g. 2024-06")
    parser.add_argument("--ask", action="store_true", help="ask what an ambiguous question means")
    parser.add_argument(
        "--replay", metavar="MANIFEST", help="give a recorded run's report again, without models"
    )
    parser.add_argument("--thread", metavar="ID", help="name of the run and of its logs")
    parser.add_argument("--resume", metavar="ID", help="go on with a run that was interrupted")
    parser.add_argument(
        "--root", default=".", metavar="DIR", help="project that keeps settings and logs (default: here)"
    )
    parser.add_argument(
        "--model", metavar="P:M", help="ollama:NAME, embedded, embedded:FILE.gguf, openai:NAME, scripted:FILE"
    )
    parser.add_argument("--profile", metavar="P", help="safe, dev or sovereign")
    parser.add_argument("--json", action="store_true", help="print the items as JSON instead of the report")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Research, print, write; returns 0 for a report, 1 without evidence, 2 for an error, 3 to ask."""
    from configs.loading import load_settings
    from configs.locations import located
    from configs.root import resolve_root

    root = resolve_root(arguments.root)
    check_outputs(arguments)
    flags = {name: getattr(arguments, name) for name in ("model", "profile") if getattr(arguments, name)}
    settings = load_settings(root, flags).settings
    thread = arguments.resume or arguments.thread or f"research-{uuid.uuid4().hex[:12]}"
    start = None if arguments.resume else start_of(arguments, thread)

    from cli.ask_command import ended_at_once_by_ctrl_c
    from cli.thread_kind import resume_line

    go_on = resume_line(thread, arguments)
    with ended_at_once_by_ctrl_c():
        from cli.research_output import print_report, tell_notes, write_files
        from cli.research_running import run_research_thread
        from memory.trace.iteration_log import IterationLogger
        from nodes.reflective.context import RunContext

        context = RunContext(root=str(root), model=_model(arguments), profile=arguments.profile)
    if not arguments.quiet and not arguments.replay:
        sys.stderr.write(f"If this is cut short, go on with: {go_on}\n")
        sys.stderr.flush()
    values, waiting = asyncio.run(
        run_research_thread(start, context, thread, settings, go_on, quiet=arguments.quiet, ask=arguments.ask)
    )
    if waiting:
        sys.stderr.write(f"Waiting for an answer; go on with: {go_on}\n")
        return 3
    result = values["result"]
    try:
        write_files(result, arguments.items, arguments.html)
    finally:
        # Whichever of the two fails, the other one has the report.
        print_report(result, as_json=arguments.json)
    if arguments.replay:
        return _compared(arguments.replay, result, root, settings)
    if not arguments.quiet:
        tell_notes(result)
        below = located(root, settings.research.iterations)
        sys.stderr.write(f"Logs: {IterationLogger(below, values.get('query_id') or thread).directory}\n")
    return code_of(result, str(values.get("status", "")))


def resuming(arguments: argparse.Namespace) -> argparse.Namespace:
    """What `reflect resume` was given, as if `reflect research --resume` had been."""
    parser = argparse.ArgumentParser()
    add_parser(parser.add_subparsers())
    # No name is read as an option: it stands behind a sign of equality.
    given = parser.parse_args(["research", f"--resume={arguments.thread}", "--ask"])
    for name in ("root", "model", "profile", "json", "quiet"):
        setattr(given, name, getattr(arguments, name))
    return given


def code_of(result: list[dict[str, Any]], status: str = "") -> int:
    """The exit code by how the run ended; where that is not known, by the kind of the first item.

    Without reports the items are the documents that were found, and what those say of their kind is theirs.
    """
    if status in EXIT_BY_STATUS:
        return EXIT_BY_STATUS[status]
    facts = result[0].get("schema_object") if result else {"@type": "NoDataReport"}
    return EXIT_BY_KIND.get(str(facts.get("@type", "")), 0) if isinstance(facts, dict) else 0


def start_of(arguments: argparse.Namespace, thread: str) -> dict[str, Any]:
    """The input of a new run.

    Raises:
        UsageError: the sources cannot be read.
        TimeInvalid: a date cannot be read, or they are the wrong way round.
        ReplayImpossible: the manifest cannot be used.
    """
    if arguments.replay:
        from nodes.research.replaying import start_of_replay

        return {**start_of_replay(str(Path(arguments.replay).absolute())), "query_id": thread}
    start = new_run(_query(arguments.query), arguments.mode or "discovery", _corpus(arguments.corpus), thread)
    start |= {"clarify": arguments.ask, "temporal_context": _time(arguments)}
    if arguments.sources:
        from configs.errors import UsageError
        from tools.search.items import read_items

        items, problems = read_items(Path(arguments.sources))
        for problem in problems:
            sys.stderr.write(f"{problem}\n")
        if not items:
            raise UsageError("--sources holds no item.", "Name a file with one NLWeb Item a line.")
        start["items"] = [item.dump() for item in items]
    return start


def new_run(query: str, mode: str, corpus: str, thread: str) -> dict[str, Any]:
    """The input of a new run, about all times, which asks nobody back."""
    return {
        "query": query,
        "mode": mode,
        "corpus": corpus,
        "query_id": thread,
        "clarify": False,
        "items": [],
        "ambiguity": None,
        "replay": "",
        "temporal_context": {"start": None, "end": None},
    }


def _model(arguments: argparse.Namespace) -> str | None:
    if not arguments.replay:
        return str(arguments.model) if arguments.model else None
    from nodes.research.replaying import load_manifest

    # Replies are recorded, so the model only has to have a name.
    return load_manifest(arguments.replay).models.get("analyst") or "embedded"


def _corpus(named: str | None) -> str:
    """A path from here as an absolute one; what is none names a back end."""
    return str(Path(named).absolute()) if named and Path(named).exists() else named or ""


def _query(words: list[str]) -> str:
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if words == ["-"] else " ".join(words)
    return text.encode("utf-8", "replace").decode("utf-8").strip()


def _time(arguments: argparse.Namespace) -> dict[str, Any]:
    """The time between --from and --to.

    Raises:
        TimeInvalid: one of them is no date, or they are the wrong way round.
    """
    from nodes.research.state import TemporalContext
    from nodes.research.time_bounds import checked

    context = checked(TemporalContext(start=arguments.start, end=arguments.end))
    return {"start": context.start, "end": context.end}


def _compared(manifest: str, result: list[dict[str, Any]], root: Path, settings: Settings) -> int:
    """0 if the report and the records are those the run left, else 1; said on stderr, with what changed."""
    from nodes.research.replay_differences import differences
    from nodes.research.replaying import load_manifest, sha256_of

    found = differences(manifest, root, settings)
    for note in found.changed:
        sys.stderr.write(f"Note: {note}\n")
    for record in found.altered:
        sys.stderr.write(f"{record}\n")
    same = load_manifest(manifest).report_sha256 == sha256_of(result)
    sys.stderr.write(
        "The report is the recorded one.\n" if same else "The report differs from the recorded one.\n"
    )
    return 0 if same and not found.altered else 1
