"""The words of a question that name something to look for. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.folding import fold
from nodes.research.passages import ASKING, STOPWORDS

NOTHING_ASKED = "The question names nothing to look for."

# The documents themselves, and signs that only point; after `fold` there are simplified ones only.
_POINTING = re.compile(
    r"\b(?:this|these|that|those|the|any|all)\s+(?:documents?|texts?|files?|sources?|articles?|pages?|ones?)\b"
    r"|文件|文档|文章|文本|资料|材料|内容|关于|告诉|这|那|此|它|他|她|们|个|些|份|篇|谁|哪|里|何|我|你|您|说|讲|吧|啊|嘛|多"
    r"|少|几|请问|请",
    re.IGNORECASE,
)
_ALSO_EMPTY = frozenset(
    "am any being does doing done having he him his her hers i me my myself no not one ones".split()
)
_WORD = re.compile(r"[^\W_]+(?:\+\+|#)?")


def asked_words(query: str) -> list[str]:
    """The words of a question, folded, without those that only ask or point; empty if it names nothing.

    A short form in capitals is a name where the question has small letters, too: "What is the WHO?".
    """
    plain = _POINTING.sub(" ", ASKING.sub(" ", fold(query)))
    has_small = any(char.islower() for char in plain)
    found = []
    for word in _WORD.findall(plain):
        is_short_form = has_small and len(word) > 1 and word.isupper()
        if is_short_form or word.casefold() not in STOPWORDS | _ALSO_EMPTY:
            found.append(word)
    return found


def speaks_of(folded: str, words: list[str]) -> bool:
    """True if a folded text has every one of the words, letter by letter; of no word at all, False."""
    text = folded.casefold()
    return bool(words) and all(
        re.search(rf"(?<![a-z0-9]){re.escape(word.casefold())}(?![a-z0-9])", text) for word in words
    )
