"""Names of people, organisations, places and products, and whether a text holds them. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from nodes.research.checking.folding import lowered
from nodes.research.checking.concepts import concepts_of
from nodes.research.checking.stems import stem
from nodes.research.checking.terms import HAN_STOP, STOP, dictionary

_TOKEN = r"(?:[A-Z][A-Za-z0-9\u00c0-\u024f]*(?:['&.-][A-Za-z0-9\u00c0-\u024f]+)*|[a-z]+[A-Z][A-Za-z0-9]*|[A-Z]&[A-Z]|\d+[A-Z][A-Za-z]*)"
_ENGLISH = re.compile(rf"(?<![A-Za-z0-9_])(?:{_TOKEN})(?:(?:\.? (?:of|the|for|and|de|del|van|von|der|la|le|al|bin|&|y) (?:the )?|\.? |-)(?:{_TOKEN}|\d+(?![\w.,%]|\s?(?:million|billion|percent))))*")
# Words that begin a sentence with a capital letter and name nothing.
_OPENERS = frozenset(
    "in on at by for from with after before since during under over according however moreover meanwhile although though "
    "while when where if because as it its he she they we i this that these those there here the a an but and or yet so "
    "both each all some many most several few more less no not only about around nearly almost roughly overall total "
    "researchers scientists officials authorities analysts experts police sales revenue profit output exports imports "
    "production shares prices growth demand supply turnover unemployment inflation population rainfall temperatures "
    "emissions shipments deliveries operating net gross annual quarterly monthly last next new two three four five six "
    "seven eight nine ten first second third today yesterday spokesman spokeswoman chairman chief president minister "
    "residents workers employees students voters visitors passengers tourists farmers fishermen engineers doctors "
    "patients women men children people company companies government parliament city council court judges "
    "construction work funding investment spending costs staff members participants attendance ticket tickets "
    "volunteers inspectors investigators lawmakers regulators investors shareholders consumers customers users "
    "despite following between among across despite until once then still now also another other such what who why how "
    "earlier later previously currently recently finally instead altogether together data figures results findings "
    "average electricity water power energy rail road traffic housing rents wages salaries tax taxes interest rates".split()
)
_TITLES = frozenset("mr mrs ms dr prof professor sir dame lord lady president minister chairman chairwoman ceo director mayor governor senator captain coach chief judge king queen prince princess dean secretary".split())  # fmt: skip
_GENERIC = frozenset(
    "inc corp corporation co company ltd limited plc llc group holdings holding ag gmbh sa nv the of and for university institute "
    "college school ministry department bureau agency office council committee commission association society foundation "
    "bank centre center laboratory lab hospital city county state district province river lake mountain island islands "
    "national international public general technologies technology systems industries electronics energy power motors "
    "pharmaceuticals pharma foods airlines railway rail station airport port museum park bridge team club fc united "
    "government administration authority board court party union federation organization organisation report survey study "
    "project programme program plan act law bill news times daily post journal press observatory".split()
)
_HEADS = frozenset("gulf strait house school institute centers republic kingdom isle cape mount bay house faculty journal academy chamber league organization".split())
_NOT_NAMES = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september "
    "october november december jan feb mar apr jun jul aug sep sept oct nov dec q1 q2 q3 q4 h1 h2 fy gdp ceo cfo cto ipo r&d "
    "ai pc id ok am pm ad bc bce usd nt us$ nt$ covid km kg mw gw gwh mwh kwh twh mm cm pp pct yoy qoq eps tv it ii iii".split()
)
ALIASES = {
    "us": "united states america american usa u.s u.s.a 美国 美", "uk": "united kingdom britain british u.k england 英国 英",
    "taiwan": "taiwanese taiwan's 台湾 台", "japan": "japanese 日本 日", "china": "chinese 中国 大陆 中", "korea": "korean south-korea 韩国 南韩 韩",
    "germany": "german 德国 德", "france": "french 法国 法", "eu": "european-union 欧盟", "europe": "european 欧洲 欧", "india": "indian 印度",
    "canada": "canadian 加拿大", "australia": "australian 澳洲 澳大利亚", "spain": "spanish 西班牙", "italy": "italian 意大利 义大利",
    "russia": "russian 俄罗斯 俄国", "vietnam": "vietnamese 越南", "thailand": "thai 泰国", "singapore": "singaporean 新加坡",
    "netherlands": "dutch holland 荷兰", "switzerland": "swiss 瑞士", "sweden": "swedish 瑞典", "norway": "norwegian 挪威",
    "denmark": "danish 丹麦", "finland": "finnish 芬兰", "brazil": "brazilian 巴西", "mexico": "mexican 墨西哥", "un": "united-nations u.n 联合国",
    "who": "world-health-organization 世卫 世界卫生组织", "imf": "international-monetary-fund 国际货币基金",
    "tsmc": "taiwan-semiconductor 台积电 台湾积体电路", "taipei": "台北", "kaohsiung": "高雄", "taichung": "台中", "tainan": "台南", "hsinchu": "新竹", "taoyuan": "桃园",
    "hong-kong": "香港", "beijing": "北京", "shanghai": "上海", "tokyo": "东京", "foxconn": "hon-hai 鸿海", "mediatek": "联发科",
    "poland": "polish 波兰", "turkey": "turkish 土耳其", "greece": "greek 希腊", "ireland": "irish 爱尔兰", "portugal": "portuguese 葡萄牙",
    "indonesia": "indonesian 印尼", "malaysia": "malaysian 马来西亚", "philippines": "philippine filipino 菲律宾", "egypt": "egyptian 埃及",
}  # fmt: skip
_SAME = {form.replace("-", " "): key for key, forms in ALIASES.items() for form in [key, *forms.split()]}
HAN_SUFFIX = tuple((
    "公司 集团 科技 大学 学院 银行 生技 能源 电力 电子 半导体 工业 实业 企业 建设 航空 海运 医院 基金会 研究院 研究所 研究中心 协会 学会 委员会 政府 "
    "部 局 署 处 院 市 县 区 乡 镇 村 里 州 省 国 岛 港 湾 河 溪 江 湖 山 桥 站 机场 馆 园 队 社 报 台 党 会 厂 店 寺 号 型 级 计划 "
    "股份 控股 金控 人寿 产险 证券 投信 电信 钢铁 化学 制药 药厂 食品 纺织 汽车 物流 光电 精密 材料 资本 球团 农会 渔会 天文台 观测站 实验室 气象站 电厂 水库"
).split())
_ORGANISED = frozenset(
    "公司 集团 科技 大学 学院 银行 生技 能源 电力 电子 半导体 工业 实业 企业 建设 航空 海运 医院 基金会 研究院 研究所 协会 学会 股份 控股 金控 人寿 产险 证券 "
    "投信 电信 钢铁 化学 制药 药厂 食品 纺织 汽车 物流 光电 精密 材料 资本 航运 重工 机械 通讯 网路 软体 水泥 塑胶 生医 电机 餐饮 百货 超商 酒店 饭店 旅行社 出版 影业 "
    "市 县 区 乡 镇 村 岛 港 湾 河 溪 江 湖 山 桥 水库 队 号".split()
)
# Words before such an ending that describe instead of naming.
_DESCRIBES = frozenset(
    "再生 绿色 替代 传统 国内 国外 新 旧 风力 太阳 太阳能 各 该 这家 本 其他 其它 大型 中小 中小型 民营 公营 国营 私立 公立 国立 主要 相关 上市 上柜 科技 电子 生技 食品 "
    "电力 能源 制造 外国 本地 当地 地方 中央 都会 离岛 沿海 山区 母 子 分 总 大 小 家 每 全 两 三 多 部分 所有 上述 一般 综合 商业 专科 医学 教学 研究 高 低 人造 "
    "全国 全台 全球 世界 亚洲 欧洲 美洲 非洲 半导体 汽车 航空 金融 保险 建筑 纺织 钢铁 化学 人 货 信 编 型 代 账 问 记".split()
)
_TALKS = frozenset("表示 指出 说 宣布 认为 强调 透露 称 坦言 说明 提到 公布 呼吁 回应 证实 主张 质疑 率领 带领 主持 担任 出任 接任 当选".split())
SURNAMES = frozenset("赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦许何吕施张孔曹严华金魏陶姜戚谢邹喻柏章苏潘葛范彭郎鲁韦马苗凤方俞任袁柳鲍史唐费廉薛雷贺倪汤罗毕郝安常于傅卞齐康伍余顾孟黄穆萧尹姚邵汪毛狄贝明计成戴宋庞纪舒屈项祝董梁杜阮蓝季贾路江童颜郭梅林钟徐邱骆高夏蔡田胡凌霍万柯管卢莫房解应丁邓洪包左石崔龚程邢裴陆翁荀甄曲封储段富焦侯全班仲宫宁栾刘景詹龙叶司黎薄白蒲卓池乔闻翟谭温庄柴阎连习艾向古易廖终居步都耿满欧文沙游简辜涂曾")


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a text.

    Attributes:
        start: offset of its first character.
        end: offset after its last one.
        text: as written, folded.
        sure: its form alone shows that it is a name; else only what the sources hold can.
    """

    start: int
    end: int
    text: str
    sure: bool


