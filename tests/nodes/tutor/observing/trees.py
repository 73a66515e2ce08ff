"""File trees with odd names and contents, and calls on them, drawn by hypothesis."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from hypothesis import strategies as st

from nodes.tutor.moves import Request

NAMES = (
    "a", "b.py", "c.txt", ".hidden", "total", "-n", "--", "x y", "new\nline", "a:1:x", "é.py", "*", "[a]",
    "1", "'q'", '"', "back\\slash", "$x", "Binary file a matches", "README.MD", "!", "(", "#c", "\u212a.txt",
)  # fmt: skip
PLACES = ("", "src", "src/deep", "d e", ".git", "old", "new")
PIECES = (
    "tok", "TOK", "token", " tok ", "tok.", "a.c", "abc", "a*", "[x]", "^", "$", "\\", "é", 'tok\u0301',
    "K", '\u212a', " ", '\t', '\r', '\n', '\n', '\n', "x = 1", "--", "a:1:tok", "_", "tok²", "-", '\x00',
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
CONTENTS = st.one_of(
    TEXTS.map(str.encode), TEXTS.map(str.encode), TEXTS.map(lambda text: text.encode() + b"\xff tok\n")
)
PATHS = st.builds(
    lambda place, name: f"{place}/{name}" if place else name, st.sampled_from(PLACES), st.sampled_from(NAMES)
)
TREES = st.dictionaries(PATHS, CONTENTS, min_size=1, max_size=8)
LITERALS = st.sampled_from(
    ["tok", "TOK", "a.c", "a*", "[x]", "^", "$", "\\", "é", "K", "k", "", "x = 1", "--", "tok\ntok", "a\\.c"]
    + ["^tok", "tok$", "to", "."]
)


def plant(root: Path, tree: Mapping[str, bytes]) -> None:
    """Make the root hold the tree, and links into it, instead of what it held."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    for path, content in tree.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)
    (root / "link").symlink_to(min(tree))
    (root / "dangling").symlink_to("nowhere")
    (root / "link to directory").symlink_to("src")
    (root / "out").symlink_to("/etc")


def some_path(tree: Mapping[str, bytes]) -> st.SearchStrategy[str]:
    """Paths in other spellings, of files, directories and links, and some of nothing."""
    directories = {"/".join(path.split("/")[:-1]) or "." for path in tree}
    known = [*tree, *directories, "link", "dangling", "link to directory", "out", "missing", "src/missing"]
    spelled = [*known, *(f"./{path}" for path in known), *(f"{path}/" for path in known), "src/../missing"]
    return st.sampled_from(sorted({*spelled, *(path.replace("/", "//") for path in tree)}))


def options(draw: st.DrawFn, names: tuple[str, ...]) -> dict[str, object]:
    return {name: True for name in names if draw(st.booleans())}


@st.composite
def requests(draw: st.DrawFn, tree: Mapping[str, bytes]) -> Request:
    """A typed call."""
    path = some_path(tree)
    tool = draw(st.sampled_from(["cat", "head", "tail", "grep", "wc", "ls", "find", "stat", "diff"]))
    args: dict[str, object] = {}
    if tool == "grep":
        flags = (
            "recursive",
            "count",
            "ignore_case",
            "fixed",
            "word",
            "line_number",
            "invert",
            "files_with_matches",
        )
        args = {"pattern": draw(LITERALS), "path": draw(path), **options(draw, flags)}
    elif tool == "diff":
        args = {"paths": [draw(path), draw(path)], **options(draw, ("brief",))}
    elif tool == "wc":
        args = {
            "paths": draw(st.lists(path, min_size=1, max_size=3)),
            **options(draw, ("lines", "words", "bytes")),
        }
    else:
        args = {"path": draw(path)}
        if tool in ("head", "tail"):
            args["lines"] = draw(st.integers(0, 5))
        if tool == "ls":
            args |= options(draw, ("all", "long", "recursive"))
        if tool == "find":
            args |= draw(
                st.sampled_from([{}, {"name": "*"}, {"name": "*.py"}, {"name": "[a]"}, {"name": "tot?l"}])
            )
            args |= draw(st.sampled_from([{}, {"type": "f"}, {"type": "d"}, {"type": "l"}]))
            args |= draw(st.sampled_from([{}, {"maxdepth": 0}, {"maxdepth": 1}, {"maxdepth": 2}]))
    return Request(tool=tool, args=args)


STAGES = (
    "cat {0}", "cat -n {0} {1}", "head -n2 {0}", "head -1 {0}", "tail -n +2 {0}", "tail -3 {0}", "nl {0}",
    "sort {0}", "grep -rn tok {0}", "grep -c -w -i -e TOK {0} {1}", "grep -rl tok", "grep -x tok {0}",
    "grep -Fv tok {0}", "grep -E 'tok|abc' {0}", "grep -m1 tok {0}", "grep -rc k .", "grep -o tok {0}",
    "grep -L tok {0} {1}", "grep -ri k", "grep --include='*.py' -rn tok .", "grep -rnw tok",
    "grep -r tok . {0}", "grep 'a\\.c' {0}", "grep -i é {0}", "wc -lw {0}", "wc {0} {1}", "ls -la {0}",
    "ls -lR {0} {1}", "du -b {0}", "find {0} -printf '%s %p\\n'", "cat {0} missing",
    "find . | grep 'py$'", "find {0} -type f | grep -i A", "ls | grep '\\['",
    "ls -R {0}", "ls -A {0} {1}", "ls -d {0}", "ls", "stat {0}", "find -type f -name '*.py' -maxdepth 2",
    "find . -name '*.py' -o -name tok", "find {0} -not -name '*.py'", "find . -iname 'readme*'",
    "find . ! -type d", "find {0} -mindepth 2", "find . -name .git -prune -o -print",
    "find . \\( -name a -o -name '*.txt' \\) -type f", "find . -empty", "sha256sum {0}", "diff -q {0} {1}",
    "diff {0} {1}", "diff -u {0} {1}", "diff -rq {0} {1}", "sed -n '2,3p' {0}",
    "find . -type f | xargs wc -l", "wc -l < {0}",
    "find . -type f -print0 | xargs -0 grep -c tok", "find {0} -name '*.py' -print0 | xargs -0 cat | wc -l",
)  # fmt: skip
FILTERS = (
    "", "", "", " | wc -l", " | head -2", " | sort", " | head -n 1 | wc -l", " | tail -n +2", " | grep tok",
    " | sed s/a/b/", " | tail -1",
)  # fmt: skip


def quoted(path: str) -> str:
    return "'" + path.replace("'", "'\\''") + "'"


@st.composite
def commands(draw: st.DrawFn, tree: Mapping[str, bytes]) -> Request:
    """A command line."""
    path = some_path(tree)
    stage, last = draw(st.sampled_from(STAGES)), draw(st.sampled_from(FILTERS))
    return Request(raw=stage.format(quoted(draw(path)), quoted(draw(path))) + last)
