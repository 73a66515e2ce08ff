"""What a proposed decomposition must pass before a question is split. Pure.

A model proposes; code decides. Whatever is proposed, at most five parts come out, in their order, none of
them a repeat of a question asked before, with edges that form a directed acyclic graph. The text of a part is
a question and nothing else: an instruction in it is text that is asked, never followed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from nodes.contractive.meanings import Meanings
from nodes.contractive.reading.wants import asks
from nodes.contractive.relevance import overlap
from nodes.contractive.repeats import in_doubt, repeated, restates, texts_compared
from nodes.contractive.state import Joint, Question

MOST = 5
"""Parts of a question at most."""
MOST_READ = 16
"""Different parts on topic that are held against what was asked before; no sane proposal has more."""
MOST_EMBEDDED = 24
"""Parts that are embedded, 10 ms each; the others are judged by their words."""
SURELY = 0.6
"""Probability from which a part repeats one beside it: one too many costs samples, one too few the merge."""
PLAINLY = 0.34
"""`overlap` with its question from which a part is on topic whatever it means: of the 320 off-topic parts of
`evals.parts` none has so much."""
LONGEST_PART = 500
"""Characters of a part."""
LONGEST_SHOWN = 160
"""Characters of a question that is named in a reason."""
_QUOTES = frozenset({('"', '"'), ("'", "'"), ("“", "”"), ("「", "」"), ("*", "*"), ("`", "`")})
_LETTERS = re.compile(r"[^\W_]")
_NUMBERED = re.compile(
    r"^\s*(?:[-*•]|\(?\d{1,2}[.):、]|[a-h][.)])(?:\s+|$)|^\s*(?:Q|Question|Frage|Part|Step|問題|问题)\s*\d{1,2}\s*[:.：、]\s*",
    re.IGNORECASE,
)


class ProposedPart(BaseModel):
    """A part as a model proposes it.

    Attributes:
        question: one question that can be answered by itself.
        depends_on: numbers of the parts before it whose answers it needs; the first part is 1.
    """

    question: str
    depends_on: list[int] = Field(default_factory=list)


class Proposal(BaseModel):
    """A decomposition as a model proposes it.

    Attributes:
        kind: AND: every part is required; OR: each part is another way to the answer.
        parts: none if the question is not to be split.
    """

    kind: Joint = "AND"
    parts: list[ProposedPart] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class AcceptedPart:
    """A part that is taken.

    Attributes:
        question: without a number or bullet before it.
        depends_on: numbers of the accepted parts before it, from 1, rising.
        relevance: probability to be on topic, 0 to 1; None if nobody measured it.
        proposed: its number in the proposal, from 1.
    """

    question: str
    depends_on: tuple[int, ...]
    relevance: float | None
    proposed: int


@dataclass(frozen=True, slots=True)
class DroppedPart:
    """A part that is not taken.

    Attributes:
        question: as it was proposed, shortened where it is long.
        reason: why, in words.
        proposed: its number in the proposal, from 1.
    """

    question: str
    reason: str
    proposed: int


@dataclass(frozen=True, slots=True)
class Accepted:
    """What is left of a proposal.

    Attributes:
        kind: as proposed.
        parts: five at most, in their order; empty if the question is not split.
        dropped: the others, in their order.
        reason: why nothing is taken of a proposal that had parts; empty otherwise.
    """

    kind: Joint
    parts: tuple[AcceptedPart, ...] = ()
    dropped: tuple[DroppedPart, ...] = ()
    reason: str = ""

    @property
    def refused(self) -> dict[str, str]:
        """Why each part was not taken, by its text; the first reason of parts that are alike."""
        return {one.question: one.reason for one in reversed(self.dropped)}


def questions_of(proposal: Proposal) -> list[str]:
    """The text of each proposed part, without the number or bullet before it; "" for one that has none."""
    return [_cleaned(part.question) for part in proposal.parts]


def texts_weighed(
    root: str, parent: Question, ancestors: Sequence[str], asked_before: Sequence[str], proposal: Proposal
) -> list[str]:
    """The texts `meanings.meanings_of` has to embed for `relevances` and `accepted`, each once.

    Args:
        root: the question of the whole tree.
        parent: the question that is split.
        ancestors: questions above it.
        asked_before: questions elsewhere in the tree.
        proposal: of its parts only the first `MOST_EMBEDDED` are embedded.
    """
    own = [text for text in questions_of(proposal) if 0 < len(text) <= LONGEST_PART][:MOST_EMBEDDED]
    earlier = (root, parent.text, parent.question, *ancestors, *asked_before)
    return list(dict.fromkeys([*own, *(form for text in earlier for form in texts_compared(text))]))


def words_leave_doubt(
    root: str, parent: Question, ancestors: Sequence[str], asked_before: Sequence[str], proposal: Proposal
) -> bool:
    """True unless words alone settle every part: plainly on topic, and told apart from all that was asked.

    Embedding costs 10 ms a question, which a proposal whose parts keep to the words of their question and
    differ by numbers or names need not pay.

    Args:
        root: the question of the whole tree.
        parent: the question that is split.
        ancestors: questions above it.
        asked_before: questions elsewhere in the tree.
        proposal: of a model.
    """
    texts = list(dict.fromkeys(text for text in questions_of(proposal) if 0 < len(text) <= LONGEST_PART))
    earlier = [root, parent.text, parent.question, *ancestors, *asked_before]
    for at, text in enumerate(texts[:MOST_READ]):
        if max(overlap(text, root), overlap(text, parent.question)) < PLAINLY:
            return True
        if any(in_doubt(text, before) for before in dict.fromkeys([*earlier, *texts[:at]])):
            return True
    return False


def accepted(
    parent: Question,
    ancestors: Sequence[str],
    asked_before: Sequence[str],
    proposal: Proposal,
    relevances: Sequence[float | None],
    threshold: float,
    most: int = MOST,
    *,
    meanings: Meanings | None = None,
) -> Accepted:
    """Take what may be taken of a proposal, and say why the rest is not.

    Args:
        parent: the question that is split; no part may ask it again.
        ancestors: questions above it.
        asked_before: questions asked elsewhere in the tree.
        proposal: of a model.
        relevances: probability of each part to be on topic; None, or none at all, for parts nobody measured.
        threshold: parts with less are dropped.
        most: parts at most.
        meanings: vectors of `texts_weighed`; words alone tell repeats without them.
    """
    above = list(dict.fromkeys((parent.text, parent.question, *ancestors)))
    kept: list[AcceptedPart] = []
    dropped: list[DroppedPart] = []
    places: dict[int, int] = {}
    seen: dict[str, str] = {}
    for number, (part, text) in enumerate(zip(proposal.parts, questions_of(proposal), strict=True), start=1):
        relevance = relevances[number - 1] if number <= len(relevances) else None
        reason = _unfit(text) or _off_topic(relevance, threshold) or _again(text, seen)
        reason = reason or _one_too_many(len(kept), len(seen), most)
        if not reason:
            siblings = [one.question for one in kept]
            reason = _repeats(text, above, siblings, asked_before, meanings)
            seen.setdefault(text.casefold(), reason)
        if reason:
            dropped.append(DroppedPart(_shown(text), reason, number))
            continue
        # Only earlier parts have a place yet: what points forward, at itself or at a dropped part is cut.
        needs = sorted({places[needed] for needed in part.depends_on if needed in places})
        kept.append(AcceptedPart(text, tuple(needs), relevance, number))
        places[number] = len(kept)
    return _of_use(parent, proposal.kind, kept, dropped, meanings)


def _of_use(
    parent: Question,
    kind: Joint,
    kept: Sequence[AcceptedPart],
    dropped: Sequence[DroppedPart],
    meanings: Meanings | None,
) -> Accepted:
    """What is left, unless it is nothing, or only the question itself in other words."""
    if not kept and dropped:
        return Accepted(kind, (), tuple(dropped), "no part was taken")
    if kind == "AND" and len(kept) == 1 and _restates(kept[0].question, parent, meanings):
        reason = "it is the question itself in other words"
        only = DroppedPart(kept[0].question, reason, kept[0].proposed)
        every = sorted((*dropped, only), key=lambda one: one.proposed)
        return Accepted(kind, (), tuple(every), f"the only part left: {reason}")
    return Accepted(kind, tuple(kept), tuple(dropped))


def _restates(text: str, parent: Question, meanings: Meanings | None) -> bool:
    """True if a part is more likely than not to be its parent, by a lower bar than for one of several."""
    return any(restates(text, earlier, meanings) for earlier in dict.fromkeys((parent.text, parent.question)))


def _unfit(text: str) -> str:
    """Why a text can be no part of anything; "" if it can."""
    if not _LETTERS.search(text):
        return "it is empty"
    if len(text) > LONGEST_PART:
        return f"it is longer than {LONGEST_PART} characters"
    return "" if asks(text) else "it is neither a question nor an instruction"


def _again(text: str, seen: Mapping[str, str]) -> str:
    """Why a part is not taken that was proposed before in the same letters."""
    if text.casefold() not in seen:
        return ""
    return seen[text.casefold()] or f"it repeats a part before it: {_shown(text)}"


def _one_too_many(kept: int, looked_at: int, most: int) -> str:
    if kept >= most:
        return f"it is beyond the {most} parts a question may have"
    return f"it is beyond the {MOST_READ} parts that are read" if looked_at >= MOST_READ else ""


def _off_topic(relevance: float | None, threshold: float) -> str:
    if relevance is None or not relevance < threshold:
        return ""
    return f"it is off topic: {relevance:.2f} likely to be about the question, {threshold:.2f} is needed"


def _repeats(
    text: str,
    above: Sequence[str],
    siblings: Sequence[str],
    asked_before: Sequence[str],
    meanings: Meanings | None,
) -> str:
    """What a part asks again, in words; "" if it asks nothing again."""
    for earlier, where, least in (
        (above, "the question it is to be a part of, or one above it", 0.0),
        (siblings, "a part before it", SURELY),
        (asked_before, "a question asked elsewhere in the tree", SURELY),
    ):
        if (before := repeated(text, earlier, meanings, least=least)) is not None:
            return f"it repeats {where}: {_shown(before)}"
    return ""


def _cleaned(text: str) -> str:
    """One line, without a number or bullet before it and quotation marks around it."""
    readable = text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    line = _NUMBERED.sub("", " ".join(readable.split()), count=1).strip()
    inner = line[1:-1]
    quoted = len(line) > 1 and (line[0], line[-1]) in _QUOTES and not set(inner) & {line[0], line[-1]}
    return inner.strip() if quoted else line


def _shown(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[: LONGEST_SHOWN - 1]}…"
