"""Answers that are none: empty, a refusal, or the question given back. Pure."""

from __future__ import annotations

import re

from nodes.contractive.answers import ShortAnswer, short_answer
from nodes.contractive.constraints import told
from nodes.contractive.reading.asked import Asked, asked
from nodes.contractive.reading.choices import option_of
from nodes.contractive.reading.kinds import kinds_asked
from nodes.contractive.reading.measures import is_amount
from nodes.contractive.reading.polarity import denials, yes_or_no
from nodes.contractive.reading.refusals import is_refusal
from nodes.contractive.reading.residue import without_comparison
from nodes.contractive.reading.wording import akin, canonical, keys_of
from nodes.contractive.reviewing.finding import Finding
from nodes.research.checking.folding import HAN, fold

EMPTY = Finding("the answer is empty", "Give an answer to the question.", 0.0)
REFUSAL = Finding("the answer refuses to answer", "Give the most likely answer instead of refusing.", 0.0)
ECHO = Finding(
    "the answer only repeats the question", "Do not repeat the question: say what it asks for.", 0.0
)
MOST_OF_IT = 0.6
"""Share of the words that ask which an echo repeats; one option named out of several repeats fewer."""
# Words that speak of the question, and say nothing.
_ABOUT_IT = frozenset("question ask query answer restate repeat wonder want know inquir request find respons frag fragt antwort gefragt person people one place thing time somebody someone frage fragen gefragt antworten lautet becaus sinc due 问题 问 想 知道 询问 答案 回答 请问 题目".split())  # fmt: skip
_ASKING_WORDS = frozenset("many much long far tall high old big wer wie was wann wo warum welch viel viele hoch 谁 什么 哪里 哪 多少 几 哪个 哪些 何时 什么时候 为什么 怎么 如何 吗 呢".split())  # fmt: skip
_MISSING = re.compile(
    r"\W*(?:the |no |your |an? |any )?(?:\w+ )?(?:article|text|document|passage|context|data|file|image|table|paragraph|link|attachment|information|input)s? (?:is|was|were|are|has been|have been|seems to be|appears to be) (?:not |n't |missing|absent)?(?:provided|given|included|attached|available|specified|shared|visible)?\W*$"
    r"|\W*(?:there (?:is|are) )?no (?:[\w-]+ ){1,6}(?:is|are|was|were) (?:mentioned|given|specified|provided|stated|named|listed|available)\b"
    r"|.{1,60}(?:isn't|is not|aren't|are not|wasn't|was not|weren't|were not) (?:specified|mentioned|given|stated|provided|disclosed|listed)(?: (?:in|by|anywhere)\b.{0,40})?\W*$"
    r"|.{0,40}\benth(?:ä|ae)lt (?:dazu )?keine (?:angabe|information|hinweis|auskunft|daten)",
    re.IGNORECASE,
)
_WORD_FORMS = re.compile(
    r"\b(?:tense|plural|singular|comparative|superlative|participle|conjugat\w*|spell\w*|abbreviat\w*|mehrzahl|einzahl|partizip|buchstabiert)\b|复数|过去式",
    re.IGNORECASE,
)
_OR = re.compile(r"(\w+),? (?:or|oder) (?:(?:an?|the|der|die|das|ein|eine) )?(\w+)", re.IGNORECASE)
_LABEL = re.compile(
    r"^\W*(?:the )?(?:question|query|q|frage|问题|问)\s*(?:is|was|lautet|是)?\s*[:：]", re.IGNORECASE
)
_HAN_ASKING = re.compile(
    r"请问|是什么时候|什么时候|为什么|什么|哪[里儿个些位一年]{0,2}|谁|多少|几|怎么样?|如何|怎样|吗|呢|是|的|了|有|在|[\W\d_]"
)


