"""The words of a question that carry it, and which of them a restatement lacks or adds. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nodes.contractive.reading.function_words import (
    ENGLISH_TOLD,
    GERMAN_TOLD,
    HAN_TOLD,
    NUMBERS,
    PAIRS_APART,
    STOPPED,
)
from nodes.contractive.reading.localized import same_place
from nodes.contractive.reading.polarity import opposed
from nodes.contractive.reading.synonyms import (
    category_words,
    empty_words,
    in_group_with,
    stem_of,
    synonyms,
    with_turns,
)
from nodes.contractive.reading.units_asked import unit_named
from nodes.contractive.reading.wording import plain, slipped
from nodes.contractive.restating.marks import without_marks
from nodes.research.checking.names import held
from nodes.research.checking.terms import cut

_WORD = re.compile(r"(?<![\w-])[A-Za-z]+-?\d\w*|[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:st|nd|rd|th)\b")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_INFLECTED = re.compile(r".?(?:e|s|es|ed|d|ing|ly|y|ies|ic|n|en|em|er|t|te)?(?:s|ly)?")
_TO_WITHIN = re.compile(r"^(ein|aus|auf|ab|an|zurück|her|hin|mit|vor|um|durch|ver)zu(?=\w{4})")
_TYPO_LENGTH = 6
_SHORTEST_ROOT = 4
_PEOPLE = re.compile(r"(?:i|e)?(?:an|ans|ese|ish|i|is|n)")
_COMPLEMENTS = "下了过到出起着完成住好掉得给于成个只"


@dataclass(frozen=True, slots=True)
class Word:
    """A word that carries a question.

    Attributes:
        raw: in lower case, as it stands.
        stem: of it.
        name: written with a capital within a sentence, so that it has no synonyms.
    """

    raw: str
    stem: str
    name: bool = False


def words_of(text: str, language: str) -> list[Word]:
    """The words of a folded question that carry it, in order.

    Args:
        text: without courtesies.
        language: zh, de or en.
    """
    told = with_turns(without_marks(text), language)
    if language == "zh":
        return [*_han_words(told), *_latin_words(re.sub(_HAN, " ", told), "en")]
    return _latin_words(told, language)


def _latin_words(text: str, language: str) -> list[Word]:
    found = []
    told_otherwise = GERMAN_TOLD if language == "de" else ENGLISH_TOLD
    for match in _WORD.finditer(text):
        raw = re.sub(r"['’]s?$|['’]s$", "", match[0].lower().replace("’", "'"))
        if language == "de":
            raw = _TO_WITHIN.sub(r"\1", raw)
        bare = "".join(plain(raw)) if language != "de" else raw
        if (
            raw in told_otherwise
            or raw in NUMBERS
            or (raw in STOPPED and language == "en" and match[0] not in ("US", "IT"))
        ):
            continue
        if re.search(r"\d\s?$", text[: match.start()]) and unit_named(raw) is not None:
            # It is compared with its number.
            continue
        if len(raw) == 1 and not match[0].isupper() and not re.search(r"[\w)]\s?[=^+*/]|\bfor\b", text):
            continue
        capital = match[0][0].isupper() and language == "en" and not _opens(text, match.start())
        found.append(Word(raw, stem_of(bare, language), capital or match[0].isupper() and len(raw) > 1))
    return found


def _opens(text: str, at: int) -> bool:
    before = text[:at].rstrip(" \"'(")
    return not before or before[-1] in ".!?:\n"


def _han_words(text: str) -> list[Word]:
    found = []
    for run in _HAN.findall(
        re.sub(
            r"(?:\d[\d.,]*|[一二两三四五六七八九十百千万亿]+(?=[个只种本条位名座张辆台块匹艘支颗件次句点项年月天小分秒公英千平米克升度元岁]))(?:个|只|种|本|条|位|名|座|张|辆|台|块|匹|艘|支|颗|件|次|句话?|点|项)?",
            " ",
            text,
        )
    ):
        found += [Word(word, word) for word in cut(run) if word not in HAN_TOLD]
    return found


def lost_words(question: Sequence[Word], restated: Sequence[Word], whole: str, language: str) -> list[Word]:
    """Words of a question that its restatement has in no form.

    Args:
        question: its words.
        restated: words of the restatement.
        whole: text of the restatement, folded.
        language: of both.
    """
    empty = empty_words(language)
    rest = _without_shared(question, restated, whole) if language == "zh" else whole
    return [
        word
        for word in question
        if not _is_one_of(word, empty)
        and not _found(word, restated, rest if len(word.raw) == 1 else whole, language)
    ]


def new_words(
    restated: Sequence[Word], known: Sequence[Word], whole: str, language: str, *, none_lost: bool
) -> list[Word]:
    """Words of a restatement that neither the question nor the turns before it have.

    Args:
        restated: its words.
        known: words of the question and of the turns before.
        whole: text of those, folded.
        language: of all.
        none_lost: a word for the kind of thing that is named may be added, unless it stands for a lost one.
    """
    free = empty_words(language) | (category_words(language) if none_lost else frozenset())
    return [
        word for word in restated if not _is_one_of(word, free) and not _found(word, known, whole, language)
    ]


def _is_one_of(word: Word, words: frozenset[str]) -> bool:
    """True for a word of a set, or a plain inflection of one: "exactly" of exact, but not "relativity" of relate."""
    return word.raw in words or (
        word.stem in words and _INFLECTED.fullmatch(word.raw.removeprefix(word.stem[:-1])) is not None
    )


def _without_shared(one: Sequence[Word], other: Sequence[Word], whole: str) -> str:
    """A Chinese text without the longer words both have: the 长 of 长江 says nothing of length."""
    theirs = {word.raw for word in other}
    for word in one:
        if len(word.raw) > 1 and word.raw in theirs:
            whole = whole.replace(word.raw, " ")
    return whole


def turned(lost: Iterable[Word], new: Iterable[Word]) -> tuple[str, str] | None:
    """A word that was lost and its contrary that came; None if there is no such pair."""
    fresh = list(new)
    return next(
        (
            (one.raw, other.raw)
            for one in lost
            for other in fresh
            if opposed(one.stem, other.stem) or opposed(one.raw, other.raw)
        ),
        None,
    )


def _found(word: Word, others: Sequence[Word], whole: str, language: str) -> bool:
    if language == "zh" and not word.raw.isascii():
        return _found_in_chinese(word.raw, whole)
    return (
        any(same_word(word, other, language) for other in others)
        or _named(word, whole)
        or _marked(word, whole)
    )


def same_word(one: Word, other: Word, language: str) -> bool:
    """True if two words are one, or, unless a name is among them, have one meaning."""
    if frozenset((one.raw, other.raw)) in PAIRS_APART or opposed(one.raw, other.raw):
        return False
    if one.raw == other.raw or one.stem == other.stem:
        return True
    if one.name and other.name:
        return same_place(one.raw, other.raw) is True or _people_of(one.raw, other.raw)
    if one.name or other.name:
        # A name written small, or with a slip of the keyboard.
        return (
            same_place(one.raw, other.raw) is True
            or _typo(one.raw, other.raw)
            or _people_of(one.raw, other.raw)
        )
    return synonyms(one.stem, other.stem, language) or _typo(one.raw, other.raw)


def _typo(one: str, other: str) -> bool:
    if slipped(one, other):
        return True
    long, short = (one, other) if len(one) > len(other) else (other, one)
    if len(short) < _TYPO_LENGTH or len(long) != len(short) + 1 or not long.isascii():
        return False
    return any(long[:at] + long[at + 1 :] == short for at in range(2, len(long) - 2))


def _people_of(one: str, other: str) -> bool:
    """True for Africa and African, Brazil and Brazilian: a name and the adjective made of it."""
    long, short = (one, other) if len(one) > len(other) else (other, one)
    root = short.rstrip("aeiouy")
    return (
        len(root) >= _SHORTEST_ROOT
        and long.startswith(root)
        and _PEOPLE.fullmatch(long[len(root) :]) is not None
    )


def _marked(word: Word, whole: str) -> bool:
    """True if a text writes a word as code is written: iPhone for iphone."""
    return re.search(rf"(?<!\w){re.escape(word.raw)}(?!\w)", whole.lower()) is not None


def _named(word: Word, whole: str) -> bool:
    """True if a text has a name under another of its forms: Germany and German, the UN and the United Nations."""
    return word.name and held(
        word.raw.upper() if len(word.raw) <= 4 else word.raw.capitalize(), whole.lower()
    )


def _found_in_chinese(word: str, whole: str) -> bool:
    if word in whole or in_group_with(word, whole):
        return True
    if len(word) == 2 and (
        word[1] in _COMPLEMENTS and word[0] in whole or word[0] in _COMPLEMENTS and word[1] in whole
    ):
        return True
    if len(word) == 2 and all(sign in whole for sign in word):
        # A dictionary cuts "生鸡蛋可以吃" and "可以吃生鸡蛋" in other places.
        return True
    return len(word) > 2 and all(
        word[at : at + 2] in whole or word[at] in "的之了" or word[at + 1] in "的之了"
        for at in range(len(word) - 1)
    )
