"""How often a text stands in one file, from whatever is known of its content. Pure."""

from __future__ import annotations

from nodes.tutor.facts import Matches
from nodes.tutor.proving.contents import Content, lines_of
from nodes.tutor.proving.known import NONE, UNKNOWN, Bounds, at_least, at_most, between, exactly
from nodes.tutor.proving.searching import Weighed, implies, wanted_by


def bounds_of_text(content: Content, weighed: Weighed) -> Bounds:
    """Lines that hold a text, or places where it stands."""
    lines = content.whole_lines
    if content.text is not None:
        least, most = weighed.of_text(content.text.value, lines_of(content.text.value))
        return between(least, most, content.text.used)
    if weighed.spans_lines:
        return UNKNOWN
    if lines is not None:
        return between(*weighed.of_all(lines.value), lines.used)
    bounds = _in_known_lines(content, weighed)
    for fact, used in content.facts:
        if isinstance(fact, Matches):
            bounds = bounds.both(_by_search(content, fact, used, weighed))
    return bounds


def _in_known_lines(content: Content, weighed: Weighed) -> Bounds:
    """From the lines seen, and how many were not."""
    least = most = 0
    used: frozenset[str] = NONE
    for line in content.numbered.values():
        low, high = weighed.of(line.value)
        least, most = least + low, most + high
        used = used | line.used if low else used
    bounds = at_least(least, used)
    for unplaced, name in content.unplaced:
        bounds = bounds.both(at_least(weighed.of_all(unplaced.lines)[0], name))
    limit = content.line_count.most
    if limit is not None and weighed.counted == "matching lines":
        seen = limit.used.union(*(line.used for line in content.numbered.values()))
        bounds = bounds.both(at_most(most + limit.value - len(content.numbered), seen))
    return bounds


def _by_search(content: Content, fact: Matches, used: frozenset[str], weighed: Weighed) -> Bounds:
    """From the lines that a search of this file selected, or from those it left out."""
    wanted = wanted_by(fact)
    if wanted is None:
        return UNKNOWN
    wider, narrower = implies(weighed.wanted, wanted), implies(wanted, weighed.wanted)
    if wider and fact.lines is not None and not fact.inverted:
        return between(*weighed.of_all([match.text for match in fact.lines]), used)
    selected = exactly(fact.count, used)
    if fact.inverted:
        selected = content.line_count.shifted(-fact.count).because(used)
    bounds = by_count(selected, weighed) if wider else UNKNOWN
    return bounds.both(at_least(selected.least.value, selected.least.used)) if narrower else bounds


def by_count(selected: Bounds, weighed: Weighed) -> Bounds:
    """The upper end that follows from the number of lines a wider search selected."""
    if selected.most is None:
        return UNKNOWN
    if weighed.counted == "matching lines" or selected.most.value == 0:
        return at_most(selected.most.value, selected.most.used)
    return UNKNOWN
