"""Names made for machines, compared sign by sign: paths, files, serial numbers, versions, addresses. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from nodes.contractive.reading.asked import Asked
from nodes.contractive.reading.polarity import turned
from nodes.contractive.reading.verdicts import Verdict, different, same
from nodes.contractive.reading.wording import REMEMBERED, keys_of

_IDENTIFIER = re.compile(
    r"""(?<![\w/.@-])(?:
    [\w.+-]+@[\w-]+(?:\.[\w-]+)+                          # an address of mail
    |https?://[^\s<>"'`()（），。]+
    |(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]+)*/?                 # a path from the root
    |[\w.-]{2,}(?:/[\w.-]+)+\.[A-Za-z]\w{0,5}              # one below a folder
    |\w[\w-]+\.(?:[a-z][a-z0-9]{0,4}|[A-Z]{2,4})(?![\w.])  # a file
    |[A-Za-z]\w*_\w+                                      # snake_case
    |v?\d+\.\d+\.\d+(?:[.\w-]*\w)?                         # a version, an address of a machine
    |(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}        # a hash
    |(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)+  # a serial number
    )(?![\w@])""",
    re.VERBOSE,
)
_MOST_AROUND = 5
_VERSION = re.compile(r"^v(?=\d)")
_BRACKETED = re.compile(r"[(（][^()（）]*[)）]")


@lru_cache(maxsize=REMEMBERED)
def identifiers(answer: str, want: Asked) -> frozenset[str]:
    """The identifiers of an answer that its question does not hold, as they are written."""
    found = {match[0].rstrip(".,;:/") for match in _IDENTIFIER.finditer(_BRACKETED.sub(" ", answer))}
    return frozenset(_VERSION.sub("", one) for one in found if one and one not in want.text)


def without_identifiers(answer: str) -> str:
    """An answer without its identifiers, and without what stands in brackets."""
    return _IDENTIFIER.sub(" ", _BRACKETED.sub(" ", answer))


def by_identifier(want: Asked, one: str, other: str) -> Verdict | None:
    """Paths, files, serial numbers: one sign more or less is another thing."""
    if want.wanted in ("choice", "either", "yes_no", "order", "date", "year"):
        return None
    first, second = identifiers(one, want), identifiers(other, want)
    if len(first) != 1 or len(second) != 1:
        return None
    around = [set(keys_of(without_identifiers(answer))) - want.keys for answer in (one, other)]
    if max(map(len, around)) > _MOST_AROUND or turned(want, one, other):
        return None
    if first != second:
        return different("other identifiers", sure=not any(around))
    # With more around it, the two may say different things of it.
    return same("the same identifier") if not any(around) else None
