"""The words of a question that carry it, and which of them a restatement lacks or adds. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
from nodes.contractive.reading.wording import STOP, plain, slipped
from nodes.contractive.restating.marks import without_marks
from nodes.research.checking.names import held
from nodes.research.checking.terms import cut

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:st|nd|rd|th)\b")
_HAN = re.compile(r"[\u3400-\u9fff]+")
# Words that tags, kinds, numbers and constraints speak for.
_TOLD_OTHERWISE = frozenset(
    "not no never none without neither nor least most more less fewer than all every each only both some any before after since until till during between over under above below at up to now currently current today "
    "i'm it's what's who's that's i'd i've don't doesn't didn't isn't aren't wasn't weren't can't cannot couldn't won't wouldn't shouldn't other else another must should may might will would shall have has had need needs yes or no true false isn aren wasn doesn don didn t s whether if then so such same still yet ago per via within through off out onto toward towards against around across along behind beside besides except while although though because thus hence however therefore just even too very quite rather enough almost nearly much many few several lot own these those here there every everyone everything someone something anyone anything nothing nobody ".split()
)  # fmt: skip
_GERMAN_TOLD = frozenset(
    "nicht kein keine keinen keinem keiner keines nie ohne mehr weniger als alle aller allen jede jeder jedes jeden nur beide manche einige vor nach seit bis zwischen über unter am um zu zum zur an auf aus bei mit von vom im ins in beim durch für gegen ohne oder und aber wenn ob dass so auch noch schon sehr hier dort da dann man sich er sie es wir ihr ihm ihn ihnen sein seine seiner seinem seinen ihre ihrer ihrem ihren mein meine dein deine unser der die das den dem des ein eine einer einem einen eines dieser diese dieses diesem diesen jener welcher welche welches welchen welchem wer wie was wo wann warum wem wen wessen ist sind war waren wird werden wurde wurden hat haben hatte hatten kann können soll sollte muss müssen darf mal je pro höchstens mindestens maximal genau etwa jetzt derzeit heute gestern morgen darin davon damit dazu daran darauf dabei".split()
)  # fmt: skip
_HAN_TOLD = frozenset("不 没 没有 未 无 非 所有 全部 都 只 仅 至少 最多 至多 超过 不超过 大于 小于 多于 少于 高于 低于 之前 以前 之后 以后 现在 目前 今天 昨天 明天 必须 应该 每 每个 有的 有些 一些 大约 最 更 比 吗 是不是 有没有 能不能 也 又 即 等 该 各 某 第 约 不是 不能 不会 上 不同".split())  # fmt: skip
_NUMBERS = frozenset("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig hundert tausend million millionen milliarde milliarden".split())  # fmt: skip
# Verbs that only join an answer to its question, and still tell one question from another.
_STOPPED = STOP - frozenset(
    "die cause caused causes use uses used using main mainly name named known become becomes became get gets primarily really".split()
)
# Two ends of one relation whose stems are one.
_APART = ("employer employee", "interviewer interviewee", "lender lendee", "trainer trainee", "payer payee", "addresser addressee", "import important", "international internal", "organ organization", "universe university", "general generation", "economic economical", "marine marinade", "numeral numerous", "author authority", "desert dessert")  # fmt: skip
_PAIRS_APART = frozenset(frozenset(pair.split()) for pair in _APART)
_INFLECTED = re.compile(r".?(?:e|s|es|ed|d|ing|ly|y|ies|ic|n|en|em|er|t|te)?(?:s|ly)?")
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
    told_otherwise = _GERMAN_TOLD if language == "de" else _TOLD_OTHERWISE
    for match in _WORD.finditer(text):
        raw = re.sub(r"['’]s?$|['’]s$", "", match[0].lower().replace("’", "'"))
        bare = "".join(plain(raw)) if language != "de" else raw
        if (
            raw in told_otherwise
            or raw in _NUMBERS
            or (raw in _STOPPED and language == "en" and match[0] not in ("US", "IT"))
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
        found += [Word(word, word) for word in cut(run) if word not in _HAN_TOLD]
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
    return any(same_word(word, other, language) for other in others) or _named(word, whole)


def same_word(one: Word, other: Word, language: str) -> bool:
    """True if two words are one, or, unless a name is among them, have one meaning."""
    if frozenset((one.raw, other.raw)) in _PAIRS_APART or opposed(one.raw, other.raw):
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
    return len(word) > 2 and all(
        word[at : at + 2] in whole or word[at] in "的之了" or word[at + 1] in "的之了"
        for at in range(len(word) - 1)
    )
