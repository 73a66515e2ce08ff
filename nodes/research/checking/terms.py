"""The words of a text that say what it is about: English stems, Chinese words, and their concepts."""

from __future__ import annotations

import re
import threading
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from nodes.research.checking.concepts import chinese_words, concepts_of
from nodes.research.checking.stems import stem

STOP = frozenset(
    "a an the of in on at to for from by with and or but nor as is are was were be been being has have had having do does "
    "did it its they them their this that these those there here he she his her him we our us you your i my which who "
    "whom whose what when where while than then so such into onto about between among during through over under up down "
    "out off also too very just only both each any all some other another more most less much many same own not no will would "
    "can could may might should shall must if because although though however whereas per via within without across against "
    "after before since until once again further according s t one now still yet already even well back itself themselves "
    "mr mrs ms dr prof around roughly approximately nearly almost some amid".split()
)
# Simplified, as folded text has them.
HAN_STOP = frozenset(
    "的 了 在 是 和 与 及 或 也 都 就 而 但 于 以 为 对 从 到 由 被 把 将 这 那 该 其 此 之 等 中 上 下 里 并 且 又 还 则 所 有 个 们 他 她 它 "
    "我 你 自 至 向 因 如 若 即 当 时 后 前 间 内 外 者 地 得 着 过 来 去 让 使 给 比 较 更 最 很 约 大约 其中 目前 已经 已 曾 可 可以 能 能够 会 "
    "以及 因此 但是 不过 而且 并且 同时 此外 另外 由于 因为 所以 如果 虽然 然而 仍 仍然 这个 那个 这些 那些 一个 一 两 今年 去年 年 月 日 季 "
    "亿 万 千 百 兆 元 亿元 万元 兆元 第 名 位 家 座 场 次 共 则是 分别 各 每 某 皆 均 只 才 再 已达 方面 部分 进行 相较 相比 之间 以来 左右 成为 "
    "有关 关于 对于 透过 作为 属于 以上 以下 我们 他们 它们 自己 什么 为了 随着 根据 依据 依 据 约为 新台币 台币 美元 %".split()
)
# Words of business and statistics, as Taiwan writes them, that the dictionary does not hold.
NEWS_WORDS = (
    "营收 年增 年减 月增 月减 季增 季减 年增率 月增率 市占率 市占 毛利率 净利率 净利 税后 税前 "
    "每股盈余 新台币 去年同期 同期 董事长 执行长 总经理 副总经理 鲔鱼 黑鲔鱼 公吨 公顷 公里 公尺 新厂 量产 良率 制程 产能 利用率 法人 外资 "
    "失业率 通膨 通膨率 物价 年增幅 出口额 进口额 贸易额 顺差 逆差 碳排 碳排放 减碳 净零 绿电 风电 离岸 光电 储能 电动车 自驾车 "
    "县市 乡镇 民众 学童 长照 健保 劳保 房价 房市 实价 登录 捷运 高铁 台铁 观光客 旅客数 载客量 运量 得票率 投票率 支持率 普及率 "
    "研究团队 受试者 安慰剂 副作用 临床 三期 二期 疫苗 确诊 死亡率 存活率 感染率 发生率 降雨量 均温 震度 规模 球季 例行赛 冠军赛 胜率 打击率 防御率 全垒打 "
    "中职 职篮 球团 主场 客场 资本支出 股东会 股利 殖利率 配息 股价 市值 本益比 订单 出货量 库存 营业利益 营益率 合并营收 自结 财报 季报 年报 "
    "市府 县府 议会 议员 立委 里长 乡长 镇长 补助款 预算案 招标 得标 决标 完工 通车 启用 落成 动土"
)
ORGANISATIONS = (
    "台积电 联发科 鸿海 台达电 中华电信 长荣 阳明 万海 广达 纬创 和硕 国泰 富邦 统一狮 味全龙 中信兄弟 行政院 立法院 监察院 经济部 财政部 "
    "内政部 交通部 环境部 卫福部 劳动部 教育部 文化部 数位部 国科会 主计总处 央行 金管会 国发会 农业部 气象署 疾管署 食药署 观光署 "
    "工研院 中研院 中油 台电 台铁 高铁"
)
_WORD = re.compile(
    r"[A-Za-z\u00c0-\u024f][A-Za-z\u00c0-\u024f0-9]*(?:['-][A-Za-z\u00c0-\u024f0-9]+)*|[\u3400-\u9fff]+|\d[\w.]*"
)


