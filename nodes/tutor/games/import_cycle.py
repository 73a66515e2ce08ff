"""B09: the one cycle among the imports of some modules."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from nodes.tutor.claims import Claim
from nodes.tutor.games.draft import Draft
from nodes.tutor.games.game import Game
from nodes.tutor.games.modules import Module, module_of, package_of, written_from
from nodes.tutor.games.vocabulary import functions, names, text_of

GOAL = """Among the modules in `{place}` there is one import cycle. Which modules is it made of, in the \
order in which each imports the next, and the last the first? Names are dotted and begin below \
`{place}`; comments and texts import nothing.
Answer with one claim: cycle, subject = `{place}`, value = the list of the modules, beginning with any \
of them."""

Imports = Mapping[Module, Sequence[Module]]


def import_cycle(rng: random.Random, seed: int) -> Game:
    """Make the game."""
    place, other, package, *stems = names(rng, 20)
    place = rng.choice((place, f"{other}/{place}"))
    modules = _modules(rng, place, package, stems)
    ring = modules[: rng.randint(3, 5)]
    imports = _imports(rng, ring, modules[len(ring) :])
    files = {package_of(package, f"{place}/").path: f'"""Package {package}."""\n'}
    files |= {module.path: text_of(_source(rng, module, imports, modules)) for module in modules}
    if rng.random() < 0.5:
        # Another directory with modules of the same names, which import one another in another order.
        copies = [module_of(module.dotted, "attic/") for module in modules[:4]]
        around = {copy: [copies[at - 1]] for at, copy in enumerate(copies)}
        files |= {copy.path: text_of(_source(rng, copy, around, copies)) for copy in copies}

    draft = Draft("B09", seed, "diagnosis")
    draft.look("grep", pattern="import", path=place, recursive=True, line_number=True)
    seen = [draft.look("cat", path=module.path) for module in ring]
    draft.want(
        Claim(predicate="cycle", subject=place, value=[module.dotted for module in ring]),
        *seen,
        find=("value",),
        wanted="the modules of the cycle, in order",
        proof_decides=True,
    )
    return draft.game("Import cycle in order", GOAL.format(place=place), files)


def _modules(rng: random.Random, place: str, package: str, stems: Sequence[str]) -> list[Module]:
    """Modules in no order, some of them in the package."""
    inside = rng.choice((0.0, 0.3, 0.5))
    chosen = stems[: rng.randint(12, 16)]
    return [module_of(f"{package}.{stem}" if rng.random() < inside else stem, f"{place}/") for stem in chosen]


def _imports(
    rng: random.Random, ring: Sequence[Module], rest: Sequence[Module]
) -> dict[Module, list[Module]]:
    """Who imports whom: those above the ring import only downwards, so no other way leads back.

    Within the ring each imports the next and no other, or there would be a shorter cycle.
    """
    half = len(rest) // 2
    above, below = list(rest[:half]), list(rest[half:])
    imports: dict[Module, list[Module]] = {}
    for at, module in enumerate(above):
        lower = [*above[at + 1 :], *ring, *below]
        imports[module] = rng.sample(lower, rng.randint(1, 3))
    for at, module in enumerate(ring):
        imports[module] = [ring[(at + 1) % len(ring)], *rng.sample(below, rng.randint(0, 2))]
        rng.shuffle(imports[module])
    for at, module in enumerate(below):
        lower = below[at + 1 :]
        imports[module] = rng.sample(lower, min(len(lower), rng.randint(0, 2)))
    return imports


def _source(rng: random.Random, here: Module, imports: Imports, modules: Sequence[Module]) -> list[str]:
    """A module, with its imports and a word about others it does not import."""
    own, borrowed = functions(rng, 2)
    lines: list[str] = []
    for there in imports[here]:
        written = written_from(rng, here, there)
        plain = rng.random() < 0.5 and not written.startswith(".")
        lines.append(f"import {written}" if plain else f"from {written} import {borrowed}_{len(lines)}")
    strangers = [module for module in modules if module != here and module not in imports[here]]
    first, second = rng.sample(strangers, 2) if len(strangers) > 1 else (here, here)
    lines += [f"# import {first.dotted}"] if rng.random() < 0.5 else []
    rng.shuffle(lines)
    text = f'"""Does what `import {second.dotted}` did."""' if rng.random() < 0.5 else f'"""{own}."""'
    return [text, "", *lines, "", "", f"def {own}(value):", f"    return value + {rng.randint(1, 9)}"]