def names(text: str) -> list[Name]:
    """The names in a folded text, in order."""
    found = list(_english(text))
    if not text.isascii():
        found += _chinese(text)
    return sorted(found, key=lambda name: name.start)


def _english(text: str) -> list[Name]:
    found = []
    for match in _ENGLISH.finditer(text):
        start, parts = match.start(), _parts(match)
        opening = _opens(text, match.start())
        while parts and _drops(parts[0][1], opening):
            opening = opening and parts[0][1].lower() in _OPENERS | STOP
            parts = parts[1:]
        while parts and (parts[-1][1].lower() in _NOT_NAMES | STOP and not parts[-1][1].isupper()):
            parts = parts[:-1]
        if not parts:
            continue
        for group in _apart(parts):
            start, end = group[0][0], group[-1][0] + len(group[-1][1])
            word = text[start:end].removesuffix("'s")
            if len(word) < 2 or lowered(word) in _NOT_NAMES or word.isdecimal():
                continue
            first = _opens(text, start)
            odd = bool(re.search(r"[A-Z].*[A-Z]|\d|&", group[0][1]))
            sure = not first or odd or len(group) > 1 or text[start + len(word) : start + len(word) + 2] == "'s"
            found.append(Name(start, start + len(word), word, sure))
    return found


def _parts(match: re.Match[str]) -> list[tuple[int, str]]:
    return [(match.start() + part.start(), part[0]) for part in re.finditer(r"[^\s]+", match[0])]


