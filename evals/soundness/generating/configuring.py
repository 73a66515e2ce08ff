"""Claims about configuration files: values, their units, keys and items, and numbers as bounds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

from evals.soundness.generating.configurations import KINDS, document, is_plain, leaves, written
from evals.soundness.generating.parts import Fields, Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import tree_of
from evals.soundness.tree import Tree
from evals.soundness.truth_of_values import BYTES, SECONDS

PLACES = ("config/app", "settings", ".config/service", "etc/two words")


def _configured(dice: Random) -> tuple[Tree, str, str, dict[str, Any]]:
    """A tree with a configuration file, a decoy of the same kind, the file's path, its kind and settings."""
    kind = dice.choice(KINDS)
    settings, other = document(dice), document(dice)
    path = f"{dice.choice(PLACES)}.{kind}"
    decoy = f"backup/{path.rpartition('/')[2]}"
    tree = tree_of(dice, 2, 4)
    files = {**tree.files, path: written(settings, kind), decoy: written(other, kind)}
    if kind == "ini":
        sections = {key: value for key, value in settings.items() if isinstance(value, dict)}
        settings = {
            section: {key: str(value) for key, value in values.items() if is_plain(value)}
            for section, values in sections.items()
        }
    return Tree(files, tree.links), path, kind, settings


def configured_value(dice: Random) -> Made:
    """A value under a key path, of its type."""
    tree, path, _, settings = _configured(dice)
    found = list(leaves(settings))
    key, value = dice.choice(found)
    fields = claim("value_of", key, value, scope=path)
    ways = {"cat": cats(path), "cat -n": [call("cat", path=path, number=True)]}
    decoy = "backup/" + path.rpartition("/")[2]
    lies = [*_other_types(fields), *_other_keys(fields, found, decoy)]
    text = json.dumps(value)
    lies.append(Lie("echoed", altered(fields, value=9191), [{"raw": f"echo '{key}: 9191'"}]))
    weak = {
        "its line alone": [call("grep", pattern=text, path=path, fixed=True)],
        "the decoy": cats(decoy),
        "the beginning": [call("head", path=path, lines=2)],
    }
    return Made(tree, fields, ways, lies, weak)


def _other_types(fields: Fields) -> list[Lie]:
    value = fields["value"]
    others = {"text": str(value), "true": True, "null": None, "list": [value]}
    if isinstance(value, int) and not isinstance(value, bool):
        others |= {"a decimal number": float(value), "one more": value + 1, "tenfold": value * 10}
    if isinstance(value, str):
        others |= {"other case": value.swapcase(), "a blank more": value + " "}
        others |= {"a number": int(value)} if value.isdigit() else {}
    if isinstance(value, float):
        others |= {"a whole number": int(value), "a little more": value + 0.25}
    return [Lie(f"type or value: {name}", altered(fields, value=other)) for name, other in others.items()]


def _other_keys(fields: Fields, found: list[tuple[str, Any]], decoy: str) -> list[Lie]:
    key = fields["subject"]
    lies = [Lie("another key", altered(fields, subject=other)) for other, _ in found[:6] if other != key]
    return [
        *lies[:3],
        Lie("the decoy", altered(fields, scope=decoy), cats(decoy)),
        Lie("by the decoy", altered(fields, value="decoyed"), cats(decoy)),
        Lie("other case", altered(fields, subject=key.upper())),
        Lie("a key that is not there", altered(fields, subject=f"{key}.none")),
        Lie("without its parent", altered(fields, subject=key.rpartition(".")[2])),
        Lie("no such file", altered(fields, scope="ghost.json")),
    ]


