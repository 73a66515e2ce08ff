"""Dates as English and Chinese write them, whole or in part, Republic of China years too. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from nodes.research.checking.number_words import HAN_DIGITS, HAN_TENS

ROC_OFFSET = 1911
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = {name: number for number, name in enumerate(_MONTHS, start=1)} | {name[:3]: number for number, name in enumerate(_MONTHS, start=1)} | {"sept": 9}  # fmt: skip
_NAMES = "|".join(sorted((name.capitalize() for name in _MONTH), key=len, reverse=True))
_YEAR = r"(?:1[5-9]|20|21)\d\d"
_QUARTER_WORDS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "final": 4,
    "last": 4,
    "一": 1,
    "二": 2,
    "三": 3,
    "四": 4,
    "首": 1,
}
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_WORDED = "first|second|third|fourth|final"
_HAN_DAY = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_PARTS = rf"(?:\s?(?P<month>{_HAN_DAY})月(?:份|底|初|中旬|上旬|下旬|间)?(?:\s?(?P<day>{_HAN_DAY})(?:日|号))?|\s?第?(?P<quarter>[一二三四1-4首])(?:个)?季度?|\s?Q(?P<q>[1-4])|\s?(?P<half>[上下])半年|\s?(?P<season>[春夏秋冬])[天季末初间]?(?![节运奥令晚招考]))?"
_FIRST_YEAR = rf"(?:(?P<year>{_YEAR}|\d{{3}}(?=年))年|(?P<relative>今年|去年|本年|前年))?"
_CHINESE = [
    re.compile(rf"{_FIRST_YEAR}(?<!\d)(?:(?<!提)[前首头](?P<through>\d{{1,2}}|[一二三四五六七八九十]{{1,2}})个?月(?!前)|[1一]月?[-至到~](?P<through2>\d{{1,2}}|[二三四五六七八九十]{{1,2}})月份?|[前首头](?P<throughq>[二两三23])个?季度?)"),
    re.compile(r"(?<![\d一二三四五六七八九十百])(?P<ago>\d{1,2}|[一二两三四五六七八九十]{1,3})年前"),
    re.compile(rf"(?P<era>民国|中华民国)?(?:西元|公元)?(?P<year>(?<!\d)\d{{2,4}}|[零一二三四五六七八九]{{4}}|[一二三四五六七八九十百零]{{2,6}})\s?(?:学)?年(?:(?<=19\d\d年)(?=间|内|以?来|以?后|以前|前后)|(?<=20\d\d年)(?=间|内|以?来|以?后|以前|前后)|(?!来|以来|以上|以内|间|前|后|之久|历史|期|级|轻|龄|的时间|内|资(?![助金源料产格本讯])))(?:度|底|初|中|末)?{_PARTS}"),
    re.compile(rf"(?P<relative>大前年|前年|去年|今年|本年|明年|后年|上一年|前一年|同年|当年|次年|翌年|隔年|去\(?\d*\)?年度|本年度)度?(?:底|初|中|末|同期)?{_PARTS}"),
    re.compile(rf"(?P<month>{_HAN_DAY})月(?:份|底|初|中旬|上旬|下旬|间)?(?:\s?(?P<day>{_HAN_DAY})(?:日|号))?"),
    re.compile(r"(?:(?<![立入青阳])(?P<season>[春夏秋冬])(?:天|季(?!赛|奥)|末|初)|(?<=[今去明])(?P<season2>[春夏秋冬])(?![节运奥令晚招考]))"),
    re.compile(r"(?:第(?P<quarter>[一二三四1-4])|(?<![\u4e00-\u9fff])(?P<quarter2>[一二三四首]))季度?|(?<![A-Za-z])Q(?P<q>[1-4])(?!\w)|(?P<half>[上下])半年"),
    re.compile(r"(?P<relative>上上个?月|上个?月|本月|这个月|下个?月|昨[日天]|今[日天]|前天|明[日天]|(?:(?<![\d月])\d{1,2}日(?![内间游程均出落本元益语圆后前文子式夜]))|上周|本周|上季|本季|昨\(\d{1,2}\)[日天]?|今\(\d{1,2}\)[日天]?)"),
]  # fmt: skip
_COUNT = "two|three|four|five|six|seven|eight|nine|ten|eleven"
_SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4, "春": 1, "夏": 2, "秋": 3, "冬": 4}
# The months a season may take in, north of the equator, with the one before and after.
_SEASON_MONTHS = {1: (2, 3, 4, 5, 6), 2: (5, 6, 7, 8, 9), 3: (8, 9, 10, 11, 12), 4: (11, 12, 1, 2, 3)}
_SEASON_HALF = {1: 1, 3: 2}
_ENGLISH = [
    re.compile(rf"\b(?:the )?first (?:(?P<through>\d{{1,2}}|{_COUNT}) months|(?P<throughq>two|three) quarters)(?:\s+of\s+(?:(?P<year>{_YEAR})|(?P<relative>last year|this year|the year)))?(?!\w)", re.IGNORECASE),
    re.compile(rf"\b(?:January|Jan\.?)(?:\s?-\s?|\s(?:to|through)\s(?:the end of )?)(?P<throughname>{_NAMES})\b\.?(?!\s\d{{1,2}}\b)(?:,?\s+(?:of\s+)?(?P<year>{_YEAR}))?(?!\w)"),
    re.compile(rf"\b(?P<season>spring|summer|autumn|fall|winter)(?:\s+(?:of|in)|,)?\s+(?P<year>{_YEAR})(?!\w)|(?<![\d,.-])(?P<year2>{_YEAR})\s(?P<season2>spring|summer|autumn|winter)\b", re.IGNORECASE),
    re.compile(r"(?:\b(?:in|by|this|next|last|until|since|during|from|early|late|mid|every)[ -](?:the )?(?:early |late |mid-?)?)(?:(?P<season>spring|summer|autumn|winter)\b|(?P<season2>fall)\b(?! (?:in|of|from|to|short|by)\b))", re.IGNORECASE),
    re.compile(r"\b(?P<ago>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten) years (?:ago|earlier)\b", re.IGNORECASE),
    re.compile(rf"(?<![\w-])(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<name>{_NAMES})\b\.?,?(?:\s+(?P<year>{_YEAR}))?(?!\w)"),
    re.compile(rf"\b(?P<name>{_NAMES})\b\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:%]|[.,]\d\d\d|\s?(?:percent|per))(?:,?\s+(?P<year>{_YEAR}))?(?!\w)"),
    re.compile(rf"\b(?P<name>{_NAMES})\b\.?,?\s+(?:of\s+)?(?P<year>{_YEAR})(?!\w)"),
    re.compile(r"(?<![\d/.-])(?P<year>(?:19|20)\d\d)([-/.])(?P<month>\d{1,2})(?:\2(?P<day>\d{1,2}))?(?![\d/-]|\.\d)"),
    re.compile(rf"(?<!\w)(?:Q(?P<q>[1-4])|(?P<q2>[1-4])Q)[ ,'-]*(?:of\s+)?(?:FY|fiscal\s+)?'?(?P<year>{_YEAR}|\d\d)?(?!\w)"),
    re.compile(rf"(?<!\d)(?P<year>{_YEAR})[ -]?(?:Q(?P<q>[1-4])|H(?P<h>[12]))(?!\w)"),
    re.compile(rf"\b(?P<quarter>{_WORDED})[- ]quarter(?:(?:\s+of|\s+in|,)?\s+(?:fiscal\s+(?:year\s+)?|the\s+year\s+)?(?P<year>{_YEAR})|\s+of\s+(?P<relative>last year|this year))?", re.IGNORECASE),
    re.compile(r"\b(?:in|during|for|over) the (?P<half>first|second) half\b(?!\s+(?:of|in)\b)", re.IGNORECASE),
    re.compile(rf"\b(?P<half>first|second|latter)[- ]half(?:\s+of|\s+in)?\s+(?:(?:fiscal\s+)?(?P<year>{_YEAR})|(?P<relative>last year|this year|the year))|(?<!\w)H(?P<h>[12])[ ,]*(?P<year2>{_YEAR})?(?!\w)", re.IGNORECASE),
    re.compile(rf"(?:\b(?:in|since|by|during|of|until|till|through|from|for|last|this|next|early|late|mid|and|to|every|each|between|before|after|that)[ -])(?P<name>{_NAMES})\b(?!\s+\d)"),
    re.compile(r"\b(?P<relative>last year|this year|next year|(?:the )?(?:previous|prior|preceding) year|(?:a|one) year (?:earlier|ago|before)|two years (?:ago|earlier)|last month|this month|next month|last quarter|this quarter|last week|this week|yesterday|today|tomorrow|the year before)\b", re.IGNORECASE),
    re.compile(rf"\b(?:on|last|this|late|early|until|by|since)\s+(?P<weekday>{'|'.join(_WEEKDAYS)})\b", re.IGNORECASE),
    re.compile(r"(?<![\d/.])(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>(?:19|20)\d\d)(?![\d/])"),
    re.compile(r"(?<!\w)the\s+(?:(?:late|early|mid)[ -])?(?P<decade>(?:1[5-9]|20)\d0)s(?!\w)"),
    re.compile(rf"(?<![\w.,$€£¥-])(?:(?P<from>{_YEAR})\s?[-/]\s?(?P<to>\d\d)(?!\d|[-/.]\d|\s?%))"),
    re.compile(rf"(?<![\w.,$€£¥])(?:FY\s?'?|fiscal\s+(?:year\s+)?)?(?P<year>{_YEAR})(?![\d,]\d|\w|%|\.\d|\s?(?:percent|per cent|million|billion|thousand|km|kg|people|metres|meters|tonnes|tons|dollars|euros|employees|students|units|homes|jobs|[€$]))"),
    re.compile(rf"(?<![A-Za-z0-9_.,$€£¥])(?:FY\s?'?)(?P<year>\d\d|{_YEAR})(?!\w)"),
]  # fmt: skip
# What only a sentence with one of these words can hold; to look for a word is quick.
_NAMED_SEASONS = ("spring", "summer", "autumn", "fall", "winter")
_ONLY_WITH = {
    _CHINESE[0]: ("前", "首", "头", "1", "一"),
    _ENGLISH[0]: ("first ",),
    _ENGLISH[1]: ("jan",),
    _ENGLISH[2]: _NAMED_SEASONS,
    _ENGLISH[3]: _NAMED_SEASONS,
}


@dataclass(frozen=True, slots=True)
class Moment:
    """A date as far as a text tells it.

    Attributes:
        start: offset of its first character.
        end: offset after its last one.
        text: as written.
        year: of the common era.
        month: 1 to 12.
        day: 1 to 31.
        quarter: 1 to 4.
        half: 1 or 2.
        relative: worded from the writer's day ("last year"); its fields hold only if that day is known.
        prior: the year before another the sentence names.
        days: how far it may be off, in days: a weekday does not tell the week.
        decade: the year begins a decade.
        season: 1, spring, to 4, winter.
        through: the months from January to this one.
    """

    start: int
    end: int
    text: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    quarter: int | None = None
    half: int | None = None
    relative: bool = False
    days: int = 0
    prior: bool = False
    decade: bool = False
    season: int | None = None
    through: int | None = None

    @property
    def empty(self) -> bool:
        """True if no field is known."""
        return not any((self.year, self.month, self.day, self.quarter, self.half, self.season, self.through))


def moments(text: str, written: date | None = None) -> list[Moment]:
    """The dates in a folded text in order.

    Args:
        text: folded.
        written: the day the text was written, which "last year" counts from.
    """
    found: list[Moment] = []
    low = text.lower()
    for pattern in (*_CHINESE, *_ENGLISH) if not text.isascii() else _ENGLISH:
        words = _ONLY_WITH.get(pattern)
        if words and not any(word in low for word in words):
            continue
        for match in pattern.finditer(text):
            if any(one.start < match.end() and match.start() < one.end for one in found):
                continue
            found += _moments(match, written)
    found = [
        replace(one, prior=True) if one.relative and not one.prior and _compares(text, one) else one
        for one in found
    ]
    return _prior_years(sorted(found, key=lambda moment: moment.start), written)


_COMPARED = re.compile(
    r"(?:\b(?:from|than|compared (?:with|to)|against|versus|over|on)(?: the)? |[较比与])$", re.IGNORECASE
)


def _compares(text: str, moment: Moment) -> bool:
    """True if a relative date only tells what something is compared with: "up from last year", 較去年同期."""
    back = re.search(r"year|去年|前年|上年|上月|上个月|month|quarter|上季", moment.text) is not None
    return back and (
        "同期" in moment.text
        or "同期" in text[moment.end : moment.end + 2]
        or _COMPARED.search(text[: moment.start]) is not None
    )


def _prior_years(found: list[Moment], written: date | None) -> list[Moment]:
    """What "the year before" means: it counts from the year the sentence names, else from the one before the writer's."""
    named = [moment for moment in found if not moment.prior and not moment.empty]
    base = next((moment.year for moment in named if moment.year), None)
    year = base - 1 if base else written.year - 1 if written else None
    part = next((one for one in named if one.month or one.quarter or one.half or one.through), None)
    return [_placed(moment, year, part) if moment.prior else moment for moment in found]


