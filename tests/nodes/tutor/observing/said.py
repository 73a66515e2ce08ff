"""What commands on some files have to say, and what says nothing of contents."""

from __future__ import annotations

from nodes.tutor.facts import (
    Compared,
    Digest,
    Entry,
    Fact,
    Found,
    Hunk,
    Hunks,
    Lines,
    Match,
    Matches,
    Measure,
    Search,
    Searched,
    Text,
)

FILES = {
    "a.txt": "one\ntwo tok\nthree\nfour token\n",
    "empty": "",
    "open": "no end",
    "src/b.py": "import os\ntok = 1\n",
    "src/.hidden": "TOK\n",
    "src/deep/x y.py": "pass\n",
    "old/f": "1\n2\n3\n",
    "new/f": "1\nII\n3\n4",
    "old/same": "=\n",
    "new/same": "=\n",
}
A = FILES["a.txt"]


def entry(path: str, kind: str = "file") -> Entry:
    return Entry.model_validate({"path": path, "kind": kind})


def lines(
    first: int | None, *texts: str, ends: bool = False, path: str = "a.txt", terminated: bool = True
) -> Lines:
    return Lines(path=path, first=first, lines=texts, ends=ends, terminated=terminated if ends else None)


def matches(count: int, *found: tuple[int, str], path: str = "a.txt", **more: object) -> Matches:
    shown = [Match(path=path, number=number, text=text) for number, text in found]
    return Matches.model_validate(
        {"path": path, "literal": "tok", "count": count, "lines": shown or None, **more}
    )


def search(directory: str, *found: tuple[str, str], **more: object) -> Search:
    entries = [Found.model_validate({"path": path, "kind": kind}) for path, kind in found]
    return Search.model_validate({"directory": directory, "found": entries, **more})


