"""A rejected answer tells what has not the form wanted, and never which claim is the one wanted."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nodes.tutor.claims import Claim
from nodes.tutor.engine import Tutor
from nodes.tutor.games.game import Target, sealed
from tests.nodes.tutor.small_world import BETA, LINES, answer, cat, claim, played, put, tutor

pytestmark = pytest.mark.usefixtures("reading")

FILES = {name: "beta\n" for name in ("a.txt", "b.txt", "c.txt")}
SAID = [claim("contains", name, "beta") for name in FILES]
READ = [cat(name) for name in FILES]
ASSERTED = [put(said, "o1", "o2", "o3") for said in SAID]


def asking_for(name: str) -> Target:
    return BETA.model_copy(update={"seal": sealed(Claim(predicate="contains", subject=name, value="beta"))})


async def tried(wanted: str, answers: list[list[str]]) -> Tutor:
    """A game in which the file wanted is this one, after some answers."""
    engine = tutor(asking_for(wanted), files=FILES)
    await played(engine, *READ, *ASSERTED, put(claim("count", "a.txt", 1, unit="lines"), "o1"))
    for names in answers:
        await engine.play(answer(*names))
    return engine


def told(engine: Tutor) -> tuple[Any, ...]:
    """Everything anybody may see of a game before its end, but the seal itself, which tells nothing."""
    nodes = [
        node.model_copy(update={"data": node.data | {"seal": ""}}) for node in engine.graph.nodes.values()
    ]
    turns = [turn.model_dump() for turn in engine.turns]
    return turns, nodes, list(engine.graph.edges), engine.menu()


NAMES = st.lists(st.sampled_from(["c1", "c2", "c3", "c4"]), max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(NAMES, max_size=2))
async def test_rejected_answers_are_the_same_whichever_claim_is_wanted(answers: list[list[str]]) -> None:
    games = [await tried(wanted, answers) for wanted in FILES]
    going_on = [told(engine) for engine in games if not engine.is_won]
    assert all(one == going_on[0] for one in going_on)
    assert sum(engine.is_won for engine in games) == len(
        {names[0] for names in answers if len(names) == 1} - {"c4"}
    )


async def test_all_that_can_be_proved_is_no_answer_and_narrows_nothing() -> None:
    engine = await tried("b.txt", [["c1", "c2", "c3"]])
    assert "Not asked for" not in engine.turns[-1].message
    assert "It names 3 claims; 1 are asked for" in engine.turns[-1].message


async def test_a_claim_that_nothing_asks_for_is_named() -> None:
    engine = await tried("b.txt", [["c2", "c4"]])
    assert "Not asked for: c4." in engine.turns[-1].message


async def test_which_of_two_targets_is_answered_wrong_is_not_told() -> None:
    def engine_for(wanted: str) -> Tutor:
        sealed_lines = LINES.model_copy(update={"open": frozenset({"subject", "value"})})
        lines = Claim(predicate="count", subject="b.txt", value=1, unit="lines")
        return tutor(asking_for(wanted), sealed_lines.model_copy(update={"seal": sealed(lines)}), files=FILES)

    both = []
    for wanted in ("a.txt", "c.txt"):
        engine = engine_for(wanted)
        count = put(claim("count", "a.txt", 1, unit="lines"), "o1")
        await played(engine, *READ, ASSERTED[0], count, answer("c1", "c2"))
        assert engine.turns[-1].outcome == "rejected"
        both.append(told(engine))
    assert both[0] == both[1]
