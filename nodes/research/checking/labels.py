"""Which numbers are part of a name: "line 4", "Boeing 737", "the 1,500 metres", 200米蝶泳. Pure."""

from __future__ import annotations

import re
from dataclasses import replace

from nodes.research.checking.quantity import Quantity

LABEL = "label"
_NOUNS = (
    "line|route|tram|bus|flight|platform|terminal|gate|unit|block|phase|stage|level|type|grade|class|category|tier|section|article|chapter|"
    "clause|rule|paragraph|page|figure|table|appendix|annex|schedule|volume|part|book|episode|season|round|heat|game|match|lot|plot|room|"
    "hall|pier|berth|dock|quay|shaft|tower|reactor|turbine|channel|radio|highway|road|motorway|junction|exit|interstate|district|ward|zone|"
    "sector|group|pool|lane|court|number|no|nr|model|mark|version|release|formula|act|proposition|bill|resolution|protocol|step|option|"
    "scenario|track|study|trial|site|station|well|bridge|building|hangar|ship|boat|mission|expedition|operation|league|division|seed|key|"
    "tunnel|corridor|runway|warehouse|furnace|boiler|mill|hole|stand|windows|iphone|galaxy|falcon|apollo|artemis"
)
_BEFORE = re.compile(rf"\b(?:{_NOUNS})s?\.?[ -](?:no\. ?|number )?$", re.IGNORECASE)
# A capitalised word that begins no sentence, as in "a Boeing 737".
_NAMED = re.compile(
    r"(?<![.!?\"]\s)(?<=[a-z,0-9] )(?!In |On |At |By |For |The |Of |To |And |Or |From |About |Over |Some |Only |Nearly |Almost )[A-Z][a-z]{2,}[ -]$"
)
_HAN_AFTER = re.compile(
    r"号线|号(?=[机井楼院馆坑墓线炉门桥船厂矿仓闸洞轮舱码站球房桩馆厅])|路(?=公交|公车|车)|型(?!态)|号|期(?=工程|计划|项目|建设|厂|机组|开发|[,。;、在将的])"
)
_EVENT_AFTER = re.compile(
    r"\s?(?:individual |wheelchair |men's |women's |world |national |indoor |short-course )*(?:race|final|title|record|heats?|freestyle|free\b|butterfly|backstroke|breaststroke|medley|relay|hurdles|steeplechase|sprint|walk|champion|gold|silver|bronze|event|runner|swimmer|mark|semi-?finals?|crown|dash|time trial|kayak|canoe)"
    r"|个人混合泳|混合泳|蝶泳|自由泳|蛙泳|仰泳|接力|跨?栏|障碍|赛跑|竞走|短跑|长跑|[决预半复]?赛|冠军|亚军|季军|金牌|银牌|铜牌|项目|速滑|步枪|手枪|气步枪|气手枪|皮划艇|划艇|短道|短池|计时赛",
    re.IGNORECASE,
)
_EVENT_BEFORE = re.compile(
    r"\b(?:men's|women's|boys'|girls'|junior|senior|(?:won|win|wins|winning|take|took|ran|run|runs|swam|in|at|over|for) the)\s?$|(?:男子|女子|男女|混合)(?:组|单人|双人|个人|团体|4x|四乘)?$",
    re.IGNORECASE,
)
_NO_EVENT = re.compile(r"\s?(?:of|long|high|wide|deep|tall|above|below|from|to|away|between|separating|apart|further|off|radius)\b", re.IGNORECASE)  # fmt: skip


def labelled(text: str, found: list[Quantity]) -> list[Quantity]:
    """The numbers of a folded text, those that only name something marked as such.

    Args:
        text: folded.
        found: its numbers; ranks stay ranks.
    """
    return [_labelled(text, one) for one in found]


def _labelled(text: str, one: Quantity) -> Quantity:
    if one.dimension == "length" and _is_event(text, one):
        return replace(one, label=True)
    if one.dimension in ("", "count") and _is_name(text, one):
        return replace(one, label=True, dimension=LABEL)
    return one


def _is_event(text: str, one: Quantity) -> bool:
    after = text[one.end : one.end + 40]
    if _EVENT_AFTER.match(after):
        return True
    return bool(_EVENT_BEFORE.search(text[max(0, one.start - 16) : one.start])) and not _NO_EVENT.match(after)


def _is_name(text: str, one: Quantity) -> bool:
    written = one.text.strip()
    # Its size first: a number of hundreds of digits is infinite, and no integer.
    if not 0 <= one.value < 10_000 or one.value != int(one.value) or one.bound or "," in written:
        return False
    if _HAN_AFTER.match(text, one.end):
        return True
    before = text[max(0, one.start - 24) : one.start]
    if re.match(r"\s?(?:%|percent|per cent|million|billion)|[.,]\d", text[one.end : one.end + 10]):
        return False
    if _BEFORE.search(before):
        return True
    return written.isdecimal() and one.dimension == "" and _NAMED.search(before) is not None
