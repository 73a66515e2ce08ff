"""Small words that turn a question: not, all, only, at least, before, must, was. Pure.

Each is told by a tag, so that "at least 5" and "no fewer than 5" are one thing and "more than 5" another.
"""

from __future__ import annotations

import re
from collections import Counter

from nodes.contractive.reading.polarity import denials

_I = re.IGNORECASE
# Turns in which a "not" denies nothing.
_NO_DENIAL = re.compile(
    r"\b(?:yes or no|yes/no|true or false|whether or not|or not|not only|no (?:more|fewer|less|later|earlier) than|not more than|not exceeding|no matter|why not|if not|nothing else|no explanation|without (?:any )?explanation|do(?:n't| not) explain|ja oder nein|oder nicht|nicht wahr|nicht mehr als|nicht nur)\b"
    r"|是不是|能不能|有没有|会不会|可不可以|对不对|要不要|好不好|行不行|是否|能否|可否|有无|是或否|不同|不仅|不超过|不少于|不多于|不低于|不高于|不足|不要解释|不用解释|无需解释|不止",
    _I,
)
_TAGS: dict[str, tuple[tuple[str, re.Pattern[str]], ...]] = {
    "en": (
        ("at least", re.compile(r"\bat (?:the )?least\b|\bno (?:fewer|less) than\b|\bnot (?:less|fewer) than\b|\bminimum of\b|\bor more\b", _I)),
        ("at most", re.compile(r"\bat (?:the )?most\b|\bno more than\b|\bnot more than\b|\bnot exceeding\b|\bup to\b|\bmaximum of\b|\bor (?:less|fewer)\b", _I)),
        ("exactly", re.compile(r"\b(?:exactly|precisely)(?= (?:\d|one|two|three|four|five|six|seven|eight|nine|ten)\b)", _I)),
        ("about", re.compile(r"\b(?:about|around|approximately|roughly)(?= \d)", _I)),
        ("all", re.compile(r"(?<!at )\b(?:all(?! (?:but|in all))|every(?!one|body|thing|where)|everyone|everybody|everything|always)\b", _I)),
        ("all but", re.compile(r"\ball but\b", _I)),
        ("each", re.compile(r"\b(?:each(?! other)|per)\b", _I)),
        ("only", re.compile(r"\b(?:only|solely|exclusively|just(?= (?:one|\d|the)\b)|nothing but)\b", _I)),
        ("both", re.compile(r"\bboth\b", _I)),
        ("most of", re.compile(r"\b(?:most|the majority of)(?= (?:of|[a-z]+s\b))", _I)),
        ("some", re.compile(r"\b(?:some(?=(?: of)? \w+)|sometimes|several|a few|certain)\b", _I)),
        ("never", re.compile(r"\bnever\b", _I)),
        ("still", re.compile(r"\b(?:still|anymore|any more|any longer|no longer|already|yet)\b", _I)),
        ("again", re.compile(r"\b(?:again|else|another|other|additional|extra)\b", _I)),
        ("more", re.compile(r"(?<!no )(?<!not )(?<!or )(?<!any )(?<!once )\b(?:more|greater|larger|bigger|higher|above|over(?= \d)|exceed\w*|taller|longer|wider|deeper|heavier)\b", _I)),
        ("less", re.compile(r"(?<!or )(?<!no )(?<!not )\b(?:less|fewer|smaller|lower|below|under(?= \d)|shorter|lighter|narrower)\b", _I)),
        ("younger", re.compile(r"\b(?:younger|newer|youngest|newest)\b", _I)), ("older", re.compile(r"\b(?:older|elder|oldest|eldest)\b", _I)),
        ("before", re.compile(r"\b(?:before|prior to|earlier than|preceding|ahead of)\b", _I)), ("after", re.compile(r"\b(?:after|later than|following(?= (?:the|world|his|her|its|\d))|subsequent to)\b", _I)),
        ("since", re.compile(r"\bsince\b", _I)), ("until", re.compile(r"\b(?:until|till)\b", _I)), ("between", re.compile(r"\bbetween\b", _I)),
        ("must", re.compile(r"\b(?:must|have to|has to|had to|required to|obliged to)\b", _I)), ("should", re.compile(r"\b(?:should|ought to|supposed to|recommended)\b", _I)), ("may", re.compile(r"\b(?:may(?! \d)|allowed to|permitted to|legal(?:ly)? to)\b(?<!\bMay)")),
        ("will", re.compile(r"\b(?:will|shall|going to|'ll)\b", _I)), ("would", re.compile(r"\bwould\b(?! (?:you|like))", _I)),
        ("yesterday", re.compile(r"\byesterday\b", _I)), ("today", re.compile(r"\b(?:today|tonight)\b", _I)), ("tomorrow", re.compile(r"\btomorrow\b", _I)), ("last", re.compile(r"\b(?:last|past|previous) (?=year|month|week|decade|century|summer|winter|spring|autumn|night|\w+day|\d|few)", _I)), ("next", re.compile(r"\b(?:next(?! to)|coming (?=year|month|week|\w+day)|upcoming|in \d+ (?:days?|weeks?|months?|years?|hours?))", _I)), ("this", re.compile(r"\b(?:this|current) (?=year|month|week|decade|century|summer|winter|spring|autumn)", _I)), ("ago", re.compile(r"\bago\b", _I)), ("now", re.compile(r"\b(?:now|current(?:ly)?|nowadays|presently)\b", _I)), ("former", re.compile(r"\b(?:former|ex-|previous|original)\b", _I)),
        ("best", re.compile(r"\bbest\b", _I)), ("worst", re.compile(r"\bworst\b", _I)), ("first", re.compile(r"\b(?:first(?! (?:world|name|aid|language))|earliest)\b", _I)), ("final", re.compile(r"\b(?:last (?!year|month|week|decade|century|summer|winter|night|name|\w+day\b|\d)|final|latest|most recent)\b", _I)),
        ("superlative", re.compile(r"\b(?:(?!(?:interest|forest|harvest|request|invest|protest|contest|suggest|digest|arrest|conquest|honest|modest|priest|guest|chest|everest|budapest|bucharest|the rest|west|quest|manifest|ernest|earnest|southwest|northwest|midwest|nest|vest|rest|test|best|latest)s?\b)\w{3,}est|(?:most|least) (?!of\b)\w+(?<!s)|highest|maximum|minimum|maximal|minimal)\b", _I)),
        ("from", re.compile(r"\bfrom\b", _I)),
    ),
    "de": (
        ("at least", re.compile(r"\bmindestens\b|\bwenigstens\b|\bnicht weniger als\b|\boder mehr\b", _I)), ("at most", re.compile(r"\bhöchstens\b|\bmaximal\b|\bnicht mehr als\b|\bbis zu\b|\boder weniger\b", _I)), ("exactly", re.compile(r"\bgenau(?= (?:\d|ein|zwei|drei|vier|fünf))", _I)), ("about", re.compile(r"\b(?:etwa|ungefähr|rund|circa)(?= \d)", _I)),
        ("all", re.compile(r"\b(?:alle[rnsm]?|sämtliche\w*|jede[rsmn]?|immer|stets)\b", _I)), ("each", re.compile(r"\b(?:je|pro|jeweils)\b", _I)), ("only", re.compile(r"\b(?:nur|ausschließlich|allein|lediglich)\b", _I)), ("both", re.compile(r"\b(?:beide[rns]?|sowohl)\b", _I)), ("most of", re.compile(r"\bdie meisten\b", _I)), ("some", re.compile(r"\b(?:manche[rsn]?|einige[rsn]?|manchmal|mehrere)\b", _I)),
        ("never", re.compile(r"\b(?:nie|niemals)\b", _I)), ("again", re.compile(r"\b(?:ander\w*|weitere\w*|erneut|zusätzlich\w*)\b", _I)),
        ("more", re.compile(r"(?<!nicht )(?<!oder )\b(?:mehr|größer\w*|höher\w*|länger\w*|schwerer\w*|über(?= \d)|breiter|tiefer)\b", _I)), ("less", re.compile(r"(?<!oder )(?<!nicht )\b(?:weniger|kleiner\w*|niedriger\w*|kürzer\w*|leichter\w*|unter(?= \d)|geringer\w*|schmaler)\b", _I)), ("younger", re.compile(r"\b(?:jünger|jüngste|neuer|neueste)\w*\b", _I)), ("older", re.compile(r"\b(?:älter|älteste)\w*\b", _I)),
        ("before", re.compile(r"\b(?:vor|bevor|vorher)\b", _I)), ("after", re.compile(r"\b(?:nach(?= (?:dem|der|\d|ende|beginn|christus))|nachdem|danach)\b", _I)), ("since", re.compile(r"\bseit\b", _I)), ("until", re.compile(r"\bbis(?! zu)\b", _I)), ("between", re.compile(r"\bzwischen\b", _I)),
        ("must", re.compile(r"\b(?:muss|müssen|musste|mussten)\b", _I)), ("should", re.compile(r"\b(?:soll|sollte|sollten|sollen)\b", _I)), ("may", re.compile(r"\b(?:darf|dürfen|erlaubt|durfte)\b", _I)),
        ("yesterday", re.compile(r"\bgestern\b", _I)), ("today", re.compile(r"\bheute\b", _I)), ("tomorrow", re.compile(r"\bmorgen\b")), ("last", re.compile(r"\b(?:letzte[snrm]?|vergangene[snrm]?|vorige[snrm]?)\b", _I)), ("next", re.compile(r"\b(?:nächste[snrm]?|kommende[snrm]?)\b", _I)), ("now", re.compile(r"\b(?:jetzt|derzeit|aktuell\w*)\b", _I)), ("first", re.compile(r"\berste[rsnm]?\b", _I)), ("former", re.compile(r"\b(?:ehemalig|frühere)\w*\b", _I)),
        ("superlative", re.compile(r"\b(?:am )?(?:größte|kleinste|höchste|niedrigste|längste|kürzeste|älteste|jüngste|schnellste|langsamste|beste|schlechteste|meiste|wenigste|schwerste|leichteste|tiefste|teuerste|billigste|stärkste|bekannteste|wichtigste|häufigste|heißeste|kälteste|nächste|reichste|ärmste|bevölkerungsreichste)\w*\b", _I)),
        ("best", re.compile(r"\bbeste[rsnm]?\b", _I)), ("worst", re.compile(r"\bschlechteste[rsnm]?\b", _I)),
    ),
    "zh": (
        ("at least", re.compile(r"至少|不少于|不低于|最少(?=[有\d一二三四五])|以上")), ("at most", re.compile(r"最多(?=[有\d一二三四五])|至多|不超过|不多于|不高于|以内|以下(?!哪|的?[哪选])")), ("exactly", re.compile(r"恰好|正好|刚好")), ("about", re.compile(r"大约|大概|左右")),
        ("all", re.compile(r"所有|全部|每一?(?=[个只种位名条])|总是|一切|任何|都(?!市|城|会区)|一直")), ("only", re.compile(r"只(?=[有能在会用是])|仅|唯一")), ("both", re.compile(r"两者|双方|两个都")), ("most of", re.compile(r"大多数|大部分|多数")), ("some", re.compile(r"有的|有些|一些|某些|部分(?!是)")), ("again", re.compile(r"其他|其它|另外|另一")),
        ("more", re.compile(r"大于|多于|高于|更[多大高长重]|(?<!不)超过")), ("less", re.compile(r"小于|少于|低于|更[少小低短轻]")), ("before", re.compile(r"之前|以前|前(?=的)|早于")), ("after", re.compile(r"以后|晚于")), ("since", re.compile(r"以来|自从")), ("until", re.compile(r"直到|截至|为止")), ("between", re.compile(r"之间|介于")),
        ("must", re.compile(r"必须|一定要|得要")), ("should", re.compile(r"应该|应当|该不该")), ("may", re.compile(r"允许|准许")),
        ("yesterday", re.compile(r"昨[天日晚]")), ("today", re.compile(r"今[天日晚]")), ("tomorrow", re.compile(r"明[天日晚]")), ("last", re.compile(r"去年|上个?(?:月|周|星期|世纪|半年)|前年")), ("next", re.compile(r"明年|下个?(?:月|周|星期|世纪)")), ("this", re.compile(r"今年|本(?:月|周|年|世纪)|这个?(?:月|周|星期)")), ("now", re.compile(r"现在|目前|当前|现任|如今")), ("former", re.compile(r"前任|前总统|原来的")), ("first", re.compile(r"第一(?!次世界)|首[次个位任]|最早")), ("final", re.compile(r"最后|最晚|最新")),
        ("superlative", re.compile(r"最(?!后|早|晚|新|近|多有|少有|多(?=\d)|少(?=\d))")),
    ),
}  # fmt: skip
FREE_TO_ADD = frozenset(
    {"some", "before", "after", "since", "until", "between", "from", "again", "more", "less"}
)
"""Tags whose addition by itself says nothing new: what would make it a condition is a new word or number."""
_COMING = frozenset({"next", "tomorrow"})
FREE_TO_LOSE = frozenset({"some", "from", "again", "between", "would"})
PRESENT_ALREADY = frozenset({"now"})
_PAST = {
    "en": re.compile(r"\b(?:was|were|did|had)\b", _I), "de": re.compile(r"\b(?:war|waren|wurde|wurden|hatte|hatten)\b", _I), "zh": re.compile(r"(?!)"),
}  # fmt: skip
_PRESENT = {
    "en": re.compile(r"\b(?:is|are|does|do|has|have)\b", _I),
    "de": re.compile(r"\b(?:ist|sind|wird|werden|hat|haben)\b", _I),
    "zh": re.compile(r"(?!)"),
}
_PARTICIPLE = {"en": re.compile(r"\b(?:\w{2,}ed|born|wrote|written|made|built|won|lost|fell|began|took|gave|said|found|led|died|became|came|went|grew|rose|sold|bought|sank|broke|met|ran|saw|sent|left|held|kept|brought|caught|fought|taught|thought|drew|drove|flew|knew|sang|spoke|stood|wore|beaten|set)\b", _I), "de": re.compile(r"\b(?:(?:ge|be|er|ent|ver|zer|über|unter)\w{3,}(?:t|en)|\w+iert|er(?:funden|baut|öffnet)|ent(?:deckt|standen)|be(?:gonnen|siegt)|ver\w+t|schrieb|starb|fiel|begann|gewann|erfand)\b", _I), "zh": re.compile(r"(?!)")}  # fmt: skip