# Verbs of two words, each of which alone means something else.
PHRASE = re.compile(
    r"(?P<reject>\b(?:turn(?:ed|s|ing)? (?:it |them )?down|thr(?:ew|own) out|throw(?:s|ing)? out|vot(?:ed?|es|ing) (?:it )?(?:down|against)|call(?:ed|s|ing)? off|knocked back|struck down|strikes? down"
    r"|ruled against|said no|sent back|pull(?:ed|s)? out of|back(?:ed|s)? out|walk(?:ed|s)? away|put on hold|put on ice|shelv(?:ed?|es|ing)|scrapp(?:ed|ing)|withheld|overturn(?:ed|s)?|drop(?:ped)? the plan)\b)"
    r"|(?P<approve>\b(?:go(?:es|ing)? ahead|went ahead|gone ahead|go-ahead|green[- ]light(?:ed)?|wav(?:ed|es) through|sign(?:ed|s)? off|gav?e (?:it |its )?(?:the nod|blessing|consent)|said yes|vot(?:ed?|es) (?:for|in favou?r)"
    r"|ruled in favou?r|clear(?:ed)? the way|given permission|granted|grants?(?= (?:permission|approval|a licen[cs]e|planning)))\b)"
    r"|(?P<rise>\b(?:w[eo]nt up|go(?:es|ing)? up|mov(?:ed|es) up|put on|on the rise|picked up|shot up)\b)|(?P<fall>\b(?:w[eo]nt down|go(?:es|ing)? down|came down|comes? down|fell back|falls? back|scal(?:ed|ing) back|cut back|on the decline|dropped off|fell away|w[eo]nt into reverse)\b)"
    r"|(?P<employee>\bwork(?:s|ed|ing)? for(?= the\b| it\b| [A-Z]))"
    r"|(?P<keep>\b(?:(?:stick(?:s|ing)?|stuck|hold(?:s|ing)?|held|cling(?:s|ing)?|clung) to|(?:stand|stands|stood|standing) by)\b)|(?P<abolish>\b(?:do(?:es|ing)?|did|done) away with\b)"
    r"|(?P<layoff>\b(?:la(?:id|y|ying) off|let go)\b)|(?P<close>\b(?:shut(?:s|ting)? down|clos(?:ed?|es|ing) (?:down|its doors)|w[eo]nt out of business|ceas(?:ed?|es) (?:operation|operations|trading))\b)"
    r"|(?P<delay>\b(?:put(?:s|ting)? (?:it |them )?(?:off|back)|pushed back|push(?:es|ing)? back|held over)\b)"
    r"|(?P<buy>\b(?:took over|tak(?:en|es|ing) over|buy(?:s|ing)? out|bought out|snapped up)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Term:
    """A word that counts.

    Attributes:
        key: an English stem or a Chinese word, folded.
        start: offset of its first character.
        end: offset after its last one.
        concepts: what it stands for, see `concepts`.
    """

    key: str
    start: int
    end: int
    concepts: frozenset[str]


def terms(text: str) -> list[Term]:
    """The words of a folded text that say what it is about, in order; numbers are not among them."""
    found = []
    for phrase in PHRASE.finditer(text):
        concept = str(phrase.lastgroup)
        found.append(Term(f"#{concept}", phrase.start(), phrase.end(), frozenset({concept})))
    if found:
        text = PHRASE.sub(lambda match: "\u2400" * len(match[0]), text)
    for start, end, word in words(text):
        if word[0] > "\u3000":
            kinds = concepts_of(word)
            if word in HAN_STOP or (len(word) == 1 and not kinds):
                continue
            found.append(Term(word, start, end, kinds))
            continue
        low = word.lower().removesuffix("'s").rstrip("'")
        if low in STOP and low not in (
            "up",
            "down",
            "over",
            "under",
            "before",
            "after",
            "against",
            "more",
            "less",
            "most",
            "will",
            "would",
        ):
            continue
        key = stem(low)
        if len(low) > 1 and (low not in STOP or concepts_of(key)):
            found.append(Term(key, start, end, concepts_of(key)))
    return sorted(found, key=lambda term: term.start) if text.count("\u2400") else found


def words(text: str) -> list[tuple[int, int, str]]:
    """All words of a folded text as (start, end, word); Chinese is cut by its dictionary."""
    found = []
    for match in _WORD.finditer(text):
        if match[0][0] < "\u3000":
            if match[0][0].isdigit():
                continue
            found.append((match.start(), match.end(), match[0]))
            if "-" in match[0]:
                found += _parts(match.start(), match[0])
            continue
        at = match.start()
        for word in cut(match[0]):
            found.append((at, at + len(word), word))
            at += len(word)
    return found


def _parts(start: int, word: str) -> list[tuple[int, int, str]]:
    return [
        (start + part.start(), start + part.end(), part[0])
        for part in re.finditer(r"[^-]+", word)
        if len(part[0]) > 2 and part[0].lower() not in STOP
    ]


@lru_cache(maxsize=65_536)
def cut(han: str) -> tuple[str, ...]:
    """A run of Han characters as words."""
    return tuple(dictionary().cut(han))


_LOADING = threading.Lock()


def dictionary() -> Any:
    """The Chinese dictionary, with the words of reports it lacks."""
    # While words are added to it, no other thread can read it.
    with _LOADING:
        return _loaded()


@cache
def _loaded() -> Any:
    import rjieba

    for word in {*NEWS_WORDS.split(), *chinese_words()}:
        rjieba.add_word(word, None, None)
    for word in ORGANISATIONS.split():
        rjieba.add_word(word, None, "nt")
    return rjieba


def bigrams(text: str) -> set[str]:
    """Every two neighbouring Han characters of a folded text."""
    return {
        run[at : at + 2] for run in re.findall(r"[\u3400-\u9fff]{2,}", text) for at in range(len(run) - 1)
    }
