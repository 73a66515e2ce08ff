"""What a request comes to: steps, how the answer is written, and what must be looked up before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory.recipes.recipe import AnswerTemplate
from memory.recipes.requests.selection import Selection

Stage = dict[str, Any]
Step = dict[str, Any]
SORT_BY_NAME: Stage = {"tool": "sort", "args": {"zero_terminated": True}}
TO_LINES: Stage = {"tool": "tr", "argv": ["\\0", "\\n"]}


@dataclass(frozen=True)
class Facts:
    """What was looked up for a request.

    Attributes:
        kinds: "file", "directory", "link" or "other" of each path that exists, by its name in the request.
        modes: permission bits of each.
        paths: where names that are no paths themselves were found, if at one place only.
        listings: what each selection of `Parsed.listings` selects, in order.
        outputs: what each of `Parsed.outputs` prints, in order; None where it failed.
        root: absolute path of the root.
    """

    kinds: Mapping[str, str] = field(default_factory=dict)
    modes: Mapping[str, int] = field(default_factory=dict)
    paths: Mapping[str, str] = field(default_factory=dict)
    listings: Sequence[Sequence[str]] = ()
    outputs: Sequence[str | None] = ()
    root: str = ""

    def kind(self, name: str) -> str | None:
        """What stands at a name, or None if nothing does."""
        return self.kinds.get(name) or self.kinds.get(self.paths.get(name, name))

    def place(self, name: str) -> str:
        """The path of a name."""
        return name if name in self.kinds else self.paths.get(name, name)


@dataclass(frozen=True)
class Draft:
    """A plan for a request.

    Attributes:
        steps: plan steps, as JSON values.
        answer: how the last step's output becomes the answer; None for changes.
        slots: values for the answer's slots.
    """

    steps: list[Step]
    answer: AnswerTemplate | None
    slots: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Parsed:
    """A request that is wholly understood.

    Attributes:
        id: which reading it is, for people.
        build: the plan, given what was looked up; None if that does not fit the request.
        names: paths to look up.
        listings: selections to list before a plan can be made.
        changes: True if it changes files.
        outputs: pipelines whose output must be known before a plan can be made; None where they do not fit.
        shows: True if it says that something changed is only to be shown, so that its verbs ask for no change.
        measures: True if source code is measured; an engine of its own may be better at that.
    """

    id: str
    build: Callable[[Facts], Draft | None]
    names: tuple[str, ...] = ()
    listings: tuple[Selection, ...] = ()
    changes: bool = False
    outputs: tuple[Callable[[Facts], list[Stage] | None], ...] = ()
    shows: bool = False
    measures: bool = False


def read_step(
    do: str, stages: Sequence[Stage], *, expect_exit: Sequence[int] = (0,), expect_text: str | None = None
) -> Step:
    """One step that only reads; `expect_text` is the output that shows a change was made."""
    step: Step = {
        "num": 1,
        "description": do,
        "tool_call": {"tool": "pipeline", "args": {"stages": [dict(stage) for stage in stages]}},
        "expect_exit": list(expect_exit),
    }
    return step if expect_text is None else {**step, "expect_text": expect_text}


def change_step(do: str, tool: str, **args: Any) -> Step:
    """One step that changes something."""
    return {"num": 1, "description": do, "tool_call": {"tool": tool, "args": args}}


def numbered(steps: Sequence[Step]) -> list[Step]:
    """The steps with their places."""
    return [{**step, "num": number} for number, step in enumerate(steps, start=1)]


def shown(do: str, stages: Sequence[Stage], none: str = "There is nothing to show.", **exits: Any) -> Draft:
    """A plan of one step whose output is the answer."""
    answer = AnswerTemplate(reader="output", none=none, one="${text}")
    return Draft([read_step(do, stages, **exits)], answer)


def counted(do: str, stages: Sequence[Stage], what: str, **exits: Any) -> Draft:
    """A plan of one step whose output is one number."""
    answer = AnswerTemplate(reader="output", one="${text}")
    return Draft([read_step(do, stages, **exits)], answer)


def over(tool: str, per_run: int | None = None, **args: Any) -> Stage:
    """A stage that runs a tool over the NUL-separated names of its input."""
    stage: Stage = {"tool": tool, "args": args, "from_input": True, "null_separated": True}
    return stage | ({"per_run": per_run} if per_run else {})


def all_exist(selection: Selection, facts: Facts) -> bool:
    """Whether every path the selection names is there, and every place to look in is a directory."""
    named = all(facts.kind(name) for name in selection.names())
    return named and all(facts.kind(path) == "directory" for path in selection.scope)
