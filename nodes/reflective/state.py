"""The state of one reflective run. Checkpoints hold it as JSON; nodes return JSON-dumped parts of it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Literal

from langgraph.managed import RemainingSteps
from pydantic import BaseModel, Field

from configs.settings import Strategy
from memory.recipes.changes import wants_change
from memory.recipes.promises import read_promises
from memory.recipes.recipe import AnswerTemplate
from memory.reuse.skeleton import Slot
from tools.protocol import ToolCall, ToolResult

StopReason = Literal[
    "success", "bypass", "partial_success", "max_reflections", "max_iterations", "no_plan",
    "verification_failed", "timeout", "user_abort", "interrupted", "dry_run", "error",
]  # fmt: skip
Status = Literal["running", "answered", "partial", "could_not", "error"]
PlanSource = Literal["recipe", "reused", "model"]


class TaskComplexity(StrEnum):
    """How much structure a goal needs: nothing, one call, 2-4 steps, 3-7 steps."""

    BYPASS = "bypass"
    SIMPLE = "simple"
    MODERATE = "moderate"
    COMPLEX = "complex"


class StepStatus(StrEnum):
    """Where a plan step stands."""

    PENDING = "pending"
    RUNNING = "running"
    SUCCESS = "success"
    FAILED = "failed"
    SKIPPED = "skipped"


class StepTry(BaseModel):
    """A call of a step that failed before the step was worded anew."""

    call: ToolCall
    error: str


class PlanStep(BaseModel):
    """One step of a plan.

    Attributes:
        num: position, from 1.
        description: what it does, for people.
        tool_call: the call, or None for a step that composes text from earlier results.
        input_from: number of the step whose output the call reads, or None.
        expect_exit: exit codes that are not failures.
        expect_output: True if no output is a failure.
        expect_text: the output, but for white space around it, that shows a change was made; anything else is
            a failure.
        status: where it stands.
        result: what the call did, long output cut to head and tail.
        kept: True if an earlier plan ran it, and its result is used again.
        tries: calls that failed in this step before; none is made again.
    """

    num: int
    description: str
    tool_call: ToolCall | None = None
    input_from: int | None = None
    expect_exit: list[int] = Field(default_factory=lambda: [0])
    expect_output: bool = False
    expect_text: str | None = None
    status: StepStatus = StepStatus.PENDING
    result: ToolResult | None = None
    kept: bool = False
    tries: list[StepTry] = Field(default_factory=list)


class Plan(BaseModel):
    """Steps toward an objective.

    Attributes:
        objective: what the plan is for.
        steps: in order.
        validation: how a reader knows the plan did its work.
        confidence: 0 to 1, or None when nobody estimated it.
        source: who made the plan.
        recipe: id of the recipe it came from, or None.
        reused_from: event id of the verified run whose plan it is, or None.
        answer: how code writes the answer from the last step's output, or None.
        slots: values for the answer's slots.
        conclusive: False if its answer shows what may answer the goal, without a claim that it does.
        unexplained: words of the goal that nothing explains.
        doubts: what the goal states and the commands do not seem to take up.
    """

    objective: str
    steps: list[PlanStep] = Field(default_factory=list)
    validation: str = ""
    confidence: float | None = None
    source: PlanSource = "model"
    recipe: str | None = None
    reused_from: str | None = None
    answer: AnswerTemplate | None = None
    slots: dict[str, Any] = Field(default_factory=dict)
    conclusive: bool = True
    doubts: list[str] = Field(default_factory=list)
    unexplained: list[str] = Field(default_factory=list)

    def step_at(self, index: int) -> PlanStep | None:
        """The step at a zero-based index, or None past the end."""
        return self.steps[index] if 0 <= index < len(self.steps) else None

    def next_index(self, start: int = 0) -> int:
        """The index of the first step from `start` on that is not kept; past the end without one."""
        steps = enumerate(self.steps[start:], start)
        return next((index for index, step in steps if not step.kept), len(self.steps))

    @property
    def is_complete(self) -> bool:
        """True when there are steps and each succeeded or was skipped."""
        done = (StepStatus.SUCCESS, StepStatus.SKIPPED)
        return bool(self.steps) and all(step.status in done for step in self.steps)


class ReflectionAttempt(BaseModel):
    """What one reflection found.

    Attributes:
        timestamp: UTC, ISO.
        failed_step: number of the step that failed.
        error: what it said.
        category: class of the error, e.g. missing_path.
        diagnosis: what went wrong.
        fragile: why the approach was fragile.
        lesson: what to do next time.
        new_plan_summary: what the next plan should do.
        corrections: words of the goal that stood for something else, found by probes.
        failed_call: the call that failed; the next plan must not repeat it.
        failed_plan: every call of the plan that failed; it must not be planned again as a whole.
        probes: commands that were run to find out, with their outputs.
    """

    timestamp: str
    failed_step: int
    error: str
    category: str = "other"
    diagnosis: str = ""
    fragile: str = ""
    lesson: str = ""
    new_plan_summary: str = ""
    corrections: dict[str, str] = Field(default_factory=dict)
    failed_call: ToolCall | None = None
    failed_plan: list[ToolCall] = Field(default_factory=list)
    probes: list[ToolResult] = Field(default_factory=list)


class Evidence(BaseModel):
    """Something an answer may rest on.

    Attributes:
        source: "tool" for output of a tool, "computed" for what code derived from it.
        step: number of the plan step.
        command: the command as a person would type it.
        text: the output, or what was computed.
        returncode: exit code of the command.
        artifact: file with the whole output, or None.
    """

    source: Literal["tool", "computed"]
    step: int
    command: str
    text: str
    returncode: int = 0
    artifact: str | None = None


class Asked(BaseModel):
    """A goal as a question and its values, by which later runs know it again.

    Attributes:
        key: the goal's skeleton.
        slots: its values, in order.
        demands: what code reads in it.
    """

    key: str
    slots: list[Slot] = Field(default_factory=list)
    demands: list[str] = Field(default_factory=list)


class Recalled(BaseModel):
    """A record of past runs that this run made use of.

    Attributes:
        event_id: the record.
        goal: what was asked then.
        scope: the corpus it lies in.
        score: likeness, 0 to 1, or None for a plan that was found by its question.
        use: its plan was run, or shown to the planner, or what it taught was shown to a model.
    """

    event_id: str
    goal: str
    scope: Literal["project", "global"] = "project"
    score: float | None = None
    use: Literal["reused", "example", "lesson"]


class Assessment(BaseModel):
    """What the confidence in an answer rests on; `nodes.reflective.confidence` makes it.

    Attributes:
        group: of the calibration table.
        raw: the score before calibration, 0 to 1.
        features: what the score was made from.
    """

    group: str
    raw: float
    features: dict[str, Any] = Field(default_factory=dict)


class RoleUsage(BaseModel):
    """Model calls of one role: number, tokens, wall-clock seconds."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0


