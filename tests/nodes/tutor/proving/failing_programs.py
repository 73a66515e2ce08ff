"""Small programs that read a configuration and fail for it, with the log of a real run of them."""

from __future__ import annotations

import json
import linecache
import os
import random
import re
import traceback
import types
from dataclasses import dataclass, field
from pathlib import Path

import yaml

SECTIONS = ["server", "database", "worker", "cache"]
KEYS = ["port", "timeout", "limit", "workers", "ratio", "level", "mode"]


@dataclass(frozen=True)
class Failing:
    """Something a program does with a value: fine with the good ones, not with the bad ones."""

    line: str
    bad: list[object]
    good: list[object]
    above: str = ""


CHECKED = """def check(number):
    if number < 1:
        raise ValueError(f'too small: {number}')
    return number"""
PORT = "class Port:\n    def __init__(self, text):\n        self.number = int(text)"
# Values are JSON; {v} is the expression that reads the key.
FAILURES = [
    Failing("result = int({v})", ["80a", "", "1.5", None, [1]], ["80", 8, 2.5]),
    Failing("result = float({v})", ["fast", None, {"a": 1}], ["1.5", 3]),
    Failing("result = 100 / {v}", [0, 0.0, "5"], [4, 0.5]),
    Failing("result = 7 // {v}", [0], [2]),
    Failing("result = 10 + {v}", ["3", None, [1]], [3, 1.5]),
    Failing("result = {v}.strip().lower()", [5, None, True], [" X "]),
    Failing('host, port = {v}.split(":")', ["local", "a:b:c"], ["a:1"]),
    Failing('result = {{"low": 1, "high": 2}}[{v}]', ["medium", "LOW", 3], ["low", "high"]),
    Failing("result = LEVELS[{v}]", ["loud", ""], ["quiet"], above='LEVELS = {"quiet": 1, "loudest": 2}'),
    Failing("result = [1, 2, 3][{v}]", [3, 10, "1"], [0, -1]),
    Failing("result = Mode({v})", ["fast", 1], ["slow"], above='class Mode(Enum):\n    SLOW = "slow"'),
    Failing("result = Mode[{v}]", ["slow"], ["SLOW"], above='class Mode(Enum):\n    SLOW = "slow"'),
    Failing('result = datetime.strptime({v}, "%Y-%m-%d")', ["01.05.2024", "2024-13-01"], ["2024-05-01"]),
    Failing("result = date.fromisoformat({v})", ["yesterday", "2024-02-30"], ["2024-05-01"]),
    Failing("result = Decimal({v})", ["ten"], ["10.5"]),
    Failing("result = len({v})", [5, None, True], ["abc", [1]]),
    Failing("result = sum({v})", [5, ["a"]], [[1, 2]]),
    Failing("result = [int(one) for one in {v}]", ["1x"], ["12"]),
    Failing('result = f"{{{v}:.2f}}"', ["x"], [1.5]),
    Failing("if {v} < 1:\n        raise ValueError('too small')", [0, -5], [1, 10]),
    Failing(
        'if not isinstance({v}, int):\n        raise TypeError(f"no number: {{{v}!r}}")', ["1", 2.5], [3]
    ),
    Failing(
        "if {v} not in ('a', 'b'):\n        raise ConfigError('unknown mode: ' + str({v}))", ["c", 1], ["a"]
    ),
    Failing("value = {v}\n    result = round(100 / value)", [0], [3]),
    Failing(
        "value = {v}\n    if value > 100 or value < 0:\n        raise RuntimeError('limit')", [101, -1], [5]
    ),
    Failing("result = list(range(0, 10, {v}))", [0, "2"], [2]),
    Failing("time.sleep({v})", [-1, "1"], [0]),
    Failing("result = math.sqrt({v})", [-4, "4"], [4]),
    Failing("print(name, int({v}), end='')", ["x"], ["1"], above="name = 'shop'"),
    Failing("result = check({v})", [0, -1], [1], above=CHECKED),
    Failing("result = Port({v}).number", ["x"], ["1"], above=PORT),
    Failing("assert {v} >= 2, 'at least two'", [1], [2]),
    Failing(
        "try:\n        result = int({v})\n    except ValueError as error:\n"
        "        raise ConfigError('bad') from error",
        ["x"],
        ["1"],
    ),
]
HEAD = """import configparser
import json
import math
import os
import time
import tomllib
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path

import yaml


class ConfigError(Exception):
    pass


"""


