"""What a question asks for: a reason, a time, a weight, a yes or no. Pure; English, German and Chinese.

Wider than `asked`, which says what kind of answer fits: "how heavy" and "how high" both want a number.
"""

from __future__ import annotations

import re
from functools import lru_cache

from nodes.research.checking.folding import fold

_AUX = (
    r"(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|has|have|had|ought|am)"
)
_ASKING = r"(?:what(?:'s)?|which|who|whose|whom|when|where|why|how|wie|was|wer|wen|wem|wessen|wann|wo|warum|weshalb|wieso|welche[mnrs]?|woran|womit|wodurch|wozu|wohin|woher)"
_HOW = r"many|much|long|far|tall|high|heavy|old|fast|large|big|likely|often|warm|hot|cold|deep|wide|few|soon"
_WIE = r"viel\w*|lang\w*|hoch|schwer|alt|weit|schnell|warm|heiss|heiß|kalt|teuer|gross|groß|tief|oft|breit|wahrscheinlich|heisst|heißt"
_EITHER = re.compile(r"\bor\b|\boder\b|还是|或")
_WHETHER = re.compile(r"\bwhether\b|\bob\b|吗|是否|能否|可否|(.)不\1|有没有|没有[?？。]?$|^是不是")
_LED_BY_CLAUSE = re.compile(rf"^\W*(?:when|if|while|once|as|since|where)\b[^,?]*,\s*(?:then\s+)?{_AUX}\b")
_OPENS_AUX = re.compile(rf"^\W*{_AUX}\b")
_WORD = re.compile(
    rf"(?:^\W*|[,:;.\-]\s*(?:(?:and|und|then|dann|but)\s)?|\b(?:in|at|by|to|for|from|of|on|with|until|under|are|is|and|und|bis|um|ab|von|seit|zu|an|auf|aus|für|bei)\s){_ASKING}\b"
)
_WHICH = re.compile(r"\bwhich\b|\bname of\b|\bwelche[mnrs]?\b|哪")
_AMID = re.compile(rf"\bhow (?:{_HOW})\b|\bwie viele?\b|\b(?:which|what) \w+\W*$")
_AND_WHETHER = re.compile(rf", (?:and|but) {_AUX}\s")
_GERMAN = re.compile(
    r"[äöüß]|\b(?:der|die|das|den|dem|des|ein|eine|einen|ist|man|muss|und|von|auf|nicht|wird|kann|sie|er|es|im|zu|bei|gibt)\b"
)
_ORDER = re.compile(
    r"^\W*(?:find|name|list|calculate|compute|determine|explain|give|state|solve|describe|nenne|berechne|bestimme|erkläre|finde)\b|^(?:列出|计算|求)"
)
_TASK = re.compile(
    r"^\W*(?:please |then |first,? |next,? |now |bitte |zuerst |dann )?(?:find|name|list|calculate|compute|determine|explain|give|state|solve|describe|identify|compare|check|verify|test|estimate|show|prove|convert|define|evaluate|count|multiply|divide|add|subtract|sum|simplify|factori[sz]e|integrate|differentiate|substitute|look up|work out|figure out|find out|decide|choose|analy[sz]e|examine|investigate|consider|assess|review|summari[sz]e|outline|specify|derive|measure|locate|research|write|express|translate|sort|rank|order|classify|trace|run|read|search|confirm|establish|select|tell|discuss|calculating|"
    r"nenne|berechne|bestimme|ermittle|erkläre|finde|gib|prüfe|vergleiche|beschreibe|überprüfe|zähle|löse|zeige|untersuche|schätze|kläre|liste|wandle|addiere|multipliziere|suche|begründe|lies)\b"
)
_HAN_ASKS = re.compile(
    r"什么|哪|谁|几|多少|多[高长远大重深宽久快]|吗|呢|如何|怎|为何|何时|是否|能否|可否|(.)不\1|计算|求|找出|列出|比较|确定|判断|说明|解释|指出|分析|证明|检查|查[找询明]?|估计|写出|描述|给出|的(?:原因|数量|定义|条件|方法|区别|值|时间|价格)$"
)
_SUM = re.compile(r"\d\s*(?:[-+*/×÷^=]|mod)\s*\(?\d")
_SOUGHT = re.compile(
    r"^\W*(?:the |a |an |der |die |das )?(?:[\w'-]+ ){1,5}(?:of|between|for|in|at|von|des|der|zwischen|für|im) (?!.*\b(?:is|are|was|were|has|have|had|will|can|does|did|ist|sind|war|hat|wird|kann)\b)"
)
_HAN = re.compile(r"[\u3400-\u9fff]")

