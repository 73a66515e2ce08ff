"""A small program that reads its configuration and fails on one value of it, and what it logged."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nodes.tutor.games.vocabulary import functions, names

READERS: Mapping[str, tuple[str, ...]] = {
    ".json": (
        "import json",
        "",
        'with open("{}", encoding="utf-8") as file:',
        "    settings = json.load(file)",
    ),
    ".yaml": (
        "import yaml",
        "",
        'with open("{}", encoding="utf-8") as file:',
        "    settings = yaml.safe_load(file)",
    ),
    ".toml": ("import tomllib", "", 'with open("{}", "rb") as file:', "    settings = tomllib.load(file)"),
    ".ini": ("import configparser", "", "settings = configparser.ConfigParser()", 'settings.read("{}")'),
}
"""How a source reads its configuration, by the end of the file's name."""
LEVELS = ("debug", "info", "warning", "error", "silent", "verbose")


@dataclass(frozen=True)
class Failure:
    """A value that makes a line of source fail.

    Attributes:
        value: configured.
        expression: of the source that fails on it, with a slot for what reads the key.
        error: last line of the traceback.
        before: lines of the source that have to stand above.
    """

    value: object
    expression: str
    error: str
    before: tuple[str, ...] = ()


@dataclass(frozen=True)
class Program:
    """Sources, and the frames of the traceback they end in.

    Attributes:
        files: by path.
        frames: path, line, function and source text of each, the last one that failed.
    """

    files: Mapping[str, str]
    frames: Sequence[tuple[str, int, str, str]]


def failure(rng: random.Random, suffix: str) -> Failure:
    """One of four ways to fail; INI files hold texts only."""
    kind = rng.choice(("int", "float", "zero", "lookup"))
    if kind == "int":
        value = rng.choice(
            (f"{rng.randint(2, 99)}x", f"1e{rng.randint(2, 6)}", f"{rng.randint(2, 99)}.5", "many")
        )
        return Failure(value, "int({})", f"ValueError: invalid literal for int() with base 10: {value!r}")
    if kind == "float":
        value = rng.choice((f"0,{rng.randint(1, 9)}", f"{rng.randint(2, 99)} m", "half"))
        return Failure(value, "float({})", f"ValueError: could not convert string to float: {value!r}")
    if kind == "zero":
        divisor = "int({})" if suffix == ".ini" else "{}"
        return Failure(0, f"{rng.randint(2, 90) * 10} / {divisor}", "ZeroDivisionError: division by zero")
    known = rng.sample(LEVELS, 4)
    table = ", ".join(f'"{level}": {rng.randint(1, 90)}' for level in known[:3])
    value = rng.choice((known[3], known[0].upper(), f"{known[1]}s"))
    return Failure(value, "LEVELS[{}]", f"KeyError: {value!r}", (f"LEVELS = {{{table}}}", ""))


def program(
    rng: random.Random, folder: str, modules: Sequence[str], config: str, key: tuple[str, str], fails: Failure
) -> Program:
    """Three sources: a script calls the first module, that one the second, and it fails on the key.

    Args:
        rng: what the rest is drawn from.
        folder: package of the modules.
        modules: names of the two.
        config: path of the configuration file.
        key: section and key.
        fails: how.
    """
    caller, reader = modules
    start, ask, answer = functions(rng, 3)
    suffix = config[config.rindex(".") :]
    reads = f'settings["{key[0]}"]["{key[1]}"]'
    failing = f"    return {fails.expression.format(reads)}"
    sources = {
        "main.py": [f"from {folder} import {caller}", "", f"{caller}.{start}()"],
        f"{folder}/{caller}.py": [
            *_heading(rng, f"from {folder} import {reader}"),
            f"def {start}():",
            f"    amount = {reader}.{ask}()",
            "    return amount",
        ],
        f"{folder}/{reader}.py": [
            *_heading(rng, *(line.format(config) for line in READERS[suffix])),
            *fails.before,
            f"def {answer}(value):",
            f"    return value * {rng.randint(2, 9)}",
            "",
            "",
            f"def {ask}():",
            failing,
        ],
    }
    failed = (
        ("main.py", "<module>", -1),
        (f"{folder}/{caller}.py", start, -2),
        (f"{folder}/{reader}.py", ask, -1),
    )
    frames = [
        (path, len(sources[path]) + at + 1, name, sources[path][at].strip()) for path, name, at in failed
    ]
    return Program({path: "\n".join(lines) + "\n" for path, lines in sources.items()}, frames)


def traceback_lines(frames: Sequence[tuple[str, int, str, str]], error: str) -> list[str]:
    """As Python prints it, without marks below the source lines."""
    lines = ["Traceback (most recent call last):"]
    for path, number, name, text in frames:
        lines += [f'  File "{path}", line {number}, in {name}', f"    {text}"]
    return [*lines, error]


def _heading(rng: random.Random, *lines: str) -> list[str]:
    remarks = [f"# {' '.join(names(rng, 3))}" for _ in range(rng.randint(0, 3))]
    return [f'"""{" ".join(names(rng, 3))}."""', "", *lines, "", *remarks, ""]
