"""What is to be done next, over any tree: everything once, and after what it needs."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.contractive.advance import ready
from nodes.contractive.state import ROOT, Question


@st.composite
def shapes(draw: st.DrawFn) -> dict[str, list[list[int]]]:
    """Which questions are split, into how many parts, and on which earlier siblings each part depends."""
    shape: dict[str, list[list[int]]] = {}
    open_, count = [ROOT], 1
    while open_ and count < 25:
        name = open_.pop(0)
        number = draw(st.integers(0, 4)) if name.count(".") < 3 else 0
        if number:
            needs = st.integers(0, number)
            shape[name] = [
                [need for need in draw(st.lists(needs, unique=True, max_size=2)) if need < at]
                for at in range(number)
            ]
            open_ += [f"{name}.{at + 1}" for at in range(number)]
            count += number
    return shape


def worked(question: Question, tree: dict[str, Question], shape: dict[str, Any], peer: bool, op: str) -> None:
    """What each operation does to stages, without any model."""
    if op == "solve":
        question.stage = "DECOMPOSE" if question.id in shape else "PEER_REVIEW" if peer else "DONE"
    elif op == "decompose":
        for at, needs in enumerate(shape[question.id]):
            name = f"{question.id}.{at + 1}"
            depends = [f"{question.id}.{need + 1}" for need in needs]
            tree[name] = Question(
                id=name, parent=question.id, text=name, stage="NORMALIZE", depends_on=depends
            )
            question.children.append(name)
        question.waits = True
    elif op == "collapse":
        question.stage = "PEER_REVIEW" if peer else "DONE"
    else:
        question.stage = "DONE"


@settings(deadline=None, max_examples=60)
@given(shape=shapes(), peer=st.booleans())
def test_every_question_is_done_once_and_after_what_it_needs(
    shape: dict[str, list[list[int]]], peer: bool
) -> None:
    tree = {ROOT: Question(id=ROOT, text="?", stage="NORMALIZE")}
    done: list[tuple[str, str]] = []
    for _ in range(200):
        now = ready(tree)
        if not now:
            break
        assert len({one.node for one in now}) == len(now)
        for one in now:
            question = tree[one.node]
            if one.operation == "solve":
                assert all(tree[name].stage == "DONE" for name in question.depends_on)
            if one.operation == "collapse":
                assert all(tree[name].stage == "DONE" for name in question.children)
            worked(question, tree, shape, peer, one.operation)
            done.append(one)
        for question in tree.values():
            if question.waits and all(tree[name].stage == "DONE" for name in question.children):
                question.waits, question.stage = False, "COLLAPSE"
    assert all(question.stage == "DONE" for question in tree.values())
    assert len(done) == len(set(done))
    assert {node for operation, node in done if operation == "collapse"} == set(shape)
    assert len(tree) == 1 + sum(len(parts) for parts in shape.values())
