"""What a recipe is, and the shipped ones."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory.recipes.shipped import parse_yaml

Reader = Literal[
    "counted", "paths", "lines", "hits", "text", "fields", "extensions", "prefixed",
    "bodies", "prefixed_counts", "prefixes", "directory_bytes",
    "status", "branch", "refs", "commit_files",
    "output", "numbers", "longest_line", "shortest_line", "audit",
]  # fmt: skip
Pick = Literal["over_limits", "repeated", "ties", "below_root", "uses", "likeliest"]
Family = Literal["file_search", "counting", "content_search", "sizes", "code_lookup", "git"]


class Entry(BaseModel):
    """Base of everything read from recipe files: unknown keys are mistakes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RecipeStep(Entry):
    """One tool call of a plan, with slots.

    Attributes:
        do: what the step does, for people; may hold slots.
        stages: pipeline stages; "$files" and "$directories" stand for the `find` that selects what the
            goal is about, and `{files: {...}}` for the same with further arguments.
        input_from: number of an earlier step whose output this one reads.
        expect_exit: exit codes of the last stage that are not failures.
        expect_output: True if no output means the step failed.
    """

    do: str
    stages: list[dict[str, Any] | Literal["$files", "$directories"]]
    input_from: int | None = None
    expect_exit: tuple[int, ...] = (0,)
    expect_output: bool = False


class AnswerTemplate(Entry):
    """How an answer is written from the last step's output, by code.

    Attributes:
        reader: how output lines become rows.
        none: said when there is no row; None means an empty output is a failure.
        problem: what that failure is called; with "uses", also said of a name that no code holds.
        one: said when there is one row.
        many: said when there are several; `${listing}` holds the rows that are shown.
        row: how one row is shown in the listing.
        take: how many rows count as the answer: "all", "n" (the number asked for, else 1), or "first".
        pick: which rows count: within the goal's line or word limits (over_limits), with an equal first
            field (repeated), below the starting point (below_root), not definitions (not_definitions);
            those with the most telling words of the question (likeliest); "ties" adds rows that share the
            last counted value.
        split: text that separates fields, for the "fields" reader.
        fields: names of the fields, for the "fields" reader.
    """

    reader: Reader
    none: str | None = None
    problem: str = ""
    one: str
    many: str | None = None
    row: str = "${text}"
    take: Literal["all", "n", "first"] = "all"
    pick: Pick | None = None
    split: str = "\t"
    fields: tuple[str, ...] = ()


class Recipe(Entry):
    """A goal that is known to be answerable, and how.

    Attributes:
        id: unique name.
        family: which family of questions it belongs to.
        complexity: label of goals that match it.
        says: example goals; each must select this recipe (a test checks it).
        needs: tokens a goal must have; "a=b|c" accepts either value.
        may: further tokens a goal may have.
        refuses: tokens it must not be used for, although they change no facts elsewhere.
        unexplained: True if the plan looks for the very words of the goal that nothing explains.
        conclusive: False if the answer shows what may answer the goal, without a claim that it does.
        last_resort: True if it is for goals that no other recipe, plan or model has an answer to; it says
            nothing about what kind of goal this is.
        files: True if the plan selects files, so any limit on kind, place, size or age is covered.
        validation: how a reader knows that the plan did its work.
    """

    id: str
    family: Family
    complexity: Literal["simple", "moderate", "complex"] = "moderate"
    says: tuple[str, ...] = Field(min_length=2)
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    refuses: tuple[str, ...] = ()
    files: bool = False
    unexplained: bool = False
    conclusive: bool = True
    last_resort: bool = False
    steps: tuple[RecipeStep, ...] = Field(min_length=1)
    answer: AnswerTemplate
    validation: str = "Every stage exits as expected."


def parse_recipes(text: str) -> list[Recipe]:
    """Recipes of one YAML file, a list of mappings.

    Raises:
        pydantic.ValidationError: an entry lacks a field or has an unknown one.
    """
    return [Recipe.model_validate(entry) for entry in parse_yaml(text) or []]


@cache
def load_recipes() -> tuple[Recipe, ...]:
    """The shipped recipes, sorted by file and position; ids are unique.

    Raises:
        ValueError: two recipes share an id.
    """
    folder = files("configs") / "recipes"
    sources: Iterable[Any] = sorted(folder.iterdir(), key=lambda item: item.name)
    recipes = [
        recipe
        for item in sources
        if item.name.endswith(".yaml")
        for recipe in parse_recipes(item.read_text("utf-8"))
    ]
    ids = [recipe.id for recipe in recipes]
    if len(set(ids)) != len(ids):
        twice = sorted({name for name in ids if ids.count(name) > 1})
        raise ValueError(f"configs/recipes: ids used twice: {', '.join(twice)}")
    return tuple(recipes)
