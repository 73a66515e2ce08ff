"""Claims about numbers: sizes of files, and how many files and directories there are."""

from __future__ import annotations

from random import Random

from evals.soundness.generating.existing import listings
from evals.soundness.generating.parts import Fields, Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import plain_files, scopes, tree_of
from evals.soundness.tree import Tree
from evals.soundness.truth import measure

SIZES = ("lines", "words", "bytes")
LARGE = 300
"""Bytes, from which on they settle no claim about lines or words that is generated here."""


def wrong_numbers(fields: Fields) -> list[Lie]:
    """Claims of another number, of no number, and of one that was never counted."""
    value = fields["value"]
    return [
        Lie("one more", altered(fields, value=value + 1)),
        Lie("one less", altered(fields, value=value - 1)),
        Lie("a decimal number", altered(fields, value=float(value))),
        Lie("a number in quotes", altered(fields, value=str(value))),
        Lie("true instead of a number", altered(fields, value=True)),
        Lie("echoed", altered(fields, value=value + 1), [{"raw": f"echo {value + 1}"}]),
        Lie("a failed command", altered(fields, value=0), [call("cat", path="ghost.cfg")]),
    ]


def size_of_file(dice: Random) -> Made:
    """Lines, words or bytes of one file."""
    tree = tree_of(dice)
    path, unit = dice.choice(plain_files(tree) or ["none"]), dice.choice(SIZES)
    if unit == "words":
        tree = Tree({**tree.files, path: _ascii(tree.files.get(path, ""))}, tree.links)
    fields = claim("count", path, measure(path, unit, None, tree), unit)
    ways = {
        "wc": [call("wc", path=path, **{unit: True})],
        "wc of all three": [call("wc", path=path)],
        "cat": cats(path),
        "wc of several": [call("wc", paths=[path, "spare.txt"], **{unit: True})],
        "pipe": [{"raw": f"cat '{path}' | wc -{unit[0].replace('b', 'c')}"}]
        if "'" not in path
        else cats(path),
    }
    others = [other for other in SIZES if other != unit]
    lies = wrong_numbers(fields)
    lies += [
        Lie("number of another unit", altered(fields, value=measure(path, other, None, tree)))
        for other in others
    ]
    spare = measure("spare.txt", unit, None, _with_spare(tree))
    lies.append(
        Lie(
            "number of another file",
            altered(fields, value=spare),
            [call("wc", path="spare.txt", **{unit: True})],
        )
    )
    lies.append(
        Lie("the total", altered(fields, value=fields["value"] + spare), ways["wc of several"]),
    )
    weak = {"another file": [call("wc", path="spare.txt")]}
    # Of a small file its bytes bound the rest: an empty one has no line, and thirty bytes are no fifty words.
    if len(tree.files.get(path, "").encode()) > LARGE:
        weak["another unit"] = [call("stat", path=path)]
    return Made(_with_spare(tree), fields, ways, lies, weak if unit != "bytes" else {})


def _ascii(text: str) -> str:
    return text.encode("ascii", "ignore").decode("ascii")


def _with_spare(tree: Tree) -> Tree:
    return Tree({**tree.files, "spare.txt": "spare one\nspare two\nspare three and four\n" * 7}, tree.links)


def size_of_files(dice: Random) -> Made:
    """Sum of sizes of all files of a name pattern below a directory."""
    tree = tree_of(dice, 4, 8)
    scope, pattern, unit = dice.choice(scopes(tree)), _pattern(dice, tree), dice.choice(("lines", "bytes"))
    paths = tree.named(pattern, scope, "file")
    fields = claim("count", pattern, measure(pattern, unit, scope, tree), unit, scope)
    find = call("find", path=scope, name=pattern, type="f")
    ways = {
        "find and cat": [find, *cats(*paths)],
        "find and wc": [find, *([call("wc", paths=paths, **{unit: True})] if paths else [])],
        "all names": [*listings(scope)["find"], *cats(*paths)],
    }
    every = measure("*", unit, scope, tree)
    lies = [*wrong_numbers(fields), Lie("of all files", altered(fields, value=every))]
    weak = {"names alone": [find], "texts alone": cats(*paths)} if paths else {}
    return Made(tree, fields, ways, lies, weak)


def _pattern(dice: Random, tree: Tree) -> str:
    path = dice.choice(plain_files(tree) or ["none"])
    extension = path.rpartition("/")[2].rpartition(".")[2]
    return dice.choice((f"*.{extension}", "*.txt", "*.py", "*"))


def files_named(dice: Random) -> Made:
    """How many files of a name pattern there are below a directory."""
    tree = tree_of(dice)
    scope, pattern = dice.choice(scopes(tree)), _pattern(dice, tree)
    fields = claim("count", pattern, len(tree.named(pattern, scope, "file")), "files", scope)
    ways = {
        **listings(scope),
        "find by name and type": [call("find", path=scope, name=pattern, type="f")],
        "find by type": [call("find", path=scope, type="f")],
        "counted": [{"raw": f"find '{scope}' -type f -name '{pattern}' | wc -l"}],
    }
    if any(set("\n\t\\") & set(path) for path in tree.files):
        del ways["counted"]
    top = [path for path in tree.named(pattern, scope, "file") if path.count("/") == _depth(scope)]
    seen = [path for path in tree.named(pattern, scope, "file") if not _hidden(path, scope)]
    lies = [
        *wrong_numbers(fields),
        Lie(
            "of one level",
            altered(fields, value=len(top)),
            [call("find", path=scope, name=pattern, type="f", maxdepth=1)],
        ),
        Lie("without dot files", altered(fields, value=len(seen)), [call("ls", path=scope, recursive=True)]),
        Lie("of any name", altered(fields, value=len(list(tree.below(scope, "file"))))),
        Lie("of the whole sandbox", altered(fields, value=len(tree.named(pattern, ".", "file")))),
    ]
    weak = {
        "one level": [call("find", path=".", maxdepth=0)],
        "directories": [call("find", path=".", type="d")],
    }
    return Made(tree, fields, ways, lies, weak)


def _depth(scope: str) -> int:
    return 0 if scope == "." else scope.count("/") + 1


def _hidden(path: str, scope: str) -> bool:
    return any(part.startswith(".") for part in path.split("/")[_depth(scope) :])


def directories_below(dice: Random) -> Made:
    """How many directories there are below one."""
    tree = tree_of(dice)
    scope = dice.choice(scopes(tree))
    count = len(list(tree.below(scope, "directory")))
    fields = claim("count", scope, count, "directories")
    ways = {**listings(scope), "find by type": [call("find", path=scope, type="d")]}
    lies = [
        *wrong_numbers(fields),
        Lie("of one level", altered(fields, value=0), [call("find", path=scope, type="d", maxdepth=0)]),
        Lie("entries of all kinds", altered(fields, value=count + len(list(tree.below(scope, "file"))))),
    ]
    return Made(tree, fields, ways, lies, {"files": [call("find", path=scope, type="f", name="*.none")]})