def _drops(word: str, opening: bool) -> bool:
    low = word.lower().rstrip(".")
    return low in STOP or low in _TITLES or low in _NOT_NAMES or (opening and low in _OPENERS)


def _apart(parts: list[tuple[int, str]]) -> list[list[tuple[int, str]]]:
    """ "Acme and Beta" and "Chen of Harbor University" are two names; "Ministry of Health and Welfare" is one."""
    groups: list[list[tuple[int, str]]] = [[]]
    joined = False
    for number, (at, word) in enumerate(parts):
        before = parts[number - 1][1].lower() if number else ""
        if word == "of" and before in _GENERIC | _HEADS:
            joined = True
        if (word == "and" and not joined) or (word in ("of", "for") and before not in _GENERIC | _HEADS):
            groups.append([])
        elif groups[-1] or word not in ("the", "of", "for", "and"):
            groups[-1].append((at, word))
    return [group for group in groups if group]


def _opens(text: str, at: int) -> bool:
    """True if what stands at an offset begins a sentence or a quotation."""
    before = text[:at].rstrip(" \"'([*_-")
    return not before or before[-1] in ".!?:;。！？|\n"


@lru_cache(maxsize=16_384)
def _tagged(run: str) -> tuple[tuple[str, str], ...]:
    return tuple(dictionary().tag(run))


@lru_cache(maxsize=65_536)
def known_word(word: str) -> bool:
    """True if the Chinese dictionary holds the word."""
    return bool(dictionary().has_word(word))


def _chinese(text: str) -> list[Name]:
    found: list[Name] = []
    for run in re.finditer(r"[\u3400-\u9fff]{2,}", text):
        found += _in_run(run.start(), _tagged(run[0]))
    return found


def _in_run(at: int, tagged: tuple[tuple[str, str], ...]) -> list[Name]:
    found: list[Name] = []
    part: list[tuple[int, str, bool]] = []

    def close() -> None:
        while part and not part[-1][2] and part[-1][1] not in HAN_SUFFIX:
            part.pop()
        text = "".join(word for _, word, _ in part)
        if len(text) >= 2 and any(strong for _, _, strong in part) and text not in HAN_SUFFIX:
            found.append(Name(part[0][0], part[0][0] + len(text), text, True))
        part.clear()

    for number, (word, tag) in enumerate(tagged):
        after = tagged[number + 1][0] if number + 1 < len(tagged) else ""
        if not part and after in _ORGANISED and _may_name(word, tag) and not _strong(word, tag):
            # "晨星能源": ordinary words, but an organisation's ending.
            found.append(Name(at, at + len(word + after), word + after, False))
        bare = word[:-1] if word[-1] in _HAN_STOP_SIGNS and len(word) > 1 and not known_word(word) else word
        strong = _strong(bare, tag)
        if strong and tag == "nr" and part and part[-1][1].endswith(HAN_SUFFIX):
            # "海洋大学林志明": the organisation ends where the person begins.
            close()
        if strong or (part and word in HAN_SUFFIX):
            part.append((at, bare, strong))
            if bare != word:
                close()
        else:
            close()
        at += len(word)
    close()
    return found


