"""What each part of a question asks for: who, when, where, why, how, how many, what, or a yes. Pure.

`asked` reads what kind of answer a question wants as far as comparing answers needs it; this one tells the parts
of a compound question apart, in English, Chinese and German.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from nodes.contractive.reading.asked import asked
from nodes.contractive.reading.courtesies import bare_question
from nodes.contractive.reading.tongues import of_question
from nodes.research.checking.folding import fold

Kind = Literal["who", "when", "where", "why", "how", "number", "yes_no", "what", "either"]

_EN_ATTRIBUTE = r"(?:height|length|weight|width|depth|altitude|elevation|age|size|area|life ?span|life expectancy|volume|speed|velocity|distance|population|price|cost|temperature|duration|number|amount|percentage|proportion|share|density|mass|circumference|diameter|radius|perimeter|frequency|square root|sum|total|product|quotient|remainder|difference between \d|average|mean|median|probability|(?:boiling|melting|freezing) point|result of \d|value|salary|tax|gdp|capacity|voltage|rate|power of)"
_EN_PERSON = r"(?:person|people|man|woman|author|writer|poet|painter|artist|composer|scientist|physicist|inventor|founder|creator|president|king|queen|actor|actress|director|singer|player|leader|architect|philosopher|mathematician|explorer|emperor|chancellor|minister)"
_EN_PLACE = r"(?:city|town|country|state|place|location|continent|region|village|street|building|room|position|birthplace|place of birth)"
_EN_TIME = r"(?:year|date|day|month|century|decade|time|hour|weekday|season|birthday|date of birth)"
_EN_OPENS = (
    r"(?:(?:in|at|on|from|by|to|for|of|with|since|until|during|under|about|into|through|after|before) )?"
)
_ENGLISH_WORDS: tuple[tuple[Kind, str], ...] = (
    ("number", rf"how (?:many|much|long|far|tall|high|old|fast|deep|wide|heavy|large|big|hot|cold|often|few|thick|quickly|likely|loud|small|strong|expensive|close)\b|what(?:'s| is| are| was| were| will be)? (?:the |its |their |his |her )?(?:(?:total|average|maximum|minimum|current|exact|approximate|mean|annual|overall|\w+(?:'s|ed|est|al)?) ){{0,3}}?{_EN_ATTRIBUTE}\b|what (?:do|does|did|will|would) [^?]{{1,40}} (?:cost|weigh)\b|(?:what|which) (?:percent\w*|number (?:of|do|does|did|comes)|fraction|age|amount|speed|temperature|price|height|length|proportion|share)\b|(?:what(?:'s| is)? )?-?\d[\d.,]*\s?(?:[-+*/×÷^%]|plus|minus|times|divided|percent|multiplied|to the power)"),
    ("when", rf"when\b|(?:what|which) (?:(?:exact|calendar|precise) )?{_EN_TIME}\b|what(?:'s| is| was) the (?:(?:exact|precise) )?(?:year|date|day|month|birthday|date of birth|deadline)\b|how long ago\b"),
    ("where", rf"where\b|(?:in|at|from|to) (?:what|which) {_EN_PLACE}\b|what(?:'s| is| was) the (?:location|birthplace|place of birth)\b"),
    ("who", rf"(?:who|whom|whose|who's)\b|(?:what|which) (?:\w+ )?{_EN_PERSON}\b|what(?:'s| is| was) the name of the (?:\w+ )?{_EN_PERSON}\b"),
    ("why", r"why\b|how come\b|for what reasons?\b|what(?:'s| is| was| are| were)? (?:the |a )?(?:main |primary )?(?:reasons?|causes?)\b|what (?:caused|causes|led|leads|made|makes)\b|(?:explain|describe) (?:the )?(?:reasons?|causes?)\b|the (?:reasons?|causes?) (?:for|of|why)\b"),
    ("how", r"how(?:'s)?\b|in (?:what|which) ways?\b|by what means\b|what (?:are|is) (?:the|some) (?:best )?(?:ways?|steps|methods?|procedure|process) (?:to|for|of)\b"),
    ("yes_no", r"(?:is|are|was|were|do|does|did|can|could|may|might|must|should|will|would|has|have|had|am|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|can't|won't|shall) (?=\S)|(?:if|whether) (?=\S+ \S+)"),
    ("what", r"(?:what|which)(?:'?s)?\b|(?:name|list|give|state|describe|explain|define|compare|calculate|compute|find|determine|write|translate|solve|show|sort|order|rank|convert|summari[sz]e|provide|identify|enumerate|implement|create|prove|evaluate|simplify|estimate|suggest|recommend|mention|discuss|complete|choose|pick|count|outline|fix|classify|rewrite|generate|arrange|draw|design|add|subtract|multiply|divide|round|factor|derive)\b"),
)  # fmt: skip
_GERMAN_WORDS: tuple[tuple[Kind, str], ...] = (
    ("number", r"was kost\w+\b|wie ?(?:viele?|vielen|vieler|hoch|lange?|weit|alt|groß|schnell|schwer|teuer|breit|tief|warm|kalt|heiß|oft|dick|laut|stark|klein|wahrscheinlich)\b|(?:welche[rsnm]?|was ist die|was ist der|wie ist die) (?:\w+ )?(?:höhe|länge|breite|tiefe|größe|fläche|geschwindigkeit|entfernung|temperatur|dauer|anzahl|zahl|bevölkerung|einwohnerzahl|masse|dichte|summe|wert|preis|gewicht|alter|volumen|durchmesser|umfang|prozentsatz|anteil|wahrscheinlichkeit|schmelzpunkt|siedepunkt)\b|(?:was ist )?-?\d[\d.,]*\s?(?:[-+*/×÷^%]|plus|minus|mal|geteilt|prozent)"),
    ("when", r"wann\b|(?:in )?(?:welche[smnr]?) (?:jahr\w*|jahrhundert\w*|datum|tag\w*|monat\w*|uhrzeit|zeit)\b|um wie viel uhr\b"),
    ("where", r"(?:wo|woher|wohin|wovon)\b|in welche[rmns]? (?:stadt|land|ort|staat|kontinent|region)\b"),
    ("who", r"(?:wer|wen|wem|wessen)\b|welche[rsn]? (?:autor|autorin|person|mann|frau|maler|künstler|erfinder|wissenschaftler|könig|präsident|schriftsteller|komponist)\b"),
    ("why", r"(?:warum|weshalb|wieso|weswegen)\b|aus welche[mn] gr[uü]nd\w*\b|was (?:ist|war|sind|waren) (?:der grund|die ursachen?|die gründe)\b|was (?:verursacht|verursachte|führte)\b|(?:der grund|die ursache|die gründe) (?:für|dafür)\b"),
    ("what", r"wie (?:heißt|heißen|hieß|lautet|lauten|nennt)\b"),
    ("how", r"wie\b|auf welche (?:art|weise)\b|wodurch\b"),
    ("yes_no", r"(?:ist|sind|war|waren|hat|haben|hatte|hatten|kann|können|konnte|darf|dürfen|muss|müssen|soll|sollte|wird|werden|wurde|wurden|gibt|gab|stimmt|liegt|gehört|gehören|hatten|braucht|macht|schlug|besiegte|lebt|leben|fliegen|legen|trinkt|isst) (?=\S)|ob (?=\S+ \S+)"),
    ("what", r"(?:was|welche[rsnm]?|worin|woraus|womit|wofür|worüber)\b|(?:nenne|nennen|liste|gib|geben|beschreibe|beschreiben|erkläre|erklären|definiere|vergleiche|berechne|finde|bestimme|schreibe|schreib|übersetze|löse|zeige|sortiere|ordne|zähle|fasse|erläutere|begründe|wandle|implementiere|erstelle)\b"),
)  # fmt: skip
_HAN_WORDS: tuple[tuple[Kind, str], ...] = (
    ("why", r"为什么|为何|为啥|何以|怎么会|是?什么(?:原因|造成|导致|引起)|(?:原因|成因|理由)(?:是|有|在于)?(?:什么|哪些|何)"),
    ("who", r"谁|哪一?位|何人|什么人|哪个人|哪位"),
    ("when", r"什么时候|什么时间|何时|哪一?年|哪一?天|哪一?日|几月|几号|几点|哪个月|何年|什么日期|几时|哪个世纪|(?<=日期)(?:是|为)(?:什么|哪)"),
    ("where", r"哪里|哪儿|何处|什么地方|哪个(?:城市|国家|地方|省|州|洲)(?=出生|制造|举行|生产|成立)|在哪"),
    ("number", r"多少|几(?!乎|何|率|点|月|号|时|种原因)(?=[个只本人条种次年天岁座所家名位张块件辆台层米公克升度美元倍分小页步支颗粒头匹艘架]|$|[?？])|寿命(?:是|有)|多(?:高|长|远|大|重|深|宽|久|快|厚|贵|热|冷|老)|几分之|百分之几|几成|占比是|等于几"),
    ("how", r"怎么样?|如何|怎样|何种方式|什么(?:方式|方法|办法)"),
    ("yes_no", r"吗|是否|是不是|能不能|有没有|可不可以|会不会|对不对|要不要|应不应该|好不好|能否|可否|行不行|需不需要|有无"),
    ("what", r"什么|哪|何(?!时|处|人|以|况|必|等|种方式)|列出|列举|写出|说出|解释|说明|描述|介绍|计算|求|翻译|比较|证明|定义|给出|举出|举|总结|写|排序|排列|推荐|实现|转换|分析|回答|分类"),
)  # fmt: skip
_REFERRING = re.compile(
    r"[.?!] *(?:please )?(?:explain|describe|give|write|list|name|calculate|show|beschreibe|erkläre|nenne) (?:it|them|this|that|the answer|your answer|es|sie|das|die antwort)\b"
)
_Table = tuple[tuple[Kind, re.Pattern[str]], ...]
_ENGLISH: _Table = tuple((kind, re.compile(pattern)) for kind, pattern in _ENGLISH_WORDS)
_GERMAN: _Table = tuple((kind, re.compile(pattern)) for kind, pattern in _GERMAN_WORDS)
_HAN: _Table = tuple((kind, re.compile(pattern)) for kind, pattern in _HAN_WORDS)
_EITHER_OR = {"en": re.compile(r"\bor\b"), "de": re.compile(r"\boder\b"), "zh": re.compile(r"还是")}
_OPTION = re.compile(r"(?:^|(?<=\s))[(（]?(?:[A-Ja-j]|\d{1,2})[)）.．:：、][ \t]*\S[^\n]*$", re.MULTILINE)
_TRUTH = re.compile(
    r"\b(?:yes or no|true or false|ja oder nein|wahr oder falsch|right or wrong|correct or incorrect|or not|oder nicht|more or less)\b|是或否|对还是错|是还是否|还是不",
    re.IGNORECASE,
)
_ASKING_VERB = r"(?:tell|know|explain|wonder|wondering|say|describe|find out|determine|show|ask|calculate|compute|understand|discuss|state|name|list|give|figure out|decide|check|sagen|erkläre|erklären|beschreibe|wissen|nenne|bestimme|berechne|zeige|prüfe)(?: me| us| to me| to us| mir| bitte| exactly| in detail| briefly| step by step| in (?:one|a single|\w+) (?:sentence|word|paragraph)s?| in (?:einem|\w+) (?:satz|wort|sätzen|worten))*[,:]?"
_SENTENCE = re.compile(r"(?<=[?!。？！;；])\s*|(?<=[^\W\d]\.)\s+(?=\S)|(?<=\d\.)\s+(?=[A-ZÄÖÜ])|\n+")
# A relative clause: "a train that ...", "Mozart, who ...".
_MAY_BE_RELATIVE = frozenset({"who", "when", "where"})
_ANSWERING = re.compile(
    r"^\W*(?:please |bitte )?(?:answer|respond|reply|use|give only|only|round|antworte|runde|benutze|verwende|gib nur|用(?!.*(?:什么|介绍|说明|解释|描述|写|列|证明|讲|总结|翻译|表示))|只(?!有)|请?回答|(?:give|return|express|write|provide|state|format|print|show) (?:me )?(?:the |your |all |only )*(?:final )?(?:answers?|results?|output|solution)\b|gib (?:die antwort|das ergebnis)|keep |do not |don't )(?!.*\?)",
    re.IGNORECASE,
)


@lru_cache(maxsize=512)
def kinds_asked(question: str, language: str = "") -> tuple[Kind, ...]:
    """What the parts of a question ask for, in order; () for a text that asks nothing.

    Args:
        question: as written, courtesies and all.
        language: zh, de or en; read from the question if it is empty.
    """
    text = fold(question)
    if asked(question).wanted == "choice":
        text = _OPTION.sub("", text)
    language = language or of_question(text)
    whole = bare_question(text, language)
    bare = whole.lower()
    found: list[Kind] = []
    for part in filter(None, map(str.strip, _SENTENCE.split(_unquoted(whole)))):
        part = bare_question(part, language).lower()
        if _ANSWERING.match(part):
            continue
        found += _in_chinese(part) if language == "zh" else _in_clause(part, language)
    if len(found) > 1 and found[-1] == "what" and _REFERRING.search(bare):
        found.pop()
    if found in (["yes_no"], ["what"], ["number"], ["who"]) and _offers(bare, language, question):
        return ("either",)
    return tuple(found)


def _unquoted(text: str) -> str:
    """A text with the insides of its quotes and ticks taken out: what they ask is not asked."""
    return re.sub(r'"[^"\n]*"|`[^`\n]*`|「[^」]*」|《[^》]*》', '""', text)


def _offers(text: str, language: str, question: str) -> bool:
    if _TRUTH.search(text):
        return False
    options = asked(question).wanted in ("either", "choice")
    return options or (language != "en" and _EITHER_OR[language].search(text) is not None)


def _in_chinese(part: str) -> list[Kind]:
    """The kinds of one sentence; each clause has one at most."""
    found: list[Kind] = []
    for clause in re.split(r"[,，、;；]|以及|并且|而且|(?<=[谁里儿么年少])(?:和|与|及)", part):
        hits = [
            (match.start(), at, kind)
            for at, (kind, pattern) in enumerate(_HAN)
            if (match := pattern.search(clause))
        ]
        if hits:
            # A question word outweighs the particle at the end and the verb before it.
            found.append(
                min(
                    hits,
                    key=lambda hit: (
                        hit[2] in ("what", "yes_no"),
                        hit[2] == "yes_no" and any(h[2] == "what" for h in hits),
                        hit[1],
                    ),
                )[2]
            )
    while len(found) > 1 and found.count("what") and any(kind != "what" for kind in found):
        found.remove("what")
    return found[:1] if set(found) == {"what"} or set(found) == {"yes_no"} else found


def _anywhere(part: str, table: _Table) -> list[Kind]:
    """The first kind whose words stand anywhere in a sentence, at the head of a word."""
    hits = [
        kind
        for kind, pattern in table
        if any(not part[match.start() - 1 : match.start()].isalnum() for match in pattern.finditer(part))
    ]
    strong = [kind for kind in hits if kind not in _WEAK]
    return (strong or [kind for kind in hits if kind == "what"])[:1]


_OPENS = {"en": _EN_OPENS, "de": r"(?:(?:in|an|von|mit|seit|bis|aus|für|zu|nach|bei|auf|um|durch|über) )?"}
_JOINING = {"en": r"(?:and|or|but|then|also|as well as)", "de": r"(?:und|oder|sowie|aber|dann)"}
_JOINS = {language: re.compile(words) for language, words in _JOINING.items()}
_PLACES = {
    language: re.compile(
        rf"(?:^\W*(?:{words} )?|\b{words} (?:also |auch )?|[,:;(-]\s*(?:{words} |then |so |dann )?|\b{_ASKING_VERB}\s+)(?P<opens>{_OPENS[language]})"
    )
    for language, words in _JOINING.items()
}


def _in_clause(part: str, language: str) -> list[Kind]:
    """The kinds of one sentence: at its head, after what leads to it, and after "and"."""
    table = _GERMAN if language == "de" else _ENGLISH
    joins, places = _JOINS[language], _PLACES[language]
    found: list[Kind] = []
    for place in places.finditer(part):
        kinds = (_kind_at(part, start, table) for start in (_head_of(place), place.end()))
        kind = next((kind for kind in kinds if kind is not None), None)
        if kind == "number" and place.start() and part[place.end() : place.end() + 1].isdigit():
            continue
        if kind is None or (kind in _WEAK and found) or (kind == "yes_no" and not _asks_there(part, place)):
            continue
        relative = place[0].lstrip()[:1] == "," and kind in _MAY_BE_RELATIVE and not joins.search(place[0])
        if relative and found and not _CONDITION.match(part):
            continue
        found.append(kind)
    if len(found) > 1 and (
        (found[0] == "what" and _leads(part)) or (found[0] == "yes_no" and _CONDITION.match(part))
    ):
        found = found[1:]
    if not found and part.rstrip().endswith("?"):
        found = _anywhere(part, table)
    return found


_CONDITION = re.compile(r"\W*(?:if|ob|angenommen|falls|wenn)\b")
_WEAK = frozenset({"yes_no", "what"})


def _leads(part: str) -> bool:
    """True if a sentence begins with an order that a question follows: "explain why ..."."""
    return re.match(rf"\W*{_ASKING_VERB}\s", part) is not None


def _asks_there(part: str, place: re.Match[str]) -> bool:
    """A verb asks at the head of a sentence, or after the comma that ends what leads to it: "if x, is y?"."""
    return not place.start() or part.rstrip().endswith("?") or "wonder" in place[0] or "know" in place[0]


def _head_of(place: re.Match[str]) -> int:
    """Where the words begin that a place leads to, the preposition before them among them: "in what year"."""
    return place.start("opens")


def _kind_at(part: str, at: int, table: _Table) -> Kind | None:
    """The kind whose words stand at an offset."""
    return next((kind for kind, pattern in table if pattern.match(part, at)), None)
