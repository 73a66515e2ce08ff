"""Who and what a document speaks of: its names, what kind of thing each may be, and which of them it is about. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from nodes.research.checking.chinese_names import known_word, tagged
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import lowered
from nodes.research.checking.name import Name
from nodes.research.checking.name_words import GENERIC, HEADS, NAME_TAGS, NOT_NAMES, SURNAMES, TITLES
from nodes.research.checking.names import held, tokens
from nodes.research.checking.person_words import (
    ADVERBS,
    AFTER_HAN_NAME,
    COMPARED,
    FIRMS,
    GOVERN,
    HAN_GROUPS,
    HAN_PLACES,
    HAN_SPEAKS,
    HAN_TITLES,
    PEOPLE,
    PERSON_ENDING,
    RARER_SURNAMES,
)
from nodes.research.checking.terms import HAN_STOP, cut

PERSON, GROUP, PLACE, VESSEL = "person", "group", "place", "vessel"
_VESSELS = frozenset("ship tanker vessel ferry freighter trawler cutter steamer yacht tug barge carrier schooner frigate".split())  # fmt: skip
ANY = frozenset({GROUP, PLACE})
_GEOGRAPHY = frozenset("county city state district province river lake mountain island islands park bridge port airport station gulf strait isle cape mount bay street road avenue square lane hall valley hill hills beach forest harbour harbor creek falls".split())  # fmt: skip
_WORD_BEFORE = re.compile(r"([A-Za-z-]+),? (?:the )?$")
_OFFICE_AFTER = re.compile(
    r",? (?:an?|the|its|their|his|her) (?:[\w'-]+ ){0,4}?([a-z]+)[,.]|, who\b|, (\d\d),|, \d\d, "
)
_SPEAKS_AFTER = re.compile(rf" (?:\w+ly |also |then )?(?:{GOVERN})\b")
_SPEAKS_BEFORE = re.compile(rf"[\",] (?:{GOVERN}) $")
_INSIDE = re.compile(
    r"\b(?:in|near|off|outside|neighbouring|nearby|across|town of|city of|village of|port of|suburb of|at) $",
    re.IGNORECASE,
)
_GROUP_AFTER = re.compile(r"'s? (?:chief|shares|revenue|board|profit|directors?|sales|employees|customers|fans|managing)| employs\b| (?:said|says) it\b|, (?:the|an?) (?:[\w'-]+ ){0,3}(?:maker|company|firm|operator|utility|group|fund|bank|insurer|supplier|union|producer|retailer)\b")  # fmt: skip
# Bodies that act beside the one a document is about, and are told of without a name.
_INSTITUTION = re.compile(r"\b[Tt]he ((?:[a-z]+ )?(?:coast guard|prosecution|defence|police|opposition|union|government|ministry|trust|fire service|regulator))\b|(?<![\u3400-\u9fff])(?:检方|警方|辩方|资方|劳方|环保团体|反对党|执政党)")  # fmt: skip
_TITLES = "|".join(sorted(HAN_TITLES, key=len, reverse=True))
_SURNAMES = SURNAMES | frozenset(RARER_SURNAMES)
_SURNAME = f"[{''.join(sorted(_SURNAMES))}]"
_HAN_TITLED = re.compile(rf"(?:{_TITLES})({_SURNAME}[\u3400-\u9fff]{{1,2}})")
_HAN_SPEAKER = re.compile(
    rf"(?:(?<![\u3400-\u9fff])|(?<=的))({_SURNAME}[\u3400-\u9fff]{{1,2}})(?={HAN_SPEAKS})"
)
_HAN_FOREIGN = re.compile(
    r"(?:选手|名将|小将|教练|球员|投手|总统|作家|导演|学家|终结者)([\u3400-\u9fff]{2,6}?)(?=以|因|在|则|说|率|击|的|赢|[^\u3400-\u9fff]|$)"
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
_SUFFIXES = [(suffix, GROUP) for suffix in HAN_GROUPS] + [(suffix, PLACE) for suffix in HAN_PLACES]
_SUFFIXED = re.compile("|".join(sorted((suffix for suffix, _ in _SUFFIXES), key=len, reverse=True)))
_KIND = dict(_SUFFIXES)
_TOWNS = frozenset("省市县镇乡村")
_HOUSES = frozenset("剧场 剧院 大剧院 影院 体育馆 体育场 棒球场 中学 小学 高中".split())
_STRONG = frozenset("股份有限公司 有限公司 公司 集团 大学 学院 银行 医院 基金会 研究院 研究所 协会 学会 工会 农会 渔会 法院 博物馆 美术馆 图书馆 队 俱乐部 部落".split())  # fmt: skip
_BOUNDARY = (
    "日因有仅已在的由与和及对向从为至以诉被把将到于是了让给比自位等跟当据依称其该这那每各前后于并也及距离"
)
_PREFIX = re.compile(
    r"(?:开发商|营运商|运营商|承包商|供应商|大厂|厂商|业者|龙头|子公司|母公司|厂|[日韩美荷德法英港台陆外]商|邻近的?|同业|对手|国立|私立|省立|市立|县立|籍|其中|记者|地主|客队|主办)"
)
# A document presents what it is about within its first so many characters.
LEAD = 400
_GENERAL_HEADS = frozenset("全 本 该 各 母 子 分 总 大 小 新 旧 老 国 省 市 县 外 内 公 私 多 某 此 当地 地方 中央 全国 台湾 国内 国外 相关 上市 其他 离岸 陆域 主要 大型 中小 附近 一家 两家 各县 全省".split())  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something a document names.

    Attributes:
        name: the fullest form.
        kinds: what it may be: "person", "group", "place".
    """

    name: str
    kinds: frozenset[str]


