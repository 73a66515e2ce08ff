"""Text as the checks compare it: one form of each sign, Simplified Chinese, the same length as before.

Every character stands for one character, so offsets in the folded text are offsets in the source.
"""

from __future__ import annotations

import re
from functools import cache

from tools.search.tokens import HAN_SIGNS, simplified

HAN = re.compile(f"[{HAN_SIGNS}]")
_SIGNS = {
    **dict.fromkeys("“”„‟″«»＂", '"'),
    **dict.fromkeys("‘’‚‛′＇", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("\u00a0\u2002\u2003\u2007\u2008\u2009\u200a\u202f\u3000\t\ufeff\u200b", " "),
    "﹐": ",",
    "﹪": "%",
    "〇": "零",
    "○": "零",
    "İ": "I",
}
# Chinese writes some words two ways that no table of simplified forms joins.
_VARIANTS = {
    "佔": "占",
    "姊": "姐",
    "週": "周",
    "佈": "布",
    "彙": "汇",
    "裏": "里",
    "妳": "你",
    "鉅": "巨",
    "祕": "秘",
}


@cache
def _table() -> dict[int, str]:
    table = {code: new for code, new in simplified().items() if chr(code) != new and len(new) == 1}
    table |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
    return table | {ord(old): new for old, new in (_SIGNS | _VARIANTS).items()}


def fold(text: str) -> str:
    """One form of each quotation mark, dash, space and full-width sign, Han characters simplified.

    Returns:
        A text of the same length: the character at an offset stands for the one at that offset before.
    """
    return text if text.isascii() else text.translate(_table())


def lowered(text: str) -> str:
    """Lower case, of the same length."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def is_chinese(text: str) -> bool:
    """True if a reader would call the text Chinese: Han characters outweigh words in letters."""
    han = len(HAN.findall(text))
    return han >= 2 and han * 2 >= len(re.findall(r"[A-Za-z]{2,}", text)) * 3
