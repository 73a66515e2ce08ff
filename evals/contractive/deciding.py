"""What a reply decides on: its explicit answers, its conclusion, its short answer. Pure.

Nothing here knows the right answer. A `Reader` turns a text into the known answers it affirms; a reply that
affirms several without settling on one decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from evals.contractive.echoing import PIECE, TOKEN, tokens_of
from nodes.contractive.answers import ShortAnswer, short_answer
from nodes.contractive.reading.markup import boxed, json_answer, plain_maths, unmarked

Reader = Callable[[str], frozenset[str]]

_MARKED = re.compile(
    r"(?:\banswer\b(?:\s+(?:is|would be|should be)\b|\s*\**\s*[:=]\**))\s*(?P<told>[^\n]*)", re.IGNORECASE
)
_CONCLUDES = re.compile(
    r"(?:(?:^|[.\n]\s*)(?:and\s+)?(?:so|together|altogether|in total)\b"
    r"|\b(?:therefore|thus|hence|consequently)\b)\s*,?",
    re.IGNORECASE,
)
# Within a sentence, and perhaps on the way to the next step only.
_INNER = re.compile(
    r"[,;:]\s*(?:and\s+)?(?:so|that is|i\.e\.|giving|leaving|making|which (?:gives|makes|leaves))\b\s*,?"
    r"|[,;]\s*which is\b"
    r"(?!\s+(?:below|above|under|over|within|more|less|lower|higher|larger|smaller|also|not)\b)"
    r"|\bfor a total of\b|\bmakes? (?:it|that)\b",
    re.IGNORECASE,
)
_COMPUTES = re.compile(r"[=→]")
_EXPLAINS = re.compile(
    r"\b(?:because|since|as (?:it|he|she|they|the|only|no)|for (?:it|he|she|they|the|only)|instead of"
    r"|rather than|unlike|whereas|while)\b|;",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\b(?:wait|correction|actually|i made (?:a|an) (?:mistake|error)|no, that|on second thought"
    r"|let me re\w*)\b",
    re.IGNORECASE,
)
_HEDGES = re.compile(
    r"\b(?:could|might|may) (?:also |well )?be\b|\bmaybe\b|\bperhaps\b|\bpossibl[ey]\b|\beither\b"
    r"|\bcandidates?\b|\bone of\b|\balternatively\b|\bnot sure\b|\bi (?:guess|suppose)\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\([^()]*\)")
_HEADING = re.compile(r"\W*[^\W\d][\w ]*(?=:)")
_FEWEST = 2
_ADDS = re.compile(r"\b(?:also|too|as well|additionally|in addition|besides)\b", re.IGNORECASE)
_BRIEF = 4


def found_in(own: str, question: str) -> ShortAnswer:
    """The short answer of a reply's own words."""
    return short_answer(own, question)


def decided(own: str, question: str, read: Reader, *, several: bool = False) -> frozenset[str]:
    """The answers a reply settles on: one, or for a set all of its items; empty if it settles on none.

    Args:
        own: as `own_words` gives it.
        question: it answers.
        read: the answers a text affirms.
        several: True where a set is wanted.
    """
    explicit = _explicit(own, read)
    if len(set(explicit)) > 1 and not _CORRECTS.search(own):
        return frozenset()
    if explicit:
        return _single(explicit[-1], several=several)
    if _undecided(own, read, several=several):
        return frozenset()
    plain = unmarked(plain_maths(own))
    listed = [piece for piece in PIECE.split(plain) if read(piece)]
    if several and not _CONCLUDES.search(plain) and (points := _points(listed, question)):
        return frozenset().union(*map(read, points))
    for text in _deciding(listed, own, question, plain, several=several):
        if found := _settled(text, read):
            return _single(found, several=several)
    return frozenset()


