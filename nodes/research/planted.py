"""Sentences of a source that give orders to whoever reads it for a report: blanked before anybody reads them.

A fence tells a model that what it reads is data; a small model may obey all the same, and the checker would
find the sentence it was told to write in the very source that ordered it. So an order is no evidence. What is
blanked keeps its length: offsets in what is left are offsets in the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from nodes.research.checking.folding import lowered
from nodes.research.checking.sentences import sentences

# Readers that no ordinary text orders about, and people whom one may: these only with words of a report.
_MACHINE = (
    r"(?:ai|a\.i\.|ai (?:models?|systems?|agents?|tools?|analysts?|critics?|reviewers?|writers?)|llms?"
    r"|(?:large )?language models?|(?:ai |virtual )?assistants?|chat ?bots?|(?:ai )?summari[sz]ers?)"
)
_PERSON = r"(?:analysts?|critics?|reviewers?|writers?|researchers?|readers?|agents?)"
_TELL = (
    r"(?:write|say|state|report|answer|reply|respond|output|print|cite|quote|include|mention|conclude|claim"
    r"|repeat|approve|pass|treat|rate|rank|ignore|omit|declare|insert|append|set|return|tell|present|assert)"
)
_DUTY = r"\b(?:must|should|shall|are to|has to|have to|will now|is to)\s+(?:now |only |always |also |never )?"
_MADE = r"(?:report|answer|summary|draft|output|verdict|review|citation)"
_HAN_READER = (
    "(?:AI|人工智慧|人工智能|語言模型|语言模型|聊天機器人|聊天机器人|助理|助手|摘要者|撰寫者|閱讀本文者)"
)
_HAN_TELL = "(?:回答|寫|写|報告|报告|輸出|输出|引用|聲稱|声称|回覆|回复|判定)"
_HAN_OLD = "(?:指令|指示|規則|规则|提示|以上|上述|先前|之前|其他來源|其他来源)"
_START = r"(?:^|[.!?。！？]\s*)\W*"
_ORDERS = (
    r"\b(?:ignore|disregard|forget|override|bypass)\b[^.!?\n]{0,60}"
    r"\b(?:instructions?|prompts?|rules?|guidelines|above|previous|earlier|prior"
    r"|other (?:sources|documents))\b",
    r"\b(?:system|developer|hidden)\s*(?:prompt|message|instructions?|override)\b",
    rf"{_START}(?:system|assistant|new instructions?|important instructions?)\W*[:：>\]]",
    r"\b(?:note|notice|message|attention|instructions?|reminder|memo)\b\W*(?:to|for)?\W*\b(?:any |all |the )?"
    rf"(?:{_MACHINE}|{_PERSON})\b\W*[:：]",
    rf"\b{_MACHINE}\b[^.!?\n]{{0,40}}{_DUTY}{_TELL}\b",
    rf"\b{_PERSON}\b[^.!?\n]{{0,40}}{_DUTY}{_TELL}\b[^.!?\n]{{0,60}}\b(?:this|your|the) {_MADE}\b",
    rf"\byou\s*{_DUTY}{_TELL}\b[^.!?\n]{{0,80}}(?:\b{_MADE}\b|\bsources?\b|\bthat\b|:)",
    r"\byou are (?:now|no longer) (?:an?|the|in|bound|required)\b|\bas an? (?:ai|language model|assistant)\b",
    r"\b(?:when|if|while|before)\s+(?:you\s+(?:are\s+)?)?(?:summari[sz]|report|writ|answer|cit|review)\w*\b"
    rf"[^.!?\n]{{0,60}},\s*(?:please\s+)?(?:always\s+|only\s+|do not\s+|never\s+)?{_TELL}\b",
    rf"{_START}(?:please\s+|instead,?\s+|always\s+|now\s+|then\s+)?{_TELL}\s+"
    rf"(?:that|only|exactly|the following|this (?:sentence|text|page|document|source)"
    rf"|in (?:your|the) {_MADE})\b",
    r"\b(?:do not|don't|never)\s+(?:mention|cite|trust|use|include|report|reveal)\b[^.!?\n]{0,40}"
    r"\b(?:sources?|documents?|instructions?|articles?|pages?)\b",
    rf"(?:忽略|無視|无视|不要理會|不要理会|忘記|忘记)[^。！？\n]{{0,16}}{_HAN_OLD}",
    r"(?:系統|系统|開發者|开发者)(?:提示詞?|提示词|訊息|信息|指令|指示)",
    rf"(?:給|给|致)\s*{_HAN_READER}\s*(?:[：:，,]|的(?:指示|指令|訊息|信息|提醒|備註|备注|注意))",
    rf"{_HAN_READER}[^。！？\n]{{0,12}}(?:必須|必须|務必|务必|請|请)[^。！？\n]{{0,20}}{_HAN_TELL}",
    r"(?:請|请|務必|务必|你必須|你必须|您必須|你應|你应)[^。！？\n]{0,16}"
    r"(?:在(?:報告|报告|回答|摘要|答案)|只引用|不要引用|直接(?:回答|寫|写|輸出|输出)|輸出|输出|寫道|写道|聲稱|声称|判定)",
    r"你(?:現在|现在)(?:是|不再)",
    r"\b(?:final|correct) (?:report|answer|verdict|output)\s*(?:is\b|reads\b|[:：=])",
    r"(?:最終|最终|正確|正确)(?:的)?(?:報告|报告|答案|結論|结论|輸出|输出)\s*(?:為|为|是|應|应|[：:「])",
    # A talk between a machine and its user, as a prompt has it.
    r"^\W*(?:ai|model|developer|\[?/?inst\]?|<<sys>>)\W*[:：>]|^\W*(?:助理|助手|系統|系统|模型|開發者|开发者|AI)\s*[：:]",
    r"\{\s*cite\s*:|DRAFT_READY|SEARCH_REQUIRED|mode_compliance|<\|?(?:im_start|system|endoftext)",
)
ORDER = re.compile("|".join(_ORDERS), re.IGNORECASE | re.MULTILINE)
# What goes on with an order begun in the sentence before.
GOES_ON = re.compile(
    rf"^\W*(?:please\s+|instead,?\s+|always\s+|now\s+|then\s+|also\s+)?(?:{_TELL}|do not|don't|never)\b"
    r"|^\W*(?:請|请|務必|务必|直接|不要|必須|必须|改為|並|并)",
    re.IGNORECASE,
)
_AROUND = 2000
# A paragraph this short that begins with an order is one.
SHORT_PARAGRAPH = 400
# Places nearer than this in one paragraph are looked at together.
_STEP = 1000
_TOLD = ("mention", "cite", "trust", "use", "include", "report", "reveal")
_THAT = ("that", "only", "exactly", "the following", "this", "in ")
_SAID = (
    "write",
    "say",
    "state",
    "report",
    "answer",
    "conclude",
    "claim",
    "repeat",
    "include",
    "quote",
    "output",
)
_ANCHORS = (
    "ignore", "disregard", "forget", "override", "bypass", "instruction", "prompt", "system:",
    "system message",
    "developer", "assistant", "language model", "llm", " ai ", "ai:", "ai,", "chatbot", "chat bot", "summari",
    "a.i.", "you must", "you should", "you shall", "you have to", "you will", "you are", "analyst", "critic",
    "reviewer", "writer", "researcher", "readers", "agent", "as an ai", "{", "<|",
    *(f"{denial} {word}" for denial in ("do not", "don't", "never") for word in _TOLD),
    *(f"{word} {what}" for word in _SAID for what in _THAT),
    *(f"{word} you" for word in ("when", "while", "before")),
    *(f"when {word}" for word in ("report", "writing", "answer", "citing", "review")),
    "忽略", "無視", "无视", "不要", "忘記", "忘记", "系統", "系统", "開發者", "开发者",
    "人工智", "語言模型", "语言模型",
    "助理", "助手", "摘要者", "撰寫者", "閱讀本文", "機器人", "机器人",
    "請", "请", "務必", "务必", "你必", "您必",
    "你應", "你应", "你現在", "你现在", "給ai", "给ai", "給 ai", "给 ai", "致ai", "致 ai",
    "ai必", "ai請", "ai请", "ai：", "模型",
    "最終", "最终", "正確", "正确", 
    "final report", "final answer", "final verdict", "final output", "correct answer",
    "model:", "inst", "<<sys", "draft_ready", "search_required", "mode_compliance",
)  # fmt: skip


def without_orders(text: str) -> tuple[str, int]:
    """A source's text with orders to its reader replaced by spaces, and how many sentences that were.

    Time is linear in the length of the text.
    """
    return _without_orders(text) if len(text) > _CACHED else _remembered(text)


def is_order(text: str) -> bool:
    """True if a sentence orders its reader what to do or write."""
    return ORDER.search(text) is not None


def _without_orders(text: str) -> tuple[str, int]:
    blanked: list[tuple[int, int]] = []
    for start, end in _sentences_around(text):
        if (blanked and start < blanked[-1][1]) or (
            not is_order(text[start:end]) and not _continues(text, blanked, start, end)
        ):
            continue
        blanked.append((start, end))
    parts, at = [], 0
    for start, end in blanked:
        parts += [text[at:start], re.sub(r"\S", " ", text[start:end])]
        at = end
    return "".join([*parts, text[at:]]), len(blanked)


_CACHED = 200_000
_remembered = lru_cache(maxsize=128)(_without_orders)


def _continues(text: str, blanked: list[tuple[int, int]], start: int, end: int) -> bool:
    """True if a sentence goes on with the order before it: it says so, or ends the same short paragraph."""
    if not blanked:
        return False
    between = text[blanked[-1][1] : start]
    if between.strip() or "\n\n" in between:
        return False
    if GOES_ON.search(text[start:end]):
        return True
    first = text.rfind("\n\n", 0, blanked[-1][0])
    last = text.find("\n\n", end)
    return (last if last >= 0 else len(text)) - max(first, 0) <= SHORT_PARAGRAPH


def _sentences_around(text: str) -> Iterator[tuple[int, int]]:
    """The sentences of the paragraphs that may hold an order, in order of their place."""
    done = 0
    for place in _places(text):
        if place < done:
            continue
        start = max(done, text.rfind("\n\n", max(0, place - _AROUND), place) + 1, place - _AROUND)
        stop = text.find("\n\n", place, place + _AROUND)
        stop = stop if stop >= 0 else min(len(text), place + _AROUND)
        if ORDER.search(text, start, stop):
            for one in sentences(text[start:stop]):
                yield start + one.start, start + one.end
        done = stop


def _places(text: str) -> list[int]:
    """Where a word stands without which no sentence is an order; plain finding is fast on long texts."""
    low = lowered(text)
    places: list[int] = []
    for word in _ANCHORS:
        at = low.find(word)
        while at >= 0:
            places.append(at)
            paragraph = low.find("\n\n", at, at + _STEP)
            at = low.find(word, paragraph if paragraph >= 0 else at + _STEP)
    return sorted(places)
