"""Forms of wanted claims: what is left out is open, what is given holds, what nobody can prove is refused."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.play_claims import FIELDS, MOST_CLAIMS, targets_of
from configs.errors import UsageError
from nodes.tutor.claims import PREDICATES, Claim
from nodes.tutor.games.game import SLOTS, Slot, Target
from nodes.tutor.games.generating import GAMES, generate
from nodes.tutor.proving.forms import problem_of

EXPECTED = [claim for name in GAMES for seed in (0, 1) for claim in generate(name, seed).expected]
FURTHER = [
    Claim(predicate="exists", subject="*.lock", unit="file", scope="a"),
    Claim(predicate="absent", subject="a/b.txt"),
    Claim(predicate="equals", subject="a.txt", value="0" * 64, unit="sha256"),
    Claim(predicate="not_contains", subject="a", value="x", unit="word"),
    Claim(predicate="value_of", subject="a.b[1].c", value=1.5, unit="ms", scope="c.json"),
    Claim(predicate="greater", subject="a", value="b", unit="files"),
    Claim(predicate="less", subject="a.b", value=3, scope="c.toml"),
    Claim(predicate="after", subject="a:1", value="2024-01-01T00:00:00Z", scope="corrected by skew.json"),
    Claim(predicate="defines", subject="a.py", value="f", unit="function"),
    Claim(predicate="changed_between", subject="a.py", value=[None, "x"], unit="line", scope=("old", "new")),
]
CLAIMS = [*EXPECTED, *FURTHER]


def wanted(claim: Claim, kept: set[Slot], nulls: set[Slot]) -> Target:
    given_fields: dict[str, Any] = {"predicate": claim.predicate}
    given_fields |= {slot: getattr(claim, slot) for slot in kept}
    given_fields |= {slot: None for slot in nulls - kept}
    return Target.model_validate(targets_of([json.dumps(given_fields)])[0])


@settings(max_examples=40)
@given(st.sampled_from(CLAIMS), st.sets(st.sampled_from(SLOTS)), st.sets(st.sampled_from(SLOTS)))
def test_a_claim_fills_the_form_that_leaves_any_of_its_fields_out(
    claim: Claim, kept: set[Slot], nulls: set[Slot]
) -> None:
    target = wanted(claim, kept, nulls)
    assert target.fits(claim) and not target.open & {
        slot for slot in kept if getattr(claim, slot) is not None
    }


@settings(max_examples=40)
@given(st.sampled_from(CLAIMS), st.sampled_from(CLAIMS), st.sets(st.sampled_from(SLOTS)))
def test_a_claim_that_says_another_thing_where_one_is_given_fills_no_form(
    claim: Claim, other: Claim, kept: set[Slot]
) -> None:
    said = {slot for slot in kept if getattr(claim, slot) is not None}
    differs = other.predicate != claim.predicate or any(
        repr(getattr(claim, slot)) != repr(getattr(other, slot)) for slot in said
    )
    assert wanted(claim, kept, set()).has_form(other) is not differs


@pytest.mark.parametrize("predicate", PREDICATES)
def test_every_predicate_may_be_asked_for_with_nothing_given(predicate: str) -> None:
    target = Target.model_validate(targets_of([json.dumps({"predicate": predicate})])[0])
    assert "subject" in target.open
    assert ("value" in target.open) is (predicate not in ("exists", "absent"))
    alike = [claim for claim in CLAIMS if claim.predicate == predicate]
    assert all(target.fits(claim) for claim in alike)


@pytest.mark.parametrize(
    ("given_text", "told"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('{"predicate": "count", "value": NaN}', "no JSON"),
        ("[]", "no JSON object"),
        ('"count"', "no JSON object"),
        ('{"subject": "a"}', "no predicate"),
        ('{"predicate": null}', "no predicate"),
        ('{"predicate": ["count"]}', "no predicate"),
        ('{"predicate": "smells", "subject": "a"}', "no predicate"),
        ('{"predicate": "count", "label": "x"}', "no field `label`"),
        ('{"predicate": "count", "seal": "x"}', "no field `seal`"),
        ('{"predicate": "count", "subject": 3}', "`subject`"),
        ('{"predicate": "count", "unit": "miles"}', "The unit is one of"),
        ('{"predicate": "count", "value": 1.5}', "whole number"),
        ('{"predicate": "exists", "value": false}', "use absent"),
        ('{"predicate": "contains", "subject": "../a"}', "inside the sandbox"),
        ('{"predicate": "cycle", "scope": "a"}', "no scope"),
        ('{"predicate": "changed_between", "scope": "a"}', "[old, new]"),
        ('{"predicate": "count", "subject": "\\u001b[2Ja/*.py", "unit": "files"}', "no `/`"),
    ],
)
def test_what_can_never_be_proved_is_refused(given_text: str, told: str) -> None:
    with pytest.raises(UsageError) as refused:
        targets_of([given_text])
    assert told in refused.value.what and refused.value.remedy and "\x1b" not in refused.value.what


def test_forms_are_given_once_and_not_too_many() -> None:
    one = '{"predicate": "count", "subject": "a.py", "unit": "lines"}'
    with pytest.raises(UsageError, match="twice"):
        targets_of([one, one])
    many = [
        json.dumps({"predicate": "contains", "subject": f"{number}"}) for number in range(MOST_CLAIMS + 1)
    ]
    with pytest.raises(UsageError, match="at most"):
        targets_of(many)
    assert len(targets_of(many[1:])) == MOST_CLAIMS


def test_words_for_people_go_with_a_form() -> None:
    (target,) = targets_of(['{"predicate": "count", "subject": "a.py", "wanted": "its length"}'])
    assert target["wanted"] == "its length" and "wanted" in FIELDS


def test_the_samples_are_of_every_form_there_is() -> None:
    assert all(problem_of(claim) is None for claim in CLAIMS)
