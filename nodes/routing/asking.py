"""The judgement of a model, for a goal that code leaves in doubt: one of the engines the vote put first."""

from __future__ import annotations

from collections.abc import Mapping

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel

from configs.prompting import render
from models.errors import ModelReplyInvalid
from models.roles import RoleModels
from models.usage import Usage
from nodes.collective.engines import Engine
from nodes.routing.deciding import Decided, judged
from nodes.routing.state import RoutingDecision

DOES: Mapping[Engine, str] = {
    "reflective": "facts, files, commands and changes of files; also greetings and simple questions",
    "contractive": "open or difficult questions that take thought, no files: riddles, mathematics, decisions",
    "research": "reports on what sources say, with citations",
    "tutor": "proofs of claims about files; how good or reliable a model is; proof games",
    "specialists": "audits of a code base: security, quality, complexity, duplication, documentation",
    "ensemble": "the same question put to several engines independently: second opinions, consensus",
    "hierarchy": "a large question with many parts, each with facts from other files or modules",
    "hybrid": "first an analysis or a decision, then carrying out what it recommends",
}


class EngineChoice(BaseModel):
    """The model's reply."""

    engine: Engine


async def ask_router(goal: str, decided: Decided, models: RoleModels) -> tuple[RoutingDecision, Usage]:
    """What the classifier's model says; the decision as it was where nobody can read it or it names another.

    Args:
        goal: as written.
        decided: what code came to; it may name one of its candidates.
        models: of the run.

    Raises:
        ModelError: the model could not be reached, found or finished.
    """
    listed = "\n".join(f"- {name}: {DOES[name]}" for name in decided.candidates)
    messages = [SystemMessage(render("route", engines=listed)), HumanMessage(f"Request: {goal}")]
    try:
        reply = await models.structured("classifier", messages, EngineChoice)
    except ModelReplyInvalid as error:
        return decided.decision, error.usage
    if reply.value.engine not in decided.candidates:
        return decided.decision, reply.usage
    return judged(decided, reply.value.engine, models.model_name("classifier")), reply.usage