def same(one: str, other: str) -> bool:
    """True if two names may be one thing's: they share a telling word, or one shortens the other."""
    if one == other:
        return True
    if one.isascii() != other.isascii():
        return held(one, lowered(other)) or held(other, lowered(one))
    if one.isascii():
        return (
            bool(set(tokens(one)) & set(tokens(other)))
            or held(one, lowered(other))
            or held(other, lowered(one))
        )
    if one in other or other in one:
        return True
    return len(_head(one)) >= 2 and _head(one) in other or len(_head(other)) >= 2 and _head(other) in one


@lru_cache(maxsize=8192)
def _head(name: str) -> str:
    """A Chinese name without the ending that tells its kind."""
    for suffix in sorted(_KIND, key=len, reverse=True):
        if name.endswith(suffix) and len(name) - len(suffix) >= 2:
            return name[: -len(suffix)]
    return name


def roster(title: str, texts: Sequence[Facts]) -> list[Entity]:
    """The names of a document.

    Args:
        title: its name, folded.
        texts: its sentences' facts, in order.

    Returns:
        Every name once, those it names most first.
    """
    whole = "\n".join([title, *(one.text for one in texts)])
    found: dict[str, Counter[str]] = {}
    for facts in texts:
        for name in facts.names:
            if name.text.isascii() or not any("\u3400" <= sign <= "\u9fff" for sign in name.text):
                if re.search(r"[\d万亿千百] ?$|\($", facts.text[: name.start]) and name.text.isupper():
                    continue
                if name.sure or (
                    " " not in name.text and whole.count(name.text) > 1 and lowered(name.text) not in whole
                ):
                    text, start, titled = _untitled(name)
                    votes = found.setdefault(text, Counter())
                    votes[PERSON] += 3 * titled
                    _english(text, start, name.end, facts.text, votes)
    for match in _INSTITUTION.finditer(whole):
        found.setdefault(match[1] or match[0], Counter())[GROUP] += 3
    for text, kind in han_names(whole):
        found.setdefault(text, Counter())[kind] += 1
    kinds = {name: _kinds(name, votes, found) for name, votes in found.items()}
    for name in kinds:
        if any(full.endswith(f" {name}") and kinds[full] == {PERSON} for full in kinds):
            kinds[name] = frozenset({PERSON})
    return [
        Entity(name, kinds[name])
        for name in sorted(found, key=lambda name: -whole.count(name))
        if kinds[name]
    ]


def _untitled(name: Name) -> tuple[str, int, bool]:
    """A name without the noun of people that a sentence begins with: "Winger Toby Marsh"."""
    first, _, rest = name.text.partition(" ")
    noun = first.lower()
    if rest.count(" ") == 1 and (noun in PEOPLE or _human(noun) or noun.startswith("co-")):
        return rest, name.start + len(first) + 1, True
    return name.text, name.start, False


