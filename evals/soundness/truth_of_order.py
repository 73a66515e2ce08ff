"""Which of two logged lines is earlier."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Literal

from evals.soundness.tree import Tree

ISO = re.compile(
    r"(\d{4})[-/](\d\d)[-/](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,6})\d*)? ?(Z|UTC|[+-]\d\d:?\d\d)?"
)
APACHE = re.compile(r"(\d\d)/(\w{3})/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-]\d{4})")
EPOCH = re.compile(r'"ts": (\d{10})(?:\.(\d{1,6}))?[,}]')
MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
CORRECTED = "corrected by "


def ordered(claim: Mapping[str, Any], tree: Tree) -> Literal["before", "after"] | None:
    """How the subject's stamp stands to the other; None if they are equal or cannot be compared."""
    subject, value, scope = claim["subject"], claim["value"], claim.get("scope")
    first, first_log = _stamped(subject, tree)
    second, second_log = _stamped(value, tree)
    if first is None or second is None:
        return None
    if scope is not None:
        ahead = json.loads(tree.files[scope.removeprefix(CORRECTED)])
        first -= timedelta(seconds=ahead[first_log]) if first_log else timedelta()
        second -= timedelta(seconds=ahead[second_log]) if second_log else timedelta()
    if (first.tzinfo is None) != (second.tzinfo is None):
        return None
    if first.tzinfo is None and second_log and first_log != second_log and scope is None:
        return None
    if first == second:
        return None
    return "before" if first < second else "after"


def _stamped(place: str, tree: Tree) -> tuple[datetime | None, str]:
    """The stamp of `path:line`, and its log; of a written timestamp, itself and no log."""
    path, _, number = place.rpartition(":")
    if tree.text(path) is None or not number.isdigit():
        return stamp(place), ""
    lines = tree.lines(path)
    return (stamp(lines[int(number) - 1]) if 0 < int(number) <= len(lines) else None), path


def stamp(line: str) -> datetime | None:
    """The first stamp of a line: an instant if it has a zone."""
    epoch = EPOCH.search(line)
    if epoch:
        return datetime.fromtimestamp(int(epoch[1]), UTC) + timedelta(microseconds=_micro(epoch[2]))
    apache = APACHE.search(line)
    iso = ISO.search(line)
    if apache and (iso is None or apache.start() < iso.start()):
        day, month, year, hour, minute, second, zone = apache.groups()
        date = datetime(int(year), MONTHS.index(month) + 1, int(day), int(hour), int(minute), int(second))
        return date.replace(tzinfo=_zone(zone))
    if iso is None:
        return None
    *parts, fraction, zone = iso.groups()
    year, month, day, hour, minute, second = map(int, parts)
    date = datetime(year, month, day, hour, minute, second, _micro(fraction))
    return date.replace(tzinfo=_zone(zone)) if zone else date


def _micro(digits: str | None) -> int:
    return int((digits or "").ljust(6, "0"))


def _zone(written: str) -> timezone:
    if written in ("Z", "UTC"):
        return UTC
    sign = -1 if written[0] == "-" else 1
    hours, minutes = int(written[1:3]), int(written[-2:])
    return timezone(sign * timedelta(hours=hours, minutes=minutes))
