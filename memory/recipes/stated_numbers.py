"""Numbers as goals write them: in digits or as English words."""

from __future__ import annotations

NUMBER_WORDS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split()
    )
}
NUMBER = r"(\d[\d,]*(?:\.\d+)?|" + "|".join(NUMBER_WORDS) + r"|an?|dozen)"


def number(text: str) -> float:
    """A number written in digits or as an English word up to twenty."""
    word = text.lower()
    if word in ("a", "an"):
        return 1
    if word == "dozen":
        return 12
    return NUMBER_WORDS[word] if word in NUMBER_WORDS else float(word.replace(",", ""))
