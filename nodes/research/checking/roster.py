"""Who and what a document speaks of: its names, and what kind of thing each may be. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from nodes.research.checking.facts import Facts
from nodes.research.checking.folding import lowered
from nodes.research.checking.han_roster import ENDINGS, han_names
from nodes.research.checking.name import Name
from nodes.research.checking.name_words import GENERIC, HEADS, NOT_NAMES, TITLES
from nodes.research.checking.names import held, tokens
from nodes.research.checking.person_words import COMPARED, FIRMS, GOVERN, PEOPLE, PERSON_ENDING

PERSON, GROUP, PLACE, VESSEL = "person", "group", "place", "vessel"
_VESSELS = frozenset("ship tanker vessel ferry freighter trawler cutter steamer yacht tug barge carrier schooner frigate".split())  # fmt: skip
ANY = frozenset({GROUP, PLACE})
_GEOGRAPHY = frozenset("county city state district province river lake mountain island islands park bridge port airport station gulf strait isle cape mount bay street road avenue square lane hall valley hill hills beach forest harbour harbor creek falls".split())  # fmt: skip
_HE_OR_SHE = re.compile(r"[^.]{0,60}\b(?:he|she|his|her|him)\b")
_WORD_BEFORE = re.compile(r"([A-Za-z-]+),? (?:the )?$")
_OFFICE_AFTER = re.compile(
    r",? (?:an?|the|its|their|his|her) (?:[\w'-]+ ){0,4}?([a-z]+)[,.]|, who\b|, (\d\d),|, \d\d, "
)
_SPEAKS_AFTER = re.compile(rf" (?:\w+ly |also |then )?(?:{GOVERN})\b")
_SPEAKS_BEFORE = re.compile(rf"[\",] (?:{GOVERN}) $")
_INSIDE = re.compile(
    r"\b(?:in|near|off|outside|neighbouring|nearby|across|town of|city of|village of|port of|suburb of|at) $",
    re.IGNORECASE,
)
_GROUP_AFTER = re.compile(r"'s? (?:chief|shares|revenue|board|profit|directors?|sales|employees|customers|fans|managing)| employs\b| (?:said|says) it\b|, (?:the|an?) (?:[\w'-]+ ){0,3}(?:maker|company|firm|operator|utility|group|fund|bank|insurer|supplier|union|producer|retailer)\b")  # fmt: skip
# Bodies that act beside the one a document is about, and are told of without a name.
_INSTITUTION = re.compile(r"\b[Tt]he ((?:[a-z]+ )?(?:coast guard|prosecution|defence|police|opposition|union|government|ministry|trust|fire service|regulator))\b|(?<![\u3400-\u9fff])(?:检方|警方|辩方|资方|劳方|环保团体|反对党|执政党)")  # fmt: skip


# An adjective of a nation: "164 million Australian dollars".
_NATION = re.compile(r"[A-Z][a-z]+(?:ian|ean|can|ish|ese)$")
_OFFICES = frozenset("MP MPs MEP MSP CEO CFO CTO COO PM VP QC KC GP PhD".split())


@dataclass(frozen=True, slots=True)
class Entity:
    """Somebody or something a document names.

    Attributes:
        name: the fullest form.
        kinds: what it may be: "person", "group", "place", "vessel".
    """

    name: str
    kinds: frozenset[str]


def same(one: str, other: str) -> bool:
    """True if two names may be one thing's: they share a telling word, or one shortens the other."""
    if one == other:
        return True
    if one.isascii() != other.isascii():
        return held(one, lowered(other)) or held(other, lowered(one))
    if one.isascii():
        return (
            bool(set(tokens(one)) & set(tokens(other)))
            or held(one, lowered(other))
            or held(other, lowered(one))
        )
    if one in other or other in one:
        return True
    return len(_head(one)) >= 2 and _head(one) in other or len(_head(other)) >= 2 and _head(other) in one


@lru_cache(maxsize=8192)
def _head(name: str) -> str:
    """A Chinese name without the ending that tells its kind."""
    for suffix in sorted(ENDINGS, key=len, reverse=True):
        if name.endswith(suffix) and len(name) - len(suffix) >= 2:
            return name[: -len(suffix)]
    return name


def roster(title: str, texts: Sequence[Facts]) -> list[Entity]:
    """The names of a document.

    Args:
        title: its name, folded.
        texts: its sentences' facts, in order.

    Returns:
        Every name once, those it names most first.
    """
    whole = "\n".join([title, *(one.text for one in texts)])
    found: dict[str, Counter[str]] = {}
    for facts in texts:
        for name in facts.names:
            if _english_name(name, facts.text, whole):
                text, start, titled = _untitled(name)
                votes = found.setdefault(text, Counter())
                votes[PERSON] += 3 * titled
                _vote(
                    text, facts.text[max(0, start - 40) : start], facts.text[name.end : name.end + 70], votes
                )
    for match in _INSTITUTION.finditer(whole):
        found.setdefault(match[1] or match[0], Counter())[GROUP] += 3
    for text, kind in han_names(whole):
        found.setdefault(text, Counter())[kind] += 1
    kinds = {text: _kinds(text, votes, found) for text, votes in found.items()}
    for text in kinds:
        if any(full.endswith(f" {text}") and kinds[full] == {PERSON} for full in kinds):
            kinds[text] = frozenset({PERSON})
    return [
        Entity(text, kinds[text])
        for text in sorted(found, key=lambda text: -whole.count(text))
        if kinds[text]
    ]


