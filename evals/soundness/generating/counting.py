"""Claims about numbers: sizes, files, directories, matching lines, occurrences; exact, and as bounds."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from evals.soundness.generating.existing import listings
from evals.soundness.generating.parts import Actions, Fields, Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import SPECIAL, WORDS, plain_files, scopes, text_of, tree_of
from evals.soundness.tree import Tree
from evals.soundness.truth import measure

SIZES = ("lines", "words", "bytes")


def _wrong_numbers(fields: Fields) -> list[Lie]:
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
    lies = _wrong_numbers(fields)
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
    weak = {"another file": [call("wc", path="spare.txt")], "another unit": [call("stat", path=path)]}
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
    lies = [*_wrong_numbers(fields), Lie("of all files", altered(fields, value=every))]
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
        *_wrong_numbers(fields),
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
        *_wrong_numbers(fields),
        Lie("of one level", altered(fields, value=0), [call("find", path=scope, type="d", maxdepth=0)]),
        Lie("entries of all kinds", altered(fields, value=count + len(list(tree.below(scope, "file"))))),
    ]
    return Made(tree, fields, ways, lies, {"files": [call("find", path=scope, type="f", name="*.none")]})


def _planted(dice: Random) -> tuple[Tree, str]:
    """A tree with a literal in some of its files."""
    literal = dice.choice((*SPECIAL, *WORDS[:4], "TODO", "err=7", "aXa"))
    tree = tree_of(dice)
    files = {**tree.files, "notes/plain.txt": text_of(dice, 1, 4)}
    paths = plain_files(Tree(files))
    for path in dice.sample(paths, k=min(3, len(paths))):
        files[path] += "".join(
            dice.choice(
                (f"see {literal} there\n", f"{literal}\n", f"{literal} and {literal}\n", f"x{literal}y\n")
            )
            for _ in range(dice.randint(1, 3))
        )
    files |= {"notes/case.txt": "read me\nreader reads\nnotes\n", "notes/aaaa.txt": "aaaa\n"}
    return Tree(files, tree.links), literal


def _greps(literal: str, scope: str, tree: Tree) -> dict[str, Actions]:
    """Ways to see every line below a directory, or of a file, that holds a text."""
    if tree.text(scope) is not None:
        return {
            "cat": cats(scope),
            "grep -F": [call("grep", pattern=literal, path=scope, fixed=True)],
            "grep -nF": [call("grep", pattern=literal, path=scope, fixed=True, line_number=True)],
        }
    return {
        "grep -rF": [call("grep", pattern=literal, path=scope, fixed=True, recursive=True)],
        "grep -rnF": [
            call("grep", pattern=literal, path=scope, fixed=True, recursive=True, line_number=True)
        ],
        "find and cat": [call("find", path=scope, type="f"), *cats(*tree.below(scope, "file"))],
    }


def text_count(dice: Random) -> Made:
    """Lines that hold a text, or how often it stands there."""
    tree, literal = _planted(dice)
    scope = dice.choice([*scopes(tree), *plain_files(tree)])
    unit = dice.choice(("matching lines", "occurrences"))
    number = measure(literal, unit, scope, tree)
    fields = claim("count", literal, number, unit, scope)
    ways = _greps(literal, scope, tree)
    recursive = {} if tree.text(scope) is not None else {"recursive": True}
    if unit == "matching lines":
        ways["grep -cF"] = [call("grep", pattern=literal, path=scope, fixed=True, count=True, **recursive)]
    other = "occurrences" if unit == "matching lines" else "matching lines"
    lies = [
        *_wrong_numbers(fields),
        Lie("number of the other unit", altered(fields, value=measure(literal, other, scope, tree))),
        Lie(
            "regular expression",
            claim("count", "n.t.s", 1, unit, "notes"),
            [call("grep", pattern="n.t.s", path="notes", recursive=True)],
        ),
        Lie(
            "any case",
            claim("count", "READ", 1, unit, "notes/case.txt"),
            [call("grep", pattern="READ", path="notes/case.txt", ignore_case=True, count=True)],
        ),
        Lie(
            "whole words",
            claim("count", "read", 1, unit, "notes/case.txt"),
            [call("grep", pattern="read", path="notes/case.txt", word=True, count=True)],
        ),
        Lie(
            "lines without it",
            claim("count", "read", 1, unit, "notes/case.txt"),
            [call("grep", pattern="read", path="notes/case.txt", invert=True, count=True)],
        ),
        Lie("overlapping", claim("count", "aa", 3, "occurrences", "notes/aaaa.txt"), cats("notes/aaaa.txt")),
    ]
    weak = {
        "some of its lines": [call("head", path="notes/case.txt", lines=1)],
        "another text": [call("grep", pattern="ghost", path=scope, fixed=True, **recursive)],
    }
    return Made(tree, fields, ways, lies, weak)


def bound(dice: Random) -> Made:
    """A number above or below another number, or that of another subject."""
    made = dice.choice((size_of_file, files_named, text_count))(dice)
    value = made.claim["value"]
    predicate = dice.choice(("greater", "less"))
    sign = -1 if predicate == "greater" else 1
    fields = altered(made.claim, predicate=predicate, value=value + sign * dice.choice((1, 1, 2, 50)))
    opposite = "less" if predicate == "greater" else "greater"
    lies = [
        Lie("equal", altered(fields, value=value)),
        Lie("the other way", altered(fields, predicate=opposite)),
        Lie("one beyond", altered(fields, value=value - sign)),
        Lie("a number in quotes", altered(fields, value=str(value + sign))),
        Lie("a failed command", altered(fields, value=value - sign), [call("cat", path="ghost.cfg")]),
    ]
    # That a number is above a negative one needs no more than the file.
    return replace(made, claim=fields, lies=lies, weak={} if fields["value"] < 0 else made.weak)


def compared_files(dice: Random) -> Made:
    """One file larger than another."""
    tree = tree_of(dice, 4, 9)
    paths = plain_files(tree)
    if len(paths) < 2:
        return compared_files(dice)
    first, second = dice.sample(paths, 2)
    unit = dice.choice(("lines", "bytes"))
    sizes = [measure(path, unit, None, tree) for path in (first, second)]
    predicate = "greater" if sizes[0] > sizes[1] else "less"
    fields = claim(predicate, first, second, unit)
    opposite = {"greater": "less", "less": "greater"}[predicate]
    ways = {
        "wc of both": [call("wc", paths=[first, second], **{unit: True})],
        "cat of both": cats(first, second),
        "one after the other": [call("wc", path=first), call("wc", path=second)],
    }
    lies = [
        Lie("the other way", altered(fields, predicate=opposite)),
        Lie("swapped", altered(fields, subject=second, value=first)),
        Lie("with itself", altered(fields, value=first)),
    ]
    return Made(tree, fields, ways, lies, {"one of them": [call("wc", path=second, **{unit: True})]})
