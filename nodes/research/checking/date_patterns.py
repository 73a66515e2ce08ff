"""How English and Chinese write dates: the patterns, and the words in them. Pure."""

from __future__ import annotations

import re

_MONTHS = "january february march april may june july august september october november december".split()
MONTH_NUMBERS = {name: number for number, name in enumerate(_MONTHS, start=1)} | {name[:3]: number for number, name in enumerate(_MONTHS, start=1)} | {"sept": 9}  # fmt: skip
_NAMES = "|".join(sorted((name.capitalize() for name in MONTH_NUMBERS), key=len, reverse=True))
_YEAR = r"(?:1[5-9]|20|21)\d\d"
QUARTERS = {
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
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_WORDED = "first|second|third|fourth|final"
_HAN_DAY = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_PARTS = rf"(?:\s?(?P<month>{_HAN_DAY})月(?:份|底|初|中旬|上旬|下旬|间)?(?:\s?(?P<day>{_HAN_DAY})(?:日|号))?|\s?第?(?P<quarter>[一二三四1-4首])(?:个)?季度?|\s?Q(?P<q>[1-4])|\s?(?P<half>[上下])半年|\s?(?P<season>[春夏秋冬])[天季末初间]?(?![节运奥令晚招考]))?"
_FIRST_YEAR = rf"(?:(?P<year>{_YEAR}|\d{{3}}(?=年))年|(?P<relative>今年|去年|本年|前年))?"
CHINESE = [
    re.compile(rf"{_FIRST_YEAR}(?<!\d)(?:(?<!提)[前首头](?P<through>\d{{1,2}}|[一二三四五六七八九十]{{1,2}})个?月(?!前)|[1一]月?[-至到~](?P<through2>\d{{1,2}}|[二三四五六七八九十]{{1,2}})月份?|[前首头](?P<throughq>[二两三23])个?季度?)"),
    re.compile(r"(?<![\d一二三四五六七八九十百])(?P<ago>\d{1,2}|[一二两三四五六七八九十]{1,3})年前"),
    re.compile(rf"(?P<era>民国|中华民国)?(?:西元|公元)?(?P<year>(?<!\d)\d{{2,4}}|[零一二三四五六七八九]{{4}}|[一二三四五六七八九十百零]{{2,6}})\s?(?:学)?年(?:(?<=19\d\d年)(?=间|内|以?来|以?后|以前|前后)|(?<=20\d\d年)(?=间|内|以?来|以?后|以前|前后)|(?!来|以来|以上|以内|间|前|后|之久|历史|期|级|轻|龄|的时间|内|资(?![助金源料产格本讯])))(?:度|底|初|中|末)?{_PARTS}"),
    re.compile(rf"(?P<relative>大前年|前年|去年|今年|本年|明年|后年|上一年|前一年|同年|当年|次年|翌年|隔年|去\(?\d*\)?年度|本年度)度?(?:底|初|中|末|同期)?{_PARTS}"),
    re.compile(rf"(?P<month>{_HAN_DAY})月(?:份|底|初|中旬|上旬|下旬|间)?(?:\s?(?P<day>{_HAN_DAY})(?:日|号))?"),
    re.compile(r"(?:(?<![立入青阳])(?P<season>[春夏秋冬])(?:天|季(?!赛|奥)|末|初)|(?<=[今去明])(?P<season2>[春夏秋冬])(?![节运奥令晚招考]))"),
    re.compile(r"(?:第(?P<quarter>[一二三四1-4])|(?<![\u4e00-\u9fff])(?P<quarter2>[一二三四首]))季度?|(?<![A-Za-z])Q(?P<q>[1-4])(?!\w)|(?P<half>[上下])半年"),
    re.compile(r"(?P<relative>上上个?月|上个?月|本月|这个月|下个?月|昨[日天]|今[日天]|前天|明[日天]|(?:(?<![\d月])\d{1,2}日(?![内间游程均出落本元益语圆后前文子式夜]))|上周|本周|上季|本季|昨\(\d{1,2}\)[日天]?|今\(\d{1,2}\)[日天]?)"),
]  # fmt: skip
COUNTS = "two|three|four|five|six|seven|eight|nine|ten|eleven"
SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4, "春": 1, "夏": 2, "秋": 3, "冬": 4}
ENGLISH = [
    re.compile(rf"\b(?:the )?first (?:(?P<through>\d{{1,2}}|{COUNTS}) months|(?P<throughq>two|three) quarters)(?:\s+of\s+(?:(?P<year>{_YEAR})|(?P<relative>last year|this year|the year)))?(?!\w)", re.IGNORECASE),
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
    re.compile(rf"\b(?:on|last|this|late|early|until|by|since)\s+(?P<weekday>{'|'.join(WEEKDAYS)})\b", re.IGNORECASE),
    re.compile(r"(?<![\d/.])(?P<day>\d{1,2})/(?P<month>\d{1,2})/(?P<year>(?:19|20)\d\d)(?![\d/])"),
    re.compile(r"(?<!\w)the\s+(?:(?:late|early|mid)[ -])?(?P<decade>(?:1[5-9]|20)\d0)s(?!\w)"),
    re.compile(rf"(?<![\w.,$€£¥-])(?:(?P<from>{_YEAR})\s?[-/]\s?(?P<to>\d\d)(?!\d|[-/.]\d|\s?%))"),
    re.compile(rf"(?<![\w.,$€£¥])(?:FY\s?'?|fiscal\s+(?:year\s+)?)?(?P<year>{_YEAR})(?![\d,]\d|\w|%|\.\d|\s?(?:percent|per cent|million|billion|thousand|km|kg|people|metres|meters|tonnes|tons|dollars|euros|employees|students|units|homes|jobs|[€$]))"),
    re.compile(rf"(?<![A-Za-z0-9_.,$€£¥])(?:FY\s?'?)(?P<year>\d\d|{_YEAR})(?!\w)"),
]  # fmt: skip
# What only a sentence with one of these words can hold; to look for a word is quick.
_NAMED_SEASONS = ("spring", "summer", "autumn", "fall", "winter")
ONLY_WITH = {
    CHINESE[0]: ("前", "首", "头", "1", "一"),
    ENGLISH[0]: ("first ",),
    ENGLISH[1]: ("jan",),
    ENGLISH[2]: _NAMED_SEASONS,
    ENGLISH[3]: _NAMED_SEASONS,
}
