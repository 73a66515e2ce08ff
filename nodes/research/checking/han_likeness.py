"""Are Chinese characters a name, and one the sources know? Pure."""

from __future__ import annotations

from nodes.research.checking.alignment import View
from nodes.research.checking.chinese_names import known_word, tagged
from nodes.research.checking.concepts import concepts_of
from nodes.research.checking.facts import Facts
from nodes.research.checking.han_roster import han_names
from nodes.research.checking.name import Name
from nodes.research.checking.name_words import (
    FUNCTION_SIGNS,
    HAN_SUFFIX,
    NAME_TAGS,
    SURNAMES,
)
from nodes.research.checking.names import places
from nodes.research.checking.terms import bigrams, cut

# Signs of ordinary compounds: 校方, 产量, 票房.
_COMMON_SIGNS = "方者员率量数额费价性化型类式法力界业品物区线期产运载客票房租税务股债息薪资工人士民众站馆园校厂院店船车机楼桥路港岛市县镇乡村里队组团军警官府署局部处科室"


def only_elsewhere(name: Name, view: View) -> bool:
    """True if another source has a sure name of three signs and more, and this one neither it nor its pairs of signs."""
    if not name.sure or len(name.text) < 3 or cut_around_a_name(name.text, view):
        return False
    if any(pair in view.document.low for pair in bigrams(name.text)):
        return False
    return any(name.text in one.low for one in view.sources.documents if one is not view.document)


def is_name(name: Name, claim: Facts, view: View) -> bool:
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


def cut_around_a_name(text: str, view: View) -> bool:
    """True if it is a name the cited sources have with ordinary words at its ends: 从岭泽, 登革热病例以海东镇."""
    for entity in view.document.roster:
        if entity.name in text and len(entity.name) < len(text):
            rest = text.replace(entity.name, "")
            if len(rest) < 2 or not name_like(rest):
                return True
    return False


def overlaps(name: Name, claim: Facts, view: View) -> bool:
    """True if a name the source has stands across an end of Chinese characters cut as one: 教鲍 | 远山, 以宁 | 花."""
    return any(
        name.start < at < name.end < at + len(entity.name)
        or at < name.start < at + len(entity.name) < name.end
        for entity in view.document.roster
        if set(entity.name) & set(name.text)
        for at in places(entity.name, claim.text)
    )


def name_like(text: str) -> bool:
    """True if the dictionary knows no word of a Chinese text, and it is no phrase of small words."""
    if len(text) < 2 or set(text) & set(FUNCTION_SIGNS + _COMMON_SIGNS):
        return False
    return all(len(word) == 1 or not known_word(word) for word in cut(text)) and not concepts_of(text)


def mostly_there(name: str, view: View) -> bool:
    """True if most of a Chinese name's pairs of signs stand in the source: it is cut or joined otherwise."""
    pairs = bigrams(name)
    return sum(pair in view.document.low for pair in pairs) > 0.6 * len(pairs)


def unknown_head(name: str, view: View) -> bool:
    """True if what a Chinese name begins with, up to the ending the source knows too, is unknown there."""
    end = next((at for at in range(1, len(name)) if name[at:] in view.document.low), len(name))
    heads = [name[:end], name[:2]] if name.endswith(HAN_SUFFIX) else [name[:end]]
    return any(len(head) > 1 and head not in view.document.low and name_like(head) for head in heads)
