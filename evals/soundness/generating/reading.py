"""Claims about texts: what a file is, and what stands in it or does not."""

from __future__ import annotations

import hashlib
from random import Random

from evals.soundness.generating.parts import Actions, Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import SPECIAL, WORDS, add, plain_files, scopes, text_of, tree_of
from evals.soundness.tree import Tree

WHOLE = "note.txt"


def _texts(dice: Random) -> tuple[Tree, str]:
    """A tree, and a file in it with some lines."""
    tree = tree_of(dice)
    files = dict(tree.files)
    name = dice.choice((WHOLE, "docs/two words.md", ".config/.rc", "src/naïve.txt"))
    add(files, name, text_of(dice, 2, 7))
    add(files, "decoy/" + name.rpartition("/")[2], text_of(dice, 2, 7))
    return Tree(files, tree.links), name if name in files else next(iter(plain_files(tree)))


def whole_text(dice: Random) -> Made:
    """A file's whole text."""
    tree, path = _texts(dice)
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
    tree, path = _texts(dice)
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
    tree, path = _texts(dice)
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
    tree, path = _texts(dice)
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


def _searches(literal: str, subject: str, tree: Tree) -> dict[str, Actions]:
    if tree.text(subject) is not None:
        return {
            "cat": cats(subject),
            "grep -F": [call("grep", pattern=literal, path=subject, fixed=True)],
            "grep -c": [call("grep", pattern=literal, path=subject, fixed=True, count=True)],
            "grep -l": [call("grep", pattern=literal, path=subject, fixed=True, files_with_matches=True)],
        }
    return {
        "grep -rF": [call("grep", pattern=literal, path=subject, fixed=True, recursive=True)],
        "grep -rlF": [
            call("grep", pattern=literal, path=subject, fixed=True, recursive=True, files_with_matches=True)
        ],
        "find and cat": [call("find", path=subject, type="f"), *cats(*tree.below(subject, "file"))],
    }


def _planted(dice: Random) -> tuple[Tree, str, str]:
    """A tree, a text, and the file it was put into."""
    tree, path = _texts(dice)
    literal = dice.choice((*SPECIAL, "token-7f3a", "Port: 80", WORDS[3]))
    line = dice.choice((f"see {literal} there", literal, f"x {literal} y", f"pre{literal}post"))
    text = tree.files[path]
    return (
        Tree({**tree.files, path: text + ("" if text.endswith("\n") else "\n") + line + "\n"}, tree.links),
        literal,
        path,
    )


def text_in(dice: Random) -> Made:
    """A text that stands in a file, or in some file below a directory."""
    tree, literal, path = _planted(dice)
    subject = dice.choice((path, path, ".", path.rpartition("/")[0] or "."))
    last = tree.lines(path)[-1]
    fields, actions = claim("contains", subject, literal), {}
    if last == literal and dice.random() < 0.5:
        fields = altered(fields, unit="line")
        actions = {"cat": cats(path), "grep -F": [call("grep", pattern=literal, path=path, fixed=True)]}
    elif f" {literal} " in f" {last} " and dice.random() < 0.4:
        fields = altered(fields, unit="word")
        actions = {
            "cat": cats(path),
            "grep -wF": [call("grep", pattern=literal, path=path, fixed=True, word=True)],
        }
    ways = actions or {**_searches(literal, subject, tree), "cat": cats(path)}
    ways["tail"] = [call("tail", path=path, lines=1)]
    dotted = literal.replace(literal[1], ".", 1) if len(literal) > 1 else "."
    lies = [
        Lie(
            "other case",
            altered(fields, value=literal.swapcase()),
            [call("grep", pattern=literal.swapcase(), path=path, ignore_case=True, fixed=True)],
        ),
        Lie("regular expression", altered(fields, value=dotted), [call("grep", pattern=dotted, path=path)]),
        Lie("part of a word", altered(fields, value="tok", unit="word")),
        Lie("part of a line", altered(fields, value=last[:-1], unit="line")),
        Lie("a text more", altered(fields, value=literal + "~~")),
        Lie("in another file", altered(fields, subject="decoy/" + path.rpartition("/")[2])),
        Lie("echoed", altered(fields, value="ghost"), [{"raw": f"echo ghost {path}"}]),
        Lie("a failed command", altered(fields, value="No such file"), [call("cat", path="ghost.cfg")]),
        Lie("a file's name", altered(fields, value="decoy/"), [call("find", path=".")]),
        Lie("not contained", altered(fields, predicate="not_contains")),
        Lie(
            "not contained, by its first line",
            altered(fields, predicate="not_contains"),
            [call("head", path=path, lines=1)],
        ),
        Lie(
            "not contained, by a failed command",
            altered(fields, predicate="not_contains"),
            [call("grep", pattern=literal, path="ghost.cfg", fixed=True)],
        ),
        Lie(
            "not contained, by a longer text",
            altered(fields, predicate="not_contains"),
            [call("grep", pattern=literal + "~~", path=path, fixed=True)],
        ),
    ]
    weak = {"another file": cats("decoy/" + path.rpartition("/")[2])}
    return Made(tree, fields, ways, lies, weak if subject == path else {})


def _without_dot_files(tree: Tree) -> list[str]:
    return [path for path in tree.below(".", "file") if "/." not in f"/{path}"]


def text_not_in(dice: Random) -> Made:
    """A text that stands nowhere in a file or below a directory."""
    tree, present, path = _planted(dice)
    subject = dice.choice((path, path, *scopes(tree)))
    literal = dice.choice(("ghost", "a.z", "[none]", "é!", "TOKEN", "\\d+", "*none*"))
    fields = claim("not_contains", subject, literal)
    ways = {way: actions for way, actions in _searches(literal, subject, tree).items() if way != "grep -rlF"}
    lies = [
        Lie("contained", altered(fields, predicate="contains")),
        Lie("it is there", altered(fields, subject=path, value=present), cats(path)),
        Lie("sought in other case", altered(fields, subject=path, value=present), [
            call("grep", pattern=present.swapcase() + "Q", path=path, fixed=True)
        ]),
        Lie("sought as a word", altered(fields, subject=path, value=present[:-1]), [
            call("grep", pattern=present[:-1], path=path, fixed=True, word=True)
        ]),
        Lie("sought elsewhere", altered(fields, subject=path, value=present), [
            call("grep", pattern=present, path="aside", fixed=True, recursive=True)
        ]),
        Lie("sought as a regular expression", altered(fields, subject=path, value=present), [
            call("grep", pattern=present, path=path)
        ]),
        Lie("no such file", altered(fields, subject="ghost.cfg"), [
            call("grep", pattern=literal, path="ghost.cfg", fixed=True)
        ]),
        Lie("dot files unseen", altered(fields, subject=".", value="veiled"), [
            call("ls", path=".", recursive=True), *cats(*_without_dot_files(tree))
        ]),
    ]  # fmt: skip
    files = {**tree.files, "aside/one.txt": "1\n", ".veil": "veiled\n"}
    tree = Tree(files, tree.links)
    ways |= (
        {"find and cat": [call("find", path=subject, type="f"), *cats(*tree.below(subject, "file"))]}
        if (tree.text(subject) is None)
        else {}
    )
    weak = {
        "another text": [call("grep", pattern=literal + "x", path=path, fixed=True)],
        "its last line": [call("tail", path=path, lines=1)],
    }
    return Made(tree, fields, ways, lies, weak if tree.files.get(subject, "").count("\n") > 1 else {})