class Failure(BaseModel):
    """An exception that ended a run: what happened, what to do, and whether the environment is to blame."""

    node: str
    kind: str
    what: str
    remedy: str = ""
    environmental: bool = False


class Turn(BaseModel):
    """An earlier goal of a thread and what came of it; read with a follow-up, and never evidence.

    Attributes:
        goal: as it was read.
        answer: what was answered; what it says holds for the files as they were then.
        status: of that answer.
        said: the goal in the person's own words.
    """

    goal: str
    answer: str
    status: str
    said: str = ""


class RunLimits(BaseModel):
    """Budgets of one run, fixed when it starts so that routing needs nothing but the state.

    Attributes:
        reflections: reflections by complexity.
        iterations: node visits before the run must answer.
        verify: which plans pass VERIFY.
        strategy: wiring of the nodes; a run that is resumed or forked goes on with its own.
        step_retries: tries a failed step gets after the first one, where nothing reflects.
    """

    reflections: dict[str, int] = Field(
        default_factory=lambda: {"bypass": 0, "simple": 0, "moderate": 1, "complex": 3}
    )
    iterations: int = 50
    verify: Literal["complex", "model_plans", "all"] = "model_plans"
    strategy: Strategy = "graph_v30"
    step_retries: int = 2


class ReasoningState(BaseModel):
    """Everything one run knows.

    Attributes:
        goal: what the user asked.
        said: the goal in the person's words, when earlier turns told what it means; else empty.
        turns: the last goals of the thread that were answered, oldest first.
        session_id: the thread; names the session's trace.
        complexity: label of the goal, None before CLASSIFY.
        complexity_source: recipe, exemplars, experience, change, tool, model, or default.
        complexity_score: how sure that source was, 0 to 1.
        plan: the current plan.
        current_step_index: zero-based index of the next step.
        completed: steps of earlier plans that succeeded.
        last_error: why the last step or plan failed.
        reflection_count: reflections spent.
        reflection_attempts: what each found.
        plan_retries: planner calls after invalid plans.
        iterations: node visits.
        evidence: what the answer may rest on.
        commitments: things the plan promised beyond an answer.
        draft_answer: answer before verification.
        verified: True once VERIFY passed the draft of the current plan.
        judged: True if the verifier model had its part in that.
        doubtful: True if one model's bare word is all that speaks for the answer: it cannot judge, or passed
            an output that is shown because what the worker said of it could not be used.
        final_answer: answer given.
        status: where the run stands.
        stop_reason: why it stopped, None while it runs.
        confidence: 0 to 1: while it runs what a model says of itself, or None; at the end what is shown.
        assessment: what the shown confidence rests on, None without an answer.
        usage: model calls by role.
        failure: the exception that ended the run, or None.
        notes: remarks for the reader: readings, cuts, skipped directories.
        asked: the goal without its values, None before its names were looked up.
        recalled: records of past runs that were made use of.
        server_tools: tools of servers that the goal says to use, by their full names.
        changes_by: those of them that may change something.
        allowed_tools: writing tools a person approved for the whole run.
        started: UTC time the run began, ISO.
        limits: budgets of the run.
        remaining_steps: graph steps left before LangGraph's recursion limit, kept by LangGraph.
    """

    goal: str = ""
    said: str = ""
    turns: list[Turn] = Field(default_factory=list)
    session_id: str = ""
    complexity: TaskComplexity | None = None
    complexity_source: str = ""
    complexity_score: float | None = None
    plan: Plan | None = None
    current_step_index: int = 0
    completed: list[PlanStep] = Field(default_factory=list)
    last_error: str | None = None
    reflection_count: int = 0
    reflection_attempts: list[ReflectionAttempt] = Field(default_factory=list)
    plan_retries: int = 0
    iterations: int = 0
    evidence: list[Evidence] = Field(default_factory=list)
    commitments: list[str] = Field(default_factory=list)
    draft_answer: str | None = None
    verified: bool = False
    judged: bool = False
    doubtful: bool = False
    final_answer: str | None = None
    status: Status = "running"
    stop_reason: StopReason | None = None
    confidence: float | None = None
    assessment: Assessment | None = None
    usage: dict[str, RoleUsage] = Field(default_factory=dict)
    failure: Failure | None = None
    notes: list[str] = Field(default_factory=list)
    asked: Asked | None = None
    recalled: list[Recalled] = Field(default_factory=list)
    server_tools: list[str] = Field(default_factory=list)
    changes_by: list[str] = Field(default_factory=list)
    allowed_tools: list[str] = Field(default_factory=list)
    started: str = ""
    limits: RunLimits = Field(default_factory=RunLimits)
    remaining_steps: RemainingSteps = 1000

    @property
    def question(self) -> str:
        """The goal without messages it asks for; empty when it asks for nothing else.

        A tool that the goal says to use may be the one that sends them.
        """
        return self.goal if self.changes_by else read_promises(self.goal).question

    @property
    def asks_for_change(self) -> bool:
        """True if the goal asks for something to be made, altered or removed, in words or by a tool."""
        return bool(self.changes_by) or wants_change(self.goal)

    def goal_as_corrected(self) -> str:
        """The question with words replaced that stand for something else, and with what a person added."""
        goal = self.question
        for attempt in self.reflection_attempts:
            for written, meant in attempt.corrections.items():
                goal = goal.replace(written, meant)
            if attempt.category == "correction":
                goal = f"{goal}\n{attempt.new_plan_summary}"
        return goal

    def words_of_the_person(self) -> list[str]:
        """Texts in which a fact may stand because the person said it.

        A goal that was read in the light of earlier turns may hold words of earlier answers, and these are
        no evidence; then only what the person wrote counts, and what corrects it.
        """
        if not self.said:
            return [self.goal, self.goal_as_corrected()]
        added = [meant for attempt in self.reflection_attempts for meant in attempt.corrections.values()]
        added += [one.new_plan_summary for one in self.reflection_attempts if one.category == "correction"]
        return [self.said, *(turn.said for turn in self.turns), *added]

    @property
    def corrected(self) -> bool:
        """True if a person said what to do instead, so that the goal as written holds no longer."""
        return any(attempt.category == "correction" for attempt in self.reflection_attempts)


