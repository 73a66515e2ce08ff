"""What `/console/api` answers, route by route. All are GET, all answer JSON but the two that answer a page.

    /console/api/about                                  About
    /console/api/models?root=                           Models
    /console/api/settings?root=                         SettingsInForce
    /console/api/checks?root=                           Checks
    /console/api/experience?root=&scope=&query=&limit=&offset=   ExperiencePage
    /console/api/threads?root=&limit=&offset=           Threads
    /console/api/threads/{thread}?root=                 ThreadFacts
    /console/api/threads/{thread}/trace?root=           a page (text/html), to be shown in a frame
    /console/api/threads/{thread}/report?root=          a page (text/html), to be shown in a frame

`root` is a directory, the server's own if left out; `scope` is project or global. `{thread}` may be any text,
percent-encoded. What cannot be answered is a `Problem` with status 400 (what was asked for makes no sense, or
the root's own files are in its way), 401, 403 or 404 (there is no such thing).
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class Shape(BaseModel):
    """What all answers have in common."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Problem(Shape):
    """Why nothing can be answered: what happened, and what to do."""

    error: str


class InputField(Shape):
    """One thing a person tells a graph; `name` is the key in the run's input.

    `choices` are given for a field of kind `choice`, and for a `list` each of whose items is one of them;
    `minimum` and `maximum` for a number that has them. A field left empty is left out of the input. The first
    field of a graph is what is asked, and the only one that must be filled in unless `required`.
    """

    name: str
    title: str
    help: str
    kind: Literal["text", "long_text", "choice", "integer", "number", "boolean", "list"]
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None


class Example(Shape):
    """Something to try: `text` is what a person sees, `input` the whole input of the run."""

    text: str
    input: dict[str, Any]


class GraphAbout(Shape):
    """A graph of langgraph.json, in words of people; `name` is its assistant's graph_id."""

    name: str
    title: str
    summary: str
    fields: tuple[InputField, ...]
    examples: tuple[Example, ...]


class About(Shape):
    """What the page needs before anything else. Answered without a token, so it names no path then."""

    version: str
    token_required: bool
    welcome: bool
    """Whether this request came with what is needed (always true when no token is required)."""
    default_root: str | None
    roots: tuple[str, ...]
    """Directories of recent runs, the newest first."""
    graphs: tuple[GraphAbout, ...]
    notes: tuple[str, ...] = ()
    """What could not be read, and what to do."""


class ModelAbout(Shape):
    """A model that can be chosen: provider:model, its size in bytes if known, whether it is in memory."""

    name: str
    provider: str
    size_bytes: int | None = None
    loaded: bool | None = None


class Models(Shape):
    """Models within reach; `default` is what a run uses that names none, with the reason."""

    default: str | None
    reason: str
    available: tuple[ModelAbout, ...]
    problems: tuple[str, ...]


class SettingValue(Shape):
    """A setting in force: its dotted key, its value, and which layer gave it."""

    key: str
    value: Any
    source: str


class SettingsInForce(Shape):
    """All settings of a root, secrets left out."""

    root: str
    values: tuple[SettingValue, ...]
    warnings: tuple[str, ...]


class CheckResult(Shape):
    """A line of `reflect doctor`; `ok` is false for a problem only, `remedy` may be empty."""

    name: str
    ok: bool
    level: Literal["ok", "warning", "problem"]
    detail: str
    remedy: str = ""


class Checks(Shape):
    """What `reflect doctor` finds."""

    checks: tuple[CheckResult, ...]


class ExperienceRecord(Shape):
    """A record of the corpus, secrets redacted.

    `score` is the likeness to the query, 0 to 1, if one was asked. `shown` counts the runs that were shown it
    and said how that went: `helped` of them well, `harmed` of them badly.
    """

    id: str
    kind: str
    goal: str
    text: str
    at: str
    status: str
    scope: Literal["project", "global"]
    score: float | None = None
    shown: int = 0
    helped: int = 0
    harmed: int = 0
    facts: dict[str, Any]
    """Everything else the record holds, as `reflect experience search --json` prints it."""


class ExperiencePage(Shape):
    """Records of one scope, the best or the newest first.

    `total` counts all that match; like a query, the best 200 are found. `notes` say what is not shown.
    """

    scope: Literal["project", "global"]
    query: str
    offset: int
    total: int
    records: tuple[ExperienceRecord, ...]
    notes: tuple[str, ...]


class ThreadAbout(Shape):
    """A thread, whoever began it: the server, the command line or a notebook.

    `root` is the directory it is about. `served` says whether LangGraph's own API knows it: one of the
    command line is read here, and gone on with by `reflect resume`. `step` counts as LangGraph does, from -1.
    """

    id: str
    root: str
    served: bool
    graph: str
    goal: str
    standing: str
    step: int
    at: str
    waiting: bool


class Threads(Shape):
    """A project's threads, the one worked on last first: of its own file, and of the server's those about it.

    For the server's own root that is all the server keeps, whatever each is about. `total` counts them all.
    """

    root: str
    total: int
    offset: int
    threads: tuple[ThreadAbout, ...]


class MemoryHit(Shape):
    """A record that a run of the thread was shown, and whether it helped.

    `run` counts from 1; `use` is reused (its plan was run again), example (shown to the planner), lesson
    (what it taught was shown), or empty; `outcome` is helpful, harmful, mixed, or not judged. `why` says both
    in words.
    """

    run: int
    id: str
    goal: str
    scope: str
    score: float | None
    use: str
    outcome: str
    why: str


class ThreadFacts(Shape):
    """What a thread's files tell beyond its state: memory hits by run, and which pages can be shown."""

    thread: str
    root: str
    graph: str
    memory: tuple[MemoryHit, ...]
    has_trace: bool
    has_report: bool
    notes: tuple[str, ...]
