"""How often goals go to the right engine: `python -m evals.routing FILE.tsv [--json] [--model P:M]`.

FILE has the columns id, engine, goal (`evals.routing.table`). No model is asked unless one is named; then it
judges the goals that code leaves in doubt. Intervals are 95% bootstrap intervals. Exit code: 0 if the target
is met, 1 if not, 2 if the file is no such table or the models cannot be used.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

from configs.settings import Settings
from evals.routing.measuring import Router, summarise
from evals.routing.table import RoutedGoal, read_routed_goals
from evals.table_command import TableCommand
from models.identifiers import ModelId
from models.roles import RoleModels
from models.selection import ModelChoice
from nodes.collective.engines import ENGINES

WARM_UP = RoutedGoal("warm-up", "contractive", "is it better to walk or to take the bus?")


async def measure(
    rows: Sequence[RoutedGoal], settings: Settings, model: str | None, seed: int
) -> dict[str, Any]:
    """Route every row and sum up."""
    models = RoleModels(settings, ModelChoice(ModelId.parse(model), "as named")) if model else None
    started = time.perf_counter()
    router = Router(settings, models)
    await router.route(WARM_UP)
    opened = round(time.perf_counter() - started, 2)
    try:
        routed = [await router.route(row) for row in rows]
    finally:
        if models is not None:
            await models.aclose()
    return {
        "model": model,
        "embedder": router.embedder.name,
        "seed": seed,
        "opened_in_seconds": opened,
        **summarise(routed, seed),
    }


def print_table(report: dict[str, Any]) -> None:
    """The report for people."""
    low, high = report["interval"]
    print(f"accuracy {report['accuracy']:.3f} [{low:.3f}, {high:.3f}], {report['goals']} goals\n")
    print(f"{'engine':13}{'n':>4}{'recall':>9}{'precision':>11}")
    for engine, figures in report["engines"].items():
        recall, precision = (
            "-" if figures[name] is None else f"{figures[name]:.3f}" for name in ("recall", "precision")
        )
        print(f"{engine:13}{figures['n']:>4}{recall:>9}{precision:>11}")
    print(f"\n{'right engine':13}" + "".join(f"{engine:>12}" for engine in ENGINES))
    for right, given in report["confusion"].items():
        print(f"{right:13}" + "".join(f"{given[engine]:>12}" for engine in ENGINES))
    if report["wrong"]:
        print("\nwrong:")
    for one in report["wrong"]:
        print(f"{one['id']}: {one['goal']}\n    {one['given']} instead of {one['engine']}: {one['why']}")
    speed = report["milliseconds"]
    print(f"\np50 {speed['p50']} ms, p95 {speed['p95']} ms a goal; {report['embedder']}")
    print("the target is met" if report["target"]["met"] else f"missed: {report['target']['accuracy']}")


COMMAND = TableCommand(
    module="evals.routing",
    about=__doc__,
    verb="route",
    read=read_routed_goals,
    measure=measure,
    show=print_table,
    met=lambda report: bool(report["target"]["met"]),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure one file; returns the exit code."""
    return COMMAND.run(argv)


if __name__ == "__main__":
    sys.exit(main())
