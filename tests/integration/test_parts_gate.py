"""The gate of proposed parts with real embeddings: what it keeps and catches, where its weights come from."""

import asyncio

import pytest

from configs.relevance import WORDS, SameWeights, TopicWeights, load_part_weights
from evals.parts.figures import metrics_of
from evals.parts.fitting import of_embedder, same_rows, topic_rows
from evals.parts.labelled import labelled_questions
from evals.parts.measuring import BY_EMBEDDING, measured
from evals.report import Planned
from models.embeddings import MiniLMEmbedder
from models.multilingual_embeddings import E5Embedder, missing_for_e5
from nodes.contractive.meanings import meanings_of
from nodes.contractive.parts import Proposal, accepted, questions_of, texts_weighed
from nodes.contractive.relevance import relevances
from nodes.contractive.state import Question

pytestmark = [
    pytest.mark.integration,
    pytest.mark.skipif(missing_for_e5() is not None, reason=str(missing_for_e5())),
]


@pytest.fixture(scope="module")
def embedder() -> E5Embedder:
    return E5Embedder()


def test_parts_on_topic_are_kept_and_repeats_are_caught(embedder: E5Embedder) -> None:
    every = [one for one in labelled_questions().values() if one.held]
    meanings = meanings_of([text for one in every for text in one.texts()], embedder)
    cases = [measured(Planned(id=one.id, variant=BY_EMBEDDING), one, meanings) for one in every]
    figures = {metric.name: metric.value or 0.0 for metric in metrics_of(cases, 0)}
    for half in ("held back", "fresh"):
        assert figures[f"embedding, {half}: parts on topic kept"] >= 0.99
        assert figures[f"embedding, {half}: unrelated parts dropped"] >= 0.4
        # Below what was measured, so that a change of the embedding engine's rounding is no failure.
        assert figures[f"embedding, {half}: repeats caught"] >= 0.88
        assert figures[f"embedding, {half}: other questions taken"] >= 0.92


@pytest.mark.parametrize(
    ("name", "languages"), [(E5Embedder.name, ()), (MiniLMEmbedder.name, ("en",)), (WORDS, ())]
)
def test_the_weights_in_use_are_the_fitted_ones(
    name: str, languages: tuple[str, ...], embedder: E5Embedder
) -> None:
    opened = {E5Embedder.name: lambda: embedder, MiniLMEmbedder.name: MiniLMEmbedder, WORDS: lambda: None}
    fitted, weights = of_embedder(opened[name](), languages), load_part_weights()
    assert TopicWeights.model_validate(fitted["topic"]).near == pytest.approx(
        weights.topic[name].near, abs=0.5
    )
    same = SameWeights.model_validate(fitted["same"])
    assert same.near == pytest.approx(weights.same[name].near, abs=0.5)
    assert same.shared == pytest.approx(weights.same[name].shared, abs=0.5)
    assert fitted["same_from"] == pytest.approx(weights.same_from[name], abs=0.05)


def test_rows_are_made_of_the_tuned_half_only() -> None:
    features, labels = topic_rows(None)
    parts = sum(len(one.parts) for one in labelled_questions().values() if not one.held)
    assert features.shape[1] == 3 and labels.sum() == parts and not features[:, :2].any()
    assert same_rows(None)[0].shape[1] == 7


async def test_parts_without_a_word_of_the_question_are_taken_and_other_subjects_are_not(
    embedder: E5Embedder,
) -> None:
    root = Question(id="0", text="Can I sterilise the bottle by boiling it on a mountain at 3000 metres?")
    proposal = Proposal.model_validate(
        {
            "kind": "AND",
            "parts": [
                {"question": "What is the boiling point of water at that altitude?", "depends_on": []},
                {"question": "How hot must it be to kill common germs?", "depends_on": []},
                {"question": "Who won the football world cup of 1998?", "depends_on": []},
                {"question": "登山時水的沸點是多少度？", "depends_on": []},
                {"question": "Is boiling on a mountain of 3000 metres good enough to sterilise the bottle?"},
                {"question": "Does boiling water reach the heat that kills germs?", "depends_on": [1, 2, 3]},
            ],
        }
    )
    meanings = await asyncio.to_thread(
        meanings_of, texts_weighed(root.text, root, [], [], proposal), embedder
    )
    scores = relevances(root.text, root.text, questions_of(proposal), meanings)
    found = accepted(root, [], [], proposal, scores, 0.15, meanings=meanings)
    assert [part.proposed for part in found.parts] == [1, 2, 4, 6]
    assert found.parts[-1].depends_on == (1, 2)
    reasons = {part.proposed: part.reason for part in found.dropped}
    assert "off topic" in reasons[3] and "repeats the question" in reasons[5]
