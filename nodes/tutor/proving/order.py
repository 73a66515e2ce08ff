"""Before and after: the stamps of two records, of two clocks if need be."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from nodes.tutor.claims import Claim
from nodes.tutor.proving import paths
from nodes.tutor.proving.places import Place, below, place_of
from nodes.tutor.proving.records import flat_object, seconds_of, stamp_of_record
from nodes.tutor.proving.stamps import Stamp, stamp_of
from nodes.tutor.proving.world import World
from nodes.tutor.verdicts import Verdict, refuted, undecidable, validated

_CORRECTED = "corrected by "


class _Unknown(Exception):
    """What would have to be seen, for the player."""


@dataclass(frozen=True)
class _Side:
    """One side of a comparison; `path` is None for a stamp the claim itself writes."""

    stamp: Stamp
    path: str | None
    used: frozenset[str]


def prove_before(claim: Claim, world: World) -> Verdict:
    """The subject's record was written before the value's; equal stamps are not before each other."""
    return _judged(claim, world, later=False)


def prove_after(claim: Claim, world: World) -> Verdict:
    """The subject's record was written after the value's."""
    return _judged(claim, world, later=True)


def _judged(claim: Claim, world: World, later: bool) -> Verdict:
    try:
        subject, value, clocks = _sides(claim, world)
    except _Unknown as missing:
        return undecidable(str(missing))
    one, other = (value, subject) if later else (subject, value)
    apart = subject.path is not None and value.path is not None and subject.path != value.path
    if apart and clocks is None and not (one.stamp.zoned and other.stamp.zoned):
        return undecidable("Stamps without a zone can be compared within one file only.")
    holds = one.stamp.before(other.stamp)
    if holds is None:
        return undecidable("One stamp has a zone or a year that the other has not: which is first is open.")
    used = subject.used | value.used | (clocks or frozenset())
    return validated("The stamps say so.", used) if holds else refuted("The stamps do not say so.", used)


def _sides(claim: Claim, world: World) -> tuple[_Side, _Side, frozenset[str] | None]:
    place = place_of(claim.subject)
    if place is None:
        raise _Unknown("The subject has to be a line of a log, written path:line.")
    subject = _record(place, world)
    value = _value(claim.value, world)
    if claim.scope is None:
        return subject, value, None
    if not isinstance(claim.scope, str) or not claim.scope.startswith(_CORRECTED):
        raise _Unknown("The scope has to be empty, or `corrected by FILE`.")
    clocks = paths.normal(claim.scope.removeprefix(_CORRECTED).strip())
    known = world.lines_text(clocks) if clocks is not None else None
    if clocks is None or known is None:
        raise _Unknown(f"The whole of {clocks or 'the file of clocks'} would have to be seen.")
    ahead = flat_object(known.value)
    if ahead is None:
        raise _Unknown(f"{clocks} is no JSON object that tells each log once.")
    names = {posixpath.basename(path) for path in {subject.path, value.path} if path is not None}
    by_name = len(names) == len({subject.path, value.path} - {None})
    corrected = [_corrected(side, ahead, clocks, by_name) for side in (subject, value)]
    return corrected[0], corrected[1], known.used


def _record(place: Place, world: World) -> _Side:
    line = world.line(place.path, place.number)
    if line is None:
        raise _Unknown(f"Line {place.number} of {place.path} would have to be seen.")
    stamp = stamp_of_record(line.value)
    if stamp is None:
        raise _Unknown(f"Line {place.number} of {place.path} does not clearly tell its own time.")
    return _Side(stamp, place.path, line.used)


def _value(value: object, world: World) -> _Side:
    place, stamp = place_of(value), stamp_of(value)
    if stamp is None and place is not None:
        return _record(place, world)
    if stamp is None:
        raise _Unknown("The value has to be a line of a log, written path:line, or a stamp.")
    if place is not None and world.line(place.path, place.number) is not None:
        raise _Unknown("The value can be read as a stamp, and as a line of a file.")
    return _Side(stamp, None, frozenset())


def _corrected(side: _Side, ahead: Mapping[str, Any], clocks: str, by_name: bool) -> _Side:
    if side.path is None:
        return side
    seconds = _ahead(side.path, ahead, clocks, by_name)
    if seconds is None:
        raise _Unknown(f"{clocks} does not clearly tell how far the clock of {side.path} is ahead.")
    stamp = Stamp(side.stamp.seconds - seconds, side.stamp.zoned, side.stamp.dated)
    return _Side(stamp, side.path, side.used)


def _ahead(log: str, ahead: Mapping[str, Any], clocks: str, by_name: bool) -> Fraction | None:
    """Seconds the clock of a log is ahead: by its path, or by its name if that is one log's only."""
    name = posixpath.basename(log)
    beside = posixpath.dirname(clocks)
    exact = {key for key in ahead if log in (paths.normal(key), below(beside, key))}
    keys = exact or {key for key in ahead if key == name and by_name}
    return seconds_of(ahead[keys.pop()]) if len(keys) == 1 else None
