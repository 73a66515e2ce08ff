"""Answers that are none: nothing said, or "I don't know", in five languages. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.folding import fold

_KNOWING = r"(?:answer|know|say|tell|determin\w*|predict\w*|provide|help|assist|give|find|access|compl(?:y|ete)|verify|confirm|share|respond|fulfil+|calculate|decide|recall|disclose)"
_ENGLISH = re.compile(
    r"\bi(?:'m| am)? (?:do not|don't|dont|did not|didn't|really don't) (?:know|have|recall|remember|understand the question|see (?:any|enough))\b"
    rf"|\bi(?:'m| am)? ?(?:cannot|can't|can not|could not|couldn't|won't|will not|am unable to|am not able to|unable to|not able to|am not allowed to|must decline to) (?:\w+ly )?{_KNOWING}\b"
    r"|\bi(?:'m| am) (?:not (?:really )?(?:sure|certain|aware|familiar|permitted)|unsure|sorry,? (?:but )?(?:i|there|that|this|no))\b"
    r"|\bi (?:\w+ )?have no (?:access|way|knowledge|information|data)\b"
    r"|\bas an? (?:ai|artificial|large) (?:language )?(?:model|assistant|intelligence)\b"
    r"|\b(?:there is|there's|we have|i have|have) (?:not enough|insufficient|no|not sufficient) (?:\w+ )?(?:information|data|context|details|way (?:to|of) (?:know|tell|determin))"
    r"|\b(?:not enough|insufficient) (?:information|data|context|details)\b|\bmore information is needed\b"
    r"|\b(?:impossible|not possible|no way|hard|difficult) to (?:determine|say|tell|know|answer|predict)\b"
    r"|\b(?:question|this|that|it) (?:cannot|can't|can not|could not) be (?:answered|determined|known|inferred|said|solved)\b"
    r"|\b(?:cannot|can't|can not) be (?:answered|determined|inferred) (?:from|with|based)\b"
    r"|\b(?:text|passage|document|context|article|source|question|information|data)s? (?:provided )?(?:do(?:es)? not|doesn't|don't|did not) (?:mention|say|state|specify|contain|provide|include|give|tell|indicate)"
    r"|\bno (?:\w+ ){0,2}(?:information|data|details|record|mention)\b[^.!?]{0,60}\b(?:is|are|was|were) (?:\w+ )?(?:available|given|provided|found|included|accessible)\b|\bknowledge (?:\w+ )?cut-?off\b"
    r"|\bthere (?:is|are|was|were) no (?:\w+ ){1,4}(?:given|mentioned|provided|listed|stated|specified|included|available|to be found|in the (?:text|document|passage|file|context|data|source|article))\b"
    r"|\b(?:is|are|was|were) not (?:mentioned|specified|stated|given|provided|available|disclosed) in the\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:unknown|not (?:specified|stated|mentioned|known|available|given|provided|sure|certain)|undetermined|unanswerable|no idea|no clue|unsure"
    r"|(?:the answer is )?(?:unknown|not (?:known|available|specified|given))|cannot (?:answer|say|tell|determine|be determined)|can't (?:answer|say|tell|be determined)|idk|inconnu|unbekannt|desconocido|keine ahnung|aucune idée|ni idea"
    r"|不知道|未知|不明|不清楚|不详|无法(?:回答|判断|得知|确定|确认|提供|作答|计算)|不确定|无从得知|没有答案|无可奉告)",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"我(?:也|真的|并|实在)?(?:不知道|不清楚|不确定|无法|不能|没办法|没有(?:相关|足够))|无法(?:回答|判断|得知|确定|作答|预测|确认|提供|推断|从)|不能(?:回答|透露|提供|确定)"
    r"|(?:资料|资讯|信息|数据|条件)(?:不足|不够|有限)|没有(?:足够|相关|提供)(?:的)?(?:资料|资讯|信息|数据)|(?:文中|文章|原文|题目|资料|上文|内容|文件|文档|报告|档案|手册|段落|表格|网页|来源)(?:中|里)?(?:并)?(?:没有|未|没)(?:有)?(?:提到|提及|提供|说明|给出|记载)|作为(?:一个)?(?:人工智能|语言模型|AI)"
)
_OTHERS = re.compile(
    r"\b(?:das )?wei(?:ß|ss) ich (?:leider )?nicht\b|\bich wei(?:ß|ss) (?:es |das )?(?:leider )?nicht\b|\bich kann (?:\w+ ){0,4}nicht (?:beantworten|sagen|helfen|bestimmen)\b|\b(?:kann|können|könnte) (?:ich|wir|man) (?:\w+ ){0,6}nicht (?:beantworten|sagen|helfen|bestimmen|beurteilen)\b|\b(?:dazu )?(?:habe ich|liegen mir) keine (?:information|angabe|daten)"
    r"|\bje ne (?:le )?sais pas\b|\bje (?:ne )?(?:peux|suis) pas (?:en mesure|répondre|vous|le dire|sûre?|certain)|\bje n'ai pas (?:assez|suffisamment|cette|accès|d'information)|\bimpossible (?:de|à) (?:répondre|dire|déterminer)"
    r"|\bno (?:lo )?s[eé]\b|\bno puedo (?:responder|ayudar|decir|contestar|determinar)|\bno tengo (?:suficiente|información|acceso|datos)|\bno est(?:oy|á) segur[oa]|\bno se puede (?:determinar|saber|responder)",
    re.IGNORECASE,
)
_UNSAID = re.compile(
    r"\b(?:is|are|was|were)(?: not|n't) (?:mentioned|specified|stated|disclosed)\s*\.?$"
    r"|\bno (?:\w+ ){1,3}(?:is|are|was|were) (?:mentioned|specified|stated|given|provided|listed)\b"
    r"|\b(?:configuration|manual|report|letter|e-?mail|contract|description|log|file|page|table)s? (?:do(?:es)? not|doesn't|don't|did not) (?:mention|say|state|specify|indicate|tell)\b"
    r"|\b(?:dokument|text|bericht|datei|unterlagen|quelle|artikel|vertrag|e-?mail)\w*\b.{0,40}\b(?:enth[äa]lt|enthalten|nenn\w+|erw[äa]hn\w+|mach\w+)\b.{0,30}\b(?:keine\w*|nicht)\b"
    r"|\bkeine (?:\w+ )?(?:angabe|information|hinweis)\w*\b",
    re.IGNORECASE,
)
# Signs that can be no answer; "+" or "<" may be one.
_SIGN = r"[\s.\-–—_…?,;:*#`\"'|!(){}\[\]。，、：！？]"
_NOTHING = re.compile(
    rf"{_SIGN}*(?:(?:(?:the )?(?:final |correct )?(?:answer|response|result|solution|output)(?: is)?|答案(?:是|为)?|回答|答|antwort|réponse|respuesta)\s*[:=]?|a\s*[:=])?{_SIGN}*"
    rf"|{_SIGN}*(?:n/?a|none given|null|nil|undefined|nan|no answer|\[?(?:blank|empty|your answer(?: here)?|insert answer)\]?){_SIGN}*",
    re.IGNORECASE,
)
_SODIUM = re.compile(r"\bNa\b")


def is_empty(text: str) -> bool:
    """True if nothing is said: blank, signs only, a heading without what it announces, or "N/A"."""
    return _NOTHING.fullmatch(re.sub(r"\\[nrt](?!\w)", " ", text)) is not None and not _SODIUM.search(text)


def is_refusal(text: str, *, closed: bool = False) -> bool:
    """True if a text says that it holds no answer.

    What it says cannot be done must be to answer or to know: "bats cannot see" is an answer.

    Args:
        text: of an answer.
        closed: it answers a question to which "it is not specified" may be the answer: yes or no, or why.
    """
    told = fold(text).strip()
    bare = told.strip(" .!。！*_\"'`")
    if _BARE.fullmatch(bare):
        return True
    if not closed and _UNSAID.search(told):
        return True
    return any(pattern.search(told) for pattern in (_ENGLISH, _CHINESE, _OTHERS))
