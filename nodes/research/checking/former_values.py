"""How a passage words that a value held before another, or is what changed. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.facts import Facts

_PLANNED = "approved|planned|promised|forecast|expected|estimated|put|set|said|reported|announced|budgeted|given|predicted|agreed|intended|hoped|aimed|projected|scheduled|stated|presented|stood|been|published|proposed|pencilled in|calculated"
_FORMER_BEFORE = re.compile(
    rf"(?:\b(?:from|instead of|rather than|than|against|compared (?:with|to)|replac(?:es|ing|ed)|not|versus|exceed(?:s|ing|ed)|over|above|below) (?:the |an? |its |their |some )?(?:(?:original|previous|earlier|initial|former|old|planned)(?:ly)? )?(?:[a-z]+ (?:of |at |in ))?"
    rf"|\b(?:previous|original|initial|former|earlier|old|first|provisional|preliminary|planned)(?:ly)?\b(?:(?! to | has | have | is | are | now )[^,;.]){{0,40}}?"
    rf"|\bhad (?:\w+ly |at first |first )?(?:been )?(?:{_PLANNED})\b[^;.]{{0,70}}?|\b(?:was|were) to [a-z]+ |\b(?:was|were) (?:\w+ly |at first |first |to have )?(?:been )?(?:planned|due|expected|scheduled|budgeted|estimated|forecast|set|meant|supposed|put|promised)\b[^,;.]{{0,40}}?)"
    r"(?:the |an? |some |about |around |roughly |nearly |just |only |at |in |of |by |for |over |under |more than |early |late |mid-|spring |summer |autumn |winter |the end of |end of )*$",
    re.IGNORECASE,
)
_FORMER_AFTER = re.compile(
    r"^[^;.\d]{0,26}\b(?:previously|(?:earlier|before)(?=[,.;)]|$)|originally|initially|at first|first (?:announced|planned|reported|given|estimated|forecast)|as (?:originally |first |initially )?(?:planned|announced|reported|expected|budgeted|promised)|(?:planned|approved|forecast|promised|reported|announced|budgeted|quoted) (?:in|at|last|when|a year|two years|originally)|when (?:it|the|they|work|plans?)|at the time)\b",
    re.IGNORECASE,
)
_CHANGED_HAN = "调高|调降|调整|上调|下调|上修|下修|修正|更正|订正|修订|变更|增加|减少|增|减|上升|下降|升|降|跌|涨|延后|推迟|延宕|顺延|展延|延|提前|改|提高|提升|扩大|扩充|扩|缩减|缩短|缩|压缩|下滑|回升|攀升|翻|加码|追加|换|转"
_FORMER_BEFORE_HAN = re.compile(
    r"(?:(?:由|从|自)(?![^,。;；]{0,10}(?:起|开始|以来))|较|比|不再是|而非|并非|不是|取代|低于|高于|超出|原(?:本|先|来|订|定|拟|估|有|计划|规划|核定|预计|预定|预期|公布|报|列|案|设|编)?|先前|此前|之前|起初|最初|旧|前次|上次|初估|早先|当初|本来)[^,。;；，\d]{0,14}$"
)
_FORMER_AFTER_HAN = re.compile(
    rf"^[^,。;；，\d]{{0,8}}?(?:大幅|再|已|进一步)?(?:{_CHANGED_HAN})[^,。;；，\d]{{0,4}}?(?:到|至|为|成)|^[,，][^。;；，,由从\d]{{0,22}}(?:更正|修正|订正|上修|下修)(?:为|至|成|到)"
)
_ANOTHER_PERIOD = re.compile(
    r"\b(?:a year (?:earlier|ago|before)|(?:same|corresponding) (?:period|quarter|month)|(?:previous|preceding|prior|last) (?:year|quarter|month|season|half)|year-on-year|the year before|quarter-on-quarter)\b|去年|前一年|上年|同期|上季|前一季|上一季|上月|前一月|上届|上一届|前一届|第[一二三四]季",
    re.IGNORECASE,
)
_CHANGE_OF = re.compile(
    r"(?:\b(?:by|extra|additional|further|another|up|down|rose|fell|grew|increased|decreased|plus|gained|lost|added|adds?|save[sd]?|saving|within|after|of which|including)\s(?:an? |another |about |around |some |nearly |almost |just |only |over |more than |estimated |well )*"
    r"|(?:增加|减少|追加|多出?|少|增|减|提高|下降|上升|[增减涨跌]幅达?约?|涨|跌|成长|增长|差|补|负担|其中|另有?|节省|落后)(?:了|约|近)?)$",
    re.IGNORECASE,
)
_CORRECTED = re.compile(
    r"\b(?:restat|correct|revis|error|mistake|wrong|overstat|understat|recount|audit|adjusted|amended|reassess|recalculat|originally suspected|final count)\w*|更正|修正|订正|重编|重估|重新|误|错|上修|下修|追溯|高估|低估|复核|校正|修订",
    re.IGNORECASE,
)


def corrected(facts: Facts) -> bool:
    """True if a passage says that what was told before was wrong."""
    return _CORRECTED.search(facts.text) is not None


def former(facts: Facts, start: int, end: int) -> bool:
    """True if a passage gives the value between two offsets as what held before."""
    before, after = facts.text[max(0, start - 110) : start], facts.text[end : end + 60]
    if facts.chinese:
        return bool(_FORMER_BEFORE_HAN.search(before) or _FORMER_AFTER_HAN.search(after))
    return bool(_FORMER_BEFORE.search(before) or _FORMER_AFTER.search(after))


def of_another_period(facts: Facts, start: int, end: int) -> bool:
    """True if the value is compared with as that of the period before."""
    return _ANOTHER_PERIOD.search(facts.text[max(0, start - 26) : end + 40]) is not None


def change_of(facts: Facts, start: int) -> bool:
    """True if a number tells by how much something changed, or a part of it."""
    return _CHANGE_OF.search(facts.text[max(0, start - 34) : start]) is not None