@dataclass
class Case:
    """A run: its files, the line of the log that tells the failure, and the one of the configuration."""

    files: dict[str, str]
    cause: str
    error: str
    others: list[int] = field(default_factory=list)


def written(kind: str, document: dict[str, object]) -> str:
    """A document as a file of a format; JSON is valid YAML as well, but people do not write it so."""
    if kind == "json":
        return json.dumps(document, indent=2) + "\n"
    if kind == "yaml":
        return str(yaml.safe_dump(document, sort_keys=False))
    lines: list[str] = []
    for section, keys in document.items():
        assert isinstance(keys, dict)
        lines += [f"[{section}]", *(f"{key} = {_toml(value, kind)}" for key, value in keys.items()), ""]
    return "\n".join(lines)


def _toml(value: object, kind: str) -> str:
    return str(value) if kind == "ini" else json.dumps(value)


def line_of(kind: str, text: str, section: str, key: str) -> int:
    """The line that sets a key of a section; the formats written here have one key a line."""
    inside = ""
    for number, line in enumerate(text.split("\n"), 1):
        first = re.match(r'[\s"\[]*(\w*)', line)
        word = first[1] if first else ""
        inside = word if word in SECTIONS else inside
        if inside == section and word == key:
            return number
    raise AssertionError((kind, text, section, key))


TEXTS = {"json": "json.loads", "yaml": "yaml.safe_load", "toml": "tomllib.loads"}
LOADS = {
    "json": "json.load({f})",
    "yaml": "yaml.safe_load({f})",
    "toml": "tomllib.load({f})",
}


def loading(rng: random.Random, kind: str, path: str) -> str:
    """How a program may open its configuration."""
    mode = ', "rb"' if kind == "toml" else ""
    directory, name = os.path.split(path)
    opened = rng.choice(
        [
            f'open("{path}"{mode})',
            f'open(Path("{directory}") / "{name}"{mode})',
            f'open(os.path.join("{directory}", "{name}"){mode})',
        ]
    )
    load = LOADS[kind]
    return rng.choice(
        [
            f"def load_config():\n    with {opened} as handle:\n        return {load.format(f='handle')}\n",
            f'def load_config():\n    return {TEXTS[kind]}(Path("{path}").read_text())\n',
            f'SOURCE = "{path}"\n\n\ndef load_config(path=SOURCE):\n    with open(path{mode}) as handle:\n'
            f"        cfg = {load.format(f='handle')}\n    return cfg\n",
        ]
    )


def generate(seed: int, directory: Path) -> Case:
    """One program that was run in a directory, and failed."""
    rng = random.Random(seed)
    kind = rng.choice(["json", "yaml", "toml", "ini"])
    failing = rng.choice(FAILURES)
    bad = rng.choice(
        [one for one in failing.bad if not isinstance(one, dict | None) or kind in ("json", "yaml")]
    )
    if kind == "ini":
        failing, bad = FAILURES[0], rng.choice(["80a", "1.5", "x"])
    document = _document(rng, kind)
    section, key = rng.choice([(one, other) for one in document for other in document[one]])
    document[section][key] = bad
    path = f"config/{rng.choice(['app', 'main', 'service'])}.{kind}"
    source = _source(rng, kind, path, failing, section, key)
    files = {"app/main.py": source, path: written(kind, document)}
    log = run(files, "app/main.py", directory, rng)
    files |= log
    number = line_of(kind, files[path], section, key)
    others = [one for one in range(1, files[path].count("\n") + 1) if one != number]
    error = _last(files["logs/app.log"])
    return Case(files, f"{path}:{number}", f"logs/app.log:{error}", others)


