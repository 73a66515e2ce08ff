"""The citation checker at work on a run's texts: {cite:N} by the run's numbers, findings for the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from nodes.research.checking.checker import check_report
from nodes.research.citations import cited_numbers, renumbered
from nodes.research.state import Finding
from tools.search.items import Item

FAILED = ("contradicted", "unsupported")


class Checked(Protocol):
    """What is read of a check, the checker's own or one in the state."""

    @property
    def sentence(self) -> str:
        """As it stands in the text."""
        ...

    @property
    def verdict(self) -> str:
        """supported, contradicted, unsupported, needs_judge or no_claim."""
        ...

    @property
    def reason(self) -> str:
        """Why."""
        ...


def check_cited(text: str, items: Mapping[int, Item]) -> list[Finding]:
    """What the checker says of each sentence of a text; blocking.

    Args:
        text: Markdown with {cite:N}, N a key of `items`; one that is none is checked as a citation of nothing.
        items: sources with their original texts, by number.

    Returns:
        One finding a sentence, offsets in `text`.
    """
    numbers = [number for number in cited_numbers(text) if number in items]
    # The checker counts items from 1; a number beyond them is an invented citation to it.
    places = {number: place for place, number in enumerate(numbers, start=1)}
    beyond = len(numbers) + 1
    asked = {number: places.get(number, beyond) for number in cited_numbers(text)}
    if all(number == place for number, place in asked.items()):
        return [_finding(check) for check in check_report(text, [items[number] for number in numbers])]
    worded = renumbered(text, asked)
    checks = [_finding(check) for check in check_report(worded, [items[number] for number in numbers])]
    return _placed(text, worded, checks)


def _finding(check: object) -> Finding:
    values = check.model_dump(mode="json") if hasattr(check, "model_dump") else {}
    return Finding.model_validate(values)


def _placed(text: str, worded: str, checks: Sequence[Finding]) -> list[Finding]:
    """Findings of a renumbered text with their offsets in the first one: both differ in citations only."""
    moves = _moves(text, worded)

    def back(offset: int) -> int:
        shift = 0
        for at, change in moves:
            if at > offset:
                break
            shift = change
        return offset - shift

    placed = []
    for check in checks:
        start, end = back(check.start), back(check.end)
        placed.append(check.model_copy(update={"start": start, "end": end, "sentence": text[start:end]}))
    return placed


def _moves(text: str, worded: str) -> list[tuple[int, int]]:
    """Offsets in the renumbered text from which on it lies so many characters further."""
    from nodes.research.citations import CITE

    moves = []
    for old, new in zip(CITE.finditer(text), CITE.finditer(worded), strict=True):
        moves.append((new.end(), new.end() - old.end()))
    return moves


def failing(checks: Sequence[Checked]) -> list[Checked]:
    """Checks of sentences that cannot stay."""
    return [check for check in checks if check.verdict in FAILED]
