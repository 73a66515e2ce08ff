"""The stamp of a record of a log: the one at its head, or under a key that means its time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from nodes.tutor.proving.stamps import Stamp, Written, epoch_of, stamp_of, stamps_in

_LONGEST = 20_000
_TIME_KEYS = frozenset(("ts", "time", "timestamp", "@timestamp", "datetime", "asctime", "t", "@t"))
_KEYED = re.compile(r'(?<![\w@.-])"?(?P<key>@?[A-Za-z]+)"?[=](?P<quote>["\']?)')
_LEVELS = frozenset(
    "trace debug info information notice warn warning error err critical crit fatal severe alert emerg "
    "emergency panic exception d i w e f c".split()
)
_BRACKETED = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|<[^<>]*>")
# Names of machines, processes and loggers, which words of a sentence do not look like.
_NAME = re.compile(r"[\w.-]*[\d_.-][\w.-]*")
_ACCESS = re.compile(r"\S+ \S+ \S+ \[")
_SECONDS = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,30})?(?:[eE][+-]?[0-9]{1,2})?")
_COUNT = re.compile(r"\[?(?P<count>\d{9,19}(?:\.\d{1,12})?)\]?(?=[\s:,|]|$)")


class _Twice(ValueError):
    """A key stands twice in one object."""


def stamp_of_record(line: str) -> Stamp | None:
    """When the record in a line says it was written; None if it doesn't say so, or says two things."""
    if len(line) > _LONGEST:
        return None
    text = line.strip()
    if text.startswith("{"):
        return _of_object(text)
    said = [one.stamp for one in _said(text)]
    if not said or any(stamp != said[0] for stamp in said):
        return None
    return said[0]


def _of_object(text: str) -> Stamp | None:
    try:
        record = json.loads(text, object_pairs_hook=_once, parse_float=_Decimal)
    except (ValueError, RecursionError):
        return None
    stamps = [
        _of_value(value)
        for key, value in record.items()
        if key.lower() in _TIME_KEYS and not _is_duration(value)
    ]
    return stamps[0] if stamps and all(stamp == stamps[0] for stamp in stamps) else None


def _is_duration(value: object) -> bool:
    """True if nothing in it could be a point in time, whatever its key says."""
    return _of_value(value) is None and not (isinstance(value, str) and stamps_in(value))


class _Decimal(str):
    """A number with a point, as written: a float would round it."""


def _of_value(value: object) -> Stamp | None:
    return epoch_of(value) if isinstance(value, _Decimal) else stamp_of(value)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise _Twice
    return record


def _said(text: str) -> Iterator[Written]:
    """What a record of plain text says of its own time: at its head, and under each key of time."""
    found = stamps_in(text)
    if found and _is_head(text[: found[0].start]):
        yield found[0]
    elif not found or found[0].start > 0:
        count = _COUNT.match(text)
        if count:
            yield Written(0, count.end(), epoch_of(count["count"]))
    at_start = {one.start: one for one in found}
    for keyed in _KEYED.finditer(text):
        if keyed["key"].lower() not in _TIME_KEYS or _is_quoted(text, keyed.start()):
            continue
        if keyed.end() in at_start:
            yield at_start[keyed.end()]
        else:
            word = re.split(r"[\s\"',;]", text[keyed.end() :], maxsplit=1)[0]
            count_since = epoch_of(word)
            if count_since is not None:
                yield Written(keyed.end(), keyed.end() + len(word), count_since)


def _is_quoted(text: str, at: int) -> bool:
    return text.count('"', 0, at) % 2 == 1


def _is_head(before: str) -> bool:
    """True if nothing but levels, names and brackets stands before a stamp."""
    if _ACCESS.fullmatch(before):
        return True
    words = _BRACKETED.sub(" ", before).replace("|", " ").split()
    bare = [word.strip("[](){}<>:,;-\"'") for word in words]
    return len(bare) <= 4 and all(
        not word or word.lower() in _LEVELS or ("=" not in word and _NAME.fullmatch(word)) for word in bare
    )


def seconds_of(value: object) -> Fraction | None:
    """A number of seconds as JSON has it, exactly; None for everything else."""
    if isinstance(value, _Decimal):
        return Fraction(value) if _SECONDS.fullmatch(value) else None
    return Fraction(value) if isinstance(value, int) and not isinstance(value, bool) else None


def flat_object(text: str) -> dict[str, Any] | None:
    """A JSON object without a key twice, numbers with a point as `seconds_of` reads them; else None."""
    try:
        read = json.loads(text, object_pairs_hook=_once, parse_float=_Decimal)
    except (ValueError, RecursionError):
        return None
    return read if isinstance(read, dict) else None
