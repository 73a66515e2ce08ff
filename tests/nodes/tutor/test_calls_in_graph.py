"""The graph knows which calls were made, and its last nodes, without a walk."""

import pytest

from nodes.tutor.proof_graph import Node, ProofGraph


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("action", {"move": "PROPOSE", "request": {"tool": "ls", "args": {"path": "a", "all": True}}}),
        ("observation", {"tool": "ls", "args": {"all": True, "path": "a", "long": False, "recursive": None}}),
    ],
)
def test_a_call_is_known_by_its_tool_and_the_arguments_that_say_something(
    kind: str, data: dict[str, object]
) -> None:
    graph = ProofGraph()
    graph.add(Node(id="x1", kind=kind, turn=1, data=data))  # type: ignore[arg-type]  # one of the kinds
    assert graph.has_call("ls", {"path": "a", "all": True})
    for tool, args in (("ls", {"path": "a"}), ("find", {"path": "a", "all": True}), ("ls", {})):
        assert not graph.has_call(tool, args)


def test_other_actions_are_no_calls() -> None:
    graph = ProofGraph()
    graph.add(Node(id="a1", kind="action", turn=1, data={"move": "PASS"}))
    assert not graph.has_call("", {})


def test_the_last_nodes_of_a_kind_come_in_order() -> None:
    graph = ProofGraph()
    for number in range(5):
        graph.add(Node(id=f"q{number}", kind="question", turn=number))
    assert [node.id for node in graph.latest("question", 2)] == ["q3", "q4"]
    assert graph.latest("question", 0) == [] and len(graph.latest("question", 9)) == 5
