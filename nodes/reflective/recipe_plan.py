"""A plan from a recipe: no model is asked."""

from __future__ import annotations

from collections.abc import Callable

from memory.recipes.exemplars import resemblance
from memory.recipes.fill import fill_steps, slot_values
from memory.recipes.match import match_recipes
from memory.recipes.recipe import load_recipes
from models.embeddings import Embedder
from nodes.reflective.lookup import Located
from nodes.reflective.state import Plan, PlanStep, ReflectionAttempt

# Git's own files and this program's are nobody's project.
NEVER_SEARCHED = (".git", ".reflect")


def plan_from_recipe(
    located: Located, attempts: list[ReflectionAttempt], embedder: Callable[[], Embedder]
) -> Plan | None:
    """The plan of the most specific recipe that covers the goal and was not tried in vain, or None.

    Blocking when the goal has unexplained words, for then it is embedded; call it in a thread.
    """
    # Who rules out nothing but git's own files wants to see the others, ignored or not.
    only_git = located.whereabouts.excluded == (".git",)
    everything = "ignored" in located.reading.filters or only_git
    ignore = [name for name in located.skipped_names if not everything or name in NEVER_SEARCHED]
    failed = [attempt.failed_call for attempt in attempts]
    like = resemblance(embedder()) if located.reading.residue else None
    for match in match_recipes(located.reading, located.whereabouts, load_recipes(), like):
        recipe = match.recipe
        steps = [
            PlanStep.model_validate(step)
            for step in fill_steps(recipe, located.reading, located.whereabouts, ignore)
        ]
        for step in steps:
            _expectations_to_stage(step)
            if not everything:
                _exclude_ignored(step, located)
        if any(step.tool_call == call for step in steps for call in failed):
            continue
        return Plan(
            objective=located.reading.goal,
            steps=steps,
            validation=recipe.validation,
            confidence=_confidence(match.unexplained),
            source="recipe",
            recipe=recipe.id,
            answer=recipe.answer,
            # A recipe for unexplained words looks for just these; any other leaves them out.
            conclusive=recipe.conclusive and (recipe.unexplained or not match.unexplained),
            unexplained=list(match.unexplained),
            slots=slot_values(located.reading, located.whereabouts),
        )
    return None


def _confidence(unexplained: tuple[str, ...]) -> float:
    """Shipped recipes are run in CI, so the doubt that is left is in the reading of the goal."""
    return 0.95 if not unexplained else 0.6


def _expectations_to_stage(step: PlanStep) -> None:
    """Tell the pipeline which exit codes of its last stage are no failures."""
    assert step.tool_call is not None
    stages = step.tool_call.args["stages"]
    if stages and step.expect_exit != [0]:
        stages[-1] = {**stages[-1], "expect_exit": step.expect_exit}


def _exclude_ignored(step: PlanStep, located: Located) -> None:
    """Add what git ignores to the paths that `find` leaves out."""
    assert step.tool_call is not None
    skipped = located.skipped_paths
    for stage in step.tool_call.args["stages"]:
        if (
            stage["tool"] == "find"
            and skipped
            and stage["args"].get("maxdepth", 1)
            and "type" in stage["args"]
        ):
            stage["args"]["exclude_paths"] = [*stage["args"].get("exclude_paths", []), *skipped]
