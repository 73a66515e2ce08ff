"""Greetings, thanks and "could you tell me" around a question. Pure."""

from __future__ import annotations

import re

_ENGLISH = re.compile(
    r"^\W*(?:(?:hi|hello|hey|hiya|good (?:morning|afternoon|evening|day)|dear \w+)(?: there| all| everyone)?[,!.:-]+\s+|(?:hi|hello|hey) (?:there )?(?=[a-z])"
    r"|(?:a )?(?:quick |simple |short |just a )?question[,:!-]+\s+|(?:ok(?:ay)?|so|well|um+|thanks|sorry|excuse me|pardon me)[,!.:]+\s+|please,?\s+"
    r"|(?:can|could|would|will|may|might) (?:you|i|someone|anyone|anybody|somebody) (?:(?:please|kindly|maybe|perhaps|also|possibly|quickly|briefly)\s+)*(?:(?:tell|let|help|inform)(?: me| us)?(?: to)?(?: (?:know|understand|find out|figure out))?(?: about)?\s+|ask\s+)?|(?:please )?help (?:me|us) (?:to )?(?:understand|know|find out|figure out|learn)\s+|i (?:do not|don't) (?:know|understand|get) (?=(?:what|why|how|who|when|where|which)\b)"
    r"|do you (?:happen to )?(?:know|have any idea)\s+|(?:please )?(?:tell|let) (?:me|us) (?:know )?(?:about )?(?:please )?|any idea\s+"
    r"|i(?:'m| am|'d| would|'ve| was| have been|'ve been)? ?(?:(?:just|really|always|also|currently) )*(?:wonder(?:ed|ing)?|curious(?: to know)?(?: about)?|(?:like|love|want|need|trying|try|interested) (?:to )?(?:know|learn|find out|ask|understand|figure out|in knowing)(?: about)?)[,:]?\s+|my question is[,:]?\s+|here(?:'s| is) (?:my|a) question[:.]\s*|(?:just )?out of curiosity,?\s+"
    r"|i(?:'m| am) (?:doing|working on) (?:my |some )?homework[.,!]\s+|i (?:have|got) (?:a|one|this|another) (?:quick |short |simple )?question[^.:!?]{0,20}[.:!]\s+|i need (?:some |your )?help[^.:!?]{0,20}[.:!]\s+)",
    re.IGNORECASE,
)
_ENGLISH_END = re.compile(
    r"[\s,]*(?:\b(?:thanks?|thank you|thx|cheers|please|many thanks|thanks a lot|thank you (?:so|very) much|much appreciated|pls)(?: in advance| so much| a lot| very much)?)[\s!.]*$",
    re.IGNORECASE,
)
_HAN = re.compile(
    r"^[\s,，。!！:：]*(?:你好|您好|嗨|哈啰|大家好|不好意思|抱歉|打扰一下|劳驾|请问一下|请问|想请问|想问一下|想问|我想问|我想知道|我想了解|我很好奇|麻烦你|麻烦您|麻烦|请你|请您|请帮我|帮我|请|(?:你|您)?(?:能不能|可不可以|能否|可否|可以|能|会)(?:请)?(?:帮我)?(?:告诉我|说说|说一下|解释一下|帮我)|告诉我|说说|你知道|您知道|谁知道)[\s,，。!！:：]*"
)
_HAN_END = re.compile(
    r"[\s,，。!！?？]*(?:谢谢|多谢|感谢|谢啦|麻烦了|拜托了?)(?:你|您|大家)?(?:了|啦)?[\s。!！]*$"
)
_HAN_ASKED = re.compile(
    r"^[\s,，]*(?:请问)?(?:你|您)?(?:能不能|可不可以|能否|可否|可以|能|会|知道)(?:请)?(?:帮我)?(?:告诉我|说说|说一下|解释一下|帮我|(?<=知道))"
)
_GERMAN = re.compile(
    r"^\W*(?:(?:hallo|hi|hey|moin|servus|guten (?:tag|morgen|abend)|liebe[rs]? \w+)[,!.:-]*\s+|(?:eine )?(?:kurze |schnelle )?frage[,:!-]+\s+|bitte,?\s+|entschuldig(?:ung|en sie|e)[,!.:]*\s+"
    r"|(?:kannst|könntest|würdest|kann|könnte|können|könnten|würden|würde) (?:du|sie|ihr|mir|jemand|man)(?: (?:mir|uns|bitte|mal|vielleicht|kurz|jemand|sie))*(?:\s+(?:sagen|erklären|verraten|mitteilen|helfen|erläutern|beantworten))?,?\s+"
    r"|(?:weißt du|wissen sie|weiß jemand|wisst ihr)(?: vielleicht| zufällig)?,?\s+|(?:sag|sagen sie|erklär|erkläre|erklären sie|verrate) (?:mir|uns)(?: bitte)?,?\s+"
    r"|ich (?:möchte|wollte|würde|will|wüsste|hätte|frage)(?: (?:gern|gerne|mich|gerade|mal|nur|wissen|fragen|erfahren|eine frage))*[,:]\s+|mich (?:interessiert|würde interessieren),?\s+|meine frage ist[,:]\s+)",
    re.IGNORECASE,
)
_GERMAN_END = re.compile(
    r"[\s,]*(?:\b(?:bitte|danke(?: schön| sehr)?|vielen dank|besten dank|dankeschön)(?: im voraus)?)[\s!.]*$",
    re.IGNORECASE,
)
_LATIN = ((_ENGLISH, _ENGLISH_END), (_GERMAN, _GERMAN_END))
# People greet in English and ask in German.
_PER_LANGUAGE = {"en": _LATIN, "zh": ((_HAN, _HAN_END),), "de": _LATIN}
_MOST = 6


def bare_question(text: str, language: str) -> str:
    """A folded question without the courtesies around it; the text itself if nothing else would be left.

    Args:
        text: folded.
        language: zh, de or en.
    """
    told = text.strip()
    offered = language == "zh" and _HAN_ASKED.match(told) is not None
    for _ in range(_MOST):
        shorter = told
        for before, after in _PER_LANGUAGE[language]:
            shorter = after.sub("", before.sub("", shorter, count=1)).strip()
        if shorter == told or not re.search(r"\w", shorter):
            break
        told = shorter
    if offered:
        # The 吗 of 你能告诉我…吗 asks for the favour.
        told = re.sub(r"吗\s*([?？。]?)$", r"\1", told)
    return told
