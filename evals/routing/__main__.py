"""How often goals go to the right engine: `python -m evals.routing FILE.tsv [--json] [--model P:M]`.

FILE has the columns id, engine, goal (`evals.routing.table`). No model is asked unless one is named; then it
judges the goals that code leaves in doubt. Intervals are 95% bootstrap intervals. Exit code: 0 if the target
is met, 1 if not, 2 if the file is no such table or the models cannot be used.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from configs.settings import Settings
from evals.routing.measuring import Router, summarise
from evals.routing.table import RoutedGoal, TableInvalid, read_routed_goals
from models.errors import ModelError
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


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m evals.routing", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--model", metavar="P:M", help="ask this model about goals that code leaves in doubt")
    parser.add_argument(
        "--embedder", choices=("auto", "e5", "minilm"), default="auto", help="instead of embeddings.goals"
    )
    parser.add_argument("--only", metavar="ID", help="route one row")
    parser.add_argument("--limit", type=int, metavar="N", help="route the first N rows")
    parser.add_argument("--seed", type=int, default=0, help="of the bootstrap")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure one file; returns the exit code."""
    given = _arguments(argv)
    try:
        rows = read_routed_goals(given.file)
        rows = [row for row in rows if given.only in (None, row.id)][: given.limit]
        if not rows:
            raise TableInvalid(f"{given.file}: no row is left to route; look at --only and --limit.")
        settings = Settings.model_validate({"embeddings": {"goals": given.embedder}})
        report = asyncio.run(measure(rows, settings, given.model, given.seed))
    except (TableInvalid, ModelError) as error:
        print(error, file=sys.stderr)
        return 2
    if given.json:
        print(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        print_table(report)
    return 0 if report["target"]["met"] else 1


if __name__ == "__main__":
    sys.exit(main())
