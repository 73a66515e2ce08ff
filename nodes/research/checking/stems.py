"""English words as stems, with the irregular forms a stemmer leaves alone."""

from __future__ import annotations

import threading
from functools import cache, lru_cache

_IRREGULAR = {
    "rose": "rise", "risen": "rise", "fell": "fall", "fallen": "fall", "grew": "grow", "grown": "grow", "sold": "sell",
    "sales": "sale", "bought": "buy", "won": "win", "lost": "lose", "losing": "lose", "said": "say", "told": "tell",
    "found": "find", "founded": "founded", "built": "build", "made": "make", "led": "lead", "paid": "pay", "spent": "spend",
    "began": "begin", "begun": "begin", "came": "come", "went": "go", "gone": "go", "took": "take", "taken": "take",
    "gave": "give", "given": "give", "got": "get", "held": "hold", "kept": "keep", "left": "leave", "met": "meet",
    "ran": "run", "saw": "see", "seen": "see", "sent": "send", "shown": "show", "stood": "stand", "wrote": "write",
    "written": "write", "children": "child", "men": "man", "women": "woman", "people": "people", "died": "die",
    "dying": "die", "dead": "death", "better": "better", "worse": "worse", "shrank": "shrink", "shrunk": "shrink", "slid": "slide",
    "sank": "sink", "sunk": "sink", "drew": "draw", "drawn": "draw", "fought": "fight", "flew": "fly", "flown": "fly",
    "chose": "choose", "chosen": "choose", "broke": "break", "broken": "break", "driven": "drive", "drove": "drive",
    "taught": "teach", "caught": "catch", "brought": "bring", "thought": "think", "withdrew": "withdraw", "cities": "city",
    "analyses": "analysis", "mice": "mouse", "halves": "half", "feet": "foot", "became": "become", "wore": "wear", "lay": "lie",
    "earning": "earn", "earnings": "earn", "universities": "university", "university": "university", "officials": "official", "businesses": "business",
}  # fmt: skip


class _OfThread(threading.local):
    """A stemmer keeps the word it works on: shared by two threads, it gives wrong stems or fails."""

    def __init__(self) -> None:
        import snowballstemmer

        self.stemmer = snowballstemmer.stemmer("english")


@cache
def _stemmers() -> _OfThread:
    return _OfThread()


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of an English word in lower case; other words come back as they are."""
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or not word.isascii():
        return word
    return str(_stemmers().stemmer.stemWord(word))
