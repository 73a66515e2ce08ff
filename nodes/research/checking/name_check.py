"""Does the source say it of the one the claim names? Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nodes.research.checking.alignment import Finding, View
from nodes.research.checking.concepts import concepts_of, opposites_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import lowered
from nodes.research.checking.han_likeness import (
    cut_around_a_name,
    is_name,
    mostly_there,
    name_like,
    only_elsewhere,
    overlaps,
    unknown_head,
)
from nodes.research.checking.name import Name
from nodes.research.checking.name_roles import ANAPHORA, role_of, stands_for, told_of
from nodes.research.checking.name_words import (
    GENERIC,
    HAN_SUFFIX,
    ORGANISED,
)
from nodes.research.checking.names import held, tokens
from nodes.research.checking.sources import Passage
from nodes.research.checking.stems import stem
from nodes.research.checking.terms import STOP, bigrams

_COMMON_END = re.compile(r"(?:tion|sion|ment|ness|ity|ly|ance|ence|ship|hood|ism|ists|tions|ments)$")
_ENDINGS = (*HAN_SUFFIX, *ORGANISED)


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
        named = [name for name in named if not overlaps(name, claim, view)]
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
    role = role_of(name, claim)
    if held(name.text, view.document.low):
        rival = next((one for one in rivals if stands_for(one, role, view)), None)
        if rival and not told_of(name, view):
            return Finding("conflict", f"the source says it of {rival.text}, not of {name.text}")
        if rivals and not held(name.text, view.near_low) and not ANAPHORA.search(view.facts.text):
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
    if chinese and only_elsewhere(name, view):
        return Finding("missing", f"{name.text} is nowhere in the source, but in another")
    if chinese and (cut_around_a_name(name.text, view) or not is_name(name, claim, view)):
        return Finding("soft", f"{name.text} is not in the source") if name.sure else None
    if chinese and not name.sure:
        told = [one for one in rivals if stands_for(one, role, view)]
        if not any(one.sure or one.text.endswith(_ENDINGS) for one in told) and not unknown_head(
            name.text, view
        ):
            known_end = name.text.endswith(HAN_SUFFIX)
            return Finding("soft", f"{name.text} is not in the source") if known_end else None
    if chinese and not unknown_head(name.text, view) and mostly_there(name.text, view):
        return None
    if rivals:
        return Finding("conflict", f"the source names {rivals[0].text}, and nowhere {name.text}")
    if chinese and unknown_head(name.text, view):
        return Finding("missing", f"{name.text} is nowhere in the source")
    if not name.sure or (chinese and any(pair in view.facts.bigrams for pair in bigrams(name.text))):
        return Finding("soft", f"{name.text} is not in the source as written")
    telling = tokens(name.text)
    known = [word for word in telling if word in view.document.low or stem(word) in view.document.low]
    if known and telling[0] in known and len(telling) > len(known) and not view.facts.names:
        return Finding("soft", f"{name.text} is not in the source as written")
    return Finding("missing", f"{name.text} is nowhere in the source")


def _all_common(name: str, lowercase: frozenset[str]) -> bool:
    """True if every word of a name is an ordinary one: "the County Council"."""
    return all(common(word, lowercase) or word in GENERIC for word in lowered(name).split())


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
            if name_like(theirs) and not ANAPHORA.search(view.facts.text):
                return [Finding("conflict", f"the source says it of {other.text}, not of {name.text}")]
    return (
        [Finding("missing", f"{name.text} is nowhere in the source")]
        if name.text not in low and unknown_head(name.text, view) and is_name(name, claim, view)
        else []
    )


def _telling(one: str, other: str) -> tuple[str, str]:
    """Two names without the ending they share: 科兰 and 北礁 of two 离岸风场."""
    shared = 0
    while shared < min(len(one), len(other)) and one[-1 - shared] == other[-1 - shared]:
        shared += 1
    return one[: len(one) - shared], other[: len(other) - shared]
