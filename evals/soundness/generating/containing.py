"""Claims about what stands in files and directories, and what does not."""

from __future__ import annotations

from random import Random

from evals.soundness.generating.parts import Actions, Lie, Made, altered, call, cats, claim
from evals.soundness.generating.reading import texts
from evals.soundness.generating.trees import SPECIAL, WORDS, scopes
from evals.soundness.tree import Tree


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
    tree, path = texts(dice)
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