_THINGS: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern)
    for name, pattern in {
        "reason": r"\bwhy\b|\bhow come\b|\breasons?\b|\bcauses? of\b|\b(?:the|main) causes?\b|\bwhat (?:makes|leads?|led|causes?|caused)\b|\bworan\b|\bwarum\b|\bweshalb\b|\bwieso\b|\bgrund\b|\bgründen?\b|\bgründe\b|\bursachen?\b|为什么|为何|原因|缘故",
        "time": rf"\bwhen {_AUX}\b|\bby when\b|\b(?:what|which) (?:\w+ )?(?:time|date|year|day|month)\b|\bdeadline\b|\btime limit\b|\bdate of\b|\bend date\b|\bthe year in which\b|\bwhat was the (?:\w+ )?(?:year|date)\b|\bin welchem\b|\bwann\b|\bum wie viel uhr\b|\bwelche[mnrs]? (?:jahr|tag|zeit|uhrzeit|datum|monat)|什么时候|何时|哪一?年|几点|哪一?天|几月",
        "duration": rf"\bhow long (?!is the|are the|was the|were the)(?:{_AUX}|until)\b|\bhow many (?:seconds|minutes|hours)\b|\bfor how many (?:days|weeks|months|years)\b|\bwie lange\b|\bwie viele (?:stunden|minuten|sekunden)\b|多久|多长时间|几个小时|几个钟头|几小时",
        "distance": r"\bhow far\b|\bdistance\b|\bhow many (?:kilomet\w+|miles)\b|\bwie weit\b|\bentfern|多远|距离",
        "weight": r"\bweighs?\b|\bweight\b|\bhow heavy\b|\bmass of\b|\bwiegt\b|\bwiegen\b|\bgewicht\b|\bwie schwer\b|多重|重量",
        "price": r"\bcosts?\b|\bprices?\b|\bhow much money\b|\bfees?\b|\bkostet\b|\bkosten\b|\bpreis\b|\bwie teuer\b|多少钱|价格|票价|费用|预算|贵",
        "height": r"\bhow (?:tall|high)\b|\bheight\b|\bwie hoch\b|\bhöhe\b|多高|高度",
        "length": rf"\bhow long (?!{_AUX}|until)\w+|\bhow long (?:is|are|was|were) the\b|\blength\b|\bwie lang\b|\blänge\b|多长(?!时间)|长度",
        "depth": r"\bhow deep\b|\bdepth\b|\bwie tief\b|\btiefe\b|多深|深度",
        "age": r"\bhow old\b|\bwie alt\b|几岁|年龄",
        "speed": r"\bhow fast\b|\bspeed\b|\bvelocity\b|\bwie schnell\b|\bgeschwindigkeit\b|多快|速度|声速|光速",
        "temperature": r"\btemperatures?\b|\bhow (?:hot|warm|cold)\b|\btemperatur\b|\bwie (?:warm|heiß|kalt)\b|温度|气温|多热|多冷",
        "person": r"(?:^|[,:]\s*|\bby )who(?:m|se)?\b|\bwhich person\b|\bwhich of (?:them|these|those|us)\b|\bauthor(?:ed)?\b|\binventor\b|\bwer\b|\bwem\b|\bwen\b|谁|何人|哪位|作者|发明者",
        "place": r"\bwhere\b|\bin (?:which|what) (?:city|country|place|town|region)\b|\bwo\b|\bwohin\b|\bwoher\b|哪里|哪儿|何处|什么地方",
        "count": r"\bhow (?:many|few)\b|\bnumber of\b|\bwie viele\b|\banzahl\b|多少个|几个|多少人",
        "way": rf"\bhow (?!{_HOW}|come\b)\w+|\bwie (?!{_WIE})\w+|怎样|怎么(?!样)|如何",
    }.items()
}
_NAMES = {"open": "something", "which": "one of several", "yes_no": "a yes or no", "either": "one of two"}
_MEASURED = frozenset("duration distance weight price height length depth age speed temperature".split())
ALIKE = tuple(
    frozenset(two.split())
    for two in (
        "open which",
        "open way",
        "duration time",
        "place person",
        "count duration",
        "count distance",
        "count price",
        "count weight",
        "count age",
    )
)
"""Things that may be one: "explain what happens" and "how does it happen", "how many euros" and "what does it cost"."""