def _placed(moment: Moment, year: int | None, part: Moment | None) -> Moment:
    """A "year before" with its year, and the month or quarter the sentence speaks of: it compares like with like."""
    if moment.year is None:
        moment = replace(moment, year=year, relative=True)
    if part is None or moment.month or moment.quarter or moment.half or moment.through:
        return moment
    return replace(moment, month=part.month, quarter=part.quarter, half=part.half, through=part.through)


def _moments(match: re.Match[str], written: date | None) -> list[Moment]:
    groups = {name: value for name, value in match.groupdict().items() if value}
    start, end, text = match.start(), match.end(), match[0]
    if "decade" in groups:
        return [Moment(start, end, text, year=int(groups["decade"]), decade=True)]
    if "from" in groups:
        first = int(groups["from"])
        return [
            Moment(start, start + 4, text, year=first),
            Moment(start + 5, end, text, year=first - first % 100 + int(groups["to"])),
        ]
    if "ago" in groups:
        back = _SMALL.get(groups["ago"].lower()) or _number(groups["ago"])
        year = written.year - back if written and back else None
        return [Moment(start, end, text, year=year, relative=True)]
    if "weekday" in groups:
        return [_weekday(match, written)]
    year = _year(groups, text)
    if "year" in groups and year is None:
        return []
    month = _number(groups.get("month")) or _MONTH.get(groups.get("name", "").lower())
    day = _number(groups.get("day"))
    if (month and not 1 <= month <= 12) or (day and not 1 <= day <= 31):
        return []
    quarter = groups.get("quarter") or groups.get("quarter2") or groups.get("q") or groups.get("q2")
    number = (_QUARTER_WORDS.get(quarter.lower()) or int(quarter)) if quarter else None
    half = groups.get("half", "").lower() or groups.get("h")
    moment = Moment(
        start,
        end,
        text,
        year,
        month,
        day,
        number,
        {"first": 1, "上": 1, "1": 1}.get(half, 2) if half else None,
        season=_SEASONS.get((groups.get("season") or groups.get("season2") or "").lower()),
        through=_through(groups),
    )
    return [_relative(moment, groups["relative"].lower(), written)] if "relative" in groups else [moment]


