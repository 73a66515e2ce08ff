"""Whether a goal that is not in English orders a change of files.

A language is known by its words only, so each is tried: an order begins with its verb, after politeness or a
place, or joins another one; a question asks for none, whatever it speaks of.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from memory.recipes.shipped import shipped_yaml
from memory.recipes.signals import DOTTED, FILE, GLOB, fold, is_english

# A stop that ends a sentence is followed by a blank, or is one that stands in no name.
SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])\s*|\n+")
QUOTED = re.compile(
    r"\"[^\"]*\"|“[^”]*”|«[^»]*»|„[^“”\"]*[“”\"]|`[^`]*`|(?<!\w)'[^']*'(?!\w)|「[^」]*」|《[^》]*》"
)
# A sign of a quotation, which says nothing itself.
HIDDEN = "\u25a1"
# Some verbs are English words as well: "create" in Italian, "change" in French.
PLAINLY = 2
# No order is this long before its verb.
MOST_CHARACTERS = 2000


@dataclass(frozen=True)
class Orders:
    """One language's orders, over folded text whose quotations are hidden.

    Attributes:
        change: a sentence that orders a change.
        make: a sentence that orders one if it names a file.
        asks: a sentence that is a question.
        request: a question that is an order.
        files: words for files and what is in them.
    """

    change: re.Pattern[str]
    make: re.Pattern[str]
    asks: re.Pattern[str]
    request: re.Pattern[str]
    files: re.Pattern[str]


def orders_change(goal: str) -> bool:
    """True if a goal in French, German, Spanish, Italian or Chinese asks for something to be made or altered.

    Pure. Short orders hold no word by which a language is known: only what is plainly English is ruled out.
    """
    if is_english(goal, PLAINLY):
        return False
    sentences = SENTENCE.split(goal.strip()[:MOST_CHARACTERS])
    return any(_orders(sentence, words) for sentence in sentences for words in _languages())


def _orders(sentence: str, words: Orders) -> bool:
    hidden = fold(QUOTED.sub(HIDDEN, sentence)).strip(" .!,;:。！，；¡")
    request = words.request.match(hidden)
    rest = hidden[request.end() :].strip().rstrip("?？ 吗呢") if request else hidden
    if words.asks.search(rest):
        return False
    if words.change.search(rest):
        return True
    named = (
        FILE.search(sentence) or DOTTED.search(sentence) or GLOB.search(sentence) or words.files.search(rest)
    )
    return bool(named and words.make.search(rest))


@cache
def _languages() -> tuple[Orders, ...]:
    return tuple(_compiled(name, words) for name, words in shipped_yaml("lexicon", "orders.yaml").items())


def _compiled(name: str, words: dict[str, list[str]]) -> Orders:
    def one_of(group: str) -> str:
        return "|".join(words.get(group, ["(?!)"]))

    if name == "zh":
        start = rf"^(?:{one_of('before')}|{one_of('place')}|\s)*"
        start += rf"|[,，、]\s*(?:{one_of('then')}|{one_of('place')})*"
        start = rf"(?:{start}|(?:{one_of('then')})(?:{one_of('place')})?)"
        # 已删除的 is what was deleted, 删除了 tells of it.
        end = "(?![了过]|的(?:文件|行|记录|提交|函数|代码))"
        return Orders(
            re.compile(rf"{start}(?:{one_of('change')}){end}"),
            re.compile(rf"{start}(?:{one_of('make')}){end}"),
            re.compile(rf"[?？]|{one_of('asks')}"),
            re.compile(rf"(?:{one_of('before')}|\s)*(?:{one_of('request')})"),
            re.compile(one_of("files")),
        )
    before = rf"(?:(?:{one_of('before')})[,!]? )*"
    joined = rf"(?:,|:|(?<!\w)(?:{one_of('then')})) (?:(?:{one_of('object')}) )?"
    start = rf"(?:^{before}(?:(?:{one_of('place')}),? )?|{joined})"
    end = rf"(?:-\w+|l[oaei]s?)?(?!\w)(?!-)|(?<!\w)(?:{one_of('last')})$"
    return Orders(
        re.compile(rf"{start}(?:{one_of('change')}){end}"),
        re.compile(rf"{start}(?:{one_of('make')}){end}"),
        re.compile(rf"\?|^(?:{before})?(?:\w{{1,4}} )?(?:{one_of('asks')})(?!\w)"),
        re.compile(rf"¿?{before}(?:{one_of('request')})(?!\w)"),
        re.compile(rf"(?<!\w)(?:{one_of('files')})(?!\w)"),
    )
