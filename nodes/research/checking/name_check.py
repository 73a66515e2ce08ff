"""Does the source say it of the one the claim names? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.alignment import Finding, View
from nodes.research.checking.chinese_names import known_word, tagged
from nodes.research.checking.concepts import concepts_of, opposites_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import lowered
from nodes.research.checking.han_roster import han_names
from nodes.research.checking.name import Name
from nodes.research.checking.name_words import (
    FUNCTION_SIGNS,
    GENERIC,
    HAN_SUFFIX,
    NAME_TAGS,
    ORGANISED,
    SURNAMES,
)
from nodes.research.checking.names import held, places, tokens
from nodes.research.checking.sources import Passage
from nodes.research.checking.stems import stem
from nodes.research.checking.terms import STOP, bigrams, cut

_COMMON_END = re.compile(r"(?:tion|sion|ment|ness|ity|ly|ance|ence|ship|hood|ism|ists|tions|ments)$")
# Signs of ordinary compounds: 校方, 产量, 票房.
_COMMON_SIGNS = "方者员率量数额费价性化型类式法力界业品物区线期产运载客票房租税务股债息薪资工人士民众站馆园校厂院店船车机楼桥路港岛市县镇乡村里队组团军警官府署局部处科室"
_ENDINGS = (*HAN_SUFFIX, *ORGANISED)
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
_ANAPHORA = re.compile(r"\b(?:it|its|they|their|he|she|his|her|the (?:company|firm|group|team|university|ministry|city|county|agency|club|lab|institute|bank|island|species|project|plant|maker|chipmaker|study|report))\b|该|其|它|他|她|这家|此|公司|本", re.IGNORECASE)  # fmt: skip


def name_findings(
    claim: Facts, view: View, lowercase: frozenset[str], cited: Sequence[Passage] = ()
) -> list[Finding]:
    """What the claim names that the passage and its surroundings do not, or say of another.

    Args:
        claim: the claim.
        view: the passage it may rest on.
        lowercase: words the sources write in lower case, which name nothing.
        cited: every passage of the cited sources.
    """
    others = dict.fromkeys(one.document for one in cited if one.document != view.document.number)
    low = "\n".join(view.sources.documents[number].low for number in others)
    quoted = [(one.start, one.end) for one in claim.quotations if one.speech]
    named = [name for name in claim.names if not any(start <= name.start < end for start, end in quoted)]
    if claim.chinese:
        named = [name for name in named if not _overlaps(name, claim, view)]
    rivals = _rivals(claim, view, lowercase)
    found = []
    for name in named:
        if not (low and held(name.text, low)) and (finding := _finding(name, claim, view, rivals, lowercase)):
            found.append(replace(finding, at=name.start))
    if claim.subject and not any(
        name.start < claim.subject.end and claim.subject.start < name.end for name in named
    ):
        found += [replace(one, at=claim.subject.start) for one in _subject(claim.subject, claim, view, low)]
    return found


def _finding(
    name: Name, claim: Facts, view: View, rivals: list[Name], lowercase: frozenset[str]
) -> Finding | None:
    if held(name.text, view.facts.low) or _ordinary(name, claim, view, lowercase):
        return None
    if common(name.text, lowercase) and (not name.sure or _all_common(name.text, lowercase)):
        return None
    role = _role(name, claim)
    if held(name.text, view.document.low):
        rival = next((one for one in rivals if _stands_for(one, role, view)), None)
        if rival and not _told_of(name, view):
            return Finding("conflict", f"the source says it of {rival.text}, not of {name.text}")
        if rivals and not held(name.text, view.near_low) and not _ANAPHORA.search(view.facts.text):
            return Finding("soft", f"{name.text} stands elsewhere in the source")
        return None
    if claim.chinese != view.facts.chinese and name.text.isascii() == (not claim.chinese):
        return Finding("soft", f"{name.text} cannot be compared across languages")
    return _absent(name, claim, rivals, role, view)


def _ordinary(name: Name, claim: Facts, view: View, lowercase: frozenset[str]) -> bool:
    """True if only its place makes a word look like a name: at a sentence's beginning, or cut from compared words."""
    text = name.text
    if not text.isascii():
        return bool(opposites_of(next(iter(concepts_of(text[-2:])), "")))
    if claim.text[: name.start].strip(" \"'") or " " in text:
        return False
    # "Worldwide,", "Viewers' ", "Nightfall": written of two ordinary words, set off, or a plural's own.
    low, after = text.lower(), claim.text[name.end :]
    parts = ((low[:at], low[at:]) for at in range(4, len(low) - 2))
    if any(all(part in lowercase or part in STOP for part in pair) for pair in parts):
        return True
    if after.startswith(", ") and not held(text, view.document.low):
        return True
    return low.endswith("ly") or (low.endswith("s") and after.startswith("' "))