def _through(groups: dict[str, str]) -> int | None:
    """The last month of "the first nine months", "January to September", 前三季度."""
    if name := groups.get("throughname"):
        return _MONTH[name.lower()]
    written = groups.get("through") or groups.get("through2") or groups.get("throughq")
    if written is None:
        return None
    count = _COUNTED.get(written.lower()) or _number(written) or 0
    month = count * 3 if "throughq" in groups else count
    return month if 2 <= month <= 12 else None


def _year(groups: dict[str, str], text: str) -> int | None:
    written = groups.get("year") or groups.get("year2")
    if written is None:
        return None
    if not written.isdecimal():
        digits = [HAN_DIGITS.get(sign) for sign in written]
        if len(written) == 4 and None not in digits:
            return int("".join(str(digit) for digit in digits))
        if len(written) == 3 and None not in digits:
            return int("".join(str(digit) for digit in digits)) + ROC_OFFSET
        value = _han(written)
        # "三年" is how long; "一百一十二年" is a year of the Republic.
        return value + ROC_OFFSET if groups.get("era") or ("百" in written and 85 <= value <= 140) else None
    value = int(written)
    if groups.get("era"):
        return value + ROC_OFFSET
    if len(written) == 4:
        return value if 1500 <= value <= 2199 else None
    if len(written) == 3 and "年" in text:
        return value + ROC_OFFSET if 85 <= value <= 140 else None
    if len(written) == 2:
        certain = groups.get("month") or groups.get("quarter") or groups.get("half")
        if "年" in text:
            return value + ROC_OFFSET if certain and value >= 60 else None
        return 2000 + value if value < 70 else 1900 + value
    return None


