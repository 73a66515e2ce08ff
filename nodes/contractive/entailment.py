"""What code cannot tell of two answers, put to a model: does each entail the other?

Bidirectional entailment as Kuhn et al. (2023) use it. Embeddings only keep pairs from the model that have
nothing to do with each other: nearness of vectors shows no agreement ("safe" and "not safe" embed at 0.91).
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel

from configs.entailment import load_entailment
from configs.prompting import render
from configs.settings import Role
from models.embeddings import Embedder
from models.errors import ModelError
from models.roles import RoleModels
from nodes.contractive.answers import ShortAnswer
from nodes.contractive.clusters import Pair, pair, surely_same
from nodes.contractive.prefilter import far_apart
from nodes.contractive.reading.verdicts import Verdict
from nodes.contractive.side_by_side import all_of

Entails = Literal["entails", "contradicts", "neutral"]
Judge = Callable[[str, str, str], Awaitable[Entails]]
LONGEST = 1500
REPLY_TOKENS = 64
REMEMBERED = 1024


class Entailment(BaseModel):
    """What a model says of two answers.

    Attributes:
        verdict: entails: whoever says the first says the second too; contradicts: both cannot be true;
            neutral: neither.
    """

    verdict: Entails


AskEntailment = Callable[[Sequence[BaseMessage], type[Entailment], int], Awaitable[Entailment]]
"""Puts messages to a model, whose reply has a schema and at most so many tokens; may raise ModelError."""


def judge_of(models: RoleModels, role: Role = "verifier") -> Judge | None:
    """A judge where the role's model is fit to be one, else None: code and shared words then decide alone.

    Args:
        models: of the run.
        role: whose model judges.
    """
    return model_judge(models, role) if is_fit(models, role) else None


def is_fit(models: RoleModels, role: Role = "verifier") -> bool:
    """True if a role's model may judge: no bare base model, and none that was found worse than words."""
    worse = load_entailment().judges_worse_than_words(models.model_name(role))
    return models.can_judge(role) and not worse


def model_judge(models: RoleModels, role: Role = "verifier") -> Judge:
    """A judge that asks a model, fit or not; its verdicts are constrained by their schema.

    Args:
        models: of the run.
        role: whose model judges.
    """

    async def ask(messages: Sequence[BaseMessage], schema: type[Entailment], max_tokens: int) -> Entailment:
        return (await models.structured(role, messages, schema, max_tokens=max_tokens)).value

    return judge_by(ask)


def judge_by(ask: AskEntailment) -> Judge:
    """A judge that asks in a way of the caller's, such as within a budget, and remembers what it was told.

    The rules and the examples are the same in every call, so that a local engine reads them once.

    Args:
        ask: what puts the messages to a model.
    """
    opening = _opening()
    known: dict[tuple[str, str, str], Entails] = {}

    async def judge(question: str, first: str, second: str) -> Entails:
        asked = question, first, second
        if asked not in known:
            reply = await ask([*opening, _put(question, first, second)], Entailment, REPLY_TOKENS)
            if len(known) >= REMEMBERED:
                known.pop(next(iter(known)))
            known[asked] = reply.verdict
        return known[asked]

    return judge


@cache
def _opening() -> tuple[BaseMessage, ...]:
    messages: list[BaseMessage] = [SystemMessage(render("contractive_entailment_rules"))]
    for one in load_entailment().examples:
        told = Entailment(verdict=one.verdict).model_dump_json()
        messages += [_put(one.question, one.first, one.second), AIMessage(told)]
    return tuple(messages)


def _put(question: str, first: str, second: str) -> HumanMessage:
    whole = "\n".join((question, first, second))
    fence = f"===== {hashlib.sha256(whole.encode('utf-8', 'replace')).hexdigest()[:16]} ====="
    slots = {"question": question, "first": first, "second": second}
    quoted = {name: told[:LONGEST].replace(fence, "") for name, told in slots.items()}
    return HumanMessage(render("contractive_entailment", fence=fence, **quoted))


async def settled_by_model(
    question: str,
    answers: Sequence[ShortAnswer],
    verdicts: Mapping[Pair, Verdict],
    judge: Judge,
    *,
    embedder: Embedder | None = None,
    unlike: float | None = None,
) -> dict[Pair, Verdict]:
    """Have a model settle what is unknown, once for every two groups that surely say the same.

    A call that fails leaves its pair unknown, with the failure as the reason; shared words then decide.

    Args:
        question: all answers are to it.
        answers: of the samples.
        verdicts: as `clusters.compared` gives them.
        judge: as `model_judge` makes it.
        embedder: without one every unknown pair is put to the judge.
        unlike: cosine below which two answers are called different unasked, by default as `prefilter` has it.
    """
    groups = surely_same(answers, verdicts)
    asking = [
        (first, second)
        for number, first in enumerate(groups)
        for second in groups[number + 1 :]
        if all(verdicts[pair(one, other)].relation == "unknown" for one in first for other in second)
    ]
    texts = [(_shown(first), _shown(second)) for first, second in asking]
    far = await asyncio.to_thread(far_apart, texts, embedder, unlike) if embedder else [False] * len(asking)
    told = await all_of(
        _asked(question, first, second, judge, unasked)
        for (first, second), unasked in zip(asking, far, strict=True)
    )
    settled = dict(verdicts)
    for (first, second), verdict in zip(asking, told, strict=True):
        for one in first:
            for other in second:
                before = verdicts[pair(one, other)]
                settled[pair(one, other)] = (
                    replace(verdict, likeness=before.likeness)
                    if verdict.relation != "unknown"
                    else replace(before, reason=verdict.reason)
                )
    return settled


def _shown(group: Sequence[ShortAnswer]) -> str:
    return min((one.text for one in group), key=lambda text: (len(text), text))


async def _asked(
    question: str, first: Sequence[ShortAnswer], second: Sequence[ShortAnswer], judge: Judge, unasked: bool
) -> Verdict:
    if unasked:
        return Verdict("different", "their embeddings are far apart")
    one, other = _shown(first), _shown(second)
    try:
        said = await judge(question, one, other)
        if said == "entails":
            said = await judge(question, other, one)
    except ModelError as error:
        return Verdict("unknown", f"the judge failed: {error.what}")
    if said == "entails":
        return Verdict("same", "a model says that each entails the other", apart=0.0)
    return Verdict("different", f"a model says: {said}")
