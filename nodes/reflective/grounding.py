"""Does every fact in an answer stand in the evidence? Numbers, paths, names and quotations are looked up.

Grounding says that a fact was seen, not that the answer is right: a wrong plan can be well grounded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nodes.reflective.number_words import language_of, number_words, plain_digits, written_dates

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
STEM = r"[\w@+-](?:[\w@+-]|\.(?!\.))*"
PATH = re.compile(
    r"(?<![\w/.-])(?:"
    r"(?:\.{0,2}/)?(?:[\w@+-][\w.@+-]*/)+[\w.@+-]*"
    rf"|{STEM}\.[A-Za-z]\w{{0,10}}(?![\w/])"
    rf"|(?=[\w@+.-]*[A-Za-z][\w@+.-]*\.){STEM}\.\d+[A-Za-z]\w{{0,5}}(?![\w/])"
    r"|\.[A-Za-z]\w[\w.-]*"
    r")"
)
# A quotation may go over lines, but not over an empty one.
_LINES = r"(?:[^{0}\n]|\n(?!\s*\n)){{2,600}}"
QUOTED = re.compile(
    # A quotation too short to be a fact is taken along, or its closing quote would open the next one.
    r'"([^"\n]*)"|`([^`\n]*)`|'
    + "|".join(rf"{start}({_LINES.format(end)}){end}" for start, end in ("“”", "«»", "‘’", "„“", "「」"))
    + r"|(?<!\w)'([^'\n]*)'(?!\w)"
)
QUOTED_LINES = re.compile(rf'"({_LINES.format(chr(34))})"')
BLOCK = re.compile(r"```[^\n`]*\n(.*?)\n?```", re.DOTALL)
ELLIPSIS = re.compile(r"\s*(?:\[(?:\.\.\.|…)\]|\(\.\.\.\)|\.\.\.|…)\s*")
WINDOWS_PATH = re.compile(r"(?<![\w\\])(?:[A-Za-z]:\\)?(?:[\w.()-]+\\)+[\w.-]*\w|(?<!\w)[A-Za-z]:\\[\w.-]*\w")
# "the branch called release", "die Datei namens build": a name by what is said before it.
CALLED = re.compile(
    r"\b(?:named|called|namens|appelée?|llamad[oa]|chiamat[oa])\s+(?!(?:the|a|an|by|in|from|on|with|and|or|it)\b)"
    r"([\w@+-][\w.@+-]*\w)",
    re.IGNORECASE,
)
# A hash, whole or as git abbreviates it.
HEX = re.compile(r"[0-9a-f]{7,40}")
# A goal says "second" where an answer says "2nd".
ORDINAL_WORDS = {
    "1st": "first", "2nd": "second", "3rd": "third", "4th": "fourth", "5th": "fifth",
    "6th": "sixth", "7th": "seventh", "8th": "eighth", "9th": "ninth", "10th": "tenth",
}  # fmt: skip
NEGATIVE = re.compile(r"(?<![\w.,)\]%-])[-−](\d[\d.,]*)")
# Digits that a narrow space or an apostrophe groups.
APART = re.compile(r"(?<=\d)[\u00a0\u202f\u2009'’](?=\d{3}(?!\d))")
SPACED = re.compile(r"(?<![\d.,])(\d{1,3}(?: \d{3})+)(?![\d.,]*\d)")
DECIMAL = re.compile(r"(\d{1,3}(?:\.\d{3})*|\d+),(\d{1,2})[A-Za-z%]*")
COMMA_LANGUAGES = ("de", "fr", "es", "it")
# Ordinary words with a dot inside that name no file.
NOT_PATHS = frozenset(
    "e.g i.e node.js vue.js next.js asp.net and/or either/or yes/no true/false on/off his/her he/she s/he "
    "i/o n/a tcp/ip input/output read/write client/server w/o km/h z.b d.h u.a p.ex c.-à-d a.m p.m".split()
)
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


def _numbers_in(text: str, language: str) -> list[str]:
    """Everything with a digit; fields that commas separate are told apart, decimals are not."""
    tokens = TOKEN.findall(STANDARD.sub(" ", text))
    decimal = language in COMMA_LANGUAGES

    def parts(token: str) -> list[str]:
        whole = NUMBER.fullmatch(token) or (decimal and DECIMAL.fullmatch(token))
        return [token] if whole else token.split(",")

    return [part for token in tokens for part in parts(token)]


def facts_in(answer: str) -> list[str]:
    """Every number, path, name and quotation of an answer, as written, in order, without repeats."""
    body = _without_list_marks(answer)
    facts = _quotations(body)
    facts += [match[0] for match in WINDOWS_PATH.finditer(body)]
    body = WINDOWS_PATH.sub(" ", body)
    facts += [path for path in PATH.findall(body) if path.lower() not in NOT_PATHS]
    without_paths = PATH.sub(lambda match: " " if match[0].lower() not in NOT_PATHS else match[0], body)
    dates = [written for written, _ in written_dates(without_paths)]
    for date in dates:
        without_paths = without_paths.replace(date, " ")
    facts += dates
    facts += NAME.findall(without_paths)
    facts += CALLED.findall(without_paths)
    facts += [match[0].replace("−", "-").rstrip(".,") for match in NEGATIVE.finditer(without_paths)]
    facts += _numbers_in(NEGATIVE.sub(" ", without_paths), language_of(answer))
    facts += [written for written, _ in number_words(without_paths)]
    return list(dict.fromkeys(fact for fact in facts if fact.strip()))


def _quotations(body: str) -> list[str]:
    """What stands between quotation marks, over several lines too, and the lines of code blocks."""
    found = [line.strip() for block in BLOCK.findall(body) for line in block.splitlines() if line.strip()]
    body = BLOCK.sub(" ", body)
    quoted = (next((group for group in match.groups() if group), "") for match in QUOTED.finditer(body))
    found += [text for text in quoted if len(text) > 1]
    # What is quoted within a line opens nothing that goes over lines.
    rest = QUOTED.sub(" ", body)
    if rest.count('"') % 2 == 0:
        found += [text for text in QUOTED_LINES.findall(rest) if "\n" in text]
    return found


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
    text = plain_digits("\n".join(evidence)).lower()
    seen = {line.strip() for line in text.split("\n")}
    language = language_of(answer)
    answer = plain_digits(answer)
    # A line that stands in the evidence is compared as it is written.
    told = "\n".join(line for line in answer.split("\n") if line.strip().lower() not in seen)
    answer, told = _grouped(answer, language), _grouped(told, language)
    known = _Known(text, answer.lower(), language)
    return [fact for fact in facts_in(told) if not known.holds(fact.lower())]


def _grouped(answer: str, language: str) -> str:
    """The answer with digits joined that its language groups by spaces or apostrophes."""
    answer = APART.sub("", answer)
    if language == "fr":
        answer = SPACED.sub(lambda match: match[1].replace(" ", ""), answer)
    return answer


class _Known:
    """What the evidence holds.

    Args:
        text: all evidence, in lower case, digits plain.
        answer: the answer in lower case; what it lists from the evidence it may count.
        language: of the answer; in some a comma is the decimal sign.
    """

    def __init__(self, text: str, answer: str, language: str) -> None:
        self._text = text
        self._language = language
        self._blank = " ".join(text.split())
        self._numbers = {_plain(number) for number in GROUPED.findall(text) + SINGLE.findall(text)}
        self._numbers |= {number.lstrip("0") for number in self._numbers if number.strip("0")}
        lines = {line.strip().removeprefix("./") for line in text.split("\n")}
        listed = sum(1 for line in lines if len(line) > 1 and line in answer and _stands_in(line, answer))
        if listed > 1:
            self._numbers.add(str(listed))
        self._words = dict(number_words(answer)) | {w.lower(): v for w, v in number_words(answer)}
        self._dates = {written.lower(): iso for written, iso in written_dates(answer)}
        self._iso = {iso for _, iso in written_dates(text)}

    def holds(self, fact: str) -> bool:
        """True if a fact, in lower case, stands in the evidence, perhaps written otherwise."""
        if iso := self._dates.get(fact):
            return fact in self._text or iso in self._iso or _has_moment(iso, self._text)
        if fact.startswith("-") and fact[1:2].isdigit():
            return re.search(rf"(?<![\w.])[-−]{re.escape(fact[1:])}(?![\w]|\.\d)", self._text) is not None
        if (number := NUMBER.fullmatch(fact)) and self._has_number(number[1]):
            return True
        if (ordinal := ORDINAL_WORDS.get(fact)) and _stands_in(ordinal, self._text):
            return True
        if value := self._words.get(fact):
            return value in self._numbers or _stands_in(fact, self._text)
        if re.fullmatch(MOMENT, fact):  # it may stand in a longer one
            return _has_moment(fact, self._text)
        return self._has_text(fact)

    def _has_number(self, number: str) -> bool:
        return _plain(number) in self._numbers

    def _has_comma_number(self, fact: str) -> bool:
        """1.200 and 1.200,5 where the full stop groups thousands and the comma is the decimal sign."""
        if self._language not in COMMA_LANGUAGES:
            return False
        if decimal := DECIMAL.fullmatch(fact):
            number = f"{decimal[1].replace('.', '')}.{decimal[2]}"
            fields = {decimal[1], decimal[2]} <= self._numbers
            return _plain(number) in self._numbers or fields
        grouped = re.fullmatch(r"([1-9]\d{0,2}(?:\.\d{3})+)[a-z%]*", fact)
        return grouped is not None and grouped[1].replace(".", "") in self._numbers

    def _has_text(self, fact: str) -> bool:
        if self._has_comma_number(fact):
            return True
        if HEX.fullmatch(fact) and _abbreviates(fact, self._text):
            return True
        if NUMBER.fullmatch(fact):
            return False
        if "\\" in fact and _stands_in(fact.replace("\\", "/").removeprefix("./"), self._text):
            return True
        parts = [part for part in ELLIPSIS.split(fact) if part.strip()] if ELLIPSIS.search(fact) else []
        if len(parts) > 1 or (parts and not _stands_in(fact, self._text)):
            return _in_order([" ".join(part.split()) for part in parts], self._blank)
        if "\n" in fact:
            return _stands_in(" ".join(fact.split()), self._blank)
        return _stands_in(fact.removeprefix("./").rstrip("/."), self._text)


def _abbreviates(fact: str, text: str) -> bool:
    """True if a hash begins one that is whole in the text."""
    return re.search(rf"(?<![0-9a-z]){fact}[0-9a-f]{{{40 - len(fact)},}}(?![0-9a-z])", text) is not None


def _has_moment(moment: str, text: str) -> bool:
    """A date or a time of day, within a longer one too; 9:15 is 09:15."""
    early = "0?" if re.match(r"\d:", moment) else ""
    return re.search(rf"(?<!\d){early}{re.escape(moment)}(?!\d)", text) is not None


def _in_order(parts: list[str], text: str) -> bool:
    """True if the parts of a quotation with omissions stand in the text one after the other."""
    at = 0
    for part in parts:
        at = text.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return bool(parts)


def says_nothing_of(answer: str, output: str) -> bool:
    """True if the answer takes up no word and no number of an output that holds some.

    "Here is what you asked for." states no fact, so none of its facts lacks evidence; yet it answers nothing.
    """
    text, output = plain_digits(answer).lower(), plain_digits(output).lower()
    words = {word for word in re.findall(r"\w+", output) if len(word) > 2 or not word.isascii()}
    numbers = {_plain(number) for number in GROUPED.findall(output) + SINGLE.findall(output)}
    if not words and not numbers:
        return False
    told = {_plain(number) for number in GROUPED.findall(text) + SINGLE.findall(text)}
    told |= {value for _, value in number_words(text)}
    return not (numbers & told or any(word in text for word in words))
