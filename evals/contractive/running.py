"""One task in one scenario: the bare model once (S0), or the graph with the scenario's settings."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from langchain_core.messages import HumanMessage

from configs.contractive import Scenario, of_scenario
from configs.loading import load_settings
from evals.contractive.checking import Judged, judged
from evals.contractive.checks import Task
from evals.contractive.peers import Peer
from evals.report import Case, Planned
from evals.report.options import BARE
from models.errors import ModelError, ModelMissing, ModelUnavailable
from models.roles import RoleModels
from models.sampling import Sampling
from models.selection import choose_model
from nodes.contractive.clarify import AS_ASKED
from nodes.contractive.state import ContractiveState

# No memory, no trace: a run must not learn from the one before it.
ALONE: dict[str, Any] = {"experience.enabled": False, "traces.enabled": False}
CRITIC = "models.critic.name"
ANSWERED = ("answered", "uncertain")


def settings_of(scenario: Scenario, peer: Peer) -> dict[str, Any]:
    """Settings of a scenario by dotted key."""
    chosen = {f"contractive.{name}": value for name, value in of_scenario(scenario).items()}
    return {**ALONE, **chosen, **({CRITIC: peer.model} if peer.model else {})}


async def run_case(planned: Planned, task: Task, peer: Peer) -> Case:
    """Run a task and hold what came of it against its check.

    Raises:
        ModelUnavailable, ModelMissing: the bare model is not there.
    """
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="reflect-think-") as root:
        if planned.variant == BARE:
            case = await _by_bare_model(planned, task, root)
        else:
            case = case_of(planned, task, await _by_graph(planned, task, peer, root), peer)
    return case.model_copy(update={"seconds": round(time.perf_counter() - started, 3)})


def prompt_of(task: Task) -> str:
    """What the bare model is shown: the context, if there is one, and the question as it stands."""
    return f"{task.context}\n\n{task.question}" if task.context else task.question


async def _by_bare_model(planned: Planned, task: Task, root: str) -> Case:
    settings = load_settings(Path(root), {"model": planned.model}).settings
    models = RoleModels(settings, choose_model(settings))
    try:
        reply = await models.text(
            "worker", [HumanMessage(prompt_of(task))], sampling=Sampling(0.0, planned.seed)
        )
    except (ModelUnavailable, ModelMissing):
        # Nothing can be measured of a model that is not there.
        raise
    except ModelError as error:
        return _case(planned, task, judged(task, "")).model_copy(
            update={"status": "error", "detail": error.what, "model_calls": 1}
        )
    finally:
        await models.aclose()
    found = judged(task, reply.text)
    usage = reply.usage
    return _case(planned, task, found, reply.text).model_copy(
        update={
            "status": "answered" if found.answered else "no_answer",
            "model_calls": usage.calls,
            "tokens": usage.prompt_tokens + usage.completion_tokens,
            "false_success": found.answered and not found.right,
        }
    )


async def _by_graph(planned: Planned, task: Task, peer: Peer, root: str) -> ContractiveState:
    """Run the graph; a person who is asked what the question means says that it means what it says."""
    # LangGraph and the nodes take seconds to import, which `--help` need not pay.
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.types import Command

    from graph.contractive import build
    from nodes.reflective.context import RunContext

    scenario: Any = planned.variant
    settings = settings_of(scenario, peer)
    asks = bool(settings.get("contractive.clarify"))
    context = RunContext(root=root, model=planned.model, settings=settings)
    graph = build(InMemorySaver() if asks else None)
    config: Any = {"configurable": {"thread_id": "evaluation"}} if asks else {}
    given: Any = {"question": task.question, "context": task.context, "seed": seed_of(planned)}
    values = await graph.ainvoke(given, config, context=context)
    asked = 0
    while values.get("__interrupt__"):
        asked += 1
        given = Command(resume=as_asked(values["__interrupt__"][0].value, task.question))
        values = await graph.ainvoke(given, config, context=context)
    state = ContractiveState.model_validate({k: v for k, v in values.items() if k != "__interrupt__"})
    return state.model_copy(update={"notes": [*state.notes, *([f"asked {asked} times"] if asked else [])]})


def seed_of(planned: Planned) -> int:
    """The seed of a run's samples: its own for every repetition, and never 0, which the graph draws anew."""
    return 1 + planned.seed * 1000 + planned.repeat


def as_asked(told: Any, question: str) -> str:
    """What the scripted person says: the first reading that is the question as it was written."""
    readings = told.get("readings", []) if isinstance(told, dict) else []
    same = {AS_ASKED, " ".join(question.split()).lower()}
    return next((one for one in readings if " ".join(str(one).split()).lower() in same), AS_ASKED)


def case_of(planned: Planned, task: Task, state: ContractiveState, peer: Peer) -> Case:
    """What is recorded of a run of the graph."""
    answered = state.status in ANSWERED and bool(state.final_answer)
    found = judged(task, state.final_answer if answered else "")
    metrics = state.metrics
    root = state.tree.get("0")
    measured = root.best.measured if root is not None and root.best is not None else None
    detail = str(state.failure.what) if state.failure is not None else found.reason
    return _case(planned, task, found, state.final_answer, peer).model_copy(
        update={
            "status": state.status,
            "stop_reason": state.stop_reason or "",
            "detail": "" if found.right else detail,
            "model_calls": metrics.calls,
            "tokens": metrics.tokens,
            "steps": len(state.passes),
            "confidence": state.confidence if answered else None,
            "false_success": state.status == "answered" and not found.right,
            "budget_exhausted": state.stop_reason in ("budget", "timeout"),
            "extra": {
                **_extra(task, found, state.final_answer, peer),
                "answered": answered and found.answered,
                "uncertainty": measured.uncertainty if measured is not None else 1.0,
                "questions": metrics.questions,
                "split": metrics.split,
                "reviewed": metrics.reviewed,
                "approved": metrics.approved,
                "depth": metrics.depth,
                "failed_calls": metrics.failed_calls,
                "ratios": [one.ratio for one in state.passes if one.ratio is not None],
                "source": root.best.source if root is not None and root.best is not None else "",
                "notes": state.notes,
            },
        }
    )


def _case(planned: Planned, task: Task, found: Judged, reply: str = "", peer: Peer | None = None) -> Case:
    return Case(
        id=task.id,
        group=task.domain,
        variant=planned.variant,
        model=planned.model,
        repeat=planned.repeat,
        seed=planned.seed,
        goal=task.question,
        passed=found.right,
        detail=found.reason,
        extra=_extra(task, found, reply, peer or Peer("")),
    )


def _extra(task: Task, found: Judged, reply: str, peer: Peer) -> dict[str, Any]:
    return {
        "difficulty": task.difficulty,
        "answered": found.answered,
        "keywords_found": found.keywords,
        "keywords": len(task.keywords),
        "reply": reply[:1000],
        "peer": peer.model,
        "peer_told": peer.told,
        "rerun_options": list(peer.options),
    }
