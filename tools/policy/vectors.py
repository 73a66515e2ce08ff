"""Argument vectors, read the way getopt_long reads them and written back in one unambiguous form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tools.errors import CommandRefused
from tools.policy.options import Allowed

MAX_ARGUMENTS = 5000
MAX_CHARACTERS = 100_000


def refuse(part: str, why: str, instead: str = "") -> CommandRefused:
    """A refusal that names the part, the reason and the alternative."""
    return CommandRefused(f"{part!r} is refused: {why}.", instead)


def check_size(tool: str, argv: Sequence[str]) -> None:
    """Refuse vectors no person would write.

    Raises:
        CommandRefused: too many or too long arguments, or a NUL byte.
    """
    if len(argv) > MAX_ARGUMENTS or sum(map(len, argv)) > MAX_CHARACTERS:
        raise refuse(
            tool, "it has too many or too long arguments", "Search a directory instead of naming every file."
        )
    for word in argv:
        if "\0" in word:
            raise refuse(tool, "an argument holds a NUL byte", "Leave it out.")


def normalise(tool: str, argv: Sequence[str], allowed: Allowed) -> tuple[list[str], list[str]]:
    """Split a vector into options and operands.

    Returns:
        Options, each with its value attached, and operands, in order.

    Raises:
        CommandRefused: an option is not allowed, ambiguous, or has a wrong value.
    """
    options: list[str] = []
    operands: list[str] = []
    words = list(argv)
    while words:
        word = words.pop(0)
        if word == "--":
            operands += words
            break
        if word.startswith("--"):
            options.append(_long(tool, word, words, allowed))
        elif word.startswith("-") and len(word) > 1:
            if allowed.counts and re.fullmatch(r"-[0-9]+", word):
                options.append(f"-{allowed.counted}{word[1:]}")
            else:
                options += _short(tool, word, words, allowed)
        else:
            operands.append(word)
    if len(operands) > allowed.most:
        raise refuse(
            operands[allowed.most],
            f"{tool} takes at most {allowed.most} operands here",
            "A further one could be written to.",
        )
    if len(operands) < allowed.least:
        raise refuse(tool, f"{tool} needs an operand here", "Name one, e.g. the root as `.`.")
    if allowed.operands == "format" and not all(operand.startswith("+") for operand in operands):
        raise refuse(operands[0], "it would set something", "Begin a format with +, as in +%F.")
    if allowed.operands == "none" and operands:
        raise refuse(operands[0], f"{tool} takes no operand", "Leave it out.")
    return options, operands


def _long(tool: str, word: str, rest: list[str], allowed: Allowed) -> str:
    name, has_value, value = word[2:].partition("=")
    known = {**allowed.long, **allowed.optional}
    shortened = [full for full in known if full.startswith(name)] if allowed.abbreviates else []
    candidates = [name] if name in known else shortened
    if len(candidates) != 1:
        why = (
            "it is not a read-only option of this tool"
            if not candidates
            else f"it may mean {' or '.join(candidates)}"
        )
        raise refuse(f"{tool} {word}", why, "Write a read-only option in full, or leave it out.")
    full = candidates[0]
    if full in allowed.optional:
        if has_value and not allowed.optional[full](value):
            raise refuse(f"{tool} {word}", "the value is not accepted", "Leave the value out.")
        return f"--{full}={value}" if has_value else f"--{full}"
    check = allowed.long[full]
    if check is None:
        if has_value:
            raise refuse(f"{tool} {word}", "the option takes no value", "Leave the value out.")
        return f"--{full}"
    if not has_value:
        if not rest:
            raise refuse(f"{tool} {word}", "the value is missing", "Give one.")
        value = rest.pop(0)
    if not check(value):
        raise refuse(f"{tool} --{full}={value}", "the value is not accepted", "Use a plain value.")
    return f"--{full}={value}"


def _short(tool: str, word: str, rest: list[str], allowed: Allowed) -> list[str]:
    options: list[str] = []
    letters = word[1:]
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter in allowed.flags:
            options.append(f"-{letter}")
            continue
        if letter in allowed.attached:
            if letters and not allowed.attached[letter](letters):
                raise refuse(f"{tool} {word}", "the value is not accepted", "Leave the value out.")
            options.append(f"-{letter}{letters}")
            break
        check = allowed.valued.get(letter)
        if check is None:
            raise refuse(f"{tool} -{letter}", "it is not a read-only option of this tool", "Leave it out.")
        if not letters and not rest:
            raise refuse(f"{tool} -{letter}", "the value is missing", "Give one.")
        value = letters or rest.pop(0)
        if not check(value):
            raise refuse(f"{tool} -{letter} {value}", "the value is not accepted", "Use a plain value.")
        # An empty value cannot be attached to a short option.
        options += [f"-{letter}{value}"] if value else [f"-{letter}", ""]
        letters = ""
    return options
