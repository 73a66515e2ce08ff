"""What a model may add to an answer: which facts to begin with, and words that connect them.

The model sees the facts numbered, and writes sentences that cite them by number. Each sentence is checked;
one that says more than the facts it cites is dropped. Without a model that can judge, nothing is added.
"""

from __future__ import annotations

import secrets

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from configs.prompting import render
from models.errors import ModelError
from models.roles import RoleModels
from models.usage import Usage
from nodes.reflective.state import RoleUsage
from nodes.specialists.checking import holds
from nodes.specialists.claims import Claim
from nodes.specialists.state import Report
from nodes.specialists.topics import Specialist

MOST_SHOWN = 12
MOST_SENTENCES = 6


class Composition(BaseModel):
    """What the model writes: sentences, each with numbers of facts in brackets."""

    sentences: list[str] = Field(max_length=40)


async def composed(
    goal: str, report: Report, knows: Specialist, models: RoleModels
) -> tuple[Report, RoleUsage]:
    """A report with the sentences of a model that hold; the report itself where there are none.

    Args:
        goal: as written.
        report: of code.
        knows: the specialist, whose prompt is used.
        models: of the run.
    """
    claims = [claim for one in report.answers for claim in one.claims][:MOST_SHOWN]
    if not claims or not models.can_judge("worker"):
        return report, RoleUsage()
    fence = f"=====FACTS {secrets.token_hex(8)}====="
    facts = "\n".join(f"[{number}] {one.place}: {one.claim}" for number, one in enumerate(claims, 1))
    messages = [
        SystemMessage(render(knows.prompt, fence=fence)),
        HumanMessage(f"{fence}\nQuestion: {goal}\n\n{facts}\n{fence}"),
    ]
    try:
        reply = await models.structured("worker", messages, Composition)
    except ModelError as error:
        note = f"The {knows.name} specialist's facts are told without a model: {error.what}"
        return report.model_copy(update={"notes": [*report.notes, note]}), cost_of(error.usage)
    told = kept(reply.value.sentences, claims)
    notes = list(report.notes)
    if dropped := len(reply.value.sentences) - len(told):
        notes.append(f"{dropped} of the model's sentences said more than the facts, and were dropped.")
    prose = {"prose": " ".join(told), "cited": claims if told else [], "notes": notes}
    return report.model_copy(update=prose), cost_of(reply.usage)


def kept(sentences: list[str], claims: list[Claim]) -> list[str]:
    """The sentences that say no more than the facts they cite, each once."""
    return [one for one in dict.fromkeys(" ".join(text.split()) for text in sentences) if holds(one, claims)][
        :MOST_SENTENCES
    ]


def cost_of(usage: Usage | None) -> RoleUsage:
    """What calls took, as states hold it; nothing if none was made."""
    if usage is None:
        return RoleUsage()
    return RoleUsage(
        calls=usage.calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        seconds=round(usage.seconds, 4),
    )
