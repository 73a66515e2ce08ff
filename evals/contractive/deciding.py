"""What a reply decides on: its own words, its explicit answers, its conclusion. Pure.

Nothing here knows the right answer. A `Reader` turns a text into the known answers it affirms; a reply that
affirms several without settling on one decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nodes.contractive.answers import ShortAnswer, short_answer
from nodes.contractive.reading.markup import THINKING, boxed, json_answer, plain_maths, unmarked

Reader = Callable[[str], frozenset[str]]

_TOKEN = re.compile(r"\w+(?:[.,:/]\w+)*")
_PIECE = re.compile(r"\n+|(?<=[.!?])[\"'”*_)]*\s+")
_LABEL = re.compile(
    r"^\W*(?:the\s+)?(?:question|q|context|rules?|problem|user|task|input|options?|facts?)(?:\s+is)?\s*\**\s*[:.]",
    re.IGNORECASE,
)
_ONLY_LABEL = re.compile(
    r"\W*(?:(?:the\s+)?(?:final\s+)?(?:answer|question|context|response|output|rules?)(?:\s+is)?|a|q)?\W*",
    re.IGNORECASE,
)
_ECHO = 4
"""Words a piece needs to be called an echo; fewer may be an answer in the words of the question."""
_MARKED = re.compile(
    r"(?:\banswer\b(?:\s+(?:is|would be|should be)\b|\s*\**\s*[:=]\**))\s*(?P<told>[^\n]*)", re.IGNORECASE
)
_CONCLUDES = re.compile(
    r"(?:(?:^|[,;:.\n]\s*)(?:and\s+)?so\b|\b(?:therefore|thus|hence|consequently)\b"
    r"|[,;]\s*(?:which (?:is|gives|makes|leaves)|that is|i\.e\.|giving|leaving|making)\b"
    r"|\bfor a total of\b|\bmakes? (?:it|that)\b)\s*,?",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"\b(?:because|since|as (?:it|he|she|they|the|only|no)|for (?:it|he|she|they|the|only)|instead of"
    r"|rather than|unlike|whereas|while)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\b(?:wait|correction|actually|i made (?:a|an) (?:mistake|error)|no, that|on second thought"
    r"|let me re\w*)\b",
    re.IGNORECASE,
)
_HEDGES = re.compile(
    r"\b(?:could|might|may|can) (?:also |well )?be\b|\bmaybe\b|\bperhaps\b|\bpossibl[ey]\b|\beither\b"
    r"|\bcandidates?\b|\bone of\b|\balternatively\b|\bnot sure\b|\bi (?:guess|suppose)\b",
    re.IGNORECASE,
)
_ADDS = re.compile(r"\b(?:also|too|as well|additionally|in addition|besides)\b", re.IGNORECASE)
_BRIEF = 4


def own_words(reply: str, question: str, context: str = "") -> str:
    """A reply without thoughts, without the question and its context, and without headings before nothing."""
    text = THINKING.sub("", reply).strip()
    said = _tokens(_LABEL.sub("", text))
    if len(said) >= _ECHO and _holds(_tokens(f"{context} {question}"), said):
        return ""
    for source in (question, context):
        text = _without_run(text, _tokens(source))
    pieces = _PIECE.split(text)
    echoed = _echoed([_tokens(_LABEL.sub("", piece)) for piece in pieces], _tokens(f"{context} {question}"))
    kept = [
        piece
        for piece, echo in zip(pieces, echoed, strict=True)
        if not echo and not _ONLY_LABEL.fullmatch(piece)
    ]
    return "\n".join(kept).strip()


def _echoed(pieces: Sequence[list[str]], source: Sequence[str]) -> list[bool]:
    """Which pieces the source has as they are: long ones, and short ones that go on where those stand."""
    echoed = [len(tokens) >= _ECHO and _holds(source, tokens) for tokens in pieces]
    for place, tokens in enumerate(pieces):
        before = pieces[place - 1] if place and echoed[place - 1] else []
        echoed[place] = echoed[place] or bool(before and tokens) and _holds(source, [*before, *tokens])
    for place in reversed(range(len(pieces) - 1)):
        tokens, after = pieces[place], pieces[place + 1] if echoed[place + 1] else []
        echoed[place] = echoed[place] or bool(after and tokens) and _holds(source, [*tokens, *after])
    return echoed


def _tokens(text: str) -> list[str]:
    return [token.lower() for token in _TOKEN.findall(text)]


def _holds(source: Sequence[str], run: Sequence[str]) -> bool:
    """True if a run of words stands in a source as it is."""
    return f" {' '.join(run)} " in f" {' '.join(source)} "


def _without_run(text: str, run: Sequence[str]) -> str:
    """A text without each place where it says a whole source, however it is spaced and marked."""
    if len(run) < _ECHO:
        return text
    while True:
        found = list(_TOKEN.finditer(text))
        words = [match[0].lower() for match in found]
        at = next((i for i in range(len(words) - len(run) + 1) if words[i : i + len(run)] == list(run)), None)
        if at is None:
            return text
        text = f"{text[: found[at].start()].rstrip()}\n{text[found[at + len(run) - 1].end() :]}"


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
    listed = [piece for piece in _PIECE.split(plain) if read(piece)]
    if several and listed and all(map(_brief, listed)):
        return frozenset().union(*map(read, listed))
    concluding = [piece for piece in _PIECE.split(plain) if _CONCLUDES.search(piece)]
    for text in (*concluding[-1:], found_in(own, question).text, plain):
        if found := _settled(text, read):
            return _single(found, several=several)
    return frozenset()


def _single(found: frozenset[str], *, several: bool) -> frozenset[str]:
    return found if several or len(found) == 1 else frozenset()


def _explicit(own: str, read: Reader) -> list[frozenset[str]]:
    """What is said after "the answer is", in a box, or as JSON; each that names a known answer."""
    told = [json_answer(own), boxed(own)]
    plain = unmarked(plain_maths(own)) if told == [None, None] else own
    told += [_first_sentence(match["told"]) for match in _MARKED.finditer(plain)]
    return [found for text in told if text and (found := _settled(plain_maths(text), read))]


def _first_sentence(text: str) -> str:
    return _PIECE.split(text.strip())[0]


def _settled(text: str, read: Reader) -> frozenset[str]:
    """What a text affirms in its conclusion, else before its explanation, else anywhere."""
    concluded = [text[match.end() :] for match in _CONCLUDES.finditer(text)]
    for part in [*reversed(concluded), text]:
        head = _EXPLAINS.split(part)[0]
        if found := read(head) or read(part):
            return found
    return frozenset()


def _undecided(own: str, read: Reader, *, several: bool) -> bool:
    """True for a list of candidates, and for guesses between them, that nothing settles."""
    pieces = [piece for piece in _PIECE.split(unmarked(plain_maths(own))) if read(piece)]
    if several:
        more = [piece for piece in pieces[1:] if not read(piece) <= read(pieces[0])]
        return bool(_HEDGES.search(own)) or any(_ADDS.search(piece) for piece in more)
    if len(frozenset().union(*map(read, pieces))) < 2 or _CONCLUDES.search(own):
        return False
    if _HEDGES.search(own):
        return True
    if all(map(_brief, pieces)) and len({read(p) for p in pieces}) > 1:
        return True
    return _same_claim(pieces, read)


def _brief(piece: str) -> bool:
    return len(_tokens(piece)) <= _BRIEF


def _same_claim(pieces: Sequence[str], read: Reader) -> bool:
    """True if two sentences say the same of two answers, as in: It is 41. It is 42."""
    said: dict[str, frozenset[str]] = {}
    for piece in pieces:
        found = read(piece)
        places = [match.span() for match in _TOKEN.finditer(piece)]
        for first, last in ((i, i + size) for size in range(_BRIEF) for i in range(len(places) - size)):
            start, end = places[first][0], places[last][1]
            if read(piece[start:end]) == found:
                claim = f"{piece[:start]}_{piece[end:]}".strip(" .*-").lower()
                if said.setdefault(claim, found) != found:
                    return True
    return False
