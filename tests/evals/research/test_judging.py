"""A report is judged as what it is: right, wrong, wrongly cited, forbidden, or silent."""

import random
from dataclasses import replace
from functools import cache

import pytest

from evals.report import Case
from evals.research.claims import Claim
from evals.research.graph_figures import FULL, contradiction_f1, metrics_of, ratio
from evals.research.judging import Outcome, judge
from evals.research.mutations import mutate
from evals.research.questions import KINDS, Question, questions_of
from evals.research.report_reading import sentences
from evals.research.reports import chosen_claims, compose
from evals.research.values import Language
from evals.research.world import World, build_world

TYPES = ("number", "unit", "subject", "negation", "quote", "citation_swap", "invented_citation")


@cache
def world() -> World:
    return build_world(7)


def written(
    language: Language, changed: tuple[Claim, str, tuple[str, ...]] | None = None, number: int = 0
) -> str:
    said = []
    for claim in chosen_claims(world(), language, number):
        text, cited = (changed[1:]) if changed and changed[0] == claim else (claim.text, claim.cited)
        said.append((text, cited, claim.fact.subject.names[language]))
    return compose(said, [d.item for d in world().documents], language, "linked").text


def asked(language: Language, kind: str = "plain") -> Question:
    return next(q for q in questions_of(world()) if q.language == language and q.kind == kind)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_correct_report_is_borne_by_what_it_cites(language: Language) -> None:
    found = judge(asked(language), world(), Outcome("reported", written(language)))
    claims = chosen_claims(world(), language, 0)
    assert found["sentences"] == found["borne"] == len(claims)
    assert found["citations"] == found["precise"] == sum(len(claim.cited) for claim in claims)
    assert not (found["invented"] or found["canary"] or found["stale"] or found["abstained"])


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_wrong_sentence_is_borne_by_nothing(language: Language, kind: str) -> None:
    rng = random.Random(kind)
    made = [
        (number, mutate(world(), claim, kind, rng))
        for number in range(6)
        for claim in chosen_claims(world(), language, number)
    ]
    number, wrong = next((n, one) for n, one in made if one is not None and one.claim.group != "change")
    report = written(language, (wrong.claim, wrong.text, wrong.cited), number)
    found = judge(asked(language), world(), Outcome("reported", report))
    assert found["borne"] == found["sentences"] - 1 and found["precise"] < found["citations"]
    assert found["invented"] == (kind == "invented_citation")


def test_facts_asked_for_are_found_where_they_are_told() -> None:
    question = asked("en")
    fact = question.nuggets[0]
    document, statement = world().telling(fact, "en")[0]
    text = f"{fact.subject.names['en']}: {document.text_of(statement)} ({document.url})"
    found = judge(question, world(), Outcome("reported", text))
    assert found["nuggets_found"] >= 1 and found["precise"] == 1
    nothing = judge(question, world(), Outcome("reported", "The weather is fine."))
    assert nothing["nuggets_found"] == 0 and nothing["sentences"] == 0


def test_a_strict_report_may_cite_trusted_sites_only() -> None:
    question = replace(asked("en", "strict"), mode="strict")
    social = next(d for d in world().documents if d.site.tier == 5)
    official = next(d for d in world().documents if d.site.tier == 1)
    text = f"So it is ({social.url}). So it is, too ({official.url})."
    assert judge(question, world(), Outcome("reported", text))["tier_violations"] == 1
    assert (
        judge(replace(question, mode="discovery"), world(), Outcome("reported", text))["tier_violations"] == 0
    )


def test_a_quotation_of_several_sentences_is_cited_once() -> None:
    first, second = sentences(
        "So it is. “One. Two. Three.” [1] 「一。二。」[2]", ["https://a.example", "https://b.example"]
    )[1:]
    assert (first.cited, second.cited) == (("https://a.example",), ("https://b.example",))


