"""Correct sentences are correct, wrong ones are wrong, and reports cite what they were told to cite."""

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.research.claims import Claim, claims_of
from evals.research.mutations import TYPES, Mutation, mutate
from evals.research.reading import says
from evals.research.report_reading import sentences
from evals.research.reports import STYLES, Style, chosen_claims, compose
from evals.research.stated import assertions, holds
from evals.research.values import Language
from evals.research.world import World, build_world

SEEDS = st.integers(0, 2)
LANGUAGES = st.sampled_from(["en", "zh"])
FEW = settings(max_examples=3, deadline=None)


@cache
def world(seed: int) -> World:
    return build_world(seed)


@cache
def wrong(seed: int, language: Language, kind: str) -> list[Mutation]:
    rng = random.Random(kind)
    made = [mutate(world(seed), claim, kind, rng) for claim in claims_of(world(seed), language)[::4]]
    return [one for one in made if one is not None]


@FEW
@given(SEEDS, LANGUAGES)
def test_every_correct_sentence_stands_in_what_it_cites(seed: int, language: Language) -> None:
    by_url = {document.url: document for document in world(seed).documents}
    for claim in claims_of(world(seed), language):
        assert claim.cited and claim.holds and {url for url, _, _ in claim.holds} == set(claim.cited)
        for url, start, end in claim.holds:
            assert any((s.start, s.end) == (start, end) for s in by_url[url].statements)
        if claim.value.kind != "polarity":
            assert says(claim.text, claim.value), claim


@FEW
@given(SEEDS, LANGUAGES, st.sampled_from(["number", "scale", "unit", "date", "quote", "stale"]))
def test_a_wrong_value_is_in_no_cited_document(seed: int, language: Language, kind: str) -> None:
    for one in wrong(seed, language, kind):
        if one.claim.group == "merged":
            continue
        assert not says(one.text, one.claim.value), one
        if kind != "stale":
            cited = [d for d in world(seed).documents if d.url in one.cited]
            told = [s.value for d in cited for s in d.statements if s.fact.id == one.claim.fact.id]
            assert told and not any(says(one.text, value) for value in told), one


@FEW
@given(SEEDS, LANGUAGES)
def test_a_stale_sentence_says_what_its_old_document_said(seed: int, language: Language) -> None:
    for one in wrong(seed, language, "stale"):
        assert one.claim.fact.earlier is not None and says(one.text, one.claim.fact.earlier)
        old = next(d for d in world(seed).documents if d.url == one.cited[0])
        assert any(s.stance == "old" and s.fact.id == one.claim.fact.id for s in old.statements)


@FEW
@given(SEEDS, LANGUAGES)
def test_a_swapped_or_invented_citation_holds_nothing(seed: int, language: Language) -> None:
    by_url = {document.url: document for document in world(seed).documents}
    for one in wrong(seed, language, "citation_swap"):
        assert all(s.fact.id != one.claim.fact.id for url in one.cited for s in by_url[url].statements)
    assert all(url not in by_url for one in wrong(seed, language, "invented_citation") for url in one.cited)


@FEW
@given(SEEDS, LANGUAGES, st.sampled_from(["subject", "speaker", "year", "negation", "direction"]))
def test_one_thing_is_changed_and_the_sentence_is_another(seed: int, language: Language, kind: str) -> None:
    for one in wrong(seed, language, kind):
        assert one.text != one.claim.text and one.cited == one.claim.cited
        if kind == "subject":
            assert one.claim.fact.subject.names[language] not in one.text


def test_every_type_is_made_in_both_languages() -> None:
    for language in ("en", "zh"):
        assert [kind for kind in TYPES if not any(wrong(seed, language, kind) for seed in range(3))] == []


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("inside", [True, False])
def test_a_report_is_read_as_it_was_put_together(style: Style, language: Language, inside: bool) -> None:
    made = world(1)
    items = [document.item for document in made.documents]
    claims = chosen_claims(made, language, 0)
    said = [(c.text, c.cited, c.fact.subject.names[language]) for c in claims]
    report = compose(said, items, language, style, inside=inside)
    for sentence in report.sentences:
        assert sentence.text.rstrip("。.") in report.text[sentence.start : sentence.end]
    read = [one for one in sentences(report.text, [item.url for item in items]) if one.cited]
    assert [one.cited for one in read] == [claim.cited for claim in claims]
    assert [plain(one.text) for one in read] == [plain(claim.text) for claim in claims]


def plain(text: str) -> str:
    return "".join(letter for letter in text if letter.isalnum())


def test_a_citation_nobody_has_is_no_address_of_a_document() -> None:
    made = world(2)
    items = [document.item for document in made.documents]
    known = {item.url for item in items}
    for style in STYLES:
        report = compose([("It is so.", ("https://nowhere.example/1",), "x")], items, "en", style)
        read = [url for one in sentences(report.text, [item.url for item in items]) for url in one.cited]
        assert len(read) == 1 and read[0] not in known


@FEW
@given(SEEDS, LANGUAGES)
def test_what_a_sentence_says_is_told_from_its_words(seed: int, language: Language) -> None:
    made = world(seed)
    by_url = {document.url: document for document in made.documents}
    seen: list[bool] = []
    for claim in claims_of(made, language)[::5]:
        found = assertions(claim.text, [claim.fact.subject], made)
        right = [one for one in found if one.fact.id == claim.fact.id and one.value == claim.value]
        seen.append(bool(right) and holds(by_url[claim.cited[0]], right[0]))
    assert sum(seen) >= 0.95 * len(seen)


@FEW
@given(SEEDS, LANGUAGES)
def test_what_a_wrong_sentence_says_is_not_told_of_the_right_fact(seed: int, language: Language) -> None:
    made = world(seed)
    for kind in ("number", "unit", "subject", "year", "negation"):
        for one in wrong(seed, language, kind)[::6]:
            assert one.claim.group == "merged" or not _right(one.claim, one.text, made), one


def _right(claim: Claim, text: str, made: World) -> bool:
    about = [subject for subject in made.subjects if subject.names[claim.language] in text]
    return any(a.fact.id == claim.fact.id and a.value == claim.value for a in assertions(text, about, made))
