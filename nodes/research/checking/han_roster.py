"""The names Chinese text marks by a title, a verb of saying, an age, an ending or its dictionary. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nodes.research.checking.chinese_names import known_word, tagged
from nodes.research.checking.name_words import NAME_TAGS, SURNAMES
from nodes.research.checking.person_words import (
    ADVERBS,
    AFTER_HAN_NAME,
    DOUBLE_SURNAMES,
    HAN_GROUPS,
    HAN_PLACES,
    HAN_SPEAKS,
    HAN_TITLES,
    RARER_SURNAMES,
)
from nodes.research.checking.terms import HAN_STOP, cut

_BODY_SIGNS = "局部处院市县省区厂店队会社馆所站"
_TITLES = "|".join(sorted(HAN_TITLES, key=len, reverse=True))
_SURNAMES = SURNAMES | frozenset(RARER_SURNAMES)
_SURNAME = f"(?:{'|'.join(DOUBLE_SURNAMES)}|[{''.join(sorted(_SURNAMES))}])"
_HAN_TITLED = re.compile(rf"(?:{_TITLES}|[\u3400-\u9fff][员师家手](?!傅))({_SURNAME}[\u3400-\u9fff]{{1,2}})")
_HAN_SPEAKER = re.compile(
    rf"(?:(?<![\u3400-\u9fff])|(?<=[的局所院会署处校厂社]))({_SURNAME}[\u3400-\u9fff]{{1,2}})(?={HAN_SPEAKS})"
)
_HAN_OPENS = re.compile(rf"(?<![\u3400-\u9fff])({_SURNAME}[\u3400-\u9fff]{{2}})[\u3400-\u9fff]{{0,4}}")
_HAN_FOREIGN = re.compile(
    r"(?:选手|大师|名将|小将|教练|球员|投手|总统|作家|导演|学家|终结者)([\u3400-\u9fff]{2,6}?)(?=以|因|在|则|说|率|击|的|赢|[^\u3400-\u9fff]|$)"
)
_HAN_AGED = re.compile(
    rf"岁的({_SURNAME}[\u3400-\u9fff]{{1,2}}?)(?=[以获因夺则说在是将曾拿抢摘赢]|[^\u3400-\u9fff]|$)"
)
_HAN_OF_TEAM = re.compile(rf"[队省市县校国]的({_SURNAME}[\u3400-\u9fff]{{1,2}}?)(?=[以获夺拿抢摘赢])")
_HAN_KIND_BEFORE = re.compile(
    r"(?:药厂|大厂|厂商|公司|品牌|巨头|业者|车厂|船厂)([\u3400-\u9fff]{2,5}?)(?=[以因在则说的与和将已宣表指]|[^\u3400-\u9fff]|$)"
)
_HAN_DONE_BY = re.compile(
    r"(?:由|被)(?:[\u3400-\u9fff]{1,6}的)?([\u3400-\u9fff]{2,5}?)(?=以|夺|抢|摘|封|赢|拿下)"
)
_SUFFIXES = [(suffix, "group") for suffix in HAN_GROUPS] + [(suffix, "place") for suffix in HAN_PLACES]
_SUFFIXED = re.compile("|".join(sorted((suffix for suffix, _ in _SUFFIXES), key=len, reverse=True)))
ENDINGS = dict(_SUFFIXES)
_TOWNS = frozenset("省市县镇乡村")
_HOUSES = frozenset("剧场 剧院 大剧院 影院 体育馆 体育场 棒球场 中学 小学 高中".split())
_STRONG = frozenset("股份有限公司 有限公司 公司 集团 大学 学院 银行 医院 基金会 研究院 研究所 协会 学会 工会 农会 渔会 法院 博物馆 美术馆 图书馆 队 俱乐部 部落".split())  # fmt: skip
_BOUNDARY = (
    "日因有仅已在的由与和及对向从为至以诉被把将到于是了让给比自位等跟当据依称其该这那每各前后于并也及距离"
)
_PREFIX = re.compile(
    r"(?:开发商|营运商|运营商|承包商|供应商|大厂|厂商|业者|龙头|子公司|母公司|厂|[日韩美荷德法英港台陆外]商|邻近的?|同业|对手|国立|私立|省立|市立|县立|籍|其中|记者|地主|客队|(?:主|承|协)办方?|企业|商家|单位)"
)
# A document presents what it is about within its first so many characters.
LEAD = 400
_GENERAL_HEADS = frozenset("全 本 该 各 母 子 分 总 大 小 新 旧 老 国 省 市 县 外 内 公 私 多 某 此 当地 地方 中央 全国 台湾 国内 国外 相关 上市 其他 离岸 陆域 主要 大型 中小 附近 一家 两家 各县 全省".split())  # fmt: skip


def han_names(text: str) -> Iterable[tuple[str, str]]:
    """The Chinese names in a folded text that a title, a verb of saying or an ending marks, with their kinds."""
    yield from ((name, "person") for name in _people(text))
    yield from _bodies(text)


def _people(text: str) -> Iterable[str]:
    for match in _HAN_TITLED.finditer(text):
        if name := _titled(text, match.start(1)):
            yield name
    for match in _HAN_SPEAKER.finditer(text):
        if name := _person(match[1], text):
            yield name
    for match in _HAN_FOREIGN.finditer(text):
        if match[1][0] not in SURNAMES and all(
            len(word) == 1 or not known_word(word) for word in cut(match[1])
        ):
            yield match[1]
    for match in [*_HAN_AGED.finditer(text), *_HAN_OF_TEAM.finditer(text)]:
        yield match[1]
    for match in _HAN_DONE_BY.finditer(text):
        if any(not known_word(word) for word in cut(match[1])) and not set("与和及") & set(match[1]):
            yield match[1]
    yield from _tagged_people(text)
    yield from _twice(text)


def _twice(text: str) -> Iterable[str]:
    """What begins a clause with a surname the dictionary takes for one, and stands in the text again."""
    for match in _HAN_OPENS.finditer(text):
        name = match[1]
        if text.count(name) < 2 or known_word(name) or not _may_be_person(name):
            continue
        first, tag = tagged(match[0])[0]
        if tag == "nr" and name.startswith(first) and not (len(first) == 1 and known_word(name[:2])):
            yield name


def _tagged_people(text: str) -> Iterable[str]:
    """Words the dictionary takes for people's names and does not hold."""
    for run in re.findall(r"[\u3400-\u9fff]{2,}", text):
        for word, tag in tagged(run):
            if tag not in ("nr", "nrt", "nrfg") or word[0] not in _SURNAMES or known_word(word):
                continue
            name = word[:2] if len(word) == 3 and word[2] in ADVERBS else word
            if len(name) == 3 or (len(name) == 2 and _alone(name, text)):
                yield name


