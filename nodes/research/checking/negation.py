"""Where a sentence says "not", and of which words. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nodes.research.checking.terms import Term

_ENGLISH = re.compile(
    r"\b(?:not(?! (?:only|just|merely|to mention|least|until|before|more than|less than|fewer than|later than))|never|cannot|(?:is|are|was|were|do|does|did|has|have|had|wo|would|could|should|ca|must)n't"
    r"|no longer|no(?! (?:less|fewer|more|later|earlier|sooner|doubt|matter|\.|\d))|none|neither|nor|without|fail(?:ed|s|ing)? to|refus(?:ed|es|ing) to|declin(?:ed|es|ing) to|unable to"
    r"|den(?:ied|ies|ying)(?! (?:entry|access|boarding))|lack(?:s|ed|ing)?|no longer|yet to|nobody|nothing|nowhere|hardly|barely|scarcely|rul(?:ed?|es|ing) out|stopped short of)\b",
    re.IGNORECASE,
)
_CHINESE = re.compile(
    r"(?:不可(?!或|思议|避免|抗|逆|否认|能|多得|一世|磨灭|开交|收拾|同日)|否认|拒绝|与其说?|并未|尚未|从未|未曾|毫无|无法|不再|不会|不得(?!不)|没有|并非|并不|绝不|绝非"
    r"|(?<![差非要是上下看找做住站付买吃赶说听跟受经抵敌])不(?!及(?!时)|变(?![化更])|[振彰佳如仅只但少断过同管论足满到久动锈等良明法惜禁适错易难限可或一得顾乏已单光超低])"
    r"|没(?!收|入|落)|未(?!来|满|达\s?\d|婚|必|成年|足|知|逾)|(?<=[上下看找做住站付买吃赶说听跟受抵])不了|(?<![有毫全])无(?!误|人[机车船驾艇飞商岛店])(?![论线尘障疑数形期家辜奈声痛菌铅国止])|(?<![除是莫])非(?![常洲营政凡法官但典同])|勿)"
)
_BREAK = re.compile(
    r"[,;:.。；：，!?！？()]|\b(?:but|although|though|while|whereas|however)\b|但|不过|然而|而且|虽"
)
HEADS = 2
REACH = 6


@dataclass(frozen=True, slots=True)
class Negation:
    """A word that negates.

    Attributes:
        start: offset of its first character.
        end: offset after its last one.
        reach: offset up to which it negates: the end of its clause.
    """

    start: int
    end: int
    reach: int


def negations(text: str) -> list[Negation]:
    """The negations in a folded text, in order."""
    found = []
    for pattern in (_ENGLISH, _CHINESE):
        for match in pattern.finditer(text):
            stop = _BREAK.search(text, match.end())
            found.append(Negation(match.start(), match.end(), stop.start() if stop else len(text)))
    return sorted(found, key=lambda negation: negation.start)


def heads(negation: Negation, words: list[Term]) -> list[Term]:
    """What is negated: the first words that count after the negation, in its clause."""
    return _inside(negation, words)[:HEADS]


def negated(word: Term, found: list[Negation], words: list[Term]) -> bool:
    """True if the word stands in the reach of one of the negations."""
    return any(word in _inside(negation, words)[:REACH] for negation in found)


def _inside(negation: Negation, words: list[Term]) -> list[Term]:
    return [word for word in words if negation.end <= word.start < negation.reach]