def _english(name: str, start: int, end: int, text: str, votes: Counter[str]) -> None:
    before, after = text[max(0, start - 40) : start], text[end : end + 70]
    words = lowered(name).split()
    if any(word in GENERIC | HEADS and word not in _GEOGRAPHY for word in words):
        votes[GROUP] += 3
    if any(word in _GEOGRAPHY for word in words):
        votes[PLACE] += 3
    last = _WORD_BEFORE.search(before)
    word = last[1].lower() if last else ""
    if word in _VESSELS:
        votes[VESSEL] += 4
    elif word in FIRMS and not (before.endswith(", ") and _people(before)):
        votes[GROUP] += 2
    elif word in PEOPLE or word in TITLES or (last and len(word) > 4 and _human(last[1])):
        votes[PERSON] += 3
    elif before.endswith(", ") and _people(before):
        votes[PERSON] += 2
    if not re.search(r"\ban? (?:\w+ )?$", before) and re.match(
        r"[^.]{0,60}\b(?:he|she|his|her|him)\b", after
    ):
        votes[PERSON] += 1
    if office := _OFFICE_AFTER.match(after):
        noun = (office[1] or "").lower()
        if not office[1] or noun in PEOPLE or _human(noun):
            votes[PERSON] += 2
    if _SPEAKS_AFTER.match(after) or _SPEAKS_BEFORE.search(before):
        votes[PERSON] += len(words) == 2
    if _INSIDE.search(before):
        votes[PLACE] += 2
    if _GROUP_AFTER.match(after):
        votes[GROUP] += 2


def _kinds(name: str, votes: Counter[str], found: dict[str, Counter[str]]) -> frozenset[str]:
    if name.isascii():
        # A surname alone is what its full name is, and the other way round.
        mine = frozenset(tokens(name))
        for other, theirs in found.items():
            if (
                other != name
                and other.isascii()
                and (mine < (parts := frozenset(tokens(other))) or parts < mine)
            ):
                votes = votes + theirs
        words = name.split()
        if len(words) == 2 and not votes[PLACE]:
            # People are shortened to their last name, firms to their first.
            votes = votes + Counter({GROUP: 2 * (words[0] in found), PERSON: 2 * (words[1] in found)})
    if votes[PERSON] > max(votes[GROUP], votes[PLACE], votes[VESSEL]):
        return frozenset({PERSON})
    if votes[VESSEL]:
        return frozenset({VESSEL})
    if lowered(name) in NOT_NAMES or (name.isascii() and re.search(r"-[a-z]|\d", name)):
        return frozenset()
    known = frozenset(kind for kind in (GROUP, PLACE) if votes[kind])
    return known or (ANY | {PERSON} if len(name.split()) == 2 else ANY)


def _people(before: str) -> bool:
    """True if a noun of people stands in what precedes a name: "the chairwoman of the association, "."""
    return any(word in PEOPLE or _human(word) for word in re.findall(r"[a-z]{5,}", before))


def _human(word: str) -> bool:
    """True if a lower-case English word is a noun of people by its ending: goalkeeper, scientist."""
    return (
        word.islower()
        and word not in FIRMS
        and word not in COMPARED
        and PERSON_ENDING.search(word) is not None
    )


def han_names(text: str) -> Iterable[tuple[str, str]]:
    """The Chinese names in a folded text that a title, a verb of saying or an ending marks, with their kinds."""
    for match in _HAN_TITLED.finditer(text):
        if name := _titled(text, match.start(1)):
            yield name, PERSON
    for match in _HAN_SPEAKER.finditer(text):
        name = _person(match[1], text)
        if name:
            yield name, PERSON
    for match in _HAN_KIND_BEFORE.finditer(text):
        if match[1][0] not in _BOUNDARY + "把" and not any(
            map(_ordinary, *zip(*tagged(match[1]), strict=True))
        ):
            yield match[1], GROUP
    for match in _HAN_FOREIGN.finditer(text):
        if match[1][0] not in SURNAMES and all(
            len(word) == 1 or not known_word(word) for word in cut(match[1])
        ):
            yield match[1], PERSON
    for match in [*_HAN_AGED.finditer(text), *_HAN_OF_TEAM.finditer(text)]:
        yield match[1], PERSON
    for match in _HAN_DONE_BY.finditer(text):
        if any(not known_word(word) for word in cut(match[1])):
            yield match[1], PERSON
    for run in re.findall(r"[\u3400-\u9fff]{2,}", text):
        for word, tag in tagged(run):
            if tag in ("nr", "nrt", "nrfg") and word[0] in _SURNAMES and not known_word(word):
                if len(word) == 3 and word[2] in ADVERBS:
                    word = word[:2]
                if len(word) == 3 or (len(word) == 2 and _alone(word, text)):
                    yield word, PERSON
    for match in _SUFFIXED.finditer(text):
        name = _suffixed(text, match)
        if name:
            yield name, _KIND[match[0]]
            bare = name[: -len(match[0])]
            if len(bare) >= 2 and not known_word(bare) and text.count(bare) > text.count(name):
                yield bare, _KIND[match[0]]


