"""Questions about a generated project, and what is right: numbers, places, yes or no."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evals.specialists.truth import Defined, Place, Truth


@dataclass(frozen=True)
class Case:
    """A question with its answer.

    Attributes:
        goal: as a person would ask.
        number: that the first sentence must hold; None for none.
        places: file and line of exactly the findings there must be; None leaves them open.
        says: how the answer must begin, such as "Yes"; empty leaves it open.
        name: that the first sentence must hold.
    """

    goal: str
    number: float | None = None
    places: frozenset[Place] | None = None
    says: str = ""
    name: str = ""


def cases(truth: Truth) -> list[Case]:
    """Every question about one tree."""
    return [
        *_about_functions(truth),
        *_about_files(truth),
        *_about_security(truth),
        *_about_documentation(truth),
    ]


def _counted(goal: str, found: list[Defined]) -> Case:
    places = frozenset(one.place for one in found)
    return Case(goal, len(found), places) if found else Case(goal, places=places, says="There is no")


def _highest(goal: str, found: list[Defined], key: Callable[[Defined], int]) -> Case:
    most = max(key(one) for one in found)
    return Case(goal, number=most, places=frozenset(one.place for one in found if key(one) == most))


def _about_functions(truth: Truth) -> Iterator[Case]:
    every = truth.functions
    in_shop = [one for one in every if one.file.startswith("shop/")]
    yield _counted(
        "How many functions have a cyclomatic complexity over 6?", [f for f in every if f.cyclomatic > 6]
    )
    yield _counted(
        "Which functions have a complexity of at least 8?", [f for f in every if f.cyclomatic >= 8]
    )
    yield _counted(
        "List functions in web/ with complexity below 3",
        [f for f in every if f.file.startswith("web/") and f.cyclomatic < 3],
    )
    yield _highest("Which function is the most complex?", every, lambda one: one.cyclomatic)
    yield _highest("What is the most complex function in shop/?", in_shop, lambda one: one.cyclomatic)
    yield _highest("Which function takes the most parameters?", every, lambda one: one.parameters)
    yield _highest(
        "Which method is the longest?", [f for f in every if f.kind == "method"], lambda f: f.end - f.line + 1
    )
    yield _counted("How many functions take more than six arguments?", [f for f in every if f.parameters > 6])
    yield _counted(
        "How many functions outside shop/ have between 3 and 5 parameters?",
        [f for f in every if not f.file.startswith("shop/") and 3 <= f.parameters <= 5],
    )
    yield _counted(
        "How many functions are longer than 20 lines?", [f for f in every if f.end - f.line + 1 > 20]
    )
    one = every[len(every) // 2]
    yield Case(
        f"What is the cyclomatic complexity of {one.name}?",
        one.cyclomatic,
        frozenset({one.place}),
        name=one.name,
    )
    yield Case(
        f"How many parameters does `{one.name}` have?", one.parameters, frozenset({one.place}), name=one.name
    )
    yield Case(
        f"Is the function {one.name} too complex?",
        places=frozenset({one.place}) if one.cyclomatic > 10 else frozenset(),
        says="Yes" if one.cyclomatic > 10 else "No",
    )
    mean = sum(f.cyclomatic for f in every) / len(every)
    yield Case("What is the average cyclomatic complexity of the functions?", round(mean, 2))
    yield Case("How many functions are there in tools/?", sum(f.file.startswith("tools/") for f in every))
    top = sorted((f.cyclomatic for f in every), reverse=True)[:5]
    yield Case("Which five functions have the highest cyclomatic complexity?", number=top[0])
    yield Case(
        "How complex is the function nowhere_to_be_found?",
        says="Nothing that was audited",
        places=frozenset(),
    )


def _about_files(truth: Truth) -> Iterator[Case]:
    largest = max(truth.lines(file) for file in truth.files)
    yield Case(
        "Which file is the longest?",
        largest,
        frozenset((file, 1) for file in truth.files if truth.lines(file) == largest),
    )
    some = "shop/part_1.py"
    yield Case(f"How many lines does {some} have?", truth.lines(some), frozenset({(some, 1)}))
    yield Case(
        "How many lines do the files in tools/ have in total?",
        sum(truth.lines(file) for file in truth.files if file.startswith("tools/")),
    )
    yield Case(
        "How many classes are there?", len(truth.classes), frozenset(one.place for one in truth.classes)
    )
    yield Case("Do any modules import each other in a circle?", 1, says="Yes")
    yield Case("Are there circular imports in web/?", says="No", places=frozenset())
    yield Case("Is there duplicated code between tools/part_0.py and tools/part_1.py?", says="Yes")
    importers = frozenset(file for file in truth.files if "shop/part_1.py" in truth.imports(file))
    yield Case("Which files import shop/part_1.py?", number=len(importers))
    yield Case(
        "How many functions are there in nowhere.py?", says="Nothing that was audited", places=frozenset()
    )
    yield Case("Are there files with syntax errors?", says="No", places=frozenset())


def _about_security(truth: Truth) -> Iterator[Case]:
    found = truth.findings

    def asked(goal: str, *rules: str, severity: str = "", below: str = "", yes: bool = False) -> Case:
        mine = [
            one
            for one in found
            if (not rules or one["rule"] in rules)
            and (not severity or one["severity"] == severity)
            and str(one["file"]).startswith(below)
        ]
        places = frozenset((str(one["file"]), int(one["line"])) for one in mine)
        says = ("Yes" if mine else "No") if yes else ""
        return Case(goal, number=len(mine) if mine else None, places=places, says=says)

    yield asked("How many security findings are there?")
    yield asked("List the security findings in web/", below="web/")
    yield asked("Is eval used anywhere?", "B307", yes=True)
    yield asked("Is there any SQL injection in shop/?", "B608", "B610", "B611", below="shop/", yes=True)
    yield asked("Which findings of high severity does the scanner report?", severity="high")
    yield asked("Show all findings of rule B602", "B602")
    yield asked("Is pickle used?", "B301", "B302", "B403", yes=True)
    yield asked("Does the code use MD5?", "B303", "B324", yes=True)


def _about_documentation(truth: Truth) -> Iterator[Case]:
    bare = [one for one in truth.defined if not one.documented]
    yield _counted(
        "Which public functions have no docstring?", [f for f in bare if f.kind != "class" and f.public]
    )
    yield _counted("How many classes are undocumented?", [one for one in bare if one.kind == "class"])
    yield _counted(
        "Count the undocumented methods in shop/",
        [f for f in bare if f.kind == "method" and f.file.startswith("shop/")],
    )
    one = truth.functions[1]
    yield Case(
        f"Does the function {one.name} have a docstring?",
        places=frozenset({one.place}),
        says="Yes" if one.documented else "No",
    )
    yield Case("Is there a README?", says="Yes" if (truth.root / "README.md").exists() else "No")
    share = sum(c.documented for c in truth.classes) / len(truth.classes) if truth.classes else 0
    yield Case("What share of the classes is documented?", round(100 * share, 2))
