"""B08: of several lines that changed between two versions, the one that broke a test."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nodes.tutor.claims import Claim
from nodes.tutor.games.draft import Draft
from nodes.tutor.games.game import Game
from nodes.tutor.games.vocabulary import NOUNS, functions, names, note, text_of

GOAL = """A test passed with `{old}` and fails with `{new}`; `{log}` has its output. Several lines \
changed between the two, each for itself. Which one broke the test: the one without whose change it \
would pass?
Answer with one claim: changed_between, subject = path of the file below both versions, value = [the \
whole old line, the whole new line], both with the spaces before them, unit = line, scope = [`{old}`, \
`{new}`]."""
USED, UNUSED = 4, 8
"""Functions the failing test runs through, and others."""


@dataclass(frozen=True)
class Function:
    """A function of one number, six lines long.

    Attributes:
        name: of it.
        module: it stands in.
        about: its docstring.
        cap, capped: a value above the one gives the other; no value of a test comes near.
        variable: of its own, so that no line of it stands elsewhere.
        factor, addend: what it computes with.
        calls: functions whose results it adds up instead of the value itself.
        turned: True if the addition is written the other way round.
    """

    name: str
    module: str
    about: str
    cap: int
    capped: int
    variable: str
    factor: int
    addend: int
    calls: tuple[str, ...] = ()
    turned: bool = False

    @property
    def lines(self) -> list[str]:
        """Its source."""
        inner = " + ".join(f"{name}(value)" for name in self.calls) or "value"
        inner = f"({inner})" if len(self.calls) > 1 else inner
        terms = [self.variable, str(self.addend)]
        return [
            f"def {self.name}(value):",
            f'    """{self.about}."""',
            f"    if value > {self.cap}:",
            f"        return {self.capped}",
            f"    {self.variable} = {inner} * {self.factor}",
            f"    return {' + '.join(reversed(terms) if self.turned else terms)}",
        ]


def breaking_change(rng: random.Random, seed: int) -> Game:
    """Make the game."""
    package, tested, *modules = names(rng, rng.randint(7, 10))
    old_version, new_version = _versions(rng)
    log = f"{rng.choice(('logs', 'reports', 'ci'))}/test-{rng.choice(NOUNS)}.txt"
    old = _functions(rng, modules)
    broken = rng.randrange(USED)
    new = [_changed(rng, function, breaks=at == broken, used=at < USED) for at, function in enumerate(old)]
    value, test_path = rng.randint(2, 9), f"tests/test_{tested}.py"
    test = [
        f"from {package}.{old[0].module} import {old[0].name}",
        "",
        "",
        f"def test_{tested}():",
        f"    assert {old[0].name}({value}) == {_result(old, old[0].name, value)}",
    ]
    same = {test_path: text_of(test)}
    for name in rng.sample(("README.md", "NOTES.md", "docs/plan.md"), rng.randint(0, 2)):
        same[name] = text_of(note(rng, 3, 9))
    files = _version(old_version, package, modules, old, same)
    files |= _version(new_version, package, modules, new, same)
    files[log] = text_of(_report(test, f"{new_version}/{test_path}", _result(new, old[0].name, value)))
    path = f"{package}/{old[broken].module}.py"
    before, after = _difference(old[broken], new[broken])

    draft = Draft("B08", seed, "diagnosis")
    draft.look("cat", path=log)
    seen = [draft.look("cat", path=f"{version}/{path}") for version in (old_version, new_version)]
    draft.want(
        Claim(
            predicate="changed_between",
            subject=path,
            value=[before, after],
            unit="line",
            scope=(old_version, new_version),
        ),
        *seen,
        find=("subject", "value"),
        wanted="the file, and the old and the new line, of the change that broke the test",
    )
    goal = GOAL.format(old=old_version, new=new_version, log=log)
    return draft.game("Version diff that broke a test", goal, files)


def _versions(rng: random.Random) -> tuple[str, str]:
    major, minor = rng.randint(1, 9), rng.randint(0, 20)
    form = rng.choice(("v{}.{}", "release-{}-{}", "r{}_{}"))
    return form.format(major, minor), form.format(major, minor + 1)


def _functions(rng: random.Random, modules: Sequence[str]) -> list[Function]:
    """The first one calls the second and the third, the second the fourth; the rest nobody calls."""
    called = functions(rng, USED + UNUSED)
    variables = names(rng, len(called))
    caps, capped = (rng.sample(range(least, least + 400, 5), len(called)) for least in (500, 900))
    # Those that call one another stand in different modules, so that no two modules import each other.
    places = [*rng.sample(modules, USED), *(rng.choice(modules) for _ in range(UNUSED))]
    calls = {0: (called[1], called[2]), 1: (called[3],)}
    return [
        Function(
            name,
            places[at],
            _remark(rng),
            caps[at],
            capped[at],
            variables[at],
            rng.randint(2, 4),
            rng.randint(1, 9),
            calls.get(at, ()),
        )
        for at, name in enumerate(called)
    ]


def _changed(rng: random.Random, function: Function, *, breaks: bool, used: bool) -> Function:
    """The next version: where it is used and must not break, it computes the same for all small values."""
    if breaks or (not used and rng.random() < 0.5):
        if rng.random() < 0.5:
            return replace(function, factor=function.factor + 1)
        return replace(function, addend=function.addend + rng.randint(1, 9))
    kind = rng.choice(("cap", "turned", "about") if used else ("cap", "about", "nothing"))
    if kind == "cap":
        return replace(function, cap=function.cap + rng.randint(1, 4))
    if kind == "turned":
        return replace(function, turned=True)
    return replace(function, about=_remark(rng)) if kind == "about" else function


def _remark(rng: random.Random) -> str:
    return " ".join(names(rng, 3)).capitalize()


def _result(version: Sequence[Function], name: str, value: int) -> int:
    """What a function gives for a small value."""
    function = next(one for one in version if one.name == name)
    inner = sum(_result(version, called, value) for called in function.calls) if function.calls else value
    return inner * function.factor + function.addend


def _version(
    version: str, package: str, modules: Sequence[str], made: Sequence[Function], same: Mapping[str, str]
) -> dict[str, str]:
    """The files of a version: its modules, and those that did not change."""
    files = {f"{version}/{path}": text for path, text in same.items()}
    for module in modules:
        files[f"{version}/{package}/{module}.py"] = text_of(_source(package, module, made))
    return files


def _source(package: str, module: str, all_functions: Sequence[Function]) -> list[str]:
    """A module: what it imports, and its functions."""
    own = [function for function in all_functions if function.module == module]
    places = {function.name: function.module for function in all_functions}
    imports = [f"from {package}.{places[name]} import {name}" for function in own for name in function.calls]
    lines = [f'"""{module.capitalize()}."""', *([""] if imports else []), *imports]
    for function in own:
        lines += ["", "", *function.lines]
    return lines


def _difference(old: Function, new: Function) -> tuple[str, str]:
    """The one line that changed."""
    return next(pair for pair in zip(old.lines, new.lines, strict=True) if pair[0] != pair[1])


def _report(test: Sequence[str], path: str, wrong: int) -> list[str]:
    """What the test runner printed."""
    called = test[-1].partition("assert ")[2].partition(" ==")[0]
    return [
        "collected 1 item",
        "",
        f"{path} F",
        "",
        f"> {test[-1]}",
        f"E     assert {wrong} == {test[-1].rpartition(' ')[2]}",
        f"E      +  where {wrong} = {called}",
        "",
        f"{path}:{len(test)}: AssertionError",
        f"FAILED {path}::{test[-2].removeprefix('def ').removesuffix('():')}",
    ]
