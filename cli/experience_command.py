"""`reflect experience`: look into what past runs left behind, and keep it in order."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory.corpus import HybridExperience
    from memory.experience.recall_prompt import Scope

_FOUND_NOTHING = 1


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("experience", help="search and maintain what past runs left behind")
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    searching = actions.add_parser("search", help="past runs and failures like a goal")
    searching.add_argument("query", metavar="QUERY")
    searching.add_argument("-k", type=_count, metavar="N", help="hits at most (default: the setting)")
    actions.add_parser("stats", help="events, unreadable lines and state of the index")
    patterns = actions.add_parser("patterns", help="what fails again and again, and what helped")
    patterns.add_argument("category", nargs="?", metavar="CATEGORY")
    actions.add_parser("reindex", help="build the index anew from the events")
    pruning = actions.add_parser("prune", help="remove events that are too old and did not help")
    pruning.add_argument("--dry-run", action="store_true", help="only say what would be removed")
    forgetting = actions.add_parser("forget", help="remove records, on all hosts that share the corpus too")
    forgetting.add_argument("ids", nargs="+", metavar="ID", help="event_id of `search --json`")
    forgetting.add_argument("--dry-run", action="store_true", help="only say how many lines would go")
    actions.add_parser("sync", help="exchange records with other hosts now (experience.url_env)")
    exporting = actions.add_parser("export", help="write all events to one file, secrets redacted")
    exporting.add_argument("file", metavar="FILE")
    importing = actions.add_parser("import", help="take in events of a file, in quarantine until confirmed")
    importing.add_argument("file", metavar="FILE")
    for name, action in actions.choices.items():
        action.add_argument("--root", default=".", metavar="DIR", help="the project (default: here)")
        action.add_argument("--json", action="store_true", help="print JSON")
        if name != "patterns":
            scopes = ("project", "global") if name == "import" else ("project", "global", "both")
            action.add_argument(
                "--scope", choices=scopes, default=scopes[-1] if name != "import" else scopes[0]
            )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Do one thing with the corpora; a search that finds nothing returns 1.

    Raises:
        ReflectError: it cannot be done; the message says why.
    """
    import logging

    from configs.loading import load_settings
    from configs.root import resolve_root
    from memory.corpus_opening import open_experience
    from models.embeddings import open_embedder

    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    root = resolve_root(arguments.root)
    settings = load_settings(root).settings
    corpus = open_experience(settings, root, lambda: open_embedder(settings))
    actions: dict[str, Callable[[argparse.Namespace, HybridExperience], int]] = {
        "search": _search,
        "stats": _stats,
        "patterns": _patterns,
        "reindex": _reindex,
        "prune": _prune,
        "forget": _forget,
        "sync": _sync,
        "export": _export,
        "import": _import,
    }
    return actions[arguments.action](arguments, corpus)


def _search(arguments: argparse.Namespace, corpus: HybridExperience) -> int:
    from cli.experience_records import lines_of, record_of

    hits = corpus.search(arguments.query, arguments.k, scope=_scope(arguments))
    if arguments.json:
        _print_json([record_of(hit).model_dump(mode="json") for hit in hits])
    else:
        for hit in hits:
            for line in lines_of(hit):
                _say(line)
    _tell_problems(corpus)
    if not hits:
        sys.stderr.write("reflect: no experience is like that\n")
    return 0 if hits else _FOUND_NOTHING


def _stats(arguments: argparse.Namespace, corpus: HybridExperience) -> int:
    wanted = _scope(arguments)
    counted = [stats for stats in corpus.stats() if wanted in (None, stats.scope)]
    problems = corpus.index_problems() if any(stats.events for stats in counted) else []
    if arguments.json:
        _print_json({"corpora": [asdict(stats) for stats in counted], "problems": problems})
        return 0
    for stats in counted:
        _say(f"{stats.scope}: {stats.path}")
        _say(f"  {stats.events} events, {stats.bad_lines} unreadable lines, {stats.bytes} bytes")
        _say(f"  read by the index: {stats.indexed_offset} bytes; {stats.duplicates} lines came twice")
        named = f" ({stats.index})" if stats.index else ""
        _say(f"  {stats.indexed} of {stats.texts} texts have a vector{named}")
        if stats.server:
            _say(f"  vectors are on {stats.server}")
        if stats.shared:
            _say(f"  records are shared through {stats.shared}; {stats.waiting} lines are not sent yet")
        if stats.problem:
            _say(f"  {stats.problem}")
    for problem in problems:
        _say(problem)
    return 0


