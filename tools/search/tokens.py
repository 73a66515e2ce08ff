"""A text as the keyword index knows it: words, numbers, and for scripts without spaces pairs of characters.

Traditional and simplified characters are the same terms. Pairs (bigrams) are the usual index terms of Chinese
and Japanese retrieval: about as good as a segmenter's words (Nie, Gao, Zhang and Zhou, "On the use of words
and n-grams for Chinese information retrieval", IRAL 2000), and they need neither dictionary nor guess.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

LONGEST_WORD = 64

# For character classes: Han characters, and these with kana and Hangul.
HAN_SIGNS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
EAST_ASIAN = HAN_SIGNS + "\u3040-\u30ff\uac00-\ud7af"
# Han, kana, bopomofo, Hangul, Thai, Lao, Myanmar and Khmer.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3100-\u312f\u31a0-\u31bf" + EAST_ASIAN
_TOKEN = re.compile(
    rf"[{_UNSPACED}]+|\d+(?:[.,]\d+)*|[^\W\d_{_UNSPACED}][^\W_{_UNSPACED}]*(?:['’][^\W_{_UNSPACED}]+)*"
)
_POSSESSIVE = re.compile("['’]s$")
_FIRST_UNSPACED = "\u0e00"
_UNSPACED_START = re.compile(f"[{_UNSPACED}]")
_HAN = re.compile(f"[{HAN_SIGNS}]")
_KANA = re.compile("[\u3040-\u30ff]")
_HANGUL = re.compile("[\uac00-\ud7af]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")

# Words that ask rather than name; a query's documents need not hold them.
_ASKING = re.compile(
    "(?:[是有為为在]|分別|分别)?(?:什麼時候|什么时候|為什麼|为什么|什麼|什么|甚麼|多少|哪些|哪個|哪个|哪一|哪裡|哪里|何時|何时|"
    "為何|为何|如何|怎麼|怎么|怎樣|怎样|誰|谁|幾個|几个|第幾)|有沒有|有没有|是不是|請問|请问|是否|關於|关于|[嗎吗呢]"
)
_COMMON = frozenset(
    "a an and any are as at be been being but by can could did do does for from had has have how i in"
    " into is it its me many much of on or our please shall should so tell than that the their them then"
    " there these they this those to us was we were what when where which who whom whose why will with"
    " would you your".split()
)

_ENGLISH = 0.2
"""Share of its words that are common ones: 0.3 to 0.5 in English prose, below 0.1 in its neighbours'."""


def tokens_of(text: str) -> list[str]:
    """Index terms in the order of the text: folded words, numbers without separators, pairs of characters."""
    return list(_tokens(text))


def query_tokens(query: str) -> list[str]:
    """Different index terms of a query, without words that only ask; all if it says nothing else."""
    asked = _ASKING.sub(" ", unicodedata.normalize("NFKC", query))
    said = [token for token in _tokens(asked) if token not in _COMMON]
    return list(dict.fromkeys(said or _tokens(query)))


def language_of(text: str) -> str | None:
    """The language by its letters and its commonest words: "zh", "ja", "ko", "en", or None for any other.

    A text counts as Chinese from one Han character for four Latin letters on, since a character says about as
    much as a short word.
    """
    sample = text[:20_000]
    han, kana, hangul, latin = (len(p.findall(sample)) for p in (_HAN, _KANA, _HANGUL, _LATIN))
    if hangul > han + kana and hangul * 4 >= latin:
        return "ko"
    if (han + kana) * 4 >= latin and han + kana:
        return "ja" if kana * 10 > han else "zh"
    words = re.findall(r"[^\W\d_]+", sample.casefold())
    return "en" if sum(word in _COMMON for word in words) >= _ENGLISH * len(words) > 0 else None


@cache
def simplified() -> dict[int, str]:
    """Traditional characters to simplified ones, by OpenCC's table: either script finds the other."""
    lines = (files("opencc") / "dictionary" / "TSCharacters.txt").read_text("utf-8").splitlines()
    pairs = (line.split("\t") for line in lines if "\t" in line)
    return {ord(pair[0]): pair[1].split(" ")[0] for pair in pairs if len(pair[0]) == 1}


def _tokens(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKC", text).casefold()
    if _HAN.search(plain):
        plain = plain.translate(simplified())
    for word in _TOKEN.findall(plain):
        if word[0].isdigit():
            yield word.replace(",", "")[:LONGEST_WORD]
        elif word[0] >= _FIRST_UNSPACED and _UNSPACED_START.match(word):
            yield from (word[at : at + 2] for at in range(max(len(word) - 1, 1)))
        else:
            yield (_POSSESSIVE.sub("", word) if word[-1] == "s" else word)[:LONGEST_WORD]
