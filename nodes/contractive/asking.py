"""The prompts of contractive reasoning as messages: what is quoted stands between lines nobody can forge."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from configs.prompting import render
from nodes.contractive.state import Normalization
from nodes.contractive.tasks import Fact, Task
from nodes.research.asking import disarmed_fence

FENCE_CHARS = 16
MOST_TURNS = 3
_KINDS = {
    "number": "a number, with its unit if it has one",
    "share": "a share or percentage",
    "year": "a year",
    "date": "a date",
    "yes_no": "yes or no",
    "choice": "one of the options",
    "either": "one of the two",
    "list": "a list",
    "order": "an ordered list",
    "who": "a name",
    "code": "code",
}


def messages(
    prompt: str, run_id: str, *, rules: Mapping[str, str] | None = None, **slots: str
) -> list[BaseMessage]:
    """Rules, then the request.

    Args:
        prompt: name of the request in configs/prompts; its rules are `PROMPT_rules`.
        run_id: of the run.
        rules: slots of the rules beside `fence`, which no text of others may fill.
        slots: of the request; `fence` is filled in.
    """
    fence = fence_of(run_id)
    safe = {name: disarmed_fence(value, fence) for name, value in slots.items()}
    system = render(f"{prompt}_rules", fence=fence, **(rules or {}))
    return [SystemMessage(system), HumanMessage(render(prompt, fence=fence, **safe))]


def solve_messages(task: Task, known: Sequence[Fact]) -> list[BaseMessage]:
    """The question itself, with what it may rest on.

    Args:
        task: the question and the run.
        known: what is established; none for the first try of a question that depends on nothing.
    """
    parts = {
        "Earlier in this conversation": turns(task),
        "Part of a larger question": "" if task.is_root else task.root,
        "Given material": task.context,
        "Established": facts_text(known),
    }
    fence = fence_of(task.run_id)
    material = "".join(
        f"{title}:\n{fence}\n{disarmed_fence(text, fence)}\n{fence}\n"
        for title, text in parts.items()
        if text
    )
    wanted = wanted_text(task.question.normal)
    rules = render("contractive_solve_rules", fence=fence)
    asked = render(
        "contractive_solve",
        material=material,
        question=disarmed_fence(task.question.question, fence),
        wanted=f"\nWanted: {wanted}." if wanted else "",
    )
    return [SystemMessage(rules), HumanMessage(asked)]


def fence_of(run_id: str) -> str:
    """The line around quoted text, one for all prompts of a run.

    The run's name has a random part, so nobody who wrote the material knows it; a model that does cannot use
    it either, since it is taken out of whatever is quoted. Rules that never change let a server keep what it
    has already read of a prompt.
    """
    return f"===== {hashlib.sha256(f'{run_id} fence'.encode()).hexdigest()[:FENCE_CHARS]} ====="


def without_fence(reply: str, run_id: str) -> str:
    """A reply without the fence of its prompt, which a model that copies signs may take for an answer."""
    fence = fence_of(run_id)
    return reply.replace(fence, "").replace(fence.strip("= "), "").strip()


def turns(task: Task) -> str:
    """The last turns of the chat, oldest first."""
    said = task.earlier[-MOST_TURNS:]
    return "\n".join(f"Question: {turn.question}\nAnswer: {turn.answer}" for turn in said)


def facts_text(known: Sequence[Fact]) -> str:
    """Facts as lines; how sure they are is said, because a model may have to choose between two.

    What has several lines is set in, so that no answer can hold a line that looks like a fact of its own.
    """
    return "\n".join(
        f"- {_set_in(fact.question)} -> {_set_in(fact.answer)} ({_resting_on(fact)}"
        + (f", review: {fact.verdict.replace('_', ' ')})" if fact.verdict else ")")
        for fact in known
    )


def _resting_on(fact: Fact) -> str:
    return "read in files" if fact.grounded else f"{fact.support:.0%} of samples"


def _set_in(text: str) -> str:
    return "\n  ".join(text.splitlines())


def wanted_text(normal: Normalization | None) -> str:
    """The kind of answer and its constraints in words; empty where anything will do."""
    if normal is None:
        return ""
    kind = _KINDS.get(normal.answer_type, "")
    return "; ".join([*([kind] if kind else []), *normal.constraints])
