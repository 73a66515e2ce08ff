from pathlib import Path

import pytest

from nodes.research.languages import other_languages
from nodes.research.state import Source
from tests.nodes.research.corpus import QUERY, item, researched

CHINESE = "林都港2023年的貨物吞吐量為420萬公噸，創下歷年新高。"
ENGLISH = "The ferry of Westmere was late on most days of the year, and the town was not amused."


@pytest.mark.parametrize(
    ("query", "texts", "others"),
    [
        (QUERY, (CHINESE, ENGLISH), {"zh": 1}),
        ("林都港2023年的貨物吞吐量是多少？", (ENGLISH, ENGLISH, CHINESE), {"en": 2}),
        (QUERY, (ENGLISH,), {}),
        ("KLM?", (CHINESE,), {}),
    ],
)
def test_sources_in_other_languages_are_counted(
    query: str, texts: tuple[str, ...], others: dict[str, int]
) -> None:
    sources = [Source(number=n, url=f"u{n}") for n in range(len(texts))]
    assert other_languages(query, sources, dict(enumerate(texts))) == others


@pytest.mark.parametrize(
    ("query", "text", "words"),
    [
        (QUERY, CHINESE, "1 of 1 sources are in another language (Chinese 1)"),
        ("林都港2023年的貨物吞吐量是多少？", ENGLISH, "1 個來源中有 1 個為其他語言（英文 1）"),
    ],
)
async def test_no_answer_says_that_the_sources_are_in_another_language(
    tmp_path: Path, query: str, text: str, words: str
) -> None:
    given = [item("https://a.example/1", "行政院", text)]
    state = await researched(tmp_path, f"language-{len(query)}", query=query, items=given)
    (report,) = state.result
    assert report["schema_object"]["@type"] == "NoDataReport"
    assert words in report["description"] and "ollama" in report["description"]
    assert sum(report["schema_object"]["other_languages"].values()) == 1


async def test_a_latin_name_and_words_of_both_languages_find_the_answer(tmp_path: Path) -> None:
    given = [item("https://a.example/1", "行政院", "Lindow Harbour had exports of 30 million euros in 2023.")]
    state = await researched(tmp_path, "latin", query="Lindow Harbour 2023年的出口是多少？", items=given)
    assert "30 million euros in 2023 [1]" in state.result[0]["description"]
    assert not state.other_languages
