"""A Python project made from a seed: functions of every size, copies, circles of imports, weaknesses."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

NAMES = (
    "load save parse render merge split fetch store check clean build index score match apply group sort"
).split()
WEAK = (
    "eval(text)",
    "subprocess.call(text, shell=True)",
    "pickle.loads(text)",
    "hashlib.md5(text).hexdigest()",
    "os.system(text)",
    "random.random()",
    "cursor.execute(\"SELECT * FROM t WHERE a = '%s'\" % text)",
)
COPY = """    total = 0
    for number in values:
        if number > 10:
            total = total + number * 2
        elif number < -10:
            total = total - number * 3
        else:
            total = total + 1
    average = total / max(1, len(values))
    spread = sum(abs(number - average) for number in values)
    label = "wide" if spread > 100 else "narrow"
    parts = [label, str(total), str(average), str(spread)]
    joined = ", ".join(part for part in parts if part)
    return {"label": label, "total": total, "average": average, "spread": spread, "joined": joined}
"""


@dataclass
class _Writer:
    random: random.Random
    used: int = 0

    def name(self) -> str:
        self.used += 1
        return f"{self.random.choice(NAMES)}_{self.used}"

    def function(self, indent: str = "", *, method: bool = False, copied: bool = False) -> str:
        """A function with random parameters, branches, docstring and weaknesses."""
        draw = self.random
        hidden = "_" if draw.random() < 0.2 else ""
        names = [f"p{number}" for number in range(draw.randint(0, 9))]
        arguments = ", ".join([*(["self"] if method else []), *names, "text=None", "values=()"])
        lines = [f"def {hidden}{self.name()}({arguments}):"]
        if draw.random() < 0.6:
            lines.append('    """Do what the name says."""')
        lines += self._branches(1, draw.randint(0, 12))
        if draw.random() < 0.3:
            lines.append(f"    {draw.choice(WEAK)}{'  # nosec' if draw.random() < 0.2 else ''}")
        body = "\n".join(lines) + "\n" + (COPY if copied else "    return values\n")
        return "".join(f"{indent}{line}\n" if line else "\n" for line in body.splitlines())

    def _branches(self, depth: int, number: int) -> list[str]:
        draw, lines = self.random, []
        while number > 0:
            pad = "    " * depth
            kind = draw.choice(
                ["if text and values", "for each in values", "while text", "if not text or values"]
            )
            lines.append(f"{pad}{kind}:")
            number -= 1
            inside = self._branches(depth + 1, min(number, draw.randint(0, 2))) if depth < 5 else []
            number -= len([line for line in inside if line.endswith(":")])
            lines += inside or [f"{pad}    values = list(values)"]
        return lines

    def module(self, imports: list[str], *, copied: bool) -> str:
        """A module with functions and a class or two."""
        draw = self.random
        head = ['"""What this module is for."""'] if draw.random() < 0.7 else []
        head += [
            "import hashlib",
            "import os",
            "import pickle",
            "import random",
            "import subprocess",
            *imports,
            "",
        ]
        parts = ["\n".join(head)]
        parts += [self.function(copied=copied and number == 0) for number in range(draw.randint(2, 5))]
        for _ in range(draw.randint(0, 2)):
            explained = '    """A thing."""\n' if draw.random() < 0.5 else ""
            methods = "\n".join(self.function("    ", method=True) for _ in range(draw.randint(1, 4)))
            parts.append(f"class Thing{self.used}:\n{explained}{methods}")
        return "\n\n".join(parts)


def write_project(root: Path, seed: int) -> None:
    """Write a project below an empty directory; the same one for the same seed."""
    writer = _Writer(random.Random(seed))
    packages = {"shop": 4, "tools": 3, "web": 3}
    for package, number in packages.items():
        folder = root / package
        folder.mkdir(parents=True)
        (folder / "__init__.py").write_text('"""A package."""\n' if seed % 2 else "")
        for at in range(number):
            # In one package the modules import each other in a circle, in the others a chain.
            following = (at + 1) % number
            circle = package == "shop" or following > at
            imports = [f"import {package}.part_{following}"] if circle else []
            copied = package == "tools" and at < 2
            (folder / f"part_{at}.py").write_text(writer.module(imports, copied=copied))
    if seed % 3:
        (root / "README.md").write_text("# A shop\n\nWhat it is.\n")
