"""What a suite reports: cases, metrics, tables and plots."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Planned(BaseModel):
    """One run that is to be made.

    Attributes:
        id: of the scenario, fault or task.
        variant: strategy, or "S0" for the bare model.
        repeat: number of the repetition, from 0.
        model: provider:model.
        seed: of whatever this run draws by lot.
        settings: digest of everything else that may change what comes of it (`settings_digest`).
    """

    model_config = ConfigDict(frozen=True)

    id: str
    variant: str
    repeat: int = 0
    model: str = ""
    seed: int = 0
    settings: str = ""

    @property
    def key(self) -> str:
        """Tells this run from every other one; what is resumed is known by it."""
        return "|".join((self.id, self.variant, str(self.repeat), self.model, str(self.seed), self.settings))


class Case(BaseModel):
    """What came of one run.

    Attributes:
        id: of the scenario, fault or task.
        group: family or class of fault.
        variant: strategy, or "S0" for the bare model.
        model: provider:model.
        repeat: number of the repetition, from 0.
        seed: of whatever it drew by lot.
        goal: what was asked.
        passed: True if code confirmed that it went as it should.
        false_success: True if the run claims a success that code refutes.
        status: answered, partial, could_not, error ... as the run says.
        stop_reason: why it stopped.
        detail: why it did not pass, for people.
        seconds: wall-clock time.
        model_calls: calls of any model.
        tokens: of prompts and completions.
        steps: tool steps that ran.
        reflections: how often it reflected.
        confidence: 0 to 1, or None where the run shows none.
        recovered: whether a first plan that failed was made good; None where none failed.
        budget_exhausted: True if a limit of reflections or iterations ended it.
        extra: what only this suite knows; `rerun_options` (a list) is added to the command that repeats it.
    """

    id: str
    group: str
    variant: str
    model: str = ""
    repeat: int = 0
    seed: int = 0
    goal: str = ""
    passed: bool
    false_success: bool = False
    status: str = ""
    stop_reason: str = ""
    detail: str = ""
    seconds: float = 0.0
    model_calls: int = 0
    tokens: int = 0
    steps: int = 0
    reflections: int = 0
    confidence: float | None = None
    recovered: bool | None = None
    budget_exhausted: bool = False
    extra: dict[str, Any] = Field(default_factory=dict)


class Metric(BaseModel):
    """A figure with its uncertainty.

    Attributes:
        name: what it is.
        value: the figure; None when there was nothing to measure.
        low: lower end of the 95% bootstrap interval.
        high: upper end.
        n: cases it rests on.
        target: what it should be, as people write it: "> 80%".
        met: whether it is; None without a target or without cases.
        unit: "share" (0 to 1, shown in per cent), or what is counted.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    target: str | None = None
    met: bool | None = None
    unit: str = "share"


class Table(BaseModel):
    """Rows for people; every cell is text, a number, or None for nothing."""

    title: str
    columns: list[str]
    rows: list[list[str | int | float | None]]
    note: str = ""


class Bars(BaseModel):
    """One series of a bar chart: a value per label, with interval ends where they are known."""

    name: str
    values: list[float | None]
    low: list[float | None] = Field(default_factory=list)
    high: list[float | None] = Field(default_factory=list)


class BarChart(BaseModel):
    """Shares (0 to 1) by label, one bar per series, with intervals as whiskers."""

    kind: Literal["bars"] = "bars"
    title: str
    labels: list[str]
    series: list[Bars]
    note: str = ""


class ReliabilityBin(BaseModel):
    """Answers whose confidence lies between `low` and `high`."""

    low: float
    high: float
    confidence: float
    right: float
    n: int


class Reliability(BaseModel):
    """Confidence against the share that was right; on the diagonal the two agree."""

    kind: Literal["reliability"] = "reliability"
    title: str
    bins: list[ReliabilityBin]
    note: str = ""


class Histogram(BaseModel):
    """How many cases had which value, by series."""

    kind: Literal["histogram"] = "histogram"
    title: str
    unit: str
    series: dict[str, list[float]]
    note: str = ""


Plot = Annotated[BarChart | Reliability | Histogram, Field(discriminator="kind")]


class Report(BaseModel):
    """Everything one run of a suite found.

    Attributes:
        suite: its name after `reflect eval`.
        about: one sentence on what was measured.
        at: UTC, ISO.
        command: what was typed.
        machine: processor, memory, versions; no names of hosts or paths.
        model: provider:model, several separated by commas.
        model_digest: of each model's weights.
        settings: those that differ from the defaults, by dotted key.
        seeds: what was drawn by lot, and from which seed.
        cases: what came of each run.
        metrics: the figures.
        tables: details.
        plots: for the page.
    """

    suite: str
    about: str = ""
    at: str
    command: str
    machine: dict[str, str | int | float]
    model: str
    model_digest: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    seeds: dict[str, int] = Field(default_factory=dict)
    cases: list[Case] = Field(default_factory=list)
    metrics: list[Metric] = Field(default_factory=list)
    tables: list[Table] = Field(default_factory=list)
    plots: list[Plot] = Field(default_factory=list)

    @property
    def every_target_met(self) -> bool:
        """True if no metric misses its target, and at least one was measured against one."""
        judged = [metric.met for metric in self.metrics if metric.met is not None]
        return bool(judged) and all(judged)

    @property
    def failures(self) -> list[Case]:
        """Cases that did not pass, false successes first; the bare model's are no failures of ours."""
        failed = [case for case in self.cases if not case.passed and case.variant != "S0"]
        return sorted(failed, key=lambda case: not case.false_success)
