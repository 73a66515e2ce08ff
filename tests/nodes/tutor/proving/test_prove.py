"""What is validated is so, what is refuted is not, and who has seen everything is never left in doubt."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from nodes.tutor.claims import Claim
from nodes.tutor.facts import Fact
from nodes.tutor.proving.forms import problem_of
from nodes.tutor.proving.prove import prove
from nodes.tutor.proving.world import World
from tests.nodes.tutor.proving.sandboxes import Sandbox, claimed, everything, generated, observed, truth

CLAIMS = 12
seeds = st.integers(0, 2**32)


def drawn(seed: int) -> tuple[Sandbox, dict[str, list[Fact]], list[Claim]]:
    rng = random.Random(seed)
    box = generated(rng)
    facts = {f"o{number}": observed(box, rng) for number in range(1, rng.randint(2, 8))}
    return box, facts, [claimed(box, rng) for _ in range(CLAIMS)]


@given(seeds)
@settings(max_examples=150)
def test_no_verdict_is_wrong(seed: int) -> None:
    box, facts, claims = drawn(seed)
    for claim in claims:
        assert problem_of(claim) is None
        verdict = prove(claim, World(facts))
        so = truth(box, claim)
        assert verdict.status != "validated" or so is True, (claim, facts, verdict)
        assert verdict.status != "refuted" or so is not True, (claim, facts, verdict)


@given(seeds)
@settings(max_examples=80)
def test_who_has_seen_everything_is_never_left_in_doubt(seed: int) -> None:
    box, _, claims = drawn(seed)
    for claim in claims:
        so = truth(box, claim)
        verdict = prove(claim, World({"o1": everything(box)}))
        if so is not None:
            assert verdict.status == ("validated" if so else "refuted"), (claim, verdict)


@given(seeds)
@settings(max_examples=60)
def test_more_observations_change_no_verdict(seed: int) -> None:
    _, facts, claims = drawn(seed)
    fewer = dict(list(facts.items())[: len(facts) // 2])
    for claim in claims:
        before = prove(claim, World(fewer)).status
        after = prove(claim, World(facts)).status
        assert before in ("undecidable", after), (claim, facts)


@given(seeds)
@settings(max_examples=60)
def test_what_is_used_suffices_and_nothing_of_it_is_spare(seed: int) -> None:
    _, facts, claims = drawn(seed)
    for claim in claims:
        verdict = prove(claim, World(facts))
        if verdict.status == "undecidable":
            assert not verdict.used
            continue
        assert prove(claim, World({name: facts[name] for name in verdict.used})).status == verdict.status
        for name in verdict.used:
            rest = verdict.used - {name}
            assert prove(claim, World({left: facts[left] for left in rest})).status == "undecidable", (
                claim,
                facts,
            )
