"""Options every suite has, and the command that repeats one case."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, ConfigDict

from configs.errors import UsageError
from configs.settings import Strategy
from evals.report.case import Case

BARE = "S0"
STDOUT = "-"


class SuiteOptions(BaseModel):
    """What was asked for.

    Attributes:
        models: provider:model each.
        strategies: wirings, and "S0" for the bare model; empty for the suite's own choice.
        repeat: runs of each case.
        limit: most cases of each model and strategy, or None for all.
        only: ids; empty for all.
        seed: of everything drawn by lot.
        json_to: file, "-" for standard output, or None.
        html_to: file, or None.
        resume: JSONL of finished cases, or None.
        jobs: cases at once.
    """

    model_config = ConfigDict(frozen=True)

    models: tuple[str, ...]
    strategies: tuple[str, ...]
    repeat: int
    limit: int | None
    only: tuple[str, ...]
    seed: int
    json_to: str | None
    html_to: Path | None
    resume: Path | None
    jobs: int


def count(text: str) -> int:
    """A number of a command line that is 1 or more; an option's `type`."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def add_suite_options(
    parser: argparse.ArgumentParser,
    *,
    default_model: str = "embedded",
    strategies: Sequence[str] = (*get_args(Strategy), BARE),
) -> None:
    """Add the shared options to a suite's own parser; `strategies` are what it can run."""
    parser.add_argument(
        "--model",
        action="append",
        metavar="P:M",
        help=f"may be given several times (default: {default_model})",
    )
    parser.add_argument(
        "--strategy",
        action="append",
        choices=list(strategies),
        help="may be given several times; S0 is the bare model",
    )
    parser.add_argument("--repeat", type=count, default=1, metavar="N", help="runs of each case")
    parser.add_argument(
        "--limit", type=count, metavar="N", help="at most N cases, drawn evenly from the groups"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="ID", help="only this case; repeatable"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of everything drawn by lot")
    parser.add_argument(
        "--json", nargs="?", const=STDOUT, metavar="F", help="write JSON, to stdout without F"
    )
    parser.add_argument(
        "--html", type=Path, metavar="F", help="write one page that loads nothing from elsewhere"
    )
    parser.add_argument(
        "--resume", type=Path, metavar="F", help="go on from the finished cases in F, and add to it"
    )
    parser.add_argument("--jobs", type=count, default=1, metavar="N", help="cases at once (default: 1)")
    parser.set_defaults(default_model=default_model)


def suite_parser(
    suite: str,
    about: str | None,
    *,
    default_model: str = "embedded",
    strategies: Sequence[str] = (*get_args(Strategy), BARE),
) -> argparse.ArgumentParser:
    """A suite's command line with the shared options; its own are added to it.

    Args:
        suite: its name after `reflect eval`.
        about: the text of `--help`, shown as it is written.
        default_model: what is measured when none is named.
        strategies: what it can run.
    """
    parser = argparse.ArgumentParser(
        prog=f"reflect eval {suite}",
        description=about,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_suite_options(parser, default_model=default_model, strategies=strategies)
    return parser


def refuse_unknown(options: SuiteOptions, known: Iterable[str], what: str = "case") -> None:
    """Tell a slip in --only.

    Raises:
        UsageError: it names something that is none of the suite's.
    """
    unknown = sorted(set(options.only) - set(known))
    if unknown:
        raise UsageError(f"There is no {what} {', '.join(unknown)}.", "A report lists the ids.")


def listed(flag: str, names: str | None, other: str, given: tuple[str, ...]) -> tuple[str, ...]:
    """What one of two options names, each once: a list with commas, or an option that may be repeated.

    Args:
        flag: the option with the list.
        names: its text; None if it is not given.
        other: the option that may be repeated.
        given: what that one names.

    Raises:
        UsageError: both are used, or the list is empty.
    """
    if names is None:
        return given
    if given:
        raise UsageError(f"{flag} and {other} say the same.", "Use one of them.")
    named = tuple(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not named:
        raise UsageError(f"{flag} names nothing.", "Give names with commas between them.")
    return named


def suite_options(arguments: argparse.Namespace) -> SuiteOptions:
    """The shared options, read."""
    return SuiteOptions(
        models=tuple(dict.fromkeys(arguments.model or [arguments.default_model])),
        strategies=tuple(dict.fromkeys(arguments.strategy or [])),
        repeat=arguments.repeat,
        limit=arguments.limit,
        only=tuple(arguments.only),
        seed=arguments.seed,
        json_to=arguments.json,
        html_to=arguments.html,
        resume=arguments.resume,
        jobs=arguments.jobs,
    )


def rerun_command(suite: str, case: Case) -> str:
    """What to type to run just this case again."""
    words = ["reflect", "eval", suite, "--only", case.id, "--strategy", case.variant]
    words += ["--model", case.model] if case.model else []
    words += ["--seed", str(case.seed)] if case.seed else []
    return shlex.join([*words, *map(str, case.extra.get("rerun_options", []))])