def _patterns(arguments: argparse.Namespace, corpus: HybridExperience) -> int:
    found = corpus.get_patterns(arguments.category)
    if arguments.json:
        _print_json([{**asdict(pattern), "resolved_share": pattern.resolved_share} for pattern in found])
        return 0
    for pattern in found:
        last = pattern.last.date().isoformat() if pattern.last else "undated"
        _say(f"{pattern.category}: {pattern.count} times, {pattern.resolved_share:.0%} solved, last {last}")
        for remedy in pattern.remedies:
            _say(f"  {remedy.count} x {remedy.text}")
    if not found:
        sys.stderr.write("reflect: no failure of that kind is known\n")
    return 0


def _reindex(arguments: argparse.Namespace, corpus: HybridExperience) -> int:
    built = corpus.reindex(_scope(arguments))
    if arguments.json:
        _print_json(built)
        return 0
    for scope, vectors in built.items():
        _say(f"{scope}: {vectors} texts indexed")
    return 0


def _prune(arguments: argparse.Namespace, corpus: HybridExperience) -> int:
    pruned = corpus.prune(_scope(arguments), dry_run=arguments.dry_run)
    if arguments.json:
        _print_json({scope: {**asdict(one), "dry_run": arguments.dry_run} for scope, one in pruned.items()})
        return 0
    verb = "would be removed" if arguments.dry_run else "removed"
    for scope, one in pruned.items():
        _say(f"{scope}: {one.events} events {verb}, {one.bytes_before} bytes -> {one.bytes_after}")
    return 0


def _forget(arguments: argparse.Namespace, corpus: HybridExperience) -> int:
    gone = corpus.forget(arguments.ids, _scope(arguments), dry_run=arguments.dry_run)
    if arguments.json:
        _print_json({scope: {"lines": lines, "dry_run": arguments.dry_run} for scope, lines in gone.items()})
    else:
        verb = "would be removed" if arguments.dry_run else "removed"
        for scope, lines in gone.items():
            _say(f"{scope}: {lines} lines {verb}")
    _tell_problems(corpus)
    if not any(gone.values()):
        sys.stderr.write("reflect: no record has such an id\n")
        return _FOUND_NOTHING
    return 0


def _sync(arguments: argparse.Namespace, corpus: HybridExperience) -> int:
    exchanged = corpus.sync(_scope(arguments))
    if arguments.json:
        _print_json({scope: one._asdict() for scope, one in exchanged.items()})
    else:
        for scope, one in exchanged.items():
            _say(f"{scope}: {one.sent} records sent, {one.taken} taken in, {one.forgotten} forgotten")
    if not exchanged:
        sys.stderr.write("reflect: no corpus is shared; see experience.url_env and experience.project_id\n")
        return _FOUND_NOTHING
    return 0


def _tell_problems(corpus: HybridExperience) -> None:
    for problem in corpus.problems():
        sys.stderr.write(f"reflect: {problem}\n")


def _export(arguments: argparse.Namespace, corpus: HybridExperience) -> int:
    exported = corpus.export(Path(arguments.file), _scope(arguments))
    if arguments.json:
        _print_json(asdict(exported))
    else:
        _say(f"{exported.events} events exported, {exported.bad_lines} unreadable lines left out")
    return 0


def _import(arguments: argparse.Namespace, corpus: HybridExperience) -> int:
    imported = corpus.import_(Path(arguments.file), arguments.scope)
    if arguments.json:
        _print_json(asdict(imported))
        return 0
    _say(f"{imported.added} events imported, {imported.known} were known, {imported.refused} lines refused")
    if imported.added:
        _say("They are in quarantine until a run of this project confirms them.")
    return 0


def _count(text: str) -> int:
    try:
        count = int(text)
    except ValueError:
        count = 0
    if not 1 <= count <= 1000:
        raise argparse.ArgumentTypeError(f"{text} is not a number between 1 and 1000")
    return count


def _scope(arguments: argparse.Namespace) -> Scope | None:
    return None if arguments.scope == "both" else arguments.scope


def _print_json(value: Any) -> None:
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, default=_plain) + "\n")


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _say(text: str) -> None:
    from cli.live import printable

    sys.stdout.write(printable(" ".join(text.split("\n"))) + "\n")
