from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from nodes.research.critic import RANK, capped, code_review
from nodes.research.state import CriticOutput, Finding, Source

SOURCES = [Source(number=1, url="a", site="行政院", tier=1), Source(number=2, url="b", site="PTT", tier=5)]
GOOD = Finding(sentence="Cargo rose {cite:1}.", verdict="supported")
BAD = Finding(sentence="Fish fell {cite:1}.", verdict="contradicted", reason="rose")


def test_a_models_verdict_is_never_better_than_what_code_found() -> None:
    for found, said in product(RANK, RANK):
        review = capped(CriticOutput(status=found), CriticOutput(status=said))
        assert RANK[review.status] == max(RANK[found], RANK[said])


def test_a_model_cannot_call_a_breach_of_the_mode_compliant() -> None:
    found = CriticOutput(status="REJECT", mode_compliance="違反")
    assert capped(found, CriticOutput(status="PASS", mode_compliance="符合")).mode_compliance == "違反"
    said = capped(CriticOutput(status="PASS"), CriticOutput(status="PASS", mode_compliance="違反"))
    assert (said.status, said.mode_compliance) == ("WARN", "違反")


def test_a_forbidden_tier_an_invented_citation_and_an_empty_draft_are_rejected() -> None:
    forbidden = code_review("Cargo rose {cite:2}.", "strict", SOURCES, [GOOD], 2)
    assert (forbidden.status, forbidden.mode_compliance) == ("REJECT", "違反")
    assert code_review("Cargo rose {cite:9}.", "discovery", SOURCES, [GOOD], None).status == "REJECT"
    assert code_review(" ", "discovery", SOURCES, [], None).status == "REJECT"
    assert code_review("Cargo rose.", "discovery", SOURCES, [GOOD], None).status == "REJECT"
    assert code_review("Cargo rose {cite:1}.", "strict", SOURCES, [GOOD], 2).status == "PASS"


@given(st.integers(0, 6), st.integers(1, 6))
def test_failing_sentences_cost_the_pass_and_many_cost_the_draft(bad: int, good: int) -> None:
    review = code_review("A {cite:1}.", "discovery", SOURCES, [*[BAD] * bad, *[GOOD] * good], None)
    expected = "PASS" if bad == 0 else "REJECT" if bad / (bad + good) > 0.34 else "WARN"
    assert review.status == expected and len(review.source_issues) == bad
