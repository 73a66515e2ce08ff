"""The prover of equals: whole files, single lines, two files, digests."""

from __future__ import annotations

from collections.abc import Sequence

from nodes.tutor.claims import Claim
from nodes.tutor.facts import MeasureUnit
from nodes.tutor.proving import listings, paths
from nodes.tutor.proving.contents import Content, lines_of
from nodes.tutor.proving.known import Known
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated

UNITS: Sequence[MeasureUnit] = ("lines", "bytes", "words")


def prove_equals(claim: Claim, world: World) -> Verdict:
    """A file or a line of it is a text, a file is the same as another, or has a digest."""
    path = paths.normal(claim.subject) or "."
    if claim.unit == "sha256":
        return _digest(world, path, claim.value.lower())
    if claim.unit == "file":
        return _files(world, path, paths.normal(claim.value) or ".")
    line = paths.numbered(claim.subject)
    if line is None:
        return _text(world, path, claim.value)
    if world.is_file(path) is None:
        return _line(world, *line, claim.value)
    if world.is_file(line[0]) is None:
        return _text(world, path, claim.value)
    verdicts = [_text(world, path, claim.value), _line(world, *line, claim.value)]
    if verdicts[0].status == verdicts[1].status:
        return Verdict(verdicts[0].status, verdicts[0].reason, verdicts[0].used | verdicts[1].used)
    return undecidable(f"It may be the file {path}, or a line of {line[0]}.")


def _told(same: bool, used: frozenset[str]) -> Verdict:
    return validated("They are the same.", used) if same else refuted("They are not the same.", used)


def _missing(world: World, path: str) -> Verdict | None:
    missing = listings.absence(world, path, "file")
    return refuted(f"There is no file {path}.", missing.used) if missing else None


def _digest(world: World, path: str, value: str) -> Verdict:
    known = _digest_of(world.content(path))
    if known is not None:
        return _told(known.value == value, known.used)
    return _missing(world, path) or undecidable(f"`sha256sum {path}` or the whole file would show it.")


def _digest_of(content: Content) -> Known[str] | None:
    if content.digest is not None or content.text is None or content.hashed is None:
        return content.digest
    return Known(content.hashed, content.text.used)


def _line(world: World, path: str, number: int, value: str) -> Verdict:
    content = world.content(path)
    known = content.line(number)
    if known is not None:
        return _told(known.value == value, known.used)
    most = content.line_count.most
    if most is not None and most.value < number:
        return refuted(f"{path} has fewer lines.", most.used)
    return _missing(world, path) or undecidable(f"`cat -n {path}` would show line {number}.")


def _text(world: World, path: str, value: str) -> Verdict:
    """A final line end is ignored on both sides, so the claim is about the text without it."""
    content = world.content(path)
    wanted = value.removesuffix("\n")
    lines = content.whole_lines
    if lines is not None:
        return _told("\n".join(lines.value) == wanted, lines.used)
    candidates = [text for text in (wanted, f"{wanted}\n") if text.removesuffix("\n") == wanted]
    if content.digest is not None:
        hashes = [Content.of_text(text).hashed for text in candidates]
        return _told(content.digest.value in hashes, content.digest.used)
    verdict = _other_size(content, candidates) or _other_line(content, wanted)
    return verdict or _missing(world, path) or undecidable(f"`cat {path}` would show it.")


def _other_size(content: Content, candidates: Sequence[str]) -> Verdict | None:
    """What is refuted by the sizes that are known."""
    for unit in UNITS:
        bounds = content.measure(unit)
        sizes = [Content.of_text(text).measure(unit) for text in candidates]
        most = bounds.most
        if most is not None and all(size.least.value > most.value for size in sizes):
            return refuted(f"It has other {unit}.", most.used)
        if all(size.most is not None and size.most.value < bounds.least.value for size in sizes):
            return refuted(f"It has other {unit}.", bounds.least.used)
    return None


def _other_line(content: Content, wanted: str) -> Verdict | None:
    """What is refuted by a line that is known."""
    lines = lines_of(f"{wanted}\n")
    for number, line in content.numbered.items():
        if number > len(lines) or lines[number - 1] != line.value:
            return refuted(f"Line {number} is another.", line.used)
    return None


def _files(world: World, one: str, other: str) -> Verdict:
    first, second = world.content(one), world.content(other)
    if one == other or other in dict(world.same_as(one)):
        used = world.is_file(one) if one == other else Known(None, dict(world.same_as(one))[other])
        if used is not None:
            return _told(True, used.used)
    differing = world.differing(one, other)
    if differing is not None:
        return _told(False, differing.used)
    if first.text is not None and second.text is not None:
        return _told(first.text.value == second.text.value, first.text.used | second.text.used)
    digests = _digest_of(first), _digest_of(second)
    if digests[0] is not None and digests[1] is not None:
        return _told(digests[0].value == digests[1].value, digests[0].used | digests[1].used)
    used_up = _apart(first, second)
    if used_up is not None:
        return _told(False, used_up)
    missing = _missing(world, one) or _missing(world, other)
    return missing or undecidable(f"`diff {one} {other}` would show it.")


def _apart(first: Content, second: Content) -> frozenset[str] | None:
    """Observations that show that two files differ: in a size, or in a line."""
    for unit in UNITS:
        sizes = first.measure(unit), second.measure(unit)
        for small, large in (sizes, sizes[::-1]):
            if small.most is not None and small.most.value < large.least.value:
                return small.most.used | large.least.used
    for number, known in _lines(first).items():
        other = second.line(number)
        if other is not None and other.value != known.value:
            return known.used | other.used
    return None


def _lines(content: Content) -> dict[int, Known[str]]:
    if content.whole_lines is None:
        return dict(content.numbered)
    whole = content.whole_lines
    return {number: Known(line, whole.used) for number, line in enumerate(whole.value, 1)}
