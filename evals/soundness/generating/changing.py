"""Claims about two versions of a tree: files, lines and values that changed."""

from __future__ import annotations

import json
from random import Random

from evals.soundness.generating.configurations import document, leaves, written
from evals.soundness.generating.parts import Lie, Made, altered, call, cats, claim
from evals.soundness.generating.trees import WORDS, text_of
from evals.soundness.tree import Tree

OLD, NEW = "v1", "v2"


def _versions(dice: Random) -> tuple[dict[str, str], dict[str, str]]:
    """Two versions of some files; those named `kept` are alike, in `edited` one line is another."""
    lines = [f"{dice.choice(WORDS)} = {number * 7}" for number in range(1, 8)]
    number = dice.randrange(len(lines))
    edited = [*lines]
    edited[number] = f"{dice.choice(WORDS)} = {dice.randint(100, 999)}"
    if dice.random() < 0.4:
        edited.insert(dice.choice((0, len(edited))), "added = 1")
    kept = text_of(dice, 1, 5)
    old = {"app/edited.txt": "\n".join(lines) + "\n", "kept.txt": kept, "app/gone.txt": "gone\n"}
    new = {"app/edited.txt": "\n".join(edited) + "\n", "kept.txt": kept, "app/come.txt": "come\n"}
    settings = document(dice)
    old["conf.json"] = written(settings, "json")
    settings["server"]["port"] += 1
    settings["limits"]["label"] = "new"
    new["conf.json"] = written(settings, "json")
    return old, new


def _tree(old: dict[str, str], new: dict[str, str]) -> Tree:
    files = {f"{OLD}/{path}": text for path, text in old.items()}
    return Tree(files | {f"{NEW}/{path}": text for path, text in new.items()})


def _both(path: str) -> list[str]:
    return [f"{OLD}/{path}", f"{NEW}/{path}"]


def changed_file(dice: Random) -> Made:
    """A file whose content is another, or is not."""
    old, new = _versions(dice)
    path = dice.choice(("app/edited.txt", "kept.txt", "conf.json"))
    fields = claim("changed_between", path, path != "kept.txt", "file", [OLD, NEW])
    ways = {
        "cat of both": cats(*_both(path)),
        "diff": [call("diff", paths=_both(path))],
        "diff --brief": [call("diff", paths=_both(path), brief=True)],
    }
    another = "kept.txt" if path != "kept.txt" else "conf.json"
    lies = [
        Lie("the opposite", altered(fields, value=not fields["value"])),
        Lie(
            "the opposite, by another file", altered(fields, value=not fields["value"]), cats(*_both(another))
        ),
        Lie("between the same", altered(fields, value=True, scope=[OLD, OLD])),
        Lie("text instead of true", altered(fields, value=str(fields["value"]).lower())),
        Lie("no such file", altered(fields, subject="none.txt"), [call("diff", paths=_both("none.txt"))]),
    ]
    weak = {"one of them": cats(_both(path)[0]), "names": [call("find", path=".")]}
    return Made(_tree(old, new), fields, ways, lies, weak)


def changed_line(dice: Random) -> Made:
    """A line that was replaced by another."""
    old, new = _versions(dice)
    path = "app/edited.txt"
    before, after = old[path].splitlines(), new[path].splitlines()
    gone = [line for line in before if line not in after]
    come = [line for line in after if line not in before and line != "added = 1"]
    if len(gone) != 1 or len(come) != 1:
        return changed_line(dice)
    fields = claim("changed_between", path, [gone[0], come[0]], "line", [OLD, NEW])
    kept = next(line for line in before if line in after)
    lies = [
        Lie("swapped values", altered(fields, value=[come[0], gone[0]])),
        Lie("swapped versions", altered(fields, scope=[NEW, OLD])),
        Lie("a line that was kept", altered(fields, value=[kept, come[0]])),
        Lie("into a line that was kept", altered(fields, value=[gone[0], kept])),
        Lie("not changed", altered(fields, value=[kept, kept])),
        Lie("a digit more", altered(fields, value=[gone[0], come[0] + "0"])),
        Lie("other case", altered(fields, value=[gone[0].upper(), come[0]])),
        Lie("another file", altered(fields, subject="kept.txt"), cats(*_both("kept.txt"), *_both(path))),
        Lie("a line that was added", altered(fields, value=[kept, "added = 1"])),
    ]
    weak = {
        "one of them": cats(_both(path)[1]),
        "that they differ": [call("diff", paths=_both(path), brief=True)],
    }
    return Made(_tree(old, new), fields, {"cat of both": cats(*_both(path))}, lies, weak)


def changed_value(dice: Random) -> Made:
    """A configured value that is another."""
    old, new = _versions(dice)
    files = _both("conf.json")
    before, after = (dict(leaves(json.loads(version["conf.json"]))) for version in (old, new))
    key = dice.choice(("server.port", "limits.label"))
    if before[key] == after[key]:
        return changed_value(dice)
    fields = claim("changed_between", key, [before[key], after[key]], "value", files)
    same = "server.host"
    lies = [
        Lie("swapped values", altered(fields, value=[after[key], before[key]])),
        Lie("swapped versions", altered(fields, scope=files[::-1])),
        Lie("a value that was kept", altered(fields, subject=same, value=[before[same], before[same]])),
        Lie("another key", altered(fields, subject="limits.retries")),
        Lie("other type", altered(fields, value=[str(before[key]) + " ", after[key]])),
        Lie("the old one twice", altered(fields, value=[before[key], before[key]])),
    ]
    weak = {"one of them": cats(files[0]), "that they differ": [call("diff", paths=files, brief=True)]}
    return Made(_tree(old, new), fields, {"cat of both": cats(*files)}, lies, weak)