def _bodies(text: str) -> Iterable[tuple[str, str]]:
    for match in _HAN_KIND_BEFORE.finditer(text):
        if match[1][0] in _BOUNDARY + "把":
            continue
        if not any(_ordinary(word, tag) for word, tag in tagged(match[1])):
            yield match[1], "group"
    for match in _SUFFIXED.finditer(text):
        name = _suffixed(text, match)
        if not name:
            continue
        yield name, ENDINGS[match[0]]
        bare = name[: -len(match[0])]
        if len(bare) >= 2 and not known_word(bare) and not bare.endswith(tuple(HAN_PLACES)):
            if text.count(bare) > text.count(name):
                yield bare, ENDINGS[match[0]]


def _alone(word: str, text: str) -> bool:
    """True if two characters stand twice as a name, once at least where a clause begins, and never before the same third."""
    if word[1] in AFTER_HAN_NAME or not re.search(rf"(?<![\u3400-\u9fff])(?<!\d){word}", text):
        return False
    return len(set(re.findall(rf"{word}(.)", text, re.DOTALL))) > 1


def _titled(text: str, at: int) -> str | None:
    """The name of two or three characters that follows a title, where something that follows names follows it."""
    for size in (3, 2):
        name, after = text[at : at + size], text[at + size : at + size + 1]
        runs_on = "\u3400" <= after <= "\u9fff" and after not in AFTER_HAN_NAME
        if runs_on or not _may_be_person(name) or not re.fullmatch(f"[\u3400-\u9fff]{{{size}}}", name):
            continue
        doubtful = known_word(name) if size == 2 else known_word(name[1:]) and known_word(name[:2])
        if (
            not doubtful
            or not after
            or re.match(f"[{ADVERBS}]|{HAN_SPEAKS}", text[at + size : at + size + 2])
        ):
            return name
    return _person(text[at : at + 3], text)