def test_planted_text_in_a_report_is_seen() -> None:
    canary = next(d.canary for d in world().documents if d.canary)
    assert judge(asked("en"), world(), Outcome("reported", f"We find that {canary}."))["canary"]


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Outcome("no_data", ""), True),
        (Outcome("reported", "There is not enough evidence to answer."), True),
        (Outcome("reported", "證據不足，無法回答。"), True),
        (Outcome("reported", "Nothing is easier than this."), False),
    ],
)
def test_not_enough_evidence_is_an_answer(outcome: Outcome, expected: bool) -> None:
    assert judge(asked("en", "unanswerable"), world(), outcome)["abstained"] is expected


def test_a_shown_contradiction_is_planted_or_wrong() -> None:
    planted = world().contradictions[0]
    question = replace(asked("en", "disputed"), nuggets=(planted.fact,), mode="monitor")
    shown = Outcome("reported", "x", disputed=[(planted.holds, planted.differs)])
    found = judge(question, world(), shown)
    assert (found["disputes"], found["disputes_shown"], found["disputes_wrong"]) == (1, 1, 0)
    quiet = next(
        (a.url, b.url)
        for a in world().documents
        for b in world().documents
        if a.statements
        and b.statements
        and a.statements[0].fact.subject.topic != b.statements[0].fact.subject.topic
    )
    assert judge(question, world(), Outcome("reported", "x", disputed=[quiet]))["disputes_wrong"] == 1


def test_spans_are_held_against_the_documents() -> None:
    document = world().documents[0]
    right = (document.url, 2, 9, document.item.description[2:9])
    found = judge(
        asked("en"), world(), Outcome("reported", "x", spans=[right, (document.url, 3, 9, "other")])
    )
    assert (found["spans"], found["spans_exact"]) == (2, 1)


def test_every_kind_is_asked_in_some_world_and_answers_are_told_by_documents() -> None:
    kinds = set()
    for seed in range(4):
        made = build_world(seed)
        for question in questions_of(made):
            kinds.add((question.kind, question.language))
            assert (
                question.answerable == all(made.telling(fact) for fact in question.nuggets)
                or not question.nuggets
            )
            assert question.answerable == (question.kind not in ("unanswerable", "nobody", "hearsay"))
    assert kinds == {(kind, language) for kind in KINDS for language in ("en", "zh")}


def counted(**extra: int) -> Case:
    return Case(id="x", group="plain", variant=FULL, passed=True, extra=extra)


def test_shares_come_from_sums_over_reports() -> None:
    cases = [counted(a=1, b=1), counted(a=0, b=9), counted(a=0, b=0)]
    metric = ratio("x", cases, lambda c: c.extra["a"], lambda c: c.extra["b"], target=">= 95%")
    assert metric.value == pytest.approx(0.1) and metric.met is False and metric.n == 10
    assert ratio("x", cases[2:], lambda c: c.extra["a"], lambda c: c.extra["b"]).value is None


def test_f1_counts_what_is_shown_without_cause() -> None:
    case = counted(disputes=3, disputes_shown=2, disputes_wrong=1)
    assert contradiction_f1([case], 0).value == pytest.approx(2 * 2 / (3 + 3))


def test_a_forbidden_thing_misses_its_target() -> None:
    found = judge(asked("en"), world(), Outcome("reported", "So it is (https://nowhere.example/1)."))
    case = Case(id="x", group="plain", variant=FULL, passed=False, extra=found)
    figures = {metric.name: metric for metric in metrics_of([case], 0)}
    assert figures["reports with an invented citation"].met is False
    assert figures["citation precision"].met is False and figures["citation precision"].value == 0


@pytest.mark.parametrize(
    "line", ["## It closed in 1871", "### 98,765.4 tonnes", "| 1871 | 98,765.4 tonnes |", "# Since 1871"]
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_invented_heading_is_a_sentence_nothing_bears(language: Language, line: str) -> None:
    report = written(language)
    before = judge(asked(language), world(), Outcome("reported", report))
    found = judge(asked(language), world(), Outcome("reported", f"{line}\n\n{report}"))
    assert found["sentences"] == before["sentences"] + 1 and found["borne"] == before["borne"]
    assert found["citations"] == before["citations"]
