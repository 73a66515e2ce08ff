from evals.retrieval import DOCUMENTS, QUESTIONS, measure, rows


def test_every_question_is_about_a_document_there_is() -> None:
    documents = [row["id"] for row in rows(DOCUMENTS)]
    assert len(set(documents)) == len(documents) == 35
    assert {row["document"] for row in rows(QUESTIONS)} <= set(documents)
    assert all(row["text"] for row in rows(DOCUMENTS))


def test_words_alone_find_what_is_asked_in_the_words_of_the_document() -> None:
    kinds = measure("none")["kinds"]
    assert {kind: kinds[kind]["r@1"] for kind in ("en", "zh", "script")} == {
        "en": 1.0,
        "zh": 1.0,
        "script": 1.0,
    }
    assert kinds["all"]["n"] == len(rows(QUESTIONS))
