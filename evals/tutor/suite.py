"""`reflect eval tutor`: the ten proof games, by a model with and without help and by known players.

arms: none; menu (moves to choose from); cards (advice where the player is stuck); all

Beside the model, through the same engine, play:
  oracle      knows the solutions and must win every game
  null ones   know nothing and must win none: cards-only never reads, dump-everything says all it has read
  followers   first-item, eager-item and random-item do what menus offer, and may win next to none
  middling    knows the solutions and errs at random: what an arm is worth to a player who heeds it
--model player:NAME measures one of them in a model's place.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from importlib import import_module

from configs.errors import UsageError
from configs.tutor import Arm, TutorSettings
from evals.report import (
    Planned,
    Report,
    SuiteOptions,
    circumstances,
    evenly,
    isolated_home,
    model_digest,
    publish,
    refuse_silence,
    refuse_unknown,
    run_planned,
    settings_digest,
    suite_options,
    suite_parser,
)
from evals.report.options import count, listed
from evals.tutor.field import ARMS, PLAYERS, PREFIX, arms_of, is_player, known
from evals.tutor.figures import metrics_of
from evals.tutor.running import run_case, settings_of
from evals.tutor.tables import plots_of, tables_of
from models.identifiers import ModelId
from nodes.tutor.games.game import Game
from nodes.tutor.games.generating import GAMES, generate

SEEDS = 5
NOBODY = "none"


def arguments_of(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line, read."""
    parser = suite_parser("tutor", __doc__, strategies=ARMS)
    parser.add_argument(
        "--arm", metavar="none,menu,...", help="which arms (default: all four); as --strategy"
    )
    parser.add_argument("--games", metavar="B01,B04,...", help="which games (default: all ten); as --only")
    parser.add_argument(
        "--seeds",
        type=count,
        default=SEEDS,
        metavar="N",
        help=f"games of each kind, from --seed on ({SEEDS})",
    )
    parser.add_argument(
        "--players",
        metavar="oracle,...",
        default=",".join(PLAYERS),
        help=f"who plays beside the model: {', '.join(PLAYERS)}, or {NOBODY} (default: all)",
    )
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and publish; exit code 0 if every target is met.

    Raises:
        UsageError: options that mean nothing here.
        ReflectError: a model cannot be used.
    """
    arguments = arguments_of(argv)
    options = suite_options(arguments)
    options = options.model_copy(
        update={
            "strategies": listed("--arm", arguments.arm, "--strategy", options.strategies) or ARMS,
            "only": listed("--games", arguments.games, "--only", options.only),
        }
    )
    _refuse_strange_arms(options.strategies)
    refuse_unknown(options, GAMES, "game")
    for model in options.models:
        if is_player(model):
            known(model)
        else:
            ModelId.parse(model)
    players = players_of(arguments.players)
    planned = planned_games(options, players, arguments.seeds)
    with isolated_home():
        report = asyncio.run(_measured(options, planned))
    return publish(report, options)


def _refuse_strange_arms(arms: Sequence[str]) -> None:
    """Tell a slip in --arm.

    Raises:
        UsageError: one is no arm.
    """
    if unknown := sorted(set(arms) - set(ARMS)):
        raise UsageError(f"There is no arm {', '.join(unknown)}.", f"Choose from {', '.join(ARMS)}.")


def players_of(listed: str) -> list[str]:
    """The players beside the model, by their names in reports.

    Raises:
        UsageError: one is none.
    """
    named = [name.strip() for name in listed.split(",") if name.strip()]
    return [] if named == [NOBODY] else list(dict.fromkeys(known(PREFIX + name) for name in named))


def planned_games(options: SuiteOptions, players: Sequence[str], seeds: int) -> list[Planned]:
    """Every game of every seed for everybody in every arm, seed by seed, so that a part shows all of them.

    Args:
        options: the shared ones; `strategies` are the arms.
        players: beside the models.
        seeds: how many, from `options.seed` on.
    """
    wanted = [name for name in GAMES if not options.only or name in options.only]
    all_of_them = [
        generate(name, seed) for seed in range(options.seed, options.seed + seeds) for name in wanted
    ]
    chosen = evenly(all_of_them, lambda game: game.id, options.limit, options.seed)
    arms = [arm for arm in ARMS if arm in options.strategies]
    return [
        Planned(
            id=game.id,
            variant=arm,
            repeat=repeat,
            model=model,
            seed=game.seed,
            settings=_digest(game, arm),
        )
        for model in dict.fromkeys([*options.models, *players])
        for repeat in range(options.repeat)
        for game in chosen
        for arm in arms_of(model, arms)
    ]


def _digest(game: Game, arm: Arm) -> str:
    settings = TutorSettings(arm=arm).model_dump(mode="json")
    return settings_digest({"game": game.model_dump(mode="json"), "tutor": settings, **settings_of(arm)})


async def _measured(options: SuiteOptions, planned: Sequence[Planned]) -> Report:
    digests = {model: model_digest(model) for model in options.models if not is_player(model)}
    if digests:
        # Loaded here, for it takes seconds, which are not the first game's.
        await asyncio.to_thread(import_module, "graph.tutor")
    cases = await run_planned(planned, run_case, options)
    refuse_silence(cases)
    return Report(
        **circumstances("tutor"),
        about="Proof games generated from seeds: what is won, at what cost, and with which help.",
        model=", ".join(options.models),
        model_digest=digests,
        settings={"limit": options.limit, "repeat": options.repeat, "jobs": options.jobs},
        seeds={"first game": options.seed, "intervals": options.seed},
        cases=cases,
        metrics=metrics_of(cases, options.models, options.seed),
        tables=tables_of(cases),
        plots=plots_of(cases, options.models),
    )
