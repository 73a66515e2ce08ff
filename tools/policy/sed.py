"""The part of sed that only prints: addresses, p, d, q, =, s and y.

GNU sed's `--sandbox` refuses the commands that write, read other files or run programs; the scripts let
through here hold none of them anyway.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from tools.policy.options import Allowed, anything
from tools.policy.paths import check_path
from tools.policy.vectors import normalise, refuse

OPTIONS = Allowed(
    "nErsuz",
    {"e": anything},
    {
        **dict.fromkeys("quiet silent regexp-extended separate unbuffered null-data posix sandbox".split()),
        "expression": anything,
    },
    operands="texts",
)
TEXT = r"(?:\\[^\n]|[^\\/\n])*"
ADDRESS = rf"(?:\d+(?:~\d+)?|\$|/{TEXT}/I?)"
RANGE = rf"(?:{ADDRESS}(?:,(?:{ADDRESS}|[+~]\d+))?\s*!?\s*)?"
# The delimiter of s and y is one of these; between two of them it stands only behind a backslash.
SUBSTITUTE = "|".join(
    rf"s{sign}(?:\\[^\n]|[^\\\n{sign}])*{sign}(?:\\[^\n]|[^\\\n{sign}])*{sign}[gIip0-9]{{0,6}}"
    for sign in ("/", r"\|", ",", "#", ":", "@", "%", "_", "!")
)
TRANSLATE = rf"y/{TEXT}/{TEXT}/"
COMMAND = rf"{RANGE}(?:[pdq=G]|{SUBSTITUTE}|{TRANSLATE})"
SCRIPT = re.compile(rf"\s*{COMMAND}\s*(?:[;\n]\s*{COMMAND}\s*)*;?\s*")
MOST_CHARACTERS = 1000


def check_sed(root: Path, argv: Sequence[str]) -> list[str]:
    """The same vector, sandboxed, when its scripts only print.

    Raises:
        CommandRefused: an option or a command that writes, reads elsewhere or runs a program.
    """
    options, operands = normalise("sed", argv, OPTIONS)
    scripts = [_script(option) for option in options if option.startswith(("-e", "--expression="))]
    if not scripts:
        if not operands:
            raise refuse("sed", "the script is missing", "Give one, e.g. sed -n 5,10p FILE.")
        scripts, operands = operands[:1], operands[1:]
    for script in scripts:
        if len(script) > MOST_CHARACTERS or SCRIPT.fullmatch(script) is None:
            raise refuse(
                f"sed {script[:80]}",
                "only p, d, q, =, s/// and y/// are known here, each with an address at most",
                "Use sed -n 5,10p, s/OLD/NEW/g, or grep, head and tail.",
            )
    flags = [option for option in options if not option.startswith(("-e", "--expression="))]
    given = [word for script in scripts for word in ("-e", script)]
    paths = [check_path(root, operand) for operand in operands]
    return [
        "--sandbox",
        *(flag for flag in flags if flag != "--sandbox"),
        *given,
        *(["--", *paths] if paths else []),
    ]


def _script(option: str) -> str:
    return option.partition("=")[2] if option.startswith("--") else option[2:]
