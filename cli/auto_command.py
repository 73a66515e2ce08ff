"""`reflect auto GOAL`: the goal goes to the engine that fits it, after the person was told which one and why.

The engine's own command does the work, so progress, approvals, threads, `reflect resume` and exit codes are
those of that command. With --dry-run only the decision is printed, and the exit code is 0.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import importlib.util
import io
import json
import shlex
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cli.ask_command import ended_at_once_by_ctrl_c, goal_of, print_json, words_of

if TYPE_CHECKING:
    from nodes.collective.engines import Engine
    from nodes.routing.playing import Game
    from nodes.routing.state import RoutingDecision

EXIT_COULD_NOT = 1
HANDED_ON = ("thread", "root", "model", "profile", "json", "quiet")


@dataclass(frozen=True)
class Delegate:
    """The command that runs an engine.

    Attributes:
        command: its name.
        module: of `cli/`, which registers it.
        changes: True if it takes --yes.
    """

    command: str
    module: str
    changes: bool = False


BY_ENGINE: Mapping[Engine, Delegate] = {
    "reflective": Delegate("ask", "cli.ask_command", changes=True),
    "contractive": Delegate("think", "cli.think_command"),
    "research": Delegate("research", "cli.research_command"),
    "tutor": Delegate("play", "cli.play_command"),
    "specialists": Delegate("specialists", "cli.specialists_command"),
    "ensemble": Delegate("ensemble", "cli.collective_command", changes=True),
    "hierarchy": Delegate("hierarchy", "cli.collective_command"),
    "hybrid": Delegate("hybrid", "cli.collective_command", changes=True),
}
STAND_IN: Engine = "reflective"
"""Runs where the right engine is not installed, and the person is told."""


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser("auto", help="let the engine that fits the goal answer it, and say why")
    parser.add_argument("goal", nargs="+", help='what you want; "-" reads it from standard input')
    parser.add_argument("--engine", choices=tuple(BY_ENGINE), help="use this one, whatever fits")
    parser.add_argument("--dry-run", action="store_true", help="say which engine and why, and run none")
    parser.add_argument("--yes", action="store_true", help="make the changes that are asked for, unasked")
    parser.add_argument("--thread", metavar="ID", help="name of the run")
    parser.add_argument("--root", default=".", metavar="DIR", help="directory the goal is about")
    parser.add_argument(
        "--model", metavar="P:M", help="ollama:NAME, embedded, embedded:FILE.gguf, openai:NAME, scripted:FILE"
    )
    parser.add_argument("--profile", metavar="P", help="safe, dev or sovereign")
    parser.add_argument("--json", action="store_true", help="print the decision and the answer as JSON")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Decide, say so, and let the engine's command answer; returns its exit code."""
    goal = goal_of(arguments.goal)
    with ended_at_once_by_ctrl_c():
        decision = decided(arguments, goal)
    sys.stderr.write(f"engine: {decision.engine}, because {decision.why}\n")
    sys.stderr.flush()
    if arguments.dry_run:
        _print_decision(decision, as_json=arguments.json)
        return 0
    game: Game | None = None
    if decision.engine == "tutor":
        from nodes.routing.playing import Advice, game_of

        found = game_of(goal, decision.kind)
        if isinstance(found, Advice):
            return _advised(decision, found.text, as_json=arguments.json)
        game = found
    return _delegated(arguments, decision, goal, game)


def decided(arguments: argparse.Namespace, goal: str) -> RoutingDecision:
    """The decision: the person's, else that of words and exemplars, else a model's, where those doubt."""
    from configs.loading import load_settings
    from configs.root import resolve_root
    from models.profile_rules import check_models_allowed
    from models.roles import RoleModels
    from models.selection import choose_model
    from nodes.routing.deciding import forced
    from nodes.routing.route import decision_on

    if arguments.engine is not None:
        return forced(arguments.engine)
    flags = {name: given for name in ("model", "profile") if (given := getattr(arguments, name))}
    settings = load_settings(resolve_root(arguments.root), flags).settings

    def opened() -> RoleModels:
        choice = choose_model(settings)
        check_models_allowed(settings, choice)
        return RoleModels(settings, choice)

    decision, _ = asyncio.run(decision_on(goal, settings, opened))
    return decision