def _english_name(name: Name, text: str, whole: str) -> bool:
    if any("\u3400" <= sign <= "\u9fff" for sign in name.text):
        return False
    if name.text.isupper() and re.search(r"[\d万亿千百] ?$|\($", text[: name.start]):
        return False  # A unit, or what a bracket explains.
    if name.text in _OFFICES or (_NATION.match(name.text) and re.match(r" [a-z]", text[name.end :])):
        return False
    repeated = " " not in name.text and whole.count(name.text) > 1
    return name.sure or (repeated and lowered(name.text) not in whole)


def _untitled(name: Name) -> tuple[str, int, bool]:
    """A name without the noun of people that a sentence begins with: "Winger Toby Marsh"."""
    first, _, rest = name.text.partition(" ")
    noun = first.lower()
    if rest.count(" ") == 1 and (noun in PEOPLE or _human(noun) or noun.startswith("co-")):
        return rest, name.start + len(first) + 1, True
    return name.text, name.start, False


def _vote(name: str, before: str, after: str, votes: Counter[str]) -> None:
    """Count what a name's own words and those around it say of its kind."""
    words = lowered(name).split()
    votes[GROUP] += 3 * any(word in GENERIC | HEADS and word not in _GEOGRAPHY for word in words)
    votes[PLACE] += 3 * any(word in _GEOGRAPHY for word in words) + 2 * bool(_INSIDE.search(before))
    votes[GROUP] += 2 * bool(_GROUP_AFTER.match(after))
    votes[PERSON] += (len(words) == 2) * bool(_SPEAKS_AFTER.match(after) or _SPEAKS_BEFORE.search(before))
    kind, weight = _called(before)
    votes[kind] += weight
    if not re.search(r"\ban? (?:\w+ )?$", before):
        votes[PERSON] += bool(_HE_OR_SHE.match(after))
    if office := _OFFICE_AFTER.match(after):
        noun = (office[1] or "").lower()
        votes[PERSON] += 2 * (not office[1] or noun in PEOPLE or _human(noun))


def _called(before: str) -> tuple[str, int]:
    """The kind that the noun before a name gives it, and how surely."""
    last = _WORD_BEFORE.search(before)
    word = last[1].lower() if last else ""
    appositive = before.endswith(", ") and _people(before)
    if word in _VESSELS:
        return VESSEL, 4
    if word in FIRMS and not appositive:
        return GROUP, 2
    if word in PEOPLE or word in TITLES or (last and len(word) > 4 and _human(last[1])):
        return PERSON, 3
    return PERSON, 2 * appositive


def _kinds(name: str, votes: Counter[str], found: dict[str, Counter[str]]) -> frozenset[str]:
    if name.isascii():
        votes = votes + _of_kin(name, votes, found)
    if votes[PERSON] > max(votes[GROUP], votes[PLACE], votes[VESSEL]):
        return frozenset({PERSON})
    if votes[VESSEL]:
        return frozenset({VESSEL})
    if lowered(name) in NOT_NAMES or (name.isascii() and re.search(r"-[a-z]|\d", name)):
        return frozenset()
    known = frozenset(kind for kind in (GROUP, PLACE) if votes[kind])
    return known or (ANY | {PERSON} if len(name.split()) == 2 else ANY)


def _of_kin(name: str, votes: Counter[str], found: dict[str, Counter[str]]) -> Counter[str]:
    """What is known of a name's longer and shorter forms: a surname alone is what its full name is."""
    mine, more = frozenset(tokens(name)), Counter[str]()
    for other, theirs in found.items():
        parts = frozenset(tokens(other)) if other.isascii() else mine
        if mine < parts or parts < mine:
            more += theirs
    words = name.split()
    if len(words) == 2 and not (votes + more)[PLACE]:
        # People are shortened to their last name, firms to their first.
        more += Counter({GROUP: 2 * (words[0] in found), PERSON: 2 * (words[1] in found)})
    return more


def _people(before: str) -> bool:
    """True if a noun of people stands in what precedes a name: "the chairwoman of the association, "."""
    return any(word in PEOPLE or _human(word) for word in re.findall(r"[a-z]{5,}", before))


def _human(word: str) -> bool:
    """True if a lower-case English word is a noun of people by its ending: goalkeeper, scientist."""
    return (
        word.islower()
        and word not in FIRMS
        and word not in COMPARED
        and PERSON_ENDING.search(word) is not None
    )
