"""A scenario: a goal about the project, and how code tells whether the answer is right."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from configs.errors import UsageError

Family = Literal[
    "file_search",
    "counting",
    "code_analysis",
    "history",
    "multi_step",
    "bypass",
    "recovery",
    "impossible",
    "changes",
]
COVERED: tuple[Family, ...] = ("file_search", "counting", "code_analysis", "history")
"""Families that the shipped recipes are meant to answer without a planner."""


class Strict(BaseModel):
    """Unknown keys are mistakes of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Known(Strict):
    """The answer is a fact of the project.

    Attributes:
        kind: number, or exact (one text, or one of several that tie), or set (all of them and no others).
        fact: name of the function in `facts` that computes it.
        args: its arguments.
        among: what else must not be named: files, authors, modules' functions, or nothing.
    """

    kind: Literal["number", "exact", "set"]
    fact: str
    args: dict[str, Any] = Field(default_factory=dict)
    among: Literal["files", "authors", "functions", "tags", "flags", ""] = ""


class Worded(Strict):
    """The answer matches regular expressions, whatever the case."""

    kind: Literal["regex"]
    patterns: list[str] = Field(min_length=1)


class Cannot(Strict):
    """The only right answer is that there is none; `patterns` are ways to say so in an answer."""

    kind: Literal["cannot"]
    patterns: list[str] = Field(default_factory=list)


class Changed(Strict):
    """The files are afterwards as these operations leave them, and no other file differs."""

    kind: Literal["change"]
    operations: list[dict[str, str]] = Field(min_length=1)


Expected = Annotated[Known | Worded | Cannot | Changed, Field(discriminator="kind")]
Step = str | dict[str, Any]


class Scenario(Strict):
    """One scenario.

    Attributes:
        id: unique.
        family: what it is about.
        description: for people.
        input: the goal; `${slot}` stands for a name of the generated project.
        language: of the goal.
        expected_patterns: regular expressions that must occur in a right answer.
        must_run_commands: programs that must have run; `find|ls` is met by either.
        max_steps: most tool steps a right run may take.
        complexity: labels that are right for the goal.
        expected_answer: how code tells whether the answer is right.
        oracle: the plan of somebody who knows: commands, or calls of writing tools.
        trap: the first plan, which fails; only where the goal invites to it.
        honest: ways to say truthfully that the goal as it is written has no answer; such an answer has not
            passed, and is no false success.
        says: what somebody who knows answers without tools.
    """

    id: str
    family: Family
    description: str
    input: str
    language: Literal["en", "fr", "de", "es", "it", "zh"] = "en"
    expected_patterns: list[str] = Field(default_factory=list)
    must_run_commands: list[str] = Field(default_factory=list)
    max_steps: int = 5
    complexity: list[Literal["bypass", "simple", "moderate", "complex"]] = Field(min_length=1)
    expected_answer: Expected
    oracle: list[Step] = Field(default_factory=list)
    trap: list[Step] = Field(default_factory=list)
    honest: list[str] = Field(default_factory=list)
    says: str = ""

    @property
    def goal(self) -> str:
        """What is asked."""
        return self.input

    @property
    def is_change(self) -> bool:
        """True if files are to be changed."""
        return self.expected_answer.kind == "change"


def scenario_files() -> list[Path]:
    """The YAML files of the suite."""
    return sorted(Path(str(files("evals.reflective") / "scenarios")).glob("*.yaml"))


def load_scenarios(slots: dict[str, str], paths: Sequence[Path] | None = None) -> list[Scenario]:
    """The scenarios with the names of a project filled in.

    Args:
        slots: names by slot.
        paths: YAML files; the suite's own when None.

    Raises:
        pydantic.ValidationError: an entry is no scenario.
        UsageError: two scenarios have the same id, or a slot is not known.
    """
    found: list[Scenario] = []
    for path in scenario_files() if paths is None else paths:
        entries = yaml.safe_load(path.read_text("utf-8"))
        found += [Scenario.model_validate(_filled(entry, slots) | {"family": path.stem}) for entry in entries]
    ids = [scenario.id for scenario in found]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise UsageError(f"Scenarios have the same id: {', '.join(twice)}.", "Rename one.")
    return found


def _filled(value: Any, slots: dict[str, str]) -> Any:
    if isinstance(value, str):
        try:
            return Template(value).substitute(slots)
        except (KeyError, ValueError) as error:
            raise UsageError(
                f"{value!r} holds an unknown slot: {error}.", "Write $$ for a dollar."
            ) from error
    if isinstance(value, list):
        return [_filled(item, slots) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, slots) for key, item in value.items()}
    return value
