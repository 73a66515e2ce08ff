"""People and things under fuller and shorter names. Pure."""

from __future__ import annotations

import re

from nodes.contractive.reading.wording import plain, slipped

_TITLES = frozenset(
    "dr prof professor sir mr mrs ms miss mme madame monsieur herr frau lord lady dame president king queen emperor captain general colonel saint st senator chancellor minister rev father the a an jr sr phd md esq "
    "inc ltd llc corp corporation co company gmbh ag plc sa limited group".split()
)  # fmt: skip
_HAN_TITLE = re.compile(r"(?:先生|女士|小姐|教授|博士|医师|老师|院士|总统|主席|部长)$")
_HAN_MADE = re.compile(
    r"(?:所)?(?:写|创作|发明|建|建造|画|提出|发现|拍|导演|主演|唱|设计|作|创立|创办|编写|著)的?$"
)
_SHORTEST_HAN = 2
_PARENTHESES = re.compile(r"(?:(?<=[\u3400-\u9fff])|\s+)[(（]([^()（）]*)[)）]")
_LISTED = re.compile(r",|\b(?:and|or)\b")
_PARTICLES = frozenset("von van de da di del der la le bin al el".split())


def aliases(name: str) -> list[str]:
    """A name without what stands in brackets, and what stands there."""
    inside = [found.strip() for found in _PARENTHESES.findall(name)]
    outside = _PARENTHESES.sub("", name).strip()
    return [alias for alias in (outside, *inside) if alias]


def words_of_name(name: str, *, person: bool = False) -> list[str]:
    """The words of a name without titles and legal forms; a person's told family name first in its usual order."""
    last, comma, first = name.partition(", ")
    if person and comma and "," not in first and len(last.split()) == 1:
        name = f"{first} {last}"
    told = _HAN_TITLE.sub("", plain(name).strip())
    words = re.findall(r"[^\W_]+(?:['-][^\W_]+)*", told)
    return [word for word in words if word not in _TITLES] or words


def same_name(one: str, other: str, *, person: bool) -> bool | None:
    """True if two names may be one's, False if not, None if it cannot be told.

    Args:
        one: a name.
        other: another.
        person: whose last word is the family's; given names may be left out or shortened to their initial.
    """
    first, second = (words_of_name(name, person=person) for name in (one, other))
    if not first or not second:
        return None
    if first == second:
        return True
    if len(first) == len(second) and all(a == b or slipped(a, b) for a, b in zip(first, second, strict=True)):
        return True
    if _initials(one) == other.strip(" .") or _initials(other) == one.strip(" ."):
        return True
    return _same_person(first, second) if person else _within(one, other, first, second)


def _initials(name: str) -> str:
    """What a name is shortened to: JFK of John F. Kennedy; "" for a single word."""
    words = [word for word in re.findall(r"[^\W\d_]+", name) if word[0].isupper()]
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def _same_person(first: list[str], second: list[str]) -> bool | None:
    if not (first[-1].isascii() and second[-1].isascii()):
        if first[-1].isascii() != second[-1].isascii():
            return None
        one, other = (_HAN_MADE.sub("", "".join(words)) for words in (first, second))
        if min(len(one), len(other)) >= _SHORTEST_HAN and (one.endswith(other) or other.endswith(one)):
            # What somebody is stands before the name: 清代作家曹雪芹.
            return True
        # A foreign name in Chinese: its parts stand between points, the family's last.
        return (
            (first[-1] == second[-1])
            if min(len(first), len(second)) == 1 < max(len(first), len(second))
            else False
        )
    if min(len(first), len(second)) == 1 and first[0] == second[0]:
        return True
    if first[-1] != second[-1] and not slipped(first[-1], second[-1]):
        return False
    given, others = ([word for word in words[:-1] if word not in _PARTICLES] for words in (first, second))
    if not given or not others:
        return True
    matching = zip(given, others, strict=False)
    return all(a == b or slipped(a, b) or (min(len(a), len(b)) == 1 and a[0] == b[0]) for a, b in matching)


def _within(one: str, other: str, first: list[str], second: list[str]) -> bool | None:
    """A place may be told with what it lies in: "Zurich, Switzerland"."""
    for long, words in ((one, second), (other, first)):
        head, comma, tail = long.partition(",")
        if comma and not _LISTED.search(tail) and words_of_name(head) == words:
            return True
    return None