def _han(word: str) -> int:
    total = digit = 0
    for sign in word:
        if sign in HAN_DIGITS:
            digit = HAN_DIGITS[sign]
        elif sign in HAN_TENS:
            total, digit = total + (digit or 1) * HAN_TENS[sign], 0
    return total + digit


def _number(written: str | None) -> int | None:
    return None if written is None else int(written) if written.isdecimal() else _han(written)


_COUNTED = {word: number for number, word in enumerate(_COUNT.split("|"), start=2)} | {"两": 2}
_SMALL = {
    word: number
    for number, word in enumerate("two three four five six seven eight nine ten".split(), start=2)
}
_YEARS_OFF = {
    "大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "今年": 0, "本年": 0, "本年度": 0, "明年": 1, "后年": 2,
    "last year": -1, "this year": 0, "the year": 0, "next year": 1, "a year ago": -1, "one year ago": -1, "two years ago": -2,
}  # fmt: skip
_PRIOR = frozenset(
    "上一年|前一年|the previous year|the prior year|previous year|prior year|the preceding year|preceding year|a year earlier|one year earlier|a year before|one year before|the year before|two years earlier".split(
        "|"
    )
)
_MONTHS_OFF = {"上上月": -2, "上上个月": -2, "上月": -1, "上个月": -1, "本月": 0, "这个月": 0, "下月": 1, "下个月": 1, "last month": -1, "this month": 0, "next month": 1}  # fmt: skip
_DAYS_OFF = {"昨日": -1, "昨天": -1, "今日": 0, "今天": 0, "前天": -2, "明日": 1, "明天": 1, "yesterday": -1, "today": 0, "tomorrow": 1}  # fmt: skip