def with_unit(dice: Random) -> Made:
    """A number whose key tells its unit, in that unit or in another."""
    tree, path, kind, settings = _configured(dice)
    if kind == "ini":
        return with_unit(dice)
    keys = ("server.timeout_ms", "limits.memory_mb", "limits.cache_kib")
    key = dice.choice(keys)
    section, name = key.split(".")
    value, suffix = settings[section][name], name.rpartition("_")[2]
    unit, number = dice.choice([(suffix, value), *_converted(value, suffix)])
    fields = claim("value_of", key, number, unit, path)
    lies = [
        Lie("the number of another unit", altered(fields, unit="s" if suffix == "ms" else "gb", value=value)),
        Lie("another dimension", altered(fields, unit="kib" if suffix == "ms" else "ms")),
        Lie("decimal and binary", altered(fields, unit="kb" if suffix == "kib" else "mib", value=value)),
        Lie("one more", altered(fields, value=number + 1)),
        Lie("a key without a unit", altered(fields, subject="server.port", value=settings["server"]["port"])),
    ]
    return Made(tree, fields, {"cat": cats(path)}, lies, {"names": [call("find", path=".")]})


def _converted(value: int, suffix: str) -> Iterator[tuple[str, Any]]:
    """The same quantity in units in which it is a whole number, or has two decimals."""
    if suffix in SECONDS and value % 1000 == 0:
        yield "s", value // 1000
    elif suffix in SECONDS:
        yield "s", value / 1000
        yield "us", value * 1000
    if suffix == "mb":
        yield "kb", value * 1000
    if suffix in BYTES:
        yield "b", value * BYTES[suffix]


def how_many(dice: Random) -> Made:
    """Keys of a mapping, or items of a list."""
    tree, path, kind, settings = _configured(dice)
    if kind == "ini":
        key, unit, number = "server", "keys", len(settings["server"])
    else:
        key, unit, number = dice.choice(
            (("server", "keys", 5), ("limits", "keys", 4), ("steps", "items", 3), ("steps[0]", "keys", 2))
        )
    fields = claim("count", key, number, unit, path)
    other = "items" if unit == "keys" else "keys"
    lies = [
        Lie("one more", altered(fields, value=number + 1)),
        Lie("one less", altered(fields, value=number - 1)),
        Lie("the other unit", altered(fields, unit=other)),
        Lie("of a single value", altered(fields, subject="server.port", value=1)),
        Lie("another key", altered(fields, subject="limits", value=5)),
        Lie("a decimal number", altered(fields, value=float(number))),
    ]
    weak = {"the beginning": [call("head", path=path, lines=1)], "names": [call("find", path=".")]}
    return Made(tree, fields, {"cat": cats(path)}, lies, weak)


def value_bound(dice: Random) -> Made:
    """A configured number above or below another, written or configured."""
    tree, path, kind, settings = _configured(dice)
    if kind == "ini":
        return value_bound(dice)
    numbers = {
        key: value
        for key, value in leaves(settings)
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    key, other = dice.choice(sorted(numbers)), dice.choice(("server.port", "server.ratio", "limits.retries"))
    predicate = dice.choice(("greater", "less"))
    sign = -1 if predicate == "greater" else 1
    against: Any = numbers[key] + sign * dice.choice((1, 5, 0.5))
    is_bare = not key.endswith(("_ms", "_mb", "_kib"))
    if dice.random() < 0.5 and is_bare and numbers[key] != numbers[other]:
        predicate, against = ("greater" if numbers[key] > numbers[other] else "less"), other
    fields = claim(predicate, key, against, scope=path)
    opposite = "less" if predicate == "greater" else "greater"
    texts = [name for name, value in leaves(settings) if not isinstance(value, int | float)]
    lies = [
        Lie("equal", altered(fields, value=numbers[key])),
        Lie("the other way", altered(fields, predicate=opposite)),
        Lie("with itself", altered(fields, value=key)),
        Lie("a text", altered(fields, subject=texts[0], value=0, predicate="greater")),
        Lie("a truth value", altered(fields, subject="server.debug", value=-1, predicate="greater")),
    ]
    weak = {"names": [call("find", path=".")], "the decoy": cats("backup/" + path.rpartition("/")[2])}
    return Made(tree, fields, {"cat": cats(path)}, lies, weak)