def own_parser(engine: Engine) -> argparse.ArgumentParser | None:
    """A parser of the command that runs an engine; None if that is not installed."""
    delegate = BY_ENGINE[engine]
    if importlib.util.find_spec(delegate.module) is None:
        return None
    parser = argparse.ArgumentParser(prog="reflect")
    commands = parser.add_subparsers()
    importlib.import_module(delegate.module).add_parser(commands)
    return parser if delegate.command in commands.choices else None


def _runnable(decision: RoutingDecision) -> tuple[Engine, argparse.ArgumentParser]:
    """The engine that runs and its command: the right one, or the one that stands in for it."""
    from configs.errors import UsageError

    if (parser := own_parser(decision.engine)) is not None:
        return decision.engine, parser
    sys.stderr.write(
        f"reflect: {decision.engine} would be the right engine and is not installed: "
        f"{STAND_IN} runs instead.\n"
    )
    if (stand_in := own_parser(STAND_IN)) is not None:
        return STAND_IN, stand_in
    raise UsageError(f"The engine {STAND_IN} is not installed either.", "Install the package anew.")


def _delegated(
    arguments: argparse.Namespace,
    decision: RoutingDecision,
    goal: str,
    game: Game | None,
) -> int:
    engine, parser = _runnable(decision)
    words = command_words(arguments, engine, goal, game)
    given = parser.parse_args(words)
    if not arguments.json:
        return int(given.run(given))
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        code = int(given.run(given))
    result = json.loads(printed.getvalue() or "null")
    print_json(_report(decision, engine, words, answer_of(result), result))
    return code


def command_words(arguments: argparse.Namespace, engine: Engine, goal: str, game: Game | None) -> list[str]:
    """The words of the engine's own command, without `reflect`."""
    delegate = BY_ENGINE[engine]
    names = (*HANDED_ON, "yes") if delegate.changes else HANDED_ON
    words = [delegate.command, *words_of(arguments, names)]
    if game is None:
        return [*words, "--", goal]
    from nodes.routing.playing import FREE

    return (
        [*words, f"--goal={game.goal}"] if game.game == FREE else [*words, f"--seed={game.seed}", game.game]
    )


def _advised(decision: RoutingDecision, text: str, *, as_json: bool) -> int:
    """Say what to run where one run would only look like an answer."""
    if as_json:
        print_json(_report(decision, decision.engine, [], text, None))
    else:
        sys.stdout.write(f"{text}\n")
    return EXIT_COULD_NOT


def _report(
    decision: RoutingDecision, engine: Engine, words: list[str], answer: str | None, result: Any
) -> dict[str, Any]:
    return {
        "decision": decision.model_dump(mode="json"),
        "engine": engine,
        "command": shlex.join(["reflect", *words]) if words else None,
        "answer": answer,
        "result": result,
    }


def answer_of(result: Any) -> str | None:
    """The answer in what an engine's command printed as JSON: a report, items, or the claims of a game."""
    if isinstance(result, list):
        return "\n\n".join(str(item.get("description") or "") for item in result) or None
    if not isinstance(result, dict):
        return None
    answer = result.get("answer")
    if isinstance(answer, list):
        from cli.play_words import claim_words

        return "\n".join(claim_words(one["claim"]) for one in answer) or None
    return str(answer) if answer else None


def _print_decision(decision: RoutingDecision, *, as_json: bool) -> None:
    if as_json:
        print_json({"decision": decision.model_dump(mode="json")})
        return
    score = f", {decision.score:.2f}" if decision.score is not None else ""
    runner_up = f"; next: {decision.runner_up}" if decision.runner_up else ""
    sys.stdout.write(f"{decision.engine} ({decision.kind}, by {decision.source}{score}{runner_up})\n")
