from collections.abc import Sequence

import numpy as np
import pytest

from models.errors import ModelUnavailable
from models.passage_embeddings import PassageEmbedder, PassageModel, SymmetricPassages
from tests.support.hashing_embedder import HashingEmbedder
from tools.search.copies import COPIES
from tools.search.index.corpus_search import RETRIEVAL, CorpusSearch
from tools.search.index.sources import CorpusSource, Loaded
from tools.search.items import Item

TEXTS = {
    "a": "The ferry terminal of the town will open in May.",
    "b": "The library of the town is closed on Sundays.",
    "c": "A bakery that is new sells bread and cakes.",
}


class MeaningEmbedder(HashingEmbedder):
    """Knows that ship and ferry mean the same."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        return super().embed([text.lower().replace("ship", "ferry") for text in texts])


def source(key: str, text: str) -> CorpusSource:
    item = Item(url=key, description=text)
    return CorpusSource(key, "", lambda: item.digest, lambda: Loaded([item]))


def searching(
    embedder: HashingEmbedder | None = None, most: int = 100, texts: dict[str, str] = TEXTS
) -> CorpusSearch:
    model = embedder or MeaningEmbedder("meaning")

    def opened(name: PassageModel) -> PassageEmbedder:
        return SymmetricPassages(model)

    return CorpusSearch(None, lambda: [source(k, t) for k, t in texts.items()], "minilm", most, opened)


def test_a_document_is_found_by_meaning_without_a_word_in_common() -> None:
    search = searching()
    found = search.search("ship", 3)
    assert found[0].url == "a"
    facts = found[0].schema_object[RETRIEVAL]
    assert facts["coverage"] == 0 and facts["cosine"] > 0 and facts["embedder"] == "meaning"
    assert "Passages were found by their words and by meaning." in search.notes


def test_each_passage_is_embedded_once_and_the_first_search_no_more_than_allowed() -> None:
    embedder = MeaningEmbedder("meaning")
    search = searching(embedder, most=1)
    search.search("library", 3)
    assert [text for text in embedder.embedded if "town" in text] == ["b\n" + TEXTS["b"].lower()]
    assert "2 passages have no vector yet and are found by their words only." in search.notes
    for _ in range(4):
        search.search("library", 3)
    assert sum("\n" in text for text in embedder.embedded) == len(TEXTS)


def test_a_model_that_fails_leaves_the_words_and_is_told() -> None:
    def opened(name: PassageModel) -> PassageEmbedder:
        raise ModelUnavailable("It is not installed.", "Install it.")

    sources = [source(key, text) for key, text in TEXTS.items()]
    search = CorpusSearch(None, lambda: sources, "minilm", 9, opened)
    assert [item.url for item in search.search("ferry", 3)] == ["a"]
    assert search.notes == ["Passages were found by their words only: It is not installed."]


def test_a_model_of_english_only_is_not_asked_about_chinese() -> None:
    embedder = MeaningEmbedder("meaning")
    search = searching(embedder, texts={"zh": "經濟部公布外銷訂單統計。"})
    assert [item.url for item in search.search("外銷訂單", 3)] == ["zh"]
    assert embedder.embedded == []
    assert any("words only" in note for note in search.notes)


def test_scores_fall_with_the_order_and_copies_are_told() -> None:
    text = (
        "The harbour of Tarn handled 1,204 ships last year, which is nine percent more than before, it said."
    )
    texts = {**TEXTS, "x": text, "y": text + " Reprinted."}
    found = searching(texts=texts).search("harbour ships of Tarn", 5)
    assert [item.score for item in found] == sorted((item.score for item in found), reverse=True)
    copies = {item.url: item.schema_object.get(COPIES) for item in found[:2]}
    assert copies == {"x": ["y"], "y": ["x"]}


@pytest.mark.parametrize(
    "query", ['"', "NEAR(a b", "a AND NOT", "col:x", "*", "^", "-", "", "\0", "'; DROP TABLE words"]
)
def test_nothing_in_a_query_is_an_operator(query: str) -> None:
    assert isinstance(searching().search(query, 3), list)
