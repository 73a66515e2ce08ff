"""What a name does in its sentence: who speaks, whom it is about, whom a passage goes on about. Pure."""

from __future__ import annotations

import re

from nodes.research.checking.alignment import View
from nodes.research.checking.facts import Facts
from nodes.research.checking.name import Name
from nodes.research.checking.name_words import HAN_SUFFIX, SURNAMES
from nodes.research.checking.names import held

_PREPOSITION = re.compile(r"(?:\b(?:in|at|from|of|by|for|to|near|with|on|across|into|over|outside|around|than|via|under)(?: the)? |[在于从由自向至比与和及对经])$", re.IGNORECASE)  # fmt: skip
_TITLED = re.compile(r"(?:\b(?:ceo|chief executive|chairman|chairwoman|president|director|professor|prof|dr|mr|ms|mrs|spokes\w+|minister|mayor|coach|analyst|researcher|author|founder|manager|governor|head)\.? )$", re.IGNORECASE)  # fmt: skip
_SPEAKER_AFTER = re.compile(r"[\"' ]*(?:[\w'-]+ ){0,3}?(?:said|says|told|announced|stated|noted|added|argued|explained|warned|reported|estimated|wrote|confirmed)\b|[\u4e00-\u9fff]{0,8}?(?:表示|指出|说|宣布|认为|强调|透露|称|坦言|说明|提到|呼吁|回应|证实)", re.IGNORECASE)  # fmt: skip
_SPEAKER_BEFORE = re.compile(
    r"(?:according to|said|says|told by|by)(?: the)?(?: [\w'-]+){0,4} $|(?:根据|据|依据)[\u4e00-\u9fff]{0,4}$",
    re.IGNORECASE,
)
_OFFICE = re.compile(
    r",? (?:a|the|its|their|who|chief|ceo|president|director|professor|head|chair\w*|founder|\d\d,)\b",
    re.IGNORECASE,
)
ANAPHORA = re.compile(r"\b(?:it|its|they|their|he|she|his|her|the (?:company|firm|group|team|university|ministry|city|county|agency|club|lab|institute|bank|island|species|project|plant|maker|chipmaker|study|report))\b|该|其|它|他|她|这家|此|公司|本", re.IGNORECASE)  # fmt: skip


def stands_for(rival: Name, role: str, view: View) -> bool:
    """True if a passage's name plays the part the claim's name plays."""
    theirs = role_of(rival, view.facts)
    if "other" in (role, theirs):
        return False
    # "Lin said output rose": a person who speaks is not who it is said of.
    return role == theirs or not (theirs == "speaker" and person(rival, view))


def person(name: Name, view: View) -> bool:
    """True if the source shows that a name is a person's: a title before it, or an office after it."""
    if not name.text.isascii():
        return 2 <= len(name.text) <= 4 and name.text[0] in SURNAMES and not name.text.endswith(HAN_SUFFIX)
    text = view.document.text
    for at in _places(text, name.text):
        if _TITLED.search(text[max(0, at - 40) : at]) or _OFFICE.match(text[at + len(name.text) :][:60]):
            return True
    return "-" in name.text.split()[-1]


def _places(text: str, word: str) -> list[int]:
    found: list[int] = []
    at = text.find(word)
    while at >= 0 and len(found) < 20:
        found.append(at)
        at = text.find(word, at + len(word))
    return found


def role_of(name: Name, facts: Facts) -> str:
    """What a name does: "speaker", "subject" (the sentence begins with it) or "other"."""
    before, after = facts.text[max(0, name.start - 60) : name.start], facts.text[name.end : name.end + 60]
    if _SPEAKER_AFTER.match(after) or _SPEAKER_BEFORE.search(before):
        return "speaker"
    if _PREPOSITION.search(before) or _TITLED.search(before):
        return "other"
    first = next(
        (word.start for word in facts.terms if word.concepts & {"rise", "fall", "reach"}), len(facts.text)
    )
    return (
        "subject"
        if name.start <= first and (name.start < 40 if facts.text.isascii() else name.start < 14)
        else "other"
    )


def told_of(name: Name, view: View) -> bool:
    """True if what stands before the passage is about the name and the passage goes on about it."""
    if not ANAPHORA.search(view.facts.text):
        return held(name.text, view.document.about) and not any(
            held(one.text, view.document.about) for one in view.facts.names
        )
    before = [one for one in view.near if one.number < view.core.number]
    return any(held(name.text, one.facts.low) for one in before) or held(name.text, view.document.about)
