r"""Name patterns as fnmatch(3) has them: `*`, `?`, `[a-z]`, `[!a]`, and `\` before what is no sign."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

SIGNS = frozenset("*?[")
LONGEST = 255
MOST_STATES = 2000


@dataclass(frozen=True)
class Step:
    """One step of a pattern: some characters, or (`star`) any number of any.

    Attributes:
        star: any number of characters.
        ranges: first and last code point of what fits.
        negated: what fits is what is in none of them.
    """

    star: bool = False
    ranges: tuple[tuple[int, int], ...] = ()
    negated: bool = False

    def fits(self, character: int) -> bool:
        """True if this code point fits."""
        return any(low <= character <= high for low, high in self.ranges) != self.negated


ANY = Step(negated=True)
STAR = Step(star=True)
Pattern = tuple[Step, ...]


def is_pattern(name: str) -> bool:
    """True if a name holds a sign of patterns."""
    return not SIGNS.isdisjoint(name)


def literal(name: str) -> Pattern:
    """The pattern only this name fits."""
    return tuple(_one(character) for character in name)


@lru_cache(maxsize=512)
def parse(written: str) -> Pattern | None:
    """The steps of a pattern; None if it holds what systems read in several ways, or is too long."""
    if len(written) > LONGEST:
        return None
    steps: list[Step] = []
    at = 0
    while at < len(written):
        character = written[at]
        at += 1
        if character == "[":
            bracket = _bracket(written, at)
            if bracket is None:
                return None
            step, at = bracket
            steps.append(step)
        elif character == "\\":
            if at == len(written):
                return None
            steps.append(_one(written[at]))
            at += 1
        elif character == "*":
            steps += [] if steps and steps[-1].star else [STAR]
        else:
            steps.append(ANY if character == "?" else _one(character))
    return tuple(steps)


def _one(character: str) -> Step:
    return Step(ranges=((ord(character), ord(character)),))


def _bracket(written: str, at: int) -> tuple[Step, int] | None:
    """What stands in brackets that open before `at`, and where they end; classes and escapes are not read."""
    negated = written[at : at + 1] in ("!", "^")
    first = at = at + negated
    ranges: list[tuple[int, int]] = []
    while at < len(written):
        character = written[at]
        if character == "]" and at > first:
            return Step(ranges=tuple(ranges), negated=negated), at + 1
        if character in "[\\/":
            return None
        high = character
        if written[at + 1 : at + 2] == "-" and written[at + 2 : at + 3] not in ("", "]"):
            high = written[at + 2]
            if high in "[\\/" or high < character:
                return None
        ranges.append((ord(character), ord(high)))
        at += 1 if high is character else 3
    return None


def matches(pattern: Pattern, name: str) -> bool:
    """True if a whole name fits."""
    return _compiled(pattern).fullmatch(name) is not None


@lru_cache(maxsize=512)
def _compiled(pattern: Pattern) -> re.Pattern[str]:
    """A regular expression that never goes back behind a star, so that its time stays small."""
    parts = [""]
    for step in pattern:
        if step.star:
            parts.append("")
        else:
            inner = "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in step.ranges)
            parts[-1] += f"[{'^' * step.negated}{inner}]" if inner else "."
    between = "".join(f"(?>.*?{part})" for part in parts[1:-1])
    end = f".*{parts[-1]}" if len(parts) > 1 else ""
    return re.compile(f"{parts[0]}{between}{end}", re.DOTALL)


def can_begin_with(pattern: Pattern, character: str) -> bool:
    """True if a name that fits may begin with this character."""
    for step in pattern:
        if step.star or step.fits(ord(character)):
            return True
        return False
    return False


@lru_cache(maxsize=2048)
def covers(wider: Pattern, narrower: Pattern) -> bool:
    """True if every name that fits the narrower pattern fits the wider one; False where that is not clear.

    Both are walked side by side as automata, over one character of every class they tell apart.
    """
    if wider == narrower or wider == (STAR,):
        return True
    alphabet = _alphabet(wider + narrower)
    start = (_closed(narrower, {0}), _closed(wider, {0}))
    seen, open_states = {start}, [start]
    while open_states:
        if len(seen) > MOST_STATES:
            return False
        inner, outer = open_states.pop()
        if len(narrower) in inner and len(wider) not in outer:
            return False
        for character in alphabet:
            following = _after(narrower, inner, character)
            state = (following, _after(wider, outer, character))
            if following and state not in seen:
                seen.add(state)
                open_states.append(state)
    return True


def _alphabet(steps: Pattern) -> list[int]:
    edges = {0}
    for step in steps:
        for low, high in step.ranges:
            edges |= {low, high + 1}
    return sorted(edges)


def _closed(pattern: Pattern, states: set[int]) -> frozenset[int]:
    return frozenset(later for state in states for later in _past_stars(pattern, state))


def _past_stars(pattern: Pattern, state: int) -> Iterator[int]:
    yield state
    while state < len(pattern) and pattern[state].star:
        state += 1
        yield state


def _after(pattern: Pattern, states: frozenset[int], character: int) -> frozenset[int]:
    moved = set()
    for state in states:
        if state < len(pattern):
            step = pattern[state]
            if step.star:
                moved.add(state)
            elif step.fits(character):
                moved.add(state + 1)
    return _closed(pattern, moved)
