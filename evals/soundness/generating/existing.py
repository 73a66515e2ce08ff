"""Claims that something exists or is absent."""

from __future__ import annotations

from random import Random

from evals.soundness.generating.parts import Actions, Lie, Made, altered, call, claim
from evals.soundness.generating.trees import WORDS, joined, plain_files, scopes, tree_of
from evals.soundness.tree import Tree

NO_NAMES = ("*.zip", "missing*", "ghost.cfg", "*.LOG2", "gh?st.*")


def _parent(path: str) -> str:
    return path.rpartition("/")[0] or "."


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _swapped(path: str) -> str:
    name = _name(path)
    return joined(_parent(path), name.swapcase())


def listings(scope: str) -> dict[str, Actions]:
    """Ways to see all that is below a directory."""
    return {
        "find": [call("find", path=scope)],
        "ls -aR": [call("ls", path=scope, all=True, recursive=True)],
    }


def file_exists(dice: Random) -> Made:
    """A file, by its path."""
    tree = tree_of(dice)
    path = dice.choice(plain_files(tree) or ["none"])
    unit = dice.choice(("file", None))
    fields = claim("exists", path, unit=unit)
    ways = {
        "cat": [call("cat", path=path)],
        "stat": [call("stat", path=path)],
        "wc": [call("wc", path=path, lines=True)],
        "find in parent": [call("find", path=_parent(path), type="f")],
        "ls -l of parent": [call("ls", path=_parent(path), all=True, long=True)],
    }
    lies = [
        Lie("sibling that is not there", altered(fields, subject=path + "x")),
        Lie("other case", altered(fields, subject=_swapped(path))),
        Lie("a file as a directory", altered(fields, unit="directory")),
        Lie("below a file", altered(fields, subject=path + "/inner.txt")),
        Lie("its name elsewhere", altered(fields, subject=joined("lib/other", _name(path)))),
        Lie("what a link out of the sandbox holds", claim("exists", "pointer/hostname", unit="file")),
        Lie("a failed command", altered(fields, subject="ghost.cfg"), [call("cat", path="ghost.cfg")]),
        Lie("echoed", altered(fields, subject="ghost.cfg"), [{"raw": "echo ghost.cfg"}]),
        Lie("absent", altered(fields, predicate="absent")),
    ]
    weak = {"another file": [call("stat", path="."), call("find", path=".", name="ghost.cfg")]}
    return Made(tree, fields, ways, lies, weak)


def directory_exists(dice: Random) -> Made:
    """A directory, by its path."""
    tree = tree_of(dice, 5, 9)
    tree = Tree({**tree.files, "store/deep/": ""}, tree.links)
    path = dice.choice(sorted(tree.directories()))
    fields = claim("exists", path, unit=dice.choice(("directory", None)))
    ways = {
        "stat": [call("stat", path=path)],
        "find": [call("find", path=".", type="d")],
        "ls -l of parent": [call("ls", path=_parent(path), all=True, long=True)],
    }
    lies = [
        Lie("a directory as a file", altered(fields, unit="file")),
        Lie("sibling that is not there", altered(fields, subject=path + "s")),
        Lie("other case", altered(fields, subject=_swapped(path))),
        Lie("absent", altered(fields, predicate="absent")),
    ]
    return Made(tree, fields, ways, lies, {"the sandbox alone": [call("stat", path=".")]})


def name_exists(dice: Random) -> Made:
    """Some file of a name or pattern below a directory."""
    tree = tree_of(dice)
    path = dice.choice(plain_files(tree) or ["none"])
    name = _name(path)
    extension = name.rpartition(".")[2]
    pattern = dice.choice((name, f"*.{extension}" if "." in name[1:] else f"{name[:2]}*"))
    scope = dice.choice([scope for scope in scopes(tree) if path in tree.below(scope, "file")])
    fields = claim("exists", pattern, unit=dice.choice(("file", None)), scope=scope)
    ways = {
        **listings(scope),
        "find by name": [call("find", path=scope, name=pattern)],
        "find by name and type": [call("find", path=scope, name=pattern, type="f")],
    }
    lies = [
        Lie("other pattern", altered(fields, subject=f"{pattern}z")),
        Lie("other scope", altered(fields, scope="lib/none")),
        Lie("a file as a directory", altered(fields, unit="directory")),
        Lie("absent", altered(fields, predicate="absent")),
        Lie("hidden from ls", altered(fields, predicate="absent"), [call("ls", path=scope, recursive=True)]),
        Lie(
            "too deep for find",
            altered(fields, predicate="absent"),
            [call("find", path=scope, name=pattern, maxdepth=1)],
        ),
        Lie(
            "searched as a directory",
            altered(fields, predicate="absent", unit=None),
            [call("find", path=scope, name=pattern, type="d")],
        ),
        Lie(
            "searched elsewhere",
            altered(fields, predicate="absent"),
            [call("find", path="store", name=pattern)],
        ),
    ]
    return Made(Tree({**tree.files, "store/": ""}, tree.links), fields, ways, lies)


def path_absent(dice: Random) -> Made:
    """Nothing at a path."""
    tree = tree_of(dice)
    parent = dice.choice(scopes(tree))
    path = joined(parent, dice.choice(WORDS) + ".absent")
    fields = claim("absent", path, unit=dice.choice(("file", None, None)))
    ways = {
        "stat": [call("stat", path=path)],
        "ls -a of parent": [call("ls", path=parent, all=True)],
        "find in parent": [call("find", path=parent)],
        "find by name": [call("find", path=parent, name=_name(path))],
    }
    there = dice.choice(plain_files(tree) or ["none"])
    lies = [
        Lie("it exists", altered(fields, predicate="exists")),
        Lie("another that exists", altered(fields, subject=there)),
        Lie(
            "hidden from ls",
            claim("absent", joined(parent, ".veiled"), scope=None),
            [call("ls", path=parent)],
        ),
    ]
    weak = {
        "elsewhere": [call("ls", path="aside", all=True)],
        "hidden left out": [call("find", path=parent, type="d", name="*.absence")],
    }
    files = {**tree.files, joined(parent, ".veiled"): "", "aside/one.txt": "1\n"}
    return Made(Tree(files, tree.links), fields, ways, lies, weak)


def name_absent(dice: Random) -> Made:
    """Nothing of a name or pattern below a directory."""
    tree = tree_of(dice)
    scope, pattern = dice.choice(scopes(tree)), dice.choice(NO_NAMES)
    unit = dice.choice(("file", None))
    fields = claim("absent", pattern, unit=unit, scope=scope)
    ways = {**listings(scope), "find by name": [call("find", path=scope, name=pattern)]}
    lies = [Lie("it exists", altered(fields, predicate="exists"))]
    lies += [
        Lie(f"there is one: {how}", altered(fields, subject=_name(path)), actions)
        for path in plain_files(tree, scope)[:2]
        for how, actions in {
            "seen": listings(scope)["find"],
            "ls without dot files": [call("ls", path=scope, recursive=True)],
            "ls of one level": [call("ls", path=scope, all=True)],
            "other case asked": [call("find", path=scope, name=_name(path).swapcase())],
        }.items()
    ]
    weak = {
        "one level": [call("find", path=".", name=pattern, maxdepth=0)],
        "directories only": [call("find", path=scope, name=pattern, type="d")],
    }
    return Made(tree, fields, ways, lies, weak)
