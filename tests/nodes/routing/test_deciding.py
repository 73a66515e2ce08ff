"""Decisions: words, then exemplars, then a doubt that a model may settle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.settings import Settings
from models.identifiers import ModelId
from models.roles import RoleModels
from models.scripted import Script, register_script
from models.selection import ModelChoice
from nodes.collective.engines import ENGINES, Engine
from nodes.routing.asking import ask_router
from nodes.routing.deciding import SURE, Decided, decide, forced, undecided
from nodes.routing.exemplars import Votes
from nodes.routing.kinds import ENGINE_OF, kinds_of
from nodes.routing.route import decision_on

OPEN = "the colour of later evenings"


def votes(first: Engine, share: float) -> Votes:
    """A vote with `share` for one engine, and the rest spread evenly."""
    others = [name for name in ENGINES if name != first]
    rest = (1 - share) / len(others)
    shares = ((first, share), *((name, rest) for name in others))
    return Votes(shares, {name: kinds_of(name)[0] for name in ENGINES}, dict.fromkeys(ENGINES, "like this"))


def unasked(goal: str) -> Votes:
    raise AssertionError(f"{goal} was put to the vote")


def test_words_that_settle_it_need_no_vote() -> None:
    decided = decide("prove that no file below src imports os", unasked)
    assert decided.sure and decided.decision.source == "signals" and decided.decision.score == 1
    assert decided.decision.engine == "tutor" and '"prove"' in decided.decision.why


@given(st.sampled_from(ENGINES), st.floats(0.2, 1))
def test_the_vote_decides_and_a_narrow_one_leaves_a_doubt(engine: Engine, share: float) -> None:
    decided = decide(OPEN, lambda _: votes(engine, share))
    decision = decided.decision
    assert (decision.engine, decision.score, decided.sure) == (engine, share, share >= SURE)
    assert decision.source == "exemplars" and '"like this"' in decision.why
    assert decision.runner_up != engine and ENGINE_OF[decision.kind] == engine
    assert decided.candidates[0] == engine


def test_the_reason_names_words_of_the_goal() -> None:
    goal = "I would like a second opinion on the colour of the house"
    decision = decide(goal, lambda _: votes("ensemble", 0.9)).decision
    assert decision.source == "signals" and '"second opinion"' in decision.why


def test_without_an_embedder_nothing_is_pretended() -> None:
    decided = decide(OPEN, lambda _: None)
    assert decided.decision == undecided() and not decided.sure
    assert decided.decision.source == "default" and decided.decision.score is None
    assert decided.candidates == ENGINES


@pytest.mark.parametrize("engine", ENGINES)
def test_a_person_decides_for_good(engine: Engine) -> None:
    decision = forced(engine)
    assert (decision.engine, decision.source) == (engine, "person")


def scripted(name: str, *replies: object) -> RoleModels:
    register_script(name, Script.model_validate({"default": list(replies)}))
    return RoleModels(Settings(), ModelChoice(ModelId.parse(f"scripted:{name}"), "as named"))


def doubtful() -> Decided:
    return decide(OPEN, lambda _: votes("research", 0.3))


async def test_a_model_settles_a_doubt_among_the_likeliest() -> None:
    decided = doubtful()
    second = decided.candidates[1]
    decision, usage = await ask_router(OPEN, decided, scripted("settles", {"engine": second}))
    assert (decision.engine, decision.source, decision.runner_up) == (second, "model", "research")
    assert usage.calls == 1 and "scripted:settles" in decision.why


@pytest.mark.parametrize("reply", ["no idea", {"engine": "oracle"}, {"engine": "hybrid"}])
async def test_a_reply_nobody_can_use_changes_nothing(reply: object) -> None:
    decided = doubtful()
    assert "hybrid" not in decided.candidates
    models = scripted("useless", reply, reply)
    decision, _ = await ask_router(OPEN, decided, models)
    assert decision == decided.decision


async def test_a_model_that_cannot_be_reached_costs_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nodes.routing.route.decide_here", lambda goal, settings: doubtful())
    models = scripted("gone", {"error": "unavailable"})
    decision, usage = await decision_on(OPEN, Settings(), lambda: models)
    assert decision == doubtful().decision
    assert usage is not None and usage.calls <= 1


async def test_no_model_is_opened_for_a_goal_that_is_clear() -> None:
    def opened() -> RoleModels:
        raise AssertionError("a model was opened")

    decision, usage = await decision_on("hello", Settings(), opened)
    assert decision.kind == "greeting" and usage is None
