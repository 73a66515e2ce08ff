"""Changed between: a file, a line, or a value of a configuration, in an old version and a new one."""

from __future__ import annotations

from typing import NamedTuple

from nodes.tutor.claims import Claim
from nodes.tutor.proving import paths, values
from nodes.tutor.proving.equality import prove_equals
from nodes.tutor.proving.line_changes import Changes, Replaced, changes_between, changes_of
from nodes.tutor.proving.places import below
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated


def prove_changed_between(claim: Claim, world: World) -> Verdict:
    """What the subject was in the first of the scope's two versions, and is in the second."""
    if not isinstance(claim.scope, tuple):
        return undecidable("The scope has to name the old version and the new one.")
    old, new = (paths.normal(version) for version in claim.scope)
    if old is None or new is None or old == new:
        return undecidable("The scope has to name two versions in the sandbox.")
    if claim.unit == "file" and isinstance(claim.value, bool):
        return _file(claim.subject, claim.value, old, new, world)
    pair = claim.value if isinstance(claim.value, list) and len(claim.value) == 2 else None
    if claim.unit == "line" and pair is not None:
        return _line(claim.subject, pair, old, new, world)
    if claim.unit == "value" and pair is not None:
        return _value(claim.subject, pair, old, new, world)
    return undecidable("The value has to be true or false for a file, and [old, new] for a line or a value.")


def _both(subject: str, old: str, new: str) -> tuple[str, str] | None:
    inside = paths.normal(subject)
    return None if inside is None else (below(old, inside), below(new, inside))


def _file(subject: str, changed: bool, old: str, new: str, world: World) -> Verdict:
    versions = _both(subject, old, new)
    if versions is None or any(world.is_file(path) is None for path in versions):
        return undecidable(f"Both versions of {subject} would have to be seen or compared.")
    same = prove_equals(Claim(predicate="equals", subject=versions[0], value=versions[1], unit="file"), world)
    if same.status == "undecidable":
        return same
    if (same.status == "refuted") is changed:
        return validated("The two versions were compared.", same.used)
    return refuted(f"The two versions {'differ' if same.status == 'refuted' else 'are the same'}.", same.used)


def _line(subject: str, pair: list[object], old: str, new: str, world: World) -> Verdict:
    versions = _both(subject, old, new)
    differences = _differences(*versions, world) if versions is not None else None
    if differences is None:
        return undecidable(f"Both versions of {subject} would have to be seen, or a `diff` of them.")
    one, other = pair
    if not all(line is None or (isinstance(line, str) and "\n" not in line) for line in pair) or pair == [
        None,
        None,
    ]:
        return undecidable("The value has to be the old line and the new one.")
    changes, used = differences.changes, differences.used
    claimed = Replaced(one, other)  # type: ignore[arg-type]
    if changes is not None and claimed in changes.certain and one != other:
        return validated("The line was replaced by the other.", used)
    gone = one is not None and one not in differences.before
    new_ = other is not None and other not in differences.after
    if one == other or gone or new_ or (changes is not None and changes.complete):
        return refuted("The one line was not replaced by the other.", used)
    return undecidable("The versions differ in a way in which it is open which line became which.")


class _Differences(NamedTuple):
    """What is known of two versions of a file.

    Attributes:
        changes: what became of the lines; None if they are too many to compare.
        before, after: lines that may have been replaced, and that may have taken a place: no others.
        used: observations that show it.
    """

    changes: Changes | None
    before: frozenset[str]
    after: frozenset[str]
    used: frozenset[str]


def _differences(old: str, new: str, world: World) -> _Differences | None:
    """From both versions, or from what a comparison showed of them; None if neither is known."""
    before, after = world.lines_text(old), world.lines_text(new)
    if before is not None and after is not None:
        changes = changes_between(before.value, after.value)
        lines = [frozenset(text.value.split("\n")) for text in (before, after)]
        return _Differences(changes, lines[0], lines[1], before.used | after.used)
    shown = world.hunks(old, new)
    if shown is None:
        return None
    return _Differences(
        changes_of((hunk.old, hunk.new) for hunk in shown.value),
        frozenset(line for hunk in shown.value for line in hunk.old),
        frozenset(line for hunk in shown.value for line in hunk.new),
        shown.used,
    )


def _value(subject: str, pair: list[object], old: str, new: str, world: World) -> Verdict:
    found = []
    for version, claimed in zip((old, new), pair, strict=True):
        hit = values.find(world, version, subject)
        if isinstance(hit, str):
            return undecidable(hit)
        same = values.equal(claimed, hit.value.value)
        if same is False:
            return refuted(f"{version} sets {subject} to another value.", hit.used)
        if same is None:
            return undecidable(f"The value of {subject} in {version} is of a kind that claims cannot state.")
        found.append(hit)
    if values.equal(pair[0], pair[1]):
        return refuted("The value is the same in both.", found[0].used | found[1].used)
    return validated("Both values are as claimed.", found[0].used | found[1].used)
