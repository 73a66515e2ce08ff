"""Replies that say nothing of their own: the question once more, or one sentence over and over. Pure."""

from __future__ import annotations

import re
from collections import Counter

# Chinese writes no blanks, so each of its characters counts as a word.
WORD = re.compile(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+")
SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")
# A greeting may be returned as it is; a question of this many words may not.
FEWEST_WORDS = 3
# Words an answer adds to the question it repeats before it may say something.
NEW_WORDS = 2
# A reply repeats itself when one sentence stands in it this often and makes up so much of it.
TIMES = 3
SHARE = 0.5
# The same stretch of text, at least three times in a row.
IN_A_ROW = re.compile(r"(\S(?:.{0,78}\S)?[\s,;.!?。，]*?)\1{2,}", re.DOTALL)
SHORTEST = 24


def echoes(question: str, answer: str) -> bool:
    """True if an answer is the question once more and hardly a word beside.

    "Java" is an answer to "is Python or Java older?": only what begins as the question does repeats it.
    """
    asked, said = _words(question), _words(answer)
    if len(asked) < FEWEST_WORDS or said[: len(asked)] != asked:
        return False
    return len(set(said) - set(asked)) <= NEW_WORDS


def repeats_itself(answer: str) -> bool:
    """True if most of a text is one sentence, or one stretch of it, said three times or more."""
    sentences = [" ".join(words) for part in SENTENCE.split(answer) if (words := _words(part))]
    if sentences:
        [(most, times)] = Counter(sentences).most_common(1)
        if times >= TIMES and times * len(most) >= SHARE * sum(map(len, sentences)):
            return True
    plain = "".join(f"{word} " for word in _words(answer))
    rows = [match.group(0) for match in IN_A_ROW.finditer(plain)]
    longest = max(map(len, rows), default=0)
    return longest >= SHORTEST and longest >= SHARE * len(plain)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in WORD.findall(text)]
