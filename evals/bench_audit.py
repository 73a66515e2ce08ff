"""`python -m evals.bench_audit`: how long each audit kernel takes over a generated tree of 200,000 lines.

The tree is the same for the same number of lines: packages of modules that import one another, with
functions put together from statements of many kinds, and one function in twenty a copy of another with
other names. Printed is JSON: for each kernel, seconds on the clock, processor seconds of this process and of
its workers, lines a second, and the ratio of those processor seconds to a plain `ast.parse` of all files in
this process, measured in the same run: on a machine that does other things, only ratios tell anything.
"""

from __future__ import annotations

import argparse
import ast
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from configs.audit import AuditSettings
from evals.report import machine_facts
from tools.audit.ast_scan import scan
from tools.audit.crew import Crew
from tools.audit.metrics import measure
from tools.audit.pipeline import audit_repository
from tools.audit.security import findings
from tools.audit.sources import sources

LINES = 200_000
TARGET_SECONDS = 60.0
FUNCTIONS_OF_A_MODULE = 12
MODULES_OF_A_PACKAGE = 20
COPIES = 0.05
NOUNS = (
    "account batch cache delta event field graph handle index job key limit member node order page".split()
)
VERBS = "add build check close drop expand find group hold join keep load merge note open pack".split()
T = TypeVar("T")


class Writer:
    """Writes modules, one like the other and none the same.

    Args:
        seed: of all choices.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._functions: list[str] = []

    def module(self, earlier: Sequence[str]) -> str:
        """Text of a module that imports some of those that were written before it."""
        wanted = self._random.sample(earlier, min(len(earlier), 4))
        lines = ['"""A module of a generated tree."""', "", "import json", "import os"]
        lines += [
            f"from {name.rpartition('.')[0]} import {name.rpartition('.')[2]}" for name in sorted(wanted)
        ]
        for number in range(FUNCTIONS_OF_A_MODULE):
            lines += ["", "", self._function(number)]
        return "\n".join([*lines, ""])

    def _function(self, number: int) -> str:
        if self._functions and self._random.random() < COPIES:
            names = dict(zip(NOUNS, self._random.sample(NOUNS, len(NOUNS)), strict=True))
            copied = self._random.choice(self._functions).split(" ")
            return " ".join(names.get(word, word) for word in copied)
        name = f"{self._random.choice(VERBS)}_{self._random.choice(NOUNS)}_{number}"
        parameters = ", ".join(self._random.sample(NOUNS, self._random.randint(1, 4)))
        body = [f'    """Do what is to be done, {number}."""', *self._block(1), f"    return {self._value()}"]
        self._functions.append("\n".join([f"def {name}({parameters}):", *body]))
        return self._functions[-1]

    def _block(self, depth: int) -> Iterator[str]:
        indent = "    " * depth
        yield indent + self._statement(0)
        for _ in range(self._random.randint(1, 4)):
            kind = self._random.randrange(8 if depth < 4 else 4)
            if kind < 4:
                yield indent + self._statement(kind)
                continue
            yield indent + self._head(kind)
            yield from self._block(depth + 1)
            if kind == 7:
                yield f"{indent}except ( ValueError , OSError ) as error:"
                yield f'{indent}    raise RuntimeError ( f"broken: {{ error }}" ) from error'
            elif kind == 4 and self._random.random() < 0.4:
                yield f"{indent}else:"
                yield indent + "    " + self._statement(0)

    def _statement(self, kind: int) -> str:
        noun, value = self._random.choice(NOUNS), self._value()
        return (
            f"{noun} = {value}",
            f"{noun} .append ( {value} )",
            f"{noun} [ {value} ] = [ key for key in {value} if {value} ]",
            f"# What {noun} is for.",
        )[kind]

    def _head(self, kind: int) -> str:
        noun = self._random.choice(NOUNS)
        return {
            4: f"if {self._value()} and not {self._value()}:",
            5: f"for {noun} in {self._value()}:",
            6: f"with open ( {self._value()} ) as {noun}:",
            7: "try:",
        }[kind]

    def _value(self) -> str:
        noun, verb = self._random.choice(NOUNS), self._random.choice(VERBS)
        return self._random.choice(
            (
                noun,
                f"{noun} .{verb} ( {self._random.choice(NOUNS)} )",
                f"{self._random.randrange(99)}",
                f'"{verb}"',
            )
        )


def written(root: Path, lines: int, seed: int = 7) -> int:
    """Write a tree of so many lines or a few more; gives how many."""
    writer, names, done = Writer(seed), list[str](), 0
    while done < lines:
        package, number = divmod(len(names), MODULES_OF_A_PACKAGE)
        directory = root / f"package{package:03}"
        directory.mkdir(exist_ok=True)
        (directory / "__init__.py").touch()
        text = writer.module(names[-60:])
        (directory / f"module{number:03}.py").write_text(text, "utf-8")
        names.append(f"package{package:03}.module{number:03}")
        done += text.count("\n")
    return done


class Clock:
    """Measures one thing after the other.

    Args:
        lines: that each looks at.
    """

    def __init__(self, lines: int) -> None:
        self._lines = lines
        self.kernels: dict[str, dict[str, float]] = {}

    def measured(self, name: str, work: Callable[[], T]) -> T:
        """Do it; a crew whose time counts is closed in it, as the time of workers is known at their end."""
        wall, processor = time.perf_counter(), _processor()
        result = work()
        wall, processor = time.perf_counter() - wall, _processor() - processor
        kernel = {"seconds": wall, "processor_seconds": processor, "lines_a_second": self._lines / wall}
        if self.kernels:
            kernel["ratio_to_parse"] = processor / self.kernels["parse"]["processor_seconds"]
        self.kernels[name] = {key: round(value, 3) for key, value in kernel.items()}
        return result


def _processor() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def measured(root: Path, lines: int, settings: AuditSettings) -> dict[str, Any]:
    """Run each kernel by itself, then the whole."""
    clock = Clock(lines)
    files = sorted(root.rglob("*.py"))
    clock.measured("parse", lambda: sum(len(ast.parse(path.read_bytes()).body) for path in files))
    chosen = clock.measured("sources", lambda: sources(root, settings))

    def with_crew(work: Callable[[Crew], T]) -> T:
        with Crew(settings) as crew:
            return work(crew)

    scanned = clock.measured("ast_scan", lambda: with_crew(lambda crew: scan(chosen.files, crew)))
    metrics, _ = clock.measured("metrics", lambda: measure(scanned.scan, scanned.units, settings))
    clock.measured("security", lambda: with_crew(lambda crew: findings(chosen.files, settings, crew)))
    audit = clock.measured("whole audit", lambda: asyncio.run(audit_repository(root, settings)))
    return {
        "lines": lines,
        "files": len(audit.scan.modules),
        "functions": len(audit.scan.functions),
        "cycles": len(metrics.cycles),
        "duplicates": len(metrics.duplicates),
        "kernels": clock.kernels,
        "target_seconds": TARGET_SECONDS * lines / LINES,
        "machine": machine_facts(),
    }


def main(words: Sequence[str]) -> None:
    """Print the measurements."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lines", type=int, default=LINES)
    parser.add_argument("--processes", type=int, default=None, help="Unset: one for each core, four at most.")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as place:
        root = Path(place).resolve()
        lines = written(root, options.lines)
        print(json.dumps(measured(root, lines, AuditSettings(processes=options.processes)), indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