Update = dict[str, Any]


def dump(**values: Any) -> Update:
    """A node's return value: models become JSON values, so checkpoints hold JSON types only."""

    def plain(value: Any) -> Any:
        if isinstance(value, BaseModel):
            return value.model_dump(mode="json")
        if isinstance(value, list):
            return [plain(item) for item in value]
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        return value.value if isinstance(value, StrEnum) else value

    return {name: plain(value) for name, value in values.items()}


def add_usage(state: ReasoningState, role: str, usage: Any) -> dict[str, RoleUsage]:
    """The state's usage with one model call added.

    Args:
        state: the state before the call.
        role: who called.
        usage: anything with calls, prompt_tokens, completion_tokens and seconds.
    """
    total = dict(state.usage)
    before = total.get(role, RoleUsage())
    total[role] = RoleUsage(
        calls=before.calls + usage.calls,
        prompt_tokens=before.prompt_tokens + usage.prompt_tokens,
        completion_tokens=before.completion_tokens + usage.completion_tokens,
        seconds=round(before.seconds + usage.seconds, 4),
    )
    return total


CUT_NOTE = "did not fit a model's window"


def was_cut(notes: Sequence[str]) -> bool:
    """True if a note says that a prompt was cut."""
    return any(CUT_NOTE in note for note in notes)


def cut_note(notes: Sequence[str], role: str, cut: int) -> list[str]:
    """The notes, with one that says how much of a prompt did not fit the model's window.

    Args:
        notes: the state's notes before the call.
        role: who called.
        cut: characters that were left out of the prompt; 0 adds no note.
    """
    if not cut:
        return list(notes)
    return [*notes, f"{cut} characters of the {role}'s prompt {CUT_NOTE} and were left out."]
