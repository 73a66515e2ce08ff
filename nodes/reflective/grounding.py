"""Does every fact in an answer stand in the evidence? Numbers, paths, names and quotations are looked up.

Grounding says that a fact was seen, not that the answer is right: a wrong plan can be well grounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Whatever holds a digit: numbers, versions, hashes, dates and times of day.
TIME = r"\d{1,2}(?::\d\d){1,2}(?:\.\d+)?"
MOMENT = rf"\d{{4}}-\d\d-\d\d(?:[Tt ]{TIME}(?:[+-]\d\d:?\d\d|[Zz])?)?|{TIME}"
TOKEN = re.compile(rf"(?:{MOMENT})(?!\w)|\w*\d\w*(?:[.,]\w*\d\w*)*")
# A unit may follow at once: "5KB", "2nd".
NUMBER = re.compile(r"(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)[A-Za-z]*")
# Commas group thousands only where they cannot separate fields, as in "a,240,112".
GROUPED = re.compile(r"(?<![\w,.])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])")
SINGLE = re.compile(r"(?<!\w)(?<!\d\.)\d+(?:\.\d+)?(?!\d|\.\d|[A-Za-z_]+\d)")
# The number in the name of a standard counts nothing.
STANDARD = re.compile(r"(?<!\w)(?:SHA|UTF|MD|ISO|Base)-?\d{1,4}(?!\w)", re.IGNORECASE)
# Names that only evidence can give: identifiers, and files that have no extension.
NAME = re.compile(
    r"(?<![\w.])(?:[A-Za-z]\w*_\w+|_\w+|[a-z]{2,}[A-Z]\w*|\w+(?=\(\))"
    r"|Makefile|Dockerfile|README|LICEN[CS]E|CHANGELOG)(?!\w)"
)
UNITS = "one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
# "one" and "a" are too common to be counts.
WRITTEN = {word: str(value) for value, word in enumerate([*UNITS, *TEENS], start=1) if value > 1}
WRITTEN |= {word: str(10 * value) for value, word in enumerate(TENS, start=2)}
WRITTEN |= {
    f"{ten}-{unit}": str(10 * value + number)
    for value, ten in enumerate(TENS, start=2)
    for number, unit in enumerate(UNITS, start=1)
}
WRITTEN |= {"dozen": "12", "hundred": "100", "thousand": "1000", "million": "1000000"}
WRITTEN_NUMBER = re.compile(rf"\b(?:{'|'.join(sorted(WRITTEN, key=len, reverse=True))})s?\b", re.IGNORECASE)
STEM = r"[\w@+-](?:[\w@+-]|\.(?!\.))*"
PATH = re.compile(
    r"(?<![\w/.-])(?:"
    r"(?:\.{0,2}/)?(?:[\w@+-][\w.@+-]*/)+[\w.@+-]*"
    rf"|{STEM}\.[A-Za-z]\w{{0,10}}(?![\w/])"
    rf"|(?=[\w@+.-]*[A-Za-z][\w@+.-]*\.){STEM}\.\d+[A-Za-z]\w{{0,5}}(?![\w/])"
    r"|\.[A-Za-z]\w[\w.-]*"
    r")"
)
QUOTED = re.compile(
    # A single quoted character is taken along, or its closing quote would open the next quotation.
    r'"([^"\n]*)"|`([^`\n]*)`|“([^”\n]*)”|«([^»\n]*)»|‘([^’\n]*)’'
    r"|(?<!\w)'([^'\n]*)'(?!\w)"
)
# Ordinary words with a dot inside that name no file.
NOT_PATHS = frozenset({"e.g", "i.e"})
LIST_MARK = re.compile(r"(?m)^[ \t]*(?:(\d+)[.)]|[-*])[ \t]+(?=\S)")


def _plain(number: str) -> str:
    text = number.replace(",", "")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _without_list_marks(answer: str) -> str:
    """The answer without bullets, and without numbers that count its lines as 1, 2, 3."""
    expected = 1

    def mark(match: re.Match[str]) -> str:
        nonlocal expected
        if match[1] is not None and match[1] != str(expected):
            return match[0]
        expected += match[1] is not None
        return ""

    return LIST_MARK.sub(mark, answer)


def _numbers_in(text: str) -> list[str]:
    """Everything with a digit; fields that commas separate are told apart."""
    tokens = TOKEN.findall(STANDARD.sub(" ", text))
    return [part for token in tokens for part in ([token] if NUMBER.fullmatch(token) else token.split(","))]


def facts_in(answer: str) -> list[str]:
    """Every number, path, name and quotation of an answer, as written, in order, without repeats."""
    body = _without_list_marks(answer)
    quoted = [next((group for group in match.groups() if group), "") for match in QUOTED.finditer(body)]
    facts = [text for text in quoted if len(text) > 1]
    facts += [path for path in PATH.findall(body) if path not in NOT_PATHS]
    without_paths = PATH.sub(" ", body)
    facts += NAME.findall(without_paths)
    facts += _numbers_in(without_paths)
    facts += WRITTEN_NUMBER.findall(without_paths)
    return list(dict.fromkeys(fact for fact in facts if fact.strip()))


def _stands_in(fact: str, text: str) -> bool:
    """True if the fact stands in the text by itself: `a.py` does not stand in `data.py` or `a.py.bak`."""
    start = r"(?<!\w)(?<!\w[.@+-])" if fact[:1].isalnum() else r"(?<!\w)" if fact[:1] == "." else ""
    end = r"(?!\w|[.@+]\w|-[^\W\d])" if fact[-1:].isalnum() else ""
    return re.search(f"{start}{re.escape(fact)}{end}", text) is not None


def ungrounded(answer: str, evidence: Iterable[str]) -> list[str]:
    """Facts of the answer that no evidence holds; a line that stands in the evidence as it is holds none.

    Args:
        answer: the answer to check.
        evidence: the goal and everything tools returned or code computed.
    """
    text = "\n".join(evidence).lower()
    seen = {line.strip() for line in text.split("\n")}
    told = "\n".join(line for line in answer.split("\n") if line.strip().lower() not in seen)
    numbers = {_plain(number) for number in GROUPED.findall(text) + SINGLE.findall(text)}
    return [fact for fact in facts_in(told) if not _is_held(fact.lower(), text, numbers)]


def says_nothing_of(answer: str, output: str) -> bool:
    """True if the answer takes up no word and no number of an output that holds some.

    "Here is what you asked for." states no fact, so none of its facts lacks evidence; yet it answers nothing.
    """
    words = {word for word in re.findall(r"\w+", output.lower()) if len(word) > 2 or not word.isascii()}
    numbers = {_plain(number) for number in GROUPED.findall(output) + SINGLE.findall(output)}
    text = answer.lower()
    told = {_plain(number) for number in GROUPED.findall(text) + SINGLE.findall(text)}
    told |= {WRITTEN[word.lower()] for word in WRITTEN_NUMBER.findall(text) if word.lower() in WRITTEN}
    if not words and not numbers:
        return False
    return not (numbers & told or any(word in text for word in words))


def _is_held(fact: str, text: str, numbers: set[str]) -> bool:
    if number := NUMBER.fullmatch(fact):
        return _plain(number[1]) in numbers
    if value := WRITTEN.get(fact) or WRITTEN.get(fact.removesuffix("s")):
        return value in numbers or _stands_in(fact, text)
    if re.fullmatch(MOMENT, fact):  # it may stand in a longer one
        return re.search(rf"(?<!\d){re.escape(fact)}(?!\d)", text) is not None
    return _stands_in(fact.removeprefix("./").rstrip("/."), text)
