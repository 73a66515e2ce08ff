"""Nothing is advised while a target is open; then two nudges, and then the answer from what is proved."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game, Target
from nodes.tutor.helping.settling import settled_by
from nodes.tutor.helping.synthesis import MOST_NUDGES, NUDGE, advice_of
from nodes.tutor.proof_graph import Node, ProofGraph
from nodes.tutor.turns import Turn
from tests.nodes.tutor.helping.playing import fresh_graph

CLAIM = Claim(predicate="exists", subject="x")


def game_of(targets: int) -> Game:
    target = Target(predicate="exists", open=frozenset({"subject"}))
    return Game(id="t", seed=0, band="search", title="", goal="", targets=(target,) * targets)


def graph_of(game: Game, fits: list[set[int]], statuses: list[str]) -> ProofGraph:
    """A graph with one claim for each set of targets it has the form of."""
    graph = fresh_graph(game)
    for number, (targets, status) in enumerate(zip(fits, statuses, strict=True), 1):
        data = {**CLAIM.model_dump(mode="json"), "evidence": ["o1"]}
        graph.add(Node(id=f"c{number}", kind="claim", turn=number, status=status, data=data))
        for target in sorted(targets):
            graph.join("targets", f"c{number}", f"k{target + 1}", number)
    return graph


def turn(*helped: str) -> Turn:
    return Turn(number=1, given={}, move="PASS", signature="p", outcome="played", message="", helped=helped)


@st.composite
def proofs(draw: st.DrawFn) -> tuple[Game, list[set[int]], list[str]]:
    targets = draw(st.integers(1, 4))
    fits = draw(st.lists(st.sets(st.integers(0, targets - 1)), max_size=6))
    states = st.sampled_from(["validated", "proposed", "refuted", "undecidable"])
    return game_of(targets), fits, [draw(states) for _ in fits]


def most_settled(fits: list[set[int]], targets: int) -> int:
    """The largest matching, by trying everything."""
    best = {frozenset[int]()}
    for fit in fits:
        best |= {taken | {target} for taken in best for target in fit if target not in taken}
    return max(map(len, best)) if targets else 0


@given(proofs())
@settings(max_examples=50)
def test_as_many_targets_are_settled_as_can_be_each_by_its_own_validated_claim(
    proof: tuple[Game, list[set[int]], list[str]],
) -> None:
    game, fits, statuses = proof
    settled = settled_by(game, graph_of(game, fits, statuses))
    claims = [claim for claim in settled if claim is not None]
    assert len(settled) == len(game.targets) and len(set(claims)) == len(claims)
    valid = [fit for fit, status in zip(fits, statuses, strict=True) if status == "validated"]
    assert len(claims) == most_settled(valid, len(game.targets))
    for target, claim in enumerate(settled):
        if claim is not None:
            number = int(claim[1:]) - 1
            assert statuses[number] == "validated" and target in fits[number]


@given(proofs(), st.integers(0, 4), st.integers(0, 3))
@settings(max_examples=50)
def test_an_answer_is_composed_only_of_settled_targets_and_after_two_nudges(
    proof: tuple[Game, list[set[int]], list[str]], nudges: int, others: int
) -> None:
    game, fits, statuses = proof
    graph = graph_of(game, fits, statuses)
    turns = [turn()] * others + [turn(NUDGE)] * nudges + [turn()]
    advice = advice_of(game, graph, turns)
    settled = settled_by(game, graph)
    if None in settled:
        assert advice.kind == "none" and not advice.claims and not advice.text
    else:
        assert advice.kind == ("compose" if nudges >= MOST_NUDGES else "nudge")
        assert advice.claims == settled
        assert all(str(claim) in advice.text for claim in settled)


def test_a_nudge_nobody_could_follow_yet_does_not_count() -> None:
    game = game_of(1)
    graph = graph_of(game, [{0}], ["validated"])
    assert advice_of(game, graph, [turn(NUDGE), turn(NUDGE)]).kind == "nudge"
    assert advice_of(game, graph, [turn(NUDGE), turn(NUDGE), turn()]).kind == "compose"


def test_a_game_without_targets_is_never_composed() -> None:
    game = game_of(0)
    graph = graph_of(game, [set()], ["validated"])
    assert advice_of(game, graph, [turn(NUDGE)] * 5).kind == "none"


def answered(*claims: str) -> Turn:
    signature = json.dumps({"claims": sorted(claims), "move": "ANSWER"})
    return Turn(number=5, given={}, move="ANSWER", signature=signature, outcome="rejected", message="")


def test_an_answer_that_was_rejected_is_not_advised_again_until_something_else_is_proved() -> None:
    game = game_of(1)
    graph = graph_of(game, [{0}], ["validated"])
    turns = [turn(NUDGE), turn(NUDGE), answered("c1"), turn()]
    assert advice_of(game, graph, turns).kind == "none"
    assert advice_of(game, graph, [*turns[:2], answered("c11"), turn()]).kind == "compose"
    data = {**CLAIM.model_dump(mode="json"), "evidence": ["o1"]}
    graph.add(Node(id="c2", kind="claim", turn=6, status="validated", data=data))
    graph.join("targets", "c2", "k1", 6)
    assert advice_of(game, graph, turns).claims == ("c2",)


def test_an_answer_that_was_stale_may_be_advised_again_when_its_claim_is_proved_anew() -> None:
    game = game_of(1)
    graph = graph_of(game, [{0}], ["validated"])
    graph.add(Node(id="o1", kind="observation", turn=6))
    graph.join("supports", "o1", "c1", 7)
    assert advice_of(game, graph, [answered("c1"), turn()]).claims == ("c1",)