def _relative(moment: Moment, words: str, written: date | None) -> Moment:
    start, end, text = moment.start, moment.end, moment.text
    if words in _PRIOR:
        return replace(moment, year=None, relative=True, prior=True)
    inner = re.search(r"\d{1,2}", words)
    if written is None:
        day = int(inner[0]) if inner and 1 <= int(inner[0]) <= 31 else moment.day
        return replace(moment, year=None, day=day, relative=True)
    if words in _YEARS_OFF:
        return replace(moment, year=written.year + _YEARS_OFF[words], relative=True)
    if words in _MONTHS_OFF:
        months = written.year * 12 + written.month - 1 + _MONTHS_OFF[words]
        return Moment(start, end, text, months // 12, months % 12 + 1, relative=True)
    if words in _DAYS_OFF or inner:
        return _near_day(moment, words, int(inner[0]) if inner else None, written)
    return replace(moment, year=None, relative=True)


def _near_day(moment: Moment, words: str, told: int | None, written: date) -> Moment:
    """昨日, 昨(5)日, 29日: a day of the month of writing, or of the one before."""
    if told is None or words[0] in "昨今":
        day = written + timedelta(days=_DAYS_OFF.get(words, -1 if words[0] == "昨" else 0))
        if told is not None and not 1 <= told <= 31:
            return replace(moment, day=None, relative=True)
        return replace(
            moment, year=day.year, month=day.month, day=told or day.day, relative=True, days=0 if told else 1
        )
    if not 1 <= told <= 31:
        return replace(moment, day=None, relative=True)
    if told > written.day:
        return replace(moment, day=told, relative=True)
    return replace(moment, year=written.year, month=written.month, day=told, relative=True)


def _weekday(match: re.Match[str], written: date | None) -> Moment:
    if written is None:
        return Moment(match.start(), match.end(), match[0], relative=True)
    back = (written.weekday() - _WEEKDAYS.index(match["weekday"].lower())) % 7
    day = written - timedelta(days=back)
    return Moment(match.start(), match.end(), match[0], day.year, day.month, day.day, relative=True, days=7)


def conflicts(claim: Moment, source: Moment) -> bool:
    """True if no day lies in both."""
    if claim.decade or source.decade:
        decades = (
            claim.year and source.year and claim.year - claim.year % 10 != source.year - source.year % 10
        )
        return bool(decades)
    if claim.year and source.year and claim.year != source.year:
        return True
    if claim.day and source.day and (claim.days or source.days) and claim.month and source.month:
        off = abs((claim.month - source.month) * 30 + claim.day - source.day)
        return off > max(claim.days, source.days) + 1
    if claim.month and source.month and claim.month != source.month:
        return True
    if claim.day and source.day and claim.day != source.day:
        return True
    one, two = _quarter(claim), _quarter(source)
    if one and two and one != two:
        return True
    if claim.season and source.season and claim.season != source.season:
        return True
    if claim.through and source.through and claim.through != source.through:
        return True
    halves = _half(claim), _half(source)
    return bool(halves[0] and halves[1] and halves[0] != halves[1])


def holds(claim: Moment, source: Moment, years: Iterable[int]) -> bool:
    """True if the source's date says all the claim's date says.

    Args:
        claim: what a sentence says.
        source: what the source says.
        years: that a date without a year may belong to.
    """
    if conflicts(claim, source):
        return False
    if claim.year and not source.year and (claim.year not in years or source.empty):
        return False
    if claim.decade:
        return bool(source.year)
    if claim.month and not source.month:
        return False
    if claim.day and not source.day:
        return False
    if claim.quarter and not _quarter(source):
        return False
    if claim.half and not (_half(source) or _SEASON_HALF.get(source.season or 0) == claim.half):
        return False
    if claim.season and source.season is None and source.month not in _SEASON_MONTHS[claim.season]:
        return False
    if claim.through and claim.through not in (source.through, source.month, _last_month(source)):
        return False
    # "March" says nothing of 2023 alone.
    return not replace(claim, decade=False).empty


def _last_month(moment: Moment) -> int | None:
    """The month a quarter or the first half ends with."""
    return moment.quarter * 3 if moment.quarter else 6 if moment.half == 1 else None


def _quarter(moment: Moment) -> int | None:
    return moment.quarter or ((moment.month + 2) // 3 if moment.month else None)


def _half(moment: Moment) -> int | None:
    quarter = _quarter(moment)
    return moment.half or ((quarter + 1) // 2 if quarter else 1 if moment.through == 6 else None)


def day_of(published: str | None) -> date | None:
    """The day an ISO 8601 date names; the first of what it leaves open; None if it names none."""
    match = re.match(r"(\d{4})(?:-?(\d\d))?(?:-?(\d\d))?", published or "")
    if not match:
        return None
    try:
        return date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return None
