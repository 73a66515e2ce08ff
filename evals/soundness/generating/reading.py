"""Claims about what a file, or a line of it, is."""

from __future__ import annotations

import hashlib
from random import Random

from evals.soundness.generating.parts import Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import add, plain_files, text_of, tree_of
from evals.soundness.tree import Tree

WHOLE = "note.txt"


def texts(dice: Random) -> tuple[Tree, str]:
    """A tree, and a file in it with some lines."""
    tree = tree_of(dice)
    files = dict(tree.files)
    name = dice.choice((WHOLE, "docs/two words.md", ".config/.rc", "src/naïve.txt"))
    add(files, name, text_of(dice, 2, 7))
    add(files, "decoy/" + name.rpartition("/")[2], text_of(dice, 2, 7))
    return Tree(files, tree.links), name if name in files else next(iter(plain_files(tree)))


def whole_text(dice: Random) -> Made:
    """A file's whole text."""
    tree, path = texts(dice)
    text = tree.files[path]
    fields = claim("equals", path, text if dice.random() < 0.5 else text.removesuffix("\n"))
    ways = {"cat": cats(path), "head": [call("head", path=path, lines=100)]}
    lies = [
        Lie("two final newlines", altered(fields, value=text + "\n\n")),
        Lie("a space more", altered(fields, value=text.removesuffix("\n") + " ")),
        Lie("other case", altered(fields, value=text.swapcase())),
        Lie("a line less", altered(fields, value=text.removesuffix("\n").rpartition("\n")[0])),
        Lie(
            "of its namesake", altered(fields, value=tree.files.get("decoy/" + path.rpartition("/")[2], "?"))
        ),
        Lie("echoed", altered(fields, value="hello"), [{"raw": "echo hello"}]),
        Lie("a number", altered(fields, value=1)),
        Lie("carriage returns left out", altered(fields, value=text.replace("\r", "").replace("\n", "\r\n"))),
    ]
    weak = {
        "its first line": [call("head", path=path, lines=1)],
        "its namesake": cats("decoy/" + path.rpartition("/")[2]),
        "its size": [call("wc", path=path)],
    }
    return Made(tree, fields, ways, lies, weak if len(tree.lines(path)) > 1 else {})


def one_line(dice: Random) -> Made:
    """One line of a file."""
    tree, path = texts(dice)
    lines = tree.lines(path)
    number = dice.randint(1, len(lines)) if lines else 1
    line = lines[number - 1] if lines else ""
    fields = claim("equals", f"{path}:{number}", line)
    ways = {
        "cat": cats(path),
        "cat -n": [call("cat", path=path, number=True)],
        "head": [call("head", path=path, lines=number)],
        "head of more": [call("head", path=path, lines=number + 2)],
    }
    if line.strip() and "\r" not in line:
        ways["grep -n"] = [call("grep", pattern=line, path=path, fixed=True, line_number=True)]
    lies = [
        Lie("next line", altered(fields, subject=f"{path}:{number + 1}")),
        Lie("line before", altered(fields, subject=f"{path}:{number - 1}")),
        Lie("of its namesake", altered(fields, subject=f"decoy/{path.rpartition('/')[2]}:{number}")),
        Lie("a word more", altered(fields, value=f"{line} more")),
        Lie("other case", altered(fields, value=line.swapcase())),
        Lie("without its end", altered(fields, value=line[:-1])),
        Lie("from the end", altered(fields, subject=f"{path}:1"), [call("tail", path=path, lines=1)]),
        Lie("beyond the end", altered(fields, subject=f"{path}:{len(lines) + 1}", value="")),
    ]
    weak = {"too few lines": [call("head", path=path, lines=number - 1)]} if number > 1 else {}
    weak["a number of lines"] = [call("wc", path=path)]
    return Made(tree, fields, ways, lies, weak)


def same_file(dice: Random) -> Made:
    """Two files with the same bytes."""
    tree, path = texts(dice)
    twin, text = "copies/twin.txt", tree.files[path]
    near = text.removesuffix("\n") if text.endswith("\n") else text + "\n"
    files = {**tree.files, twin: text, "copies/near.txt": near, "copies/far.txt": text.swapcase() + "Z\n"}
    fields = claim("equals", path, twin, "file")
    ways = {
        "cat of both": cats(path, twin),
        "diff": [call("diff", paths=[path, twin])],
        "diff --brief": [call("diff", paths=[path, twin], brief=True)],
        "sha256sum of both": [{"raw": f"sha256sum '{path}' {twin}"}],
    }
    near_both, far_both = ("copies/near.txt", path), ("copies/far.txt", path)
    lies = [
        Lie("final newline", altered(fields, value=near_both[0]), cats(*near_both)),
        Lie("other case", altered(fields, value=far_both[0]), [call("diff", paths=[*far_both], brief=True)]),
        Lie("diff of others", altered(fields, value=near_both[0])),
        Lie("same size", altered(fields, value=far_both[0]), [call("wc", paths=[*far_both])]),
        Lie("no such file", altered(fields, value="copies/none.txt")),
    ]
    weak = {"one of them": cats(path), "sizes": [call("wc", paths=[path, twin])]}
    # Two empty files are told by their sizes.
    return Made(Tree(files, tree.links), fields, ways, lies, weak if text else {})


def digest(dice: Random) -> Made:
    """The SHA-256 of a file."""
    tree, path = texts(dice)
    right = hashlib.sha256(tree.files[path].encode()).hexdigest()
    other = hashlib.sha256(tree.files[path].encode() + b"\n").hexdigest()
    fields = claim("equals", path, right, "sha256")
    ways = {"cat": cats(path), "sha256sum": [{"raw": f"sha256sum '{path}'"}]}
    lies = [
        Lie("digest of a line more", altered(fields, value=other)),
        Lie("one digit", altered(fields, value=("1" if right[0] == "0" else "0") + right[1:])),
        Lie("of another file", altered(fields, subject="decoy/" + path.rpartition("/")[2])),
        Lie("echoed", altered(fields, value=other), [{"raw": f"echo {other}  {path}"}]),
    ]
    return Made(tree, fields, ways, lies, {"its size": [call("wc", path=path)]} if tree.files[path] else {})
