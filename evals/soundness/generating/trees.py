"""Generated file trees: nested directories, odd names, texts with and without a final newline."""

from __future__ import annotations

from random import Random

from evals.soundness.tree import Tree

WORDS = (
    "amber basalt cedar delta ember fjord garnet harbor indigo jasper kelp lumen maple nectar opal".split()
)
EXTENSIONS = (".txt", ".log", ".md", ".py", ".lock", ".csv", "")
ODD_NAMES = (
    "two words.txt",
    "-dash.txt",
    ".hidden",
    ".env.old",
    "naïve.txt",
    "日本.log",
    "semi;colon.txt",
    "quote's.md",
    "tab\there.txt",
    "a:b.txt",
    "total",
    "UPPER.TXT",
    "dollar$HOME.txt",
    "#hash",
    "back\\slash.txt",
)
DIRECTORIES = ("src", "docs", ".cache", "two parts", "node_modules", "data", "venv", ".git", "lib")
SPECIAL = (
    "a.c",
    "x*y",
    "[warn]",
    "cost=$5",
    "^start",
    "naïve",
    "path\\to",
    "--flag",
    "don't",
    "q?",
    "(1)",
    "a|b",
)
GLOB = frozenset("*?[]")


def text_of(dice: Random, least: int = 0, most: int = 9) -> str:
    """A text of so many lines; some are empty, some end with a carriage return, the last may lack its end."""
    lines = [_line(dice) for _ in range(dice.randint(least, most))]
    if not lines:
        return ""
    ending = dice.choice(("\n", "\n", "\n", "\r\n"))
    text = ending.join(lines) + ending
    return text.removesuffix("\n") if dice.random() < 0.2 and lines[-1] else text


def _line(dice: Random) -> str:
    if dice.random() < 0.1:
        return ""
    words = dice.choices(WORDS, k=dice.randint(1, 4))
    if dice.random() < 0.3:
        words.insert(dice.randrange(len(words) + 1), dice.choice(SPECIAL))
    if dice.random() < 0.3:
        words.append(str(dice.randint(0, 99)))
    return " ".join(words)


def name_of(dice: Random) -> str:
    """A file name."""
    if dice.random() < 0.25:
        return dice.choice(ODD_NAMES)
    return dice.choice(WORDS) + dice.choice(("", str(dice.randint(1, 9)))) + dice.choice(EXTENSIONS)


def directory_of(dice: Random) -> str:
    """A directory of one to three levels, or the sandbox itself."""
    depth = dice.choice((0, 1, 1, 2, 3))
    return "/".join(dice.sample(DIRECTORIES, depth)) or "."


def joined(directory: str, name: str) -> str:
    """A path without a leading "./"."""
    return name if directory == "." else f"{directory}/{name}"


def tree_of(dice: Random, least: int = 3, most: int = 9) -> Tree:
    """A tree with so many files, perhaps an empty directory, perhaps links to its files or out of it."""
    files: dict[str, str] = {}
    for _ in range(dice.randint(least, most)):
        add(files, joined(directory_of(dice), name_of(dice)), text_of(dice))
    if dice.random() < 0.3:
        add(files, joined(directory_of(dice), "hollow/"), "")
    links: dict[str, str] = {}
    if dice.random() < 0.25:
        target = dice.choice(("/etc", "/etc/hostname", "nowhere", ".", dice.choice(list(files))))
        links["pointer"] = target
    return Tree(files, links)


def add(files: dict[str, str], path: str, text: str) -> bool:
    """Put a file into a tree, unless its place is taken; True if it was put there."""
    parts = path.rstrip("/").split("/")
    above = {"/".join(parts[:depth]) for depth in range(1, len(parts))}
    own = path.rstrip("/")
    taken = {other.rstrip("/") for other in files}
    if own in taken or above & {o for o in files if not o.endswith("/")} or own in Tree(files).directories():
        return False
    files[path] = text
    return True


def plain_files(tree: Tree, scope: str = ".") -> list[str]:
    """Files below a directory whose paths can only be paths: no glob characters, nothing like `path:line`."""
    return [path for path in tree.below(scope, "file") if not GLOB & set(path) and ":" not in path]


def scopes(tree: Tree) -> list[str]:
    """The sandbox and all directories in it."""
    return [".", *sorted(tree.directories())]