@lru_cache(maxsize=4096)
def wants(question: str) -> frozenset[str]:
    """What a question asks for, such as {"weight"}; {"open"} for a "what" that names none of these."""
    text = fold(question).strip().casefold()
    whether = _asks_whether(text)
    if whether and not re.search(rf",? (?:and|und) {_ASKING}\b", text):
        return frozenset({"either" if _EITHER.search(text) else "yes_no"})
    found = {name for name, pattern in _THINGS.items() if pattern.search(text)}
    if found & _MEASURED:
        found -= {"count", "way"}
    if _EITHER.search(text):
        found.add("either")
    if whether or _AND_WHETHER.search(text):
        found.add("yes_no")
    return frozenset(found or {"which" if _WHICH.search(text) else "open"})


def other_thing(one: str, other: str) -> str:
    """Why two questions ask for different things, or "" if they may ask for the same."""
    first, second = wants(one), wants(other)
    if first & second or first | second in ALIKE:
        return ""
    if "either" in first | second:
        told = (first | second) & (_MEASURED | {"reason", "time", "count", "way"})
        return f"one asks which of two, the other for {_told(told)}" if told else ""
    if ("yes_no" in first) != ("yes_no" in second):
        return "one asks whether, the other does not"
    if "open" in first | second and (first | second) & (_MEASURED | {"count"}):
        return ""
    if "which" in first | second and not (first | second) & ((_MEASURED - {"price"}) | {"reason", "count"}):
        return ""
    return f"one asks for {_told(first)}, the other for {_told(second)}"


def asks(text: str) -> bool:
    """True for a question, an instruction to find something out, or the name of what is sought.

    A statement, a word or an order to do something else is none of these.
    """
    said = fold(text).strip().casefold()
    if "?" in said or _SUM.search(said):
        return True
    if _HAN.search(said):
        return _HAN_ASKS.search(said) is not None
    if _OPENS_AUX.match(said) or _WORD.search(said) or _WHETHER.search(said) or _TASK.match(said):
        return True
    return _SOUGHT.match(said) is not None and not said.endswith(".")


def _told(wanted: frozenset[str]) -> str:
    return " and ".join(_NAMES.get(one, f"a {one}") for one in sorted(wanted))


def is_german(text: str) -> bool:
    """True for a folded text with an umlaut or an article or verb only German has."""
    return _GERMAN.search(text.casefold()) is not None


def _asks_whether(text: str) -> bool:
    """True for a question a yes or no answers."""
    opens = _OPENS_AUX.match(text) is not None and not (text.startswith("was") and is_german(text))
    if opens or _LED_BY_CLAUSE.match(text) or _WHETHER.search(text):
        return True
    if _HAN.search(text) or not text.endswith("?"):
        return False
    return not _WORD.search(text) and not _AMID.search(text) and not _ORDER.match(text)
