"""A plan from a recipe: no model is asked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from memory.recipes.changes import wants_change
from memory.recipes.exemplars import resemblance
from memory.recipes.fill import fill_steps, slot_values
from memory.recipes.match import match_recipes
from memory.recipes.recipe import load_recipes
from memory.recipes.requests.left_out import asks_more, orders_more
from memory.recipes.requests.read import read_requests
from memory.recipes.requests.wording import plain
from memory.recipes.signals import is_english
from models.embeddings import Embedder
from nodes.reflective.lookup import Located
from nodes.reflective.state import Plan, PlanStep, ReflectionAttempt
from tools.audit.asking import AUDIT
from tools.protocol import ToolCall

# What a person wants to be told in a sentence; a yes or no, and a list, is told by the request's own reading.
QUESTION = re.compile(
    r"\W*(?:how|which|what|what's|who|whose|where|when|(?:is|are|was|were) there)\b", re.IGNORECASE
)
# Git's own files and this program's are nobody's project.
NEVER_SEARCHED = (".git", ".reflect")


def plan_from_recipe(
    located: Located, attempts: list[ReflectionAttempt], embedder: Callable[[], Embedder], goal: str = ""
) -> Plan | None:
    """The plan of a request that is wholly understood, else of the most specific recipe that covers the goal.

    What was tried in vain is not tried again; None where nothing is left.

    Args:
        located: the goal, read.
        attempts: what was tried.
        embedder: asked where the goal has unexplained words.
        goal: the goal as written, where paths are not made relative.

    Blocking when the goal has unexplained words, for then it is embedded; call it in a thread.
    """
    calls = _failed_calls(attempts)
    written = goal or located.reading.goal
    requested = request_plan(located, written)
    if requested is not None and any(step.tool_call == call for step in requested.steps for call in calls):
        requested = None
    if requested is not None and (_measures(requested) or not QUESTION.match(plain(written))):
        return requested
    beyond = asks_more(written) or orders_more(written, located.reading)
    covered = None if beyond else _covering_plan(located, calls, embedder)
    # Recipes word their answers for people who ask; what is doubtful gives way to what is understood.
    return covered if covered is not None and covered.conclusive else requested or covered


def last_resort(located: Located, attempts: Sequence[ReflectionAttempt]) -> Plan | None:
    """A plan that shows lines with the words of a question nothing else answers; None if it was tried.

    Args:
        located: the goal, read.
        attempts: what was tried.
    """
    return _covering_plan(located, _failed_calls(attempts), None, last_resort=True)


def _failed_calls(attempts: Sequence[ReflectionAttempt]) -> list[ToolCall | None]:
    return [attempt.failed_call for attempt in attempts]


def _measures(plan: Plan) -> bool:
    """True for a plan that parses source code, where recipes search its lines."""
    return any(step.tool_call is not None and step.tool_call.tool == AUDIT for step in plan.steps)


def _covering_plan(
    located: Located,
    failed: list[ToolCall | None],
    embedder: Callable[[], Embedder] | None,
    *,
    last_resort: bool = False,
) -> Plan | None:
    """The plan of the most specific recipe that covers the goal; recipes read English only."""
    if not is_english(located.reading.goal):
        return None
    # Who rules out nothing but git's own files wants to see the others, ignored or not.
    only_git = located.whereabouts.excluded == (".git",)
    everything = "ignored" in located.reading.filters or only_git
    ignore = [name for name in located.skipped_names if not everything or name in NEVER_SEARCHED]
    like = resemblance(embedder()) if embedder is not None and located.reading.residue else None
    least = 0
    for match in match_recipes(
        located.reading, located.whereabouts, load_recipes(), like, last_resort=last_resort
    ):
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
            # What covers less of the goal answers another question than the one that failed.
            least = max(least, match.specificity)
            continue
        if match.specificity < least:
            break
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


def request_plan(located: Located, goal: str) -> Plan | None:
    """The plan of the first reading of a request that is wholly understood and fits what exists, or None.

    Args:
        located: the goal, read.
        goal: the goal as written, where paths are not made relative.
    """
    everything = "ignored" in located.reading.filters
    ignore = [name for name in located.skipped_names if not everything or name in NEVER_SEARCHED]
    place = output = 0
    changes = wants_change(goal)
    for parsed in read_requests(goal):
        listings = located.facts.listings[place : place + len(parsed.listings)]
        place += len(parsed.listings)
        outputs = located.facts.outputs[output : output + len(parsed.outputs)]
        output += len(parsed.outputs)
        # A question has no way to change anything, and a change is not answered by a look.
        if parsed.changes is not changes:
            continue
        draft = parsed.build(replace(located.facts, listings=listings, outputs=outputs))
        if draft is None:
            continue
        steps = [PlanStep.model_validate(step) for step in draft.steps]
        for step in steps:
            if step.tool_call is None or step.tool_call.tool != "pipeline":
                continue
            _expectations_to_stage(step)
            if step.expect_text is not None:
                continue  # what shows that a change was made must not look away from it
            _leave_out(step, ignore)
            if not everything:
                _exclude_ignored(step, located)
        return Plan(
            objective=goal,
            steps=steps,
            validation="Every stage exits as expected.",
            confidence=0.95,
            source="recipe",
            recipe=f"request:{parsed.id}",
            answer=draft.answer,
            slots=draft.slots,
        )
    return None


def _leave_out(step: PlanStep, ignore: list[str]) -> None:
    """Directories that no search goes into, unless it starts inside them."""
    assert step.tool_call is not None
    for stage in step.tool_call.args["stages"]:
        args = stage.get("args")
        if stage["tool"] != "find" or stage.get("from_input") or not args or args.get("maxdepth", 1) == 0:
            continue
        named = {part for path in args.get("paths", []) for part in path.split("/")}
        args["exclude_dirs"] = [
            *args.get("exclude_dirs", []),
            *(name for name in ignore if name not in named),
        ]


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
