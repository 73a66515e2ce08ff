"""The same answer as models word it, and replies that hold none."""

from __future__ import annotations

from evals.contractive.checks import ItemsCheck, OneOfCheck, Task, YesNoCheck


def wordings(answer: str) -> list[str]:
    """Replies that settle on an answer."""
    return [
        answer,
        f"{answer}.",
        f"The answer is {answer}.",
        f"Answer: {answer}",
        f"**{answer}**",
        f"The final answer is **{answer}**.",
        f"**Answer:** {answer}",
        f"$\\boxed{{\\text{{{answer}}}}}$",
        f'{{"answer": "{answer}"}}',
        f"<think>First I thought of something else.</think>{answer}",
        f"Let me think about it step by step. First I look at what is given. Then I draw the conclusion.\n\nAnswer: {answer}",
        f"Sure! Here is how it goes. I put the facts together and look at each of them. So the answer is {answer}.",
    ]


def options(task: Task) -> list[str]:
    """All answers a task offers, the right one among them."""
    check = task.check
    if isinstance(check, OneOfCheck):
        return [task.answer, *(name for name in check.decoys if name.lower() != task.answer.lower())]
    if isinstance(check, ItemsCheck):
        return [*(item[0] for item in check.right), *check.decoys]
    if isinstance(check, YesNoCheck):
        return ["yes", "no"]
    return [task.answer, task.wrong]


def echoes(task: Task) -> list[str]:
    """Replies that say the task again, or nothing."""
    question, context = task.question, task.context
    listed = options(task)
    half = question[: len(question) // 2].rsplit(" ", 1)[0]
    return [
        "",
        " \n",
        "Answer:",
        "N/A",
        "I don't know.",
        "I'm sorry, but I cannot answer this question.",
        question,
        question.upper(),
        f"{question}\nAnswer:",
        f"Question: {question}\nAnswer:",
        f"Q: {question} A:",
        f"{question}\n\n{question}",
        f"You ask: {question}",
        f"The question is: {question}",
        half,
        f"**{question}**",
        context,
        f"{context}\n\n{question}",
        f"{context}\n{question}\nAnswer:",
        f"Context: {context}\nQuestion: {question}",
        ", ".join(listed),
        " or ".join(listed),
        " and ".join(listed),
        "\n".join(f"- {one}" for one in listed),
        "\n".join(f"{chr(65 + place)}) {one}" for place, one in enumerate(listed)),
        " ".join(f"It could be {one}." for one in listed),
        f"It is {listed[0]}. It is {listed[1]}.",
        f"Either {listed[0]} or {listed[1]}.",
        f"The answer is {listed[0]}. The answer is {listed[1]}.",
        f"It may be {listed[0]}, but perhaps it is {listed[1]}.",
    ]
