"""B04: where the name a program calls is defined, through all the modules that hand it on."""

from __future__ import annotations

import random
from collections.abc import Sequence

from nodes.tutor.claims import Claim
from nodes.tutor.games.draft import Draft
from nodes.tutor.games.game import Game
from nodes.tutor.games.modules import Module, from_import, module_of, package_of, written_from
from nodes.tutor.games.vocabulary import functions, names, text_of

GOAL = """`{entry}` calls `{name}`. Follow it: from which module does `{entry}` import it, from which \
does that one have it, and so on to the file that defines it. A name may change on the way (import ... \
as ...); comments and texts import nothing, and other modules define the same name.
Answer with {count} claims: for each step imports, subject = the file, value = the module the name comes \
from (dotted, from the root, relative imports resolved); and at the end defines, subject = the file, \
value = the name it has there, unit = {unit}."""


def import_chain(rng: random.Random, seed: int) -> Game:
    """Make the game."""
    root, script, other, *rest = names(rng, 24)
    packages, modules = _layout(rng, root, rest)
    entry = Module("", f"{rng.choice(('run', 'start', 'main'))}_{script}.py")
    chain, leaves = _chain(rng, entry, packages, modules)
    unit = rng.choice(("function", "class"))
    called = [_cased(name, unit) for name in functions(rng, len(chain))]
    for at in range(1, len(called)):
        # More often than not a name stays what it was; the entry's is the first, and that of the goal.
        called[at] = called[at - 1] if rng.random() < 0.6 else called[at]
    files = {package.path: f'"""Package {package.dotted}."""\n' for package in packages}
    files |= _leaves(rng, leaves, called, unit) | _links(rng, chain, leaves, called, unit)
    decoy = rng.choice(leaves)
    files[f"{rng.choice(('run', 'start', 'main'))}_{other}.py"] = text_of(
        [f"from {decoy.dotted} import {called[0]}", "", f"print({called[0]}(1))"]
    )

    draft = Draft("B04", seed, "formal")
    seen = [draft.look("cat", path=module.path) for module in chain]
    for at, (here, there) in enumerate(zip(chain, chain[1:], strict=False)):
        draft.want(
            Claim(predicate="imports", subject=here.path, value=there.dotted),
            seen[at],
            find=("subject", "value") if at else ("value",),
            wanted=f"step {at + 1}: the file, and the module it has the name from",
        )
    draft.want(
        Claim(predicate="defines", subject=chain[-1].path, value=called[-1], unit=unit),
        seen[-1],
        find=("subject", "value"),
        wanted="the file that defines it, and its name there",
    )
    goal = GOAL.format(entry=entry.path, name=called[0], count=len(chain), unit=unit)
    return draft.game("Import chain resolves", goal, files)


def _layout(rng: random.Random, root: str, words: Sequence[str]) -> tuple[list[Module], list[Module]]:
    """The packages, the outermost first, and the modules in them."""
    inner = words[: rng.randint(2, 3)]
    packages = [package_of(root), *(package_of(f"{root}.{name}") for name in inner)]
    places = [package.dotted for package in packages]
    stems = words[3 : rng.randint(14, 18)]
    return packages, [module_of(f"{rng.choice(places)}.{stem}") for stem in stems]


def _chain(
    rng: random.Random, entry: Module, packages: Sequence[Module], modules: Sequence[Module]
) -> tuple[list[Module], list[Module]]:
    """Who hands the name on, from the entry to the file that defines it; and the modules that do not."""
    handing = rng.sample(modules, rng.randint(2, 3))
    leaves = [module for module in modules if module not in handing]
    if rng.random() < 0.6:
        handing[rng.randrange(len(handing) - 1)] = rng.choice(packages[1:])
    return [entry, *handing], leaves


def _cased(name: str, unit: str) -> str:
    return name.title().replace("_", "") if unit == "class" else name


def _heading(rng: random.Random) -> list[str]:
    return [f'"""{" ".join(names(rng, 3))}."""', ""]


def _definition(rng: random.Random, name: str, unit: str) -> list[str]:
    factor = rng.randint(2, 9)
    if unit == "function":
        return [f"def {name}(value):", f"    return value * {factor}", ""]
    return [f"class {name}:", "    def __init__(self, value):", f"        self.value = value * {factor}", ""]


def _leaves(rng: random.Random, leaves: Sequence[Module], called: Sequence[str], unit: str) -> dict[str, str]:
    """Modules that import nothing; the first ones define the names of the chain, too."""
    own = functions(rng, len(leaves))
    files = {}
    for at, module in enumerate(leaves):
        lines = [*_heading(rng), *_definition(rng, own[at], "function")]
        if at < 4:
            lines += _definition(rng, (called[0], called[-1], called[0], rng.choice(called))[at], unit)
        files[module.path] = text_of(lines)
    return files


def _links(
    rng: random.Random, chain: Sequence[Module], leaves: Sequence[Module], called: Sequence[str], unit: str
) -> dict[str, str]:
    """The files of the chain: all hand the name on, and the last one defines it."""
    files = {
        here.path: _handing_on(rng, here, chain[at + 1], leaves, called[at], called[at + 1])
        for at, here in enumerate(chain[:-1])
    }
    return files | {chain[-1].path: text_of([*_heading(rng), *_definition(rng, called[-1], unit)])}


def _handing_on(
    rng: random.Random, here: Module, there: Module, leaves: Sequence[Module], name: str, source: str
) -> str:
    """A module that has the name from the next one, and says in passing that it has it from others."""
    first, second, third = rng.sample(leaves, 3)
    lines = [f'"""Once: from {first.dotted} import {name}."""', ""]
    imports = [
        [f"# from {second.dotted} import {name}"],
        from_import(rng, written_from(rng, here, there), source, name),
        [f"import {third.dotted}"],
    ]
    rng.shuffle(imports)
    lines += [line for some in imports for line in some]
    use = f"print({name}(3), {third.dotted})" if not here.dotted else f"__all__ = ['{name}']"
    return text_of([*lines, "", use])