def _absent(name: Name, claim: Facts, rivals: list[Name], role: str, view: View) -> Finding | None:
    """A name that the source has nowhere."""
    chinese = any("\u3400" <= sign <= "\u9fff" for sign in name.text)
    if chinese and _only_elsewhere(name, view):
        return Finding("missing", f"{name.text} is nowhere in the source, but in another")
    if chinese and (_cut_around_a_name(name.text, view) or not _is_name(name, claim, view)):
        return Finding("soft", f"{name.text} is not in the source") if name.sure else None
    if chinese and not name.sure:
        told = [one for one in rivals if _stands_for(one, role, view)]
        if not any(one.sure or one.text.endswith(_ENDINGS) for one in told) and not _unknown_head(
            name.text, view
        ):
            known_end = name.text.endswith(HAN_SUFFIX)
            return Finding("soft", f"{name.text} is not in the source") if known_end else None
    if chinese and not _unknown_head(name.text, view) and _mostly_there(name.text, view):
        return None
    if rivals:
        return Finding("conflict", f"the source names {rivals[0].text}, and nowhere {name.text}")
    if chinese and _unknown_head(name.text, view):
        return Finding("missing", f"{name.text} is nowhere in the source")
    if not name.sure or (chinese and any(pair in view.facts.bigrams for pair in bigrams(name.text))):
        return Finding("soft", f"{name.text} is not in the source as written")
    telling = tokens(name.text)
    known = [word for word in telling if word in view.document.low or stem(word) in view.document.low]
    if known and telling[0] in known and len(telling) > len(known) and not view.facts.names:
        return Finding("soft", f"{name.text} is not in the source as written")
    return Finding("missing", f"{name.text} is nowhere in the source")


def _only_elsewhere(name: Name, view: View) -> bool:
    """True if another source has a sure name of three signs and more, and this one neither it nor its pairs of signs."""
    if not name.sure or len(name.text) < 3 or _cut_around_a_name(name.text, view):
        return False
    if any(pair in view.document.low for pair in bigrams(name.text)):
        return False
    return any(name.text in one.low for one in view.sources.documents if one is not view.document)


def _is_name(name: Name, claim: Facts, view: View) -> bool:
    """True if more than the cut of a sentence into words shows that Chinese characters are a name."""
    text = name.text
    if any(
        one.name in text or text in one.name for document in view.sources.documents for one in document.roster
    ):
        return True
    if any(text in found or found in text for found, _ in han_names(claim.text)):
        return True
    if any(tag in ("ns", "nt") and known_word(word) and len(word) > 1 for word, tag in tagged(text)):
        return True
    if name.sure and len(text) > 2 and all(tag in NAME_TAGS for _, tag in tagged(text)):
        return True
    if not name_like(text):
        return False
    if name.sure and (
        text[0] in SURNAMES or any(tag in ("ns", "nt", "nz", "nrt") for _, tag in tagged(text))
    ):
        return True
    return any(text in document.low for document in view.sources.documents if document is not view.document)


def _cut_around_a_name(text: str, view: View) -> bool:
    """True if it is a name the cited sources have with ordinary words at its ends: 从岭泽, 登革热病例以海东镇."""
    for entity in view.document.roster:
        if entity.name in text and len(entity.name) < len(text):
            rest = text.replace(entity.name, "")
            if len(rest) < 2 or not name_like(rest):
                return True
    return False


def _overlaps(name: Name, claim: Facts, view: View) -> bool:
    """True if a name the source has stands across an end of Chinese characters cut as one: 教鲍 | 远山, 以宁 | 花."""
    return any(
        name.start < at < name.end < at + len(entity.name)
        or at < name.start < at + len(entity.name) < name.end
        for entity in view.document.roster
        if set(entity.name) & set(name.text)
        for at in places(entity.name, claim.text)
    )


