"""Names made for machines, compared sign by sign: paths, files, serial numbers, versions, addresses. Pure."""

from __future__ import annotations

import re

from nodes.contractive.reading.asked import Asked

_IDENTIFIER = re.compile(
    r"""(?<![\w/.@-])(?:
    [\w.+-]+@[\w-]+(?:\.[\w-]+)+                          # an address of mail
    |https?://[^\s<>"'`()（），。]+
    |(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]+)*/?                 # a path from the root
    |[\w.-]{2,}(?:/[\w.-]+)+\.[A-Za-z]\w{0,5}              # one below a folder
    |\w[\w-]+\.(?:[a-z][a-z0-9]{0,4}|[A-Z]{2,4})(?![\w.])  # a file
    |[A-Za-z]\w*_\w+                                      # snake_case
    |v?\d+\.\d+\.\d+(?:[.\w-]*\w)?                         # a version, an address of a machine
    |(?=[A-Z0-9-]*\d)(?=[A-Z0-9-]*[A-Z])[A-Z0-9]+(?:-[A-Z0-9]+)+  # a serial number
    )(?![\w@])""",
    re.VERBOSE,
)
_BRACKETED = re.compile(r"[(（][^()（）]*[)）]")


def identifiers(answer: str, want: Asked) -> frozenset[str]:
    """The identifiers of an answer that its question does not hold, as they are written."""
    found = {match[0].rstrip(".,;:/") for match in _IDENTIFIER.finditer(_BRACKETED.sub(" ", answer))}
    return frozenset(one for one in found if one and one not in want.text)


def without_identifiers(answer: str) -> str:
    """An answer without its identifiers, and without what stands in brackets."""
    return _IDENTIFIER.sub(" ", _BRACKETED.sub(" ", answer))
