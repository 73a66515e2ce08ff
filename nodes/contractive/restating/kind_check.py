"""Whether a restatement asks, and asks for the same kinds of things. Pure."""

from __future__ import annotations

import re

from nodes.contractive.constraint_reading import constraints_of
from nodes.contractive.reading.asked import asked
from nodes.contractive.reading.kinds import Kind, kinds_asked
from nodes.contractive.restating.told import Told

_FOLLOWS = re.compile(r"^\W*(?:(?:and|but|or|so|what about|how about|what if|und|aber|oder|was ist mit|wie ist es mit|wie sieht es|那么?|而|还有|如果)(?![a-zäöüß]))|呢\s*[?？]?$", re.IGNORECASE)  # fmt: skip
_ASKS = re.compile(r"[?？]|\b(?:what|which|who|when|where|why|how|wer|wie|was|wo|wann|warum|welche\w*)\b|[谁吗呢]|什么|哪|多少|几|如何|怎么|是否|为什么", re.IGNORECASE)  # fmt: skip
_SENTENCE = re.compile(r"(?<=[?!。？！])\s*|(?<=[^\W\d]\.)\s+|(?<=\d\.)\s+(?=[A-ZÄÖÜ])")
_ABOUT_ONE_THING: tuple[frozenset[str], ...] = (
    frozenset({"what", "either"}), frozenset({"yes_no", "either"}), frozenset({"how", "what"}), frozenset({"who", "what"}), frozenset({"number", "what"}),
    frozenset({"where", "what"}), frozenset({"when", "what"}), frozenset({"number", "when"}),
)  # fmt: skip


def follows(one: Told, before: Told) -> bool:
    """True if a question cannot stand without the turns before it."""
    return bool(before.whole) and (not one.kinds or _FOLLOWS.search(one.whole) is not None)


def other_kind(one: Told, other: Told, before: Told) -> str:
    """Why a restatement asks for something else than its question, or asks nothing; "" if it asks the same."""
    if not other.kinds and not _ASKS.search(other.whole):
        return "it is no question" if one.kinds or _ASKS.search(one.whole) else ""
    if follows(one, before):
        return (
            ""
            if set(other.kinds) <= set(before.kinds) | set(one.kinds) or not before.kinds
            else "it asks for something else than the turns before"
        )
    mine, theirs = set(one.kinds), set(other.kinds)
    if mine == theirs or not mine:
        return _parts(one, other)
    if len(mine) == len(theirs) == 1 and mine | theirs in _ABOUT_ONE_THING and _alike(one, other):
        return ""
    if mine - theirs:
        return f"it no longer asks {_named(mine - theirs)}"
    return f"it asks {_named(theirs - mine)}, too"


def _parts(one: Told, other: Told) -> str:
    """A part that asks the same kind of thing twice may not be asked once."""
    return (
        ""
        if len(one.kinds) <= len(other.kinds) or len(set(one.kinds)) == len(one.kinds)
        else "it leaves out a part of the question"
    )


def _alike(one: Told, other: Told) -> bool:
    """True if "what is the X" may stand for "how X": the kinds differ, and what the question wants does not."""
    pair = {*one.kinds, *other.kinds}
    if pair == {"what", "either"} or "either" in pair:
        return (
            asked(one.text).wanted in ("either", "choice", "yes_no", "open", "list", "number", "order")
            and bool(_ORS.search(one.whole)) == bool(_ORS.search(other.whole))
        ) or pair == {"what", "either"}
    if pair == {"how", "what"}:
        return (
            "how to" in other.whole.lower()
            or re.search(
                r"\b(?:steps?|way|method|process|difference|meaning|wie)\b",
                f"{one.whole} {other.whole}",
                re.IGNORECASE,
            )
            is not None
        )
    if pair == {"where", "what"}:
        return all(_PLACE.search(told.whole) for told in (one, other))
    wants = {asked(one.text).wanted, asked(other.text).wanted}
    return len(wants) == 1 and wants != {"open"}


_PLACE = re.compile(
    r"\b(?:city|town|country|state|place|location|continent|stadt|land|ort)\b|城市|国家|地方", re.IGNORECASE
)
_ORS = re.compile(r"\bor\b|\boder\b|还是|或", re.IGNORECASE)


def _named(kinds: set[Kind]) -> str:
    words = {"number": "how much", "yes_no": "for a yes or no", "either": "which of several"}
    return " and ".join(words.get(kind, kind) for kind in sorted(kinds))


def states(one: Told, other: Told, before: Told) -> str:
    """A restatement of one question has no sentence that states something, unless the question has."""
    stating = _stating(other.bare, other.language)
    if stating and not _stating(one.bare, one.language) and not before.whole:
        return "it states something the question asks"
    if re.match(r"\W*(?:yes|no|ja|nein|是的|不是|不)\s*[,，。.]", other.whole, re.IGNORECASE):
        return "it answers the question"
    return ""


def _stating(text: str, language: str) -> bool:
    parts = [part for part in _SENTENCE.split(text) if part and re.search(r"\w", part)]
    return any(
        part.rstrip()[-1] not in "?？:："
        and not kinds_asked(part, language)
        and len(part.split()) + part.count("是") * 3 > 2
        and not constraints_of(part)
        for part in parts
    ) and (len(parts) > 1 or not kinds_asked(text, language))
