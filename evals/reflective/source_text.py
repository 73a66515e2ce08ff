"""Contents of the generated project: code, documents, data, settings, logs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

VERBS = ("load", "save", "merge", "split", "count", "read", "send", "weigh", "sort", "label", "pack", "trim")
NOUNS = ("crate", "batch", "order", "slot", "sack", "pallet", "route", "tray", "shelf", "bundle", "carton")
IMPORTS = ("json", "csv", "re", "math", "shutil", "hashlib")
SECTIONS = (
    "Overview", "Settings", "Shifts", "Labels", "Scales", "Orders", "Errors", "Reports", "Backups", "Contact",
)  # fmt: skip
REMARKS = (
    "round the amounts",
    "ask before overwriting",
    "read the limit from the settings",
    "handle an empty list",
    "close the file",
)


@dataclass
class PackageSource:
    """The code of the package.

    Attributes:
        modules: source by module.
        functions: functions by module.
        slots: names that scenarios ask about.
    """

    modules: dict[str, str] = field(default_factory=dict)
    functions: dict[str, list[str]] = field(default_factory=dict)
    slots: dict[str, str] = field(default_factory=dict)


def package_source(rng: random.Random, package: str, modules: Sequence[str]) -> PackageSource:
    """Valid Python modules that import and call each other, no two names of functions alike."""
    source = PackageSource()
    names = [f"{verb}_{noun}" for verb in VERBS for noun in NOUNS]
    rng.shuffle(names)
    classes = rng.sample([noun.title() for noun in NOUNS], 5)
    sizes = rng.sample(range(2, 9), len(modules))
    # The first module is imported by several others, the last by none.
    for number, (module, size) in enumerate(zip(modules, sizes, strict=True)):
        own, names = names[:size], names[size:]
        source.functions[module] = own
        used = [modules[0]] if number in (1, 3, 4) else [modules[number - 1]] if number in (2, 5) else []
        calls = [(other, rng.choice(source.functions[other])) for other in used]
        library = sorted(rng.sample(IMPORTS, rng.randint(1, 3)) if number != 6 else ["shutil"])
        held = [classes[number]] if number < 5 else []
        source.modules[module] = _module(rng, package, module, library, calls, own, held)
    first = source.functions[modules[0]]
    source.slots = {
        "function": source.functions[modules[2]][0],
        "function_first": first[0],
        "function_last": source.functions[modules[6]][-1],
        "class": classes[1],
        "class_base": classes[0],
        "constant": f"MAX_{modules[3].upper()}",
        "library": "shutil",
    }
    return source


def _module(
    rng: random.Random,
    package: str,
    module: str,
    library: Sequence[str],
    calls: Sequence[tuple[str, str]],
    functions: Sequence[str],
    classes: Sequence[str],
) -> str:
    lines = [f'"""The {module} of the {package}."""', "", "from __future__ import annotations", ""]
    lines += [f"import {name}" for name in library]
    lines += [""] + [f"from {package}.{other} import {name}" for other, name in calls]
    lines += ["", f"MAX_{module.upper()} = {rng.randint(10, 900)}", ""]
    for name in classes:
        lines += ["", f"class {name}:", f'    """One {name.lower()}."""', ""]
        for method in rng.sample(("open", "close", "weight", "owner"), rng.randint(1, 3)):
            lines += [
                f"    def {method}_{name.lower()}(self) -> int:",
                f"        return {rng.randint(1, 99)}",
                "",
            ]
    for number, name in enumerate(functions):
        lines += ["", f"def {name}(amount: int, {'limit: int = 3' if number % 2 else 'rest: int'}) -> int:"]
        if rng.random() < 0.6:
            lines.append(f'    """Do what the name {name} says."""')
        if rng.random() < 0.35:
            lines.append(f"    # {rng.choice(('TODO', 'FIXME'))}: {rng.choice(REMARKS)}")
        used = calls[number % len(calls)][1] if calls and number < 2 else None
        lines += [f"    total = amount * {rng.randint(2, 9)}"] * rng.randint(1, 3)
        lines += [f"    return {used}(total, 1)" if used else "    return total", ""]
    return "\n".join(lines) + "\n"


def test_source(rng: random.Random, package: str, module: str, code: PackageSource) -> str:
    """Tests of some functions of a module."""
    tested = rng.sample(code.functions[module], min(len(code.functions[module]), rng.randint(1, 3)))
    lines = [
        f'"""Tests of the {module}."""',
        "",
        f"from {package}.{module} import {', '.join(sorted(tested))}",
        "",
    ]
    for name in tested:
        lines += ["", f"def test_{name}() -> None:", f"    assert {name}(2, 1)", ""]
    return "\n".join(lines) + "\n"


def sentences(rng: random.Random, count: int, words: Sequence[str]) -> str:
    """Lines of a few words each."""
    return "".join(f"{' '.join(rng.sample(words, rng.randint(4, 8))).capitalize()}.\n" for _ in range(count))


def prose(rng: random.Random, title: str, sections: Sequence[str], words: Sequence[str]) -> str:
    """A Markdown document."""
    parts = [f"# {title}\n\n{sentences(rng, 2, words)}"]
    parts += [f"\n## {name}\n\n{sentences(rng, rng.randint(2, 6), words)}" for name in sections]
    return "".join(parts)


def changelog(rng: random.Random, words: Sequence[str]) -> str:
    """Releases with remarks."""
    parts = ["# Changes\n"]
    for minor in range(rng.randint(3, 5), 0, -1):
        parts.append(f"\n## 1.{minor}\n\n")
        parts.append("".join(f"- {line}\n" for line in sentences(rng, rng.randint(1, 4), words).splitlines()))
    return "".join(parts)


def data_files(rng: random.Random, words: Sequence[str]) -> dict[str, str]:
    """Tables, one of them twice under different names."""
    stock_rows = [f"{word},{rng.randint(1, 500)},{rng.choice('ABC')}" for word in rng.sample(words, 12)]
    stock = "name,amount,hall\n" + "".join(f"{row}\n" for row in stock_rows)
    count = rng.randint(30, 60)
    orders = "number,customer,total\n" + "".join(
        f"{1000 + number},{rng.choice(('Ahn', 'Berg', 'Costa', 'Duval'))},{rng.randint(5, 990)}\n"
        for number in range(count)
    )
    old = "number,customer,total\n" + "".join(
        f"{number},{rng.choice(('Ahn', 'Berg'))},{rng.randint(5, 990)}\n"
        for number in range(rng.randint(5, 20))
    )
    return {
        "data/stock.csv": stock,
        "data/orders.csv": orders,
        "data/archive/stock-2022.csv": stock,
        "data/archive/orders-2022.csv": old,
    }


def settings_files(rng: random.Random, package: str) -> dict[str, str]:
    """Settings of three environments, and flags."""
    ports = rng.sample(range(8000, 8999), 3)
    files = {
        f"config/{name}.yaml": f"name: {package}\nport: {port}\nworkers: {rng.randint(1, 16)}\n"
        f"debug: {'true' if name == 'default' else 'false'}\n"
        for name, port in zip(("default", "production", "staging"), ports, strict=True)
    }
    flags = ",\n".join(f'  "{noun}_flag": {rng.choice(("true", "false"))}' for noun in rng.sample(NOUNS, 5))
    return files | {
        "config/flags.json": f"{{\n{flags}\n}}\n",
        "config/app.ini": f"[server]\ntimeout = {rng.randint(5, 90)}\nretries = {rng.randint(1, 9)}\n",
    }


def scripts(package: str) -> dict[str, str]:
    """Shell scripts; they are executable."""
    return {
        f"scripts/{name}.sh": f"#!/bin/sh\nset -e\n# {remark}\n{command}\n"
        for name, remark, command in (
            ("backup", "copies the data", f"tar czf /tmp/{package}.tgz data"),
            ("deploy", "TODO: stop the old one first", f"python -m {package}"),
            ("clean", "removes what was built", "rm -rf build"),
        )
    }


def logs(rng: random.Random) -> dict[str, str]:
    """A log of some hundred lines, and one far larger than any tool may print."""
    levels = ["INFO"] * 14 + ["WARNING"] * 3 + ["ERROR"]
    lines = [
        f"2024-02-{1 + number * 20 // 400:02} {rng.choice(levels)} belt {rng.randint(1, 9)} "
        f"{rng.choice(('started', 'stopped', 'jammed', 'oiled'))}"
        for number in range(400)
    ]
    huge = [
        f"{number:06} {'fault' if rng.random() < 0.003 else 'sample'} {rng.randint(0, 10**9)} {'.' * 40}"
        for number in range(24_000)
    ]
    return {"logs/app.log": "\n".join(lines) + "\n", "logs/samples.log": "\n".join(huge) + "\n"}