def _document(rng: random.Random, kind: str) -> dict[str, dict[str, object]]:
    values: list[object] = ["1", 2, "x"] if kind != "ini" else ["1", "2", "x"]
    return {
        section: {key: rng.choice(values) for key in rng.sample(KEYS, rng.randint(1, 4))}
        for section in rng.sample(SECTIONS, rng.randint(1, 3))
    }


def _source(rng: random.Random, kind: str, path: str, failing: Failing, section: str, key: str) -> str:
    load, body = (_of_parser if kind == "ini" else _of_mapping)(rng, kind, path, failing, (section, key))
    above = failing.above + "\n\n\n" if failing.above else ""
    start = f"def start(cfg):\n    {body}\n    return result\n"
    style = rng.randrange(3)
    if style == 0:
        return f"{HEAD}{above}{load}\n\n{start}\n\nstart(load_config())\n"
    if style == 1:
        main = "def main():\n    config = load_config()\n    start(config)\n\n\nmain()\n"
        return f"{HEAD}{above}{load}\n\n{start}\n\n{main}"
    own = body.replace("\n    ", "\n        ")
    service = "class Service:\n    def __init__(self, cfg):\n        self.cfg = cfg\n\n"
    service += f"    def start(self):\n        cfg = self.cfg\n        {own}\n\n\n"
    return f"{HEAD}{above}{load}\n\n{service}service = Service(load_config())\nservice.start()\n"


def _of_parser(
    rng: random.Random, kind: str, path: str, failing: Failing, where: tuple[str, str]
) -> tuple[str, str]:
    """How a program loads an INI file, and reads a key of it."""
    section, key = where
    load = f'    parser = configparser.ConfigParser()\n    parser.read("{path}")\n    return parser\n'
    read = rng.choice([f'cfg["{section}"]["{key}"]', f'cfg.get("{section}", "{key}")'])
    body = rng.choice([failing.line.format(v=read), f'result = cfg.getint("{section}", "{key}")'])
    return "def load_config():\n" + load, body


def _of_mapping(
    rng: random.Random, kind: str, path: str, failing: Failing, where: tuple[str, str]
) -> tuple[str, str]:
    """How a program loads another kind of file, and reads a key of it."""
    section, key = where
    reads = [
        f"cfg['{section}']['{key}']",
        f"cfg['{section}'].get('{key}')",
        f"cfg.get('{section}', {{}})['{key}']",
    ]
    body = failing.line.format(v=rng.choice(reads))
    if rng.random() < 0.3:
        body = f"section = cfg['{section}']\n    " + failing.line.format(v=f"section['{key}']")
    return loading(rng, kind, path), body


def run(files: dict[str, str], main: str, directory: Path, rng: random.Random) -> dict[str, str]:
    """Run a program of the test's own; the log it leaves, or an assertion that it did not fail."""
    for path, text in files.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text, encoding="utf-8")
    prefix = rng.choice(["", "/srv/shop/"])
    here, source = os.getcwd(), files[main]
    linecache.cache[prefix + main] = (len(source), None, source.splitlines(True), prefix + main)
    os.chdir(directory)
    try:
        exec(compile(source, prefix + main, "exec"), types.ModuleType("__main__").__dict__)
    except Exception as error:
        inside = error.__traceback__.tb_next if error.__traceback__ else None
        lines = traceback.format_exception(type(error), error, inside)
    else:
        raise AssertionError("it did not fail")
    finally:
        os.chdir(here)
    head = f"2024-05-01 10:00:0{rng.randrange(9)} INFO starting\n" * rng.randint(0, 2)
    # What the module is called here, is called __main__ when a program is started.
    told = "".join(lines).replace("builtins.", "").replace("__main__.", "")
    return {"logs/app.log": head + told + "2024-05-01 10:00:10 ERROR giving up\n"}


def _last(log: str) -> int:
    return len(log.rstrip("\n").split("\n")) - 1
