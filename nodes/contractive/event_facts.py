"""What each type of event says: the facts of `nodes.contractive.state.Event`, typed."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from configs.contractive import ContractiveSettings
from nodes.contractive.state import (
    Event,
    Joint,
    Merge,
    Normalization,
    Pass,
    Review,
    RunStop,
    Stage,
    Status,
)


class Facts(BaseModel):
    """Facts that are nothing but what their type says."""

    model_config = ConfigDict(extra="forbid")


class Started(Facts):
    """The run begins, with every limit decided."""

    question: str
    limits: ContractiveSettings


class NodeCreated(Facts):
    """A question is asked; without a parent it is the question itself."""

    question: str
    depth: int
    parent: str = ""


class StateChanged(Facts):
    """A question goes on to its next stage."""

    before: Stage
    after: Stage


class Normalized(Normalization):
    """What a question wants."""

    model_config = ConfigDict(extra="forbid")


class Clarified(Facts):
    """What a person said the question means."""

    clarified: str


class Sampled(Facts):
    """Samples of one prompt came; see `nodes.contractive.state.Measured`."""

    of: str
    answer: str
    entropy: float
    uncertainty: float
    samples: int
    failed: int
    support: float


class Decomposed(Facts):
    """A question was split into parts, named by their ids."""

    joint: Joint
    parts: list[str]


class Pruned(Facts):
    """A proposed part was not taken, or, without one, the answer of the question is not used."""

    why: str
    part: str = ""


class Reviewed(Review):
    """Code or a peer said what it thinks of an answer; with a problem, it could not."""

    model_config = ConfigDict(extra="forbid")


class Revised(Facts):
    """An answer was worded anew after a review."""

    kept: bool
    answer: str


class Merged(Merge):
    """The answers of parts were put together, and measured."""

    model_config = ConfigDict(extra="forbid")


class CallFailed(Facts):
    """A call of a model brought nothing."""

    phase: str
    why: str


class BudgetRefused(Facts):
    """A call was not made, because of a limit of tokens or of time."""

    phase: str
    why: str
    limit: str = ""


class Worked(Facts):
    """A worker of a hierarchy read files for a question; see `nodes.collective.exchange.Finding`."""

    worker: str
    status: str
    confidence: float | None
    evidence: int


class PassEnded(Pass):
    """One application of the whole operator is over; with a reason, it was the last."""

    model_config = ConfigDict(extra="forbid")

    stop_reason: RunStop | None


class Finished(Facts):
    """The run is over."""

    status: Status
    stop_reason: RunStop
    answer: str
    confidence: float


FACTS: Mapping[str, type[BaseModel]] = {
    "started": Started,
    "node_created": NodeCreated,
    "state_changed": StateChanged,
    "normalized": Normalized,
    "clarified": Clarified,
    "sampled": Sampled,
    "decomposed": Decomposed,
    "pruned": Pruned,
    "reviewed": Reviewed,
    "revised": Revised,
    "merged": Merged,
    "call_failed": CallFailed,
    "budget_refused": BudgetRefused,
    "worked": Worked,
    "pass_ended": PassEnded,
    "finished": Finished,
}
"""By the type of event."""


def facts_of(event: Event) -> BaseModel:
    """The facts of an event, typed.

    Raises:
        KeyError: there is no such type of event.
        pydantic.ValidationError: the facts are not those of its type.
    """
    kind = "clarified" if event.type == "normalized" and "clarified" in event.facts else event.type
    return FACTS[kind].model_validate(event.facts)
