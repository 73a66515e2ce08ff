"""Sentences and clauses of a question that each ask something. Pure."""

from __future__ import annotations

import re

from nodes.hierarchy.naming import QUOTED, names_something

_ASKS = (
    r"how (?:many|much|long|large|big|old|often|does|do|is|are)|which|what|who|whose|when|where|why"
    r"|(?:does|do|is|are) (?:there|the|any)|(?:list|show|name|count|find|give|tell|say|print|explain|describe"
    r"|summari[sz]e|compare|report|check|determine|calculate|compute|identify|look up)\b(?! of)"
    r"|(?:the )?(?:number|names?|size|length|total|sum|average|difference)\b(?! of (?:them|these)\b)"
)
ASKING = re.compile(
    rf"(?:(?:please|then|also|and|now|finally|can you|could you) )*(?:{_ASKS})", re.IGNORECASE
)
_PREFIXED = re.compile(r"(?:for|in|of|from|does|do|is|are|has|have|did|was|were)\b", re.IGNORECASE)
_JOINT = re.compile(
    rf"(?:,? and(?: then| also)?|;(?: and)?|, then|, as well as|,)\s+(?=(?:{_ASKS}))", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.?!;])\s+(?=[A-Z\"'`(]|and\b)")
_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.):]|[a-h][.)])\s+")
_LEANS = re.compile(
    r"\b(?:it|its|they|their|them|these|those"
    r"|(?:that|this|the same|the latter|the former)(?: (?:file|module|function|class|folder|commit))?)\b",
    re.IGNORECASE,
)  # fmt: skip
# "and how many classes": what is asked of it stands elsewhere.
_ELLIPTIC = re.compile(r"(?:how many|how much|which|what|the number of)(?: [\w-]+){0,2}", re.IGNORECASE)


def sentences_of(question: str) -> list[str]:
    """The sentences of a question, without bullets or numbers before them.

    A line that only announces a list ("Answer these:") is left out.
    """
    lines = (_BULLET.sub("", line).strip() for line in question.splitlines())
    every = [part.strip() for line in lines for part in _SENTENCE.split(line)]
    return [part for part in every if part and not part.endswith(":")]


def clauses_of(sentence: str) -> list[str]:
    """The clauses of a sentence that ask something of their own; the sentence if it is only one.

    What stands between quotation marks joins nothing.
    """
    masked = re.sub(QUOTED, lambda match: "\0" * len(match[0]), sentence)
    cuts = [(0, 0), *((match.start(), match.end()) for match in _JOINT.finditer(masked))]
    ends = [*(start for start, _ in cuts[1:]), len(sentence)]
    parts = [sentence[start:end].strip() for (_, start), end in zip(cuts, ends, strict=True)]
    if any(is_elliptic(part) for part in parts) or not ASKING.match(parts[0]):
        return [sentence]
    return parts


def is_elliptic(clause: str) -> bool:
    """True for "how many classes", which does not say of what."""
    return _ELLIPTIC.fullmatch(clause.strip(" .?!,")) is not None


def asks(sentence: str) -> bool:
    """True if a sentence asks something, or orders that something be told."""
    return sentence.rstrip().endswith(("?", "？")) or bool(
        ASKING.match(sentence) or _PREFIXED.match(sentence)
    )


def leans(clause: str) -> bool:
    """True if a clause means something that was named before it: "how many lines does it have?"."""
    return _LEANS.search(clause) is not None and not names_something(clause)
