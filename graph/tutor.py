"""The proof game: a player proposes one move, the tutor checks, executes, proves and answers.

START -> begin -> player -> tutor -> (goes on) player; (over) finish -> END
any node raises -> finish

The player is a model, the tutor is code. `workflow` stands alone in langgraph.json; as input
{"game": "B04", "seed": 7} plays a generated game, {"game": "free", "goal": "..."} one about the root's files.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Checkpointer

from nodes.draining import drainable
from nodes.input_form import input_form
from nodes.reflective.context import RunContext
from nodes.reflective.retrying import RETRY
from nodes.telemetry import RUNS
from nodes.tutor.begin import begin
from nodes.tutor.failing import on_finish_error, on_node_error
from nodes.tutor.finish import finish
from nodes.tutor.player import player
from nodes.tutor.state import TutorState
from nodes.tutor.tutor import tutor

TutorGraph: TypeAlias = CompiledStateGraph[TutorState, RunContext, Any, Any]
# A turn takes two steps; 10 000 turns are the most the settings allow, `begin` and `finish` take one each.
RECURSION_LIMIT = 20_010
# `finish` needs one step, and a turn that is begun two. `update_state`, which edits or forks a thread outside
# any run, routes with 2 left.
TURN_AT = (3, 4)
ASKED = input_form(
    TutorState,
    required=False,
    game='B01 to B10 is a game that is generated; "free" proves claims about files for a goal of yours.',
    seed="Of a generated game: another number is another game.",
    goal="Of a free game: the task, in words.",
    targets="Of a free game: forms of the claims that answer it; none takes any.",
    about="Of a free game: the directory it is about; empty for the root.",
)


def after_tutor(state: TutorState) -> Literal["player", "finish"]:
    """The next turn, until the game is over."""
    over = state.ended is not None or state.remaining_steps in TURN_AT
    return "finish" if over else "player"


def workflow_builder() -> StateGraph[TutorState, RunContext, Any, Any]:
    """Nodes and edges, not yet compiled."""
    # LangGraph hands a NodeError to handlers by annotation, which its own types cannot express.
    to_finish: Any = on_node_error
    to_the_end: Any = on_finish_error
    graph: StateGraph[TutorState, RunContext, Any, Any] = StateGraph(
        TutorState, RunContext, input_schema=ASKED
    )
    graph.set_node_defaults(error_handler=to_finish, retry_policy=RETRY)
    graph.add_node("begin", drainable(begin))
    graph.add_node("player", drainable(player))
    graph.add_node("tutor", drainable(tutor))
    graph.add_node("finish", drainable(finish), error_handler=to_the_end)
    graph.add_edge(START, "begin")
    graph.add_edge("begin", "player")
    graph.add_edge("player", "tutor")
    graph.add_conditional_edges("tutor", after_tutor, ["player", "finish"])
    graph.add_edge("finish", END)
    return graph


def build(checkpointer: Checkpointer = None) -> TutorGraph:
    """The graph, compiled; with a checkpointer for callers that keep their own threads."""
    compiled = workflow_builder().compile(checkpointer=checkpointer, name="tutor")
    return compiled.with_config(recursion_limit=RECURSION_LIMIT, callbacks=[RUNS])


async def play(
    game: str = "B01",
    seed: int = 0,
    *,
    goal: str = "",
    targets: list[dict[str, Any]] | None = None,
    run: RunContext | None = None,
) -> dict[str, Any]:
    """Play a whole game in one call.

    Args:
        game: B01 to B10, or "free".
        seed: of a generated game.
        goal: of a free game.
        targets: of a free game, as `nodes.tutor.games.game.Target`.
        run: choices of the run: root, model, profile, settings such as {"tutor.arm": "all"}.

    Returns:
        The fields of `TutorState`, JSON: `status`, `ended`, `score`, `turns`, `nodes`, `edges` and the rest.
        Nothing is raised for a run that fails.
    """
    start = {"game": game, "seed": seed, "goal": goal, "targets": targets or []}
    return dict(await build().ainvoke(start, context=run or RunContext()))


workflow = build()

__all__ = ["RECURSION_LIMIT", "TutorGraph", "build", "play", "workflow", "workflow_builder"]
