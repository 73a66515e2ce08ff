"""The tree of questions as text, the parts of a question below it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from cli.live import printable
from nodes.contractive.mermaid import answer_of, from_the_top, shortened, standing
from nodes.contractive.state import Question

LONGEST = 100
INDENT = "  "


def tree_text(tree: Mapping[str, Question]) -> str:
    """Two lines for each question: what is asked; where it stands and its answer.

    Args:
        tree: questions by id.
    """
    seen: set[str] = set()
    # What hangs on nothing that is there is shown as well, at the left.
    lines = [line for one in from_the_top(tree) for line in _below(one, tree, seen, 0)]
    return "\n".join(map(printable, lines)) or "No question has been asked yet."


def _below(one: Question, tree: Mapping[str, Question], seen: set[str], depth: int) -> Iterator[str]:
    if one.id in seen:
        return
    seen.add(one.id)
    space = INDENT * depth
    needs = f" (needs {', '.join(one.depends_on)})" if one.depends_on else ""
    yield f"{space}{one.id} {shortened(one.question, LONGEST)}{needs}"
    answer = shortened(answer_of(one), LONGEST) or "no answer"
    left_out = f"; left out: {shortened(one.pruned, LONGEST)}" if one.pruned else ""
    joint = f"; {'all' if one.joint == 'AND' else 'any'} of:" if one.children else ""
    yield f"{space}{INDENT}= {answer} [{standing(one)}{left_out}]{joint}"
    for name in one.children:
        if name in tree:
            yield from _below(tree[name], tree, seen, depth + 1)
