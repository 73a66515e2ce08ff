"""The options of xargs that only say how names are read and how many go to one run of the tool.

Unlike xargs, names are separated by newlines, so that one with a blank stays whole; and nothing runs when
there are none, as with `-r`.
"""

from __future__ import annotations

from collections.abc import Sequence

from tools.arguments import Stage
from tools.policy.vectors import refuse

LONG = {
    "null": "0",
    "no-run-if-empty": "r",
    "max-args": "n",
    "max-lines": "L",
    "replace": "I",
    "delimiter": "d",
}
VALUED = "nLId"
NEWLINE = ("\n", "\\n")


def xargs_stage(argv: Sequence[str]) -> Stage:
    """The stage that `xargs ARGV` stands for.

    Raises:
        CommandRefused: another option, a wrong value, or no tool.
    """
    words = list(argv)
    given: dict[str, str] = {}
    while words and words[0].startswith("-") and words[0] != "-":
        word = words.pop(0)
        if word == "--":
            break
        _read(word, words, given)
    if not words:
        raise refuse("xargs", "it names no tool", "Name the tool that reads the files.")
    placeholder = given.get("I")
    if placeholder is not None and placeholder in words[0]:
        raise refuse(f"xargs {words[0]}", "the tool cannot come from the input", "Name the tool.")
    return Stage(
        tool=words[0],
        argv=words[1:],
        from_input=True,
        null_separated="0" in given,
        per_run=_number(given),
        placeholder=placeholder,
    )


def _read(word: str, rest: list[str], given: dict[str, str]) -> None:
    name, has_value, value = word[2:].partition("=")
    letters = LONG.get(name, "?") + value if word.startswith("--") else word[1:]
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter in "0r" and not (has_value and word.startswith("--")):
            given[letter] = ""
            continue
        if letter not in VALUED:
            raise refuse(
                f"xargs {word}", "only -0, -r, -n, -L, -I and -d '\\n' are understood", "Leave it out."
            )
        if not letters and not rest:
            raise refuse(f"xargs {word}", "the value is missing", "Give one.")
        given[letter], letters = letters or rest.pop(0), ""
    if given.get("d", "\n") not in NEWLINE:
        raise refuse(f"xargs {word}", "names are separated by newlines, or NUL with -0", "Leave it out.")


def _number(given: dict[str, str]) -> int | None:
    number = given.get("n", given.get("L"))
    if number is None:
        return None
    if "I" in given or ("n" in given and "L" in given):
        raise refuse("xargs", "only one of -n, -L and -I may be given", "Keep the one you need.")
    if not number.isascii() or not number.isdigit() or not 0 < int(number) <= 4000:
        raise refuse(f"xargs -n {number}", "the value is not accepted", "Use a number from 1 to 4000.")
    return int(number)
