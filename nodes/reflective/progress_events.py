"""What a run tells while it goes on: the events of the stream mode `custom`, kind by kind.

`graph.astream(..., stream_mode=["messages", "updates", "custom"])` gives them beside the nodes' updates and
the tokens. A token's metadata say whose it is: `langgraph_node`, `role`, and `structured` for a reply that is
a JSON value. An event is the mapping its kind has here, whole: every field is always there.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict


class ModelChosen(TypedDict):
    """CLASSIFY: which model serves roles that name none, and why it was chosen."""

    kind: Literal["model"]
    model: str
    reason: str


class FollowUp(TypedDict):
    """CLASSIFY: a goal that leans on what was said before in the thread, and how it was read."""

    kind: Literal["follow_up"]
    said: str
    read_as: str
    by: str


class PlanMade(TypedDict):
    """PLAN, DIRECT_EXEC: a plan that passed every check; recipe is None unless one made it."""

    kind: Literal["plan"]
    source: str
    recipe: str | None
    steps: list[str]


class PlanRefused(TypedDict):
    """PLAN, DIRECT_EXEC: a planner's draft that a check refused."""

    kind: Literal["plan_refused"]
    error: str


class ModelCall(TypedDict):
    """A role is about to be asked; attempts count from 1."""

    kind: Literal["model_call"]
    role: str
    attempt: int


class Thinking(TypedDict):
    """What a reasoning model thought aloud, its beginning and how long it was; no part of any answer."""

    kind: Literal["thinking"]
    role: str
    text: str
    chars: int


class RoleFailed(TypedDict):
    """CLASSIFY, PLAN, DIRECT_EXEC: a model did not answer in time or failed; the run goes on without it."""

    kind: Literal["role_failed"]
    role: str
    error: str


class StepBegun(TypedDict):
    """EXECUTE, DIRECT_EXEC: a step is about to run; steps count from 1."""

    kind: Literal["step"]
    num: int
    of: int
    description: str


class StepDone(TypedDict):
    """EXECUTE, DIRECT_EXEC: what became of a step: `success`, `failed`, or `skipped` in a dry run."""

    kind: Literal["step_done"]
    num: int
    status: str
    command: str
    returncode: int


class Probe(TypedDict):
    """REFLECT: a read-only command that looked around."""

    kind: Literal["probe"]
    command: str
    returncode: int


class Reflection(TypedDict):
    """REFLECT: the class of the error, what went wrong, and which words of the goal stand for what else."""

    kind: Literal["reflection"]
    category: str
    diagnosis: str
    corrections: dict[str, str]


class Verified(TypedDict):
    """VERIFY: whether the draft holds, and if not, why."""

    kind: Literal["verified"]
    passed: bool
    findings: list[str]


class Answered(TypedDict):
    """RESPOND: how the run ends. The answer itself is in the node's update."""

    kind: Literal["answer"]
    status: str
    stop_reason: str


class ResearchVisit(TypedDict):
    """Each node of deep research: what it did, in a few words; iterations count from 1."""

    kind: Literal["research"]
    node: str
    iteration: int
    what: str


class ContractiveEvent(TypedDict):
    """What happens to a question of contractive reasoning; `nodes.contractive.events` types the facts."""

    kind: Literal["contractive"]
    type: str
    at: str
    node: str
    facts: dict[str, Any]


class TutorTurn(TypedDict):
    """BEGIN, TUTOR: a turn of a proof game, and what the player was told; turn 0 is the goal itself."""

    kind: Literal["tutor"]
    turn: int
    move: str
    outcome: str
    message: str
    score: int


class TutorMenu(TypedDict):
    """PLAYER: the moves a player may choose from in a turn, in order."""

    kind: Literal["tutor_menu"]
    turn: int
    items: list[str]


class TutorEnd(TypedDict):
    """FINISH: how a proof game ended; `ended` is empty if something other than the game ended it."""

    kind: Literal["tutor_end"]
    status: str
    ended: str
    turns: int
    score: int


class ChildBegun(TypedDict):
    """An engine that works with others is about to be asked.

    Its own events come with a namespace that begins with `namespace`, if subgraphs are streamed.
    """

    kind: Literal["child"]
    id: str
    worker: str
    question: str
    namespace: str


class ChildDone(TypedDict):
    """An engine that works with others has ended; the status is that of its finding."""

    kind: Literal["child_done"]
    id: str
    worker: str
    status: str


class Routed(TypedDict):
    """ROUTE: which engine a goal goes to, the kind of goal it is, and why."""

    kind: Literal["routed"]
    engine: str
    goal_kind: str
    why: str


class SpecialistsRouted(TypedDict):
    """ROUTE: which specialists answer; by says what chose them."""

    kind: Literal["specialists_routed"]
    by: str
    chosen: list[str]


class Audited(TypedDict):
    """AUDIT: how many files a kernel has looked at."""

    kind: Literal["audit"]
    kernel: str
    done: int
    of: int


class SpecialistsMerged(TypedDict):
    """SYNTHESISE: what the specialists' reports came to."""

    kind: Literal["specialists_merged"]
    status: str
    claims: int


EVENTS: dict[str, type] = {
    "model": ModelChosen,
    "follow_up": FollowUp,
    "plan": PlanMade,
    "plan_refused": PlanRefused,
    "model_call": ModelCall,
    "thinking": Thinking,
    "role_failed": RoleFailed,
    "step": StepBegun,
    "step_done": StepDone,
    "probe": Probe,
    "reflection": Reflection,
    "verified": Verified,
    "routed": Routed,
    "specialists_routed": SpecialistsRouted,
    "audit": Audited,
    "specialists_merged": SpecialistsMerged,
    "answer": Answered,
    "research": ResearchVisit,
    "contractive": ContractiveEvent,
    "tutor": TutorTurn,
    "tutor_menu": TutorMenu,
    "tutor_end": TutorEnd,
    "child": ChildBegun,
    "child_done": ChildDone,
}