_HAN_STOP_SIGNS = "以在与和的由对将被向为是于至到从及"


def _may_name(word: str, tag: str) -> bool:
    return len(word) >= 2 and tag[:1] in "nvaisjlz" and word not in _DESCRIBES and word not in HAN_STOP and not concepts_of(word) and word not in _ORGANISED


def _strong(word: str, tag: str) -> bool:
    """True if a word's tag, or that no dictionary holds it, makes it a name."""
    if word in HAN_STOP or concepts_of(word) or re.search("[零一二三四五六七八九十百千万亿兆]", word):
        return False
    if tag in ("nr", "ns", "nt", "nz", "nrt", "nrfg"):
        return len(word) >= 2 or (tag == "nr" and word in SURNAMES)
    return len(word) >= 2 and not known_word(word) and tag not in ("m", "t") and not all(known_word(sign) and concepts_of(sign) for sign in word)


def subject(text: str) -> Name | None:
    """The Chinese noun phrase a folded sentence begins with, when a verb of saying or doing follows at once."""
    run = re.match(r"[\s\"「『]*(?:根据|据|依据|依)?([\u3400-\u9fff]{2,})", text)
    if not run:
        return None
    at, words = run.start(1), []
    for word, tag in _tagged(run[1]):
        if word in HAN_STOP or tag in ("p", "c", "d", "t", "uj") or (tag in ("v", "vd") and known_word(word) and (words or word in _TALKS)):
            break
        words.append(word)
    phrase = "".join(words)
    if len(phrase) < 2 or all(concepts_of(word) for word in words):
        return None
    return Name(at, at + len(phrase), phrase, False)


def canonical(name: str) -> str:
    """A name as it is compared: lower case, known aliases under one key."""
    low = lowered(name).strip(" .'")
    return _SAME.get(low, low)


def tokens(name: str) -> list[str]:
    """The words of a name that tell it from others, in lower case; all of them if none does."""
    every = [word for word in re.split(r"[\s.&,'-]+", lowered(name)) if word and word not in STOP]
    telling = [word for word in every if word not in _GENERIC and word not in _TITLES and len(word) > 1]
    return telling or every


def held(name: str, text: str) -> bool:
    """True if a folded text in lower case names what the name names, perhaps under an alias.

    Args:
        name: folded, as written.
        text: folded, in lower case.
    """
    low = lowered(name).strip(" .'")
    if _stands(low, text):
        return True
    key = _SAME.get(low)
    if key is not None:
        forms = [key.replace("-", " "), *(form.replace("-", " ") for form in ALIASES[key].split())]
        return any(_stands(form, text) for form in forms if len(form) > 1)
    if not name.isascii():
        return _han_held(low, text)
    telling = tokens(name)
    if telling and all(_stands(word, text) or _stands(stem(word), text) for word in telling):
        return True
    if name.isupper() and 2 <= len(name) <= 6:
        return _spelled(low, text)
    initials = "".join(word[0] for word in re.split(r"[\s-]+", lowered(name)) if word and word not in STOP)
    return len(initials) >= 3 and _stands(initials, text)


def _stands(word: str, text: str) -> bool:
    if not word or word not in text:
        return False
    if not word[0].isascii() or not word[-1].isascii():
        return True
    return re.search(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text) is not None


def _spelled(acronym: str, text: str) -> bool:
    """True if words that begin with the letters of an acronym stand in a row."""
    gap = r"[a-z]*[\s-]+(?:(?:of|the|for|and|on|to|in)\s+)*"
    return re.search(r"(?<![a-z])" + gap.join(map(re.escape, acronym)) + "[a-z]", text) is not None


def _han_held(name: str, text: str) -> bool:
    """A Chinese name may be shortened: 台大 for 台湾大学, 鸿海 for 鸿海精密."""
    bare = name
    for suffix in sorted(HAN_SUFFIX, key=len, reverse=True):
        if bare.endswith(suffix) and len(bare) - len(suffix) >= 2:
            bare = bare[: -len(suffix)]
            break
    if bare != name and bare in text:
        return True
    if not re.fullmatch(r"[\u3400-\u9fff]{2,4}", name):
        return False
    # The first character of each part: at most three characters are left out between two.
    return re.search("[\\u3400-\\u9fff]{0,3}?".join(map(re.escape, name)), text) is not None and len(name) > 2 or (
        len(name) == 2 and re.search(f"{re.escape(name[0])}[\\u3400-\\u9fff]{{1,2}}{re.escape(name[1])}学", text) is not None
    )