def _all_common(name: str, lowercase: frozenset[str]) -> bool:
    """True if every word of a name is an ordinary one: "the County Council"."""
    return all(common(word, lowercase) or word in GENERIC for word in lowered(name).split())


def _stands_for(rival: Name, role: str, view: View) -> bool:
    """True if a passage's name plays the part the claim's name plays."""
    theirs = _role(rival, view.facts)
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


def _rivals(claim: Facts, view: View, lowercase: frozenset[str]) -> list[Name]:
    """Names of the passage the claim does not have."""
    inside = [(one.start, one.end) for one in view.facts.quotations if one.speech]
    return [
        name
        for name in view.facts.names
        if not held(name.text, claim.low)
        and not _partly(name, claim)
        and (name.sure or not common(name.text, lowercase))
        and not any(start <= name.start < end for start, end in inside)
    ]


def _partly(name: Name, claim: Facts) -> bool:
    """True if a name of the claim is a part of it, or the claim shortens it."""
    low = lowered(name.text)
    return any(
        held(other.text, low) or set(tokens(other.text)) & set(tokens(name.text)) for other in claim.names
    )


def common(word: str, lowercase: frozenset[str]) -> bool:
    """True if a capitalised word that begins a sentence is an ordinary one."""
    low = lowered(word).split("'")[0]
    return (
        low in lowercase
        or stem(low) in lowercase
        or bool(concepts_of(stem(low)))
        or (" " not in low and _COMMON_END.search(low) is not None)
    )


def _role(name: Name, facts: Facts) -> str:
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


def _told_of(name: Name, view: View) -> bool:
    """True if what stands before the passage is about the name and the passage goes on about it."""
    if not _ANAPHORA.search(view.facts.text):
        return held(name.text, view.document.about) and not any(
            held(one.text, view.document.about) for one in view.facts.names
        )
    before = [one for one in view.near if one.number < view.core.number]
    return any(held(name.text, one.facts.low) for one in before) or held(name.text, view.document.about)


def _subject(name: Name, claim: Facts, view: View, low: str) -> list[Finding]:
    """A Chinese subject that no dictionary marks as a name: judged by what the passage begins with."""
    if claim.chinese != view.facts.chinese or held(name.text, view.facts.low):
        return []
    other = view.facts.subject or next(iter(view.facts.names), None)
    if other is not None and other.text not in claim.text:
        mine, theirs = _telling(name.text, other.text)
        if name_like(mine) and theirs and theirs not in claim.text:
            if mine in low:
                return []
            if mine not in view.document.low:
                return [
                    Finding("conflict", f"the source says it of {other.text}, and nowhere of {name.text}")
                ]
            if name_like(theirs) and not _ANAPHORA.search(view.facts.text):
                return [Finding("conflict", f"the source says it of {other.text}, not of {name.text}")]
    return (
        [Finding("missing", f"{name.text} is nowhere in the source")]
        if name.text not in low and _unknown_head(name.text, view) and _is_name(name, claim, view)
        else []
    )


def _telling(one: str, other: str) -> tuple[str, str]:
    """Two names without the ending they share: 科兰 and 北礁 of two 离岸风场."""
    shared = 0
    while shared < min(len(one), len(other)) and one[-1 - shared] == other[-1 - shared]:
        shared += 1
    return one[: len(one) - shared], other[: len(other) - shared]


def name_like(text: str) -> bool:
    """True if the dictionary knows no word of a Chinese text, and it is no phrase of small words."""
    if len(text) < 2 or set(text) & set(FUNCTION_SIGNS + _COMMON_SIGNS):
        return False
    return all(len(word) == 1 or not known_word(word) for word in cut(text)) and not concepts_of(text)


def _mostly_there(name: str, view: View) -> bool:
    """True if most of a Chinese name's pairs of signs stand in the source: it is cut or joined otherwise."""
    pairs = bigrams(name)
    return sum(pair in view.document.low for pair in pairs) > 0.6 * len(pairs)


def _unknown_head(name: str, view: View) -> bool:
    """True if what a Chinese name begins with, up to the ending the source knows too, is unknown there."""
    end = next((at for at in range(1, len(name)) if name[at:] in view.document.low), len(name))
    heads = [name[:end], name[:2]] if name.endswith(HAN_SUFFIX) else [name[:end]]
    return any(len(head) > 1 and head not in view.document.low and name_like(head) for head in heads)
