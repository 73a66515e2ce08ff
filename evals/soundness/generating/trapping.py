"""Files that mislead: no text, keys that stand twice, output that is cut, links that lead out."""

from __future__ import annotations

from random import Random

from evals.soundness.generating.parts import Lie, Made, call, cats, claim
from evals.soundness.generating.trees import WORDS, tree_of
from evals.soundness.tree import Tree

LONGER_THAN_SHOWN = 1_100_000


def bytes_that_are_no_text(dice: Random) -> Made:
    """A file with a zero byte and one that is no UTF-8; grep tells of it what it does not of a text."""
    word = dice.choice(WORDS)
    path = "data/blob.bin"
    content = f"head\x00\udcff {word} tail\n{word}\n"
    tree = tree_of(dice, 1, 3)
    tree = Tree({**tree.files, path: content}, tree.links)
    grep = [call("grep", pattern=word, path=path, fixed=True)]
    recursive = [call("grep", pattern=word, path="data", fixed=True, recursive=True)]
    lies = [
        Lie("not in a binary file", claim("not_contains", path, word), cats(path)),
        Lie("not in a binary file, by grep", claim("not_contains", path, word), grep),
        Lie("not in its directory", claim("not_contains", "data", word), recursive),
        Lie("one matching line", claim("count", word, 1, "matching lines", path), grep),
        Lie("what grep says of it", claim("contains", path, "binary file matches"), grep),
        Lie("its text without the bytes", claim("equals", path, f"head {word} tail\n{word}\n"), cats(path)),
    ]
    return Made(tree, claim("exists", path, unit="file"), {"stat": [call("stat", path=path)]}, lies)


def keys_that_stand_twice(dice: Random) -> Made:
    """A configuration in which a key is set twice; the first value is not the one that counts."""
    first, second = dice.sample(range(100, 999), 2)
    files = {
        "app.json": f'{{"port": {first}, "name": "a",\n "port": {second}}}\n',
        "nested.json": f'{{"a": {{"b": {first}}}, "a": {{"b": {second}}}}}\n',
        "app.yaml": f"port: {first}\nname: a\nport: {second}\n",
        "commented.yaml": f"# port: {first}\nport: {second}\n",
        "commented.ini": f"[server]\n; port = {first}\nport = {second}\n[client]\nport = {first}\n",
        "quoted.toml": f'text = "port = {first}"\nport = {second}\n',
    }
    keys = {"nested.json": "a.b", "commented.ini": "server.port"}
    lies = [
        Lie(
            f"the value that does not count: {path}",
            claim(
                "value_of", keys.get(path, "port"), str(first) if path.endswith("ini") else first, scope=path
            ),
            cats(path),
        )
        for path in files
    ]
    true = claim("value_of", "port", second, scope="commented.yaml")
    return Made(Tree(files), true, {"cat": cats("commented.yaml")}, lies)


def output_that_is_cut(dice: Random) -> Made:
    """A file longer than any output may be, with what matters at its end."""
    line = " ".join(dice.choices(WORDS, k=6))
    count = LONGER_THAN_SHOWN // (len(line) + 1)
    path = "big.log"
    files = {path: f"{line}\n" * count + "token-at-the-end\n", "small.log": "token\n"}
    shown = 1_000_000 // (len(line) + 1)
    word = line.split()[0]
    many = call("grep", pattern=word, path=path, fixed=True, line_number=True)
    lies = [
        Lie("not in what was shown", claim("not_contains", path, "token-at-the-end"), cats(path)),
        Lie("lines that were shown", claim("count", path, shown, "lines"), cats(path)),
        Lie("matches that were shown", claim("count", word, shown, "matching lines", path), [many]),
        Lie("nothing below it", claim("not_contains", ".", "token"), [
            call("grep", pattern="", path=".", recursive=True)
        ]),
    ]  # fmt: skip
    true = claim("count", path, count + 1, "lines")
    return Made(Tree(files), true, {"wc": [call("wc", path=path, lines=True)]}, lies)


def links_that_mislead(dice: Random) -> Made:
    """Links to files and directories, inside and outside, and to nothing."""
    word = dice.choice(WORDS)
    files = {"real/one.txt": f"{word}\n", "real/two.txt": "two\n", "plain.txt": "plain\n"}
    links = {
        "twin": "real",
        "alias.txt": "real/one.txt",
        "out": "/etc",
        "passwd": "/etc/passwd",
        "loose": "gone",
    }
    find = [call("find", path=".")]
    lies = [
        Lie("links counted as files", claim("count", "*", len(files) + 2, "files", "."), find),
        Lie("links followed", claim("count", "*.txt", 5, "files", "."), find),
        Lie("links as directories", claim("count", ".", 2, "directories"), find),
        Lie("a link to nothing", claim("exists", "loose", unit="file"), find),
        Lie("a link out as a file", claim("exists", "passwd", unit="file"), [call("stat", path="passwd")]),
        Lie("through a link out", claim("exists", "out/passwd"), [call("stat", path="out/passwd")]),
        Lie("text through a link out", claim("contains", "passwd", "root"), cats("passwd")),
        Lie("upwards", claim("exists", "../sandbox", unit="directory"), [call("stat", path="../sandbox")]),
        Lie("absolute", claim("exists", "/etc", unit="directory"), [call("stat", path="/etc")]),
        Lie("matches twice", claim("count", word, 2, "matching lines", "."), [
            call("grep", pattern=word, path=".", recursive=True, fixed=True)
        ]),
    ]  # fmt: skip
    true = claim("count", "*.txt", 3, "files", ".")
    return Made(Tree(files, links), true, {"find": [call("find", path=".", name="*.txt", type="f")]}, lies)
