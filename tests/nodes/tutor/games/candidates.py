"""All claims of a target's form that anybody could put together from the files of a game."""

import random
import re
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

from nodes.tutor.claims import Claim
from nodes.tutor.games.game import Game, Target
from tests.nodes.tutor.games import truth


def candidates(game: Game, target: Target) -> Iterator[Claim]:
    given = target.model_dump(include={"predicate", "unit", "scope"})
    for subject, value in FILLERS[target.predicate](game, target):
        yield Claim(
            subject=subject if "subject" in target.open else target.subject,
            value=value if "value" in target.open else target.value,
            **given,
        )


def key_paths(document: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in document.items():
        yield f"{above}{key}", value
        if isinstance(value, dict):
            yield from key_paths(value, f"{above}{key}.")


def places(game: Game, ending: str = "") -> Iterator[tuple[str, str]]:
    for path, text in game.files.items():
        if path.endswith(ending):
            yield from ((f"{path}:{number}", line) for number, line in enumerate(text.splitlines(), 1))


def _contains(game: Game, target: Target) -> Iterator[tuple[str, Any]]:
    folders = {path.rsplit("/", depth)[0] for path in game.files for depth in range(1, path.count("/") + 1)}
    for path in [".", *sorted(folders), *game.files]:
        text = game.files.get(path) or "\n".join(truth.below(game.files, path).values())
        words = re.findall(r"\w+", text) if "value" in target.open else [None]
        yield from ((path, word) for word in dict.fromkeys(words))


def _value_of(game: Game, target: Target) -> Iterator[tuple[str, Any]]:
    assert isinstance(target.scope, str)
    for key, value in key_paths(truth.parsed(target.scope, game.files[target.scope])):
        yield from ((key, value), (key, str(value)), (key, [value]))


def _modules(game: Game, target: Target) -> Iterator[tuple[str, Any]]:
    sources = [path for path in game.files if path.endswith(".py")]
    dotted = [path.removesuffix(".py").replace("/", ".").removesuffix(".__init__") for path in sources]
    return product(sources, dotted)


def _defines(game: Game, target: Target) -> Iterator[tuple[str, Any]]:
    names = sorted(
        {name for text in game.files.values() for name in re.findall(r"(?:def|class) (\w+)", text)}
    )
    return product([path for path in game.files if path.endswith(".py")], names)


def _before(game: Game, target: Target) -> Iterator[tuple[str, Any]]:
    clocks = str(target.scope).removeprefix("corrected by ")
    logs = truth.parsed(clocks, game.files[clocks])
    lines = [
        place for place, line in places(game, ".log") if " ERROR " in line and place.split(":")[0] in logs
    ]
    return product(lines, lines)


def _changed(game: Game, target: Target) -> Iterator[tuple[str, Any]]:
    assert isinstance(target.scope, tuple)
    old, new = target.scope
    for path in [path.removeprefix(f"{old}/") for path in truth.below(game.files, old)]:
        versions = game.files[f"{old}/{path}"], game.files[f"{new}/{path}"]
        for change in truth.changed_lines(*versions):
            yield from ((path, change), (path, change[::-1]))
        yield from ((path, [line, line]) for line in versions[0].splitlines())


def _cycle(game: Game, target: Target) -> Iterator[tuple[str, Any]]:
    graph = truth.import_graph(game.files, target.subject)
    for modules in truth.cycles(graph):
        yield from ((target.subject, list(order)) for order in permutations(modules))
    rng = random.Random(0)
    for _ in range(500):
        yield target.subject, rng.sample(sorted(graph), rng.randint(2, 5))


FILLERS = {
    "contains": _contains,
    "count": lambda game, target: ((target.subject, number) for number in range(1000)),
    "value_of": _value_of,
    "imports": _modules,
    "defines": _defines,
    "equals": lambda game, target: places(game),
    "causes": lambda game, target: places(game),
    "before": _before,
    "changed_between": _changed,
    "cycle": _cycle,
}
