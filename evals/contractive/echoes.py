"""Replies that hold no answer of their own: each of them has to score nothing. Pure."""

from __future__ import annotations

from evals.contractive.checks import ItemsCheck, OneOfCheck, Task, YesNoCheck


def options(task: Task) -> list[str]:
    """The answers a task offers, the right one first; of one that offers none, the right and a wrong one."""
    check = task.check
    if isinstance(check, OneOfCheck):
        return [task.answer, *(name for name in check.decoys if name.lower() != task.answer.lower())]
    if isinstance(check, ItemsCheck):
        return [*(item[0] for item in check.right), *check.decoys]
    if isinstance(check, YesNoCheck):
        return ["yes", "no"]
    return [task.answer, task.wrong]


def echoes(task: Task) -> list[str]:
    """The question, its context, all of its options, guesses between them, and nothing."""
    question, context = task.question, task.context
    listed = options(task)
    first, last = listed[0], listed[-1]
    return [
        "",
        " \n",
        "Answer:",
        "N/A",
        "I don't know.",
        "I'm sorry, but I cannot answer this question.",
        question,
        question.upper(),
        f"**{question}**",
        f"{question}\nAnswer:",
        f"Question: {question}\nAnswer:",
        f"Q: {question} A:",
        f"{question}\n\n{question}",
        f"You ask: {question}",
        f"The question is: {question}",
        question[: len(question) // 2].rsplit(" ", 1)[0],
        context,
        f"{context}\n\n{question}",
        f"{context}\n{question}\nAnswer:",
        f"Context: {context}\nQuestion: {question}",
        ", ".join(listed),
        " or ".join(listed),
        "\n".join(f"- {one}" for one in listed),
        "\n".join(f"{chr(65 + place)}) {one}" for place, one in enumerate(listed)),
        " ".join(f"It could be {one}." for one in listed),
        f"It is {first}. It is {last}.",
        f"Either {first} or {last}.",
        f"The answer is {first}. The answer is {last}.",
        f"It may be {first}, but perhaps it is {last}.",
    ]
