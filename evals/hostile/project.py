"""The project that hostile and honest commands run in: a repository with a history, and traps.

The traps are what the commands of the lists name: links that lead outside, programs that leave marks, a
repository whose configuration runs one, an archive. Contents, authors and dates are fixed.
"""

from __future__ import annotations

import io
import os
import subprocess
import tarfile
from pathlib import Path

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}
NOTES = "".join(
    f"{text}\n"
    for text in (
        "# notes of the project",
        "hello world 3",
        "alpha:one:1",
        "beta:two:22",
        "gamma:three:333",
        "a cost of $(x) and -exec in words",
        "  indented line",
        "tab\tseparated\tline",
        "",
        "beta:two:22",
        "Hello again, WORLD",
        "# TODO: say more",
        "zeta 10 hello",
        "zeta 9",
        "naïve café",
    )
)
FIRST = {
    "notes.txt": NOTES.replace("zeta 9\n", "").replace("alpha:one:1", "alpha:old:1"),
    "a.py": "import os\nimport sys\n\n\ndef main():\n    print(os.getcwd(), sys.argv)  # hello\n",
    "README.md": "# Example\n\nA project to look at.\n\n## Use\n\nRun `python a.py`.\n",
    "src/x.py": "import json\n\nVALUE = 1\n\n\ndef load(text):\n    return json.loads(text)\n",
    "docs/old name.md": "# a name with a space\nhello there\n",
    "docs/guide.md": "# Guide\n\nhello from the guide\nTODO: finish\n",
    ".gitignore": "*.log\nbuild/\n",
}
SECOND = {
    "src/lib/deep.py": "from src import x\n\n\nclass Deep:\n    value = x.VALUE  # TODO: rename\n",
    "data/people.csv": "name,age,town\nAnn,41,Ulm\nBob,7,Bonn\nCid,23,Ulm\nDee,7,Kiel\n",
    "data/more.csv": "name,age,town\nAnn,41,Ulm\nEve,30,Jena\n",
    "data/list1": "apple\nbanana\ncherry\n",
    "data/list2": "banana\ncherry\ndate\n",
    "src/x.py": "import json\n\nVALUE = 3\n\n\ndef load(text):\n    return json.loads(text)\n",
    "tests/test_x.py": "from src import x\n\n\ndef test_value():\n    assert x.VALUE == 3\n",
}
THIRD = {"notes.txt": NOTES, "docs/naïve.md": "# naïve\n", "empty.txt": ""}
UNCOMMITTED = {
    "docs/guide.md": "# Guide\n\nhello from the guide\nTODO: finish soon\n",
    "app.log": "2024-01-01 INFO start\n2024-01-02 ERROR hello\n2024-01-03 INFO stop\n",
    "draft.txt": "not in git\n",
    "odd/-dash.txt": "hello dash\n",
    "long_a.txt": "a" * 4000 + "!\n",
    "src/b": "text\n",
    "build/out.o": "object\n",
}


def build_project(root: Path, outside: Path, marked: Path) -> None:
    """Write the project.

    Args:
        root: where; must not exist yet.
        outside: directory outside that the links lead to.
        marked: root that the programs of the traps name; the project may be moved there.
    """
    root.mkdir(parents=True)
    _write(root, FIRST)
    git(root, "init", "-q", "-b", "main")
    _traps(root, outside, marked)
    _commit(root, "Ann", "2024-01-05T10:00:00", "First files", list(FIRST))
    _write(root, SECOND)
    _commit(root, "Bob", "2024-02-10T11:00:00", "Add data and a library", list(SECOND))
    git(root, "tag", "v1.0")
    _write(root, THIRD)
    _commit(root, "Ann", "2024-03-15T12:00:00", "Say more in the notes", list(THIRD))
    git(root, "branch", "topic", "HEAD~1")
    _write(root, UNCOMMITTED)
    (root / "numbers.txt").write_text("".join(f"{number}\n" for number in range(1, 2001)))
    (root / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\2\0\0\0\x90wS\xde")
    (root / "void").mkdir()
    (root / "link_in").symlink_to("notes.txt")
    _date(root)
    git(root, "status")  # with a fresh index nothing has a reason to write it


def git(root: Path, *arguments: str, **variables: str) -> None:
    """Run git with none of the machine's settings.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    subprocess.run(
        ["git", *arguments], cwd=root, env=ENVIRONMENT | variables, check=True, capture_output=True
    )


def _write(root: Path, contents: dict[str, str]) -> None:
    for name, text in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def _commit(root: Path, author: str, date: str, message: str, names: list[str]) -> None:
    person = {
        f"GIT_{role}_{part}": value
        for role in ("AUTHOR", "COMMITTER")
        for part, value in (("NAME", author), ("EMAIL", f"{author.lower()}@x"), ("DATE", f"{date}+00:00"))
    }
    git(root, "add", "--", *names)
    git(root, "commit", "-q", "-m", message, **person)


def _traps(root: Path, outside: Path, marked: Path) -> None:
    mark = f"touch {marked}/pwned {marked}/evilrepo/pwned {outside}/pwned"
    _write(
        root,
        {
            "evil.sh": f"#!/bin/sh\n{mark}\ncat\n",
            "evil.py": f"import os\nos.system('{mark}')\n",
            "evil_module.py": f"import os\nos.system('{mark}')\n",
            "a_import.py": "import evil_module\n",
            "evil.so": "no library\n",
            "evil.awk": 'BEGIN { system("touch pwned") }\n',
        },
    )
    (root / "evil.sh").chmod(0o755)
    (root / "link_out").symlink_to(outside / "secret.txt")
    (root / "dirlink").symlink_to(outside)
    (root / "through").symlink_to("/proc/self/cwd/../outside/secret.txt")
    (root / "linked").mkdir()
    (root / "linked" / "b").symlink_to(outside / "secret.txt")
    with tarfile.open(root / "arch.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("member"), io.BytesIO(b""))
    nested = root / "evilrepo"
    nested.mkdir()
    git(nested, "init", "-q")
    with (nested / ".git" / "config").open("a") as config:
        config.write("[core]\n\tfsmonitor = ../evil.sh\n")


def _date(root: Path) -> None:
    """A time of its own for each file, one hour apart in order of name."""
    files = [
        path
        for path in root.rglob("*")
        if not path.is_symlink() and ".git" not in path.relative_to(root).parts
    ]
    for number, path in enumerate(sorted(files)):
        moment = 1_710_000_000 + 3600 * number
        os.utime(path, (moment, moment))