SIZE = Measure(path="a.txt", unit="bytes", value=len(A))
TOK = matches(2, (2, "two tok"), (4, "four token"))
SAID: list[tuple[str, list[Fact]]] = [
    ("cat a.txt", [Text(path="a.txt", text=A), entry("a.txt")]),
    ("cat ./src/../a.txt", [Text(path="a.txt", text=A)]),
    ("cat -n a.txt", [Text(path="a.txt", text=A)]),
    ("nl a.txt", [Text(path="a.txt", text=A)]),
    ("cat < a.txt", [Text(path="a.txt", text=A)]),
    ("cat a.txt open", [Text(path="a.txt", text=A), Text(path="open", text="no end")]),
    ("cat 'src/deep/x y.py'", [entry("src", "directory"), entry("src/deep", "directory")]),
    ("cat 'linked/x y.py'", [entry("linked", "link"), entry("linked/x y.py")]),
    ("grep -c pass 'src/deep/x y.py'", [entry("src", "directory"), entry("src/deep", "directory")]),
    ("cat empty", [Text(path="empty", text="")]),
    ("head a.txt", [Text(path="a.txt", text=A)]),
    ("tail a.txt", [Text(path="a.txt", text=A)]),
    ("head -n5 a.txt", [Text(path="a.txt", text=A)]),
    ("head -n 4 a.txt", [lines(1, "one", "two tok", "three", "four token")]),
    ("head -2 a.txt", [lines(1, "one", "two tok")]),
    ("cat a.txt | head -n 2", [lines(1, "one", "two tok")]),
    ("cat a.txt | head -2 | cat -n", [lines(1, "one", "two tok")]),
    ("head --lines=1 open", [Text(path="open", text="no end")]),
    ("tail -n 1 a.txt", [lines(None, "four token", ends=True)]),
    ("tail -n +3 a.txt", [lines(3, "three", "four token", ends=True)]),
    ("tail -n +3 a.txt | head -1", [lines(3, "three")]),
    ("head -3 a.txt | tail -n +2", [lines(2, "two tok", "three")]),
    ("sed -n '2,3p' a.txt", [lines(2, "two tok", "three")]),
    ("sed -n 4p a.txt", [lines(4, "four token")]),
    ("sed -n '3,$p' a.txt", [lines(3, "three", "four token", ends=True)]),
    ("grep tok a.txt", [TOK]),
    ("grep -nF tok a.txt", [TOK]),
    ("grep -E -e tok a.txt", [TOK]),
    ("cat a.txt | grep --line-number tok", [TOK]),
    ("grep -A1 tok a.txt", [TOK, lines(3, "three")]),
    ("grep -C 1 token a.txt", [lines(3, "three"), matches(1, (4, "four token"), literal="token")]),
    ("grep -rn -B1 tok src", [lines(1, "import os", path="src/b.py")]),
    ("grep -c tok a.txt", [matches(2)]),
    ("grep tok a.txt | wc -l", [matches(2)]),
    ("cat a.txt | grep tok | wc -l", [matches(2)]),
    ("grep -q tok a.txt", [matches(2)]),
    ("grep -l tok a.txt open", [matches(2), matches(0, path="open")]),
    ("grep tok open", [matches(0, path="open", lines=[])]),
    ("grep -w tok a.txt", [matches(1, (2, "two tok"), word=True)]),
    ("grep -cw tok a.txt", [matches(1, word=True)]),
    ("grep -i TOK a.txt", [matches(2, (2, "two tok"), (4, "four token"), literal="TOK", ignore_case=True)]),
    ("grep -v tok a.txt", [matches(2, (1, "one"), (3, "three"), inverted=True)]),
    ("grep 't.k' a.txt", [matches(2, (2, "two tok"), (4, "four token"), literal=None)]),
    ("grep -x 'two tok' a.txt", [matches(1, (2, "two tok"), literal=None)]),
    ("grep -m1 tok a.txt", [lines(2, "two tok")]),
    ("grep -m3 tok a.txt", [TOK]),
    ("grep tok a.txt | head -1", [lines(2, "two tok")]),
    ("grep tok a.txt | head", [TOK]),
    ("grep -rl tok", [Searched(directory=".", literal="tok", files=("a.txt", "src/b.py"), counts=(2, 1))]),
    (
        "grep -rn tok src",
        [
            Searched(directory="src", literal="tok", files=("src/b.py",), counts=(1,)),
            matches(1, (2, "tok = 1"), path="src/b.py"),
        ],
    ),
    ("grep -rc tok src", [matches(0, path="src/.hidden"), matches(1, path="src/b.py")]),
    ("grep -rn nowhere src", [Searched(directory="src", literal="nowhere", files=(), counts=())]),
    ("grep --include='*.py' -rn tok .", [matches(1, (2, "tok = 1"), path="src/b.py")]),
    ("wc -l a.txt", [Measure(path="a.txt", unit="lines", value=4)]),
    ("cat a.txt | wc -l", [Measure(path="a.txt", unit="lines", value=4)]),
    (
        "wc -lw a.txt open",
        [Measure(path="a.txt", unit="words", value=6), Measure(path="open", unit="lines", value=0)],
    ),
    ("wc -c < open", [Measure(path="open", unit="bytes", value=6)]),
    (
        "wc open",
        [
            Measure(path="open", unit=unit, value=value)
            for unit, value in (("lines", 0), ("words", 2), ("bytes", 6))
        ],
    ),
    ("find src -name '*.py' | xargs wc -l", [Measure(path="src/b.py", unit="lines", value=2)]),
    (
        "find src/deep -name '*.py' -print0 | xargs -0 cat | wc -l",
        [Measure(path="src/deep/x y.py", unit="lines", value=1)],
    ),
    ("ls src", [search("src", ("src/b.py", "file"), ("src/deep", "directory"), depth=1, hidden=False)]),
    (
        "ls -a src",
        [search("src", ("src/.hidden", "file"), ("src/b.py", "file"), ("src/deep", "directory"), depth=1)],
    ),
    (
        "ls -lA src",
        [search("src", ("src/.hidden", "file"), ("src/b.py", "file"), ("src/deep", "directory"), depth=1)],
    ),
    (
        "ls -R src",
        [
            search(
                "src",
                ("src/b.py", "file"),
                ("src/deep", "directory"),
                ("src/deep/x y.py", "file"),
                hidden=False,
            )
        ],
    ),
    (
        "ls a.txt src/deep",
        [entry("a.txt"), search("src/deep", ("src/deep/x y.py", "file"), depth=1, hidden=False)],
    ),
    ("ls -d src", [entry("src", "directory")]),
    ("cat a.txt missing", [Text(path="a.txt", text=A), entry("missing", "absent")]),
    ("cat missing a.txt gone", [Text(path="a.txt", text=A), entry("gone", "absent")]),
    ("head -n 2 a.txt missing", [lines(1, "one", "two tok")]),
    ("grep tok a.txt missing", [TOK, entry("missing", "absent")]),
    ("wc -l a.txt missing", [Measure(path="a.txt", unit="lines", value=4)]),
    (
        "ls src missing",
        [search("src", ("src/b.py", "file"), ("src/deep", "directory"), depth=1, hidden=False)],
    ),
    (
        "find . -type f | grep '\\.py$'",
        [search(".", ("src/b.py", "file"), ("src/deep/x y.py", "file"), names=["*.py"], kind="file")],
    ),
    ("find . | grep -i B.PY -F", [search(".", ("src/b.py", "file"), names=["*[Bb].[Pp][Yy]*"])]),
    ("find . | grep -F '[x]*'", [search(".", names=["*\\[x\\]\\**"])]),
    ("find . -type f | grep -c lock", [search(".", names=["*lock*"], kind="file")]),
    (
        "ls src | wc -l",
        [search("src", ("src/b.py", "file"), ("src/deep", "directory"), depth=1, hidden=False)],
    ),
    (
        "ls -a src | grep py",
        [search("src", ("src/b.py", "file"), names=["*py*"], depth=1)],
    ),
    ("ls -l a.txt", [SIZE]),
    ("ls -la", [SIZE]),
    ("ls -ld a.txt", [SIZE]),
    ("ls -lR .", [SIZE, Measure(path="src/b.py", unit="bytes", value=18)]),
    ("stat a.txt", [SIZE]),
    ("stat -c '%n %s' a.txt", [SIZE]),
    ("find . -type f -printf '%p %s\\n'", [SIZE]),
    ("find . -ls", [SIZE]),
    ("du -b a.txt", [SIZE]),
    ("find . -size -2k -name a.txt", [entry("a.txt")]),
    (
        "find src -type f -name '*.py'",
        [search("src", ("src/b.py", "file"), ("src/deep/x y.py", "file"), names=["*.py"], kind="file")],
    ),
    (
        "find src -iname '*.PY' -type f -print",
        [search("src", ("src/b.py", "file"), ("src/deep/x y.py", "file"), names=["*.[Pp][Yy]"], kind="file")],
    ),
    (
        "find src -maxdepth 1 -type d | sort",
        [search("src", ("src/deep", "directory"), kind="directory", depth=1)],
    ),
    ("find . -name b.py -o -name x", [search(".", ("src/b.py", "file"), names=["b.py", "x"])]),
    (
        "find . \\( -name b.py -o -name x \\) -type f | wc -l",
        [search(".", ("src/b.py", "file"), names=["b.py", "x"], kind="file")],
    ),
    ("find . -name '*.lock'", [search(".", names=["*.lock"])]),
    ("find src -type f -not -name '*.py'", [entry("src/.hidden")]),
    ("find . -type d -empty -o -name deep", [entry("src/deep", "directory")]),
    ("stat open", [entry("open"), Measure(path="open", unit="bytes", value=6)]),
    ("stat link", [entry("link", "link")]),
    ("cat link", [entry("link", "link"), Text(path="link", text=A)]),
    ("cat nothing", [entry("nothing", "absent")]),
    ("ls nothing/at/all", [entry("nothing/at/all", "absent")]),
    (
        "sha256sum empty",
        [Digest(path="empty", sha256="e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")],
    ),
    ("diff -q old/same new/same", [Compared(old="old/same", new="new/same", same=True)]),
    (
        "diff old/f new/f",
        [
            Compared(old="old/f", new="new/f", same=False),
            lines(2, "2", path="old/f"),
            lines(2, "II", path="new/f"),
            lines(4, "4", ends=True, path="new/f", terminated=False),
            Hunks(
                old="old/f",
                new="new/f",
                hunks=(
                    Hunk(old_first=2, old=("2",), new_first=2, new=("II",)),
                    Hunk(old_first=4, old=(), new_first=4, new=("4",), new_unended=True),
                ),
            ),
        ],
    ),
    (
        "diff -r old new",
        [
            Compared(old="old/same", new="new/same", same=True),
            lines(2, "II", path="new/f"),
        ],
    ),
    (
        "diff -rq old new",
        [Compared(old="old/f", new="new/f", same=False), Compared(old="old/same", new="new/same", same=True)],
    ),
]
SILENT = [
    "find . | grep 'b.p'",
    "find . | grep -v src",
    "find . -name '*.py' | grep b",
    "find . | grep src/b",
    "cat src missing",
    "sort a.txt | uniq -c",
    "cat missing | grep tok",
    "ls -lh",
    "ls -s a.txt",
    "stat -c %F a.txt",
    "stat -c %%s a.txt",
    "find . -printf '%%s %p\\n'",
    "find . -size -2k",
    "find . -newer a.txt",
    "du a.txt",
    "du -b src",
    "grep --help",
    "cat --help",
    "git log",
    f"cat {'x' * 300}",
    f"cat {'x' * 300}/below",
    "head -c 3 a.txt",
    "tail -c 3 a.txt",
    "head -n -1 a.txt",
    "cat a.txt | sed s/o/0/",
    "cat -s a.txt",
    "sort -u a.txt",
    "cut -c1 a.txt",
    "tr a b < a.txt",
    "seq 3",
    "grep -z tok a.txt",
    "cat a.txt | tr a b | wc -l",
    "ls -B src",
    "grep tok a.txt | grep four | head",
    "uniq a.txt",
    "pwd",
    "basename a.txt",
    "sed -n '/tok/p' a.txt",
    "cat a.txt/below",
    "file a.txt",
    "cat linked/../a.txt",
    "find src | xargs wc -l",
]