def _alone(word: str, text: str) -> bool:
    """True if two characters stand twice as a name, once at least where a clause begins, and never before the same third."""
    if word[1] in AFTER_HAN_NAME or not re.search(rf"(?<![\u3400-\u9fff])(?<!\d){word}", text):
        return False
    return len(set(re.findall(rf"{word}(.)", text, re.DOTALL))) > 1


def _titled(text: str, at: int) -> str | None:
    """The name of two or three characters that follows a title, where something that follows names follows it."""
    for size in (3, 2):
        name, after = text[at : at + size], text[at + size : at + size + 1]
        if size == 3 and (not re.fullmatch("[\u3400-\u9fff]{3}", name) or name[2] in ADVERBS):
            continue
        if (
            name[-1] in "局部处院市县省区厂店队会社馆所站"
            or after
            and "\u3400" <= after <= "\u9fff"
            and after not in AFTER_HAN_NAME
        ):
            continue
        if size == 2 and known_word(name) and not re.match(HAN_SPEAKS, text[at + 2 : at + 4]):
            continue
        if (
            size == 3
            and known_word(name[1:])
            and known_word(name[:2])
            and after
            and after not in ADVERBS + "说表指"
        ):
            continue
        return name
    return _person(text[at : at + 3], text)


def _person(candidate: str, text: str) -> str | None:
    """A name of two or three characters out of a word that begins with a surname."""
    if candidate[-1] in "局部处院市县省区厂店队会社馆所站":
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
    while (
        first
        and "\u3400" <= text[first - 1] <= "\u9fff"
        and suffix.start() - first < 7
        and text[first - 1] not in _BOUNDARY
    ):
        first -= 1
    head = text[first : suffix.start()]
    words = list(tagged(head)) if head else []
    # Ordinary words before the name belong to the sentence: 访问 | 泊宁 市.
    while len(words) > 1 and _leads(*words[0]) and sum(len(word) for word, _ in words[1:]) >= 2:
        words.pop(0)
    head = "".join(word for word, _ in words)
    if (
        not 2 <= len(head) <= 6
        or head in _GENERAL_HEADS
        or head in HAN_STOP
        or re.search("[一二三四五六七八九十两]", head[:1])
    ):
        return None
    if len(suffix[0]) == 1 and (
        len(head) > 4 or known_word(head + suffix[0]) and not _proper(head + suffix[0])
    ):
        return None
    if all(known_word(word) and not _proper(word) for word in cut(head)):
        # 消费性 电子, 全年 地区: ordinary words before an ordinary ending name nothing.
        begins = first == 0 or not "\u3400" <= text[first - 1] <= "\u9fff"
        often = text.count(head + suffix[0]) > 1
        if not (often and suffix[0] in _TOWNS or suffix[0] in _HOUSES):
            if suffix[0] not in _STRONG or not (often or begins and first < LEAD):
                return None
    return head + suffix[0]


def _leads(word: str, tag: str) -> bool:
    """True if a word stands before a name and is no part of it."""
    return word in HAN_STOP or (
        tag[:1] in "vpcdrmftuq" and known_word(word) and (len(word) > 1 or tag != "v")
    )


def _ordinary(word: str, tag: str) -> bool:
    return len(word) > 1 and known_word(word) and tag not in NAME_TAGS and tag != "x"


def _proper(word: str) -> bool:
    return any(tag in NAME_TAGS for _, tag in tagged(word))