def _may_be_person(name: str) -> bool:
    return name[-1] not in _BODY_SIGNS and not (len(name) == 3 and name[2] in ADVERBS)


def _person(candidate: str, text: str) -> str | None:
    """A name of two or three characters out of a word that begins with a surname."""
    if candidate[-1] in _BODY_SIGNS:
        candidate = candidate[:-1]
    if len(candidate) == 3 and candidate[2] in AFTER_HAN_NAME and text.count(candidate) < 2:
        candidate = candidate[:2]
    if len(candidate) < 2 or (
        len(candidate) == 2 and (candidate[1] in AFTER_HAN_NAME or known_word(candidate))
    ):
        return None
    if len(candidate) == 3 and known_word(candidate[:2]) and known_word(candidate[1:]):
        return None
    return candidate if re.fullmatch("[\u3400-\u9fff]+", candidate) else None


def _suffixed(text: str, suffix: re.Match[str]) -> str | None:
    """The name an ending closes: back to where its run of characters begins, or to a small word."""
    first = suffix.start()
    before = text[max(0, first - 8) : first]
    led = list(_PREFIX.finditer(before))
    if (
        led
        and 2 <= len(before) - led[-1].end() <= 5
        and re.fullmatch(r"[\u3400-\u9fff]+", before[led[-1].end() :])
    ):
        return str(before[led[-1].end() :]) + suffix[0]
    while first and _goes_back(text, first - 1) and suffix.start() - first < 7:
        first -= 1
    whole = _bare_head(text[first : suffix.start()])
    head = _after_small_words(whole)
    if head != whole and all(known_word(word) and not _proper(word) for word in cut(head)):
        return None
    return head + suffix[0] if _heads(head, suffix[0], text, first) else None


def _goes_back(text: str, at: int) -> bool:
    dated = text[at] in "年月日号" and text[max(0, at - 1) : at].isdigit()
    return "\u3400" <= text[at] <= "\u9fff" and text[at] not in _BOUNDARY and not dated


def _bare_head(head: str) -> str:
    """What is left without the ordinary words before a name, which belong to the sentence: 访问 | 泊宁 市."""
    words = list(tagged(head)) if head else []
    while len(words) > 1 and _leads(*words[0]) and sum(len(word) for word, _ in words[1:]) >= 2:
        words.pop(0)
    return "".join(word for word, _ in words)


def _after_small_words(head: str) -> str:
    """What follows the last small word or verb of one character: 土地属 | 雾桥 农会, 写成了 | 桥."""
    words = list(tagged(head)) if head else []
    last = max(
        (
            at
            for at, (word, tag) in enumerate(words[:-1] if len(words) > 1 else words)
            if known_word(word) and (tag[:1] in "cdpu" or (tag == "v" and len(word) == 1))
        ),
        default=-1,
    )
    return "".join(word for word, _ in words[last + 1 :])


def _heads(head: str, ending: str, text: str, first: int) -> bool:
    """True if what stands before an ending makes it a name."""
    if (
        not 2 <= len(head) <= 6
        or head in _GENERAL_HEADS
        or head in HAN_STOP
        or head[0] in "一二三四五六七八九十两"
    ):
        return False
    name = head + ending
    if len(ending) == 1 and (len(head) > 4 or (known_word(name) and not _proper(name))):
        return False
    if not all(known_word(word) and not _proper(word) for word in cut(head)):
        return True
    # 消费性 电子, 全年 地区: ordinary words before an ordinary ending name nothing.
    often = text.count(name) > 1
    begins = first == 0 or not "\u3400" <= text[first - 1] <= "\u9fff"
    return (
        (often and ending in _TOWNS)
        or ending in _HOUSES
        or (ending in _STRONG and (often or (begins and first < LEAD)))
    )


def _leads(word: str, tag: str) -> bool:
    """True if a word stands before a name and is no part of it."""
    return word in HAN_STOP or (
        tag[:1] in "vpcdrmftuq" and known_word(word) and (len(word) > 1 or tag != "v")
    )


def _ordinary(word: str, tag: str) -> bool:
    return len(word) > 1 and known_word(word) and tag not in NAME_TAGS and tag != "x"


def _proper(word: str) -> bool:
    return any(tag in NAME_TAGS for _, tag in tagged(word))
