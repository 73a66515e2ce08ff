"""The same answer as models word it."""

from __future__ import annotations


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
        f"First I look at what is given. Then I put it together, step by step.\n\nAnswer: {answer}",
        f"Sure! I put the facts together and look at each of them. So the answer is {answer}.",
    ]
