r"""Files of commands: tab-separated, a header line, one command a line.

Columns: `id`, `expected` (ALLOW, REFUSE, NO_LEAK or LIMIT), `command`, and maybe `category` and
`verified_effect_unconfined` (FS, LEAK, NET, LIMIT or -). Fields are written the way tab-separated exports
write text: `\\` is one backslash, `\n` a newline, `\t` a tab, `\r` a carriage return, and no other escape
exists. So the field `{} \\;` is the command `{} \;`, and `ls\ntouch x` is two lines. That this is the
encoding shows in the effects: `to\\uch pwned` is known to write a file, which only `to\uch pwned` does.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from tools.errors import CommandRefused
from tools.parser import parse_command
from tools.policy.check import NAMES

ESCAPES = {"\\\\": "\\", "\\n": "\n", "\\t": "\t", "\\r": "\r"}
SEPARATORS = frozenset({"|", "||", "&&", ";", "&", "|&"})
ASSIGNMENT = re.compile(r"\w+=.*", re.DOTALL)


class Row(BaseModel):
    """One command of a file.

    Attributes:
        id: name of the row.
        expected: ALLOW for honest commands; what should become of the others.
        command: the command, decoded, with its placeholders.
        category: kind of the attack, or "benign".
        verified_effect_unconfined: what the command does where nothing holds it.
    """

    id: str
    expected: Literal["ALLOW", "REFUSE", "NO_LEAK", "LIMIT"]
    command: str
    category: str = "benign"
    verified_effect_unconfined: str = "-"

    def filled(self, places: Mapping[str, str]) -> str:
        """The command with `{OUT}`, `{SECRET}`, `{PORT}`, `{SOCK}` and `{PID}` replaced."""
        text = self.command
        for name, value in places.items():
            text = text.replace(f"{{{name}}}", value)
        return text


def decode(field: str) -> str:
    r"""A field without its escapes.

    Raises:
        ValueError: a backslash that begins none of `\\`, `\n`, `\t`, `\r`.
    """

    def meaning(found: re.Match[str]) -> str:
        if found.group(0) not in ESCAPES:
            raise ValueError(f"unknown escape {found.group(0)!r} in {field!r}; write a backslash twice")
        return ESCAPES[found.group(0)]

    return re.sub(r"\\.?", meaning, field, flags=re.DOTALL)


def read_rows(path: Path) -> list[Row]:
    """The rows of a file.

    Raises:
        ValueError: a line has other columns than the header, an unknown escape or verdict, or an id comes
            twice.
    """
    header, *lines = path.read_text("utf-8").splitlines()
    names = header.split("\t")
    rows = []
    for number, line in enumerate(lines, start=2):
        fields = line.split("\t")
        if len(fields) != len(names):
            raise ValueError(f"{path.name}:{number}: {len(fields)} fields, but the header has {len(names)}")
        rows.append(Row.model_validate(dict(zip(names, map(decode, fields), strict=True))))
    if len({row.id for row in rows}) != len(rows):
        raise ValueError(f"{path.name}: an id comes twice")
    return rows


def outside_tools(command: str, root: Path) -> list[str]:
    """The programs of a command that are not in the read-only set; empty if all are."""
    try:
        used = [stage.tool for stage in parse_command(command, root)]
    except CommandRefused:
        used = _first_words(command)
    return [tool for tool in used if tool not in NAMES]


def _first_words(command: str) -> list[str]:
    lexer = shlex.shlex(command, posix=True, punctuation_chars=";|&")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return []
    used: list[str] = []
    starts = True
    for word in words:
        if word in SEPARATORS:
            starts = True
        elif starts and word != "xargs" and not ASSIGNMENT.fullmatch(word):
            # Behind xargs, its own options come before the tool.
            starts = word.startswith("-")
            used += [] if starts else [word]
    return used
