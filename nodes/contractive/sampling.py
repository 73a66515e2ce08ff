"""Samples of one prompt: as many as it takes to tell how sure the model is, all at once, each seeded."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import NamedTuple

from langchain_core.messages import BaseMessage

from configs.settings import Role
from models.embeddings import Embedder
from models.errors import ModelError
from models.sampling import Sampling
from nodes.contractive.asking import without_fence
from nodes.contractive.calls import Calls, Place, Said
from nodes.contractive.clusters import Cluster
from nodes.contractive.entailment import Judge
from nodes.contractive.entropy import LEAST, enough, hopeless
from nodes.contractive.estimating import Estimated, estimated
from nodes.contractive.reviewing.hard_faults import hard_fault
from nodes.contractive.side_by_side import all_of
from nodes.contractive.state import ClusterSummary, Measured
from nodes.contractive.tasks import Task
from nodes.errors import CallRefused

ROLE: Role = "worker"
LONGEST_TEXT = 4000
"""Characters of a part's sample that are kept in the state; short answers are what is compared."""
LONGEST_ANSWER = 20_000
"""The same of the whole question's, which is what a person gets."""
STOPS = ["\nExample", "\nQuestion:"]
"""A model that only continues text would go on with a question of its own."""
LONGEST_SHOWN = 300
STATED = re.compile(r"^\W*answer\W*[:\uff1a].*\S.*\n", re.IGNORECASE | re.MULTILINE)
"""The line the rules ask for, with its end."""
MOST_SEED = 2**31 - 1


class Drawn(NamedTuple):
    """What came of sampling.

    Attributes:
        measured: what the samples say.
        refused: the limit that kept further samples from being drawn, or None.
    """

    measured: Measured
    refused: CallRefused | None


async def sample(
    calls: Calls,
    task: Task,
    place: Place,
    messages: Sequence[BaseMessage],
    *,
    judge: Judge | None,
    embedder: Embedder | None,
    may_split: bool = False,
    first: int | None = None,
) -> Drawn:
    """Draw samples until the majority is sure enough, or there are as many as may be.

    The first ones are asked for at once, further ones three at a time. A question that may be split is given
    up earlier: where going on in the same proportions would not make the majority sure.

    Args:
        calls: of the run.
        task: the question and the run.
        place: of the calls; the number of the sample is added.
        messages: the prompt.
        judge: settles what code cannot tell of two answers, or None.
        embedder: of the judge's prefilter, or None.
        may_split: doubt may be answered by parts instead of by further samples.
        first: samples of the first wave; by default what the settings say.

    Raises:
        MemoryStoreError: a call cannot be written down.
    """
    limits = task.limits
    most = max(limits.k_max_samples, first or limits.k_entropy_samples)
    texts: list[Said | None] = []
    errors: list[ModelError] = []
    refused: CallRefused | None = None
    wave = min(first or limits.k_entropy_samples, most)
    while True:
        numbers = range(len(texts), len(texts) + wave)
        drawn = await all_of(_one(calls, task, place, messages, number) for number in numbers)
        for reply in drawn:
            if isinstance(reply, CallRefused):
                refused = reply
            elif isinstance(reply, ModelError):
                errors.append(reply)
                texts.append(None)
            else:
                texts.append(reply)
        said = [one.text if one is not None else None for one in texts]
        found = await estimated(task.question.question, said, judge=judge, embedder=embedder)
        wave = 0 if refused or len(errors) == len(texts) else _wave(found, len(texts), most, may_split)
        if not wave:
            break
    needed = min(LEAST, most)
    measured = _measured(task.question.question, found, texts, errors, needed)
    measured.text = measured.text[: LONGEST_ANSWER if task.is_root else LONGEST_TEXT]
    return Drawn(measured, refused)


def _wave(found: Estimated, drawn: int, most: int, may_split: bool) -> int:
    """How many more samples to draw."""
    sizes = [len(cluster.members) for cluster in found.estimate.clusters] if found.estimate else []
    sure = enough(sizes, most=most) or (may_split and hopeless(sizes, most))
    return 0 if sure else min(LEAST, most - drawn)


async def _one(
    calls: Calls, task: Task, place: Place, messages: Sequence[BaseMessage], number: int
) -> Said | ModelError | CallRefused:
    at = Place(place.phase, place.node, place.branch, (*place.number, number))
    sampling = Sampling(task.limits.temperature, seed_of(task.seed, at))
    try:
        reply = await calls.text(at, ROLE, messages, sampling=sampling, stop=STOPS)
        return reply._replace(text=without_fence(reply.text, task.run_id))
    except (ModelError, CallRefused) as error:
        return error


def seed_of(seed: int, place: Place) -> int:
    """The seed of a call: of the run's and of where in it the call belongs, 0 to 2^31 - 1."""
    told = repr((seed, place.phase, place.node, place.number)).encode()
    return int.from_bytes(hashlib.sha256(told).digest()[:8], "big") % MOST_SEED


def _measured(
    question: str,
    found: Estimated,
    texts: Sequence[Said | None],
    errors: Sequence[ModelError],
    needed: int,
) -> Measured:
    """What samples come to; too few of them tell of no agreement, and those that lack agree with none."""
    problems = list(dict.fromkeys(error.what for error in errors))
    estimate = found.estimate
    if estimate is None:
        return Measured(failed=len(errors), problems=problems)
    chosen, text, truncated = _best(question, found, texts)
    # A model that mostly refuses, or repeats the question, is sure of nothing.
    has_answer = chosen is not None and chosen is estimate.clusters[0]
    enough_came = estimate.samples >= needed
    return Measured(
        entropy=round(estimate.entropy, 6),
        uncertainty=round(estimate.entropy, 6) if has_answer and enough_came else 1.0,
        samples=estimate.samples,
        failed=len(errors),
        kind=estimate.kind,
        answer=chosen.answer if chosen is not None else "",
        text=text,
        truncated=truncated,
        support=round(len(chosen.members) / max(needed, estimate.samples), 6) if chosen is not None else 0.0,
        stable=round(estimate.stable, 6),
        noise=round(found.noise, 6),
        clusters=[
            ClusterSummary(size=len(one.members), answer=one.answer[:LONGEST_SHOWN], kind=one.kind)
            for one in estimate.clusters
        ],
        problems=problems,
    )


def _best(question: str, found: Estimated, texts: Sequence[Said | None]) -> tuple[Cluster | None, str, bool]:
    """The largest cluster that is an answer, the text of a sample that gives it, and if that is cut off.

    Of several samples it is one whose short answer is the cluster's own form, so that the two never differ,
    and that came to its end.
    """
    short = {place: read.text for place, read in enumerate(found.answers) if read is not None}
    for cluster in found.estimate.clusters if found.estimate is not None else ():
        said = {place: texts[place] or Said("", False) for place in cluster.members}
        place = min(said, key=lambda one: (short[one] != cluster.answer, is_cut_off(said[one])))
        text = said[place].text
        if cluster.kind in ("answer", "code") and hard_fault(question, text, cluster.answer) is None:
            return cluster, text, all(is_cut_off(one) for one in said.values())
    return None, "", False


def is_cut_off(said: Said) -> bool:
    """True if a reply stopped at the limit of tokens before the line that holds its answer was whole."""
    return said.truncated and STATED.search(said.text) is None
