"""Whether facts can all be so at once."""

from __future__ import annotations

from nodes.errors import Contradiction
from nodes.tutor.facts import Lines, Matches, MeasureUnit
from nodes.tutor.proving.contents import Content, lines_of
from nodes.tutor.proving.searching import Weighed, wanted_by
from nodes.tutor.proving.world import World

UNITS: tuple[MeasureUnit, ...] = ("lines", "words", "bytes")


def check(world: World) -> None:
    """Compare what is known of every file in several ways.

    Raises:
        Contradiction: two facts cannot both be so.
    """
    for path in world.paths_with_content:
        kind = world.kind(path)
        if kind is not None and kind.value in ("absent", "directory", "other"):
            raise Contradiction(f"{path} was read, and seen as {kind.value}.")
    for path in world.paths_seen_twice:
        _check_content(path, world.content(path))
    _check_names(world)


def _check_content(path: str, content: Content) -> None:
    for unit in UNITS:
        content.measure(unit)
    digest, text = content.digest, content.text
    if digest is not None and text is not None and Content.of_text(text.value).hashed != digest.value:
        raise Contradiction(f"{path} has another digest than its text.")
    if text is not None:
        lines = lines_of(text.value)
        for fact, _ in content.facts:
            if isinstance(fact, Matches) and not _agree(fact, lines):
                raise Contradiction(f"A search of {path} showed other lines than its text has.")
            if isinstance(fact, Lines) and not (_are_part(fact, lines) and _ends_so(fact, text.value)):
                raise Contradiction(f"Other lines of {path} were seen than its text has.")
    elif content.numbered and content.line_count.most is not None:
        if max(content.numbered) > content.line_count.most.value:
            raise Contradiction(f"{path} was seen with more lines than it has.")


def _ends_so(fact: Lines, text: str) -> bool:
    return not fact.lines or fact.terminated in (None, text.endswith("\n"))


def _are_part(fact: Lines, lines: list[str]) -> bool:
    if fact.first is None:
        last = lines[len(lines) - len(fact.lines) :]
        return not fact.ends or not fact.lines or last == list(fact.lines)
    start, end = fact.first - 1, fact.first - 1 + len(fact.lines)
    return lines[start:end] == list(fact.lines) and not (fact.ends and fact.lines and end != len(lines))


def _agree(fact: Matches, lines: list[str]) -> bool:
    for match in fact.lines or ():
        if not 0 < match.number <= len(lines) or lines[match.number - 1] != match.text:
            return False
    wanted = wanted_by(fact)
    # What is a word, and what is a capital letter, the tool's locale says for all but ASCII.
    if wanted is None or wanted.ignore_case or (fact.word and not all(map(str.isascii, lines))):
        return True
    held = Weighed(wanted).of_all(lines)[0]
    return fact.count == (len(lines) - held if fact.inverted else held)


def _check_names(world: World) -> None:
    """Nothing stands below what is absent or a file."""
    for above, path in world.occupied.items():
        kind = world.kind(above)
        if kind is not None and kind.value in ("absent", "file", "other"):
            raise Contradiction(f"{path} was seen, and {above} as {kind.value}.")
    for top in (*world.searches, *world.text_searches):
        kind = world.kind(top)
        if kind is not None and kind.value not in ("directory", "link"):
            raise Contradiction(f"{top} was searched as a directory, and seen as {kind.value}.")
