"""The state of one contractive run: a tree of questions. Checkpoints hold it as JSON; nodes return JSON.

A question goes through

    NEW -> NORMALIZE -> SOLVE -> (uncertain) DECOMPOSE -> its parts are DONE -> COLLAPSE
                          |                                                        |
                          +-------------------- PRE_REVIEW <-----------------------+
                                                    |
                                               PEER_REVIEW -> DONE

It is tried before it is split: SOLVE takes samples, and only where they disagree is it cut into parts. In a
hierarchy, which has workers, a question that needs facts from files is not sampled: NEW -> NORMALIZE -> DONE.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from langgraph.managed import RemainingSteps
from pydantic import BaseModel, Field, field_validator

from configs.contractive import ContractiveSettings
from nodes.collective.exchange import Cited
from nodes.contractive.answers import AnswerKind
from nodes.reflective.state import Failure, RoleUsage

Stage = Literal["NEW", "NORMALIZE", "SOLVE", "DECOMPOSE", "COLLAPSE", "PRE_REVIEW", "PEER_REVIEW", "DONE"]
Joint = Literal["AND", "OR"]
Verdict = Literal["approved", "minor_revision", "major_revision", "reject"]
Facts = Literal["", "samples", "files"]
Phase = Literal["normalize", "solve", "judge", "decompose", "collapse", "review", "revise"]
RunStop = Literal[
    "confident",
    "fixed_point",
    "cycle",
    "diverging",
    "no_new_evidence",
    "max_loops",
    "budget",
    "timeout",
    "max_steps",
    "no_answer",
    "error",
]
Status = Literal["running", "answered", "uncertain", "no_answer", "error"]
ROOT = "0"
LONGEST_QUESTION = 8000


class Normalization(BaseModel):
    """What a question wants.

    Attributes:
        question: restated so that it stands by itself; the question as it was asked where that lost nothing.
        answer_type: as `reading.asked.Wanted` names them.
        constraints: what an answer has to keep to, in words of the question.
        source: who restated it.
        refused: why a model's restatement was not taken; empty if it was, or none was asked for.
        readings: what an ambiguous question may mean, two or more; empty if it is clear.
    """

    question: str
    answer_type: str = "open"
    constraints: list[str] = Field(default_factory=list)
    source: Literal["code", "model", "split"] = "code"
    refused: str = ""
    readings: list[str] = Field(default_factory=list)


class ClusterSummary(BaseModel):
    """Samples that say the same: how many, and what."""

    size: int
    answer: str
    kind: AnswerKind = "answer"


class Measured(BaseModel):
    """What samples of one prompt say of the model's certainty.

    Attributes:
        entropy: 0 (all the same) to 1 (all different).
        uncertainty: the same, but 1 where there is no answer: a model that surely refuses has none; and where
            fewer samples came than can tell (three, or as many as the settings allow).
        samples: how many came.
        failed: how many calls brought none.
        kind: of the largest cluster.
        answer: short answer of the largest cluster of answers; "" if there is none.
        text: the whole text of a sample that gives it.
        truncated: True if all that give it stopped at the limit of tokens, before they had stated it.
        support: share of the samples which give it, 0 to 1; what lacks to three of them counts as samples.
        stable: posterior probability that the largest cluster stays the largest.
        noise: mean distance of two samples.
        clusters: the largest first.
        problems: why calls brought nothing, each once.
    """

    entropy: float = 0.0
    uncertainty: float = 1.0
    samples: int = 0
    failed: int = 0
    kind: AnswerKind = "empty"
    answer: str = ""
    text: str = ""
    truncated: bool = False
    support: float = 0.0
    stable: float = 0.5
    noise: float = 0.0
    clusters: list[ClusterSummary] = Field(default_factory=list)
    problems: list[str] = Field(default_factory=list)

    @property
    def answered(self) -> bool:
        """True if at least one sample is an answer."""
        return bool(self.answer)


class Review(BaseModel):
    """A review of an answer.

    Attributes:
        by: code (pre-review) or a peer.
        verdict: approved from a score of 0.6, minor_revision from 0.4, major_revision from 0.3, else reject;
            None if there is none.
        score: 0 to 1.
        issues: what is wrong.
        advice: what would mend it; drives the one revision.
        of: which answer was reviewed: the first one, or its revision.
        model: provider:model of the peer.
        problem: why there is no verdict; the answer then counts as not reviewed.
    """

    by: Literal["code", "peer"]
    verdict: Verdict | None = "approved"
    score: float = 1.0
    issues: list[str] = Field(default_factory=list)
    advice: str = ""
    of: Literal["first", "revision"] = "first"
    model: str = ""
    problem: str = ""


class Answer(BaseModel):
    """The best answer to a question so far; it is replaced, never lost.

    Attributes:
        measured: the samples it comes from; of one that rests on evidence, what that comes to.
        source: how it came about.
        evidence: what it rests on outside the model, in short; none for samples.
    """

    measured: Measured
    source: Literal["try", "merge", "revision", "work"] = "try"
    evidence: list[Cited] = Field(default_factory=list)


class Merge(BaseModel):
    """A merge that was measured.

    Attributes:
        number: of the pass.
        parts: questions whose answers it was given.
        left_out: questions that were left out, and why.
        before, after: uncertainty before and after.
        support_before, support_after: of the answer.
        kept: True if uncertainty fell by gamma at least and support did not fall.
        reason: why, or why not.
        answer: short answer of the merge.
        sampled: False if there was nothing to merge; `after` and `answer` are then those from before.
        by_code: True if code put the parts' answers side by side.
        entropy, noise: of its samples, as for `Measured`.
    """

    number: int
    parts: list[str] = Field(default_factory=list)
    left_out: dict[str, str] = Field(default_factory=dict)
    before: float = 1.0
    after: float = 1.0
    support_before: float = 0.0
    support_after: float = 0.0
    kept: bool = False
    reason: str = ""
    answer: str = ""
    sampled: bool = False
    by_code: bool = False
    entropy: float = 0.0
    noise: float = 0.0


class Event(BaseModel):
    """Something that happened to a question, for streams and exports.

    Attributes:
        type: node_created, state_changed, normalized, sampled, decomposed, pruned, reviewed, revised,
            merged, call_failed, budget_refused, worked; of the run: started, pass_ended, finished.
        at: UTC, ISO, milliseconds.
        node: id of the question; empty for events of the run.
        facts: what is to be told, JSON.
    """

    type: str
    at: str
    node: str = ""
    facts: dict[str, Any] = Field(default_factory=dict)


class Question(BaseModel):
    """One node of the tree.

    Attributes:
        id: "0" is the question itself, "0.2" its second part.
        parent: id; empty for the question itself.
        depth: 0 for the question itself.
        text: as it was asked.
        about: the file or other name it is about, where the question above it lists several; else empty.
        facts_from: what its answer is to rest on: samples of a model, or files a worker reads; empty where
            nobody decided, as in a run without workers.
        stage: where it stands.
        joint: how its newest parts go together: all are required (AND), or they compete (OR).
        rival: it competes with the parts it was asked with.
        depends_on: ids of siblings whose answers it needs.
        children: ids.
        waits: it was split, and its newest parts are not all done.
        born: number of the pass that asked it.
        normal: what it wants.
        relevance: to the question itself, 0 to 1; None for that one.
        tried: what its samples said first.
        best: the best answer so far.
        reviews: of that answer, in order.
        merges: in order.
        pruned: why its answer is not used; empty if it is.
        splits: decompositions asked for.
        refused: parts that were proposed and not taken, and why.
        errors: what failed, in words.
        events: in order.
    """

    id: str
    parent: str = ""
    depth: int = 0
    text: str
    about: str = ""
    facts_from: Facts = ""
    stage: Stage = "NEW"
    joint: Joint = "AND"
    rival: bool = False
    depends_on: list[str] = Field(default_factory=list)
    children: list[str] = Field(default_factory=list)
    waits: bool = False
    born: int = 1
    normal: Normalization | None = None
    relevance: float | None = None
    tried: Measured | None = None
    best: Answer | None = None
    reviews: list[Review] = Field(default_factory=list)
    merges: list[Merge] = Field(default_factory=list)
    pruned: str = ""
    splits: int = 0
    refused: dict[str, str] = Field(default_factory=dict)
    errors: list[str] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)

    @property
    def question(self) -> str:
        """The question as it is put to a model."""
        return self.normal.question if self.normal is not None else self.text

    @property
    def verdict(self) -> Verdict | None:
        """The worse of what code and the peer said last; None if nobody reviewed it."""
        last = {one.by: one.verdict for one in self.reviews if one.verdict is not None and not one.problem}
        return max(last.values(), key=VERDICTS.index) if last else None


VERDICTS: tuple[Verdict, ...] = ("approved", "minor_revision", "major_revision", "reject")
"""From best to worst."""


class Pass(BaseModel):
    """One application of the whole operator F.

    Attributes:
        number: from 1.
        answer: short answer it ended with.
        kind: of that answer.
        entropy, uncertainty, support: of that answer.
        sampled: False if nothing was sampled: the answer is that of the pass before, and no step was made.
        step: distance to the answer of the sampled pass before, 0 to 1; None for the first or unsampled.
        ratio: q = this step / the step before; None where that means nothing.
        eps: noise of resampling one state; a step no longer than this is none.
        evidence: facts the pass could use.
        fresh: of those, how many the pass before had not.
    """

    number: int
    answer: str = ""
    kind: AnswerKind = "empty"
    entropy: float = 0.0
    uncertainty: float = 1.0
    support: float = 0.0
    sampled: bool = True
    step: float | None = None
    ratio: float | None = None
    eps: float = 0.0
    evidence: int = 0
    fresh: int = 0


class Said(BaseModel):
    """An earlier question of a chat and the answer it got."""

    question: str
    answer: str
    status: Status = "answered"


class Metrics(BaseModel):
    """What a run took.

    Attributes:
        calls: of models, failed ones among them.
        failed_calls: of those, the ones that brought nothing.
        repeated_calls: replies read from the journal instead of being asked for again.
        tokens: of prompts and replies; of a call whose end is unknown, what was reserved for it.
        by_phase: cost by phase.
        seconds: wall clock, of all processes that worked at it; a pause between two is not counted.
        depth: deepest level that was reached.
        questions: in the tree.
        split: of those, how many have parts.
        reviewed, approved: by a peer.
        refused_calls: that were not made because a budget was too small.
        cut: characters at most that one prompt had to lose to fit its model's window.
    """

    calls: int = 0
    failed_calls: int = 0
    repeated_calls: int = 0
    tokens: int = 0
    by_phase: dict[str, RoleUsage] = Field(default_factory=dict)
    seconds: float = 0.0
    depth: int = 0
    questions: int = 0
    split: int = 0
    reviewed: int = 0
    approved: int = 0
    refused_calls: int = 0
    cut: int = 0


def joined(before: Mapping[str, Any], update: Mapping[str, Any]) -> dict[str, Any]:
    """The tree with some of its questions replaced, each of which keeps the events it had.

    Tasks of one step work at different questions, and return with each what is new of its events. Whoever
    edits a state by hand gives a question with all it had, which is not new.
    """
    tree = dict(before)
    for name, question in update.items():
        told = before.get(name, {}).get("events", [])
        given = question.get("events", [])
        whole = bool(told) and given[: len(told)] == told
        tree[name] = {**question, "events": given if whole else [*told, *given]}
    return tree


def united(before: Sequence[str], update: Sequence[str]) -> list[str]:
    """Both lists, each entry once."""
    return list(dict.fromkeys([*before, *update]))


def latest(_before: object, update: Any) -> Any:
    """What was written last: two tasks of a step may fail, and one failure is enough to tell."""
    return update


class ContractiveState(BaseModel):
    """Everything a contractive run knows.

    Attributes:
        question: what is asked.
        context: material the answer may rest on, as the caller gives it; data, never instructions.
        material: as much of it as fits beside question and reply into every window; its middle goes first.
        clarification: what a person said the question means.
        run_id: names the journal of its calls.
        seed: of every sample.
        limits: the settings of the run, every field decided.
        model: provider:model that answers.
        peer: provider:model that reviews; empty without one.
        judge: True if a model settles what code cannot tell of two answers.
        began: UTC, ISO.
        tree: questions by id.
        passes: in order.
        evidence: ids of questions whose answers the next pass may use.
        hindrances: limits that kept calls from being made, each once.
        stop_reason: why it stopped.
        status: answered; uncertain: the answer is one of several; no_answer; error.
        final_answer: for people; empty without one.
        short_answer: the same in a few words.
        confidence: support of the answer among the samples, and of what it rests on, 0 to 1; 0 without one.
        asked_before: questions of this chat, oldest first.
        events: of the run.
        metrics: what it took.
        notes: for people.
        failure: an exception that ended it.
    """

    question: str = ""
    context: str = ""
    clarification: str | None = None

    material: str = ""
    run_id: str = ""
    seed: int = 0
    limits: ContractiveSettings = ContractiveSettings()
    model: str = ""
    peer: str = ""
    judge: bool = False
    began: str = ""

    tree: Annotated[dict[str, Question], joined] = Field(default_factory=dict)
    passes: list[Pass] = Field(default_factory=list)
    evidence: list[str] = Field(default_factory=list)
    hindrances: Annotated[list[Literal["budget", "timeout"]], united] = Field(default_factory=list)
    stop_reason: Annotated[RunStop | None, latest] = None
    status: Status = "running"
    final_answer: str = ""
    short_answer: str = ""
    confidence: float = 0.0

    asked_before: list[Said] = Field(default_factory=list)
    events: list[Event] = Field(default_factory=list)
    metrics: Metrics = Metrics()
    notes: list[str] = Field(default_factory=list)
    failure: Annotated[Failure | None, latest] = None

    remaining_steps: RemainingSteps = 100

    @field_validator("question", "context")
    @classmethod
    def _printable(cls, text: str) -> str:
        return text.encode("utf-8", "replace").decode("utf-8").strip()

    def taken_up(self, node: str) -> Question:
        """A question to be worked on: a copy without its events, to which only new ones are added."""
        return self.tree[node].model_copy(update={"events": []})

    @property
    def root(self) -> Question:
        """The question itself.

        Raises:
            KeyError: the run has not begun.
        """
        return self.tree[ROOT]