def hard_fault(question: str, text: str, short: str) -> Finding | None:
    """Why an answer is none at all; None if it is one.

    Args:
        question: it answers.
        text: the whole reply.
        short: the answer in it; found in the text if it is empty.
    """
    found = ShortAnswer("answer", short) if short.strip() else short_answer(text, question)
    if found.kind == "empty" or not re.search(r"[\w+*/%<>=]", found.text):
        return EMPTY
    if (
        found.kind == "refusal"
        or is_refusal(found.text)
        or _MISSING.match(found.text)
        or short_answer(text, question).kind == "refusal"
    ):
        return REFUSAL
    if is_echo(question, told(text) or found.text) or canonical(found.text) == canonical(question):
        return ECHO
    return None


def is_echo(question: str, answer: str) -> bool:
    """True if an answer has most words of the question and no other, and does not say yes, no, or which.

    Args:
        question: as it was put.
        answer: short or whole.
    """
    want = asked(question)
    said = _LABEL.sub("", fold(answer)).strip(" *_`>#")
    if canonical(said) and canonical(said) == canonical(question):
        return True
    if want.wanted == "order" or is_amount(said) or _brings(said, want) or _decides(question, said, want):
        return False
    if HAN.search(question) and HAN.search(said):
        return _echo_in_chinese(question, said)
    return _repeats(keys_of(said), want)


def _brings(said: str, want: Asked) -> bool:
    """True if an answer has a number its question has not, another form of the word in question, or somebody it names before."""
    if set(re.findall(r"\d+", said)) - set(re.findall(r"\d+", want.text)):
        return True
    if _WORD_FORMS.search(want.text) and set(re.findall(r"\w+", said.lower())) - set(
        re.findall(r"\w+", want.text.lower())
    ):
        return True
    return not said.endswith(("?", "？")) and bool(set(keys_of(said)) & (want.keys - want.asking))


def _chosen(told: str, want: Asked) -> bool:
    """True if an answer names just one of the options, in whatever form of its words."""
    said = keys_of(told)
    named = [
        option
        for option in want.options.values()
        if any(akin(word, key) for key in keys_of(option) for word in said)
    ]
    return len(named) == 1


def _one_side(said: str, offered: re.Match[str]) -> bool:
    """True if an answer has the word on one side of an "or" and not the one on the other."""
    words = keys_of(said)
    held = [any(akin(word, key) for word in words for key in keys_of(side)) for side in offered.groups()]
    return held[0] != held[1]


def _decides(question: str, said: str, want: Asked) -> bool:
    """True for "the Nile is longer" and "bats are not blind": words of the question that answer it."""
    if said.endswith(("?", "？")):
        return False
    if (offered := _OR.search(want.text)) and _one_side(said, offered):
        return True
    if want.options or "either" in kinds_asked(question):
        named = option_of(said, want) or option_of(without_comparison(said), want)
        return (
            named is not None
            or _chosen(said, want)
            or len(keys_of(said)) * 2 <= len(want.asking or want.keys)
        )
    if kinds_asked(question) == ("yes_no",) or want.wanted == "yes_no":
        return yes_or_no(said, want) is not None
    return len(denials(said)) != len(denials(want.text))


def _repeats(said: list[str], want: Asked) -> bool:
    known = want.keys | _ABOUT_IT | _ASKING_WORDS
    new = [word for word in said if word not in known and not any(akin(word, asked_) for asked_ in want.keys)]
    asking = {
        word for word in want.asking or want.keys if word not in _ASKING_WORDS and word not in _ABOUT_IT
    }
    if new or not said:
        return False
    repeated = sum(word in said or any(akin(word, one) for one in said) for word in asking)
    return bool(asking) and repeated >= MOST_OF_IT * len(asking)


def _echo_in_chinese(question: str, said: str) -> bool:
    """By characters: a dictionary cuts one phrase in more than one way."""
    asking, said = (_HAN_ASKING.sub("", fold(text)) for text in (question, said))
    for word in ("问题", "答案", "询问", "回答", "想知道", "的人", "人", "地方"):
        said = said.replace(word, "")
    if not said:
        return True
    if any(sign not in asking for sign in said):
        return False
    return len(set(said)) >= MOST_OF_IT * len(set(asking))