def leanings(text: str, language: str) -> frozenset[str]:
    """The tags of a folded text.

    Args:
        text: without courtesies and quotes.
        language: zh, de or en.
    """
    return frozenset(tag for tag, pattern in _TAGS[language] if pattern.search(text))


def denied(text: str) -> int:
    """How often a folded text says "not"; questions such as 是不是 and limits such as "no more than" do not."""
    return len(denials(_NO_DENIAL.sub(" ", text)))


def tense(text: str, language: str) -> str:
    """past, present, or "" where the verbs do not tell; "is ... born" and "hat ... gebaut" tell of the past."""
    past, present = _PAST[language].search(text), _PRESENT[language].search(text)
    if past:
        return "past"
    if present:
        return "" if _PARTICIPLE[language].search(text) else "present"
    return ""


def changed_tags(before: frozenset[str], after: frozenset[str], allowed: frozenset[str]) -> Counter[str]:
    """Tags that were lost (-1) or added (+1), those aside that make no difference.

    Args:
        before: of the question.
        after: of its restatement.
        allowed: of the turns before, which a restatement may take up.
    """
    found: Counter[str] = Counter()
    coming = before & after & _COMING
    if coming:
        # "When is the next eclipse", "when will it be".
        before, after = before - {"will"}, after - {"will"}
    for tag in before - after - FREE_TO_LOSE:
        found[tag] = -1
    for tag in after - before - allowed - FREE_TO_ADD - PRESENT_ALREADY:
        found[tag] = 1
    if "some" in after - before and "all" in before or "all" in after and "some" in before - after:
        found["some"] = 1
    return found