def _points(pieces: Sequence[str], question: str) -> Sequence[str]:
    """Pieces that together are one list; of lists with headings those the question asks for."""
    if not all(map(_brief, pieces)):
        return []
    asked = set(tokens_of(re.split(r"(?<=[.!?])\s+", question.split("?")[0])[-1]))
    headed = [(piece, set(tokens_of(match[0]))) for piece in pieces if (match := _HEADING.match(piece))]
    if len(headed) < len(pieces) or len(pieces) < _FEWEST:
        return pieces
    return [piece for piece, heading in headed if heading <= asked]


def _deciding(pieces: Sequence[str], own: str, question: str, plain: str, *, several: bool) -> list[str]:
    """The texts a decision may stand in, the likeliest first: a conclusion, a last step, the short answer."""
    texts = [piece for piece in pieces if _CONCLUDES.search(piece)][-1:]
    reckons = bool(pieces) and (_COMPUTES.search(pieces[0]) or _INNER.search(pieces[-1]))
    if not texts and len(pieces) > 1 and (reckons or several and _INNER.search(" ".join(pieces[:-1]))):
        texts = [pieces[-1]]
    return [*texts, found_in(own, question).text, plain]


def _single(found: frozenset[str], *, several: bool) -> frozenset[str]:
    return found if several or len(found) == 1 else frozenset()


def _explicit(own: str, read: Reader) -> list[frozenset[str]]:
    """What is said after "the answer is", in a box, or as JSON; each that names a known answer."""
    told = [json_answer(own), boxed(own)]
    plain = unmarked(plain_maths(own)) if told == [None, None] else own
    told += [_first_sentence(match["told"]) for match in _MARKED.finditer(plain)]
    return [found for text in told if text and (found := _settled(plain_maths(text), read))]


def _first_sentence(text: str) -> str:
    return PIECE.split(text.strip())[0]


def _settled(text: str, read: Reader) -> frozenset[str]:
    """What a text affirms in its conclusion, else before its explanation, else anywhere."""
    ends = sorted(match.end() for form in (_CONCLUDES, _INNER) for match in form.finditer(text))
    concluded = [text[end:] for end in ends]
    for part in [*reversed(concluded), text]:
        head = _EXPLAINS.split(_ASIDE.sub(" ", part))[0]
        if found := read(head) or read(part):
            return found
    return frozenset()


def _undecided(own: str, read: Reader, *, several: bool) -> bool:
    """True for a list of candidates, and for guesses between them, that nothing settles."""
    pieces = [piece for piece in PIECE.split(unmarked(plain_maths(own))) if read(piece)]
    if several:
        more = [piece for piece in pieces[1:] if not read(piece) <= read(pieces[0])]
        return bool(_HEDGES.search(own)) or any(_ADDS.search(piece) for piece in more)
    if len(frozenset().union(*map(read, pieces))) < 2 or _CONCLUDES.search(own):
        return False
    if _HEDGES.search(own):
        return True
    if all(map(_brief, pieces)) and not _COMPUTES.search(own) and len({read(p) for p in pieces}) > 1:
        return True
    return _same_claim(pieces, read)


def _brief(piece: str) -> bool:
    return len(tokens_of(piece)) <= _BRIEF


def _same_claim(pieces: Sequence[str], read: Reader) -> bool:
    """True if two sentences say the same of two answers, as in: It is 41. It is 42."""
    said: dict[str, frozenset[str]] = {}
    for piece in pieces:
        for start, end in _places(piece, read):
            claim = f"{piece[:start]}_{piece[end:]}".strip(" .*-").lower()
            if said.setdefault(claim, read(piece)) != read(piece):
                return True
    return False


def _places(piece: str, read: Reader) -> list[tuple[int, int]]:
    """Where a piece names what it affirms: the shortest runs of words that say it."""
    words = [match.span() for match in TOKEN.finditer(piece)]
    for size in range(_BRIEF):
        spans = [(words[at][0], words[at + size][1]) for at in range(len(words) - size)]
        if found := [(start, end) for start, end in spans if read(piece[start:end]) == read(piece)]:
            return found
    return []
