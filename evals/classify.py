"""How well goals are labelled: `python -m evals.classify FILE.tsv --json [--model P:M]`.

FILE has the columns id, lang, label, goal, note (`evals.labelled_goals`). No model is asked unless one
is named; a goal nothing cheaper could label is then MODERATE, as in a run whose model gives no usable
reply. What counts most is that no question about files is answered from memory, so both directions of
that mistake are told apart. Intervals are 95% bootstrap intervals. Exit code: 0 if every target is met,
1 if not, 2 if the file is no such table or the models cannot be used.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from configs.settings import Settings
from evals.labelled_goals import LabelledGoal, read_labelled_goals
from evals.report import bootstrap_interval
from evals.table_command import TableCommand
from memory.recipes.exemplars import LABELS, LANGUAGES, resemblance
from models.embeddings import open_embedder
from models.identifiers import ModelId
from models.multilingual_embeddings import open_goal_embedder
from models.roles import RoleModels
from models.selection import ModelChoice
from nodes.reflective.classify import ask_classifier
from nodes.reflective.complexity import judge

# BYPASS against the rest, without any model; by language.
TARGETS = {"en": 0.95, "fr": 0.90, "de": 0.90, "es": 0.90, "it": 0.90, "zh": 0.90}
STAGE = {
    "recipe": "recipe",
    "change": "recipe",
    "exemplars": "exemplars",
    "model": "model",
    "default": "default",
}


@dataclass(frozen=True)
class Labelled:
    """What one goal was labelled.

    Attributes:
        row: the goal and its right label.
        label: the label it got.
        source: what gave it: recipe, change, exemplars, model or default.
        milliseconds: how long that took.
    """

    row: LabelledGoal
    label: str
    source: str
    milliseconds: float

    @property
    def right(self) -> bool:
        """True if it is the right one of the four."""
        return self.label == self.row.label

    @property
    def way_right(self) -> bool:
        """True if BYPASS or not BYPASS is right."""
        return (self.label == "bypass") == (self.row.label == "bypass")


class Labeller:
    """CLASSIFY's stages without the graph around them.

    Args:
        settings: names the embedding models and the threshold of BYPASS.
        models: asked about goals nothing cheaper could label, or None.
    """

    def __init__(self, settings: Settings, models: RoleModels | None) -> None:
        self._settings = settings
        self._models = models
        self.embedder = open_goal_embedder(settings)

    async def label(self, row: LabelledGoal) -> Labelled:
        """Label one goal."""
        started = time.perf_counter()
        label, source = await self._decide(row.goal)
        return Labelled(row, label, source, (time.perf_counter() - started) * 1000)

    async def _decide(self, goal: str) -> tuple[str, str]:
        judgement = judge(
            goal,
            goal,
            self.embedder,
            lambda: resemblance(open_embedder(self._settings)),
            self._settings.graph.complexity_bypass_threshold,
        )
        if judgement.label is not None:
            return judgement.label.complexity.value, judgement.label.source
        if self._models is None:
            return "moderate", "default"
        label, source, _ = await ask_classifier(goal, self._models, judgement.may_bypass)
        return label.value, source


def share(outcomes: Sequence[bool], seed: int) -> dict[str, Any]:
    """The part that is true, with n and a 95% bootstrap interval; None where there is nothing to count."""
    if not outcomes:
        return {"value": None, "low": None, "high": None, "n": 0}
    held = np.array(outcomes, float)
    low, high = bootstrap_interval([float(value) for value in held], seed)
    return {
        "value": round(float(held.mean()), 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
        "n": len(outcomes),
    }


def _accuracies(labelled: Sequence[Labelled], seed: int) -> dict[str, Any]:
    return {
        "four_way": share([one.right for one in labelled], seed),
        "bypass_or_tool": share([one.way_right for one in labelled], seed),
    }


def _grouped(
    labelled: Sequence[Labelled], names: Sequence[str], key: Callable[[Labelled], str], seed: int
) -> dict[str, Any]:
    groups = {name: [one for one in labelled if key(one) == name] for name in names}
    return {name: _accuracies(group, seed) for name, group in groups.items() if group}


def _milliseconds(labelled: Sequence[Labelled]) -> dict[str, float]:
    taken = [one.milliseconds for one in labelled]
    return {
        "p50": round(float(np.percentile(taken, 50)), 2),
        "p95": round(float(np.percentile(taken, 95)), 2),
    }


def _directions(labelled: Sequence[Labelled], seed: int) -> dict[str, Any]:
    """Both ways of being wrong about BYPASS; the first is far worse."""
    tool = [one for one in labelled if one.row.label != "bypass"]
    bypass = [one for one in labelled if one.row.label == "bypass"]
    return {
        "file_question_answered_from_memory": share([not one.way_right for one in tool], seed),
        "tool_used_for_nothing": share([not one.way_right for one in bypass], seed),
    }


def summarise(labelled: Sequence[Labelled], seed: int) -> dict[str, Any]:
    """Every figure of the report."""
    counts = Counter((one.row.label, one.label) for one in labelled)
    stages = list(dict.fromkeys(STAGE.values()))
    by_language = _grouped(labelled, LANGUAGES, lambda one: one.row.lang, seed)
    by_stage = _grouped(labelled, stages, lambda one: STAGE[one.source], seed)
    for stage, figures in by_stage.items():
        figures["milliseconds"] = _milliseconds([one for one in labelled if STAGE[one.source] == stage])
    return {
        "goals": len(labelled),
        "all": _accuracies(labelled, seed),
        "by_language": by_language,
        "by_stage": by_stage,
        "directions": _directions(labelled, seed),
        "confusion": {right: {given: counts[right, given] for given in LABELS} for right in LABELS},
        "milliseconds": _milliseconds(labelled),
        "targets": {
            language: {
                "bypass_or_tool": f">= {target:.2f}",
                "met": by_language[language]["bypass_or_tool"]["value"] >= target,
            }
            for language, target in TARGETS.items()
            if language in by_language
        },
        "mistakes": [
            {"id": one.row.id, "label": one.row.label, "given": one.label, "source": one.source}
            for one in labelled
            if not one.right
        ],
    }


def print_table(report: dict[str, Any]) -> None:
    """The report for people."""
    for title, groups in (
        ("", {"all": report["all"]}),
        ("language", report["by_language"]),
        ("stage", report["by_stage"]),
    ):
        for name, figures in groups.items():
            way, four = figures["bypass_or_tool"], figures["four_way"]
            print(
                f"{title:9}{name:10} BYPASS or tool {way['value']:.3f} [{way['low']:.3f}, {way['high']:.3f}]"
                f"   four-way {four['value']:.3f} [{four['low']:.3f}, {four['high']:.3f}]   n {way['n']}"
            )
    for name, figure in report["directions"].items():
        if figure["n"]:
            interval = f"[{figure['low']:.3f}, {figure['high']:.3f}]"
            print(f"{name.replace('_', ' '):36} {figure['value']:.3f} {interval}")
    print(f"\n{'right label':12}" + "".join(f"{label:>10}" for label in LABELS))
    for right, given in report["confusion"].items():
        print(f"{right:12}" + "".join(f"{given[label]:>10}" for label in LABELS))
    speed = report["milliseconds"]
    print(f"\np50 {speed['p50']} ms, p95 {speed['p95']} ms a goal")
    print(f"{report['opened_in_seconds']} s before the first")
    missed = [language for language, target in report["targets"].items() if not target["met"]]
    print(f"missed targets: {', '.join(missed)}" if missed else "every target is met")


async def measure(
    rows: Sequence[LabelledGoal], settings: Settings, model: str | None, seed: int
) -> dict[str, Any]:
    """Label every row and sum up."""
    choice = ModelChoice(ModelId.parse(model), "as named") if model else None
    models = RoleModels(settings, choice) if choice else None
    started = time.perf_counter()
    labeller = Labeller(settings, models)
    await labeller.label(LabelledGoal("warm-up", "en", "bypass", "hello", ""))
    opened = round(time.perf_counter() - started, 2)
    try:
        labelled = [await labeller.label(row) for row in rows]
    finally:
        if models is not None:
            await models.aclose()
    return {
        "model": model,
        "embedder": labeller.embedder.name,
        "threshold": settings.graph.complexity_bypass_threshold,
        "seed": seed,
        "opened_in_seconds": opened,
        **summarise(labelled, seed),
    }


COMMAND = TableCommand(
    module="evals.classify",
    about=__doc__,
    verb="label",
    read=read_labelled_goals,
    measure=measure,
    show=print_table,
    met=lambda report: all(target["met"] for target in report["targets"].values()),
)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure one file; returns the exit code."""
    return COMMAND.run(argv)


if __name__ == "__main__":
    sys.exit(main())
