"""`reflect eval SUITE`: one of the evaluation suites, in this process."""

from __future__ import annotations

import argparse
import runpy
import sys

# A suite is a program of its own (`python -m evals.reflective`), so nothing of it is imported here.
SUITES = {
    "reflective": ("evals.reflective", "scenarios about a generated project, against the bare model"),
    "faults": (
        "evals.faults",
        "models that answer badly in every known way; no false success may come of it",
    ),
    "shell": ("evals.shell", "the InterCode-ALFA tasks, whose file systems are rebuilt in the sandbox"),
    "research": (
        "evals.research",
        "deep research over invented worlds: citations, contradictions, and what its check catches",
    ),
    "claims": (
        "evals.claims",
        "sentences of natural prose beside their sources, half of them with one error",
    ),
    "entropy": (
        "evals.entropy",
        "labelled samples of answers: which say the same, and how uncertain they are",
    ),
    "contractive": (
        "evals.contractive",
        "tasks with exact answers: the tree of questions in six scenarios, against the bare model",
    ),
    "tutor": (
        "evals.tutor",
        "ten proof games from seeds, with four arms of help, beside players who know all or nothing",
    ),
    "parts": (
        "evals.parts",
        "labelled parts of questions: which are on topic, and which ask what was asked before",
    ),
    "learning": ("evals.learning", "the same and similar questions over sessions, with memory on and off"),
}
SHARED = """
options of all but learning: --model P:M, --strategy S (S0: the bare model), --repeat N,
--limit N, --only ID, --seed N, --jobs N, --json [F], --html F, --resume F; `reflect eval SUITE --help`
says more.

exit codes: 0 every target met, 1 a target missed, 2 environment or usage error
"""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    width = max(map(len, SUITES))
    suites = "\n".join(f"  {name:<{width}}  {about}" for name, (_, about) in SUITES.items())
    parser = subparsers.add_parser(
        "eval",
        help="run an evaluation suite",
        description=f"suites:\n{suites}",
        epilog=SHARED,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("suite", choices=list(SUITES), help="which suite")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="its options; --help lists them")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the suite; its exit code is 0 if every target is met."""
    module, _ = SUITES[arguments.suite]
    before = sys.argv
    sys.argv = [f"reflect eval {arguments.suite}", *arguments.options]
    try:
        runpy.run_module(module, run_name="__main__")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    finally:
        sys.argv = before
    return 0
