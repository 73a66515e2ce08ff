"""Where in a sample its answer stands: after "The answer is", in the conclusion, in the first sentence. Pure."""

from __future__ import annotations

import re

_NAMED = r"(?:answer|anwser|anser|asnwer|option|choice|response|result|solution|output|conclusion)"
STRONG = re.compile(
    rf"(?:^|(?<=[\s*_#>(:,.]))(?:(?:the|my|our|so|thus|therefore|hence)[ ,]+){{0,3}}(?:(?:final|correct|short|right|best|exact|overall|simple)\s+){{0,2}}{_NAMED}"
    r"(?:\s+(?:to|for|of)\s+(?:the|this|your|that)\s+(?:\w+\s+){0,3}?\w+)?"
    r"(?:\s*(?:\*\*|__)?\s*[:=](?:(?:\*\*|__)(?!\w))?|\s+(?:is|would be|should be|must be|will be|are|was|being)\b(?:\s+therefore|\s+thus|\s+simply|\s+then)?\s*[:,]?)"
    rf"|^[ \t#*_]*(?:(?:the|my)\s+)?(?:(?:final|short|correct)\s+)?{_NAMED}[ \t*_]*$"
    r"|^[ \t]*(?:\*\*)?A(?:\*\*)?[ \t]*[:：](?:\*\*)?(?=\s*\S)"
    r"|(?:正确|最终|最后的?)?(?:答案|解答|结果|结论|回答)(?:应该|应当|就|便)?(?:\s*(?:\*\*)?\s*[:：](?:\*\*)?|[是为])\s*[:：]?|^[ \t]*答\s*[:：]"
    r"|\b(?:die\s+)?(?:richtige\s+|endgültige\s+)?antwort\s*(?::|ist\b|lautet\b)\s*:?|\b(?:la\s+)?(?:bonne\s+)?réponse\s*(?::|est\b)\s*:?|\b(?:la\s+)?respuesta\s*(?:correcta\s*)?(?::|es\b)\s*:?",
    re.IGNORECASE | re.MULTILINE,
)
CONCLUSION = re.compile(
    r"^(?:and\s+)?(?:therefore|thus|hence|so|consequently|accordingly|as a result|in (?:conclusion|summary|short|total)|to (?:conclude|sum up|summarize)|overall|finally|this means(?: that)?|that means(?: that)?|we (?:get|find|conclude)(?: that)?|also|donc|ainsi|folglich|daher|also ist|por (?:lo )?tanto|así que)\b\s*[,:]?\s*(?:that\s+)?"
    r"|^(?:因此|所以|故此?|总之|总而言之|综上(?:所述)?|由此(?:可知|可见)?|可见|可知|于是|结论是|也就是说|那么)\s*[,，:：]?\s*",
    re.IGNORECASE,
)
_ELABORATES = re.compile(r"(?:and )?(?:this|that) means\b|也就是说", re.IGNORECASE)
INNER_CONCLUSION = re.compile(
    r"(?:,|;|，|；)\s*(?:and\s+)?(?:(?:so|therefore|thus|hence|leaving|giving|making|which (?:is|gives|leaves|makes|equals)|for a total of|resulting in)\b|所以|因此|故)\s*,?\s*",
    re.IGNORECASE,
)
BECAUSE = re.compile(
    r"^\W*(?:because|since|this is|that is|explanation|reason|as|因为|这是因为|说明)\b", re.IGNORECASE
)
_LEAD_IN = re.compile(
    r"^\W*(?:(?:based on|according to|as of|as far as|given|to my knowledge|to the best of|in my (?:opinion|view)|from|in general|generally(?: speaking)?|in fact|actually|well|historically|technically|geographically|currently|today)\b[^,.;:]{0,70},\s*|(?:i (?:think|believe|guess|would say)|it(?:'s| is| seems| appears) (?:likely|probable|probably|clear|known)?\s*that)\s+(?:that\s+)?|根据[^，。]{1,30}，\s*|我(?:认为|觉得|想)，?)",
    re.IGNORECASE,
)
REASONING = re.compile(
    r"^\W*(?:let(?:'s| us| me| [a-z] (?:be|=)| the\b)|(?:in order )?to (?:find|solve|determine|answer|calculate|compute|get|work|figure|compare|see|convert)|first\b|firstly|step\b|we (?:know|need|have|can|are|start|must)|since\b|given\b|if\b|using\b|the formula|start(?:ing)?\b|observ\w+|consider\b|recall\b|substitut\w+|subtract|add\b|sort\b|arrange\b|divide|multiply|comparing|note that|here(?:'s| is| are)\b|the following|sure\b|most\b|(?:okay|ok|alright|so)[,. ]|the (?:user|question)\b"
    r"|首先|让我们|我们|观察|已知|根据|设|先|比较|计算|题目|步骤|第一)",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"^\W*(?:sure(?: thing)?|of course|certainly|absolutely|great question|good question|hello|hi|ok(?:ay)?|happy to help|no problem|here(?:'s| is| are)[^.!:\n]{0,60}|the code below[^.\n]*|thank you[^.!\n]*|当然(?:可以)?|好的|好问题|以下是[^。：:\n]{0,30})\s*[!.:。！：,]+\s*",
    re.IGNORECASE,
)
_CHATTER = re.compile(
    r"^\W*(?:i hope|hope (?:this|that)|let me know|please (?:let|feel|note)|feel free|if you (?:have|need|want|would)|is there anything|do you (?:have|want|need)|note:|希望(?:这|对)|如果(?:你|您)(?:还)?有|如有|请(?:告诉|随时))",
    re.IGNORECASE,
)
HEADING_WORDS = re.compile(r"(?:step|note|hint|(?:final |short |correct )?answer|solution|explanation|reason(?:ing)?|problem|question|given|analysis|example|approach|background|步骤|解答|说明|分析|注意|题目)\b.*|.*[:：]", re.IGNORECASE)  # fmt: skip
HEDGED = re.compile(r"\b(?:but|however|though)\b,?\s*(?:i (?:think|believe|guess|would say)(?: that)?|my (?:best )?guess is|it (?:might|may|could) be|probably)?\s*|但(?:是)?(?:我(?:认为|猜|觉得))?", re.IGNORECASE)  # fmt: skip
LEAD = re.compile(r"\W*(?:yes|no|nope|yep|yeah|true|false|correct|incorrect|oui|non|ja|nein|sí|是的?|不是?|否|对|没错|可以|不可以|不行|会|不会|有|没有)(?!\w)[\s,.，。!;:*-]", re.IGNORECASE)  # fmt: skip
_ABBREVIATED = r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSt)(?<!\bvs)(?<!\bMrs)(?<!\bProf)(?<!\bNov)(?<!\bDec)(?<!\bJan)(?<!\bFeb)(?<!\bAug)(?<!\bSept)(?<!\bOct)(?<!\bInc)(?<!\bLtd)(?<!\bMme)(?<!\bNo)(?<!\bMio)(?<!\bMrd)(?<!\bStd)(?<!\bTsd)(?<!\bNr)(?<!\bca)(?<!\bbzw)(?<!\bapprox)(?<!\be\.g)(?<!\bi\.e)(?:(?<!\b[A-Z])|(?<=\d [A-Z]))(?<!^\d)(?<!^\d\d)"
_MONTH = r"(?:jan|feb|m[äa]rz|mrz|apr|ma[iy]|jun|jul|aug|sep|okt|nov|dez)"
_END = re.compile(
    rf"(?:{_ABBREVIATED}(?!(?<=\d)\.\s*(?i:{_MONTH}))[.!?]+[)\"'”*_]*(?=\s+(?![a-z\d]\w*\s*[=)])|\Z)|[。！？；]+[”」』)]*)\s*",
    re.MULTILINE,
)


