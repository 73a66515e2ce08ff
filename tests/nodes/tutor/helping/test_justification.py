"""The score of an answer's evidence: F1, and never outside 0 to 1."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game
from nodes.tutor.helping.justification import score_of
from nodes.tutor.proof_graph import Node, ProofGraph

PATHS = ("a/x.txt", "a/y.txt", "b/z.txt", "a", ".")


def game_needing(*paths: str) -> Game:
    needed = tuple(("cat", path) for path in paths)
    return Game(id="t", seed=0, band="search", title="", goal="", targets=(), needed=needed)


def graph_of(read: list[str], cited: list[int], resting: list[int], *, deep: bool = False) -> ProofGraph:
    """One claim that cites some observations and rests on some of them."""
    graph = ProofGraph()
    for number, path in enumerate(read):
        data = {"tool": "cat", "args": {}, "footprint": {"paths": [path], "deep": deep}}
        graph.add(Node(id=f"o{number}", kind="observation", turn=1, data=data))
    claim = Claim(predicate="exists", subject="x").model_dump(mode="json")
    data = {**claim, "evidence": [f"o{number}" for number in cited]}
    graph.add(Node(id="c1", kind="claim", turn=2, status="validated", data=data))
    for number in resting:
        graph.join("supports", f"o{number}", "c1", 2)
    return graph


@given(
    st.lists(st.sampled_from(PATHS), max_size=6),
    st.lists(st.sampled_from(PATHS), max_size=4),
    st.data(),
    st.booleans(),
)
@settings(max_examples=50)
def test_the_score_lies_between_0_and_1_and_is_1_only_if_all_is_read_and_nothing_else_cited(
    read: list[str], needed: list[str], data: st.DataObject, deep: bool
) -> None:
    numbers = st.integers(0, len(read) - 1) if read else st.nothing()
    resting = data.draw(st.lists(numbers, unique=True))
    cited = sorted({*resting, *data.draw(st.lists(numbers, unique=True))})
    score = score_of(game_needing(*needed), graph_of(read, cited, resting, deep=deep), ["c1"])
    assert 0.0 <= score <= 1.0
    if not deep and needed:
        whole = set(needed) <= {read[number] for number in resting}
        clean = all(number in resting and read[number] in needed for number in cited)
        assert (score == 1.0) == (whole and clean and bool(cited))


def test_the_definition_on_one_example() -> None:
    # Two of three needed files read, by two of four observations cited: P = 1/2, R = 2/3.
    graph = graph_of(["a/x.txt", "a/y.txt", "q", "r"], [0, 1, 2, 3], [0, 1])
    score = score_of(game_needing("a/x.txt", "a/y.txt", "b/z.txt"), graph, ["c1"])
    assert score == pytest.approx(2 * (1 / 2) * (2 / 3) / (1 / 2 + 2 / 3))


def test_a_search_to_the_bottom_read_what_lies_below() -> None:
    graph = graph_of(["a"], [0], [0], deep=True)
    assert score_of(game_needing("a/x.txt"), graph, ["c1"]) == 1.0
    assert score_of(game_needing("b/z.txt"), graph, ["c1"]) == 0.0
    assert score_of(game_needing("a/x.txt"), graph_of(["a"], [0], [0]), ["c1"]) == 0.0


def test_what_was_cited_and_proves_nothing_earns_nothing() -> None:
    assert score_of(game_needing("a"), graph_of(["a"], [0], []), ["c1"]) == 0.0


@given(st.lists(st.sampled_from(["c1", "c9", "o0", "", "g"]), max_size=4))
@settings(max_examples=25)
def test_names_of_no_claim_count_for_nothing(answer: list[str]) -> None:
    score = score_of(game_needing("a"), graph_of(["a"], [0], [0]), answer)
    assert score == float("c1" in answer)


def test_where_no_evidence_is_expected_what_the_verdict_rests_on_counts() -> None:
    assert score_of(game_needing(), graph_of(["a", "b"], [0, 1], [0]), ["c1"]) == pytest.approx(2 / 3)