def sentences(text: str) -> list[str]:
    """The sentences of a text, line by line, without filler before and talk after what is said."""
    found: list[str] = []
    for line in text.splitlines():
        at = 0
        for end in _END.finditer(line):
            found.append(line[at : end.end()].strip())
            at = end.end()
        found.append(line[at:].strip())
    said = [sentence for sentence in found if re.search(r"\w|[+*/%<>=]", sentence)]
    while len(said) > 1 and _CHATTER.match(said[-1]):
        said.pop()
    while len(said) > 1 and _FILLER.fullmatch(said[0] + "."):
        said.pop(0)
    if said:
        said[0] = _FILLER.sub("", said[0]) or said[0]
    return said


def after_marker(text: str) -> str | None:
    """What stands after the last "the answer is" that something stands after; None without one.

    The text goes to the end of its line, or holds the paragraph below a marker that ends its line.
    """
    found = list(STRONG.finditer(text))
    # "Answer:" at the head of a line is meant as a marker; "the answer is found by adding" may be prose.
    anchored = [match for match in found if match[0].rstrip(" *_")[-1:] in ":：" and _heads_line(text, match)]
    for match in [*reversed(anchored), *reversed(found)]:
        line, _, rest = text[match.end() :].partition("\n")
        if re.search(r"\w|[+*/%<>=]", line) and not (match in anchored and REASONING.match(line)):
            return line.strip(" \t:：")
        below = rest.strip().split("\n\n")[0]
        if re.search(r"\w|[+*/%<>=]", below) and not STRONG.match(below):
            return below.strip()
    return None


def _heads_line(text: str, match: re.Match[str]) -> bool:
    return not text[: match.start()].rpartition("\n")[2].strip(" \t*_#>")


def without_lead_in(sentence: str) -> str:
    """A folded sentence without "based on the text," and the like before it."""
    return _LEAD_IN.sub("", sentence) or sentence


def concluded(said: list[str]) -> str | None:
    """The last sentence that draws a conclusion, without the word that says so; None without one."""
    argues = REASONING.match(said[0]) is not None if said else False
    # "So the user asks ..." opens an argument.
    for sentence in reversed(said[1:] if len(said) > 1 else said):
        match = CONCLUSION.match(sentence)
        if match and match.end() < len(sentence) and (argues or not _ELABORATES.match(sentence)):
            return sentence[match.end() :].strip()
    return None
